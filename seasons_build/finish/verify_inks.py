"""Finish: the checks of colours (pikepdf, Pillow): what is mixed of red, green and blue, and what takes more ink than a shop allows."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pikepdf
from PIL import Image, ImageChops

from seasons_build.core.document import Number
from seasons_build.core.finding import decimal
from seasons_build.finish.inks import is_lab, is_rgb, said_in

_RGB_SIGNS = ("rg", "RG")
_SPACE_SIGNS = ("cs", "CS")
_INK_SIGNS = ("k", "K")
_MIXED_SIGNS = ("sc", "SC", "scn", "SCN")
_INKS = 4
_DRAWN = "colours of lines and fills"
_ROUGH = 2
"""Parts of a hundred by which the ink of a picture is known."""


def check_inks(name: str, document: Any, most: Number | None) -> Iterator[str]:
    """A line for each way in which a document still has RGB, one for Lab, and one for what takes more than `most` parts of a
    hundred of ink."""
    heaviest = Decimal(0)
    rgb: dict[str, int] = {}
    lab = 0
    for operands, operator in said_in(document):
        inks = _inks_of(operands, operator)
        heaviest = max(heaviest, sum(inks, Decimal(0)) * 100)
        if (what := _rgb_of(operands, operator)) is not None:
            rgb[what] = rgb.get(what, 0) + 1
        lab += operator in _SPACE_SIGNS and is_lab(operands[0])
    for thing in document.objects:
        if not isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
            continue
        what = "pictures" if thing.get("/Subtype") == "/Image" else "shades" if "/ShadingType" in thing else ""
        if what and is_rgb(thing.get("/ColorSpace")):
            rgb[what] = rgb.get(what, 0) + 1
        elif what == "pictures":
            heaviest = max(heaviest, _ink_of_picture(thing))
        if any(is_rgb(space) for space in named(thing, "/ColorSpace")):
            rgb["lists of colour spaces"] = rgb.get("lists of colour spaces", 0) + 1
    for what, count in rgb.items():
        yield f"`{name}`: expected CMYK, found RGB in {count} {what}"
    if lab:
        yield f"`{name}`: expected CMYK, found Lab in {lab} {_DRAWN}"
    if most is not None and heaviest > Decimal(str(float(most))):
        yield f"`{name}`: expected at most {decimal(Fraction(most))} % of ink, found {decimal(Fraction(heaviest))} %"


def _inks_of(operands: Any, operator: str) -> list[Decimal]:
    """The inks that an instruction asks for; none where it asks for none."""
    if operator in _INK_SIGNS or (operator in _MIXED_SIGNS and len(operands) == _INKS and not isinstance(operands[-1], pikepdf.Name)):
        return [Decimal(str(part)) for part in operands]
    return []


def _rgb_of(operands: Any, operator: str) -> str | None:
    """What an instruction draws in RGB; a space that a list gives a name to is told with that list."""
    if operator in _RGB_SIGNS or (operator in _SPACE_SIGNS and isinstance(operands[0], pikepdf.Name) and is_rgb(operands[0])):
        return _DRAWN
    if operator == "INLINE IMAGE" and str(operands[0].colorspace) in ("/DeviceRGB", "/RGB"):
        return "pictures"
    return None


def named(thing: Any, what: str) -> Iterator[Any]:
    """The fonts, or the colour spaces, to which the resources of a page, a form or a pattern give names; `thing` may be the resources."""
    resources = thing.get("/Resources", thing)
    found = resources.get(what) if isinstance(resources, pikepdf.Dictionary) else None
    if isinstance(found, pikepdf.Dictionary):
        yield from (found[str(key)] for key in found)


def _ink_of_picture(stream: Any) -> Decimal:
    """The most ink that a point of a picture takes, to a few parts of a hundred; nothing for one that is not in four inks."""
    if stream.get("/ColorSpace") != "/DeviceCMYK":
        return Decimal(0)
    picture = pikepdf.PdfImage(stream).as_pil_image()
    if picture.mode != "CMYK":
        return Decimal(0)
    cyan, magenta, yellow, black = picture.split()
    mean: Image.Image = ImageChops.add(ImageChops.add(cyan, magenta, 2), ImageChops.add(yellow, black, 2), 2)
    _, most = mean.getextrema()
    return max(Decimal(0), Decimal(int(most)) * 100 * _INKS / 255 - _ROUGH) if isinstance(most, int) else Decimal(0)

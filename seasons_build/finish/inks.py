"""Finish: a PDF in the inks of a press: each colour that was said in red, green and blue becomes cyan, magenta, yellow and black.

In: the bytes of a PDF; out: the same pages. The mixture is the plain one that needs no description of a press: black takes all that the
three colours have in common, so that text that is black stays in one ink, and no colour takes more than twice a full ink.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal
from io import BytesIO
from typing import Any

import pikepdf
from PIL import Image, ImageChops

_RGB = ("/DeviceRGB", "/CalRGB")
_FILLS = {"rg": "k", "RG": "K"}
_PLAIN = ("g", "G", "k", "K")
_SETS = ("sc", "scn", "SC", "SCN")
_SPACES = ("cs", "CS")
_COMPRESSION = 6
_PLACES = Decimal("0.0001")


def in_process_inks(pdf: bytes) -> bytes:
    """The same pages in four inks. What it does not know stays as it was, and `verify` finds it."""
    with pikepdf.open(BytesIO(pdf)) as document:
        drawn = _drawn(document)
        for thing in document.objects:
            if isinstance(thing, pikepdf.Stream):
                _stream(thing, drawn)
            if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
                _dictionary(thing)
        out = BytesIO()
        document.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
        return out.getvalue()


def said_in(document: Any) -> Iterator[tuple[Any, str]]:
    """Everything that the pages of a document, and the forms and patterns on them, draw: operands and operator. A colour space that is
    called by a name stands there itself."""
    pages = {stream.objgen: page.resources for page in document.pages for stream in _streams(page.obj.get("/Contents"))}
    for thing in document.objects:
        if isinstance(thing, pikepdf.Stream) and _draws(thing, pages.keys()):
            spaces = pages.get(thing.objgen, thing.get("/Resources", pikepdf.Dictionary())).get("/ColorSpace", pikepdf.Dictionary())
            for one in pikepdf.parse_content_stream(thing):
                operator = str(one.operator)
                yield [spaces.get(str(one.operands[0]), one.operands[0])] if operator in _SPACES else one.operands, operator


def _drawn(document: Any) -> set[tuple[int, int]]:
    """The streams that are what pages draw."""
    return {stream.objgen for page in document.pages for stream in _streams(page.obj.get("/Contents"))}


def _draws(stream: Any, drawn: Collection[tuple[int, int]]) -> bool:
    return bool(stream.get("/Subtype") == "/Form" or stream.get("/PatternType") == 1 or stream.objgen in drawn)


def _streams(contents: Any) -> Iterable[Any]:
    if contents is None:
        return ()
    return list(contents) if isinstance(contents, pikepdf.Array) else [contents]


def _stream(stream: Any, drawn: set[tuple[int, int]]) -> None:
    if stream.get("/Subtype") == "/Image":
        if is_rgb(stream.get("/ColorSpace")):
            _picture(stream)
    elif _draws(stream, drawn):
        said = pikepdf.parse_content_stream(stream)
        stream.write(pikepdf.unparse_content_stream(list(_in_inks(said))))


def _in_inks(said: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Instructions with their colours in inks. What three numbers mix is for the space to say that was named before them, for fills and for
    lines (in capitals) each; where that is none of red, green and blue, they stay."""
    mixed = {False: False, True: False}
    kept: list[dict[bool, bool]] = []
    for one in said:
        operands, operator = list(one.operands), one.operator
        name = str(operator)
        line = name.isupper()
        if name == "q":
            kept.append(dict(mixed))
        elif name == "Q":
            mixed = kept.pop() if kept else mixed
        elif name in _FILLS:
            mixed[line] = True
            operands, operator = [*_inks(operands)], pikepdf.Operator(_FILLS[name])
        elif name in _PLAIN:
            mixed[line] = False
        elif name in _SPACES:
            mixed[line] = str(operands[0]) in _RGB
            operands = [pikepdf.Name.DeviceCMYK] if mixed[line] else operands
        elif name in _SETS and mixed[line] and len(operands) == 3 and not isinstance(operands[-1], pikepdf.Name):
            operands = [*_inks(operands)]
        yield operands, operator


def _inks(color: Sequence[Any]) -> tuple[Decimal, Decimal, Decimal, Decimal]:
    red, green, blue = (min(max(Decimal(str(part)), Decimal(0)), Decimal(1)) for part in color)
    light = max(red, green, blue)
    cyan, magenta, yellow, black = ((light - red), (light - green), (light - blue), (1 - light))
    return cyan.quantize(_PLACES), magenta.quantize(_PLACES), yellow.quantize(_PLACES), black.quantize(_PLACES)


def is_lab(space: Any) -> bool:
    """Whether a colour space of a PDF says how light a colour is and where it lies between four others, which no ink does."""
    return isinstance(space, pikepdf.Array) and bool(space[0] == "/Lab")


def is_rgb(space: Any) -> bool:
    """Whether a colour space of a PDF mixes red, green and blue: its own, one that a profile describes, or one with a palette of them."""
    if isinstance(space, pikepdf.Array):
        if space[0] == "/ICCBased":
            return int(space[1].get("/N", 0)) == 3
        if space[0] == "/Indexed":
            return is_rgb(space[1])
        return str(space[0]) in _RGB
    return space is not None and str(space) in _RGB


def _picture(stream: Any) -> None:
    picture = pikepdf.PdfImage(stream).as_pil_image().convert("RGB")
    red, green, blue = picture.split()
    light = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    inks = [ImageChops.subtract(light, part) for part in (red, green, blue)]
    mixed = Image.merge("CMYK", (*inks, ImageChops.invert(light)))
    stream.write(zlib.compress(mixed.tobytes(), _COMPRESSION), filter=pikepdf.Name.FlateDecode)
    stream.ColorSpace = pikepdf.Name.DeviceCMYK
    stream.BitsPerComponent = 8
    for key in ("/Decode", "/DecodeParms", "/Mask"):
        if key in stream:
            del stream[key]


def _dictionary(thing: Any) -> None:
    group = thing.get("/Group")
    if isinstance(group, pikepdf.Dictionary) and is_rgb(group.get("/CS")):
        group.CS = pikepdf.Name.DeviceCMYK
    if "/ShadingType" in thing and is_rgb(thing.get("/ColorSpace")):
        functions = thing.get("/Function")
        if all(_shades(one) for one in _streams(functions)):
            thing.ColorSpace = pikepdf.Name.DeviceCMYK


def _shades(function: Any) -> bool:
    """Turns the ends of a shade into inks; whether that could be done."""
    if function.get("/FunctionType") == 3:
        return all(_shades(one) for one in function.Functions)
    if function.get("/FunctionType") != 2:
        return False
    for end in ("/C0", "/C1"):
        if len(function[end]) == 3:
            function[end] = pikepdf.Array([*_inks(list(function[end]))])
    if "/Range" in function:
        function.Range = pikepdf.Array([0, 1] * 4)
    return True

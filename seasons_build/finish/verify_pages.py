"""Finish: the checks of a PDF (pikepdf): its boxes, its order, its colours, its fonts. Each fault is a line that names the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from io import BytesIO
from typing import Any

import pikepdf

from seasons_build.core.document import Number
from seasons_build.core.finding import decimal
from seasons_build.core.paper import POINTS, Papers
from seasons_build.core.profile import Profile
from seasons_build.core.regex import regex
from seasons_build.finish.verify_inks import check_inks, named

_TOLERANCE = Fraction(1, 10)
"""Points by which a box may be off."""
_SIDE = regex(r"((?:face|back) \d+)(?: of (\d+))?\Z")
_SHEET = regex(r"page (\d{1,6}) of (\d{1,6})\Z")
_WITH_FONTS = ("/Type0", "/Type3")
"""Kinds of fonts that are made of others, or drawn."""
_FONT_FILES = ("/FontFile", "/FontFile2", "/FontFile3")


def check_sheets(files: Mapping[str, bytes], profile: Profile, papers: Papers, *, folder: bool = True) -> Iterator[str]:
    """Sheets of a home printer: pages as large as a paper, printed as large as they are."""
    for name, data in files.items():
        with pikepdf.open(BytesIO(data), suppress_warnings=True) as document:
            yield from _whole(name, document)
            own = papers.papers.get(profile.paper or "")
            wanted = [own] if own is not None else list(papers.papers.values())
            sizes = [(p.width * POINTS, p.height * POINTS) for p in wanted]
            sizes += [(high, wide) for wide, high in sizes]
            yield from _boxes(name, document, sizes, 0)
            yield from _all_there(name, [str(page.obj.get("/SBLD_Side", "")) for page in document.pages])
            preferences = document.Root.get("/ViewerPreferences")
            if preferences is None or preferences.get("/PrintScaling") != "/None":
                yield f"`{name}`: expected that readers are told to print it as large as it is (PrintScaling None), found nothing of it"
            yield from _fonts(name, document)


def check_pages(files: Mapping[str, bytes], profile: Profile, papers: Papers, *, folder: bool = True) -> Iterator[str]:
    """A page for each side, as a shop wants it."""
    cuts = [profile.cut(card) for card in papers.cards.values()]
    sizes = list(dict.fromkeys((cut.width * POINTS, cut.height * POINTS) for cut in cuts if cut is not None))
    for name, data in files.items():
        with pikepdf.open(BytesIO(data), suppress_warnings=True) as document:
            yield from _whole(name, document)
            grown = [(wide + 2 * profile.bleed * POINTS, high + 2 * profile.bleed * POINTS) for wide, high in sizes]
            yield from _boxes(name, document, grown, profile.bleed * POINTS)
            found = [_box(page.obj, "/MediaBox") for page in document.pages]
            if len({tuple(round(float(n), 1) for n in box) for box in found if box is not None}) > 1:
                yield f"`{name}`: expected one size of page, found several"
            sides = [_SIDE.match(str(page.obj.get("/SBLD_Side", ""))) for page in document.pages]
            counts = [int(side[2]) for side in sides if side and side[2]]
            yield from _order(name, [side[1] if side else "" for side in sides], counts, profile)
            if profile.colors == "cmyk":
                yield from check_inks(name, document, profile.most_ink)
            yield from _fonts(name, document)


def _whole(name: str, document: Any) -> Iterator[str]:
    """Whether there is anything in a file, and whether it had to be mended before it could be read."""
    if document.get_warnings():
        yield f"`{name}`: expected a file that is whole, found one that is damaged or cut short"
    if not len(document.pages):
        yield f"`{name}`: expected pages, found none"


def _boxes(name: str, document: Any, sizes: list[tuple[Fraction, Fraction]], inset: Number) -> Iterator[str]:
    """What is wrong with the boxes of pages: each fault once, with the first page and how many more have it."""
    faults: dict[str, list[int]] = {}
    for number, page in enumerate(document.pages, 1):
        for fault in _page_boxes(page.obj, sizes, inset):
            faults.setdefault(fault, []).append(number)
    for fault, pages in faults.items():
        more = f" and {len(pages) - 1} more" if len(pages) > 1 else ""
        yield f"`{name}`, page {pages[0]}{more}: {fault}"


def _page_boxes(page: Any, sizes: list[tuple[Fraction, Fraction]], inset: Number) -> Iterator[str]:
    media = _box(page, "/MediaBox")
    if media is None or any(media[:2]):
        yield f"expected a MediaBox that begins at 0, 0, found {_shown(media)}"
        return
    if not any(_near(media, (Fraction(0), Fraction(0), *size)) for size in sizes):
        wanted = " or ".join(f"{_mm(wide)} x {_mm(high)}" for wide, high in sizes)
        yield f"expected a page of {wanted} mm, found {_mm(media[2])} x {_mm(media[3])}"
        return
    for key, plain in (("/Rotate", 0), ("/UserUnit", 1)):
        turned = page.get(key, plain)
        if turned != plain:
            said = decimal(Fraction(turned)) if isinstance(turned, int | Decimal) else "that is no number"
            yield f"expected a page as it lies, found one with {key[1:]} {said}"
    crop = _box(page, "/CropBox")
    if crop is not None and not _near(crop, media):
        yield f"expected a page that is shown whole, found a CropBox of {_shown(crop)} points"
    trim = (Fraction(inset), Fraction(inset), media[2] - inset, media[3] - inset)
    for key, expected in (("/TrimBox", trim), ("/BleedBox", media)):
        found = _box(page, key)
        if found is None or not _near(found, expected):
            yield f"expected a {key[1:]} of {_shown(expected)} points, found {_shown(found)}"


def _box(page: Any, key: str) -> tuple[Fraction, Fraction, Fraction, Fraction] | None:
    if key not in page:
        return None
    sides = list(page[key]) if isinstance(page[key], pikepdf.Array) else []
    if len(sides) != 4 or not all(isinstance(side, int | Decimal) for side in sides):
        return None
    left, bottom, right, top = map(Fraction, sides)
    return left, bottom, right, top


def _near(box: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> bool:
    return all(abs(a - b) <= _TOLERANCE for a, b in zip(box, other, strict=True))


def _shown(box: tuple[Fraction, ...] | None) -> str:
    return "none" if box is None else " ".join(decimal(Fraction(round(n * 100), 100)) for n in box)


def _mm(points: Fraction) -> str:
    return decimal(Fraction(round(points / POINTS * 100), 100))


def _all_there(name: str, said: list[str]) -> Iterator[str]:
    """Whether all pages of sheets are there and in their order, where they say which they are."""
    found = [page for text in said if (page := _SHEET.match(text)) is not None]
    if not found:
        return
    count = max(int(page[2]) for page in found)
    numbers = [int(page[1]) for page in found]
    if len(said) != count or numbers != list(range(1, len(said) + 1)):
        missing = next((n for n, number in enumerate(numbers, 1) if n != number), len(numbers) + 1)
        yield f"`{name}`: expected {count} pages in their order, found {len(said)}, and page {missing} not in its place"


def _order(name: str, sides: list[str], counts: list[int], profile: Profile) -> Iterator[str]:
    """Which side of which card each page is, and of how many, must be written on it, and be in the order of the shop."""
    if not all(sides):
        yield f"`{name}`, page {sides.index('') + 1}: expected a page that says which side of which card it is, found none"
        return
    cards = max((sum(side.startswith("face") for side in sides), *counts))
    backs = sum(side.startswith("back") for side in sides)
    many = cards + backs if profile.order == "faces-back" else cards * (2 if backs else 1)
    for number, (found, wanted) in enumerate(zip(sides, _expected(sides, cards, profile), strict=False), 1):
        if found != wanted:
            yield f"`{name}`, page {number}: expected the {wanted} in the order `{profile.order}`, found the {found}"
            return
    if len(sides) != many:
        yield f"`{name}`: expected {many} pages, found {len(sides)}"


def _expected(sides: list[str], cards: int, profile: Profile) -> Iterator[str]:
    backs = {side for side in sides if side.startswith("back")}
    for number in range(1, cards + 1):
        pair = [f"face {number}"]
        if profile.order != "faces-back" and backs:
            pair.insert(0 if profile.order == "back-face" else 1, f"back {number}")
        yield from pair
    if profile.order == "faces-back":
        yield from [side for side in sides if side in backs]


def _fonts(name: str, document: Any) -> Iterator[str]:
    """Fonts that are not in the file, each once; those that every reader is said to have are none of a shop's."""
    things = [thing for thing in document.objects if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream)]
    fonts = [font for thing in things for font in (thing, *named(thing, "/Font"))]
    for found in dict.fromkeys(missing for font in fonts if (missing := _only_named(font)) is not None):
        yield f"`{name}`: expected that all fonts are in the file, found `{found}` only named"


def _only_named(font: Any) -> str | None:
    """The name of a font, or of what describes one, without its file."""
    if not isinstance(font, pikepdf.Dictionary):
        return None
    described = font.get("/Type") == "/FontDescriptor" and not any(key in font for key in _FONT_FILES)
    bare = font.get("/Type") == "/Font" and font.get("/Subtype") not in _WITH_FONTS and "/FontDescriptor" not in font
    if not described and not bare:
        return None
    return str(font.get("/FontName" if described else "/BaseFont", "")).lstrip("/")


def lacking(demand: str, document: Any) -> list[str]:
    """What of a standard's demands a document does not meet, as far as that is looked at; for one that is not known here, just that."""
    if not demand.startswith("PDF/X-1a"):
        return ["nothing here knows how to look at that"]
    found = []
    if "/GTS_PDFXVersion" not in document.docinfo:
        found.append("it does not say so of itself (GTS_PDFXVersion)")
    if "/OutputIntents" not in document.Root:
        found.append("it names no press that it is meant for (OutputIntent)")
    if document.pdf_version > "1.4":
        found.append(f"it is PDF {document.pdf_version}, and 1.4 is the newest that may be")
    if "/Trapped" not in document.docinfo:
        found.append("it does not say whether it is trapped")
    if any(_see_through(thing) for thing in document.objects if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream)):
        found.append("something on it can be seen through")
    return found


def _see_through(thing: Any) -> bool:
    return ("/SMask" in thing and thing.SMask != "/None") or any(key in thing and float(thing[key]) < 1 for key in ("/ca", "/CA"))

"""A part of a book, taken apart: its pages as objects, and as data all that leads from one page to another.

In goes the PDF that the typesetter wrote of a part, with its structure, and the laid out document for its outline; out comes a `Part`.
Links to other parts are none to the typesetter: it writes them as addresses that begin with `#`, which no other address does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name

from seasons_build.core.part import Element, Leaf, Link, Mark, Part, encode_tree
from seasons_build.worker.extract import Extraction
from seasons_build.worker.structure import content, tidy

_BOXES = ("MediaBox", "TrimBox", "BleedBox")
_HERE = "#"
_POINTS = 0.75
"""Points in a pixel of CSS."""


def lead_on(document: Any, elsewhere: Collection[str]) -> None:
    """Makes links to places in other parts known to the typesetter as what it writes as it stands. The document is changed."""
    wanted = frozenset(elsewhere)
    for page in document.pages:
        page.links[:] = [
            ("external", _HERE + to, *rest) if kind == "internal" and to in wanted else (kind, to, *rest) for kind, to, *rest in page.links
        ]


def part_of(pdf: bytes, document: Any, fonts: Mapping[str, bytes], icons: Mapping[str, str]) -> Part:
    """The part that a document is, from the PDF of it; `fonts` are the files that the typesetter was given, `icons` what icons are called.
    Raises CannotLink for a page that uses something the linker does not know."""
    texts = content(pdf)
    with pikepdf.open(BytesIO(pdf)) as written:
        tidy(written, texts, icons)
        extraction = Extraction(fonts, tagged=True)
        numbers = {page.obj.objgen: number for number, page in enumerate(written.pages)}
        links: dict[tuple[int, int], int] = {}
        leaves = tuple(_leaf(page.obj, extraction, links) for page in written.pages)
        top = [element for document_ in written.Root.StructTreeRoot.K for element in _elements(document_, numbers, links)]
        places = {str(name): (numbers[at[0].objgen], _length(at[2]), _length(at[3])) for name, at in _places(written)}
        return Part(leaves, places, tuple(_marks(document)), encode_tree(top), extraction.objects, extraction.uses())


def _leaf(page: Any, extraction: Extraction, numbered: dict[tuple[int, int], int]) -> Leaf:
    """A page; notes the number of each of its links."""
    links: list[Link] = []
    for annotation in page.get(Name.Annots, ()):
        assert annotation.Subtype == Name.Link, "books have no forms"
        numbered[annotation.objgen] = len(links)
        to = str(annotation.Dest) if Name.Dest in annotation else str(annotation.A.URI)
        outside = Name.Dest not in annotation and not to.startswith(_HERE)
        left, low, right, high = map(_length, annotation.Rect)
        links.append(Link((left, low, right, high), to.removeprefix(_HERE), outside))
    boxes = {}
    for name in _BOXES:
        left, low, right, high = map(_length, page[f"/{name}"])
        boxes[name] = (left, low, right, high)
    return Leaf(boxes, *extraction.content(page), tuple(links))


def _places(written: pikepdf.Pdf) -> Iterator[tuple[Any, Any]]:
    names = list(written.Root.get(Name.Names, Dictionary()).get(Name.Dests, Dictionary()).get(Name.Names, ()))
    return zip(names[::2], names[1::2], strict=True)


def _elements(parent: Any, pages: Mapping[tuple[int, int], int], links: Mapping[tuple[int, int], int]) -> Iterator[Element]:
    """The elements in an element."""
    for one in _listed(parent):
        if not isinstance(one, int) and Name.S in one:
            yield _element(one, pages, links)


def _element(element: Any, pages: Mapping[tuple[int, int], int], links: Mapping[tuple[int, int], int]) -> Element:
    held: list[Any] = []
    for one in _listed(element):
        if isinstance(one, int):
            held.append(int(one))
        elif Name.S in one:
            held.append(_element(one, pages, links))
        else:
            held.append((links[one.Obj.objgen],))
    return str(element.S)[1:], pages[element.Pg.objgen], tuple(held), dict(_said(element))


def _said(element: Any) -> Iterator[tuple[str, Any]]:
    """What an element says of itself."""
    for name in ("Alt", "ActualText", "ID"):
        if f"/{name}" in element:
            yield name, str(element[f"/{name}"])
    about = element.get(Name.A)
    if about is None:
        return
    for name in ("ColSpan", "RowSpan"):
        if f"/{name}" in about:
            yield name, int(about[f"/{name}"])
    if Name.Headers in about:
        yield "Headers", [str(name) for name in about.Headers]
    if Name.BBox in about:
        yield "BBox", list(map(_length, about.BBox))


def _marks(document: Any) -> Iterator[Mark]:
    """The outline, in order."""
    for number, page in enumerate(document.pages):
        for level, title, (x, y), state in page.bookmarks:
            yield Mark(level, title, number, (_length(x * _POINTS), _length((page.height - y) * _POINTS)), state != "closed")


def _listed(element: Any) -> list[Any]:
    held = element.get(Name.K)
    if held is None:
        return []
    return list(held) if isinstance(held, pikepdf.Array) else [held]


def _length(value: Any) -> str:
    """A length in points as short as it goes."""
    text = f"{float(value):.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text

"""Pages of a fixed layout, laid on other paper: as large as they go, in the middle, with their fields, links and bookmarks.

In goes a document, which is changed, and the paper. A page that lies on its side gets the paper on its side.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from seasons_build.core.paper import POINTS

Move: TypeAlias = tuple[float, float, float]
"""How much larger, and how far to the right and up."""


def lay_on(document: pikepdf.Pdf, paper_mm: tuple[Fraction, Fraction]) -> None:
    """Lays every page of a document on the paper."""
    moves: dict[tuple[int, int], Move] = {}
    for page in document.pages:
        moves[page.obj.objgen] = _page(page, paper_mm)
    for place in _places(document):
        _place(place, moves)


def _page(page: pikepdf.Page, paper_mm: tuple[Fraction, Fraction]) -> Move:
    left, low, right, high = (float(edge) for edge in page.mediabox)
    short, long = sorted(float(length * POINTS) for length in paper_mm)
    wide, tall = (long, short) if right - left > high - low else (short, long)
    scale = min(wide / (right - left), tall / (high - low))
    move = scale, (wide - (right - left) * scale) / 2, (tall - (high - low) * scale) / 2
    for box in ("/MediaBox", "/TrimBox", "/BleedBox"):
        page[box] = Array([0, 0, _number(wide), _number(tall)])
    page.contents_add(f"q {scale:.6f} 0 0 {scale:.6f} {move[1]:.4f} {move[2]:.4f} cm\n".encode(), prepend=True)
    page.contents_add(b"\nQ")
    for annotation in page.get("/Annots", Array()):
        _annotation(annotation, move)
    return move


def _annotation(annotation: Any, move: Move) -> None:
    scale, across, up = move
    edges = [float(edge) * scale + (up if index % 2 else across) for index, edge in enumerate(annotation.Rect)]
    annotation.Rect = Array([_number(edge) for edge in edges])
    if Name.DA in annotation:
        font, size, *rest = str(annotation.DA).split()
        annotation.DA = String(" ".join((font, f"{float(size) * scale:.3f}".rstrip("0").rstrip("."), *rest)))


def _places(document: pikepdf.Pdf) -> Iterator[Any]:
    """Where bookmarks and links lead to: places on pages."""
    for each in document.objects:
        if isinstance(each, Dictionary):
            yield each.get(Name.Dest)
            yield each.get(Name.D)
    names = document.Root.get(Name.Names, Dictionary()).get(Name.Dests, Dictionary()).get(Name.Names, Array())
    yield from list(names)[1::2]


def _place(place: Any, moves: dict[tuple[int, int], Move]) -> None:
    """Moves a place on a page: `[page /XYZ left top zoom]`."""
    if isinstance(place, Array) and len(place) == 5 and place[1] == Name.XYZ and place[0].objgen in moves:
        scale, across, up = moves[place[0].objgen]
        place[2], place[3] = _number(float(place[2]) * scale + across), _number(float(place[3]) * scale + up)


def _number(number: float) -> Any:
    return pikepdf.Object.parse(f"{number:.3f}".encode())

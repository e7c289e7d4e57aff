"""Impose: faces on sheets, as data. A deck and a `Layout` in, `Sheet`s out; a pure function, in points.

Each sheet of fronts is followed by the sheet of its backs, if any card of the deck has one, so that a printer that prints both sides puts
each back behind its front.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from seasons_build.core.document import Number
from seasons_build.core.face import AnyFace, Box
from seasons_build.core.paper import POINTS, Layout

_TOLERANCE = Fraction(1, 50)
"""Points by which the trim of a face may miss the card it is laid out as: the typesetter rounds to six decimals."""

Matrix: TypeAlias = tuple[Number, Number, Number, Number, Number, Number]


class Card(NamedTuple):
    """A card to print once; several copies are several of them."""

    front: AnyFace
    back: AnyFace | None = None


class Spot(NamedTuple):
    """A place for a face: what `matrix` makes of it, within `clip` (left, bottom, width, height). Full sheets of a layout share theirs."""

    matrix: Matrix
    clip: Box


class Placement(NamedTuple):
    """A face at its spot."""

    face: AnyFace
    spot: Spot


_Laid: TypeAlias = tuple[AnyFace, int, int, bool]
"""A face, its column and row, and whether it is turned half round."""


class Sheet(NamedTuple):
    """One page: its size, the boxes a printer reads, what lies on it and the lines to cut along; `matrix` moves all of it, `side` says
    which side of which card it is, where it is only one, else which page of how many."""

    width: Number
    height: Number
    trim: Box
    placements: tuple[Placement, ...]
    marks: tuple[Box, ...] = ()
    matrix: Matrix | None = None
    side: str = ""


def sheets(deck: Sequence[Card], layout: Layout) -> tuple[Sheet, ...]:
    """The pages of a deck, in its order, each of which says which of how many it is. Raises ValueError for a face that is not of the
    layout's size."""
    spots = _Spots(layout)
    front, back = blank(layout, back=False), blank(layout, back=True)
    two_sided = any(card.back is not None for card in deck)
    places = layout.fronts()
    behind = [layout.behind(column, row) for column, row in places]
    found: list[Sheet] = []
    pages = -(-len(deck) // layout.count) * (2 if two_sided and not layout.fold else 1)

    def add(page: Sheet, *laid: _Laid) -> None:
        found.append(page._replace(placements=spots.page(laid), side=f"page {len(found) + 1} of {pages}"))

    for start in range(0, len(deck), layout.count):
        cards = deck[start : start + layout.count]
        fronts = [(card.front, column, row, False) for card, (column, row) in zip(cards, places, strict=False)]
        backs = [(card.back, *at) for card, at in zip(cards, behind, strict=False) if card.back is not None]
        if layout.fold:
            add(front, *fronts, *backs)
            continue
        add(front, *fronts)
        if two_sided:
            add(back, *backs)
    return tuple(found)


class _Spots:
    """The spots of a layout, worked out once for all faces with the same trim."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._trims: list[Box] = []
        self._trim_of: dict[int, int] = {}
        self._spots: dict[tuple[int, int, int, bool], Spot] = {}

    def page(self, laid: Sequence[_Laid]) -> tuple[Placement, ...]:
        """A page of faces. Where it is not full, each paints as far into the empty places beside it as it has bleed, so that a cut that
        misses shows no white there."""
        if len(laid) == self._layout.columns * self._layout.rows:
            return tuple([self._place(*at) for at in laid])
        taken = {(column, row) for _, column, row, _ in laid}
        return tuple([self._beside_empty(taken, *at) for at in laid])

    def _place(self, face: AnyFace, column: int, row: int, turned: bool) -> Placement:
        key = (self._trim(face), column, row, turned)
        if key not in self._spots:
            self._spots[key] = _spot(self._layout, face.trim, column, row, turned)
        return Placement(face, self._spots[key])

    def _beside_empty(self, taken: Collection[tuple[int, int]], face: AnyFace, column: int, row: int, turned: bool) -> Placement:
        layout, (left, bottom, right, top), (x1, y1, x2, y2) = self._layout, face.box, face.trim
        bleed = (x1 - left, y1 - bottom, right - x2, top - y2)
        if turned:
            bleed = (*bleed[2:], *bleed[:2])
        beside = ((column - 1, row), (column, row + 1), (column + 1, row), (column, row - 1))
        empty = [0 <= at[0] < layout.columns and 0 <= at[1] < layout.rows and at not in taken for at in beside]
        if not any(empty):
            return self._place(face, column, row, turned)
        self._trim(face)
        most = tuple([length if free else 0 for length, free in zip(bleed, empty, strict=True)])
        return Placement(face, _spot(layout, face.trim, column, row, turned, most))

    def _trim(self, face: AnyFace) -> int:
        """The number of a face's trim among those that differ. The deck holds its faces, so that no other one gets the identity of one."""
        if id(face) not in self._trim_of:
            found = next((number for number, trim in enumerate(self._trims) if trim == face.trim), None)
            if found is None:
                self._check_size(face.trim)
                found = len(self._trims)
                self._trims.append(face.trim)
            self._trim_of[id(face)] = found
        return self._trim_of[id(face)]

    def _check_size(self, trim: Box) -> None:
        left, bottom, right, top = trim
        wide, high = right - left - self._layout.card_width * POINTS, top - bottom - self._layout.card_height * POINTS
        if max(abs(wide), abs(high)) > _TOLERANCE:
            raise ValueError("a face of another size than the cards of the layout")


def _spot(layout: Layout, trim: Box, column: int, row: int, turned: bool, least: Sequence[Number] = (0, 0, 0, 0)) -> Spot:
    """The place of a face in a column and a row; it paints `least` as far beyond its trim on the left, below, on the right and above."""
    x, y = (length * POINTS for length in layout.cell(column, row))
    left, bottom, right, top = trim
    reach = (
        layout.bleed[0] if column == 0 else layout.beside(column - 1) / Fraction(2),
        layout.bleed[1] if row == layout.rows - 1 else layout.below(row) / Fraction(2),
        layout.bleed[2] if column == layout.columns - 1 else layout.beside(column) / Fraction(2),
        layout.bleed[3] if row == 0 else layout.below(row - 1) / Fraction(2),
    )
    west, south, east, north = (max(length * POINTS, more) for length, more in zip(reach, least, strict=True))
    clip = (x - west, y - south, layout.card_width * POINTS + west + east, layout.card_height * POINTS + south + north)
    return Spot((-1, 0, 0, -1, x + right, y + top) if turned else (1, 0, 0, 1, x - left, y - bottom), clip)


def blank(layout: Layout, *, back: bool) -> Sheet:
    """A page of a layout with its boxes and, in front, its marks; nothing lies on it."""
    width, height = layout.width * POINTS, layout.height * POINTS
    inset = (Fraction(0),) * 4 if layout.sheet else tuple(b * POINTS for b in layout.bleed)
    trim = (Fraction(inset[0]), Fraction(inset[1]), width - inset[2], height - inset[3])
    marks: tuple[Box, ...] = ()
    if not back:
        marks = tuple((x1 * POINTS, y1 * POINTS, x2 * POINTS, y2 * POINTS) for x1, y1, x2, y2 in (*layout.marks, *layout.guides))
    return Sheet(width, height, trim, (), marks, _moved(layout, width, height, back=back))


def _moved(layout: Layout, width: Fraction, height: Fraction, *, back: bool) -> Matrix | None:
    """The printer's own correction, if there is any: larger about the middle of the page, and a back shifted."""
    x, y = layout.back_offset if back else (0, 0)
    if layout.scale == 1 and not x and not y:
        return None
    rest = (1 - Fraction(layout.scale)) / 2
    return layout.scale, 0, 0, layout.scale, width * rest + x * POINTS, height * rest + y * POINTS


def one_page(face: AnyFace, *, bleed: bool = True) -> Sheet:
    """A face alone on a page of its own size, with its bleed or cut: for pictures, and for whoever prints single cards."""
    outer = face.box if bleed else face.trim
    width, height = outer[2] - outer[0], outer[3] - outer[1]
    left, bottom = face.trim[0] - outer[0], face.trim[1] - outer[1]
    trim = (left, bottom, left + face.trim[2] - face.trim[0], bottom + face.trim[3] - face.trim[1])
    spot = Spot((1, 0, 0, 1, -outer[0], -outer[1]), (Fraction(0), Fraction(0), width, height))
    return Sheet(width, height, trim, (Placement(face, spot),))

"""Impose: how many cards a sheet takes and where they lie. Sizes in, a `Layout` out; exact millimetres.

The rule: as many as fit inside the edge that home printers cannot print, edge to edge unless a gap is asked for, the block in the middle;
upright if both ways hold the same number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Literal, TypeAlias

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Number
from seasons_build.core.paper import CardSize, Flip, Fold, Layout, Paper
from seasons_build.impose.marks import SHORTEST_MARK_MM, crop_marks, fold_lines, ruler

EDGE_MM = 5
"""Nothing is placed nearer to the edge of a sheet: printers leave it white, and a mark there makes readers shrink the page."""

Orientation: TypeAlias = Literal["best", "portrait", "landscape"]


def lay_out(
    card: CardSize,
    paper: Paper,
    *,
    bleed: Number = 3,
    gap: Number = 0,
    marks: bool = True,
    orientation: Orientation = "best",
    flip: Flip = "long",
    fold: bool = False,
    back_offset: tuple[Number, Number] = (0, 0),
    scale: Number = 1,
) -> Result[Layout | None]:
    """The layout of `card` on `paper`, all in mm; nothing and E641 where not one card fits. `bleed` is what the faces have; `fold` puts
    backs beside the fronts instead of on a page of their own; `scale` is one factor for the whole page, which the edge is kept from too."""
    sizes = {"portrait": (paper.width, paper.height), "landscape": (paper.height, paper.width)}
    ways = [
        layout
        for name, size in sizes.items()
        if orientation in ("best", name)
        for layout in _ways(card, size, gap, max(gap, 2 * bleed) if fold else 0, fold, scale)
    ]
    best = max(ways, key=lambda layout: layout.count)
    if not best.count:
        return Result(None, (_too_large(card, paper, scale),))
    edges = (_edge(best.width, scale), _edge(best.height, scale))
    shown_x = _shown(bleed, best.left - edges[0], marks)
    shown_y = _shown(bleed, best.bottom - edges[1], marks)
    layout = replace(best, bleed=(shown_x, shown_y, shown_x, shown_y), flip=flip, back_offset=back_offset, scale=scale)
    if not marks:
        return Result(layout)
    return Result(replace(layout, marks=crop_marks(layout, edges), guides=(*ruler(layout, edges), *fold_lines(layout, edges))))


def _ways(card: CardSize, page: tuple[Number, Number], gap: Number, fold_gap: Number, fold: bool, scale: Number) -> Iterator[Layout]:
    """The block in the middle of a page, folded in none or in both of its ways."""
    width, height = page
    for way in _FOLDS if fold else _FLAT:
        columns = _fits(card.width, gap, width, scale, fold_gap if way == "vertical" else None)
        rows = _fits(card.height, gap, height, scale, fold_gap if way == "horizontal" else None)
        wide = columns * card.width + (columns - 1) * gap + (fold_gap - gap if way == "vertical" else 0)
        high = rows * card.height + (rows - 1) * gap + (fold_gap - gap if way == "horizontal" else 0)
        left, bottom = (width - wide) / Fraction(2), (height - high) / Fraction(2)
        none = (0, 0, 0, 0)
        yield Layout(
            width, height, card.width, card.height, columns, rows, gap, left, bottom, none, scale=scale, fold=way, fold_gap=fold_gap
        )


_FLAT: tuple[Fold, ...] = ("",)
_FOLDS: tuple[Fold, ...] = ("vertical", "horizontal")


def one_up(card: CardSize, bleed: Number = 0) -> Layout:
    """A page that is one card and its bleed: what a print shop and a picture want."""
    width, height = card.width + 2 * bleed, card.height + 2 * bleed
    return Layout(width, height, card.width, card.height, 1, 1, 0, bleed, bleed, (bleed, bleed, bleed, bleed), sheet=False)


def _edge(length: Number, scale: Number) -> Number:
    """The margin to keep, in the millimetres that are then scaled about the middle of the page."""
    return length / Fraction(2) - (length / Fraction(2) - EDGE_MM) / Fraction(scale)


def _fits(card: Number, gap: Number, length: Number, scale: Number, fold_gap: Number | None) -> int:
    """How many cards lie along a length; on one that is folded, as many on either side of its middle."""
    usable = length - 2 * _edge(length, scale)
    if fold_gap is None:
        return max(0, int((usable + gap) // (card + gap)))
    return 2 * max(0, int(((usable - fold_gap) / Fraction(2) + gap) // (card + gap)))


def _shown(bleed: Number, room: Number, marks: bool) -> Number:
    """How much bleed is left round the block once a mark has its place."""
    return max(0, min(bleed, room - SHORTEST_MARK_MM if marks else room))


def _too_large(card: CardSize, paper: Paper, scale: Number) -> Diagnostic:
    grown = "" if scale == 1 else f" at {_mm(scale * 100)} %"
    message = f"a card `{card.id}` of {_mm(card.width)} x {_mm(card.height)} mm does not fit on `{paper.id}`{grown}"
    room = f"of {_mm(paper.width)} x {_mm(paper.height)} mm, {EDGE_MM} mm on every side cannot be printed"
    return Diagnostic("E641", message, hints=(room,))


def _mm(length: Number) -> str:
    text = f"{float(length):.2f}"
    return text.rstrip("0").rstrip(".")

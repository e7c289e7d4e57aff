"""Impose: how many cards a sheet takes, where they lie, and the marks to cut along. Sizes in, a `Layout` out; exact millimetres.

The rule: as many as fit inside the edge that home printers cannot print, edge to edge unless a gap is asked for, the block in the middle;
upright if both ways hold the same number.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Number
from seasons_build.core.paper import CardSize, Flip, Layout, Paper

EDGE_MM = 5
"""Nothing is placed nearer to the edge of a sheet: printers leave it white, and a mark there makes readers shrink the page."""

MARK_MM = 5
"""The longest crop mark."""

SHORTEST_MARK_MM = 1
"""A crop mark shorter than this is not seen: bleed gives way to it."""

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
    back_offset: tuple[Number, Number] = (0, 0),
    scale: Number = 1,
) -> Result[Layout | None]:
    """The layout of `card` on `paper`, all in mm; nothing and E641 where not one card fits. `bleed` is what the faces have; `scale` is one
    factor for the whole page, which the edge is kept from too."""
    sizes = {"portrait": (paper.width, paper.height), "landscape": (paper.height, paper.width)}
    found = []
    for name, (width, height) in sizes.items():
        if orientation in ("best", name):
            columns = _fits(card.width, gap, width, scale)
            rows = _fits(card.height, gap, height, scale)
            found.append((columns * rows, columns, rows, width, height))
    count, columns, rows, width, height = max(found, key=lambda one: one[0])
    if not count:
        return Result(None, (_too_large(card, paper, scale),))
    left = (width - columns * card.width - (columns - 1) * gap) / Fraction(2)
    bottom = (height - rows * card.height - (rows - 1) * gap) / Fraction(2)
    edges = (_edge(width, scale), _edge(height, scale))
    shown_x = _shown(bleed, left - edges[0], marks)
    shown_y = _shown(bleed, bottom - edges[1], marks)
    layout = Layout(
        width=width,
        height=height,
        card_width=card.width,
        card_height=card.height,
        columns=columns,
        rows=rows,
        gap=gap,
        left=left,
        bottom=bottom,
        bleed=(shown_x, shown_y, shown_x, shown_y),
        marks=_marks(card, columns, rows, gap, (left, bottom), (width, height), edges, (shown_x, shown_y)) if marks else (),
        flip=flip,
        back_offset=back_offset,
        scale=scale,
    )
    return Result(layout)


def one_up(card: CardSize, bleed: Number = 0) -> Layout:
    """A page that is one card and its bleed: what a print shop and a picture want."""
    width, height = card.width + 2 * bleed, card.height + 2 * bleed
    return Layout(width, height, card.width, card.height, 1, 1, 0, bleed, bleed, (bleed, bleed, bleed, bleed), sheet=False)


def _edge(length: Number, scale: Number) -> Number:
    """The margin to keep, in the millimetres that are then scaled about the middle of the page."""
    return length / Fraction(2) - (length / Fraction(2) - EDGE_MM) / Fraction(scale)


def _fits(card: Number, gap: Number, length: Number, scale: Number) -> int:
    usable = length - 2 * _edge(length, scale)
    return max(0, int((usable + gap) // (card + gap)))


def _shown(bleed: Number, room: Number, marks: bool) -> Number:
    """How much bleed is left round the block once a mark has its place."""
    return max(0, min(bleed, room - SHORTEST_MARK_MM if marks else room))


def _marks(
    card: CardSize,
    columns: int,
    rows: int,
    gap: Number,
    corner: tuple[Number, Number],
    page: tuple[Number, Number],
    edges: tuple[Number, Number],
    shown: tuple[Number, Number],
) -> tuple[tuple[Number, Number, Number, Number], ...]:
    """A line at every cut, on all four sides, outside the block and its bleed."""
    left, bottom = corner
    right, top = page[0] - left, page[1] - bottom
    reach_x, reach_y = min(shown[0] + MARK_MM, left - edges[0]), min(shown[1] + MARK_MM, bottom - edges[1])
    lines: list[tuple[Number, Number, Number, Number]] = []
    if reach_y > shown[1]:
        for x in _cuts(left, card.width, gap, columns):
            lines.append((x, bottom - shown[1], x, bottom - reach_y))
            lines.append((x, top + shown[1], x, top + reach_y))
    if reach_x > shown[0]:
        for y in _cuts(bottom, card.height, gap, rows):
            lines.append((left - shown[0], y, left - reach_x, y))
            lines.append((right + shown[0], y, right + reach_x, y))
    return tuple(lines)


def _cuts(start: Number, card: Number, gap: Number, count: int) -> list[Number]:
    ends = {start + index * (card + gap) + side for index in range(count) for side in (0, card)}
    return sorted(ends)


def _too_large(card: CardSize, paper: Paper, scale: Number) -> Diagnostic:
    grown = "" if scale == 1 else f" at {_mm(scale * 100)} %"
    message = f"a card `{card.id}` of {_mm(card.width)} x {_mm(card.height)} mm does not fit on `{paper.id}`{grown}"
    room = f"of {_mm(paper.width)} x {_mm(paper.height)} mm, {EDGE_MM} mm on every side cannot be printed"
    return Diagnostic("E641", message, hints=(room,))


def _mm(length: Number) -> str:
    text = f"{float(length):.2f}"
    return text.rstrip("0").rstrip(".")

"""Impose: what is printed beside the cards of a sheet: crop marks, a ruler and the ends of a fold. A `Layout` in, lines out; in mm."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from seasons_build.core.document import Number
from seasons_build.core.paper import Layout, Line
from seasons_build.impose.strokes import strokes, wide

MARK_MM = 5
"""The longest crop mark."""

SHORTEST_MARK_MM = 1
"""A crop mark shorter than this is not seen: bleed gives way to it."""

RULER_MM = 50
"""The length of the ruler on paper, by which a reader sees whether the printer has scaled the sheet."""

_TALLEST_MM = 3
_LABEL = "50 mm"
_AIR_MM = Fraction(1, 2)
_DASH_MM = 2


def crop_marks(layout: Layout, edges: tuple[Number, Number]) -> tuple[Line, ...]:
    """A line at every cut, on all four sides, outside the block and its bleed; nothing nearer to the edge of the page than `edges`."""
    right, top = layout.width - layout.left, layout.height - layout.bottom
    shown_x, shown_y = layout.bleed[0], layout.bleed[1]
    reach_x, reach_y = min(shown_x + MARK_MM, layout.left - edges[0]), min(shown_y + MARK_MM, layout.bottom - edges[1])
    across, up = _cuts(layout)
    lines: list[Line] = []
    if reach_y > shown_y:
        for x in across:
            lines.append((x, layout.bottom - shown_y, x, layout.bottom - reach_y))
            lines.append((x, top + shown_y, x, top + reach_y))
    if reach_x > shown_x:
        for y in up:
            lines.append((layout.left - shown_x, y, layout.left - reach_x, y))
            lines.append((right + shown_x, y, right + reach_x, y))
    return tuple(lines)


def _cuts(layout: Layout) -> tuple[list[Number], list[Number]]:
    """Where a sheet is cut: the upright cuts and the level ones."""
    corners = [layout.cell(column, row) for column in range(layout.columns) for row in range(layout.rows)]
    across = {x + side for x, _ in corners for side in (0, layout.card_width)}
    up = {y + side for _, y in corners for side in (0, layout.card_height)}
    return sorted(across), sorted(up)


def ruler(layout: Layout, edges: tuple[Number, Number]) -> tuple[Line, ...]:
    """A ruler beside the block, in the wider of the margins in which it crosses no crop mark; none where no margin has room."""
    across, up = _cuts(layout)
    below = layout.bottom - layout.bleed[1] - edges[1]
    beside = layout.left - layout.bleed[0] - edges[0]
    length = RULER_MM / Fraction(layout.scale)
    found: list[tuple[bool, Number, bool, Number]] = []
    for room, at, stretch in ((below, across, _stretch(across, length)), (beside, up, _stretch(up, length))):
        if room >= SHORTEST_MARK_MM:
            tall = room - _AIR_MM if room - _AIR_MM < _TALLEST_MM else _TALLEST_MM
            found.append((stretch is not None, tall, at is across, at[0] if stretch is None else stretch))
    if not found:
        return ()
    _, tall, level, start = max(found)
    lines = _ruler(length, tall / Fraction(2) if tall <= 1 else tall, layout.scale)
    if level:
        return tuple((start + x1, edges[1] + y1, start + x2, edges[1] + y2) for x1, y1, x2, y2 in lines)
    return tuple((edges[0] + y1, start + length - x1, edges[0] + y2, start + length - x2) for x1, y1, x2, y2 in lines)


def _stretch(at: list[Number], length: Number) -> Number | None:
    """Where a ruler may begin that lies between two cuts."""
    for first, second in pairwise(at):
        if second - first > length + 2 * _AIR_MM:
            return first + _AIR_MM
    return None


def _ruler(length: Number, tall: Number, scale: Number) -> Iterator[Line]:
    """A ruler from nothing to `length` along the x axis, `tall` at its ends, a stroke every ten millimetres of paper; its length above it
    where that can be read."""
    yield 0, 0, length, 0
    for step in range(0, RULER_MM + 1, 5):
        x = step / Fraction(scale)
        whole = 1 if step in (0, RULER_MM) else Fraction(1, 2) if step % 10 == 0 else Fraction(1, 4)
        yield x, 0, x, tall * whole
    if tall >= 2:
        high = tall * Fraction(3, 5)
        yield from strokes(_LABEL, length - wide(_LABEL, high) - _AIR_MM, tall - high, high)


def fold_lines(layout: Layout, edges: tuple[Number, Number]) -> tuple[Line, ...]:
    """The two ends of a fold, dashed, outside the block."""
    if not layout.fold:
        return ()
    middle_x, middle_y = layout.width / Fraction(2), layout.height / Fraction(2)
    lines: list[Line] = []
    if layout.fold == "vertical":
        for end, beyond in ((edges[1], layout.bottom), (layout.height - edges[1], layout.height - layout.bottom)):
            lines += [(middle_x, y1, middle_x, y2) for y1, y2 in _dashes(end, beyond)]
    else:
        for end, beyond in ((edges[0], layout.left), (layout.width - edges[0], layout.width - layout.left)):
            lines += [(x1, middle_y, x2, middle_y) for x1, x2 in _dashes(end, beyond)]
    return tuple(lines)


def _dashes(start: Number, end: Number) -> Iterator[tuple[Number, Number]]:
    way = 1 if end > start else -1
    at = start
    while (end - at) * way > 0:
        left = (end - at) * way
        stop = at + way * (left if left < _DASH_MM else _DASH_MM)
        yield at, stop
        at = stop + way

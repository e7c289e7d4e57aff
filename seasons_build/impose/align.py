"""Impose: a page and its back to find out by how much a printer misses: the same crosses on both, with scales beside them.

In: a paper and the edge about which sheets are turned. Out: two `Sheet`s of lines. Held to the light, the cross of the back shows on the
scales of the front what offset would bring it to the middle: the signs of the figures are those of the offset, not of the miss.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from seasons_build.core.document import Number
from seasons_build.core.paper import POINTS, Flip, Layout, Line, Paper
from seasons_build.impose.sheets import Sheet, blank
from seasons_build.impose.strokes import strokes, wide

_REACH_MM = 10
_TICK_MM = 2
_FIGURE_MM = Fraction(3, 2)
_CROSS_MM = 14
_CORNER_MM = 30
_LETTER_MM = 4


def alignment(paper: Paper, flip: Flip, back_offset: tuple[Number, Number]) -> tuple[Sheet, Sheet]:
    """The front with its scales and the back with its crosses, as a printer turns the one to the other."""
    layout = Layout(
        paper.width, paper.height, paper.width, paper.height, 1, 1, 0, 0, 0, (0, 0, 0, 0), flip=flip, back_offset=back_offset
    )
    front, back = blank(layout, back=False), blank(layout, back=True)
    spots = list(_spots(paper))
    # About an upright edge the back's right is the front's left, so a miss to the right is seen at the left, where its remedy is read.
    upright = paper.width <= paper.height if flip == "long" else paper.width > paper.height
    signs = (1, -1) if upright else (-1, 1)
    scales = [line for x, y in spots for line in _scales(x, y, signs)]
    crosses = [line for x, y in spots for line in _cross(x, y)]
    return front._replace(marks=_points(scales)), back._replace(marks=_points(crosses))


def _spots(paper: Paper) -> Iterator[tuple[Number, Number]]:
    """The middle of the page and four places near its corners; turned about either edge they lie on one another."""
    yield paper.width / Fraction(2), paper.height / Fraction(2)
    for x in (_CORNER_MM, paper.width - _CORNER_MM):
        for y in (_CORNER_MM, paper.height - _CORNER_MM):
            yield x, y


def _scales(x: Number, y: Number, signs: tuple[int, int]) -> Iterator[Line]:
    """Two scales through a point, a stroke each millimetre, figures at the fives with these signs; the names of the directions at their
    ends."""
    yield x - _REACH_MM, y, x + _REACH_MM, y
    yield x, y - _REACH_MM, x, y + _REACH_MM
    for step in range(-_REACH_MM, _REACH_MM + 1):
        if not step:
            continue
        long = Fraction(_TICK_MM) if step % 5 == 0 else Fraction(_TICK_MM, 2)
        yield x + step, y, x + step, y + long
        yield x, y + step, x + long, y + step
        if step % 5 == 0:
            level, upright = (str(step * sign) for sign in signs)
            yield from strokes(level, x + step - Fraction(wide(level, _FIGURE_MM)) / 2, y + _TICK_MM + Fraction(1, 2), _FIGURE_MM)
            yield from strokes(upright, x - wide(upright, _FIGURE_MM) - 1, y + step - _FIGURE_MM / 2, _FIGURE_MM)
    yield from strokes("x", x + _REACH_MM + 1, y - Fraction(_LETTER_MM, 3), _LETTER_MM)
    yield from strokes("y", x - Fraction(_LETTER_MM, 3), y + _REACH_MM + 1, _LETTER_MM)


def _cross(x: Number, y: Number) -> Iterator[Line]:
    """A cross that is seen through the paper."""
    yield x - _CROSS_MM, y, x + _CROSS_MM, y
    yield x, y - _CROSS_MM, x, y + _CROSS_MM


def _points(lines: list[Line]) -> tuple[tuple[Fraction, Fraction, Fraction, Fraction], ...]:
    return tuple((x1 * POINTS, y1 * POINTS, x2 * POINTS, y2 * POINTS) for x1, y1, x2, y2 in lines)

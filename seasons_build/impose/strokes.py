"""Figures drawn as lines, for what is printed beside cards: no font has to be embedded for them. Millimetres.

Each character stands in a cell four units wide and six high, on the line; it is a list of strokes, each through some corners.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from seasons_build.core.document import Number
from seasons_build.core.paper import Line

_UNITS = 6
_ADVANCE = 6
_STROKES: dict[str, tuple[tuple[tuple[int, int], ...], ...]] = {
    "0": (((0, 0), (4, 0), (4, 6), (0, 6), (0, 0)),),
    "1": (((1, 5), (2, 6), (2, 0)),),
    "2": (((0, 6), (4, 6), (4, 3), (0, 3), (0, 0), (4, 0)),),
    "3": (((0, 6), (4, 6), (4, 0), (0, 0)), ((0, 3), (4, 3))),
    "4": (((0, 6), (0, 3), (4, 3)), ((4, 6), (4, 0))),
    "5": (((4, 6), (0, 6), (0, 3), (4, 3), (4, 0), (0, 0)),),
    "6": (((4, 6), (0, 6), (0, 0), (4, 0), (4, 3), (0, 3)),),
    "7": (((0, 6), (4, 6), (4, 0)),),
    "8": (((0, 0), (4, 0), (4, 6), (0, 6), (0, 0)), ((0, 3), (4, 3))),
    "9": (((4, 3), (0, 3), (0, 6), (4, 6), (4, 0), (0, 0)),),
    "-": (((0, 3), (4, 3)),),
    "m": (((0, 0), (0, 4), (4, 4), (4, 0)), ((2, 4), (2, 0))),
    "x": (((0, 0), (4, 4)), ((0, 4), (4, 0))),
    "y": (((0, 4), (2, 2)), ((4, 4), (0, 0))),
    " ": (),
}


def wide(text: str, height: Number) -> Number:
    """How wide a text is at a height of its figures."""
    return (len(text) * _ADVANCE - 2) * Fraction(height) / _UNITS


def strokes(text: str, x: Number, y: Number, height: Number) -> Iterator[Line]:
    """The lines of a text whose lower left corner is at `x`, `y`. Raises KeyError for a character that is not drawn here."""
    unit = Fraction(height) / _UNITS
    for index, character in enumerate(text):
        left = x + index * _ADVANCE * unit
        for corners in _STROKES[character]:
            for (x1, y1), (x2, y2) in pairwise(corners):
                yield left + x1 * unit, y + y1 * unit, left + x2 * unit, y + y2 * unit

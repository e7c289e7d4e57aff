"""The values that are being worked out, each for the one before it: what finds circles, and ends a chain that is too long."""

from __future__ import annotations

import sys

from seasons_build.core.limits import DEFAULT
from seasons_build.evaluate.environs import Circle

FRAMES = DEFAULT.value_depth * (20 + 4 * DEFAULT.expression_depth)
"""How many calls a chain of values may take: they ask for each other to a bounded depth, each by formulas of a bounded depth, and Python's
own bound must lie beyond both."""


class TooDeep(Exception):
    """A value is made from another one, and so on, for more values than one sheet may take."""


class Underway:
    """The names of the values that are being worked out. `begin` is followed by `end`, whatever happens between them."""

    __slots__ = ("_names",)

    def __init__(self) -> None:
        self._names: list[str] = []

    def begin(self, name: str) -> None:
        """A value is being worked out from here on. Raises `Circle` where it is already, `TooDeep` at the end of too long a chain."""
        names = self._names
        if not names:
            sys.setrecursionlimit(sys.getrecursionlimit() + FRAMES)
        elif name in names:
            raise Circle((*names[names.index(name) :], name))
        elif len(names) >= DEFAULT.value_depth:
            raise TooDeep
        names.append(name)

    def end(self) -> None:
        """The last value that was begun is worked out, or cannot be."""
        self._names.pop()
        if not self._names:
            sys.setrecursionlimit(sys.getrecursionlimit() - FRAMES)

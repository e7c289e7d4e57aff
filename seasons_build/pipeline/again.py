"""What was made of a project the last time, given again for as long as it would be made of the very same.

In: a name, what something is made of, and what makes it. Out: what that made the last time, where all it is made of is the same object as
then; else what it makes now, which may go on from what it made before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

T = TypeVar("T")

Given = tuple[object, ...]
"""What something is made of. Texts, and tuples of texts, are the same where they say the same; all else where it is the same object."""


class Again:
    """What was made, by name, in this reading of a project and in the one before."""

    def __init__(self) -> None:
        self._before: dict[Hashable, tuple[Given, Given, Any]] = {}
        self._now: dict[Hashable, tuple[Given, Given, Any]] = {}

    def begin(self) -> None:
        """A new reading: what was not asked for in the last one is let go."""
        self._before, self._now = self._now, {}

    def made(self, name: Hashable, frame: Given, given: Given, make: Callable[[T | None], T]) -> T:
        """What goes by a name: as it was made the last time where the frame and what is given are the same; else made anew. `make` gets
        what was made the last time where at least the frame is the same."""
        known = self._before.get(name)
        framed = known is not None and _same(known[0], frame)
        if known is not None and framed and _same(known[1], given):
            value = cast(T, known[2])
        else:
            value = make(cast(T, known[2]) if known is not None and framed else None)
        self._now[name] = frame, given, value
        return value


def _same(before: Given, now: Given) -> bool:
    return len(before) == len(now) and all(
        one is other or (isinstance(one, str | tuple) and one == other) for one, other in zip(before, now, strict=True)
    )

"""A character between two choices of its record (part of evaluate)."""

from __future__ import annotations

from collections.abc import Callable

from seasons_build.core.document import Number
from seasons_build.core.entry import Key
from seasons_build.core.record import dataclass, field
from seasons_build.core.sheet import Owned, Step
from seasons_build.core.span import Path


@dataclass(slots=True)
class State:
    """A character between two choices: what was typed, what is frozen, what it has, what it has spent."""

    inputs: dict[str, tuple[Number, Path]] = field(default_factory=dict)
    frozen: dict[str, list[Step]] = field(default_factory=dict)
    taken: dict[Key, int] = field(default_factory=dict)
    granted: dict[Key, Key] = field(default_factory=dict)
    chosen: dict[tuple[Key, str], tuple[str, ...]] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    spent: dict[str, Number] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    used_here: dict[str, int] = field(default_factory=dict)

    def owned(self, rest: Callable[[str], str]) -> tuple[Owned, ...]:
        """What it has, in an order that no choice decides; `rest` gives the state of a kind's things that the file says nothing of."""
        keys = sorted({*self.taken, *self.granted})
        return tuple(Owned(key, self.states.get(key[2], rest(key[1])), max(1, self.taken.get(key, 0))) for key in keys)

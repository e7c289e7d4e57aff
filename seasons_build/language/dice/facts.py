"""What the rolls of a game read of the rest of it (language library: dice): its stat families and tables, and the limits."""

from __future__ import annotations

from collections.abc import Mapping

from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.record import dataclass, field
from seasons_build.language.dice.closure import Table


@dataclass(frozen=True, slots=True)
class Family:
    """A stat family, as far as rolls read it: its members and the expressions of its derived values over `self`."""

    members: tuple[str, ...] = ()
    derive: Mapping[str, str] = field(default_factory=dict)
    doubted: bool = False
    """Whether something is wrong with it, which is told: it may well derive more."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rolls of a game read of the rest of it."""

    families: Mapping[str, Family] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    limits: Limits = DEFAULT

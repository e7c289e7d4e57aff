"""A sheet that somebody filled in: its fields, and what it was printed from."""

from __future__ import annotations

from collections.abc import Mapping

from seasons_build.core.record import dataclass, field


@dataclass(frozen=True, slots=True)
class FilledField:
    """A field: what stands in it and what stood in it when it was printed. A ticked box holds `on`, an empty one nothing; `fixed` is one
    that a reader cannot change."""

    now: str
    before: str
    tick: bool
    fixed: bool


@dataclass(frozen=True, slots=True)
class FilledSheet:
    """The fields of a sheet by name, in its order; `source` is what it was printed from, as YAML, empty where the file has kept nothing."""

    fields: Mapping[str, FilledField] = field(default_factory=dict)
    source: str = ""

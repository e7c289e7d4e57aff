"""Expected Rounds against a game's own anchors, as a table."""

from __future__ import annotations

from fractions import Fraction

from seasons_build.core.document import Number
from seasons_build.core.entry import Key
from seasons_build.core.named import NamedTuple


class Cell(NamedTuple):
    """Expected Rounds in one column, and whether they lie off the anchor; no Rounds where nothing ever falls."""

    rounds: Fraction | None
    off: bool


class BalanceTable(NamedTuple):
    """One balance of a game: its columns, and a row an entry."""

    pack: str
    id: str
    title: str
    columns: tuple[Number, ...]
    column_name: str
    rows: tuple[tuple[Key, tuple[Cell, ...]], ...]

"""A character's record as rows that a sheet can print (part of evaluate).

In: the lines of a folded record. Out: one row a line, under the name of the record itself: the advance, what was picked and what it is
called, where it stands, and by budget what was paid, given and left (`xp_paid`, `xp_given`, `xp_left` for a budget `xp`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from seasons_build.core.document import Value
from seasons_build.core.sheet import Line


def ledger(lines: Iterable[Line]) -> Iterator[Mapping[str, Value]]:
    """The rows of a record. `stage` counts those that the same advance has opened; a value that a line has nothing for is left out."""
    opened: dict[str, int] = {}
    for number, line in enumerate(lines):
        row: dict[str, Value] = {"id": number, "advance": line.advance}
        if line.opens:
            row["stage"] = opened[line.advance] = opened.get(line.advance, 0) + 1
        if line.picks:
            row["pick"] = ", ".join(line.picks)
            row["name"] = ", ".join(line.names)
        if line.stands is not None:
            row["stands"] = line.stands
        for word, amounts in (("paid", line.price), ("given", line.given), ("left", line.left)):
            row |= {f"{budget}_{word}": amount for budget, amount in amounts.items()}
        yield row

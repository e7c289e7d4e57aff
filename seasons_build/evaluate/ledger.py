"""A character's record as rows that a sheet can print (part of evaluate).

In: the lines of a folded record. Out: one row a line, under the name of the record itself: the advance and how it is called, what was
picked and what that is called, the number of its stage, where it stands, by stat what was given, and by budget what was paid and left
(`xp_paid`, `xp_given`, `xp_left` for a budget `xp`). A value that a line has nothing for is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from seasons_build.core.document import Value
from seasons_build.core.sheet import Line


def ledger(lines: Iterable[Line]) -> Iterator[Mapping[str, Value]]:
    """The rows of a record."""
    for number, line in enumerate(lines):
        row: dict[str, Value] = {"id": number, "advance": line.advance, "stage": line.stage}
        if line.called:
            row["called"] = line.called
        if line.nth is not None:
            row["nth"] = line.nth
        if line.picks:
            row["pick"] = ", ".join(line.picks)
            row["name"] = ", ".join(line.names)
        if line.stands is not None:
            row["stands"] = line.stands
        for word, amounts in (("paid", line.price), ("given", line.given), ("left", line.left)):
            row |= {f"{budget}_{word}": amount for budget, amount in amounts.items()}
        yield row

"""A character's record as rows that a sheet can print (part of evaluate).

In: the lines of a folded record. Out: one row a line, under the name of the record itself: the advance and how it is called, what was
picked and what that is called, the number of its stage, where it stands, by stat what was given, and by budget what was paid and left
(`xp_paid`, `xp_given`, `xp_left` for a budget `xp`). The line that opens a stage also has what the whole stage came to: `stage_xp_paid`,
`stage_xp_given` and `stage_xp_left`. A value that a line has nothing for is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from seasons_build.core.dice_amount import whole
from seasons_build.core.document import Number, Value
from seasons_build.core.sheet import Line


def ledger(lines: Iterable[Line]) -> Iterator[Mapping[str, Value]]:
    """The rows of a record."""
    listed = list(lines)
    stages = {line.stage: line for line in reversed(listed)}
    for number, line in enumerate(listed):
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
        if stages[line.stage] is line:
            row |= _stage([other for other in listed if other.stage == line.stage])
        yield row


def _stage(lines: Iterable[Line]) -> dict[str, Value]:
    """What a stage came to, by budget: all that was paid and given in it, and what was left at its end."""
    sums: dict[str, Number] = {}
    left: dict[str, Value] = {}
    for line in lines:
        for word, amounts in (("paid", line.price), ("given", line.given)):
            for budget, amount in amounts.items():
                sums[f"stage_{budget}_{word}"] = whole(sums.get(f"stage_{budget}_{word}", 0) + amount)
        left |= {f"stage_{budget}_left": amount for budget, amount in line.left.items()}
    return {**sums, **left}

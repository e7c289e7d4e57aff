"""Lines of several patches that cannot all hold (part of amend).

In: all lines that change one entry. Out: an error for each two that disagree, with both ends; and the lines without those that another one
makes needless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from seasons_build.amend.lines import REMOVE, Line
from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.document import Value
from seasons_build.core.span import Path
from seasons_build.language.paths import step_of, value_at

SET = "set"


def conflicts(lines: Iterable[Line]) -> Iterator[Diagnostic]:
    """An error for each two lines of different patches that disagree."""
    ordered = sorted(lines, key=lambda line: (line.pack, line.document.file, [str(step) for step in line.place]))
    for first, second in combinations(ordered, 2):
        if (first.document, first.place[:2]) != (second.document, second.place[:2]) and not _agree(first, second):
            trace = Trace(f"`{first.pack}` says `{first.word}` here", first.span)
            if first.word == second.word == SET and first.path == second.path:
                message = f"two patches set `{second.path}` differently"
            else:
                message = f"a patch has `{second.word}` for `{second.path}`, and another has `{first.word}` for `{first.path}`"
            yield Diagnostic("E264", message, second.span, ("take one of the two out, or let both say the same",), (trace,))


def needed(lines: Sequence[Line]) -> list[Line]:
    """The lines without those that take out what another takes out already."""
    removed: set[tuple[str, ...]] = set()
    kept = []
    for line in lines:
        if line.word == REMOVE:
            if any(line.steps[:n] in removed for n in range(1, len(line.steps) + 1)):
                continue
            removed.add(line.steps)
        kept.append(line)
    return kept


def _agree(first: Line, second: Line) -> bool:
    """Whether two lines give the same whichever is first."""
    upper, lower = sorted((first, second), key=lambda line: len(line.steps))
    if lower.steps[: len(upper.steps)] != upper.steps or upper.word == lower.word == REMOVE:
        return True
    if upper.word == lower.word == SET:
        return bool(_inside(upper.value, lower.steps[len(upper.steps) :]) == lower.value)
    if len(upper.steps) == len(lower.steps):
        return REMOVE not in (upper.word, lower.word)
    return upper.word != REMOVE


def _inside(value: Value, steps: Path) -> Value:
    """What a value holds at the end of some steps."""
    for step in steps:
        place = step_of(value, str(step))
        if place is None:
            return None
        value = value_at(value, (place,))
    return value

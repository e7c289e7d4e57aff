"""Lines of a content file that can be read and stand in the wrong place, since they are indented wrongly: told once, at the line to move.

In: a file, what was found in it, and what finds that. Out: the file as far as it is certain, and the one finding in place of all that
follows from it. A line is meant that can be moved so that the faults are gone and no other comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nsmallest
from typing import TypeAlias

from seasons_build.check import Checker
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document
from seasons_build.core.named import NamedTuple
from seasons_build.load import load
from seasons_build.load.indent import Move, moved_lines, moves_at, told
from seasons_build.load.remains import before

TWICE, NOTHING = "E101", "found nothing"
CODES = (TWICE, "E201", "E203", "E204", "E205")
"""What is said of lines that stand where they do not belong."""
ALONE = ("E204", "E205")
"""What may be said of a line that stands where it belongs, and is no word of its place or has no value for it."""
ASKED = "did you mean"
LARGEST, TRIED, FAULTS, MANY = 60_000, 40, 3, 40
"""Characters of a file that is looked at; moves that are tried for a fault; faults, of those that come first; and faults that are too many
to come of one line."""
NONSENSE = "zzqx"

Judge = Callable[[str], Iterable[Diagnostic]]
"""Finds the faults in the text of a file."""


class Slipped(NamedTuple):
    """A file up to the line that is to be moved, and what is told of that."""

    document: Document
    diagnostic: Diagnostic


File: TypeAlias = tuple[Document | None, bool, tuple[Diagnostic, ...]]
"""A file, whether it was read to its end without a fault, and what was found while it was read."""


def without_slipped(
    checker: Checker, pack: str, scope: tuple[str, ...], files: tuple[File, ...], partial: bool, found: Sequence[Diagnostic]
) -> tuple[File, ...]:
    """The content files of a pack, without lines that stand in the wrong place and what is behind them."""
    wrong = {d.span.file for d in found if d.severity == "error" and d.span is not None}
    if not wrong or (partial and all(whole for _, whole, _ in files)):
        return files  # of a pack that lacks what it requires, too much seems to be wrong
    made = list(files)
    for number, (document, _, told_of) in enumerate(files):
        if document is None or document.file not in wrong or any(d.severity == "error" and d.code != TWICE for d in told_of):
            continue

        def judge(text: str, file: str = document.file) -> Iterator[Diagnostic]:
            read = load(file, text.encode())
            yield from read.diagnostics
            if read.value is not None:
                yield from checker.content(read.value, pack, scope).diagnostics

        cause = slipped(document, [d for d in found if d.span is not None and d.span.file == document.file], judge)
        if cause is not None:
            made[number] = cause.document, False, (cause.diagnostic,)
    return tuple(made)


def slipped(document: Document, found: Sequence[Diagnostic], judge: Judge) -> Slipped | None:
    """What comes of a wrong indentation, where one is the reason for what was `found` in a file."""
    faults = [d for d in found if d.code in CODES and d.span is not None and not any(hint.startswith(ASKED) for hint in d.hints)]
    if not 0 < len(faults) <= MANY or len(document.source) > LARGEST:
        return None
    lines = document.source.split("\n")
    seen = {(d.code, d.span) for d in judge(document.source)}
    faults = [fault for fault in faults if (fault.code, fault.span) in seen]  # the others would seem to be gone wherever a line stood
    for fault in sorted(faults, key=lambda d: d.span.line if d.span else 0)[:FAULTS]:
        move = _mending(lines, fault, judge)
        if move is not None:
            data, places = before(document.data, document.places, move.line, 0)
            return Slipped(Document(document.file, document.source, data, places), told(document.file, lines, move))
    return None


def _mending(lines: Sequence[str], fault: Diagnostic, judge: Judge) -> Move | None:
    line = fault.span.line - 1 if fault.span is not None else 0
    likely = nsmallest(TRIED, ((rank, move) for move, rank in moves_at(lines, line)))
    good: list[tuple[tuple[int, ...], Move]] = []
    for rank, move in likely:
        if _is_clean(judge("\n".join(moved_lines(lines, move)))):
            good.append((rank, move))
    if not good:
        return None
    move = min(good)[1]
    doubtful = fault.code in ALONE and NOTHING not in fault.message
    return move if not doubtful or not _takes_anything(lines, move, judge) else None


def _takes_anything(lines: Sequence[str], move: Move, judge: Judge) -> bool:
    """Whether any word would do where the line is to be moved to: then it says nothing that this one does."""
    moved = moved_lines(lines, move)
    row = moved[move.line]
    name = row.strip().partition(":")[0]
    moved[move.line] = row.replace(name, NONSENSE, 1)
    return _is_clean(judge("\n".join(moved)))


def _is_clean(found: Iterable[Diagnostic]) -> bool:
    return not any(d.severity == "error" for d in found)

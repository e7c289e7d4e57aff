"""Load: the line that is indented wrongly. In go the lines of a file and the one at which it could not be read on, out comes the move that
mends it.

A parser notices such a line when something below it no longer fits: an id that stands too far left is noticed an entry later. So lines
that could be meant are moved, one at a time, and the file is read around them: the move after which most of it can be read is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, TypeAlias

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.named import NamedTuple
from seasons_build.load.events import MarkedYAMLError, StreamEndEvent
from seasons_build.load.quoting import clip, entry
from seasons_build.load.trap import above, finding

ABOVE, BELOW = 150, 60
"""How many lines around the place are read."""

_STEP = 2
_MOST, _MOST_CHARACTERS = 400, 50_000
"""So many moves are tried, of lines that are no longer together."""

Parser: TypeAlias = Callable[[str], Any]
"""What reads a text: an object that gives one event after the other."""


class Move(NamedTuple):
    """Lines to move: the first of them and how many, where it begins and where it should."""

    line: int
    size: int
    found: int
    expected: int


def mending(lines: Sequence[str], line: int, parser: Parser) -> Move | None:
    """The move of lines after which a file can be read on at a line; None where there is none, or two are as good."""
    part, rows, at = _around(lines, line)
    if sum(map(len, rows)) > _MOST_CHARACTERS or _reach(rows, parser) != at:
        return None
    ranks = _Ranks(lines, rows, at)
    best: list[tuple[tuple[int, ...], tuple[int, ...], Move]] = []
    for move in islice(_moves(rows, at, ranks.step), _MOST):
        moved = moved_lines(rows, move)
        reached = _reach(moved, parser)
        rank = ranks.of(move, moved) if reached > at else None
        if rank is not None:
            best.append(((-reached, *rank), (move.size > 1, at - move.line, move.size), move))
    best.sort()
    if not best:
        return None
    first, _, found = best[0]
    if any(rank == first and move.line == found.line and move.expected != found.expected for rank, _, move in best):
        return None
    return found._replace(line=part[found.line])


def moves_at(lines: Sequence[str], line: int) -> Iterator[tuple[Move, tuple[int, ...]]]:
    """The moves that may mend what stands at a line of a file that can be read, each with how odd the lines are after it: the less, the
    likelier it is."""
    rows, step = list(lines), _step(lines)
    for move in islice(_moves(rows, line, step), _MOST):
        others = move.size > _below(rows, move.line, move.found + 1)
        odd = _odd(moved_lines(rows, move), step)
        yield move, (odd, others, abs(move.expected - move.found), abs(line - move.line), move.size)


class _Ranks:
    """How likely moves of some lines are to be what was meant. `rows` are of the `lines` of a file, and one of them does not fit."""

    def __init__(self, lines: Sequence[str], rows: Sequence[str], at: int) -> None:
        self.step = _step(lines)
        self._rows = rows
        self._usual = Counter((_name(row), indent(row)) for row in lines)
        self._shapes = Counter((opens(row), indent(row)) for row in rows)
        self._mixed = indent(rows[at]) in _lined_up(rows, above(rows, at))

    def of(self, move: Move, moved: Sequence[str]) -> tuple[int, ...] | None:
        """The rank of a move, the least being the best; None where it is none, since the line is where it may be, but of another sort."""
        row = self._rows[move.line]
        name = _name(row)
        known = self._usual[name, move.expected] - self._usual[name, move.found] + 1
        others = move.size > _below(self._rows, move.line, move.found + 1)
        like, unlike = (self._shapes[opens(row) is same, move.expected] for same in (True, False))
        below, on_top = _beside_its_like(moved, move, self.step)
        if self._mixed and not (below and (on_top or _is_item(row))):
            return None
        alone = (not below) + (on_top is False)
        far = abs(move.expected - move.found)
        return _odd(moved, self.step), others, known < 0, far > self.step, like < unlike, alone, known <= 0, far


def _reach(rows: Sequence[str], parser: Parser) -> int:
    """The line at which the text cannot be read on; the number of its lines where it can be read to the end."""
    reading = parser("\n".join(rows) + "\n")
    try:
        while reading.get_event().__class__ is not StreamEndEvent:
            pass
    except MarkedYAMLError as error:
        mark = error.problem_mark
        return mark.line if mark else 0
    return len(rows)


def moved_lines(rows: Sequence[str], move: Move) -> list[str]:
    """The lines as they are after a move."""
    by = move.expected - move.found
    end = move.line + move.size
    made = [" " * by + row if by > 0 else row[min(-by, indent(row)) :] for row in rows[move.line : end]]
    return [*rows[: move.line], *(row if row.strip() else "" for row in made), *rows[end:]]


def told(file: str, lines: Sequence[str], move: Move) -> Diagnostic:
    """What is said of lines that are to be moved."""
    here = clip(_called(lines[move.line]), 40)
    message = f"expected {_blanks(move.expected)} in front of `{here}`, found {move.found or 'no blank'}"
    by = move.expected - move.found
    with_it = f", with the {move.size - 1} lines below it" if move.size > 2 else ", with the line below it" if move.size > 1 else ""
    hint = f"move it {_blanks(abs(by))} to the {'right' if by > 0 else 'left'}{_beside(lines, move)}{with_it}"
    return finding("E126", message, file, move.line, move.found, max(1, len(_called(lines[move.line]))), (hint,))


def _blanks(count: int) -> str:
    return f"{count or 'no'} blank{'s' if count > 1 else ''}"


def _called(row: str) -> str:
    """What a line is called by: its key, or its first words where it is an item of a list."""
    text = row.strip()
    parts = entry(row)
    return text if parts is None or text.startswith("- ") else row[parts.key : parts.colon]


def _beside(lines: Sequence[str], move: Move) -> str:
    """Beside what, or below what, the lines stand when they are moved."""
    upper = above(lines, move.line)
    for number in (upper, *_enclosing(lines, upper)) if upper is not None else ():
        parts = entry(lines[number])
        if parts and move.expected == parts.key:
            return f", in line with `{clip(lines[number][parts.key : parts.colon], 40)}`"
        if move.expected == indent(lines[number]):
            return f", in line with `{clip(_called(lines[number]), 40)}`"
        if indent(lines[number]) < move.expected:
            return f", below `{clip(_called(lines[number]), 40)}`"
    return ""


def indent(row: str) -> int:
    """How many blanks a line begins with."""
    return len(row) - len(row.lstrip(" "))


def _counts(row: str) -> bool:
    """Whether a line is more than blanks or a comment."""
    text = row.lstrip()
    return bool(text) and text[0] != "#"


def _around(lines: Sequence[str], line: int) -> tuple[list[int], list[str], int]:
    """The lines around one, below those that enclose them: their numbers, the lines themselves, and which of them the one is."""
    first = max(0, line - ABOVE)
    chain = list(_enclosing(lines, first)) if first else []
    numbers = [*reversed(chain), *range(first, min(len(lines), line + BELOW))]
    return numbers, [lines[number] for number in numbers], len(chain) + line - first


def _enclosing(lines: Sequence[str], line: int) -> Iterator[int]:
    """The lines that a line stands in, from the innermost."""
    least = indent(lines[line]) if lines[line].strip() else len(lines[line]) + 1
    while least > 0 and line > 0:
        line -= 1
        row = lines[line]
        if _counts(row) and indent(row) < least:
            least = indent(row)
            yield line


def _moves(rows: list[str], at: int, step: int) -> Iterator[Move]:
    """The moves that may mend what cannot be read on at a line: of it, of the lines that those above it stand in, and of the first at each
    depth."""
    seen: set[Move] = set()
    for line in _meant(rows, at):
        here = indent(rows[line])
        for column in sorted(_columns(rows, line, step) | {indent(rows[at])}):
            for size in {1, _below(rows, line, here + 1), _below(rows, line, here)}:
                move = Move(line, size, here, column)
                if column != here and move not in seen:
                    seen.add(move)
                    yield move


def _meant(rows: list[str], at: int) -> list[int]:
    found = [at]
    upper = above(rows, at)
    if upper is None:
        return found
    for line in (upper, *_enclosing(rows, upper)):
        found.append(line)
        first = line
        for other in range(line - 1, -1, -1):
            if not _counts(rows[other]) or indent(rows[other]) > indent(rows[line]):
                continue
            if indent(rows[other]) < indent(rows[line]):
                break
            first = other
        found.append(first)
    return list(dict.fromkeys(found))


def _columns(rows: Sequence[str], line: int, step: int) -> set[int]:
    """The columns in which a line may begin: those of what it may belong to, one further right below a key that has no value, and that of
    the line below it."""
    upper = above(rows, line)
    found = _lined_up(rows, upper)
    if upper is not None and opens(rows[upper]):
        found.add(indent(rows[upper]) + step)
    lower = next(filter(_counts, rows[line + 1 :]), None)
    if upper is None:
        found.add(0)
    return found if lower is None else found | {indent(lower)}


def _lined_up(rows: Sequence[str], line: int | None) -> set[int]:
    """The columns of a line, and of those that it stands in."""
    found: set[int] = set()
    for other in (line, *_enclosing(rows, line)) if line is not None else ():
        found.add(indent(rows[other]))
        parts = entry(rows[other])
        if parts:
            found.add(parts.key)
    return found


def opens(row: str) -> bool:
    """Whether a line is a key with nothing behind it."""
    parts = entry(row)
    return parts is not None and (parts.value >= len(row) or row[parts.value] == "#")


def _below(rows: Sequence[str], line: int, least: int) -> int:
    """How many lines there are from one on that are indented by so much, with blank ones between them."""
    end = line + 1
    for number in range(line + 1, len(rows)):
        if rows[number].strip():
            if indent(rows[number]) < least:
                break
            end = number + 1
    return end - line


def _beside_its_like(rows: Sequence[str], move: Move, step: int) -> tuple[bool | None, bool | None]:
    """Whether the lines stand below one of their sort in their column once they are moved, or below what opens there, and whether they
    stand above one; None where nothing follows."""
    upper, lower = (
        next((row for row in part if _counts(row) and indent(row) <= move.expected), None)
        for part in (reversed(rows[: move.line]), rows[move.line + move.size :])
    )
    last = above(rows, move.line)
    first = last is not None and opens(rows[last]) and indent(rows[last]) + step == move.expected
    like = [row is not None and indent(row) == move.expected and _is_item(row) is _is_item(rows[move.line]) for row in (upper, lower)]
    return like[0] or first, like[1] if lower is not None else None


def _is_item(row: str) -> bool:
    return row.lstrip().startswith("- ")


def _odd(rows: Sequence[str], step: int) -> int:
    """How many lines are odd: further right than the one above by another step than all, or a key with nothing behind it and below it."""
    odd = 0
    for upper, lower in pairwise(filter(_counts, rows)):
        by = indent(lower) - indent(upper)
        odd += (by > 0 and by != step and not _is_item(upper)) or (by <= 0 and opens(upper) and not _is_item(lower))
    return odd


def _step(rows: Sequence[str]) -> int:
    """By how much what stands inside something is indented further, most often."""
    lined = [(indent(upper), indent(lower)) for upper, lower in pairwise(filter(_counts, rows)) if not _is_item(upper)]
    found = Counter(lower - upper for upper, lower in lined if lower > upper)
    return max(found, key=lambda by: (found[by] * (2 if by == _STEP else 1), by == _STEP)) if found else _STEP


def _name(row: str) -> str:
    parts = entry(row)
    return row[parts.key : parts.colon] if parts else ""

"""Load: looks at what stands in brackets. In goes the place at which a parser gave up, out comes a finding or None."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.regex import regex
from seasons_build.load.quoting import as_text, clip, item, open_brackets
from seasons_build.load.trap import WORD, Trap, finding, starts_with, traced
from seasons_build.load.trap_lines import ICON, second_colon

_ICON_HERE = regex(r":[A-Za-z][\w-]*:")
_COMMENT = regex(r"\S\s+#")
_CLOSERS = {"[": "]", "{": "}"}


def tight_colon(trap: Trap) -> Diagnostic | None:
    """A colon in brackets with no blank behind it: `{hp:[1]}`, `[a:, b]`, `[:hp:]`."""
    row = trap.row
    if ICON.search(row[: trap.column + 1]):
        return second_colon(trap)
    if row[trap.column + 1 : trap.column + 2] in ("[", "{"):
        key = (WORD.findall(row[: trap.column]) or [""])[-1]
        _, text = item(row, trap.column)
        fixed = text.replace(":" + row[trap.column + 1], ": " + row[trap.column + 1], 1)
        message = f"expected a blank behind the colon of `{clip(key)}`"
        return finding("E127", message, trap.file, trap.line, trap.column, 1, (f"write `{clip(fixed)}`",))
    message = "expected a value behind the colon"
    return finding("E117", message, trap.file, trap.line, trap.column, 1, as_text(row, trap.column))


def bracket(trap: Trap) -> Diagnostic | None:
    """Something in brackets that is neither an item nor the end of it."""
    for opened in ([trap.context] if trap.context else []) + trap.brackets[::-1]:
        wrong = _wrong_end(trap, opened)
        if wrong:
            return wrong
    row = trap.row
    character = row[trap.column : trap.column + 1]
    opened = trap.context or (trap.brackets[-1] if trap.brackets else (trap.line, trap.column))
    sign = trap.lines[opened[0]][opened[1] : opened[1] + 1]
    if character == ":":
        return second_colon(trap)
    if trap.column and open_brackets(row, trap.column):
        _, text = item(row, trap.column)
        at = row.find(text)
        if text[:1] in ("[", "{") and at < trap.column:
            return starts_with(trap, trap.line, at)
    end = _CLOSERS.get(sign, "]")
    found = WORD.match(row, trap.column)
    what = clip(found.group() if found else character)
    message = f"expected `,` or `{end}`, found `{what}`" if what else f"expected `,` or `{end}`"
    trace = traced(trap, f"`{sign}` opens here", *opened)
    return finding("E125", message, trap.file, trap.line, trap.column, max(1, len(what)), (), trace)


def _wrong_end(trap: Trap, opened: tuple[int, int]) -> Diagnostic | None:
    """A bracket that never closes, or closes with the other kind."""
    line, column = opened
    sign = trap.lines[line][column : column + 1]
    if sign not in _CLOSERS:
        return None
    end = _end_of_bracket(trap.lines, line, column)
    if end is None:
        row = trap.lines[line]
        comment = _COMMENT.search(row, column)
        if comment:
            at = comment.end() - 1
            message = f"`{clip(row[at:])}` is a comment, and the bracket `{sign}` in front of it never closes"
            trace = traced(trap, f"`{sign}` opens here", line, column)
            return finding("E125", message, trap.file, line, at, len(row) - at, as_text(row, at, whole=True), trace)
        opened, row_number = _left_open(trap.lines, line, column)
        sign = trap.lines[opened[0]][opened[1]]
        hints = (f"close it with `{_CLOSERS[sign]}`",)
        if opened[0] == row_number:
            return finding("E125", f"the bracket `{sign}` that opens here never closes", trap.file, *opened, 1, hints)
        message = f"expected `{_CLOSERS[sign]}` here: the bracket `{sign}` that opens on line {opened[0] + 1} never closes"
        trace = traced(trap, f"`{sign}` opens here", *opened)
        return finding("E125", message, trap.file, row_number, len(trap.lines[row_number].rstrip()), 1, hints, trace)
    found = trap.lines[end[0]][end[1]]
    if found == _CLOSERS[sign]:
        return None
    message = f"expected `{_CLOSERS[sign]}`, found `{found}`"
    return finding("E125", message, trap.file, *end, 1, (), traced(trap, f"`{sign}` opens here", line, column))


def _left_open(lines: list[str], line: int, column: int) -> tuple[tuple[int, int], int]:
    """Which bracket was most likely left open where one never closes, and the line at whose end it should have closed: the last that is
    indented below it, or one below which a line stands like those of a bracket further out."""
    indent = _indent(lines[line])
    rows = [line]
    for number in range(line + 1, len(lines)):
        if lines[number].strip():
            if _indent(lines[number]) <= indent:
                break
            rows.append(number)
    open_at: list[tuple[int, int]] = []
    signs = _signs(lines, line, column)
    sign = next(signs, None)
    for number, following in zip(rows, [*rows[1:], None], strict=True):
        while sign is not None and sign[0] <= number:
            if lines[sign[0]][sign[1]] in _CLOSERS:
                open_at.append(sign)
            elif open_at:
                open_at.pop()
            sign = next(signs, None)
        for outer, inner in pairwise(open_at):
            if following is not None and _indent(lines[following]) == outer[1] + 1:
                return inner, number
    return (line, column), rows[-1]


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" "))


def _end_of_bracket(lines: list[str], line: int, column: int) -> tuple[int, int] | None:
    """Where the bracket at a place ends, with whatever closer; None where it never does."""
    open_signs: list[str] = []
    for at in _signs(lines, line, column):
        character = lines[at[0]][at[1]]
        if character in _CLOSERS:
            open_signs.append(character)
        elif len(open_signs) == 1 or character != _CLOSERS[open_signs[-1]]:
            return at
        else:
            open_signs.pop()
    return None


def _signs(lines: list[str], line: int, column: int) -> Iterator[tuple[int, int]]:
    """The places of all brackets from a place on, but for those in quotes and comments."""
    quote = ""
    while line < len(lines):
        row = lines[line]
        while column < len(row):
            character = row[column]
            if quote:
                if character == "\\" and quote == '"':
                    column += 1
                elif character == quote:
                    quote = ""
            elif character in "\"'" and (column == 0 or row[column - 1] in " \t[{,:"):
                quote = character
            elif character == "#" and (column == 0 or row[column - 1] in " \t"):
                break
            elif character in "[]{}":
                yield line, column
            column += 1
        line, column = line + 1, 0


def no_content(trap: Trap) -> Diagnostic | None:
    """A sign where a value should stand: `[a, , b]`, `[- a]`, `text: , b`."""
    row = trap.row
    for opened in trap.brackets[::-1]:
        wrong = _wrong_end(trap, opened)
        if wrong:
            return wrong
    character = row[trap.column : trap.column + 1]
    if not character:
        return None
    if row.startswith("...", trap.column) and not trap.column:
        return finding("E106", "`...` ends a document; a file has no such lines", trap.file, trap.line, 0, 3, ("delete the line",))
    if not trap.brackets and not open_brackets(row, trap.column):
        return starts_with(trap, trap.line, trap.column)
    if character == ",":
        return finding("E125", "expected a value in front of the comma", trap.file, trap.line, trap.column, 1, ("delete one comma",))
    if character == "-":
        return finding("E123", "a list in brackets has no dashes", trap.file, trap.line, trap.column, 1, as_text(row, trap.column))
    icon = _ICON_HERE.match(row, trap.column)
    if icon:
        message = f"text with an icon, such as `{clip(icon.group())}`, needs quotes"
        return finding("E122", message, trap.file, trap.line, trap.column, len(icon.group()), as_text(row, trap.column))
    return starts_with(trap, trap.line, trap.column)

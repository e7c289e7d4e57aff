"""Load: looks at quotes that do not close where they should. In goes the place at which a parser gave up, out comes a finding or None."""

from __future__ import annotations

from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.document import Mark
from seasons_build.load.quoting import as_text, clip, item, quoted
from seasons_build.load.trap import Trap, finding, span, word_length


def never_closed(trap: Trap) -> Diagnostic | None:
    return _open_quote(trap, trap.context) if trap.context else None


def _open_quote(trap: Trap, opened: tuple[int, int], closed: int | None = None) -> Diagnostic:
    line, column = opened
    row = trap.lines[line]
    quote = row[column : column + 1]
    front, text = item(row, column)
    hints: tuple[str, ...] = (f"close it on its own line: `{clip(front + text + quote)}`",)
    if quote == "'" and row[column + 1 : column + 2].isalpha():
        hints += (f"for an apostrophe, write `{clip(front + quoted(text))}`",)
    if closed is None:
        return finding("E124", f"the quote `{quote}` that opens here never closes", trap.file, line, column, 1, hints)
    message = f"the quote `{quote}` that opens here closes only on line {closed + 1}"
    trace = (Trace("it closes in front of this", span(trap.file, trap.line, trap.column, 1)),)
    return finding("E124", message, trap.file, line, column, 1, hints, trace)


def quotes(trap: Trap) -> Diagnostic | None:
    """A quote that closes lines below, or text behind a closing quote."""
    row = trap.row
    last = trap.last
    if last and last[0] < last[2] == trap.line and _quote_at(trap.lines, last) and not row[last[3] : trap.column].strip(" \t:"):
        return _open_quote(trap, last[:2], trap.line)
    opened = _spanning_quote(trap)
    if opened:
        return _open_quote(trap, opened, trap.line)
    _, text = item(row, trap.column)
    at = row.find(text)
    if text[:1] not in ("'", '"') or at >= trap.column or not row[at + 1 : trap.column].count(text[0]) % 2:
        return None
    if trap.brackets and row[trap.column] == text[0]:
        hint = f"write `,` in front of `{clip(row[trap.column :], 40)}`"
        return finding("E125", "expected a comma behind the closing quote, found more text", trap.file, trap.line, trap.column, 1, (hint,))
    message = "expected nothing behind the closing quote, found more text"
    return finding("E124", message, trap.file, trap.line, trap.column, word_length(row, trap.column), as_text(row, trap.column))


def _quote_at(lines: list[str], mark: Mark) -> bool:
    return lines[mark[0]][mark[1] : mark[1] + 1] in ("'", '"')


def _spanning_quote(trap: Trap) -> tuple[int, int] | None:
    """The quote between the last text read and the place of the error that closes on a later line than it opens on."""
    line, column = (trap.last[2], trap.last[3]) if trap.last else (0, 0)
    if line >= trap.line:
        return None
    opened: tuple[int, int] | None = None
    quote = ""
    while line <= trap.line and line < len(trap.lines):
        row = trap.lines[line]
        stop = trap.column if line == trap.line else len(row)
        while column < stop:
            character = row[column]
            if opened:
                if character == "\\" and quote == '"':
                    column += 1
                elif character == quote:
                    if opened[0] < line:
                        return opened if line == trap.line else None
                    opened = None
            elif character in "\"'" and (column == 0 or row[column - 1] in " \t[{,:"):
                opened, quote = (line, column), character
            elif character == "#" and (column == 0 or row[column - 1] in " \t"):
                break
            column += 1
        line, column = line + 1, 0
    return None

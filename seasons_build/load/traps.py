"""Load: what a writer probably meant where a file cannot be read. In goes the place at which a parser gave up, out comes one finding in
plain words, with the line to paste where that can be guessed.

The parser's own place is often not the writer's: a quote that never closes is noticed at the next quote, pages below. Only the lines are
looked at here, and both parsers give the same places, so both give the same finding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.load.escapes import bad_escape
from seasons_build.load.quoting import as_text, clip, item
from seasons_build.load.trap import BELOW, Trap, finding, starts_with, tag, word_length
from seasons_build.load.trap_brackets import bracket, no_content, tight_colon
from seasons_build.load.trap_lines import colon, no_colon, stray
from seasons_build.load.trap_quotes import never_closed, quotes

_INDENT = "E126"


def explain(trap: Trap) -> Diagnostic:
    """The one finding for a file that cannot be read on."""
    for words, look in _LOOKS:
        if any(word in trap.said for word in words):
            found = look(trap)
            if found:
                return _by_its_cause(trap, found) if found.code == _INDENT else found
    return _unreadable(trap)


def _by_its_cause(trap: Trap, found: Diagnostic) -> Diagnostic:
    """What is told of an indentation: at the line that is to be moved, where that is known."""
    from seasons_build.load.indent import mending, told

    move = mending(trap.lines, trap.line, trap.parser)
    if move is None:
        return found
    cause = told(trap.file, trap.lines, move)
    return replace(cause, hints=(*cause.hints, BELOW)) if BELOW in found.hints and move.line == trap.line else cause


def _tab(trap: Trap) -> Diagnostic | None:
    row = trap.row
    lead = row[: len(row) - len(row.lstrip(" \t"))]
    if "\t" in lead and not trap.brackets:
        hint = "indent with spaces, two for each step; most editors can replace the tabs of a file at once"
        return finding("E120", "expected spaces in front of the line, found a tab", trap.file, trap.line, lead.index("\t"), 1, (hint,))
    if row[trap.column : trap.column + 1] == "\t" and "start any token" in trap.said:
        return finding("E120", "expected a blank, found a tab", trap.file, trap.line, trap.column, 1, ("replace the tab by a blank",))
    return None


def _escape(trap: Trap) -> Diagnostic | None:
    line, column = trap.context or (trap.line, trap.column)
    body = "\n".join(trap.lines[line:])
    at = bad_escape(body, column + 1)
    if at is None:
        return None
    before = body[:at]
    column = at - (before.rfind("\n") + 1)
    line += before.count("\n")
    escape = body[at : at + 2].strip()
    hints = ("write two backslashes for one, or put the text in single quotes",)
    return finding("E128", f"`{escape}` means nothing in double quotes", trap.file, line, column, len(escape), hints)


def _block(trap: Trap) -> Diagnostic | None:
    line, column = trap.context or (trap.line, trap.column)
    row = trap.lines[line]
    sign = row[column : column + 1]
    message = f"`{sign}` begins text that stands on the lines below it; found text on its own line"
    return finding("E121", message, trap.file, line, column, 1, as_text(row, column))


def _forbidden_start(trap: Trap) -> Diagnostic | None:
    line, column = trap.context if trap.context and "scanning a" in trap.said else (trap.line, trap.column)
    return starts_with(trap, line, column)


def _tag(trap: Trap) -> Diagnostic | None:
    line, column = trap.context or (trap.line, trap.column)
    at = trap.lines[line].find("!", column)
    return tag(trap.file, trap.lines, line, at) if at >= 0 else None


def _dash(trap: Trap) -> Diagnostic | None:
    row = trap.row
    front, text = item(row, trap.column)
    hints: tuple[str, ...] = ()
    if front and text.startswith("- "):
        hints = (f"for a list, write `{clip(front.strip())}` and each item below it: `{clip(text)}`",)
    quoted = tuple(hint.replace("write", "for text, write", 1) for hint in as_text(row, trap.column))
    return finding("E123", "a list begins on a line of its own", trap.file, trap.line, trap.column, 1, (*hints, *quoted))


def _after_the_end(trap: Trap) -> Diagnostic | None:
    for row in trap.lines[: trap.line]:
        if row.startswith("..."):
            message = "expected one document in a file, found another"
            length = word_length(trap.row, trap.column)
            return finding("E106", message, trap.file, trap.line, trap.column, length, ("delete the line `...`",))
    return stray(trap)


def _unreadable(trap: Trap) -> Diagnostic:
    line = min(trap.line, len(trap.lines) - 1)
    while line and not trap.lines[line].strip():
        line -= 1
    row = trap.lines[line]
    column = trap.column if line == trap.line else len(row.rstrip())
    found = clip(row[column:])
    if not found:
        return finding("E129", "expected more, found the end of the file", trap.file, line, column, 1)
    hints = ("text with signs in it needs quotes",)
    return finding("E129", f"expected `name: value` lines, found `{found}`", trap.file, line, column, max(1, len(row) - column), hints)


_LOOKS: tuple[tuple[tuple[str, ...], Callable[[Trap], Diagnostic | None]], ...] = (
    (("unknown escape", "hexdecimal", "escape code"), _escape),
    (("",), _tab),
    (("block scalar",), _block),
    (("quoted scalar",), never_closed),
    (("scanning an anchor", "scanning an alias"), _forbidden_start),
    (("scanning a tag", "parsing a tag", "tag handle"), _tag),
    (("start any token",), _forbidden_start),
    (("unexpected ':'",), tight_colon),
    (("",), quotes),
    (("mapping values",), colon),
    (("find expected ':'",), no_colon),
    (("sequence entries",), _dash),
    (("mapping keys",), _forbidden_start),
    (("flow sequence", "flow mapping"), bracket),
    (("node content",), no_content),
    (("document start",), _after_the_end),
    (("block mapping", "block collection"), stray),
)
"""What the parsers say, and who looks at the lines then; the first that finds something has it."""

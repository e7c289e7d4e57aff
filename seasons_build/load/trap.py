"""Load: the place at which a parser gave up, and the findings that more than one look at it may give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.document import Mark
from seasons_build.core.record import dataclass, field
from seasons_build.core.regex import regex
from seasons_build.core.span import Span
from seasons_build.load.quoting import as_text, clip, entry, quoted

WORD = regex(r"[^\s,\[\]{}]+")
BELOW = "for text of several lines, write `|` behind the colon and the text below it, indented"

_MOST_LOOKED_AT = 200
_NO_BLANK_COLON = regex(r"(\s*(?:- +)*)([A-Za-z][\w-]*):([^\s/:].*)$")
_NO_BLANK_DASH = regex(r"(\s*)-([^\W\d_].*)$")
_SENTENCE = regex(r"([\w.-]+):[ \t]+([^\s\"'\[\]{},][^,\[\]{}]*),[ \t]*\Z")
"""A text in braces up to a comma: what stands behind it is most likely the rest of the sentence."""


@dataclass(frozen=True, slots=True)
class Trap:
    """Where a parser gave up: what it said, its place, the place where the thing it was reading began, the text read just before it,
    and the brackets still open there, all from 0; and what makes such a parser."""

    file: str
    lines: list[str]
    said: str
    line: int
    column: int
    context: tuple[int, int] | None
    last: Mark | None
    parser: Callable[[str], Any]
    brackets: list[tuple[int, int]] = field(default_factory=list)

    @property
    def row(self) -> str:
        """The line at which the parser gave up."""
        return self.lines[self.line] if self.line < len(self.lines) else ""


def missing_blank(file: str, lines: list[str], line: int) -> Diagnostic | None:
    """The finding for a line like `name:Rifle` or `-item`; None for any other line."""
    row = lines[line]
    found = _NO_BLANK_COLON.match(row)
    if found and not entry(row):
        lead, key, rest = found.groups()
        fixed = f"{lead.strip()} {key}: {rest}".strip()
        message = f"expected a blank behind the colon of `{clip(key)}`"
        return finding("E127", message, file, line, found.end(2), 1, (f"write `{clip(fixed)}`",))
    found = _NO_BLANK_DASH.match(row)
    if found:
        lead, rest = found.groups()
        return finding("E127", "expected a blank behind the dash", file, line, len(lead), 1, (f"write `- {clip(rest)}`",))
    return None


def no_value(file: str, lines: list[str], key: str, mark: Mark, bracket: tuple[int, int]) -> Diagnostic:
    """The finding for a key in braces that has no value: `{a, b}`, `{name: }`, `{name:Rifle}`."""
    line, column, end_line, end = mark
    row = lines[line]
    if line != end_line:
        end = len(row)
    if ":" in key and not row[end : end + _MOST_LOOKED_AT].lstrip().startswith(":"):
        name, rest = key.split(":", 1)
        if name and rest:
            message = f"expected a blank behind the colon of `{clip(name)}`"
            return finding("E127", message, file, line, column, end - column, (f"write `{clip(name)}: {clip(rest)}`",))
    hints = [f"write `{clip(key)}: ` and its value"]
    sentence = _SENTENCE.search(row[max(0, column - _MOST_LOOKED_AT) : column]) if " " in key else None
    if sentence and line == end_line:
        fixed = f"{sentence[2]}, {key}"
        hints = [f"a comma ends a value in braces; for a comma in text, write `{sentence[1]}: {quoted(fixed)}`"]
    opened, at = bracket
    inside = lines[opened][at + 1 : at + 1 + _MOST_LOOKED_AT].split("}", 1)
    if len(inside) == 2 and ":" not in inside[0]:
        hints = [f"for a list, write `[{clip(inside[0].strip(), 60)}]`"]
        if "," not in inside[0]:
            hints[:0] = [hint.replace("write", "for text, write", 1) for hint in as_text(lines[opened], at)]
    return finding("E117", f"`{clip(key)}` in braces has no value", file, line, column, max(1, end - column), tuple(hints))


def starts_with(trap: Trap, line: int, column: int) -> Diagnostic:
    """The finding for text that begins with a sign that YAML keeps for itself."""
    row = trap.lines[line]
    sign = row[column : column + 1]
    what = "a backtick" if sign == "`" else f"`{sign}`"
    return finding("E123", f"text cannot begin with {what}", trap.file, line, column, 1, as_text(row, column))


def tag(file: str, lines: list[str], line: int, column: int) -> Diagnostic:
    """The finding for a tag, or for text that begins like one."""
    row = lines[line]
    word = WORD.match(row, column)
    length = len(word.group()) if word else 1
    hints = ("delete the tag", *(hint.replace("write", "for text, write", 1) for hint in as_text(row, column)))
    return finding("E107", f"tags such as `{clip(row[column : column + length])}` are not read", file, line, column, length, hints)


def above(lines: Sequence[str], line: int) -> int | None:
    """The next line above that holds more than blanks or a comment."""
    while line > 0:
        line -= 1
        text = lines[line].strip()
        if text and not text.startswith("#"):
            return line
    return None


def word_length(row: str, column: int) -> int:
    """How much of a row to mark from a column on."""
    found = WORD.match(row, column)
    return min(len(found.group()), 40) if found else 1


def traced(trap: Trap, message: str, line: int, column: int) -> tuple[Trace, ...]:
    """A second place of the same file."""
    return (Trace(message, span(trap.file, line, column, 1)),)


def span(file: str, line: int, column: int, length: int) -> Span:
    """A stretch of one line, of a line and column from 0."""
    return Span(file, line + 1, column + 1, line + 1, column + 1 + length)


def finding(
    code: str,
    message: str,
    file: str,
    line: int,
    column: int,
    length: int,
    hints: tuple[str, ...] = (),
    trace: tuple[Trace, ...] = (),
) -> Diagnostic:
    """A finding about a stretch of one line."""
    return Diagnostic(code, message, span(file, line, column, length), hints, trace)

"""Load: looks at lines: colons, indentation, lines that are no entries. In goes the place at which a parser gave up, out comes a finding or
None."""

from __future__ import annotations

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.regex import regex
from seasons_build.load.quoting import as_text, clip, entry, item
from seasons_build.load.trap import BELOW, Trap, above, finding, missing_blank, starts_with, traced, word_length
from seasons_build.load.trap_quotes import quotes

ICON = regex(r"(?<![^\s\[{,(]):[A-Za-z][\w-]*:?$")

_NAME = regex(r"[A-Za-z][\w-]*")
_PAIR = regex(r"\s*([A-Za-z][\w-]*) +(\S.*)$")
_PAIR_HERE = regex(r"([A-Za-z][\w-]*)(?: *= *| +)(\S+|[\[{\"'].*)$")
"""A name and one word, or what stands in brackets or quotes: hardly text that goes on."""
_COMMENT = regex(r"\S\s+#")


def colon(trap: Trap) -> Diagnostic | None:
    """A colon where no key can end: in a sentence, at an icon, or on a line that stands too deep."""
    row = trap.row
    parts = entry(row)
    if parts and parts.value < len(row) and parts.colon < trap.column:
        return second_colon(trap)
    upper_line = above(trap.lines, trap.line)
    if upper_line is None or not parts:
        return None
    missing = missing_blank(trap.file, trap.lines, upper_line)
    if missing:
        return missing
    upper = entry(trap.lines[upper_line])
    key = row[parts.key : parts.colon]
    if upper and parts.indent > upper.indent and " " not in key:
        name = trap.lines[upper_line][upper.key : upper.colon]
        message = f"`{clip(key)}` stands below `{clip(name)}`, which already has its value"
        hints = (f"indent it like `{clip(name)}`", BELOW)
        return finding("E126", message, trap.file, trap.line, parts.key, len(key), hints)
    word = trap.lines[upper_line].strip()
    if not upper and _NAME.fullmatch(word):
        at = trap.lines[upper_line].index(word) + len(word)
        return finding("E127", f"expected a colon behind `{clip(word)}`", trap.file, upper_line, at, 1, (f"write `{clip(word)}:`",))
    lacking = _without_colon(trap, upper_line, parts.indent)
    if lacking:
        return lacking
    message = "expected text that goes on, found a colon"
    return finding("E122", message, trap.file, trap.line, trap.column, 1, (BELOW, "or put the whole text in quotes"))


def _without_colon(trap: Trap, line: int, indent: int) -> Diagnostic | None:
    """The finding for a line such as `name Rifle`, the first below a key that has no value beside it and above a line with a colon."""
    row = trap.lines[line]
    found = _PAIR.match(row)
    owner_line = above(trap.lines, line)
    owner = entry(trap.lines[owner_line]) if owner_line is not None else None
    if not found or owner_line is None or not owner or entry(row):
        return None
    value = trap.lines[owner_line][owner.value :]
    if found.start(1) != indent or owner.indent >= indent or not (value == "" or value.startswith("#")):
        return None
    hint = f"write `{clip(found[1])}: {clip(found[2])}`"
    return finding("E127", f"expected a colon behind `{clip(found[1])}`", trap.file, line, found.end(1), 1, (hint,))


def second_colon(trap: Trap) -> Diagnostic:
    """The finding for text with a colon or an icon in it that lacks quotes."""
    row = trap.row
    icon = ICON.search(row[: trap.column + 1])
    front, text = item(row, trap.column)
    hints = as_text(row, trap.column)
    name = front.strip().lstrip("- ").rstrip(":")
    if icon:
        word = row[icon.start() : trap.column].rstrip(":") + ":"
        message = f"text with an icon, such as `{clip(word)}`, needs quotes"
        return finding("E122", message, trap.file, trap.line, icon.start(), len(word), hints)
    message = f"expected one value for `{clip(name)}`, found a second colon" if name else "expected one value, found a second colon"
    if trap.brackets and " " in text[: text.find(":")]:
        hints += (f"or put a comma in front of `{clip(text[: text.find(':')].rsplit(' ', 1)[1])}`",)
    return finding("E122", message, trap.file, trap.line, trap.column, 1, hints)


def no_colon(trap: Trap) -> Diagnostic | None:
    """A line among `name: value` lines that is none."""
    line, column = trap.context or (trap.line, trap.column)
    row = trap.lines[line]
    missing = missing_blank(trap.file, trap.lines, line)
    if missing:
        return missing
    if row[column : column + 1] in ("'", '"') and line < trap.line:
        return quotes(trap)
    return _not_an_entry(trap, line, column)


def _not_an_entry(trap: Trap, line: int, column: int) -> Diagnostic:
    row = trap.lines[line]
    upper_line = above(trap.lines, line)
    upper = entry(trap.lines[upper_line]) if upper_line is not None else None
    comment = _COMMENT.search(trap.lines[upper_line]) if upper_line is not None and upper else None
    pair = _PAIR_HERE.match(row, column)
    if upper_line is not None and upper and comment and not (pair and column == upper.key):
        message = "text cannot go on behind a comment"
        trace = traced(trap, "the comment", upper_line, comment.end() - 1)
        return finding("E129", message, trap.file, line, column, word_length(row, column), (BELOW,), trace)
    found = clip(row[column:])
    hints: tuple[str, ...] = ("indent text that goes on further than its key, or put it in quotes",)
    if pair:
        hints = (f"write `{clip(pair[1])}: {clip(pair[2])}`", *hints)
    return finding("E129", f"expected `name: value`, found `{found}`", trap.file, line, column, max(1, len(row) - column), hints)


def stray(trap: Trap) -> Diagnostic | None:
    """Something in a block of lines that is neither an entry nor an item of it."""
    row = trap.row
    if row[: trap.column].strip():
        _, text = item(row, trap.column)
        at = row.find(text)
        if text[:1] and text[0] in "[{*&!" and at <= trap.column:
            return starts_with(trap, trap.line, at)
        character = row[trap.column : trap.column + 1]
        if character in ("]", "}"):
            return finding("E125", f"`{character}` closes nothing", trap.file, trap.line, trap.column, 1)
        return None
    if row[trap.column : trap.column + 1] == ":":
        return finding("E113", "expected a key in front of the colon, found nothing", trap.file, trap.line, trap.column, 1)
    parts = entry(row)
    is_item = row[trap.column :].startswith("-") and row[trap.column + 1 : trap.column + 2] in ("", " ")
    if not parts and not is_item:
        return missing_blank(trap.file, trap.lines, trap.line) or _not_an_entry(trap, trap.line, trap.column)
    return _wrong_indent(trap, is_item)


def _wrong_indent(trap: Trap, is_item: bool) -> Diagnostic:
    what = clip(trap.row[trap.column :].split(":", 1)[0], 40)
    length = word_length(trap.row, trap.column)
    columns = _columns_above(trap.lines, trap.line)
    if trap.column in columns:
        other = "a list" if not is_item else "a map"
        message = f"`{what}` stands among the parts of {other}"
        dashed = is_item and ":" in trap.row[trap.column :]
        without = (f"without the dash: `{clip(trap.row[trap.column + 1 :])}`",) if dashed else ()
        advice = (*without, "indent it further, or give it a key of its own")
        return finding("E126", message, trap.file, trap.line, trap.column, length, advice)
    upper_line = above(trap.lines, trap.line)
    upper = entry(trap.lines[upper_line]) if upper_line is not None else None
    if upper_line is not None and upper and upper.indent < trap.column and upper.value < len(trap.lines[upper_line]):
        name = clip(trap.lines[upper_line][upper.key : upper.colon], 40)
        message = f"`{what}` stands below `{name}`, which already has its value"
        return finding("E126", message, trap.file, trap.line, trap.column, length, (f"indent it like `{name}`",))
    near = sorted(columns, key=lambda column: (abs(column - trap.column), column))[:2]
    hints = (f"indent it by {' or '.join(str(column) for column in sorted(near))} blanks",) if near else ()
    message = f"`{what}` is indented by {trap.column} blanks, like no line above it"
    return finding("E126", message, trap.file, trap.line, trap.column, length, hints)


def _columns_above(lines: list[str], line: int) -> set[int]:
    """The indentations of the lines that a line may belong to: of the one above it, and of all that enclose that."""
    columns: set[int] = set()
    least: int | None = None
    while line > 0 and least != 0:
        line -= 1
        row = lines[line]
        text = row.strip()
        if not text or text.startswith("#"):
            continue
        column = len(row) - len(row.lstrip(" "))
        if least is None or column < least:
            least = column
            columns.add(column)
            parts = entry(row)
            if parts and parts.key > column:
                columns.add(parts.key)
    return columns

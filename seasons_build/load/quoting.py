"""Load: lines that a writer can paste. In goes a line of a file and a column, out comes the same line with its text quoted right.

Works on single lines, as people do; nothing here needs the file to be readable.
"""

from __future__ import annotations

from collections.abc import Iterator

from seasons_build.core.named import NamedTuple
from seasons_build.core.regex import regex
from seasons_build.load.escapes import ESCAPE

MOST_QUOTED = 80
_MOST_PASTED = 100
_MOST_LOOKED_AT = 1_000
_COMMENT = regex(r"[ \t]+#(?:[ \t#].*)?$")
_KEY_END = regex(r":(?=[ \t]|$)")
_LONG = "put the text in quotes, or write `|` behind the colon and the text on the lines below, indented"
_SIMPLE = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "L": "\u2028",
    "P": "\u2029",
}


class Entry(NamedTuple):
    """Where the parts of a line `- name: value` stand: its first character, its key, its colon and its value."""

    indent: int
    key: int
    colon: int
    value: int


def clip(text: str, most: int = MOST_QUOTED) -> str:
    """Text of a file as a message may quote it: one line, and not a long one."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def quoted(text: str) -> str:
    """Text in the quotes that leave it most as it is."""
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def entry(row: str) -> Entry | None:
    """The parts of a line that holds a key; None for any other line."""
    indent = len(row) - len(row.lstrip(" \t"))
    key = indent
    while row.startswith("- ", key):
        key += 2
        key += len(row[key:]) - len(row[key:].lstrip(" \t"))
    if not row[key:] or row[key] == "#":
        return None
    after = _closing(row, key) if row[key] in "\"'" else key
    found = _KEY_END.search(row, after) if after is not None else None
    if not found or (row[key] in "\"'" and row[after : found.start()].strip()):
        return None
    colon = found.start()
    return Entry(indent, key, colon, colon + 1 + len(row[colon + 1 :]) - len(row[colon + 1 :].lstrip(" \t")))


def open_brackets(row: str, column: int) -> list[int]:
    """Where the brackets stand that are open at a column, of those on this line."""
    found: list[int] = []
    at = 0
    while at < column:
        character = row[at]
        if character in "\"'" and (at == 0 or row[at - 1] in " \t[{,:"):
            at = _closing(row, at) or column
            continue
        if character in "[{":
            found.append(at)
        elif character in "]}" and found:
            found.pop()
        at += 1
    return found


def item(row: str, column: int, *, whole: bool = False) -> tuple[str, str]:
    """What stands in front of the text around a column, and the text: `name: ` and `> ping.local`.

    `whole` takes what looks like a comment as part of the text. Of a row that is longer than anybody types, only the text is given.
    """
    if len(row) > _MOST_LOOKED_AT:
        return "", row[column : column + _MOST_LOOKED_AT]
    brackets = open_brackets(row, column)
    if brackets:
        return _split(_segment(row, brackets[-1], column))
    parts = entry(row)
    if parts and parts.value <= column:
        front, text = row[parts.indent : parts.colon].rstrip() + ": ", row[parts.value :]
    else:
        text = row.strip()
        front = ""
        while text.startswith("- "):
            front += "- "
            text = text[2:].lstrip()
    return front, (text if whole else _COMMENT.sub("", text)).rstrip()


def as_text(row: str, column: int, *, whole: bool = False) -> tuple[str, ...]:
    """The hint that shows the line to paste: the item around a column, with its text in quotes."""
    if len(row) > _MOST_LOOKED_AT:
        return (_LONG,)
    front, text = item(row, column, whole=whole)
    if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        text = text[1:-1]
    line = front + quoted(text)
    return (f"write `{line}`",) if len(line) <= _MOST_PASTED else (_LONG,)


def escapes(lines: list[str], line: int, column: int) -> Iterator[tuple[int, int, str, str]]:
    """The escapes of the text in double quotes that begins at a place: line, column, the escape, the character it makes."""
    column += 1
    while line < len(lines):
        row = lines[line] + "\n"
        while column < len(row) and row[column] != '"':
            found = ESCAPE.match(row, column)
            if found:
                escape = found.group()
                yield line, column, escape.rstrip("\n"), _made_by(escape)
                column = found.end()
            else:
                column += 1
        if column < len(row):
            return
        line, column = line + 1, 0


def _made_by(escape: str) -> str:
    if escape[1] in "xuU":
        return chr(int(escape[2:], 16))
    return _SIMPLE.get(escape[1], escape[1])


def _closing(row: str, at: int) -> int | None:
    """Just past the quote that closes the one at a column, on the same line."""
    quote = row[at]
    at += 1
    while at < len(row):
        if row[at] == "\\" and quote == '"':
            at += 1
        elif row[at] == quote:
            if quote == '"' or row[at + 1 : at + 2] != "'":
                return at + 1
            at += 1
        at += 1
    return None


def _segment(row: str, bracket: int, column: int) -> str:
    """The item around a column, between the commas of the bracket that opens before it."""
    start = bracket + 1
    at = start
    depth = 0
    while at < len(row):
        character = row[at]
        if character in "\"'" and row[at - 1] in " \t[{,:":
            at = _closing(row, at) or len(row)
            continue
        if character in "[{":
            depth += 1
        elif character in "]}":
            depth -= 1
        if depth < 0 or (character == "," and depth == 0):
            if at >= column:
                break
            start = at + 1
        at += 1
    return row[start:at].strip()


def _split(segment: str) -> tuple[str, str]:
    parts = entry(segment)
    if parts and parts.value < len(segment):
        return segment[: parts.colon].rstrip() + ": ", segment[parts.value :]
    return "", segment

"""An entry under another id (part of scaffold): its own text, with comments and all.

In: an entry. Out: drafts of a file that holds a copy of it: first the text as it stands in its file, then its data typed anew, for what is
said elsewhere in that file and only pointed to.
"""

from __future__ import annotations

from collections.abc import Iterator

from seasons_build.core.document import Value
from seasons_build.core.edit import Edit, edited
from seasons_build.core.entry import Entry
from seasons_build.core.span import Span
from seasons_build.language.yaml_text import field, scalar
from seasons_build.scaffold.entry import NAME, readable

OF_ONE = ("formerly", "claims", "provisional")
"""What is true of the first entry alone: what it was called once, what was printed of it, what its writers have not settled."""


def copied(entry: Entry, identifier: str) -> Iterator[str]:
    """Drafts of a file with the entry's copy, under its new id and name."""
    as_typed = _as_typed(entry, identifier)
    if as_typed is not None:
        yield as_typed
    data: Value = entry.document.data
    for step in entry.base:
        data = data[step]
    made = {**data, NAME: readable(identifier)} if NAME in data else data
    lines = [line for key, value in made.items() if key not in OF_ONE for line in field(str(key), value, 4, 2)]
    yield "\n".join([f"{entry.kind}:", f"  {identifier}:", *lines]) + "\n"


def _as_typed(entry: Entry, identifier: str) -> str | None:
    key, value = entry.key_span(), entry.span()
    source = entry.document.source
    lines = source.replace("\r\n", "\n").split("\n")
    dropped = [_lines_of(lines, entry, name) for name in OF_ONE if name in entry.data]
    if any(not found for found in dropped):
        return None
    edits = [Edit(key, identifier)]
    if NAME in entry.data:
        edits.append(Edit(entry.span((NAME,)), scalar(readable(identifier), inside=True)))
    if value.line == key.line and value.end_line == key.line:
        head = " " * (key.column - 1)
        row = edited(lines[key.line - 1][: value.end_column - 1], [_on_first(edit, key.line) for edit in edits])
        return f"{entry.kind}:\n  {row.removeprefix(head) if row.startswith(head) else row[key.column - 1 :]}\n"
    last = _last(lines, value, key.column)
    block = edited("\n".join(lines[key.line - 1 : last]), [_on_first(edit, key.line) for edit in edits]).split("\n")
    if block[0][: key.column - 1].strip():
        return None
    kept = [row for line, row in enumerate(block, key.line) if not any(line in found for found in dropped)]
    moved = [row[key.column - 1 :] if not row[: key.column - 1].strip() else row for row in kept]
    return "\n".join([f"{entry.kind}:", *(f"  {row}".rstrip() for row in moved)]) + "\n"


def _lines_of(lines: list[str], entry: Entry, name: str) -> range:
    """The lines that hold a field and nothing else; none where others stand beside it."""
    id_, key, value = entry.key_span(), entry.key_span((name,)), entry.span((name,))
    last = _last(lines, value, key.column)
    before, behind = lines[key.line - 1][: key.column - 1].strip(), lines[last - 1][value.end_column - 1 :].strip(" ,")
    alone = not before and (not behind or behind.startswith("#"))
    return range(key.line, last + 1) if alone and key.file == id_.file and key.line > id_.line else range(0)


def _on_first(edit: Edit, first: int) -> Edit:
    span = edit.span
    return Edit(Span(span.file, span.line - first + 1, span.column, span.end_line - first + 1, span.end_column), edit.text)


def _last(lines: list[str], value: Span, column: int) -> int:
    """The line on which an entry ends: its last value, without blank lines and comments that stand before the next one."""
    last = value.end_line if value.end_column > 1 else value.end_line - 1
    while last > value.line and (not lines[last - 1].strip() or len(lines[last - 1]) - len(lines[last - 1].lstrip()) < column):
        last -= 1
    return last

"""Rows of a spreadsheet saved as CSV become entries (part of intake).

The first row names the columns: `id`, and fields by their paths, as `name` or `actions.fire.range`. Each row below is an entry; a row
without an id is called after its name. Commas, semicolons or tabs part the cells, whichever the first row has most of; a cell in double
quotes may hold any of them, and line breaks.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document, Mark
from seasons_build.core.kind import Kind
from seasons_build.core.limits import DEFAULT
from seasons_build.core.names import slug
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex
from seasons_build.core.span import Span
from seasons_build.language.cells import Plain, column_schema, read

_UNTYPED = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
"""Signs that no writer types: YAML has none of them, or has them as the end of a line."""

ID, NAME = "id", "name"


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell, and where: from its first character to behind its last, without quotes."""

    text: str
    mark: Mark


class Unclosed(Exception):
    """A quote that nothing closes."""

    def __init__(self, line: int, column: int) -> None:
        super().__init__(f"{line}:{column}")
        self.place = (line, column)


def read_rows(file: str, raw: bytes, kind: Kind, plain: Plain) -> Result[Document | None]:
    """The entries in the rows of a file.

    Codes: E764 (the file or its first row cannot be read), E765 (a row has no id), E766 (a row says what another says, more than there are
    columns, or what nobody can type), W760 (its letters are those of old Windows).
    """
    if len(raw) > DEFAULT.file_bytes:
        message = f"the file has {len(raw)} bytes; at most {DEFAULT.file_bytes} are read"
        return Result(None, (Diagnostic("E764", message, Span(file, 1, 1, 1, 1), ("spread the rows over several files",)),))
    text, found = _decoded(file, raw)
    try:
        rows = list(_rows(text))
    except Unclosed as error:
        line, column = error.place
        span = Span(file, line + 1, column + 1, line + 1, column + 2)
        return Result(None, (*found, Diagnostic("E764", "a quote opens here that nothing closes", span, ('close it with `"`',))))
    head = [Cell(cell.text.strip(), cell.mark) for cell in rows[0]] if rows else []
    problem = _head(file, head)
    if problem is not None:
        return Result(None, (*found, problem))
    table = _Table(file, kind, plain, head)
    for row in rows[1:]:
        if any(cell.text.strip() for cell in row):
            found += table.add(row)
    mark: Mark = (0, 0, len(text.split("\n")) - 1, 0)
    places = (mark, {kind.id: ((0, 0, 0, 0), (mark, table.places))})
    return Result(Document(file, text, {kind.id: table.entries}, places), tuple(found))


def _decoded(file: str, raw: bytes) -> tuple[str, list[Diagnostic]]:
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return raw.decode("utf-16" if wide else "utf-8-sig").replace("\r\n", "\n").replace("\r", "\n"), []
    except UnicodeDecodeError:
        message = "the file is not saved as UTF-8: its letters were read as those of Windows (cp1252)"
        warning = Diagnostic("W760", message, Span(file, 1, 1, 1, 1), ("save it as `CSV UTF-8`, or look whether all letters are right",))
        return raw.decode("cp1252", "replace").replace("\r\n", "\n").replace("\r", "\n"), [warning]


def _head(file: str, head: list[Cell]) -> Diagnostic | None:
    """What is wrong with the first row."""
    names = [cell.text for cell in head]
    if not any(names):
        hint = "begin with a row of names: id, name, and the fields"
        return Diagnostic("E764", "the first row names no columns", Span(file, 1, 1, 1, 1), (hint,))
    for place, cell in enumerate(head):
        if cell.text and cell.text in names[:place]:
            return Diagnostic("E764", f"two columns are called `{cell.text}`", _span(file, cell.mark), ("give one another name",))
    if ID not in names and NAME not in names:
        return Diagnostic("E764", "no column is called `id` or `name`", _span(file, head[0].mark), ("entries are called after it",))
    return None


class _Table:
    """Entries as they are gathered from rows."""

    def __init__(self, file: str, kind: Kind, plain: Plain, head: list[Cell]) -> None:
        self.entries: dict[str, Any] = {}
        self.places: dict[str, Any] = {}
        self._file, self._kind, self._plain, self._head = file, kind, plain, head
        self._schemas = [column_schema(kind.schema, cell.text) if cell.text else None for cell in head]

    def add(self, row: list[Cell]) -> Iterator[Diagnostic]:
        """Adds the entry of a row, or says why there is none."""
        given = {cell.text: row[at] for at, cell in enumerate(self._head) if at < len(row) and row[at].text.strip()}
        named = given.get(ID) or given.get(NAME)
        identifier = given[ID].text.strip() if ID in given else slug(given[NAME].text) if NAME in given else ""
        if named is None or not identifier:
            yield Diagnostic("E765", "this row has no id, and no name to make one of", _span(self._file, row[0].mark))
            return
        if identifier in self.entries:
            yield Diagnostic("E766", f"`{identifier}` stands in two rows", _span(self._file, named.mark))
            return
        for cell in row:
            sign = _UNTYPED.search(cell.text)
            if sign is not None:
                message = f"this cell holds a sign that nobody can see (U+{ord(sign[0]):04X})"
                yield Diagnostic("E766", message, _span(self._file, cell.mark), ("delete it, or type the cell anew",))
                return
        for at, cell in enumerate(row):
            if cell.text.strip() and (at >= len(self._head) or not self._head[at].text):
                message = "this cell stands under no column name"
                yield Diagnostic("E766", message, _span(self._file, cell.mark), ("give the column a name, or empty the cell",))
        for name, cell in given.items():
            outer = next((other for other in given if name.startswith(f"{other}.")), None)
            if outer is not None:
                message = f"`{name}` is a part of `{outer}`, which this row has whole"
                yield Diagnostic("E766", message, _span(self._file, cell.mark), ("empty one of the two cells",))
                return
        mark: Mark = (*row[0].mark[:2], *row[-1].mark[2:])
        data: dict[str, Any] = {}
        places: dict[str, Any] = {}
        for at, cell in enumerate(self._head):
            if cell.text and cell.text != ID and cell.text in given:
                held = given[cell.text]
                self._put(data, places, cell, held, read(held.text.strip(), self._schemas[at], self._plain), mark)
        self.entries[identifier] = data
        self.places[identifier] = (named.mark, (mark, places))

    def _put(self, data: dict[str, Any], places: dict[str, Any], head: Cell, cell: Cell, value: Any, row: Mark) -> None:
        *steps, last = head.text.split(".")
        for step in steps:
            inner = data.setdefault(step, {})
            if not isinstance(inner, dict):
                inner = data[step] = {}
            _, (_, further) = places.setdefault(step, (head.mark, (row, {})))
            data, places = inner, further
        data[last] = value
        places[last] = (head.mark, _shadow(value, cell.mark))


def _shadow(value: Any, mark: Mark) -> Any:
    """The places of a value: all of it stands in its cell."""
    if isinstance(value, dict):
        return (mark, {key: (mark, _shadow(inner, mark)) for key, inner in value.items()})
    return (mark, [_shadow(item, mark) for item in value]) if isinstance(value, list) else mark


def _rows(text: str) -> Iterator[list[Cell]]:
    """The rows of a text, each cell with its place."""
    first = text.partition("\n")[0]
    parting = max(",;\t", key=lambda sign: (first.count(sign), sign == ","))
    lines = text.split("\n")
    line = 0
    while line < len(lines):
        row: list[Cell] = []
        column = 0
        while True:
            cell, line, column = _cell(lines, line, column, parting)
            row.append(cell)
            if column >= len(lines[line]) or lines[line][column] != parting:
                break
            column += 1
        line += 1
        yield row


def _cell(lines: list[str], line: int, column: int, parting: str) -> tuple[Cell, int, int]:
    """One cell, and where it ends."""
    row = lines[line]
    if not row.startswith('"', column):
        end = row.find(parting, column)
        end = len(row) if end < 0 else end
        return Cell(row[column:end], (line, column, line, end)), line, end
    opened = (line, column)
    text: list[str] = []
    start = (line, column + 1)
    at = column + 1
    while True:
        close = lines[line].find('"', at)
        if close < 0:
            text.append(lines[line][at:] + "\n")
            line, at = line + 1, 0
            if line == len(lines):
                raise Unclosed(*opened)
        elif lines[line].startswith('""', close):
            text.append(lines[line][at : close + 1])
            at = close + 2
        else:
            text.append(lines[line][at:close])
            mark: Mark = (*start, line, close)
            end = lines[line].find(parting, close)
            return Cell("".join(text), mark), line, len(lines[line]) if end < 0 else end


def _span(file: str, mark: Mark) -> Span:
    line, column, end_line, end_column = mark
    return Span(file, line + 1, column + 1, end_line + 1, max(end_column, column) + 1)

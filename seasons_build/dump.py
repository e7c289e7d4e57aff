"""What packs hold, for other programs: one JSON document, or a table of the entries of a kind that `import` reads back.

In: entries, as typed or as worked out. Out: text. Both forms are documented and stable: what is there keeps its name and its meaning.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Pack
from seasons_build.core.kind import Kind, Schema
from seasons_build.language.cells import Plain, column_schema, written

FORMAT = 1
"""The format of the JSON document: it grows by new names alone."""


def as_document(packs: Iterable[Pack], entries: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The JSON document: the packs with their licences, and their entries as `show --format json` has them."""
    about = [
        {
            "id": pack.id,
            "title": pack.title,
            "version": pack.version,
            "licence": pack.manifest.get("licence"),
            "authors": list(pack.manifest.get("authors") or ()),
            "requires": list(pack.requires),
        }
        for pack in packs
    ]
    return {"format": FORMAT, "packs": about, "entries": list(entries)}


def as_table(kind: Kind, entries: Iterable[Entry], plain: Plain) -> str:
    """The entries of a kind as CSV, a row each, as typed; columns in the order of the schema, `id` first."""
    rows = [(entry.id, dict(_cells("", _typed(entry), kind.schema))) for entry in entries]
    order = [field.id for field in kind.fields]
    found = dict.fromkeys(path for _, cells in rows for path in cells)
    columns = sorted(found, key=lambda path: order.index(head) if (head := path.partition(".")[0]) in order else len(order))
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["id", *columns])
    schemas = {path: column_schema(kind.schema, path) for path in columns}
    for identifier, cells in rows:
        table.writerow([identifier, *(written(cells[p], schemas[p], plain) if p in cells else "" for p in columns)])
    return out.getvalue()


def _typed(entry: Entry) -> Mapping[str, Value]:
    found: Value = entry.document.data
    for step in entry.base:
        found = found[step]
    return found if isinstance(found, Mapping) else {}


def _cells(path: str, value: Value, schema: Schema) -> Iterator[tuple[str, Value]]:
    """The cells of a value: a map of fields is spread over columns, all else is one cell."""
    here = column_schema(schema, path) if path else schema
    fields = set(here.get("properties", ())) if here else set()
    if not path or (isinstance(value, Mapping) and value and set(value) <= fields):
        for key, inner in value.items():
            yield from _cells(f"{path}.{key}" if path else key, inner, schema)
    else:
        yield path, value

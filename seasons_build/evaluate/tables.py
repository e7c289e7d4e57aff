"""Named lookups: what a table gives for its keys, which of its rows that is, and which rows it has (part of evaluate)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seasons_build.core.dice_amount import figure
from seasons_build.core.document import Value


def row_of(table: Value, keys: tuple[Value, ...], numeric: Sequence[bool] = ()) -> tuple[str, ...] | None:
    """The row that holds for some keys; by threshold, that of the largest number that is not above the one asked for. `numeric` says of
    each key whether it is a number, where that is known."""
    rows = table.get("rows", table)
    numeric = numeric or table_shape(table)[0]
    threshold = table.get("at") == "threshold" if "rows" in table else True
    found: list[str] = []
    for key, is_number in zip(keys, numeric, strict=True):
        wanted = figure(key) if is_number else str(key)
        if wanted not in rows:
            below = [k for k in rows if int(k) <= key] if is_number and threshold else []
            if not below:
                return None
            wanted = max(below, key=int)
        found.append(wanted)
        rows = rows[wanted]
    return tuple(found)


def look_up(table: Value, keys: tuple[Value, ...], numeric: Sequence[bool] = ()) -> Value | None:
    """What a table gives for its keys; None where it has no such row."""
    row = row_of(table, keys, numeric)
    if row is None:
        return None
    found = table.get("rows", table)
    for key in row:
        found = found[key]
    return found


def table_shape(data: Value) -> tuple[list[bool], Value]:
    """For each key of a table whether it is a number, and the first value that is in it."""
    rows = data.get("rows", data) if isinstance(data, dict) else {}
    keys: list[bool] = []
    while isinstance(rows, dict) and rows:
        keys.append(all(str(key).lstrip("-").isdigit() for key in rows))
        rows = next(iter(rows.values()))
    return keys, rows


def table_keys(data: Value) -> Iterator[tuple[str, ...]]:
    """The keys of each row of a table."""
    rows = data.get("rows", data) if isinstance(data, dict) else {}
    for key, value in rows.items() if isinstance(rows, dict) else ():
        if isinstance(value, dict):
            yield from ((str(key), *inner) for inner in table_keys({"rows": value}))
        else:
            yield (str(key),)

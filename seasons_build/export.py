"""Stage: what was worked out, as data for other tools and as lines for people.

In: a library and sheets. Out: the documented JSON of `list` and `show`, the lines of `explain`, and the page of a code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from seasons_build.core.dice_amount import figure
from seasons_build.core.document import Value
from seasons_build.core.entry import Change, Entry, Key, Library
from seasons_build.core.sheet import Sheet, Step
from seasons_build.core.span import Span
from seasons_build.language.phrases import Lines, compile_book, flat

SIGNS = {"add": "", "times": "x ", "set": "= ", "atleast": "at least ", "atmost": "at most ", "min": "at least ", "max": "at most "}

SHORT_NOTHING = "nothing"
"""How a value that was not there is said."""


def listed(library: Library) -> list[Entry]:
    """All entries, by pack, kind and id; products are no entries of a game."""
    return [entry for key, entry in sorted(library.entries.items()) if entry.kind != "product"]


def entry_line(entry: Entry) -> dict[str, str]:
    """An entry as `list --format json` has it: `{"id", "kind", "pack", "name"}`."""
    return {"id": entry.id, "kind": entry.kind, "pack": entry.pack, "name": entry.name}


def entry_data(library: Library, sheets: Mapping[Key, Sheet], lines: Mapping[Key, Lines], entry: Entry) -> dict[str, Any]:
    """An entry as `show --format json` has it: what was typed, with expressions and values in text worked out, its stats, its rows, and the
    lines that it prints."""
    sheet = sheets.get(entry.key)
    data = plain_data(entry.data)
    for path, value in sheet.formulas.items() if sheet else ():
        _put(data, path, plain(value))
    for path, text in sheet.texts.items() if sheet else ():
        _put(data, path, text)
    return {
        **entry_line(entry),
        "data": data,
        "stats": {name: plain(value) for name, value in sheet.stats.items()} if sheet else {},
        "rows": {name: [plain_data(row) for row in rows] for name, rows in sheet.rows.items()} if sheet else {},
        "lines": said(library, lines[entry.key], entry) if entry.key in lines else [],
        "version": library.packs[entry.pack].version,
        **({"like": _named(entry.like)} if entry.like else {}),
        **({"changes": [_change_data(library, change) for change in entry.changes]} if entry.changes else {}),
    }


def said(library: Library, lines: Lines, entry: Entry) -> list[str]:
    """The rules lines of an entry, one after the other: the strip in brackets, the trigger, sentences, options, steps, actions."""
    rules = library.rules[entry.pack]
    book = compile_book({noun: {name: declared.data for name, declared in ids.items()} for noun, ids in rules.items()})
    return [line for line in flat(book, entry.kind, lines) if line]


def explained(library: Library, sheet: Sheet, names: Iterable[str]) -> Iterator[str]:
    """The values of some stats with the steps that made them, a line each."""
    for name in names:
        yield f"{name} {figure(sheet.stats[name])}"
        for step in sheet.steps.get(name, ()):
            yield f"  {_said(library, sheet.key, step)}"


def changed(library: Library, entry: Entry) -> Iterator[str]:
    """From what an entry starts, and who changed what in it, a line each."""
    if entry.like is not None:
        yield f"like {_named(entry.like)}   {entry.document.span((*entry.base, 'like'))}"
    for change in entry.changes:
        by = library.packs[change.pack]
        label = f"{by.id} {by.version}".rstrip()
        before, after = (SHORT_NOTHING if value is None else brief(value) for value in (change.before, change.after))
        yield f"{label}: {change.word} {change.path}   {before} -> {after}   {change.span}"


def brief(value: Value, most: int = 60) -> str:
    """A value on one line, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(plain_data(value), ensure_ascii=False)
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def _change_data(library: Library, change: Change) -> dict[str, Any]:
    by = library.packs[change.pack]
    ends = {"before": plain_data(change.before), "after": plain_data(change.after)}
    return {"pack": by.id, "version": by.version, "word": change.word, "path": change.path, **ends, "at": str(change.span)}


def _named(key: Key) -> str:
    return f"{key[0]}:{key[1]}/{key[2]}"


def place_of(library: Library, key: Key, step: Step) -> Span | None:
    """Where a step of a value of an entry's sheet is written; None where it is written nowhere."""
    if step.rule is not None:
        noun, id = step.rule
        return library.rules[key[0]][noun][id].span(step.path)
    return library.entries[step.source or key].span(step.path) if step.path else None


def _said(library: Library, key: Key, step: Step) -> str:
    if step.move == "base":
        what, source = figure(step.amount).rjust(6), step.note if step.note != figure(step.amount) else ""
        label = f"base {source}".rstrip()
    elif step.move == "input":
        what, label = figure(step.amount).rjust(6), "as typed"
    elif step.move == "round":
        what, label = "", f"rounded ({step.note})"
    else:
        sign = "+" if step.move in ("add", "unused") and step.amount >= 0 else ""
        what = f"{SIGNS.get(step.move, '')}{sign}{figure(step.amount)}".rjust(6)
        label = library.entries[step.source].name if step.source else f"bound {step.note}"
        label += f" ({step.note})" if step.note and step.source else ""
    span = place_of(library, key, step)
    place = f"   {span}" if span else ""
    return f"{what}  -> {figure(step.total).rjust(4)}   {label}{place}"


def page_of(code: str) -> str | None:
    """The page that says what a code means; None where there is no such code."""
    page = Path(__file__).parent / "pages" / f"{code}.md"
    return page.read_text(encoding="utf-8").rstrip() if page.is_file() else None


def plain(value: Value) -> Any:
    """A value as JSON has it: whole numbers as numbers, others exact as text, dice as text."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return figure(value)
    if isinstance(value, Mapping | list):
        return plain_data(value)
    return str(value)


def plain_data(value: Value) -> Any:
    """Data as JSON has it."""
    if isinstance(value, Mapping):
        return {key: plain_data(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain_data(item) for item in value]
    return plain(value)


def _put(data: Any, path: tuple[str | int, ...], value: Any) -> None:
    for step in path[:-1]:
        data = data[step]
    data[path[-1]] = value



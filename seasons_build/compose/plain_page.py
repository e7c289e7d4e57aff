"""What the default page of a kind prints, in order: what a kind has that no theme knows (part of compose).

In: an entry as its templates see it, its sheet, its lines. Out: fields, each a title and a value: those that the kind's own schema lists,
the numbers of its sheet, its rows, what it has and what it has yet to choose, its actions, its rules text, its flavor.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from seasons_build.core.dice_amount import figure
from seasons_build.core.entry import Entry, Library
from seasons_build.core.kind import Kind
from seasons_build.core.sheet import Sheet

HTML = "$html"
BLANK = "____"

HIDDEN = frozenset(
    (
        *("name", "rules", "flavor", "actions", "effects", "options", "steps", "taken", "record", "states"),
        *("provisional", "notes", "claims", "formerly", "waive", "copies", "art", "tags"),
    )
)
"""Fields that have a place of their own, or are for the writers."""
START = "start"
"""What a record begins with, which its numbers say; a kind may have a text of this name."""


class Markup(str):
    """Text that is markup already."""


def fields_of(
    library: Library,
    kind: Kind,
    entry: Entry,
    sheet: Sheet,
    viewed: Mapping[str, Any],
    rows: Mapping[str, Sequence[Mapping[str, Any]]],
    labels: Mapping[str, Mapping[str, Any]],
    said: Collection[str] = (),
) -> list[dict[str, Any]]:
    """The fields of an entry's default page. `viewed` is the entry and `rows` its rows as templates see them, `labels` are those of the
    stats, `said` the fields and rows that have a sentence in the rules text."""
    hidden = HIDDEN.union(said)
    return [
        *_typed(library, kind, entry, viewed, hidden),
        *_numbers(entry, sheet, labels),
        *_rows(library, sheet.key[0], rows, hidden),
        *_things(library, entry, sheet),
        *_open(library, sheet),
        *_uses(_trigger_label(library, kind), viewed),
        *_texts(_trigger_label(library, kind), viewed),
    ]


def _typed(
    library: Library, kind: Kind, entry: Entry, viewed: Mapping[str, Any], hidden: Collection[str]
) -> Iterator[dict[str, Any]]:
    """The fields that the kind's own schema lists. What is a word of the language is said by the rules text; a key that names an entry is
    called as that is."""
    targets = library.targets[entry.key]
    for field in kind.fields:
        if field.own and field.id in entry.data and field.id not in hidden:
            value = viewed[field.id]
            if field.id == START and isinstance(entry.data[START], Mapping):
                continue
            if isinstance(value, Mapping):
                named = {key: targets.get((field.id, key)) for key in value}
                value = {library.entries[target].name if target else key: value[key] for key, target in named.items()}
            yield _field(field.id, field.title, spelled(value), description=field.description)


def _numbers(entry: Entry, sheet: Sheet, labels: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The numbers that the rules work out and that have a label, with those that its record begins with; of a budget what is left."""
    shown = []
    for name, number in sheet.stats.items():
        label = labels.get(name, {})
        if name not in entry.data and label.get("labelled"):
            shown.append(f"{label['short']} {printed(sheet.left.get(name, number))}")
    if shown:
        yield _field("stats", "", ", ".join(shown), "rules")


def _rows(
    library: Library, pack: str, rows: Mapping[str, Sequence[Mapping[str, Any]]], hidden: Collection[str]
) -> Iterator[dict[str, Any]]:
    """The rows of lists that the game gives a title."""
    nouns = library.rules[pack].get("rows", {})
    for name, listed in rows.items():
        data = nouns[name].data if name in nouns else {}
        if listed and "title" in data and name not in hidden:
            words = _joined([_row(row) for row in listed], "; ")
            yield _field(name, str(data["title"]), {HTML: words} if isinstance(words, Markup) else words)


def _row(row: Mapping[str, Any]) -> str:
    named = row.get("name", row["id"])
    values = [_joined([f"{_title(key).lower()} ", _words(value)], "") for key, value in row.items() if key not in ("id", "name")]
    return _joined([str(named), *values])


def _things(library: Library, entry: Entry, sheet: Sheet) -> Iterator[dict[str, Any]]:
    """What its record gave it, by kind; what its fields name is among those."""
    by_kind: dict[str, list[str]] = {}
    named = set(library.targets[entry.key].values())
    for owned in sheet.owned:
        if owned.key in named:
            continue
        name = library.entries[owned.key].name
        by_kind.setdefault(owned.key[1], []).append(f"{name} ×{owned.taken}" if owned.taken > 1 else name)
    for kind, names in by_kind.items():
        found = library.find_kind(sheet.key[0], kind)
        yield _field(f"has.{kind}", found.title if found else _title(kind), ", ".join(names))


def _open(library: Library, sheet: Sheet) -> Iterator[dict[str, Any]]:
    """What it has yet to choose, as blanks."""
    for choice in sheet.open:
        blanks = " ".join([f"{_title(choice.name)}:", *[BLANK] * choice.count])
        yield _field(f"open.{choice.name}", library.entries[choice.entry].name, blanks)


def _uses(label: str, viewed: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for action in viewed.get("actions", ()):
        texts = _said(label, action, action.get("text", ""))
        strip = _strip(action)
        title = _joined([action.get("name", ""), *([strip] if strip else [])], " · ")
        yield _field(action["id"], {HTML: title} if isinstance(title, Markup) else title, texts)


def _texts(label: str, viewed: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    strip = _strip(viewed)
    if "text" in viewed or "trigger" in viewed or strip:
        yield _field("rules", {HTML: strip} if strip else "", _said(label, viewed, viewed.get("text", "")), "rules")
    if "flavor" in viewed:
        yield _field("flavor", "", viewed["flavor"], "flavor")


def _strip(viewed: Mapping[str, Any]) -> Markup | None:
    """What stands in front of a use: its kind, how often, how long."""
    pieces = [piece for piece in viewed.get("strip", ()) if isinstance(piece, Mapping)]
    return Markup(" · ".join(str(piece[HTML]) for piece in pieces)) if pieces else None


def _said(label: str, viewed: Mapping[str, Any], text: Any) -> Any:
    """A rules text, with what sets it off in front."""
    trigger = viewed.get("trigger")
    if not isinstance(trigger, Mapping) or HTML not in trigger:
        return text
    return {HTML: trigger[HTML].replace("<p>", f"<p><strong>{escape(label)}</strong> ", 1) + _markup(text)}


def _trigger_label(library: Library, kind: Kind) -> str:
    """What stands in front of a trigger: the beginning of the game's sentence for it, else the name of the field."""
    noun = library.rules.get(kind.pack, {}).get("phrases", {}).get("trigger")
    front, slot, _ = str(noun.data).partition("{") if noun is not None and isinstance(noun.data, str) else ("", "", "")
    field = kind.field("trigger")
    return front.strip() if slot and front.strip() else field.title if field else ""


def _markup(value: Any) -> str:
    if isinstance(value, Markup):
        return value
    return str(value[HTML]) if isinstance(value, Mapping) and HTML in value else escape(str(value))


def spelled(value: Any) -> Any:
    """A value of a default page: names for references, words for lists and maps; markup where there is some in it."""
    if isinstance(value, list) and any(_is_sentence(item) for item in value):
        return {HTML: f"<ul>{''.join(f'<li>{_markup(_words(item))}</li>' for item in value)}</ul>"}
    words = _words(value)
    return {HTML: words} if isinstance(words, Markup) else words


def _is_sentence(item: Any) -> bool:
    """Whether an item of a list is a sentence, so that it stands on a line of its own."""
    text = re.sub(r"<[^>]*>", "", str(item[HTML])) if isinstance(item, Mapping) and HTML in item else item
    return isinstance(text, str) and text.rstrip().endswith((".", "?", "!"))


def _words(value: Any) -> Any:
    if isinstance(value, dict):
        if HTML in value:
            return Markup(value[HTML])
        if "name" in value:
            return value["name"]
        named = {_bare(name): _words(inner) for name, inner in value.items()}
        return _joined([_joined([f"{name} ", words], "") for name, words in named.items()])
    if isinstance(value, list):
        return _joined([_words(item) for item in value])
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value


def _joined(parts: Sequence[Any], between: str = ", ") -> str:
    if any(isinstance(part, Markup) for part in parts):
        return Markup(between.join(part if isinstance(part, Markup) else escape(str(part)) for part in parts))
    return between.join(str(part) for part in parts)


def printed(value: Any) -> str:
    """A value as it stands in a text: exact, with the true minus sign."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return figure(value).replace("-", "−")
    return str(value).replace(" - ", " − ")


def _bare(name: str) -> str:
    """A name of a map as words; one that is words already stays."""
    return name.replace("-", " ").replace("_", " ") if name.islower() else name


def _title(name: str) -> str:
    """How a name reads where nothing says more of it."""
    return name.replace("-", " ").replace("_", " ").capitalize()


def _field(name: str, title: Any, value: Any, role: str = "", description: str = "") -> dict[str, Any]:
    return {"id": name, "title": title, "description": description, "value": value, "role": role}

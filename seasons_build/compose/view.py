"""What a template sees of an entry: plain data, with references resolved, values printed and text as HTML (part of compose).

This is the interface that theme makers write against; docs/themes.md describes it.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from seasons_build.compose.plain_page import HTML, fields_of
from seasons_build.core.dice_amount import decimals, figure
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Key, Library, Noun
from seasons_build.core.job import ENTRY_LINK
from seasons_build.core.kind import Kind
from seasons_build.core.regex import regex
from seasons_build.core.sheet import Sheet, Step
from seasons_build.core.span import Path
from seasons_build.language.phrases import Lines, Part
from seasons_build.language.rules import chance_in
from seasons_build.language.text import anchor, to_html
from seasons_build.language.text import plain as plain_text

if TYPE_CHECKING:
    from seasons_build.core.balance import BalanceTable

_SPOKEN = regex(r"[A-Z][\w ]*\Z")
"""Words that stand beside an icon and name what it stands for."""


PICTURE = "art"
LABELS, FIELDS = "labels", "fields"
WHOLE = (LABELS, FIELDS)
"""The parts of a view that are made for who asks."""


class Viewer:
    """Makes views of the entries of one pack, in the words of its game."""

    def __init__(
        self, library: Library, sheets: Mapping[Key, Sheet], lines: Mapping[Key, Lines], pack: str, art: Mapping[Key, str]
    ) -> None:
        self._library = library
        self._sheets = sheets
        self._lines = lines
        self._pack = pack
        self._art = art
        self._rules = library.rules[pack]
        self.icons: Mapping[str, str] = {name: str(noun.data) for name, noun in self._rules.get("icons", {}).items()}
        self._labels: dict[str, dict[str, Any]] | None = None

    def context(self, entry: Entry, product: Mapping[str, Any], ink: str = "", asked: Container[str] = WHOLE) -> dict[str, Any]:
        """All that a template of an entry may read, but for `fit`, which the typesetter adds. What is much and read by few stays empty
        where it is not `asked` for: the labels, and the fields of the kind."""
        kind = self._library.kind_of(entry)
        own = self._own(entry)
        return {
            **own,
            "labels": self.labels() if LABELS in asked else {},
            "kind": {
                "id": kind.id,
                "title": kind.title,
                "fields": self._fields(kind, entry, own["entry"], own["rows"]) if FIELDS in asked else [],
            },
            "game": self._about(self.game(entry.pack)),
            "pack": self._about(entry.pack),
            "product": dict(product),
            "ink": ink,
            "heading": "h2",
        }

    def things(self, entry: Entry) -> list[dict[str, Any]]:
        """What a template sees of the things that an entry has: each as on a page of its own, with its state and how often it was taken."""
        made: list[dict[str, Any]] = []
        for owned in self._sheets[entry.key].owned:
            thing = self._library.entries[owned.key]
            if owned.key in self._sheets:
                seen = self._own(thing)
                made.append({**seen, "id": thing.id, "kind": thing.kind, "name": thing.name, "state": owned.state, "taken": owned.taken})
        return made

    def _own(self, entry: Entry) -> dict[str, Any]:
        sheet = self._sheets[entry.key]
        return {
            "entry": self.entry(entry),
            "stats": {name: plain(value) for name, value in sheet.stats.items()},
            "rows": {name: [{k: self._cell(name, k, v) for k, v in row.items()} for row in rows] for name, rows in sheet.rows.items()},
            "sums": {name: [self._step(step) for step in steps] for name, steps in sheet.steps.items()},
        }

    def _step(self, step: Step) -> dict[str, Any]:
        """One step of a number: what was done, by how much, what it was then, and the name of the entry that did it, if one did."""
        source = self._library.entries[step.source].name if step.source is not None else ""
        return {"move": step.move, "amount": plain(step.amount), "total": plain(step.total), "name": source}

    def blank(self, kind: Kind, product: Mapping[str, Any], ink: str = "") -> dict[str, Any]:
        """What a template of an empty sheet may read: every number of the kind's sheets is an empty text, and there are no rows."""
        of_kind = [self._sheets[e.key] for e in self._library.of_kind(self._pack, kind.id) if e.key in self._sheets]
        names = dict.fromkeys(name for sheet in of_kind for name in sheet.stats)
        rows = dict.fromkeys(name for sheet in of_kind for name in sheet.rows)
        return {
            "entry": {"id": "", "kind": kind.id, "pack": self._pack, "name": ""},
            "stats": dict.fromkeys(names, ""),
            "rows": {name: [] for name in rows},
            "sums": {},
            "labels": self.labels(),
            "kind": {"id": kind.id, "title": kind.title, "fields": []},
            "game": self._about(self.game(self._pack)),
            "pack": self._about(self._pack),
            "product": dict(product),
            "ink": ink,
        }

    def _fields(self, kind: Kind, entry: Entry, viewed: Mapping[str, Any], rows: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The fields of the default page; what the game has a sentence for stands in its rules text."""
        said = frozenset(self._sentences(kind.id)) if "rules" not in entry.data else frozenset()
        return fields_of(self._library, kind, entry, self._sheets[entry.key], viewed, rows, self.labels(), said)

    def _sentences(self, kind: str) -> Mapping[str, Value]:
        """The sentences that the game has for fields of a kind, by field."""
        sentences = self._rules.get("phrases", {}).get("fields")
        of_kind = sentences.data.get(kind) if sentences is not None and isinstance(sentences.data, Mapping) else None
        return of_kind if isinstance(of_kind, Mapping) else {}

    def entry(self, entry: Entry) -> dict[str, Any]:
        """The fields of an entry, made ready to print."""
        sheet = self._sheets[entry.key]
        prose = {p.path: p.role for p in entry.announced.prose}
        nouns = {w.path: w.noun for w in entry.announced.words if not w.key}
        targets = self._library.targets[entry.key]

        def walk(value: Value, path: Path) -> Any:
            if path in targets and isinstance(value, str):
                return self.reference(targets[path])
            if path in prose and isinstance(value, str):
                text = sheet.texts.get(path, value)
                return text if prose[path] == "label" else self.html(text)
            if path in sheet.formulas:
                return plain(sheet.formulas[path])
            if path in nouns and nouns[path] == "stats" and isinstance(value, str):
                return {"id": value, **self.labels().get(value, {})}
            if isinstance(value, Mapping):
                if path == ("actions",):
                    return [self._action(key, walk(inner, (*path, key)), inner) for key, inner in value.items()]
                return {_key(key): walk(inner, (*path, key)) for key, inner in value.items()}
            if isinstance(value, list):
                return [walk(item, (*path, index)) for index, item in enumerate(value)]
            return plain(value)

        made = {key: walk(value, (key,)) for key, value in entry.data.items()}
        made |= self._said(entry, made)
        use = entry.data.get("use")
        if isinstance(use, str):
            made["use"] = self._use(use, entry.data.get("cost"))
        made.pop(PICTURE, None)
        if entry.key in self._art or self._placeholder(entry):
            made[PICTURE] = self._picture(entry)
        return {**made, "id": entry.id, "kind": entry.kind, "pack": entry.pack, "name": made.get("name", entry.name)}

    def _picture(self, entry: Entry) -> dict[str, Any]:
        """The picture of an entry: where a template finds it, what of it must stay in view (as CSS says it), and whose it is."""
        typed = entry.data[PICTURE]
        across, down = typed.get("focus", (50, 50))
        return {
            "src": f"images/{quote(self._art[entry.key])}" if entry.key in self._art else "",
            "focus": f"{across}% {down}%",
            "credit": typed.get("credit", ""),
            "licence": typed.get("licence", ""),
            "placeholder": self._placeholder(entry),
        }

    def _placeholder(self, entry: Entry) -> str:
        """What stands in place of a picture that is still to come."""
        typed = entry.data.get(PICTURE)
        found = typed.get("placeholder") if isinstance(typed, Mapping) and "file" not in typed else None
        return found if isinstance(found, str) else ""

    def balance(self, table: BalanceTable) -> dict[str, Any]:
        """A table of expected Rounds, to hundredths."""
        rows = [
            {
                "name": self._library.entries[key].name,
                "cells": [{"rounds": "–" if c.rounds is None else decimals(c.rounds, 2), "off": c.off} for c in cells],
            }
            for key, cells in table.rows
        ]
        off = any(cell.off for _, cells in table.rows for cell in cells)
        columns = [plain(column) for column in table.columns]
        return {"id": table.id, "title": table.title, "columns": columns, "column_name": table.column_name, "rows": rows, "off": off}

    def written(self, entry: Entry, drawn: Collection[str] = ()) -> Iterator[tuple[str, str]]:
        """The generated texts of an entry, as bare words, by the name of the part that they belong to; without the lines of fields that
        its face draws in another way."""
        lines = self._lines.get(entry.key)
        if lines is None:
            return
        if "rules" not in entry.data:
            left = {line for name, line in lines.fields if name in drawn}
            said = [line for line in (*lines.opening, *lines.lines, *lines.closing) if line not in left]
            yield "rules", plain_text(_markdown(said, lines.options, lines.steps), self.icons, self.said_of)
            yield "trigger", plain_text(lines.trigger, self.icons, self.said_of)
        typed = entry.data.get("actions")
        for part in lines.actions:
            action = typed.get(part.id) if isinstance(typed, Mapping) else None
            if not (isinstance(action, Mapping) and "rules" in action):
                yield f"actions.{part.id}", plain_text(_markdown(part.lines, part.options), self.icons, self.said_of)
                yield f"actions.{part.id}.trigger", plain_text(part.trigger, self.icons, self.said_of)

    def _said(self, entry: Entry, made: Mapping[str, Any]) -> dict[str, Any]:
        """The rules text of an entry itself: typed, else generated; where fields have lines in it, the rest of it alone, too; its strip and
        its trigger."""
        lines = self._lines.get(entry.key)
        if lines is None:
            return {"text": made["rules"]} if "rules" in made else {}
        said: dict[str, Any] = {}
        generated = _markdown((*lines.opening, *lines.lines, *lines.closing), lines.options, lines.steps)
        if "rules" in made or generated:
            said["text"] = made["rules"] if "rules" in made else self.html(generated)
        if self._sentences(entry.kind):
            besides = _markdown(lines.lines, lines.options, lines.steps)
            if "rules" in made or besides:
                said["besides"] = made["rules"] if "rules" in made else self.html(besides)
        if lines.falls and "rules" not in made:
            said |= self._falls(lines)
        if lines.trigger:
            said["trigger"] = self.html(lines.trigger)
        said["strip"] = [self.html(part, block=False) for part in lines.strip]
        for action in made.get("actions", ()):
            part = next((p for p in lines.actions if p.id == action["id"]), None)
            if part is not None:
                action["text"] = action["rules"] if "rules" in action else self.html(_markdown(part.lines, part.options))
                action["strip"] = [self.html(piece, block=False) for piece in part.strip]
                if part.falls and "rules" not in action:
                    action |= self._falls(part)
                if part.trigger:
                    action["trigger"] = self.html(part.trigger)
        return said

    def _falls(self, said: Lines | Part) -> dict[str, Any]:
        """The outcomes of a roll, each with its own words, and what stands before them."""
        falls = [{"id": f.id, "lead": self.html(f.lead, block=False), "text": self.html(f.text, block=False)} for f in said.falls]
        return {"head": self.html(said.head), "outcomes": falls}

    def reference(self, key: Key) -> dict[str, Any]:
        """What a template sees of an entry that another one names: its plain fields."""
        entry = self._library.entries[key]
        targets = self._library.targets[key]
        data = {name: self._named(targets[name,]) if (name,) in targets else plain_data(value) for name, value in entry.data.items()}
        return {**data, "id": entry.id, "kind": entry.kind, "pack": entry.pack, "name": entry.name}

    def _cell(self, rows: str, name: str, value: Value) -> Any:
        """A value of a row as it is printed: a chance in per cent, a mean to one place, anything else as it is."""
        noun = self._rules.get("rows", {}).get(rows)
        said = noun.data.get("say") if noun is not None and isinstance(noun.data, Mapping) else None
        if isinstance(said, Mapping) and name in said:
            return self.html(str(value), block=False)
        chance = chance_in(noun, name, value)
        return plain(value) if chance is None else chance

    def _named(self, key: Key) -> dict[str, str]:
        entry = self._library.entries[key]
        return {"id": entry.id, "kind": entry.kind, "pack": entry.pack, "name": entry.name}

    def html(self, text: str, *, block: bool = True) -> dict[str, str]:
        """A text as markup that a template prints as it is."""
        return {HTML: to_html(text, self.icons, self._link, block=block)}

    def labels(self) -> Mapping[str, Mapping[str, Any]]:
        """How each stat and track is called: `say` (HTML), `short`, `icon` (its character), `name`."""
        if self._labels is None:
            tracks, stats = self._rules.get("tracks", {}), self._rules.get("stats", {})
            self._labels = {name: self._label(name, tracks.get(name), stats.get(name)) for name in {**tracks, **stats}}
        return self._labels

    def spoken(self) -> tuple[tuple[str, str], ...]:
        """The icons of the game and what they are read out as: the words that a number or a track has with its icon, else its short name,
        else the name of the icon."""
        called = {glyph: name.replace("-", " ") for name, glyph in self.icons.items()}
        tracks, stats = self._rules.get("tracks", {}), self._rules.get("stats", {})
        for nouns in (stats, tracks):
            for name, noun in reversed(tuple(nouns.items())):
                label = self._label(name, noun)
                if label["icon"]:
                    said = noun.data.get("say") if isinstance(noun.data, Mapping) else None
                    words = said.removeprefix(f":{noun.data['icon']}: ") if isinstance(said, str) else ""
                    called[label["icon"]] = words if _SPOKEN.match(words) else label["short"]
        return tuple(sorted(called.items()))

    def game(self, pack: str) -> str:
        """The pack that an entry's game is: the last one that the pack builds on."""
        return self._library.packs[pack].scope[-1]

    def _label(self, name: str, *nouns: Noun | None) -> dict[str, Any]:
        """What a name is called by the nouns that have it: a stat says it before the track of the same name."""
        data = {key: said for noun in nouns if noun and isinstance(noun.data, Mapping) for key, said in noun.data.items()}
        icon = data.get("icon")
        short = data.get("short") or name.replace("_", " ").capitalize()
        glyph = self.icons.get(icon, "") if isinstance(icon, str) else ""
        said = data.get("say")
        spoken = self.html(said, block=False) if isinstance(said, str) and "{" not in said else short
        return {"name": short, "short": short, "icon": glyph, "say": spoken, "labelled": "short" in data}

    def _action(self, key: str, action: Any, typed: Value) -> Any:
        if not isinstance(action, dict):
            return action
        made = {**action, "id": key, "text": action.get("rules", "")}
        use = typed.get("use") if isinstance(typed, Mapping) else None
        if isinstance(use, str):
            made["use"] = self._use(use, typed.get("cost"))
        return made

    def _use(self, use: str, cost: Value) -> dict[str, Any]:
        noun = self._rules.get("uses", {}).get(use)
        data = noun.data if noun is not None and isinstance(noun.data, Mapping) else {}
        price = cost if isinstance(cost, Mapping) else data.get("cost", {})
        points = sum(n for n in price.values() if isinstance(n, int)) if isinstance(price, Mapping) else 0
        glyph = self.icons.get(str(data.get("pips", "")), "")
        said = data.get("say") if isinstance(data, Mapping) and data else noun.data if noun is not None else use
        spoken = self.html(str(said), block=False) if said else use
        return {"id": use, "say": spoken, "price": {k: plain(v) for k, v in price.items()}, "pips": glyph * max(points, 1)}

    def _about(self, pack: str) -> dict[str, str]:
        found = self._library.packs[pack]
        return {"id": found.id, "title": found.title, "version": found.version}

    def _link(self, text: str) -> str:
        entry = self._meant(text)
        return anchor(f"#{entry.kind}/{entry.id}", entry.name, ENTRY_LINK) if entry is not None else anchor("", text)

    def said_of(self, text: str) -> str:
        """The words of a `[[link]]`: the name of the entry that it leads to."""
        entry = self._meant(text)
        return entry.name if entry is not None else text

    def _meant(self, text: str) -> Entry | None:
        kind, _, name = text.rpartition(":")[2].partition("/")
        return next((entry for entry in self._library.of_kind(self._pack, kind) if entry.id == name), None)


def _markdown(sentences: Sequence[str], *parts: Sequence[Part]) -> str:
    """Sentences as paragraphs, and the parts below them as they are written: options as a list, steps as paragraphs."""
    blocks = [sentence for sentence in sentences if sentence]
    for group in parts:
        listed = [part.line for part in group]
        blocks += ["\n".join(listed)] if listed and all(line.startswith("- ") for line in listed) else listed
    return "\n\n".join(blocks)


def plain(value: Value) -> Any:
    """A value as JSON has it: exact numbers that are no whole ones as text, dice as text."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return figure(value)
    if isinstance(value, Mapping | list):
        return plain_data(value)
    return str(value).replace(" - ", " − ")


def plain_data(value: Value) -> Any:
    """Data as JSON has it."""
    if isinstance(value, Mapping):
        return {_key(key): plain_data(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain_data(item) for item in value]
    return plain(value)


def _key(key: str) -> str:
    """A key of data: none is taken for the mark of what is ready to print, wherever it was typed."""
    return f"${key}" if key.startswith("$") else key

"""Entries as they were worked out, for texts that stand elsewhere: what a formula reads of them, and how a value of theirs is said.

In: a library and the finished sheets. Out: what an expression runs against, and words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.names import in_expressions
from seasons_build.core.regex import regex
from seasons_build.core.sheet import Owned, Sheet
from seasons_build.core.span import Path
from seasons_build.evaluate.environs import printed
from seasons_build.evaluate.fields import Absent, Reader
from seasons_build.evaluate.tables import look_up
from seasons_build.language.rules import kinds_meant

NAME = regex(r"[a-z][\w.]*\Z")


class Settled:
    """The entries that a pack may read, each with its finished sheet."""

    def __init__(self, library: Library, pack: str, sheets: Mapping[Key, Sheet]) -> None:
        self.library = library
        self.pack = pack
        self.sheets = sheets
        self.reader = Reader(library, self._formula)

    def env(self, entry: Entry, owned: Owned | None = None) -> SettledEnv:
        """What a formula on an entry reads; of a thing that somebody has also its state and how often it was taken."""
        extra: dict[str, Value] = {} if owned is None else {"state": owned.state, "taken": owned.taken, "id": owned.key[2]}
        return SettledEnv(self, entry, extra)

    def _formula(self, entry: Entry, path: Path) -> Value:
        sheet = self.sheets.get(entry.key)
        if sheet is None or path not in sheet.formulas:
            raise Absent(".".join(map(str, path)))
        return sheet.formulas[path]

    def said(self, entry: Entry, expression: str, value: Value) -> str:
        """A value as a text says it: a text with its values, the name of what a field names, several with commas, else what it comes to."""
        sheet = self.sheets[entry.key]
        name = expression.strip()
        field = name if name in entry.data else next((key for key in entry.data if in_expressions(key) == name), None)
        if not NAME.match(name) or field is None:
            return self._plain(value)
        if (field,) in sheet.texts:
            return sheet.texts[field,]
        return self._named(entry, (field,), entry.data[field], value)

    def _named(self, entry: Entry, path: Path, typed: Value, value: Value) -> str:
        target = self.library.targets[entry.key].get(path)
        if target is not None:
            return self.library.entries[target].name
        if isinstance(typed, list):
            return ", ".join(self._named(entry, (*path, index), item, item) for index, item in enumerate(typed))
        word = next((word for word in entry.announced.words if word.path == path and not word.key), None)
        noun = self.library.rules[self.pack].get(word.noun, {}).get(word.text) if word else None
        if noun is not None:
            said = noun.data.get("short") or noun.data.get("name") if isinstance(noun.data, dict) else noun.data
            if isinstance(said, str):
                return said
        return word.text.replace("-", " ").replace("_", " ").capitalize() if word else self._plain(value)

    def _plain(self, value: Value) -> str:
        if isinstance(value, list | tuple):
            return ", ".join(self._plain(item) for item in value)
        return printed(value)


class SettledEnv:
    """What formulas read of one entry, once everything is worked out."""

    def __init__(self, settled: Settled, entry: Entry, extra: Mapping[str, Value]) -> None:
        self._settled = settled
        self._entry = entry
        self._extra = extra
        self._sheet = settled.sheets[entry.key]

    def value(self, name: str) -> Value:
        if name in self._extra:
            return self._extra[name]
        if name in self._sheet.stats:
            return self._sheet.stats[name]
        return self._settled.reader.read(self._entry, self._entry.data, (), name)

    def table(self, name: str, keys: tuple[Value, ...]) -> Value | None:
        return look_up(self._settled.library.rules[self._settled.pack]["tables"][name].data, keys)

    def taken(self, entry: str) -> int:
        return sum(o.taken for o in self._sheet.owned if entry in (o.key[2], in_expressions(o.key[2])))

    def has(self, entry: str) -> bool:
        return self.taken(entry) > 0

    def owned(self, kind: str) -> Sequence[SettledEnv]:
        entries = self._settled.library.entries
        return [self._settled.env(entries[o.key], o) for o in self._of(kind) if o.key in self._settled.sheets]

    def highest(self, kinds: tuple[str, ...]) -> int:
        return max((o.taken for kind in kinds for o in self._of(kind)), default=0)

    def stat(self, name: str) -> Value | None:
        return self._sheet.stats.get(name)

    def _of(self, kind: str) -> list[Owned]:
        library, pack = self._settled.library, self._settled.pack
        meant = kinds_meant(library, pack, kind) or kinds_meant(library, pack, kind.replace("_", "-"))
        return [o for o in self._sheet.owned if o.key[1] in meant]

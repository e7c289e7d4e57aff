"""What formulas read while a sheet is worked out: from the entry itself, from one thing it has, from a row of a list, for an effect."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from seasons_build.core.dice_amount import figure
from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Entry, Noun
from seasons_build.core.sheet import Owned
from seasons_build.core.span import Path
from seasons_build.evaluate.effects import Effect
from seasons_build.evaluate.fields import Absent
from seasons_build.language.expression import Env

if TYPE_CHECKING:
    from seasons_build.evaluate.sheets import SheetWork


class Circle(Exception):
    """A stat was asked for while it was being worked out."""

    def __init__(self, ring: tuple[str, ...]) -> None:
        super().__init__(" -> ".join(ring))
        self.ring = ring


class SheetEnv:
    """What the formulas of one entry read."""

    def __init__(self, worker: SheetWork, levels: tuple[tuple[Path, Value], ...], extra: Mapping[str, Value], entry: Entry) -> None:
        self._work = worker
        self._levels = levels
        self._extra = extra
        self._entry = entry

    def value(self, name: str) -> Value:
        if name in self._extra:
            return self._extra[name]
        work = self._work
        own = self._entry is work.entry
        if own:
            work.asked.add(name)
        levels = self._levels
        for level in levels[:-1] if len(levels) > 1 else ():
            found = self._field(level, name)
            if found is not None:
                return found
        outer = levels[-1]
        if (work.program.sheet or not own) and work.is_stat(name) and (own or self._field(outer, name) is None):
            return work.stat(name)
        found = self._field(outer, name)
        if found is None:
            raise Absent(name)
        return found

    def _field(self, level: tuple[Path, Value], name: str) -> Value | None:
        try:
            return self._work.reader.find(self._entry, level[1], level[0], name)
        except Absent:
            return None

    def table(self, name: str, keys: tuple[Value, ...]) -> Value | None:
        return self._work.compiler.game.look_up(name, keys)

    def taken(self, entry: str) -> int:
        return self._work.taken(entry)

    def has(self, entry: str) -> bool:
        return self.taken(entry) > 0

    def owned(self, kind: str) -> Sequence[OwnedEnv]:
        game = self._work.compiler.game
        kinds = game.meant(kind) or game.meant(kind.replace("_", "-"))
        return [OwnedEnv(self._work, o) for o in self._work.owned if o.key[1] in kinds]

    def highest(self, kinds: tuple[str, ...]) -> int:
        game = self._work.compiler.game
        meant = {k for kind in kinds for k in (game.meant(kind) or (kind.replace("_", "-"),))}
        return max((o.taken for o in self._work.owned if o.key[1] in meant), default=0)

    def stat(self, name: str) -> Value | None:
        # A thing that leaves the word out names no stat.
        return self._work.stat(name) if isinstance(name, str) and self._work.is_stat(name) else None


class OwnedEnv(SheetEnv):
    """What is read in one owned entry: its fields, its state, how often it was taken, what the rules derive for it."""

    def __init__(self, work: SheetWork, owned: Owned) -> None:
        entry = work.compiler.game.library.entries[owned.key]
        own = {"state": owned.state, "taken": owned.taken, "id": owned.key[2]}
        super().__init__(work, (((), entry.data),), own, entry)
        self._owned = owned

    def value(self, name: str) -> Value:
        derived = self._work.derived_of(self._owned, self, name)
        if derived is not None:
            return derived
        try:
            return super().value(name)
        except Absent:
            # What one of many things leaves out adds nothing to a sum and meets no condition.
            return 0


class RowEnv:
    """What the texts of a row read: its values, then whatever its formulas do."""

    def __init__(self, inner: Env, given: Mapping[str, Value]) -> None:
        self._inner = inner
        self._given = given

    def value(self, name: str) -> Value:
        return self._given[name] if name in self._given else self._inner.value(name)

    def table(self, name: str, keys: tuple[Value, ...]) -> Value | None:
        return self._inner.table(name, keys)

    def taken(self, entry: str) -> int:
        return self._inner.taken(entry)

    def has(self, entry: str) -> bool:
        return self._inner.has(entry)

    def owned(self, kind: str) -> Collection[Env]:
        return self._inner.owned(kind)

    def highest(self, kinds: tuple[str, ...]) -> int:
        return self._inner.highest(kinds)

    def stat(self, name: str) -> Value | None:
        return self._inner.stat(name)


class Borne:
    """What the amount of one effect reads."""

    def __init__(self, work: SheetWork, effect: Effect) -> None:
        self._work = work
        self._effect = effect

    def stat(self, name: str) -> Number:
        if not self._work.is_stat(name):
            raise Absent(name)
        return self._work.stat(name)

    def amount_formula(self, path: Path, text: str) -> Value:
        return self._work.effect_value(self._effect, path, text, None)

    def quantity(self, noun: Noun, arguments: Mapping[str, Value]) -> Value:
        return self._work.quantity_value(noun, arguments)


def printed(value: Value) -> str:
    """A value as it stands in a text: exact, with the true minus sign."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | Fraction):
        return figure(value).replace("-", "−")
    return str(value).replace(" - ", " − ")

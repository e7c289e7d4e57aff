"""The rows of the lists that templates print, worked out on one sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Number, Value
from seasons_build.core.sheet import Owned
from seasons_build.core.span import Path
from seasons_build.evaluate.environs import Circle, OwnedEnv, RowEnv, SheetEnv, printed
from seasons_build.evaluate.fields import Absent, Failed, Faulty
from seasons_build.evaluate.game import Formula
from seasons_build.evaluate.row_lists import Chance, Reading, Rows, Things
from seasons_build.language.expression import Compiled, Problem

if TYPE_CHECKING:
    from seasons_build.evaluate.sheets import SheetWork

Place: TypeAlias = Callable[[Problem], Diagnostic]
"""Where a problem of one value of a row is told."""


class RowWork:
    """The work on the lists of one sheet."""

    def __init__(self, work: SheetWork) -> None:
        self._work = work

    def made(self, rows: Rows) -> Iterator[Mapping[str, Value]]:
        """The rows of one list, each with the values that it has."""
        made = 0
        asked = [(name, work, self._at(rows, (form, name))) for form, name, work in self._asked(rows)]
        when = self._at(rows, ("when",))
        for row, env in self._each(rows):
            if rows.most is not None and made == rows.most:
                return
            try:
                if rows.when is not None and not self._work.told(rows.when, env, when):
                    continue
            except (Absent, Failed, Circle):
                continue
            given = {"id": row}
            for name, work, place in asked:
                try:
                    given[name] = work(env, place)
                except Faulty:
                    self._work.whole = False
                except (Absent, Failed, Circle):
                    continue
            for name, parts in rows.say.items():
                text = self._row_text(parts, RowEnv(env, given), self._at(rows, ("say", name)))
                if text:
                    given[name] = text
            if len(given) > 1 and all(name in given for name in rows.must):
                made += 1
                yield given

    def _asked(self, rows: Rows) -> Iterator[tuple[str, str, Callable[[SheetEnv, Place], Value]]]:
        """The values of a row: the form that gives each, its name, and what works it out."""
        yield from (("give", name, partial(self._given, formula)) for name, formula in rows.give.items())
        yield from (("chances", name, partial(self._chance, chance)) for name, chance in rows.chances.items())
        yield from (("reads", name, partial(self._reading, reading)) for name, reading in rows.reads.items())

    def _chance(self, chance: Chance, env: SheetEnv, place: Place) -> Number:
        """A figure out of a roll's odds, for what this row gives the roll."""
        arguments = {name: self._given(formula, env, place) for name, formula in chance.arguments.items()}
        with self._refusals(place):
            return self._work.compiler.odds(chance.roll, arguments, chance.outcomes)

    def _reading(self, reading: Reading, env: SheetEnv, place: Place) -> Value:
        """What a roll reads, for what this row gives it and with its dice as this row lays them."""
        arguments = {name: self._given(formula, env, place) for name, formula in reading.arguments.items()}
        dice = {name: self._given(formula, env, place) for name, formula in reading.dice.items()}
        with self._refusals(place):
            return self._work.compiler.roll(reading.roll).reading(reading.name, arguments, dice)

    @contextmanager
    def _refusals(self, place: Place) -> Iterator[None]:
        """Tells where a roll refuses what it is given."""
        from seasons_build.language.dice import Refused

        try:
            yield
        except Refused as refused:
            problem = refused.problem
            self._work.say(place(Problem(problem.code, problem.message, 0, 0, problem.hints)))
            raise Failed from refused

    def _row_text(self, parts: tuple[str | Compiled, ...], env: RowEnv, place: Place) -> str:
        """A text of a row with its values; nothing where one of them cannot be worked out."""
        said: list[str] = []
        for part in parts:
            try:
                said.append(part if isinstance(part, str) else printed(self._work.told(part, env, place)))
            except (Absent, Failed, Circle):
                return ""
        return "".join(said)

    def _given(self, formula: Formula, env: SheetEnv, place: Place) -> Value:
        return formula.fixed if formula.compiled is None else self._work.told(formula.compiled, env, place)

    def _at(self, rows: Rows, path: Path) -> Place:
        return lambda problem: problem.located(rows.noun.document, ("rules", rows.noun.noun, rows.noun.id, *path))

    def _each(self, rows: Rows) -> Iterator[tuple[Value, SheetEnv]]:
        """The rows of a list, each with its name and what its formulas read."""
        outer: tuple[Path, Value] = ((), self._work.entry.data)
        if isinstance(rows.each, Things):
            yield from ((owned.key[2], OwnedEnv(self._work, owned)) for owned in self._things(rows.each))
            return
        if not isinstance(rows.each, str):
            yield from ((item, self._with(rows.names, item)) for item in rows.each)
            return
        listed = self._work.entry.data.get(rows.each)
        pairs: list[tuple[Any, Value]] = []
        if isinstance(listed, dict | list):
            pairs = list(listed.items() if isinstance(listed, dict) else enumerate(listed))
        for key, value in pairs:
            yield key, SheetEnv(self._work, (((rows.each, key), value), outer), {"id": key}, self._work.entry)

    def _with(self, names: tuple[str, ...], item: Value) -> SheetEnv:
        """What a row of a list reads: its own value under its names, and where one is a stat, a sheet as it is with that number for it."""
        stats = {name: item for name in names if name in self._work.program.stats and isinstance(item, int)}
        work = self._work.with_inputs(stats) if stats else self._work
        return SheetEnv(work, (((), self._work.entry.data),), dict.fromkeys(names, item), self._work.entry)

    def _things(self, each: Things) -> Iterator[Owned]:
        """The entries of a kind or group: those that the sheet has, or all, taken or not."""
        game = self._work.compiler.game
        held = {owned.key: owned for owned in self._work.owned}
        of_kinds = {key[1] for key in held}
        for kind in game.meant(each.word):
            for key in game.library.keys_of_kind(game.pack, kind) if kind in of_kinds or not each.owned else ():
                if (key in held or not each.owned) and not game.library.entries[key].broken:
                    yield held.get(key) or Owned(key, self._work.rest(kind), 0)

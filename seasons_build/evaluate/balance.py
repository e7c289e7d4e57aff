"""How long a foe lasts, or what a weapon is worth: exact expected Rounds against the game's own anchors (part of evaluate).

In: the game's `balance` and the entries it is for. Out: a table for each, an entry a row, with what lies off its anchor. A Round is a
number of attacks, each a roll with its arguments; a foe may have several bars, worn down one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from seasons_build.core.balance import BalanceTable, Cell
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Entry, Noun
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.span import Path
from seasons_build.evaluate.environs import Circle, SheetEnv
from seasons_build.evaluate.fields import Absent, Failed
from seasons_build.evaluate.game import EntryScope, Formula, Game
from seasons_build.evaluate.program import Program
from seasons_build.evaluate.row_lists import Rows
from seasons_build.evaluate.row_values import RowWork
from seasons_build.evaluate.sheets import SheetWork
from seasons_build.language.dice import Distribution, Pool, Refused, Roll, Rolls, rounds_through
from seasons_build.language.expression import NUMBER, Problem, Type

BALANCE = "balance"
HUNDREDTH = Fraction(1, 100)


class Attack(NamedTuple):
    """One kind of attack in a Round, and how often it is made."""

    times: int
    roll: Roll
    arguments: Mapping[str, Formula]


class _Plan(NamedTuple):
    noun: Noun
    columns: tuple[Number, ...]
    name: str
    points: Formula
    attacks: tuple[Attack, ...]
    bars: Rows | None
    least: Formula | None
    most: Formula | None


class Weigher:
    """Works the balances of one pack out."""

    def __init__(self, game: Game, rolls: Rolls, program: Callable[[str], Program], work: Callable[[Entry], SheetWork]) -> None:
        self._game = game
        self._rolls = rolls
        self._program = program
        self._work = work
        self.found: list[Diagnostic] = []
        self._memo: dict[tuple[Any, ...], Distribution | None] = {}

    def tables(self, only: Callable[[Entry], bool] = lambda entry: True) -> Iterator[BalanceTable]:
        """The tables of the balances that the pack itself declares, with all of their entries or some only.

        Codes: E545 (a balance that cannot be worked out), E546 (a roll that is not there), W545 (an entry off its anchor).
        """
        for noun in self._game.rules.get(BALANCE, {}).values():
            if noun.pack != self._game.pack or not isinstance(noun.data, dict):
                continue
            data: Mapping[str, Any] = noun.data
            kind = str(data.get("for", ""))
            found = self._game.library.find_kind(self._game.pack, kind)
            plan = self._plan(noun, data, kind) if found else None
            if found is None:
                self.found.append(Diagnostic("E545", f"`{kind}` is no kind", noun.span(("for",)), did_you_mean(kind, self._game.kinds)))
            if plan is None:
                continue
            entries = [e for e in self._game.library.of_kind(self._game.pack, kind) if not e.broken and only(e)]
            rows = tuple((e.key, tuple(self._cells(plan, e))) for e in entries)
            yield BalanceTable(self._game.pack, noun.id, str(data.get("title", noun.id)), plan.columns, plan.name, rows)

    def _plan(self, noun: Noun, data: Mapping[str, Any], kind: str) -> _Plan | None:
        program = self._program(kind)
        name = str(data.get("as", "column"))
        each = data.get("each")
        columns: tuple[Number, ...] = tuple(n for n in each if isinstance(n, int)) if isinstance(each, list) else (1,)
        bars = next((rows for rows in program.rows if rows.id == data.get("bars")), None)
        extra: dict[str, Type] = {name: NUMBER}
        if bars is not None:
            extra |= {key: f.compiled.type if f.compiled else NUMBER for key, f in bars.give.items()}
        scope = program.scope.with_names((), extra)
        points = self._game.formula(data.get("points"), NUMBER, scope, noun, ("points",))
        attacks = [self._attack(noun, scope, a, ("attacks", i)) for i, a in enumerate(data.get("attacks") or ())]
        anchor: Mapping[str, Any] = data["anchor"] if isinstance(data.get("anchor"), dict) else {}
        least = self._game.formula(anchor.get("least"), NUMBER, scope, noun, ("anchor", "least"))
        most = self._game.formula(anchor.get("most"), NUMBER, scope, noun, ("anchor", "most"))
        whole = [a for a in attacks if a is not None]
        if points is None or not whole or len(whole) != len(attacks):
            return None
        return _Plan(noun, columns, name, points, tuple(whole), bars, least, most)

    def _attack(self, noun: Noun, scope: EntryScope, data: Value, path: Path) -> Attack | None:
        given: Mapping[str, Any] = data if isinstance(data, dict) else {}
        roll = self._rolls.rolls.get(str(given.get("roll")))
        if roll is None:
            if given.get("roll") in self._game.rules.get("rolls", {}):
                return None  # What is wrong with it is told where it stands.
            near = did_you_mean(str(given.get("roll")), self._rolls.rolls)
            self.found.append(Diagnostic("E546", f"there is no roll `{given.get('roll')}`", noun.span((*path, "roll")), near))
            return None
        arguments: dict[str, Formula] = {}
        for name, value in (given.get("with") or {}).items():
            formula = self._game.formula(value, None, scope, noun, (*path, "with", name))
            if formula is None:
                return None
            arguments[name] = formula
        times = given.get("times", 1)
        return Attack(times if isinstance(times, int) else 1, roll, arguments)

    def _cells(self, plan: _Plan, entry: Entry) -> Iterator[Cell]:
        work = self._work(entry)
        for column in plan.columns:
            try:
                rounds = self._rounds(plan, work, column)
                env = _env(work, {plan.name: column})
                least = _number(plan.least, env) if plan.least else None
                most = _number(plan.most, env) if plan.most else None
            except (Absent, Failed, Circle):
                yield Cell(None, False)
                continue
            except Refused as refused:
                self.found.append(Diagnostic("E545", refused.problem.message, plan.noun.span(("attacks",)), refused.problem.hints))
                return
            shown = None if rounds is None else _rounded(rounds)
            off = shown is not None and ((least is not None and shown < least) or (most is not None and shown > most))
            if off:
                message = f"`{entry.id}` lasts {float(shown or 0):.2f} Rounds in `{plan.noun.id}` at {plan.name} {column}"
                wanted = f"the game's anchor is {_span(least, most)}"
                self.found.append(Diagnostic("W545", f"{message}, and {wanted}", entry.key_span()))
            yield Cell(rounds, off)

    def _rounds(self, plan: _Plan, work: SheetWork, column: Number) -> Fraction | None:
        bars = list(RowWork(work).made(plan.bars)) if plan.bars is not None else []
        pools: list[Pool] = []
        for bar in bars or [{}]:
            env = _env(work, {**bar, plan.name: column})
            damages: list[Distribution] = []
            for attack in plan.attacks:
                arguments = {name: _value(formula, env) for name, formula in attack.arguments.items()}
                damage = self._damage(attack.roll, arguments)
                if damage is None:
                    return None
                damages += [damage] * attack.times
            pools.append(Pool(math.ceil(_number(plan.points, env)), tuple(damages)))
        found = rounds_through(pools)
        return None if found is None else found.low

    def _damage(self, roll: Roll, arguments: Mapping[str, Value]) -> Distribution | None:
        key = (roll.id, *sorted((name, str(value)) for name, value in arguments.items()))
        if key not in self._memo:
            self._memo[key] = roll.odds(dict(arguments)).value
        return self._memo[key]


def _env(work: SheetWork, extra: Mapping[str, Value]) -> SheetEnv:
    return SheetEnv(work, (((), work.entry.data),), extra, work.entry)


def _value(formula: Formula, env: SheetEnv) -> Value:
    if formula.compiled is None:
        return formula.fixed
    value = formula.compiled.run(env)
    if isinstance(value, Problem):
        raise Failed
    return value


def _number(formula: Formula, env: SheetEnv) -> Number:
    value: Number = _value(formula, env)
    return value


def _rounded(number: Fraction) -> Fraction:
    """To hundredths, half up, as it is printed."""
    return (2 * number / HUNDREDTH + 1) // 2 * HUNDREDTH


def _span(least: Number | None, most: Number | None) -> str:
    if least is None:
        return f"at most {float(most or 0):g}"
    return f"at least {float(least):g}" if most is None else f"{float(least):g} to {float(most):g}"



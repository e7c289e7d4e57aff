"""The numbers of one entry, in the one fixed order: base, set, add by type, times, at least and at most, min and max, round.

In: a program, an entry, what it owns. Out: a `Sheet`. Values are worked out on demand and once; a circle through effects is told as its
path.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.dice_amount import figure, whole
from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Entry, Key, Noun
from seasons_build.core.limits import DEFAULT
from seasons_build.core.names import in_expressions
from seasons_build.core.sheet import Owned, Sheet, Step
from seasons_build.core.span import Path
from seasons_build.evaluate.amounts import is_said_amount, worked
from seasons_build.evaluate.compiler import Compiler
from seasons_build.evaluate.effects import Effect, Grant, choices, grants, option, passive
from seasons_build.evaluate.environs import Borne, Circle, RowEnv, SheetEnv, printed
from seasons_build.evaluate.fields import Absent, Failed, Reader, values_at
from seasons_build.evaluate.game import Formula
from seasons_build.evaluate.program import SELF, Program, Stat
from seasons_build.evaluate.row_values import RowWork
from seasons_build.evaluate.state import State
from seasons_build.evaluate.underway import TooDeep, Underway
from seasons_build.language.chapter import LONG
from seasons_build.language.expression import DICE, NUMBER, TRUTH, Compiled, Problem, Type
from seasons_build.language.text import in_print, scan

WANTS: Mapping[str, Type | None] = {"number": NUMBER, "truth": TRUTH, "dice": DICE, "amount": None}
ROUND: Mapping[str, Callable[[Number], int]] = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc}


class SheetWork:
    """The work on one entry."""

    def __init__(
        self,
        compiler: Compiler,
        program: Program,
        entry: Entry,
        reader: Reader,
        say: Callable[[Diagnostic], None],
        state: State | None = None,
    ) -> None:
        self.compiler = compiler
        self.program = program
        self.entry = entry
        self.reader = reader
        self.state = state or State()
        self.owned = (*self._owned(), *self.state.owned(self.rest))
        self.say = say
        self._values: dict[str, Number] = {}
        self._steps: dict[str, list[Step]] = {}
        self._underway = Underway()
        self._fields: dict[tuple[Key, Path], Value] = {}
        self._rings: set[frozenset[str]] = set()
        self.whole = True
        self._effects = self._gather() if program.sheet else {}
        self.asked = compiler.asked.setdefault(entry.kind, set())
        self._env = SheetEnv(self, (((), entry.data),), {}, entry)

    def run(self) -> Sheet:
        """The sheet; what cannot be worked out is reported and left out."""
        stats = {name: value for name in self.program.asked if (value := self._tried(name)) is not None}
        formulas = dict(self._formulas())
        rows = {rows.id: tuple(RowWork(self).made(rows)) for rows in self.program.rows}
        steps = {name: tuple(made) for name, made in self._steps.items()}
        texts = dict(self._texts())
        return Sheet(self.entry.key, stats, steps, formulas, texts, rows, self.owned, whole=self.whole)

    def is_stat(self, name: str) -> bool:
        """Whether a name is a number of this sheet. A stat at fault has any: what it would derive is unknown, and not missing."""
        stat, further = self.program.stats.get(name.partition(".")[0]), name.partition(".")[2]
        made = stat is not None and further != "" and (stat.broken or further in stat.derived)
        return made or name in self.program.stats or name in self.program.derived

    def stat(self, name: str) -> Number:
        """The value of a stat, a value derived of one, or a value that the rules derive for this entry."""
        owner = name.partition(".")[0]
        if owner in self.program.circular or (owner in self.program.stats and self.program.stats[owner].broken):
            raise Failed
        values = self._values
        if name not in values:
            self._begin(name)
            try:
                values[name] = self._worked(name)
            finally:
                self._underway.end()
        return values[name]

    def _begin(self, name: str) -> None:
        """A value is being worked out, until its end; what asks for itself, or at the end of too long a chain, is not."""
        try:
            self._underway.begin(name)
        except TooDeep:
            if not self.compiler.told_depth:
                self.compiler.told_depth = True
                message = f"a value of `{self.entry.id}` is made from another one, and so on for more than {DEFAULT.value_depth} values"
                self.say(Diagnostic("E507", message, self.entry.key_span(), ("work from something nearer",)))
            raise Failed from None

    def _derived(self, name: str) -> Mapping[str, Formula]:
        return self.program.stats[name.partition(".")[0]].derived

    def _worked(self, name: str) -> Number:
        if name in self.program.stats:
            return self._folded(self.program.stats[name])
        if name in self.program.derived:
            return self._number(self.program.derived[name], self._env)
        return self._further(name)

    def _further(self, name: str) -> Number:
        """A value that is derived of a stat; effects may change it as they change a stat."""
        owner, _, further = name.partition(".")
        formula = self._derived(name).get(further) if owner in self.program.stats else None
        if formula is None:
            raise Failed  # the name came of something that is at fault, and told there
        value = self._number(formula, SheetEnv(self, (((), self.entry.data),), {SELF: self.stat(owner)}, self.entry))
        if name not in self._effects:
            return value
        stat = self.program.stats[owner]
        steps = self._steps[name] = [Step("base", value, value, formula.text, None, formula.path, stat.rule)]
        return self._affected(replace(stat, name=name), value, steps)

    def _folded(self, stat: Stat) -> Number:
        steps = self._steps[stat.name] = []
        total = self._affected(stat, self._start(stat, steps), steps)
        for move, bound in (("min", stat.least), ("max", stat.most)):
            if bound is not None:
                amount = self._number(bound, self._env)
                held = max(total, amount) if move == "min" else min(total, amount)
                if held != total:
                    total = held
                    steps.append(Step("min" if move == "min" else "max", amount, total, bound.text))
        if stat.round and ROUND[stat.round](total) != total:
            total = ROUND[stat.round](total)
            steps.append(Step("round", total, total, stat.round))
        return total

    def _affected(self, stat: Stat, total: Number, steps: list[Step]) -> Number:
        """A value after all effects on it: set, add by type, times, at least and at most."""
        effects = self._effects.get(stat.name, ())
        amounts = [(effect, self._amount(effect)) for effect in effects if self._holds(effect)]
        live = [(effect, amount) for effect, amount in amounts if amount is not None]
        total = self._set(stat, [(e, n) for e, n in live if e.verb == "set"], total, steps)
        total = self._added([(e, n) for e, n in live if e.verb == "add"], total, steps)
        for verb in ("times", "atleast", "atmost"):
            for effect, amount in live:
                if effect.verb == verb:
                    total = whole(total * amount if verb == "times" else max(total, amount) if verb == "atleast" else min(total, amount))
                    steps.append(self._step(effect, amount, total))
        return total

    def _start(self, stat: Stat, steps: list[Step]) -> Number:
        total = self._first(stat, steps)
        for step in self.state.frozen.get(stat.name, ()):
            total = whole(total + step.amount)
            steps.append(step._replace(total=total))
        return total

    def _first(self, stat: Stat, steps: list[Step]) -> Number:
        typed, path = self.state.inputs.get(stat.name, (self.entry.data.get(stat.name), (stat.name,)))
        if isinstance(typed, int | Fraction) and not isinstance(typed, bool):
            if stat.bounds is not None and path:
                self._check_bounds(stat, typed, path)
            steps.append(Step("input", typed, typed, "", None, path))
            return typed
        if stat.base is None:
            if stat.bounds is not None:
                hint = f"add a line `{stat.name}: ...`"
                self.say(Diagnostic("E505", f"`{self.entry.id}` has no `{stat.name}`", self.entry.key_span(), (hint,)))
                raise Failed
            return 0
        value = self._number(stat.base, self._env)
        steps.append(Step("base", value, value, stat.base.text, None, stat.base.path, stat.rule))
        return value

    def _check_bounds(self, stat: Stat, typed: Number, path: Path) -> None:
        bounds = stat.bounds
        assert bounds is not None
        span = self.entry.span(path)
        for bound, said, sign in ((bounds.least, "at least", -1), (bounds.most, "at most", 1)):
            amount = self._number(bound, self._env) if bound else None
            if amount is not None and (typed - amount) * sign > 0:
                self.say(Diagnostic("E504", f"expected {said} {figure(amount)} for `{stat.name}`, found {figure(typed)}", span))
        step = self._number(bounds.step, self._env) if bounds.step else None
        if step and typed % step:
            self.say(Diagnostic("E504", f"expected a multiple of {figure(step)} for `{stat.name}`, found {figure(typed)}", span))

    def _set(self, stat: Stat, sets: list[tuple[Effect, Number]], total: Number, steps: list[Step]) -> Number:
        if not sets:
            return total
        if len(sets) > 1 and stat.sets is None and len({amount for _, amount in sets}) > 1:
            traces = tuple(Trace(f"`{e.entry.name}` sets it to {figure(n)}", e.entry.span(e.path)) for e, n in sets)
            hint = "say in the rules which holds: `sets: highest` or `sets: lowest`"
            self.say(Diagnostic("E506", f"two effects set `{stat.name}` of `{self.entry.id}`", self.entry.key_span(), (hint,), traces))
            raise Failed
        pick = min if stat.sets == "lowest" else max
        chosen = pick(amount for _, amount in sets)
        taken = next(i for i, (_, amount) in enumerate(sets) if amount == chosen)
        for i, (effect, amount) in enumerate(sets):
            steps.append(self._step(effect, amount, chosen, "" if i == taken else f"not used: {stat.sets} holds", unused=i != taken))
        return chosen

    def _added(self, adds: list[tuple[Effect, Number]], total: Number, steps: list[Step]) -> Number:
        rules = self.compiler.game.rules.get("stacking", {})
        groups: dict[str, list[int]] = {}
        for i, (effect, amount) in enumerate(adds):
            if effect.stacking is not None and rules.get(effect.stacking) is not None and rules[effect.stacking].data != "sum":
                groups.setdefault(f"{effect.stacking} {amount < 0}", []).append(i)
        left_out: dict[int, str] = {}
        for members in groups.values():
            kind = str(adds[members[0]][0].stacking)
            rule = rules[kind].data
            by_size = sorted(members, key=lambda i: (abs(adds[i][1]), -i))
            best = members[0] if rule == "once" else by_size[0 if rule == "lowest" else -1]
            left_out |= {i: f"not used: of `{kind}` only one counts ({rule})" for i in members if i != best}
        for i, (effect, amount) in enumerate(adds):
            if i not in left_out:
                total = whole(total + amount)
            steps.append(self._step(effect, amount, total, left_out.get(i, ""), unused=i in left_out))
        return total

    def _step(self, effect: Effect, amount: Number, total: Number, note: str = "", *, unused: bool = False) -> Step:
        return Step("unused" if unused else effect.verb, amount, total, note, effect.entry.key, effect.path)

    def _gather(self) -> dict[str, list[Effect]]:
        rules = self.compiler.game.rules
        library = self.compiler.game.library
        found: dict[str, list[Effect]] = {}
        borne: list[tuple[Entry, str, int]] = [(self.entry, "", 1)]
        borne += [(library.entries[o.key], o.state, o.taken) for o in self.owned]
        for entry, state, taken in borne:
            for effect in () if entry.broken and entry is not self.entry else passive(entry, rules, taken):
                if effect.state is None or effect.state == state:
                    found.setdefault(effect.stat, []).append(effect)
        for effect in self._options():
            found.setdefault(effect.stat, []).append(effect)
        # The order of owned things is the writer's to change: it must not decide how a sheet reads.
        return {stat: sorted(effects, key=lambda e: (e.entry is not self.entry, e.entry.key)) for stat, effects in found.items()}

    def _options(self) -> Iterator[Effect]:
        """The effects of the options that were chosen."""
        library, rules = self.compiler.game.library, self.compiler.game.rules
        for (key, name), picked in sorted(self.state.chosen.items()):
            entry = library.entries[key]
            for path, offered, choice in choices(entry, self.taken(key[2])):
                options: Any = choice.get("options")
                for one in picked if offered == name and isinstance(options, dict) else ():
                    if one in options:
                        yield from option(entry, (*path, "options", one), options[one], rules)

    def taken(self, entry: str) -> int:
        """How often an entry was taken, by its id."""
        return sum(o.taken for o in self.owned if entry in (o.key[2], in_expressions(o.key[2])))

    def derived_of(self, owned: Owned, env: SheetEnv, name: str) -> Number | None:
        """What the rules derive under a name for a thing on this sheet; None where they derive nothing."""
        formula = self.compiler.derived(owned.key[1], name, self.program)
        if formula is None:
            return None
        key = f"{'/'.join(owned.key)}:{name}"
        if key not in self._values:
            self._begin(key)
            try:
                self._values[key] = self._number(formula, env)
            finally:
                self._underway.end()
        return self._values[key]

    def granted(self) -> Iterator[tuple[Key, Key]]:
        """What the things it has grant, each with the one that grants it."""
        library = self.compiler.game.library
        for entry, taken in [(self.entry, 1), *((library.entries[o.key], o.taken) for o in self.owned)]:
            for grant in () if entry.broken else grants(entry, taken):
                target = library.targets[entry.key].get(grant.path)
                if target is not None and (grant.when is None or self._granting(grant)):
                    yield target, entry.key

    def _granting(self, grant: Grant) -> bool:
        path = (*grant.sentence, "when")
        compiled = self.compiler.compiled(grant.entry, path, str(grant.when), TRUTH, self.entry.kind)
        if compiled is None:
            return False
        env = SheetEnv(self, values_at(grant.entry.data, path), {}, grant.entry)
        try:
            return self.told(compiled, env, lambda p: p.located(*grant.entry.where(path))) is True
        except (Absent, Failed, Circle):
            return False

    def rest(self, kind: str) -> str:
        """The state of a thing that nothing is said of."""
        rest = self.compiler.game.kind_rules(kind).get("state", "")
        return str(rest)

    def _owned(self) -> Iterator[Owned]:
        targets = self.compiler.game.library.targets[self.entry.key]
        for field, state in self.program.owns.items():
            for path, times in _had(field, self.entry.data.get(field)):
                if path in targets:
                    yield Owned(targets[path], state, times)

    def _holds(self, effect: Effect) -> bool:
        """Whether the conditions of an effect hold on this sheet."""
        if effect.when is not None and not self.effect_value(effect, (*effect.sentence, "when"), effect.when, TRUTH):
            return False
        if effect.check is not None:
            return bool(self.effect_value(effect, (*effect.sentence, "if", "check"), effect.check, TRUTH))
        if effect.situation is None:
            return True
        formula = self.compiler.noun_formula(effect.situation, "check", TRUTH, self.program)
        return formula is not None and bool(self._noun_value(formula, self._env))

    def _amount(self, effect: Effect) -> Number | None:
        """What an effect does to its stat; None where that is known at the table alone."""
        return worked(effect.amount, effect.path, self.compiler.game.rules, Borne(self, effect))

    def effect_value(self, effect: Effect, path: Path, text: str, want: Type | None) -> Value:
        """The value of a formula of an effect that the entry bears."""
        compiled, problems = self.compiler.with_problems(effect.entry, path, text, want, self.entry.kind)
        if compiled is None:
            self._tell_unreadable(effect, path, text, want, problems)
            raise Failed
        env = SheetEnv(self, values_at(effect.entry.data, path), {}, effect.entry)
        return self.told(compiled, env, lambda p: p.located(*effect.entry.where(path)))

    def _tell_unreadable(self, effect: Effect, path: Path, text: str, want: Type | None, problems: tuple[Problem, ...]) -> None:
        """Tells that this bearer has not what an effect reads; what no bearer could read is told where the effect stands."""
        if self.compiler.compiled(effect.entry, path, text, want) is not None:
            trace = Trace(f"worked out for `{self.entry.id}`", self.entry.key_span())
            for problem in problems:
                found = problem.located(*effect.entry.where(path))
                self.say(Diagnostic(found.code, found.message, found.span, found.hints, (trace,)))

    def quantity_value(self, noun: Noun, arguments: Mapping[str, Value]) -> Value:
        """The value of a quantity of the game on this sheet; None where it has only words, or is given what only the table knows."""
        if None in arguments.values():
            return None
        formula = self.compiler.noun_formula(noun, "value", NUMBER, self.program)
        if formula is None:
            return None
        return self._noun_value(formula, SheetEnv(self, (((), self.entry.data),), arguments, self.entry))

    def _number(self, formula: Formula, env: SheetEnv) -> Number:
        number: Number = self._noun_value(formula, env)
        return number

    def _noun_value(self, formula: Formula, env: SheetEnv) -> Value:
        if formula.fixed is not None:
            return formula.fixed
        assert formula.compiled is not None and formula.noun is not None
        noun = formula.noun
        return self.told(formula.compiled, env, lambda p: p.located(noun.document, ("rules", noun.noun, noun.id, *formula.path)))

    def told(self, compiled: Compiled, env: SheetEnv | RowEnv, place: Callable[[Problem], Diagnostic]) -> Value:
        """The value of a formula; a problem met on the way is reported and ends the work on what asked for it."""
        value = compiled.run(env)
        if isinstance(value, Problem):
            found = place(value)
            trace = Trace(f"worked out for `{self.entry.id}`", self.entry.key_span())
            self.say(Diagnostic(found.code, found.message, found.span, found.hints, (trace,)))
            raise Failed
        return value

    def _tried(self, name: str) -> Number | None:
        try:
            return self.stat(name)
        except Failed:
            self.whole = False
            return None
        except Absent as absent:
            stat = self.program.stats.get(name.partition(".")[0])
            asked = f"`{name}` asks for it" if stat else "the rules ask for it"
            self.say(Diagnostic("E503", f"`{self.entry.id}` has no `{absent.name}`, and {asked}", self.entry.key_span()))
            return None
        except Circle as circle:
            path = " -> ".join(f"`{n}`" for n in circle.ring)
            if not self._static(circle.ring) and frozenset(circle.ring) not in self._rings:
                self._rings.add(frozenset(circle.ring))
                self.say(Diagnostic("E501", f"effects on `{self.entry.id}` work on each other in a circle: {path}", self.entry.key_span()))
            return None

    def _static(self, ring: tuple[str, ...]) -> bool:
        """Whether the rules alone already make this circle, which is reported where they stand."""
        return all(not self._effects.get(name.partition(".")[0]) for name in ring)

    def _formulas(self) -> Iterator[tuple[Path, Value]]:
        for formula in self.entry.announced.formulas:
            if is_said_amount(self.compiler.game.rules, formula.text):
                continue
            try:
                yield formula.path, self.formula(self.entry, formula.path)
            except Failed:
                self.whole = False
            except Circle as circle:
                self._tell_ring(formula.path, circle)
            except Absent as absent:
                # A thing may ask for the numbers of whoever will bear it; on its own it has none.
                if absent.name not in self.program.types:
                    span = self.entry.span(formula.path)
                    message = f"`{self.entry.id}` has no `{absent.name}`, and this formula asks for it"
                    self.say(Diagnostic("E503", message, span))

    def formula(self, entry: Entry, path: Path) -> Value:
        """The value of a field that is an expression."""
        key = entry.key, path
        if key not in self._fields:
            formula = next(f for f in entry.announced.formulas if f.path == path)
            self._begin(_field_name(entry, path))
            try:
                compiled = self.compiler.compiled(entry, path, formula.text, WANTS[formula.want])
                if compiled is None:
                    raise Failed
                env = SheetEnv(self, values_at(entry.data, path), {}, entry)
                self._fields[key] = self.told(compiled, env, lambda p: p.located(*entry.where(path)))
            finally:
                self._underway.end()
        return self._fields[key]

    def _tell_ring(self, path: Path, circle: Circle) -> None:
        """Tells a circle of fields at one of them: the first by name, whichever is worked out first."""
        if _field_name(self.entry, path) == min(circle.ring):
            names = " -> ".join(f"`{name.partition(':')[2]}`" for name in circle.ring)
            self.say(Diagnostic("E501", f"values are made from each other in a circle: {names}", self.entry.span(path)))

    def _texts(self) -> Iterator[tuple[Path, str]]:
        for prose in self.entry.announced.prose:
            if prose.role == LONG:
                continue
            if "{" not in prose.text:
                yield prose.path, in_print(prose.text)
                continue
            parts: list[str] = []
            for piece in scan(prose.text):
                typed = prose.text[piece.start : piece.end]
                parts.append(self._spoken(prose.path, piece.text, piece.start + 1) if piece.what == "value" else typed)
            yield prose.path, "".join(parts)

    def _spoken(self, path: Path, text: str, start: int) -> str:
        """A `{value}` of a text, as it is printed."""
        compiled, problems = self.compiler.with_problems(self.entry, path, text, None)
        for problem in problems:
            self.say(problem.located(*self.entry.where(path), start))
        if compiled is None:
            return ""
        env = SheetEnv(self, values_at(self.entry.data, path), {}, self.entry)
        try:
            value = self.told(compiled, env, lambda p: p.located(*self.entry.where(path), start))
        except (Failed, Circle):
            self.whole = False
            return ""
        except Absent as absent:
            span = self.entry.inside(path, start, start + len(text))
            self.say(Diagnostic("E503", f"`{self.entry.id}` has no `{absent.name}`, and this text asks for it", span))
            return ""
        return printed(value)

    def with_inputs(self, values: Mapping[str, Number]) -> SheetWork:
        """The work on the same entry where some of its stats are typed otherwise."""
        inputs = {**self.state.inputs, **{name: (value, ()) for name, value in values.items()}}
        frozen = {name: steps for name, steps in self.state.frozen.items() if name not in values}
        state = replace(self.state, inputs=inputs, frozen=frozen)
        return SheetWork(self.compiler, self.program, self.entry, self.reader, self.say, state)


def _had(field: str, value: Value) -> Iterator[tuple[Path, int]]:
    """Where a field names what is had, and how often: one thing, a list of things, or a map of things and how often each was taken."""
    if isinstance(value, list):
        yield from (((field, index), 1) for index in range(len(value)))
    elif isinstance(value, dict):
        yield from (((field, key), times) for key, times in value.items() if isinstance(times, int))
    else:
        yield (field,), 1


def _field_name(entry: Entry, path: Path) -> str:
    """A field of an entry as messages and circles name it."""
    return f"{entry}.{'.'.join(map(str, path))}"


def key_name(key: Key) -> str:
    """A key as people write it."""
    return f"{key[0]}:{key[1]}/{key[2]}"

"""Checks a roll and makes its model (language library: dice).

In: a roll as written, the models of the rolls that it throws, and what it may read of the game. Out: its model, or every problem in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from seasons_build.core.names import did_you_mean
from seasons_build.core.span import Path
from seasons_build.language.dice.closure import Closure, Frame, Setting, Value
from seasons_build.language.dice.draft import DieDraft, Draft, InsteadDraft, Ladder, Parameter, Written
from seasons_build.language.dice.facts import Facts
from seasons_build.language.dice.formula import closure, is_amount
from seasons_build.language.dice.interval import UNKNOWN
from seasons_build.language.dice.model import Die, Formula, Given, Instead, Model, Outcome, Reading, leaf_reads
from seasons_build.language.dice.order import heights, ordered
from seasons_build.language.dice.problem import RollProblem
from seasons_build.language.dice.scope import Names, parameter_types
from seasons_build.language.expression import (
    DICE,
    NUMBER,
    TRUTH,
    Type,
    compile_expression,
    one_of,
    parse,
    tree,
)
from seasons_build.language.expression.types import UNKNOWN as UNKNOWN_TYPE

_DEEP: Final = 100
"""No values are built on each other deeper than this, all nesting counted: each level is one of calls when they are worked out."""

_NAMES: Final = 2_000
"""No roll has more names than this, with those of the rolls in it."""

_SHEET: Final = frozenset({"has", "taken", "count", "sum", "highest", "stat"})


def build(draft: Draft, models: Mapping[str, Model | None], facts: Facts, problems: list[RollProblem]) -> Model | None:
    """The model of a roll; None where an error in it was added to `problems`, or it takes a stat family that is doubted. `models` holds
    None for a roll that is broken itself."""
    found: list[RollProblem] = []
    model = _Builder(draft, models, facts, found).model()
    problems.extend(found)
    return None if _doubted(draft, facts) or any(problem.code.startswith("E") for problem in found) else model


def _doubted(draft: Draft, facts: Facts) -> set[str]:
    """The parameters of a roll whose derived values are unknown."""
    return {one.name for one in draft.takes.values() if one.kind == "family" and facts.families[one.family].doubted}


class _Builder:
    """Builds one roll, part by part; what is wrong is collected, and a part that is wrong is left out."""

    __slots__ = ("_draft", "_facts", "_models", "_names", "_parameter_names", "_problems", "_takes", "_thrown_names")

    def __init__(self, draft: Draft, models: Mapping[str, Model | None], facts: Facts, problems: list[RollProblem]) -> None:
        self._draft, self._models, self._facts, self._problems = draft, models, facts, problems
        self._takes = dict(draft.takes)
        self._parameter_names: set[str] = set()
        self._thrown_names: set[str] = set()
        self._names = Names({}, facts)

    def model(self) -> Model:
        draft = self._draft
        self._name_everything()
        readings = self._readings()
        dice = {name: die for name, written in draft.dice.items() if (die := self._die(written)) is not None}
        keep = None if draft.keep is None else self._formula(draft.keep, NUMBER)
        static = {name: reading for name, reading in readings.items() if name not in self._thrown_names}
        thrown = {name: reading for name, reading in readings.items() if name in self._thrown_names}
        kept = self._kept(keep, dice, readings)
        throw_reads = self._throw_reads(dice, keep, readings)
        in_throw = frozenset(
            name
            for name, reading in thrown.items()
            if (leaf_reads(reading.reads, readings) & self._parameter_names) <= set(throw_reads)
        )
        return Model(
            draft.id,
            draft.path,
            self._takes,
            frozenset(self._parameter_names),
            self._names.types,
            static,
            thrown,
            dice,
            keep,
            kept,
            None if draft.instead is None else self._instead(draft.instead, static),
            self._outcomes(),
            None if draft.value is None else self._formula(draft.value, DICE),
            throw_reads,
            in_throw,
        )

    def _problem(self, code: str, message: str, path: Path, *hints: str, key: bool = False) -> None:
        self._problems.append(RollProblem(code, message, path, hints=tuple(hints), key=key))

    # Names

    def _name_everything(self) -> None:
        """Parameters, dice and what can be read of a die that is a roll; lets follow, since their types are not written."""
        broken = {die.name for die in self._draft.dice.values() if die.roll and self._models.get(die.roll) is None}
        open_below = broken | self._draft.broken | _doubted(self._draft, self._facts)
        self._names = Names(dict.fromkeys(self._draft.broken, UNKNOWN_TYPE), self._facts, open_below)
        for die in self._draft.dice.values():
            for what, names in (("a parameter", self._draft.takes), ("a let", self._draft.lets)):
                if die.name in names:
                    self._problem("E450", f"`{die.name}` is both a die and {what}", die.path, key=True)
            inner = self._models.get(die.roll) if die.roll else None
            if inner is not None and len(self._names.types) + len(inner.types) > _NAMES:
                self._problem("E458", f"more than {_NAMES:,} names can be read of the rolls in this one", die.path, key=True)
            elif inner is not None:
                self._name_rolled(die, inner)
            if die.roll == "" or die.score is not None:
                self._throw_name(die.name, NUMBER)
        for parameter in self._takes.values():
            for name, of in parameter_types(parameter, self._facts).items():
                self._names.types[name] = of
                self._parameter_names.add(name)
                self._thrown_names.discard(name)

    def _throw_name(self, name: str, of: Type) -> None:
        self._names.types[name] = of
        self._thrown_names.add(name)

    def _name_rolled(self, die: DieDraft, inner: Model) -> None:
        given = die.given or {}
        for name in given:
            if name not in inner.takes:
                place = given[name].path
                self._problem("E452", f"the roll `{inner.id}` takes no `{name}`", place, *did_you_mean(name, inner.takes), key=True)
        if not die.each:
            for parameter in inner.takes.values():
                if parameter.name not in given:
                    name = f"{die.name}.{parameter.name}"
                    self._takes[name] = parameter._replace(name=name)
        if not die.each and die.count is None:
            for name, of in inner.types.items():
                self._throw_name(f"{die.name}.{name}", of)
            if inner.outcomes:
                self._throw_name(f"{die.name}.outcome", one_of(inner.words))

    # Expressions

    def _formula(self, written: Written, want: Type | None, scope: Names | None = None) -> Formula | None:
        """A checked expression, or None with its problems added."""
        names = scope or self._names
        if self._reads_sheet(written):
            return None
        compiled = compile_expression(written.text, names, want, self._facts.limits)
        for problem in compiled.problems:
            start, end = (problem.start, problem.end) if written.typed else (None, None)
            self._problems.append(RollProblem(problem.code, problem.message, written.path, start, end, problem.hints))
        if compiled.value is None:
            return None
        node = compiled.value.tree
        if any(names.type_of(name) is UNKNOWN_TYPE for name in compiled.value.reads):
            return None
        dice_names = frozenset(name for name in compiled.value.reads if names.types[name].sort == "dice")
        setting = Setting(written.path, dice_names, self._facts.tables, self._facts.limits)
        run, amount = closure(node, setting), is_amount(node, setting)
        return Formula(written.path, written.typed, node, compiled.value.type, compiled.value.reads, run, amount)

    def _reads_sheet(self, written: Written) -> bool:
        parsed = parse(written.text, self._facts.limits).value
        calls = [] if parsed is None else [node for node in tree.walk(parsed) if isinstance(node, tree.Call)]
        for call in calls:
            if call.function in _SHEET:
                message = f"a roll reads no sheet, so it cannot use `{call.function}`"
                hint = "make it a parameter under `takes`: who rolls gives it"
                end = call.start + len(call.function)
                self._problems.append(RollProblem("E454", message, written.path, call.start, end, (hint,)))
                return True
        return False

    def _condition(self, written: Written, scope: Names | None = None) -> Formula | None:
        """A condition; one that reads nothing can never change."""
        known = len(self._problems)
        formula = self._formula(written, TRUTH, scope)
        if formula is not None and not formula.reads:
            del self._problems[known:]
            self._problem("E457", "this condition never changes: it reads nothing", written.path)
            return None
        return formula

    def _before(self, formula: Formula | None, what: str) -> Formula | None:
        """The same, if it reads nothing that is only known after the throw."""
        if formula is None:
            return None
        for node in tree.walk(formula.node):
            if isinstance(node, tree.Name) and node.name in formula.reads & self._thrown_names:
                start, end = (node.start, node.end) if formula.typed else (None, None)
                message = f"{what} is settled before the throw, but `{node.name}` is known after it"
                hint = "a second throw is a die of its own, or a die that is a roll"
                self._problems.append(RollProblem("E454", message, formula.path, start, end, (hint,)))
                return None
        return formula

    # Lets

    def _readings(self) -> dict[str, Reading]:
        lets = self._draft.lets
        reads = {name: self._names_in(value) for name, value in lets.items()}
        order, circles = ordered(reads)
        for circle in circles:
            path = " reads ".join(f"`{name}`" for name in circle)
            self._problem("E453", f"values that read each other never end: {path}", _path_of(lets[circle[0]], self._draft))
        own = {name: 1 + self._depth_of(lets[name]) for name in order}
        high = heights(order, reads, own)
        for name in order:
            if high[name] > _DEEP and all(high.get(inner, 0) <= _DEEP for inner in reads[name]):
                message = f"values are built on each other more than {_DEEP} deep, with what is nested in them"
                self._problem("E453", message, _path_of(lets[name], self._draft), f"join `{name}` with one that it reads")
        self._names.types.update((name, UNKNOWN_TYPE) for name in lets)
        found: dict[str, Reading] = {}
        for name in order:
            reading = self._reading(name)
            if reading is not None:
                found[name] = reading
                self._names.types[name] = reading.type
                if reading.reads & self._thrown_names:
                    self._thrown_names.add(name)
        return found

    def _nodes(self, value: Written | Ladder) -> list[tree.Node]:
        texts = [value.text] if isinstance(value, Written) else [when.text for _, when in value if when is not None]
        return [node for text in texts if (node := parse(text, self._facts.limits).value) is not None]

    def _names_in(self, value: Written | Ladder) -> list[str]:
        nodes = self._nodes(value)
        return list(dict.fromkeys(part.name for node in nodes for part in tree.walk(node) if isinstance(part, tree.Name)))

    def _depth_of(self, value: Written | Ladder) -> int:
        return max((_depth(node) for node in self._nodes(value)), default=0)

    def _reading(self, name: str) -> Reading | None:
        value = self._draft.lets[name]
        if isinstance(value, Written):
            formula = self._formula(value, None)
            if formula is None:
                return None
            if formula.type.sort == "list":
                self._problem("E450", "a value is a number, true or false, a word or dice, not a list", value.path)
                return None
            return Reading(name, value.path, formula.type, formula.reads, formula.run, formula)
        rungs = [(word, None if when is None else self._condition(when)) for word, when in value]
        if any(condition is None and when is not None for (_, condition), (_, when) in zip(rungs, value, strict=True)):
            return None
        words = tuple(word for word, _ in rungs)
        reads = frozenset[str]().union(*(condition.reads for _, condition in rungs if condition is not None))
        run = _ladder([(word, None if condition is None else condition.run) for word, condition in rungs])
        return Reading(name, _path_of(value, self._draft), one_of(words), reads, run, None, words)

    # Dice

    def _die(self, draft: DieDraft) -> Die | None:
        count = None if draft.count is None else self._before(self._formula(draft.count, NUMBER), "`count`")
        if draft.roll:
            rolled = self._rolled_die(draft, count)
            return None if draft.count is not None and count is None else rolled
        faces = [self._before(self._formula(face, NUMBER), "`faces`") for face in draft.faces]
        scope = self._names.also({"face": NUMBER, "throw": NUMBER})
        score = None if draft.score is None else self._before(self._formula(draft.score, NUMBER, scope), "`score`")
        again = None if draft.again is None else self._before(self._condition(draft.again, scope), "`again`")
        known = [face for face in faces if face is not None]
        missing = ((draft.count, count), (draft.score, score), (draft.again, again))
        if len(known) < len(faces) or any(written is not None and formula is None for written, formula in missing):
            return None
        rules = [formula for formula in (*known, count, score, again) if formula is not None]
        reads = frozenset[str]().union(*(formula.reads for formula in rules))
        by_throw = any("throw" in formula.reads for formula in (score, again) if formula is not None)
        reads -= {"face", "throw"}
        return Die(draft.name, draft.path, tuple(known), draft.form, count, score, again, by_throw, reads=reads)

    def _rolled_die(self, draft: DieDraft, count: Formula | None) -> Die | None:
        inner = self._models.get(draft.roll)
        if inner is None:
            return None
        all_given = {
            name: self._given(written, inner.takes[name], "`with`") for name, written in (draft.given or {}).items() if name in inner.takes
        }
        given = {name: value for name, value in all_given.items() if value is not None}
        score = None
        if draft.score is not None:
            types = dict(inner.types)
            if inner.outcomes:
                types["outcome"] = one_of(inner.words)
            shadowed = self._thrown_names - set(types)
            outer = {name: of for name, of in self._names.types.items() if name not in shadowed}
            score = self._formula(draft.score, NUMBER, Names({**outer, **types}, self._facts))
            if score is None:
                return None
        if len(given) < len(draft.given or {}):
            return None
        reads: set[str] = set() if count is None else set(count.reads)
        for value in given.values():
            reads |= {value.name} if value.formula is None else value.formula.reads
        if score is not None:
            reads |= score.reads - set(inner.types) - {"outcome"}
        if draft.each:
            reads.add(draft.each)
        else:
            for name in self._names.types:
                if name in self._parameter_names and name.startswith(f"{draft.name}."):
                    reads.add(name)
        if not self._readable_instead(draft, inner, score):
            return None
        return Die(draft.name, draft.path, (), "to", count, score, None, False, draft.roll, given, draft.each, frozenset(reads))

    def _given(self, written: Written, parameter: Parameter, what: str) -> Given | None:
        """What another roll is given for a parameter: of a whole family, the name of one of ours; of anything else an expression."""
        node = parse(written.text, self._facts.limits).value
        if parameter.kind in ("family", "list") and isinstance(node, tree.Name):
            own = self._takes.get(node.name)
            if own is not None and (own.kind, own.family, own.each) == (parameter.kind, parameter.family, parameter.each):
                return Given(None, node.name)
        want = parameter_types(parameter, self._facts)[parameter.name]
        formula = self._before(self._formula(written, want), what)
        return None if formula is None else Given(formula)

    def _readable_instead(self, draft: DieDraft, inner: Model, score: Formula | None) -> bool:
        """What is read of a roll must be there too in the roll that can stand in for it."""
        other = None if inner.instead is None else self._models.get(inner.instead.roll)
        if other is None or inner.instead is None:
            return True
        read = self._read_of(draft.name) if score is None else score.reads & set(inner.types)
        for name in sorted(read):
            fixed = name in inner.takes or name in inner.static or name == "outcome"
            if not fixed and name not in other.types:
                message = f"`{name}` is read of `{inner.id}`, but `{other.id}`, which can be rolled instead, has none"
                self._problem("E459", message, draft.path, f"give `{other.id}` a let `{name}`", key=True)
                return False
        return True

    def _read_of(self, die: str) -> set[str]:
        """All that any expression of this roll reads of a die that is a roll."""
        draft = self._draft
        written = [outcome.when for outcome in draft.outcomes] + [outcome.value for outcome in draft.outcomes] + [draft.value]
        for let in draft.lets.values():
            written += [let] if isinstance(let, Written) else [when for _, when in let]
        names = [name for part in written if part is not None for name in self._names_in(part)]
        return {name[len(die) + 1 :] for name in names if name.startswith(f"{die}.")}

    def _kept(self, keep: Formula | None, dice: Mapping[str, Die], readings: Mapping[str, Reading]) -> tuple[str, ...]:
        if keep is None:
            return ()
        read = leaf_reads(keep.reads, readings) & self._thrown_names
        for name in sorted(read):
            if name in self._draft.dice and not self._draft.dice[name].roll:
                if self._draft.dice[name].again is not None:
                    message = f"`keep` chooses among finished dice, but `{name}` is thrown again"
                    self._problem("E455", message, self._draft.dice[name].path, key=True)
            else:
                self._problem("E455", f"`keep` chooses among dice, but `{name}` is read of a whole roll", keep.path)
        if not read:
            message = "`keep` reads no die, so it cannot choose between any"
            self._problem("E455", message, keep.path, "name in it what is to be as high as possible, as in `keep: d20`")
        return tuple(name for name in dice if name in read)

    def _throw_reads(self, dice: Mapping[str, Die], keep: Formula | None, readings: Mapping[str, Reading]) -> tuple[str, ...]:
        reads = frozenset[str]().union(*(die.reads for die in dice.values()), frozenset() if keep is None else keep.reads)
        leaves = leaf_reads(reads, readings)
        return tuple(name for name in self._names.types if name in leaves and name in self._parameter_names)

    # Instead, outcomes

    def _instead(self, draft: InsteadDraft, static: Mapping[str, Reading]) -> Instead | None:
        when = self._before(self._condition(draft.when), "`instead`")
        other = self._models.get(draft.roll)
        if other is None or when is None:
            return None
        given: dict[str, Given] = {}
        for name, written in draft.given.items():
            if name not in other.takes:
                hints = did_you_mean(name, other.takes)
                self._problem("E452", f"the roll `{other.id}` takes no `{name}`", written.path, *hints, key=True)
                continue
            value = self._given(written, other.takes[name], "`with`")
            if value is not None:
                given[name] = value
        for parameter in other.takes.values():
            if parameter.name not in draft.given and (passed := self._passed(parameter, draft, static)) is not None:
                given[parameter.name] = passed
        own = [outcome.word for outcome in self._draft.outcomes]
        for word in other.words:
            if word not in own:
                message = f"`{other.id}` can end in `{word}`, which this roll does not list"
                self._problem("E459", message, draft.path, *did_you_mean(word, own))
        return Instead(when, draft.roll, given, draft.path)

    def _passed(self, parameter: Parameter, draft: InsteadDraft, static: Mapping[str, Reading]) -> Given | None:
        """A parameter of the other roll that `with` does not name: our own of that name, else its default."""
        name = parameter.name
        own = self._names.types.get(name)
        if own is not None and name not in self._thrown_names and (name in static or name in self._takes):
            want = parameter_types(parameter, self._facts)[name]
            mine = self._takes.get(name)
            whole = parameter.kind not in ("family", "list") or (mine is not None and mine.family == parameter.family)
            if own.sort == want.sort and whole and (want.words is None or own.words is None or own.words <= want.words):
                return Given(None, name)
        elif not parameter.required:
            return None
        message = f"the roll `{draft.roll}` needs `{name}`, and there is no fitting value of that name here"
        self._problem("E452", message, draft.path, f"give it under `with: {{{name}: ...}}`")
        return None

    def _outcomes(self) -> tuple[Outcome, ...]:
        found = []
        for draft in self._draft.outcomes:
            when = None if draft.when is None else self._condition(draft.when)
            value = None if draft.value is None else self._formula(draft.value, DICE)
            found.append(Outcome(draft.word, when, value, draft.reroll, draft.path))
        return tuple(found)


def _ladder(rungs: list[tuple[str, Closure | None]]) -> Closure:
    def run(frame: Frame) -> Value:
        for word, condition in rungs:
            holds = True if condition is None else condition(frame)
            if holds is True:
                return word
            if holds is not False:
                return UNKNOWN
        raise AssertionError("the last condition of a ladder is `else`")

    return run


def _depth(node: tree.Node) -> int:
    deepest = 0
    pending = [(node, 1)]
    while pending:
        found, depth = pending.pop()
        deepest = max(deepest, depth)
        pending.extend((inner, depth + 1) for inner in tree.children(found))
    return deepest


def _path_of(let: Written | Ladder, draft: Draft) -> Path:
    if isinstance(let, Written):
        return let.path
    first = next((when.path for _, when in let if when is not None), draft.path)
    return first[:-2] if len(first) > 2 else first

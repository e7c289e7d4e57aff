"""Arguments of a roll (language library: dice).

In: what somebody gives for the parameters. Out: a value for every name that the roll reads of them: `p`, for a stat family also
`p.derived`, for a list a tuple of records. What does not fit is refused, by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from seasons_build.core.dice_amount import Dice, Worked, fixed, whole
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean, in_expressions
from seasons_build.language.dice.closure import Closure, Readings, Setting, Value
from seasons_build.language.dice.draft import Parameter
from seasons_build.language.dice.facts import Facts, Family
from seasons_build.language.dice.formula import closure
from seasons_build.language.dice.interval import Number
from seasons_build.language.dice.model import Given, Model
from seasons_build.language.dice.problem import Refused, RollProblem
from seasons_build.language.dice.scope import Names, constant
from seasons_build.language.expression import DICE, NUMBER, TRUTH, Type, compile_expression

Bound: TypeAlias = dict[str, Value]
"""Every name that is read of the arguments, with its value; hashable values only."""

Record: TypeAlias = tuple[tuple[str, Value], ...]


class FamilyValue(NamedTuple):
    """An argument for a stat family: the value of one of its stats, and its derived values by name."""

    value: Number
    derived: Mapping[str, Number]


class Families:
    """Works out the derived values of a stat from its value, where they read nothing else."""

    __slots__ = ("_derive",)

    def __init__(self, facts: Facts) -> None:
        self._derive = {name: _derivations(family, facts) for name, family in facts.families.items()}

    def flattened(self, parameter: Parameter, value: FamilyValue | Number) -> Bound:
        """The value and the derived values under the parameter's name; raises Refused where one of them is missing."""
        given: Mapping[str, Number] = value.derived if isinstance(value, FamilyValue) else {}
        number = value.value if isinstance(value, FamilyValue) else value
        bound: Bound = {parameter.name: whole(number)}
        for name, run in self._derive[parameter.family].items():
            if name in given:
                bound[f"{parameter.name}.{name}"] = whole(given[name])
            elif run is not None:
                bound[f"{parameter.name}.{name}"] = whole(run({"self": number}))
            else:
                message = f"`{parameter.name}` needs its `{name}` too: it depends on more than the value"
                raise Refused(RollProblem("E452", message, (), argument=parameter.name))
        return bound


def _derivations(family: Family, facts: Facts) -> dict[str, Closure | None]:
    found: dict[str, Closure | None] = {}
    for name, text in family.derive.items():
        compiled = compile_expression(text, Names({"self": NUMBER}, facts), NUMBER, facts.limits).value
        alone = compiled is not None and all(use.function == "table" for use in compiled.uses)
        setting = Setting((), frozenset(), facts.tables, facts.limits)
        found[name] = closure(compiled.tree, setting) if compiled is not None and alone else None
    return found


def bind(model: Model, arguments: Mapping[str, Any], models: Mapping[str, Model], families: Families) -> Bound:
    """Values for all names that the roll reads of its arguments; raises Refused for the first that is unknown, missing or does not fit."""
    given = _unfolded(model, arguments)
    for name in given:
        if name not in model.takes:
            message = f"the roll `{model.id}` takes no `{name}`"
            raise Refused(RollProblem("E452", message, (), hints=did_you_mean(name, model.takes), argument=name))
    bound: Bound = {}
    for name, parameter in model.takes.items():
        if name in given:
            bound.update(_fitting(model, parameter, given[name], models, families))
        elif parameter.required:
            raise Refused(RollProblem("E452", f"the roll `{model.id}` needs `{name}`", (), argument=name))
        else:
            bound[name] = parameter.default
    return bound


def defaults(model: Model) -> Bound:
    """The values of all parameters that need not be given."""
    return {name: parameter.default for name, parameter in model.takes.items() if not parameter.required}


def handed_on(parameter: Parameter, given: Given, frame: Mapping[str, Value], owner: Model, families: Families) -> Bound:
    """What a roll gives for a parameter of another one: names of the other, with values of ours."""
    if given.formula is not None:
        value = given.formula.run(frame)
        if parameter.kind == "family":
            return families.flattened(parameter, value)
        if parameter.kind == "dice" and not isinstance(value, Dice | Worked):
            value = fixed(value)
        return {parameter.name: _known_word(parameter, value)}
    names = [given.name]
    if parameter.kind == "family":
        names += [name for name in owner.types if name.startswith(f"{given.name}.")]
    values = {name: frame[name] for name in names}
    if parameter.kind == "dice" and not isinstance(values[given.name], Dice | Worked):
        values[given.name] = fixed(values[given.name])
    return {parameter.name + name[len(given.name) :]: value for name, value in values.items()}


def _unfolded(model: Model, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments for a die that is a roll may stand in a map under its name."""
    given: dict[str, Any] = {}
    for name, value in arguments.items():
        if name not in model.takes and isinstance(value, Mapping) and name.split(".")[0] in model.dice:
            given.update((f"{name}.{inner}", part) for inner, part in value.items())
        else:
            given[name] = value
    return given if given.keys() == arguments.keys() else _unfolded(model, given)


def _fitting(model: Model, parameter: Parameter, value: Any, models: Mapping[str, Model], families: Families) -> Bound:
    name = parameter.name
    match parameter.kind:
        case "number" if _is_number(number := _read(value, NUMBER)):
            return {name: whole(number)}
        case "truth" if isinstance(truth := _read(value, TRUTH), bool):
            return {name: truth}
        case "dice":
            amount = fixed(value) if _is_number(value) else _read(value, DICE)
            if isinstance(amount, Dice | Worked):
                return {name: amount}
        case "word" if isinstance(value, str) and _known_word(parameter, value) in parameter.words:
            return {name: _known_word(parameter, value)}
        case "family" if isinstance(value, FamilyValue) or _is_number(value := _read(value, NUMBER)):
            return families.flattened(parameter, value)
        case "list" if isinstance(value, Sequence) and not isinstance(value, str):
            return {name: tuple(_record(model, parameter, item, models, families) for item in value)}
    wanted = {
        "number": "a number",
        "truth": "true or false",
        "dice": "dice or a number",
        "word": "one of " + ", ".join(f"`{word}`" for word in parameter.words),
        "family": f"the value of one `{parameter.family}`, a number",
        "list": "a list",
    }[parameter.kind]
    hints = did_you_mean(value, parameter.words) if isinstance(value, str) else ()
    found = f", found `{value}`" if isinstance(value, str | int | Fraction) else ""
    raise Refused(RollProblem("E452", f"expected {wanted} for `{name}`{found}", (), hints=hints, argument=name))


def _record(model: Model, parameter: Parameter, item: Any, models: Mapping[str, Model], families: Families) -> Record:
    """One record of a list: arguments of the roll that is rolled for each, but for what the die gives itself."""
    inner = models[parameter.each]
    given = {name for die in model.dice.values() if die.each == parameter.name for name in die.given}
    if not isinstance(item, Mapping):
        message = f"expected a map for each of `{parameter.name}`: what `{inner.id}` takes"
        raise Refused(RollProblem("E452", message, (), argument=parameter.name))
    bound: Bound = {}
    for name in item:
        if name not in inner.takes or name in given:
            message = f"the roll `{inner.id}` takes no `{name}`"
            raise Refused(RollProblem("E452", message, (), hints=did_you_mean(name, inner.takes), argument=parameter.name))
    for name, wanted in inner.takes.items():
        if name in item:
            bound.update(_fitting(inner, wanted, item[name], models, families))
        elif name not in given and wanted.required:
            raise Refused(RollProblem("E452", f"the roll `{inner.id}` needs `{name}`", (), argument=parameter.name))
        elif name not in given:
            bound[name] = wanted.default
    return tuple(bound.items())


def _read(value: Any, want: Type) -> Any:
    """Text is read as an expression that names nothing; anything else is taken as it is."""
    return constant(value, want) if isinstance(value, str) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _known_word(parameter: Parameter, value: Value) -> Value:
    """A word as the parameter lists it: in expressions it may be written with `_`."""
    return next((word for word in parameter.words if in_expressions(word) == value), value)


def frame_of(model: Model, bound: Bound) -> Readings:
    """What is known before the throw: the arguments, and the lets that read no die."""
    return Readings(bound, {name: reading.run for name, reading in model.static.items()}, {})

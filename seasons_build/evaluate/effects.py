"""Which effects an entry bears, and on which of its stats.

The passive verbs are those that a sheet can work out: an effect with a rider that the table must judge (a span, a situation, a trigger,
another person) is said on the card and changes no number here. A situation with a `check` is one that a sheet decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from seasons_build.core import vocabulary
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Noun, Rules
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path

Verb: TypeAlias = Literal["set", "add", "times", "atleast", "atmost"]
VERBS: tuple[Verb, ...] = ("set", "add", "times", "atleast", "atmost")
DECIDED = frozenset(("when", "if", "state", "type", "label"))
AT_THE_TABLE = frozenset(word.name for word in (*vocabulary.RIDERS, *vocabulary.NESTING)) - DECIDED
"""The riders that only the table can judge; of the others `if` is decided where its situation has a check."""


class Effect(NamedTuple):
    """One verb on one stat, as typed: `path` leads to the amount, `sentence` to the map that has the riders."""

    verb: Verb
    stat: str
    amount: Value
    entry: Entry
    path: Path
    sentence: Path
    when: str | None
    state: str | None
    stacking: str | None
    situation: Noun | None = None
    """The situation in which alone it holds, which the sheet decides."""
    check: str | None = None
    """The same, typed in place."""


def passive(entry: Entry, rules: Rules, taken: int = 1) -> Iterator[Effect]:
    """The effects of an entry that its bearer's sheet can work out, in the order typed."""
    yield from _sentences(entry, entry.data.get("effects"), ("effects",), rules)
    actions = entry.data.get("actions")
    for name, action in actions.items() if isinstance(actions, dict) else ():
        if isinstance(action, dict) and "use" not in action and "roll" not in action:
            yield from _sentence(entry, action, ("actions", name), rules)
            yield from _sentences(entry, action.get("effects"), ("actions", name, "effects"), rules)
    for word in ("steps", "taken"):
        ladder = entry.data.get(word)
        for step, effects in ladder.items() if isinstance(ladder, dict) else ():
            if step.isdigit() and int(step) <= taken:
                yield from _sentences(entry, effects, (word, step), rules)


class Grant(NamedTuple):
    """An entry that another one gives its bearer, if its condition holds."""

    entry: Entry
    path: Path
    sentence: Path
    when: str | None


def grants(entry: Entry, taken: int = 1) -> Iterator[Grant]:
    """What an entry grants its bearer, in the order typed."""
    for sentence, effect in maps(entry, taken):
        given = effect.get("grant")
        when = _text(effect.get("when"))
        for path in [("grant", i) for i in range(len(given))] if isinstance(given, list) else [("grant",)] if given else []:
            yield Grant(entry, (*sentence, *path), sentence, when)


def decides_a_grant(data: Value, path: Path) -> bool:
    """Whether the condition at a path decides what is granted or chosen: such a one may not turn false when more is taken."""
    for step in path[:-1]:
        data = data[step]
    return isinstance(data, dict) and ("grant" in data or "choose" in data)


def choices(entry: Entry, taken: int = 1) -> Iterator[tuple[Path, str, Mapping[str, Value]]]:
    """The choices that an entry offers: where each stands, its name, and what it says."""
    for sentence, effect in maps(entry, taken):
        choice = effect.get("choose")
        if isinstance(choice, dict):
            yield (*sentence, "choose"), str(choice.get("as", "choice")), choice


def maps(entry: Entry, taken: int = 1) -> Iterator[tuple[Path, Mapping[str, Value]]]:
    """The effect maps of an entry that hold for its bearer at once, with the path to each."""
    found: list[tuple[Path, Value]] = [(("effects",), entry.data.get("effects"))]
    for word in ("steps", "taken"):
        ladder = entry.data.get(word)
        for step, effects in ladder.items() if isinstance(ladder, dict) else ():
            if step.isdigit() and int(step) <= taken:
                found.append(((word, step), effects))
    for path, effects in found:
        if isinstance(effects, list):
            yield from (((*path, i), effect) for i, effect in enumerate(effects) if isinstance(effect, dict))
        elif isinstance(effects, dict):
            yield path, effects


def option(entry: Entry, path: Path, effects: Value, rules: Rules) -> Iterator[Effect]:
    """The effects of an option that was chosen."""
    yield from _sentences(entry, effects, path, rules)


def _sentences(entry: Entry, effects: Value, path: Path, rules: Rules) -> Iterator[Effect]:
    if isinstance(effects, list):
        for index, effect in enumerate(effects):
            yield from _sentence(entry, effect, (*path, index), rules)
    else:
        yield from _sentence(entry, effects, path, rules)


def _sentence(entry: Entry, effect: Value, path: Path, rules: Rules) -> Iterator[Effect]:
    if not isinstance(effect, dict) or not AT_THE_TABLE.isdisjoint(effect):
        return
    when, state, stacking = (_text(effect.get(word)) for word in ("when", "state", "type"))
    decided = _decided(effect.get("if"), rules)
    if decided is None:
        return
    for verb in VERBS:
        amounts = effect.get(verb)
        for stat, amount in amounts.items() if isinstance(amounts, dict) else ():
            for member in _members(stat, rules):
                yield Effect(verb, member, amount, entry, (*path, verb, stat), path, when, state, stacking, *decided)


def _decided(situation: Value, rules: Rules) -> tuple[Noun | None, str | None] | None:
    """How a sheet decides the situation of an effect, by a noun of the game or by what is typed in place; None where it cannot."""
    if situation is None:
        return None, None
    if isinstance(situation, dict):
        return (None, str(situation["check"])) if "check" in situation else None
    noun = rules.get("situations", {}).get(str(situation))
    return (noun, None) if noun is not None and isinstance(noun.data, dict) and "check" in noun.data else None


def _members(stat: str, rules: Rules) -> tuple[str, ...]:
    """The stats that a name means: of a family, all its members; of a value derived of a family, that of each."""
    owner, dot, further = stat.partition(".")
    noun = rules.get("stats", {}).get(owner)
    each = noun.data.get("each") if noun is not None and isinstance(noun.data, dict) else None
    return tuple(f"{member}{dot}{further}" for member in each) if isinstance(each, list) else (stat,)


def _text(value: Value) -> str | None:
    return value if isinstance(value, str) else None

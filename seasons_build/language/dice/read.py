"""Reads a roll as written (language library: dice).

In: a roll written out as one map. Out: its parts in records. Everything that has the wrong form is found here; what the expressions say is
not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal

from seasons_build.core.dice_amount import figure
from seasons_build.core.names import ID, NAME, did_you_mean, in_expressions
from seasons_build.core.span import Path
from seasons_build.language.dice.draft import DieDraft, Draft, InsteadDraft, Kind, Ladder, OutcomeDraft, Parameter, Written
from seasons_build.language.dice.merge import Merged
from seasons_build.language.dice.problem import RollProblem
from seasons_build.language.dice.scope import constant
from seasons_build.language.expression import DICE, RESERVED

_ROLL = ("takes", "let", "dice", "keep", "instead", "outcomes", "value", "like")
_SAID = ("say", "amount")
"""Words of the sentences that ask for a roll: they stand in the same map, and mean nothing to its odds."""

_DIE = ("faces", "count", "score", "again", "roll", "with", "each")
_TYPES = ("number", "truth", "dice")
_FORBIDDEN = RESERVED | {"face", "throw", "outcome", "self"}


def read(merged: Merged, families: Iterable[str], rolls: Iterable[str], problems: list[RollProblem]) -> Draft:
    """The parts of a roll; what has the wrong form is left out and added to `problems`."""
    return _Reader(merged, tuple(families), tuple(rolls), problems).draft()


class _Reader:
    """Reads one roll; every method takes a path within it."""

    __slots__ = ("_families", "_merged", "_problems", "_rolls")

    def __init__(self, merged: Merged, families: tuple[str, ...], rolls: tuple[str, ...], problems: list[RollProblem]) -> None:
        self._merged, self._families, self._rolls, self._problems = merged, families, rolls, problems

    def draft(self) -> Draft:
        data = self._merged.data
        self._known({key: value for key, value in data.items() if key not in _SAID}, _ROLL, ())
        lets = {name: let for name, value in self._map(data, "let") if (let := self._let(name, value)) is not None}
        dice = {name: die for name, value in self._map(data, "dice") if (die := self._die(name, value)) is not None}
        takes = {name: found for name, value in self._map(data, "takes") if (found := self._parameter(name, value)) is not None}
        for die in dice.values():
            if die.each and die.each not in takes:
                takes[die.each] = Parameter(die.each, "list", self._merged.place("dice", die.name, "each"), each=die.roll)
        return Draft(
            self._merged.id,
            self._merged.place(),
            {name: parameter for name, parameter in takes.items() if name not in lets},
            lets,
            dice,
            self._written(data, "keep"),
            self._instead(data),
            self._outcomes(data),
            self._written(data, "value"),
            self._names_typed(data) - takes.keys() - lets.keys() - dice.keys(),
        )

    # Forms

    def _problem(self, code: str, message: str, path: Path, *hints: str, key: bool = False) -> None:
        self._problems.append(RollProblem(code, message, self._merged.place(*path), hints=tuple(hints), key=key))

    def _known(self, data: Mapping[str, Any], words: tuple[str, ...], path: Path) -> None:
        for key in data:
            if key not in words:
                message = f"unknown word `{key}`: expected {_listed(words)}"
                self._problem("E450", message, (*path, key), *did_you_mean(str(key), words), key=True)

    def _map(self, data: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
        value = data.get(key, {})
        if isinstance(value, dict):
            return [(name, inner) for name, inner in value.items() if self._name(name, (key, name))]
        self._problem("E450", f"expected a map (name: value lines) under `{key}`", (key,))
        return []

    def _names_typed(self, data: Mapping[str, Any]) -> frozenset[str]:
        maps = [value for key in ("takes", "let", "dice") if isinstance(value := data.get(key), dict)]
        return frozenset(in_expressions(str(name)) for inner in maps for name in inner)

    def _name(self, name: Any, path: Path) -> bool:
        if not isinstance(name, str) or not NAME.match(name) or name in _FORBIDDEN:
            hint = "names begin with a letter and are made of a-z, 0-9 and `_`"
            if isinstance(name, str) and name in _FORBIDDEN:
                hint = "the language uses this word itself"
            self._problem("E450", f"`{name}` cannot be a name here", path, hint, key=True)
            return False
        return True

    def _word(self, word: Any, path: Path) -> bool:
        if isinstance(word, str) and (ID.match(word) or NAME.match(word)) and word not in RESERVED:
            return True
        self._problem("E450", f"expected a word in lower case, found `{word}`", path, key=True)
        return False

    def _written(self, data: Mapping[str, Any], key: str, path: Path = ()) -> Written | None:
        if key not in data:
            return None
        return self._expression(data[key], (*path, key))

    def _expression(self, value: Any, path: Path) -> Written | None:
        place = self._merged.place(*path)
        if isinstance(value, str):
            return Written(value, place, True)
        if isinstance(value, bool):
            return Written("true" if value else "false", place, False)
        if isinstance(value, int | Fraction):
            return Written(figure(value), place, False)
        self._problem("E450", "expected an expression: a number or text", path)
        return None

    # Parts

    def _parameter(self, name: str, value: Any) -> Parameter | None:
        path = self._merged.place("takes", name)
        if isinstance(value, bool):
            return Parameter(name, "truth", path, False, value)
        if isinstance(value, int | Fraction):
            return Parameter(name, "number", path, False, value)
        if isinstance(value, list):
            words = [word for i, word in enumerate(value) if self._word(word, ("takes", name, i))]
            if not value:
                self._problem("E450", "expected words, found an empty list", ("takes", name))
            return Parameter(name, "word", path, False, words[0], tuple(words)) if words and len(words) == len(value) else None
        if not isinstance(value, str):
            self._problem("E450", f"expected {_listed(_TYPES)}, a stat family, words or a default", ("takes", name))
            return None
        if value in _TYPES:
            return Parameter(name, _kind(value), path)
        if value in self._families:
            return Parameter(name, "family", path, family=value)
        amount = constant(value, DICE)
        if amount is not None:
            return Parameter(name, "dice", path, False, amount)
        meant = did_you_mean(value, (*_TYPES, *self._families))
        self._problem("E451", f"`{value}` is neither a type ({_listed(_TYPES)}) nor a stat family nor a default", ("takes", name), *meant)
        return None

    def _let(self, name: str, value: Any) -> Written | Ladder | None:
        if not isinstance(value, list):
            return self._expression(value, ("let", name))
        rungs: list[tuple[str, Written | None]] = []
        for i, rung in enumerate(value):
            pair = self._rung(rung, ("let", name, i))
            if pair is None:
                continue
            word, condition = pair
            written = None if condition == "else" else self._expression(condition, ("let", name, i, word))
            if condition == "else" or written is not None:
                rungs.append((word, written))
        self._ladder_form([(word, when is None) for word, when in rungs], len(value), ("let", name))
        return tuple(rungs)

    def _rung(self, rung: Any, path: Path) -> tuple[str, Any] | None:
        if isinstance(rung, dict) and len(rung) == 1:
            ((word, condition),) = rung.items()
            return (word, condition) if self._word(word, (*path, word)) else None
        self._problem("E450", "expected one `word: condition`", path)
        return None

    def _ladder_form(self, rungs: list[tuple[str, bool]], typed: int, path: Path) -> None:
        """`else` is last and only last, and no word stands twice; judged where every rung could be read."""
        if len(rungs) < typed:
            return
        if not rungs:
            self._problem("E456", "expected a list of `word: condition`, found an empty one", path)
            return
        for i, (_, is_else) in enumerate(rungs[:-1]):
            if is_else:
                self._problem("E456", "expected `else` as the last condition alone: what follows is never reached", (*path, i))
        if not rungs[-1][1]:
            hint = f"make the last one `{rungs[-1][0]}: else`, or add one"
            self._problem("E456", "expected `else` as the last condition, so that something always holds", (*path, len(rungs) - 1), hint)
        seen: set[str] = set()
        for i, (word, _) in enumerate(rungs):
            if word in seen:
                self._problem("E456", f"`{word}` stands twice", (*path, i), "join both conditions with `or`")
            seen.add(word)

    def _die(self, name: str, value: Any) -> DieDraft | None:
        path: Path = ("dice", name)
        if not isinstance(value, dict):
            self._problem("E450", f"expected a map for the die `{name}`, as in `{{faces: 6}}`", path)
            return None
        self._known(value, _DIE, path)
        if "roll" in value:
            return self._rolled_die(name, value, path)
        for key in ("with", "each"):
            if key in value:
                self._problem("E450", f"`{key}` belongs to a die that is a roll", (*path, key), key=True)
        if "faces" not in value:
            self._problem("E450", f"the die `{name}` has neither `faces` nor `roll`", path, key=True)
            return None
        form, faces = self._faces(value["faces"], (*path, "faces"))
        if not faces:
            return None
        count, score, again = (self._written(value, key, path) for key in ("count", "score", "again"))
        return DieDraft(name, self._merged.place(*path), faces, form, count, score, again)

    def _faces(self, value: Any, path: Path) -> tuple[Literal["to", "range", "list"], tuple[Written, ...]]:
        if isinstance(value, dict):
            self._known(value, ("from", "to"), path)
            ends = [self._written(value, key, path) for key in ("from", "to")]
            both = tuple(end for end in ends if end is not None)
            if len(both) == 2:
                return "range", both
            self._problem("E450", "expected both `from` and `to`", path)
            return "range", ()
        if isinstance(value, list):
            listed = tuple(face for i, item in enumerate(value) if (face := self._expression(item, (*path, i))) is not None)
            if not value:
                self._problem("E450", "expected at least one face, found an empty list", path)
            return "list", listed if len(listed) == len(value) else ()
        one = self._expression(value, path)
        return "to", (one,) if one is not None else ()

    def _rolled_die(self, name: str, value: Mapping[str, Any], path: Path) -> DieDraft | None:
        roll = self._roll(value["roll"], (*path, "roll"))
        for key in ("faces", "again"):
            if key in value:
                self._problem("E450", f"`{key}` does not belong to a die that is a roll", (*path, key), key=True)
        each = value.get("each", "")
        if each != "" and not self._name(each, (*path, "each")):
            return None
        if each and "count" in value:
            self._problem("E450", "a die has `count` or `each`, not both", (*path, "count"), key=True)
        if ("count" in value or each) and "score" not in value:
            word = "each" if each else "count"
            self._problem("E450", f"rolls are added up by their `score`, and with `{word}` there is none", (*path, word), key=True)
            return None
        if roll is None:
            return None
        count, score = self._written(value, "count", path), self._written(value, "score", path)
        place = self._merged.place(*path)
        return DieDraft(name, place, count=count, score=score, roll=roll, given=self._given(value, path), each=each)

    def _roll(self, roll: Any, path: Path) -> str | None:
        if isinstance(roll, str) and roll in self._rolls:
            return roll
        self._problem("E451", f"unknown roll `{roll}`", path, *did_you_mean(str(roll), self._rolls))
        return None

    def _given(self, value: Mapping[str, Any], path: Path) -> dict[str, Written]:
        given = value.get("with", {})
        if not isinstance(given, dict):
            self._problem("E450", "expected a map (parameter: expression) under `with`", (*path, "with"))
            return {}
        found = ((name, self._expression(inner, (*path, "with", name))) for name, inner in given.items())
        return {name: written for name, written in found if written is not None}

    def _instead(self, data: Mapping[str, Any]) -> InsteadDraft | None:
        if "instead" not in data:
            return None
        value, path = data["instead"], ("instead",)
        if not isinstance(value, dict) or "when" not in value or "roll" not in value:
            self._problem("E450", "expected `{when: condition, roll: name of a roll}` under `instead`", path)
            return None
        self._known(value, ("when", "roll", "with"), path)
        when, roll = self._written(value, "when", path), self._roll(value["roll"], (*path, "roll"))
        if when is None or roll is None:
            return None
        return InsteadDraft(when, roll, self._given(value, path), self._merged.place(*path))

    def _outcomes(self, data: Mapping[str, Any]) -> tuple[OutcomeDraft, ...]:
        if "outcomes" not in data:
            return ()
        value = data["outcomes"]
        if not isinstance(value, list):
            self._problem("E450", "expected a list of `- word: condition` under `outcomes`", ("outcomes",))
            return ()
        found = [outcome for i, rung in enumerate(value) if (outcome := self._outcome(rung, ("outcomes", i))) is not None]
        self._ladder_form([(outcome.word, outcome.when is None) for outcome in found], len(value), ("outcomes",))
        return tuple(found)

    def _outcome(self, rung: Any, path: Path) -> OutcomeDraft | None:
        pair = self._rung(rung, path)
        if pair is None:
            return None
        word, body = pair
        path = (*path, word)
        place = self._merged.place(*path)
        if not isinstance(body, dict):
            when = None if body == "else" else self._expression(body, path)
            return OutcomeDraft(word, when, None, False, place) if body == "else" or when is not None else None
        self._known(body, ("when", "value", "reroll"), path)
        if "when" not in body:
            self._problem("E450", f"the outcome `{word}` has no `when`", path, "the last one is `when: else`", key=True)
            return None
        when = None if body["when"] == "else" else self._written(body, "when", path)
        if body["when"] != "else" and when is None:
            return None
        reroll = body.get("reroll", False)
        if not isinstance(reroll, bool):
            self._problem("E450", "expected true or false", (*path, "reroll"))
        return OutcomeDraft(word, when, self._written(body, "value", path), reroll is True, place)


def _kind(word: str) -> Kind:
    for kind in ("number", "truth", "dice"):
        if word == kind:
            return kind
    raise AssertionError(word)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)

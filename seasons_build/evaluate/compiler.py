"""The formulas, rolls and odds that entries need, each made once however many entries need it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from seasons_build.core.dice_amount import whole
from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Entry, Noun
from seasons_build.core.span import Path
from seasons_build.evaluate.fields import Failed, Faulty, levels_at
from seasons_build.evaluate.game import EntryScope, Formula, Game
from seasons_build.evaluate.program import Program, stat_types
from seasons_build.language.expression import NUMBER, Compiled, Problem, Type, compile_expression

if TYPE_CHECKING:
    from seasons_build.language.dice import Odds, Roll, Rolls

Made: TypeAlias = tuple[Compiled | None, tuple[Problem, ...]]
"""A formula, or None where it is faulty, and its problems."""


class Compiler:
    """Compiles the formulas of fields, each text once for each place it can stand in."""

    def __init__(self, game: Game, programs: Callable[[str], Program]) -> None:
        self.game = game
        self.programs = programs
        self._made: dict[tuple[Any, ...], Made] = {}
        self._there: dict[tuple[str, Path, str, str | None, Type | None], Made] = {}
        self._levels: dict[tuple[str, Path], tuple[Any, ...]] = {}
        self._rolls: Rolls | None = None
        self._odds: dict[tuple[Any, ...], Odds] = {}
        self._nouns: dict[tuple[str, str, str, str], Formula | None] = {}
        self.asked: dict[str, set[str]] = {}
        """By kind, the names that formulas have read of the entry itself on whose sheet they are, as they write them."""
        self.told_depth = False
        """Whether the author knows already of a chain of values that is too long: every entry along it would say the same."""

    def compiled(self, entry: Entry, path: Path, text: str, want: Type | None, bearer: str | None = None) -> Compiled | None:
        """The formula at a path of an entry, or None where it is faulty; problems are reported once."""
        made, _ = self.with_problems(entry, path, text, want, bearer)
        return made

    def with_problems(
        self, entry: Entry, path: Path, text: str, want: Type | None, bearer: str | None = None
    ) -> Made:
        """The formula and its problems, by offset."""
        place = (text, path, entry.kind, bearer, want)
        found = self._there.get(place)
        if found is None:
            found = self._there[place] = self._at_level(entry.kind, path, text, want, bearer)
        return found

    def _at_level(self, kind: str, path: Path, text: str, want: Type | None, bearer: str | None) -> Made:
        """The formula as it is read at a place: made once for all places that see the same."""
        program = self.programs(kind)
        shape = tuple(step if isinstance(step, str) else 0 for step in path)
        levels = self._levels.get((kind, shape))
        if levels is None:
            levels = self._levels[kind, shape] = levels_at(program.kind.schema, path)
        key = (text, want, kind, bearer, tuple(map(id, levels)))
        if key not in self._made:
            scope: EntryScope = program.scope.with_names(levels[:-1], {})
            if bearer is not None and bearer != kind:
                scope = scope.of_bearer(stat_types(self.game, self.programs(bearer).kind))
            found = compile_expression(text, scope, want)
            self._made[key] = (found.value, (*found.problems, *self.game.unknown(text, found.value)))
        return self._made[key]

    def noun_formula(self, noun: Noun, form: str, want: Type, program: Program) -> Formula | None:
        """A formula of one of the game's small words, read on the sheets of a kind with what the word takes in sight; None where it has
        only words."""
        key = (noun.noun, noun.id, form, program.kind.id)
        if key not in self._nouns:
            data: Mapping[str, Any] = noun.data if isinstance(noun.data, dict) else {}
            takes = data.get("takes")
            extra = {str(name): NUMBER for name in takes} if isinstance(takes, list) else {}
            self._nouns[key] = self.game.formula(data.get(form), want, program.scope.with_names((), extra), noun, (form,))
        return self._nouns[key]

    def roll(self, name: str) -> Roll:
        """A roll of the game; one that is broken, or is none, is told where it stands."""
        if self._rolls is None:
            from seasons_build.evaluate.rolls import rolls_of

            self._rolls = rolls_of(self.game)
        if name not in self._rolls.rolls:
            raise Faulty
        return self._rolls.rolls[name]

    def odds(self, roll: str, arguments: Mapping[str, Value], outcomes: tuple[str, ...]) -> Number:
        """How likely some outcomes of a roll are together, or without any what it gives on average; raises `Refused`. Worked out once."""
        key = (roll, *sorted((name, str(value)) for name, value in arguments.items()))
        if key not in self._odds:
            self._odds[key] = self.roll(roll).odds(dict(arguments))
        odds = self._odds[key]
        if outcomes:
            return whole(sum((odds.outcomes.get(outcome, Fraction(0)) for outcome in outcomes), start=Fraction(0)))
        mean = odds.value.mean if odds.value is not None else None
        if mean is None and odds.value is not None:
            mean = odds.value.known_mean
        if mean is None:
            raise Failed
        return whole(mean)

    def derived(self, kind: str, name: str, program: Program) -> Formula | None:
        """The formula of a value that the rules derive for things of a kind on the sheets of another."""
        key = ("derive", kind, name, program.kind.id)
        if key not in self._nouns:
            self._nouns[key] = self.game.derived(kind, name, program.scope)
        return self._nouns[key]

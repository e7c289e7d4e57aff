"""The rolls of a game, ready to be worked out (part of evaluate)."""

from __future__ import annotations

from collections.abc import Iterator

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Value
from seasons_build.evaluate.game import Game, members
from seasons_build.evaluate.tables import look_up
from seasons_build.language.dice import Facts, Family, Rolls, Table, compile_rolls


def rolls_of(game: Game) -> Rolls:
    """The rolls that hold in a pack; what is wrong with them is in their `problems`."""
    declared = {name: noun.data for name, noun in game.rules.get("rolls", {}).items()}
    return compile_rolls(declared, facts_of(game))


def facts_of(game: Game) -> Facts:
    """What the rolls of a pack may read of its game."""
    return Facts(dict(_families(game)), dict(_tables(game)))


def roll_faults(game: Game, rolls: Rolls) -> Iterator[Diagnostic]:
    """What is wrong with the rolls, each where it was typed."""
    nouns = game.rules.get("rolls", {})
    for problem in rolls.problems:
        noun = nouns.get(str(problem.path[0])) if problem.path else None
        if noun is not None:
            yield problem.located(noun.document, ("rules", "rolls"))


def _families(game: Game) -> Iterator[tuple[str, Family]]:
    for name, noun in game.rules.get("stats", {}).items():
        data = noun.data if isinstance(noun.data, dict) else {}
        if "each" in data:
            derived = data.get("derive")
            formulas = {str(k): str(v) for k, v in derived.items()} if isinstance(derived, dict) else {}
            yield name, Family(tuple(members(game, noun)), formulas, noun.faulty)


def _tables(game: Game) -> Iterator[tuple[str, Table]]:
    for name, noun in game.rules.get("tables", {}).items():

        def value(keys: tuple[Value, ...], data: Value = noun.data) -> Value | None:
            return look_up(data, keys)

        yield name, Table(game.tables[name], value)

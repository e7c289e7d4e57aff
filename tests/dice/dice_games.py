"""The rolls of three games, compiled once, and how tests ask them."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from seasons_build.language.dice import Facts, Family, Odds, Roll, compile_rolls

GAMES = Path(__file__).parent / "games"

CHAIN = 3
"""In the cut game a chain of dice ends after so many further throws, so that all throws can be listed."""


@cache
def written(game: str) -> Mapping[str, Any]:
    """The file of a game."""
    data: Mapping[str, Any] = yaml.safe_load((GAMES / f"{game}.yaml").read_text(encoding="utf-8"))
    return data


def facts(game: str) -> Facts:
    """The stat families of a game."""
    families = written(game).get("families", {})
    return Facts({name: Family(tuple(family["members"]), family["derive"]) for name, family in families.items()})


def compiled(game: str, rolls: Mapping[str, Any]) -> Mapping[str, Roll]:
    """Rolls that have to be sound."""
    found = compile_rolls(rolls, facts(game))
    assert not found.problems, found.problems
    return found.rolls


@cache
def rolls(game: str) -> Mapping[str, Roll]:
    """The rolls of a game."""
    return compiled(game, written(game)["rolls"])


@cache
def cut_pool() -> Mapping[str, Roll]:
    """The rolls of the pool game, with chains cut short."""
    data = deepcopy(written("pool")["rolls"])
    data["pool"]["dice"]["power"]["again"] = f"face == 10 and throw <= {CHAIN}"
    return compiled("pool", data)


def odds(game: str, roll: str, **arguments: Any) -> Odds:
    """The odds of a roll of a game."""
    return rolls(game)[roll].odds(arguments)


def chance(game: str, roll: str, *words: str, **arguments: Any) -> Fraction:
    """The chance of any of these outcomes."""
    found = odds(game, roll, **arguments)
    return sum((found.outcomes[word] for word in words), Fraction(0))

"""Amounts of effects, as far as a sheet can work them out (part of evaluate).

In: an amount as typed: a number, a formula, a quantity of the game with what it takes, a ladder that grows with a stat. Out: its number, or
nothing where it is for the table: dice, what a roll gives, an amount that only has words.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Protocol

from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Noun, Rules
from seasons_build.core.span import Path

QUANTITIES = "quantities"
SCALE, BY, SAY = "scale", "by", "say"
GIVEN = "value"
"""What the roll gives: known at the table alone."""
MINUS = "-−"


class Bearer(Protocol):
    """The sheet on which an amount is worked out."""

    def stat(self, name: str) -> Number:
        """The value of a stat."""

    def amount_formula(self, path: Path, text: str) -> Value:
        """The value of a formula that stands at a path of the entry that the effect is from."""

    def quantity(self, noun: Noun, arguments: Mapping[str, Value]) -> Value:
        """The value of a quantity with its arguments worked out; None where it has only words."""


def worked(amount: Value, path: Path, rules: Rules, bearer: Bearer) -> Number | None:
    """The number of an amount on a sheet; None where it changes no number there."""
    if isinstance(amount, int | Fraction) and not isinstance(amount, bool):
        return amount
    if isinstance(amount, str):
        noun = quantity_of(rules, amount)
        if noun is not None:
            found = _number(bearer.quantity(noun, {}))
            return -found if found is not None and amount[0] in MINUS else found
        return None if amount.lstrip(MINUS) == GIVEN else _number(bearer.amount_formula(path, amount))
    if not isinstance(amount, dict) or SAY in amount:
        return None
    if SCALE in amount:
        return _rung(amount, path, rules, bearer)
    for name, given in amount.items():
        noun = quantity_of(rules, name)
        if noun is not None:
            arguments = given if isinstance(given, dict) else {}
            worked_out = {key: worked(value, (*path, name, key), rules, bearer) for key, value in arguments.items()}
            return _number(bearer.quantity(noun, worked_out))
    return None


def quantity_of(rules: Rules, text: str) -> Noun | None:
    """The quantity that a text means, with a minus or without."""
    return rules.get(QUANTITIES, {}).get(text.lstrip(MINUS))


def is_said_amount(rules: Rules, text: str) -> bool:
    """Whether the text of an amount is no formula: a quantity of the game, or what a roll gives."""
    return quantity_of(rules, text) is not None or text.lstrip(MINUS) == GIVEN


def _rung(amount: Mapping[str, Value], path: Path, rules: Rules, bearer: Bearer) -> Number | None:
    """The rung of a ladder that the stat has reached; 0 below the first. A ladder of dice is for the table."""
    ladder, by = amount[SCALE], amount.get(BY)
    if not isinstance(ladder, dict) or not isinstance(by, str):
        return None
    rungs = sorted((int(step), step) for step in ladder if step.isdigit())
    numbers = {step: worked(ladder[step], (*path, SCALE, step), rules, bearer) for _, step in rungs}
    if None in numbers.values():
        return None
    held = bearer.stat(by)
    reached = [step for at, step in rungs if at <= held]
    return numbers[reached[-1]] if reached else 0


def _number(value: Value) -> Number | None:
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None

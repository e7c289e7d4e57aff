"""Where a chain of dice is cut: what is still exact, and what is stated of the rest."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest

from seasons_build.language.dice import Facts, Interval, Odds, Roll, compile_rolls

SIXES = {"faces": 6, "again": "face == 6"}
"""A six is thrown again and added: it comes to 6 k + j, with j from 1 to 5, in 1 of 6 ** (k + 1) throws."""

CUT = F(1, 6**39)
"""The first power of a sixth below 10 ** -30."""


def roll(**data: Any) -> Roll:
    found = compile_rolls({"roll": data}, Facts())
    assert not found.problems, found.problems
    return found.rolls["roll"]


def asked(condition: str, **data: Any) -> Odds:
    return roll(dice={"d": SIXES}, outcomes=[{"yes-it-is": condition}, {"no-it-is-not": "else"}], **data).odds({})


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ("d >= 20", F(1, 6**3) * F(4, 6) + F(1, 6**4)),
        ("d > 5 and d < 12", F(1, 6) * F(5, 6)),
        ("d == 6", F(0)),
        ("d < 6 or d == 7", F(5, 6) + F(1, 36)),
        ("abs(d - 10) > 3", 1 - F(1, 6) * F(5, 6) - F(1, 36) * F(1, 6)),
        ("min(d, 9) == 9", F(1, 6) * F(3, 6) + F(1, 36)),
        ("floor(d / 6) >= 2", F(1, 36)),
        ("not (d * 2 < 25)", F(1, 36) * F(5, 6) + F(1, 216)),
        ("(3 if d > 6 else 1) > 2", F(1, 6)),
        ("floor(1 / d) == 1", F(1, 6)),
    ],
)
def test_a_condition_that_decides_on_the_rest_is_exact(condition: str, true: F) -> None:
    found = asked(condition)
    assert found.tail == 0 and found.outcomes["yes-it-is"] == true


@pytest.mark.parametrize(("condition", "true"), [("d % 2 == 1", F(3, 5)), ("d < 500 and d % 2 == 1", F(3, 5)), ("d < 238", F(1))])
def test_a_condition_that_cannot_decide_states_its_tail(condition: str, true: F) -> None:
    found = asked(condition)
    yes = found.outcomes["yes-it-is"]
    assert found.tail == CUT
    assert yes <= true <= yes + found.tail or abs(true - yes) < CUT * 2
    assert sum(found.outcomes.values()) + found.tail == 1


def test_ladders_of_words_leave_open_what_reads_them() -> None:
    let = {"grade": [{"even": "d % 2 == 0"}, {"odd": "else"}], "either": "grade == 'even' or d > 4", "both": "grade == 'odd' and d < 4"}
    assert asked("either", let=let).tail == 0
    assert asked("both", let=let).tail == 0
    assert asked("grade == 'even'", let=let).tail == CUT


def test_values_with_a_tail() -> None:
    found = roll(dice={"d": SIXES}, value="d + 1").odds({}).value
    assert found is not None and found.tail == CUT
    assert [value for value in found.weights if isinstance(value, Interval)] == [Interval(6 * 39 + 2, None)]
    assert sum(found.chances.values()) == 1 - CUT
    assert found.mean == F(26, 5) and found.known_mean is not None
    assert 0 < F(21, 5) + 1 - found.known_mean < 300 * CUT
    amounts = roll(dice={"d": SIXES}, outcomes=[{"up": {"when": "d > 4", "value": "dice(min(d, 8), 4)"}}, {"down": "else"}]).odds({})
    assert amounts.tail == 0 and amounts.values["up"].tail == 0
    wild = roll(dice={"d": SIXES}, outcomes=[{"up": {"when": "d > 4", "value": "1d6 + d"}}, {"down": "else"}]).odds({})
    assert wild.tail == 0 and wild.values["up"].tail == CUT / (F(1, 6) + F(1, 6))


def test_tails_in_a_roll_inside_another() -> None:
    rolls = {
        "inner": {"dice": {"d": SIXES}, "let": {"odd": "d % 2 == 1", "big": "d > 20"}, "outcomes": [{"odd": "odd"}, {"even": "else"}]},
        "outer": {
            "dice": {"a": {"roll": "inner"}, "b": {"roll": "inner"}},
            "outcomes": [{"big": "a.big or b.big"}, {"alike": "a.outcome == b.outcome"}, {"unlike": "else"}],
        },
    }
    found = compile_rolls(rolls, Facts()).rolls["outer"].odds({})
    big = F(1, 6**3) * F(3, 6) + F(1, 6**4)
    assert found.outcomes["big"] == 1 - (1 - big) ** 2
    assert found.tail == 0
    """The rest of a chain is big, whatever its last throw is."""


def test_thrown_again_divides_the_tail_too() -> None:
    outcomes = [{"odd": "d % 2 == 1"}, {"low": {"when": "d < 7", "reroll": True}}, {"even": "else"}]
    found = roll(dice={"d": SIXES}, outcomes=outcomes).odds({})
    again = F(2, 6)
    assert found.tail == CUT / (1 - again)
    assert found.outcomes["odd"] <= F(3, 5) / (1 - again) <= found.outcomes["odd"] + found.tail
    assert list(found.outcomes) == ["odd", "even"]


def test_a_roll_that_is_thrown_again_inside_another() -> None:
    rolls = {
        "inner": {"dice": {"d": {"faces": 6}}, "outcomes": [{"six": {"when": "d == 6", "reroll": True}}, {"rest": "else"}]},
        "outer": {"dice": {"a": {"roll": "inner"}}, "outcomes": [{"one": "a.d == 1"}, {"other": "else"}]},
        "never": {"dice": {"d": {"faces": 6}}, "outcomes": [{"low": {"when": "d < 9", "reroll": True}}, {"rest": "else"}]},
    }
    found = compile_rolls(rolls, Facts())
    assert not found.problems
    assert found.rolls["outer"].odds({}).outcomes["one"] == F(1, 5)


def test_penalty_dice_are_open_below() -> None:
    data = {"d": {"faces": 6, "score": "-face", "again": "face == 6"}}
    found = roll(dice=data, outcomes=[{"low": "d < -10"}, {"high": "else"}]).odds({})
    assert found.tail == 0 and found.outcomes["low"] == F(1, 6) * F(1, 6) + F(1, 36)

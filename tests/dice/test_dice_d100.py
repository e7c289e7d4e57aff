"""The percentile game against every throw of its dice, counted one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from functools import cache
from itertools import product

import pytest
from dice_games import chance, compiled, odds, rolls, written

from seasons_build.language.dice import Roll

TEN = range(10)


@cache
def kept(tens: int, units: int, best: bool) -> tuple[Counter[int], int]:
    """How often each percentile is kept, over all throws of so many tens and units dice; 00 counts as 100."""
    found: Counter[int] = Counter()
    choose = min if best else max
    for thrown_tens in product(TEN, repeat=tens):
        for thrown_units in product(TEN, repeat=units):
            found[choose([10 * t + u or 100 for t in thrown_tens for u in thrown_units])] += 1
    return found, 10 ** (tens + units)


def splits() -> list[tuple[int, int]]:
    """Net Favor from -3 to 3, and how much of it is on the units die."""
    return [(net, moved) for net in range(-3, 4) for moved in range(abs(net) + 1)]


@cache
def graded() -> Roll:
    """The percentile roll with an outcome for each grade of success."""
    read = {grade: f"success and gradient == '{grade}'" for grade in ("positive", "standard", "negative")}
    outcomes = [{word: condition} for word, condition in read.items()] + [{"failure": "else"}]
    return compiled("d100", {**written("d100")["rolls"], "graded": {"like": "resolution", "outcomes": outcomes}})["graded"]


@pytest.mark.parametrize(("net", "moved"), splits())
def test_every_target_and_every_favor(net: int, moved: int) -> None:
    counts, total = kept(1 + abs(net) - moved, 1 + moved, net >= 0)
    won: Counter[str] = Counter()
    for target in range(1, 106):
        if target < 100 and counts[target]:
            units = target % 10
            won["positive" if units <= 1 else "negative" if units >= 8 else "standard"] += counts[target]
        found = graded().odds({"target": target, "favor": max(net, 0), "disfavor": max(-net, 0), "on_units": moved})
        assert found.tail == 0
        assert found.outcomes == {
            "positive": F(won["positive"], total),
            "standard": F(won["standard"], total),
            "negative": F(won["negative"], total),
            "failure": 1 - F(won.total(), total),
        }


def test_favor_and_disfavor_are_capped_before_they_cancel() -> None:
    one = odds("d100", "resolution", target=47, favor=1).outcomes
    assert odds("d100", "resolution", target=47, favor=4, disfavor=2).outcomes == one
    assert odds("d100", "resolution", target=47, favor=2, disfavor=5).outcomes == odds("d100", "resolution", target=47, disfavor=1).outcomes


@pytest.mark.parametrize(
    ("arguments", "success"),
    [
        ({"target": 30, "favor": 1}, F(51, 100)),
        ({"target": 30, "favor": 1, "on_units": 1}, F(159, 500)),
        ({"target": 109}, F(99, 100)),
        ({"target": 109, "favor": 1}, F(999, 1000)),
        ({"target": 24, "favor": 1}, F(21, 50)),
        ({"target": 35, "favor": 1}, F(23, 40)),
        ({"target": 44, "favor": 1}, F(171, 250)),
        ({"target": 38, "favor": 1}, F(307, 500)),
        ({"target": 18, "disfavor": 1}, F(17, 500)),
        ({"target": 24, "disfavor": 1}, F(3, 50)),
        ({"target": 34, "disfavor": 1}, F(59, 500)),
        ({"target": 54, "favor": 1}, F(393, 500)),
    ],
)
def test_printed_odds(arguments: dict[str, int], success: F) -> None:
    assert chance("d100", "resolution", "success", **arguments) == success


def test_the_better_of_a_zero() -> None:
    """With a 0 on the units, tens of 0 and 9 keep 90: 00 would be 100. With a 0 on the tens, units of 0 and 5 keep 5."""
    two_tens, _ = kept(2, 1, True)
    assert two_tens[90] == 3 and two_tens[100] == 1
    two_units, _ = kept(1, 2, True)
    assert two_units[5] == 11


def test_grades_of_errata() -> None:
    units_favor = graded().odds({"target": 30, "favor": 1, "on_units": 1}).outcomes
    assert (units_favor["positive"], units_favor["negative"]) == (F(110, 1000), F(16, 1000))
    seven = graded().odds({"target": 7}).outcomes
    assert seven["negative"] == 0 and seven["positive"] == F(1, 100)
    wide = graded().odds({"target": 54, "positive_to": 2}).outcomes
    assert wide["positive"] / (1 - wide["failure"]) == F(17, 54)


@pytest.mark.parametrize("word", ["positive", "standard", "negative"])
def test_a_gradient_can_be_read_otherwise(word: str) -> None:
    found = graded().odds({"target": 38, "read_as": word}).outcomes
    assert found[word] == F(38, 100)


def test_the_target_has_one_floor_at_the_end() -> None:
    assert chance("d100", "test", "success", base=20, defense=25, bonus=10) == F(5, 100)
    assert chance("d100", "test", "success", base=20, defense=25) == F(1, 100)
    assert chance("d100", "test", "success", base=99, bonus=10) == F(99, 100)
    assert chance("d100", "test", "success", base=50, circumstance=-45) == F(30, 100)


def test_damage_by_listing_every_throw() -> None:
    """A 1d6+2 attack at 34 with Favor: twice the dice on a positive success, half rounded up on a negative one."""
    found = odds("d100", "attack", attribute=60, damage="1d6 + 2", bonus=10, defense=6, favor=1)
    damage: Counter[int] = Counter()
    counts, _ = kept(2, 1, True)
    for percentile, ways in counts.items():
        for a, b in product(range(1, 7), repeat=2):
            units = percentile % 10
            hit = a + 2
            if percentile > 34:
                hit = 0
            elif units <= 1:
                hit = a + b + 2
            elif units >= 8:
                hit = -(-(a + 2) // 2)
            damage[hit] += ways
    assert found.value is not None
    assert found.value.chances == {value: F(ways, 36_000) for value, ways in sorted(damage.items())}
    assert found.values["graze"].chances == {2: F(2, 6), 3: F(2, 6), 4: F(2, 6)}
    assert found.values["critical"].mean == 9 and found.values["hit"].mean == F(11, 2)
    assert found.value.mean == F(6477, 2000)


def test_mean_damage_of_a_landed_hit() -> None:
    found = odds("d100", "attack", attribute=60, damage="1d6 + 2", bonus=10, defense=6)
    assert found.value is not None and found.value.mean is not None
    assert round(float(found.value.mean / (1 - found.outcomes["miss"])), 3) == 5.779


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({"target": 40}, {"target": 30}),
        ({"target": 44, "favor": 1}, {"target": 60}),
        ({"target": 55, "disfavor": 2}, {"target": 35, "favor": 1, "on_units": 1}),
        ({"target": 105}, {"target": 1}),
    ],
)
def test_contest(mine: dict[str, int], theirs: dict[str, int]) -> None:
    def percentiles(side: dict[str, int]) -> dict[int, F]:
        net, moved = side.get("favor", 0) - side.get("disfavor", 0), side.get("on_units", 0)
        counts, total = kept(1 + abs(net) - moved, 1 + moved, net >= 0)
        return {percentile: F(ways, total) for percentile, ways in counts.items()}

    won = F(0)
    for a, a_chance in percentiles(mine).items():
        for b, b_chance in percentiles(theirs).items():
            a_success, b_success = a <= mine["target"] and a < 100, b <= theirs["target"] and b < 100
            if a_success > b_success or (a_success == b_success and mine["target"] - a > theirs["target"] - b):
                won += a_chance * b_chance
    found = rolls("d100")["contest"].odds({"mine": mine, "theirs": theirs})
    assert found.outcomes == {"win": won, "lose": 1 - won} and found.tail == 0


@pytest.mark.parametrize("target", [1, 9, 30, 45, 91, 99, 105])
def test_second_look(target: int) -> None:
    won = 0
    for tens, units, fresh in product(TEN, repeat=3):
        first = 10 * tens + units or 100
        failed_narrowly = not (first <= target and first < 100) and target - first >= -9
        second = 10 * tens + (fresh if failed_narrowly else units) or 100
        won += second <= target and second < 100
    assert odds("d100", "second-look", **{"first.target": target}).outcomes["success"] == F(won, 1000)


def test_a_roll_without_outcomes_has_a_value() -> None:
    found = odds("d100", "initiative", deft_rank=2)
    assert found.outcomes == {} and found.value is not None
    assert found.value.chances == {value: F(1, 10) for value in range(8, 18)}

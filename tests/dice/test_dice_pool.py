"""The pool game: short chains against every throw, long ones against sums that are worked out by other means."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction as F
from functools import cache
from itertools import product

import pytest
from dice_games import CHAIN, chance, cut_pool, odds, rolls

SUCCESSES = ("critical-success", "exceptional", "success")


def grade(net: int, difficulty: int) -> str:
    if net < 0:
        return "critical-failure"
    over = net - difficulty
    return "critical-success" if over >= 6 else "exceptional" if over >= 3 else "success" if over >= 0 else "failure"


@cache
def power_leaves(longest: int) -> dict[int, F]:
    """What one Power die comes to, by listing all its throws, a chain of tens ending after `longest` further throws."""
    found: dict[int, F] = defaultdict(F)

    def throw(number: int, sofar: int, chance: F) -> None:
        for face in range(1, 11):
            score = 1 if face >= 6 else -1 if face == 1 and number == 1 else 0
            if face == 10 and number <= longest:
                throw(number + 1, sofar + score, chance / 10)
            else:
                found[sofar + score] += chance / 10

    throw(1, 0, F(1))
    return dict(found)


SKILL = {1: F(2, 6), 0: F(4, 6)}


@cache
def listed(power: int, skill: int, longest: int) -> dict[int, F]:
    """Net successes by the product over all dice."""
    found: dict[int, F] = defaultdict(F)
    if power + skill == 0:
        return {1: F(1, 6), -1: F(1, 6), 0: F(4, 6)}
    for combination in product(*[power_leaves(longest).items()] * power, *[SKILL.items()] * skill):
        weight = F(1)
        for _, part in combination:
            weight *= part
        found[sum(score for score, _ in combination)] += weight
    return dict(found)


@pytest.mark.parametrize(("power", "skill"), [(p, s) for p in range(5) for s in range(3) if p + s])
def test_every_throw_of_short_chains(power: int, skill: int) -> None:
    for difficulty in range(1, 8):
        expected: dict[str, F] = dict.fromkeys(("critical-failure", *SUCCESSES, "failure"), F(0))
        for net, weight in listed(power, skill, CHAIN).items():
            expected[grade(net, difficulty)] += weight
        found = cut_pool()["pool"].odds({"attribute": power, "group": skill, "difficulty": difficulty})
        assert found.outcomes == expected and found.tail == 0


@pytest.mark.parametrize(("power", "skill"), [(1, 0), (3, 2), (4, 1)])
def test_tens_that_explode_once(power: int, skill: int) -> None:
    expected: dict[str, F] = dict.fromkeys(("critical-failure", *SUCCESSES, "failure"), F(0))
    for net, weight in listed(power, skill, 1).items():
        expected[grade(net, 2)] += weight
    assert odds("pool", "pool", attribute=power, group=skill, difficulty=2, chain=False).outcomes == expected


@cache
def below(power: int, skill: int, bound: int) -> dict[int, F]:
    """The exact chances of every net below `bound`, for chains without end: no die beyond it can come back below."""
    later = {0: F(1, 2)}
    for score in range(1, bound + power + 1):
        later[score] = F(4, 10) * (score == 1) + F(1, 10) * later[score - 1]
    one = {-1: F(1, 10), 0: F(4, 10)}
    for score in range(1, bound + power + 1):
        one[score] = F(4, 10) * (score == 1) + F(1, 10) * later[score - 1]
    total = {0: F(1)}
    for die in [one] * power + [SKILL] * skill:
        after: dict[int, F] = defaultdict(F)
        for a, a_chance in total.items():
            for b, b_chance in die.items():
                if a + b < bound + power:
                    after[a + b] += a_chance * b_chance
        total = after
    return {net: weight for net, weight in total.items() if net < bound}


@pytest.mark.parametrize(("power", "skill"), [(1, 0), (0, 1), (2, 2), (5, 0), (3, 7), (6, 4), (8, 3), (10, 10)])
def test_long_chains_are_exact(power: int, skill: int) -> None:
    for difficulty in (1, 2, 4, 9):
        low = below(power, skill, difficulty + 6)
        expected: dict[str, F] = dict.fromkeys(("critical-failure", *SUCCESSES, "failure"), F(0))
        for net, weight in low.items():
            expected[grade(net, difficulty)] += weight
        expected["critical-success"] = 1 - sum(expected.values(), F(0))
        found = odds("pool", "pool", attribute=power, group=skill, difficulty=difficulty)
        assert found.outcomes == expected and found.tail == 0


def test_no_critical_failure_without_power_dice() -> None:
    for skill in range(1, 12):
        assert chance("pool", "pool", "critical-failure", group=skill) == 0


def test_another_power_die_can_change_nothing() -> None:
    assert chance("pool", "pool", *SUCCESSES, group=10) == chance("pool", "pool", *SUCCESSES, group=10, attribute=1)


def test_penalties_take_skill_dice_first() -> None:
    plain = odds("pool", "pool", attribute=3, group=1).outcomes
    assert odds("pool", "pool", attribute=3, group=4, penalty=3).outcomes == plain
    assert odds("pool", "pool", attribute=4, group=2, penalty=2, bonus=1, hard_penalty=1).outcomes == plain
    assert odds("pool", "pool", attribute=5, group=1, penalty=3).outcomes == odds("pool", "pool", attribute=3).outcomes
    assert odds("pool", "pool", attribute=3, stunt=7).outcomes == odds("pool", "pool", attribute=3, stunt=3).outcomes


@pytest.mark.parametrize("arguments", [{}, {"attribute": 2, "hard_penalty": 2}, {"group": 1, "penalty": 4}])
def test_without_dice_the_chance_die_is_thrown(arguments: dict[str, int]) -> None:
    for difficulty in (1, 2, 5):
        found = odds("pool", "pool", **arguments, difficulty=difficulty).outcomes
        assert found["success"] == F(1, 6) and found["critical-failure"] == F(1, 6) and found["failure"] == F(4, 6)
    assert chance("pool", "pool", *SUCCESSES, **arguments, automatic=False, difficulty=2) == 0
    assert chance("pool", "pool", *SUCCESSES, **arguments, automatic=False) == F(1, 6)


@pytest.mark.parametrize(
    ("attribute", "group", "specialty", "printed"),
    [(2, 1, 1, (56.0, 27.9, 9.1)), (3, 2, 2, (59.8, 19.2, 2.4)), (4, 3, 3, (62.6, 14.0, 0.7)), (5, 5, 5, (74.6, 10.3, 0.1))],
)
def test_an_equal_foe(attribute: int, group: int, specialty: int, printed: tuple[float, ...]) -> None:
    found = []
    for awareness in ("passive", "ready", "alerted"):
        own = {"attribute": attribute, "group": group, "specialty": specialty}
        theirs = {f"their_{name}": value for name, value in own.items()}
        found.append(chance("pool", "opposed", *SUCCESSES, awareness=awareness, **own, **theirs))
    assert tuple(round(float(100 * part), 1) for part in found) == printed


def test_a_settled_parameter_is_not_taken() -> None:
    takes = rolls("pool")["opposed"].takes
    assert "difficulty" not in takes and takes["awareness"].words == ("ready", "passive", "alerted")
    assert takes["their_attribute"].required and not takes["their_group"].required


def test_teams_by_listing_every_throw() -> None:
    members = [{"attribute": 2, "group": 1}, {"attribute": 1, "group": 2}, {}]
    nets = [listed(2, 1, CHAIN), listed(1, 2, CHAIN), listed(0, 0, CHAIN)]
    expected: dict[str, F] = dict.fromkeys(("critical-failure", *SUCCESSES, "failure"), F(0))
    for combination in product(*[net.items() for net in nets]):
        weight = F(1)
        for _, part in combination:
            weight *= part
        team = sum(net if net >= 0 else 2 * net for net, _ in combination)
        expected[grade(team, 1 + 2 * 2)] += weight
    found = cut_pool()["team"].odds({"difficulty": 1, "team": members})
    assert found.outcomes == expected and found.tail == 0


def test_a_member_below_zero_counts_twice() -> None:
    alone = cut_pool()["team"].odds({"team": [{"attribute": 1}]}).outcomes
    assert alone["critical-failure"] == F(1, 10)
    two = cut_pool()["team"].odds({"team": [{"attribute": 1}, {"group": 1}]}).outcomes
    assert two["critical-failure"] == F(1, 10)
    """-2 and 1 is -1: with one dud taken away, not two, it would be 0 in a third of these."""


@pytest.mark.parametrize(("size", "printed"), [(1, 49.7), (2, 58.0), (3, 62.6), (4, 65.8)])
def test_helping(size: int, printed: float) -> None:
    found = odds("pool", "team", difficulty=3, team=[{"attribute": 4, "group": 2}] * size)
    assert round(float(100 * sum(found.outcomes[word] for word in SUCCESSES)), 1) == printed
    assert found.tail < F(1, 10**30)


def test_a_duel_throws_ties_again() -> None:
    mine, theirs = listed(2, 1, CHAIN), listed(1, 2, CHAIN)
    won = tied = F(0)
    for a, a_chance in mine.items():
        for b, b_chance in theirs.items():
            won += a_chance * b_chance * (a > b)
            tied += a_chance * b_chance * (a == b)
    arguments = {"mine": {"attribute": 2, "group": 1}, "theirs": {"attribute": 1, "group": 2}}
    found = cut_pool()["duel"].odds(arguments)
    assert found.outcomes == {"win": won / (1 - tied), "lose": (1 - won - tied) / (1 - tied)} and found.tail == 0
    long = rolls("pool")["duel"].odds(arguments)
    assert sum(long.outcomes.values()) + long.tail == 1 and 0 < long.tail < F(1, 10**50)


def test_a_duel_of_equals_is_even_within_its_tail() -> None:
    found = rolls("pool")["duel"].odds({"mine": {"attribute": 3, "group": 2}, "theirs": {"attribute": 3, "group": 2}})
    assert found.outcomes["win"] == found.outcomes["lose"]
    assert found.outcomes["win"] <= F(1, 2) <= found.outcomes["win"] + found.tail

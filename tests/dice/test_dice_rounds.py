"""How long a pool lasts: against sums of chances taken forward in time, and the printed figures."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from dice_games import odds

from seasons_build.language.dice import Distribution, Interval, mean_damage, rounds_to_drop
from seasons_build.language.dice.distribution import of, point, uniform


def attack(target: int, damage: str, favor: int) -> Distribution:
    """One attack of the percentile game at a Target."""
    found = odds("d100", "attack", attribute=100, bonus=target - 50, damage=damage, favor=favor).value
    assert found is not None
    return found


def forward(points: int, attacks: list[Distribution], rounds: int) -> F:
    """The expected rounds as the sum of the chances that it still stands, over so many rounds."""
    standing = {points: F(1)}
    total = F(0)
    for _ in range(rounds):
        total += sum(standing.values())
        for one in attacks:
            after: dict[int, F] = {}
            for left, chance in standing.items():
                for damage, weight in one.chances.items():
                    after[max(0, int(left - damage))] = after.get(max(0, int(left - damage)), F(0)) + chance * weight
            standing = after
        standing.pop(0, None)
    return total


def test_against_time_taken_forward() -> None:
    attacks = [of({0: 3, 1: 1, 4: 2}, 6), uniform(range(1, 4))]
    found = rounds_to_drop(9, attacks)
    assert found is not None and found.exact
    assert found.low == forward(9, attacks, 9)
    """Each round takes at least 1, so nine rounds are enough."""
    missing = [of({0: 3, 2: 1}, 4)] * 2
    slow = rounds_to_drop(5, missing)
    assert slow is not None and slow.exact
    assert 0 < slow.low - forward(5, missing, 60) < F(1, 10**8)


@pytest.mark.parametrize(
    ("points", "target", "damage", "printed"),
    [
        (30, 34, "1d8 + 2", (1.87, 2.22, 2.82)),
        (50, 44, "1d10 + 3", (1.94, 2.25, 2.76)),
        (80, 54, "2d6 + 4", (2.05, 2.31, 2.74)),
    ],
)
def test_printed_rounds(points: int, target: int, damage: str, printed: tuple[float, float, float]) -> None:
    """Six attacks a round: all with Favor, half of them, none."""
    found = []
    for helped in (6, 3, 0):
        rounds = rounds_to_drop(points, [attack(target, damage, 1)] * helped + [attack(target, damage, 0)] * (6 - helped))
        assert rounds is not None and rounds.exact
        found.append(round(float(rounds.low), 2))
    assert tuple(found) == printed


def test_a_weaker_party() -> None:
    strong, weak = (rounds_to_drop(30, [attack(target, "1d6 + 2", 0)] * 6) for target in (46, 30))
    assert strong is not None and weak is not None
    assert (round(float(strong.low), 2), round(float(weak.low), 2)) == (2.50, 3.63)


def test_odd_cases() -> None:
    assert rounds_to_drop(0, []) is not None and rounds_to_drop(-3, [point(1)]) is not None
    assert rounds_to_drop(5, []) is None and rounds_to_drop(5, [point(0)]) is None
    assert rounds_to_drop(5, [uniform([-1, 3])]) is None
    halves = rounds_to_drop(F(3, 2), [uniform([0, F(1, 2)])])
    assert halves is not None and halves.low == 6
    assert mean_damage([uniform([1, 2]), point(3)]) == F(9, 2)


def test_damage_with_a_tail_is_bounded() -> None:
    rest = Distribution({1: 999, Interval(2, None): 1}, 1000, None)
    found = rounds_to_drop(4, [rest])
    assert found is not None and not found.exact
    assert found.low < 4 and 0 < found.high - found.low < F(1, 100)
    assert mean_damage([rest]) is None


def test_large_pools_are_bounded_to_forty_decimals() -> None:
    attacks = [attack(44, "2d6 + 1", 1)] * 6
    found = rounds_to_drop(900, attacks)
    assert found is not None and not found.exact and 0 < found.high - found.low < F(1, 10**36)
    near = rounds_to_drop(80, attacks)
    assert near is not None and near.exact

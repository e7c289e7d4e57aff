"""The d20 game against every throw."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import pytest
from dice_games import odds


@pytest.mark.parametrize("edge", [-2, -1, 0, 1, 3])
@pytest.mark.parametrize("bless", [0, 1, 2])
def test_check(edge: int, bless: int) -> None:
    won = total = 0
    for first, second in product(range(1, 21), repeat=2):
        for blessing in product(range(1, 5), repeat=bless):
            d20 = first if edge == 0 else max(first, second) if edge > 0 else min(first, second)
            won += d20 + 4 + sum(blessing) >= 17
            total += 1
    assert odds("d20", "check", bonus=4, dc=17, edge=edge, bless=bless).outcomes["success"] == F(won, total)


@pytest.mark.parametrize(("edge", "crit_from"), [(0, 20), (1, 19), (-1, 20)])
def test_attack(edge: int, crit_from: int) -> None:
    found = odds("d20", "attack", bonus=5, dc=15, damage="1d6 + 3", edge=edge, crit_from=crit_from)
    expected: dict[int, F] = {}
    words = {"critical": F(0), "miss": F(0), "hit": F(0)}
    for first, second, a, b in product(range(1, 21), range(1, 21), range(1, 7), range(1, 7)):
        d20 = first if edge == 0 else max(first, second) if edge > 0 else min(first, second)
        word = "critical" if d20 >= crit_from else "miss" if d20 == 1 or d20 + 5 < 15 else "hit"
        damage = a + b + 3 if word == "critical" else 0 if word == "miss" else a + 3
        words[word] += F(1, 14_400)
        expected[damage] = expected.get(damage, F(0)) + F(1, 14_400)
    assert found.outcomes == words
    assert found.value is not None and found.value.chances == dict(sorted(expected.items()))


def test_save() -> None:
    found = odds("d20", "save", bonus=2, dc=13, damage="2d6")
    halves: dict[int, F] = {}
    for a, b in product(range(1, 7), repeat=2):
        halves[(a + b) // 2] = halves.get((a + b) // 2, F(0)) + F(1, 36)
    assert found.values["saved"].chances == halves
    assert found.outcomes["saved"] == F(1, 2)

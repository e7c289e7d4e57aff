"""Pools worn down one after the other, against a sum over rounds that shares nothing with it."""

from __future__ import annotations

from fractions import Fraction as F

from seasons_build.language.dice import Distribution, rounds_to_drop
from seasons_build.language.dice.bars import Pool, rounds_through
from seasons_build.language.dice.distribution import point, uniform


def forward(pools: list[Pool], rounds: int) -> float:
    """The expected rounds as the sum of the chances that something still stands."""
    state = {(0, pools[0].points): 1.0}
    total = 0.0
    for _ in range(rounds):
        total += sum(state.values())
        for index in range(len(pools[0].attacks)):
            new: dict[tuple[int, int], float] = {}
            for (bar, left), chance in state.items():
                for damage, weight in pools[bar].attacks[index].chances.items():
                    here, rest = bar, left - int(damage)
                    if rest <= 0:
                        here, rest = bar + 1, pools[bar + 1].points if bar + 1 < len(pools) else 0
                    if here < len(pools):
                        new[here, rest] = new.get((here, rest), 0.0) + chance * float(weight)
            state = new
    return total


def test_one_pool_is_as_before() -> None:
    attacks = [uniform([0, 1, 2, 3]), uniform([0, 4])]
    known = rounds_to_drop(20, attacks)
    found = rounds_through([Pool(20, tuple(attacks))])
    assert known is not None and found is not None
    assert found.low <= known.low <= found.high
    assert found.high - found.low < F(1, 10**30)


def test_attacks_go_on_against_the_next_pool() -> None:
    first, second = (uniform([0, 0, 3, 5]), uniform([0, 2])), (uniform([1, 6]), point(2))
    pools = [Pool(7, first), Pool(4, second), Pool(9, first)]
    found = rounds_through(pools)
    assert found is not None
    assert abs(float(found.low) - forward(pools, 400)) < 1e-9


def test_what_never_ends() -> None:
    nothing: Distribution = point(0)
    assert rounds_through([Pool(3, (nothing,))]) is None
    assert rounds_through([Pool(3, (uniform([-1, 3]),))]) is None
    assert rounds_through([Pool(3, (point(1),)), Pool(3, (point(1), point(1)))]) is None
    assert rounds_through([]) == rounds_through([Pool(0, (point(1),))])

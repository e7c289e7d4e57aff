"""How long several pools last that are worn down one after the other (language library: dice).

In: for each pool its points and the distributions of the attacks of a round against it. Out: the expected number of rounds until the last
is gone. What an attack takes beyond the end of a pool is lost; the attacks that are left in the round go on against the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from seasons_build.core.named import NamedTuple
from seasons_build.language.dice.distribution import Distribution
from seasons_build.language.dice.interval import Interval
from seasons_build.language.dice.rounds import MOST_STEPS, Rounds

_UNIT = 10**40
"""Expected rounds are counted in this part of a round, rounded down for the one bound and up for the other."""


class Pool(NamedTuple):
    """One pool, and the attacks of a round while it stands; each pool is under the same number of them."""

    points: int
    attacks: tuple[Distribution, ...]


def rounds_through(pools: Sequence[Pool]) -> Rounds | None:
    """The expected rounds until all pools are gone, between bounds that agree to far more places than anybody prints.

    None: it never ends, an attack can give points back or take a part of a point, or the work is past `MOST_STEPS`.
    """
    standing = [pool for pool in pools if pool.points > 0]
    tables = [[_whole(attack, pool.points) for attack in pool.attacks] for pool in standing]
    if not standing:
        return Rounds(Fraction(0), Fraction(0))
    known = [[table for table in row if table is not None] for row in tables]
    counts = {len(row) for row in known}
    if [len(row) for row in tables] != [len(row) for row in known] or len(counts) != 1 or 0 in counts:
        return None
    steps = sum(pool.points * sum(len(weights) for weights, _ in row) for pool, row in zip(standing, known, strict=True))
    if steps > MOST_STEPS or any(prod(weights.get(0, 0) for weights, _ in row) == prod(total for _, total in row) for row in known):
        return None
    least, most = (_expected(standing, known, up=up) for up in (False, True))
    return Rounds(Fraction(least, _UNIT), Fraction(most, _UNIT))


_Table = tuple[dict[int, int], int]


def _whole(attack: Distribution, points: int) -> _Table | None:
    """The weights of whole damages, all that is enough counted as just enough."""
    weights: dict[int, int] = {}
    for value, weight in attack.weights.items():
        if isinstance(value, Interval) or value < 0 or Fraction(value).denominator != 1:
            return None
        taken = min(int(value), points)
        weights[taken] = weights.get(taken, 0) + weight
    return weights, attack.total


def _expected(pools: Sequence[Pool], tables: Sequence[Sequence[_Table]], *, up: bool) -> int:
    """The expected rounds, in units, with each step rounded one way.

    `left[k]` is what is to be expected in all from a state with k attacks of the round still to come, without the round itself.
    """
    number = len(tables[0])
    after = [0] * (number + 1)
    for pool, attacks in zip(reversed(pools), reversed(tables), strict=True):
        below: list[list[int]] = [after]
        for points in range(1, pool.points + 1):
            below.append(_state(points, below, attacks, up=up))
        after = below[pool.points]
    return after[0]


def _state(points: int, below: list[list[int]], attacks: Sequence[_Table], *, up: bool) -> list[int]:
    """A state with so many points left: `below` are those with fewer, the one with none being the next pool, untouched."""
    number = len(attacks)
    stays_all, stays_of = 1, 1
    fixed = 0
    misses: list[tuple[int, int, int]] = []
    for k in range(1, number + 1):
        weights, total = attacks[number - k]
        moved = sum(weight * below[max(points - damage, 0)][k - 1] for damage, weight in weights.items() if damage)
        stay = weights.get(0, 0)
        fixed = _divided(moved + stay * fixed, total, up=up)
        stays_all, stays_of = stays_all * stay, stays_of * total
        misses.append((moved, stay, total))
    here = _divided((_UNIT + fixed) * stays_of, stays_of - stays_all, up=up)
    left = [here]
    for moved, stay, total in misses:
        left.append(_divided(moved + stay * left[-1], total, up=up))
    return left


def _divided(number: int, by: int, *, up: bool) -> int:
    return -(-number // by) if up else number // by

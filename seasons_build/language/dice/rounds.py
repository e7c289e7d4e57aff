"""How long a pool lasts under repeated attacks (language library: dice).

In: the points of the pool and the exact distributions of what each attack of a round takes. Out: the exact expected number of rounds until
nothing is left, where a round that has begun counts whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from seasons_build.core.named import NamedTuple
from seasons_build.language.dice.distribution import Distribution, point
from seasons_build.language.dice.interval import Interval, Number, low

MOST_STEPS: Final = 5_000_000
"""Past this many steps the number is worked out to 40 decimals and given as bounds, and past ten times as many not at all."""

_DECIMALS: Final = 10**40


class Rounds(NamedTuple):
    """The expected number of rounds lies from `low` to `high`. The two are equal but for damage with a tail and very large pools."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        """Whether the number is known exactly."""
        return self.low == self.high


def rounds_to_drop(points: Number, attacks: Sequence[Distribution]) -> Rounds | None:
    """The expected rounds until `attacks`, all of them made once a round and independent, have taken `points` or more.

    A pool of 0 or less takes no round. None: it never ends (nothing is ever taken), an attack can give points back, or it is far
    past `MOST_STEPS`.
    """
    if points <= 0:
        return Rounds(Fraction(0), Fraction(0))
    round_damage = point(0)
    for attack in attacks:
        if any(lo is None or lo < 0 for lo in map(low, attack.weights)):
            return None
        if len(round_damage.weights) * len(attack.weights) > MOST_STEPS:
            return None
        round_damage = _capped(round_damage.plus(_capped(attack, points)), points).reduced()
    least = _first_passage(points, _settled(round_damage, points, upwards=True))
    most = _first_passage(points, _settled(round_damage, points, upwards=False))
    return None if least is None or most is None else Rounds(least.low, most.high)


def mean_damage(attacks: Sequence[Distribution]) -> Fraction | None:
    """What the attacks take together on average; None where a mean is not known exactly."""
    total = Fraction(0)
    for attack in attacks:
        if attack.mean is None:
            return None
        total += attack.mean
    return total


def _capped(damage: Distribution, points: Number) -> Distribution:
    """All that is enough at one blow counts as just enough."""
    return damage.map(lambda value: points if (lo := low(value)) is not None and lo >= points else value)


def _settled(damage: Distribution, points: Number, *, upwards: bool) -> dict[Number, Fraction]:
    """Chances of exact damages, intervals taken at their upper (at most: enough) or lower end."""
    chances: dict[Number, Fraction] = {}
    for value, weight in damage.weights.items():
        if isinstance(value, Interval):
            end = (value.hi if value.hi is not None and value.hi < points else points) if upwards else value.lo or 0
        else:
            end = value
        chances[end] = chances.get(end, Fraction(0)) + Fraction(weight, damage.total)
    return chances


def _first_passage(points: Number, chances: dict[Number, Fraction]) -> Rounds | None:
    """Expected rounds f(h) = (1 + sum of p(d) f(h - d)) / (1 - p(0)) over all damages d > 0, from small h up."""
    scale = lcm(*(Fraction(value).denominator for value in (points, *chances)))
    total = lcm(*(chance.denominator for chance in chances.values()))
    weights = {int(value * scale): int(chance * total) for value, chance in chances.items()}
    moving = total - weights.pop(0, 0)
    height = int(points * scale)
    if not moving or height * len(weights) > 10 * MOST_STEPS:
        return None
    if height**2 * len(weights) * total.bit_length() <= 64 * MOST_STEPS:
        exact = _passage_exact(height, weights, total, moving)
        return Rounds(exact, exact)
    return Rounds(
        Fraction(_passage_rounded(height, weights, total, moving, 0), _DECIMALS),
        Fraction(_passage_rounded(height, weights, total, moving, moving - 1), _DECIMALS),
    )


def _passage_exact(height: int, weights: dict[int, int], total: int, moving: int) -> Fraction:
    """With weights w over a total T and A = T - w(0), the numbers f(h) A**h are whole: no fraction has to be reduced on the way."""
    powers = [1]
    scaled = [0]
    for h in range(1, height + 1):
        powers.append(powers[-1] * moving)
        rest = sum(weight * powers[damage - 1] * scaled[h - damage] for damage, weight in weights.items() if damage < h)
        scaled.append(total * powers[h - 1] + rest)
    return Fraction(scaled[height], powers[height])


def _passage_rounded(height: int, weights: dict[int, int], total: int, moving: int, up: int) -> int:
    """The same in units of `_DECIMALS`, every step rounded down (`up` is 0) or up (`up` is A - 1): bounds for the true number."""
    found = [0]
    for h in range(1, height + 1):
        rest = sum(weight * found[h - damage] for damage, weight in weights.items() if damage < h)
        found.append((total * _DECIMALS + rest + up) // moving)
    return found[height]

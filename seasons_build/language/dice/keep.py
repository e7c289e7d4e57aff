"""Of several dice of a kind, the one value that is kept (language library: dice).

In: groups of equal dice with how many are thrown of each, and how good a combination of one value from each group is. Out: the joint
distribution of the values kept. The best combination wins; between equally good ones, the one with the higher values in the order of the
groups. No product over the dice is formed: all groups but one are walked by the set of values that shows, the last one by its order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import comb
from typing import Final, TypeAlias

from seasons_build.language.dice.interval import Number

Group: TypeAlias = tuple[Mapping[Number, int], int]
"""The weights of one die, and how many are thrown."""

Kept: TypeAlias = tuple[Number, ...]


def kept(groups: Sequence[Group], key: Callable[[Kept], Number]) -> dict[Kept, int]:
    """Weights of the combinations kept; their sum is the product of (sum of a die's weights) ** (number of dice)."""
    ordered = ordered_group([(len(weights), count) for weights, count in groups])
    best_key = {combination: (key(combination), combination) for combination in product(*(w for w, _ in groups))}
    weights, count = groups[ordered]
    result: dict[Kept, int] = {}
    for shown, shown_weight in _shown_together([group for i, group in enumerate(groups) if i != ordered]):
        ranked = []
        for value, weight in weights.items():
            choices = [*shown[:ordered], (value,), *shown[ordered:]]
            ranked.append((max(best_key[combination] for combination in product(*choices)), weight))
        ranked.sort()
        upto, power = 0, 0
        for (_, combination), weight in ranked:
            below = power
            upto += weight
            power = upto**count
            result[combination] = result.get(combination, 0) + (power - below) * shown_weight
    return result


_MANY: Final = 10**12
"""A count of sets past this is not worked out further: it is past every limit."""


def steps(sizes: Sequence[tuple[int, int]]) -> int:
    """How many combinations `kept` looks at, for groups of (different values, dice thrown); worked out without looking at any."""
    ordered = ordered_group(sizes)
    all_values, walked, sets = 1, 1, 0
    for i, (size, count) in enumerate(sizes):
        all_values *= size
        if i == ordered or count == 1:
            walked *= size
        else:
            walked *= _over_sets(size, count, lambda shown: shown)
            sets += _over_sets(size, count, lambda shown: 2**shown)
    return all_values + walked + sets


def ordered_group(sizes: Sequence[tuple[int, int]]) -> int:
    """The group that is walked by its order: the one in which most sets of values can show."""
    sets = [_over_sets(size, count, lambda _: 1) for size, count in sizes]
    return sets.index(max(sets))


def _over_sets(size: int, count: int, worth: Callable[[int], int]) -> int:
    """The sum of `worth` of its size over every set of values that `count` dice can show; at least `_MANY` where it is that much."""
    total = 0
    for shown in range(1, min(size, count) + 1):
        total += comb(size, shown) * worth(shown)
        if total >= _MANY:
            break
    return total


def _shown_together(groups: Sequence[Group]) -> Iterator[tuple[tuple[tuple[Number, ...], ...], int]]:
    """The sets of values that can show in each group, with the weight of exactly these showing."""
    for sets in product(*(_shown(weights, count) for weights, count in groups)):
        weight = 1
        for _, part in sets:
            weight *= part
        yield tuple(values for values, _ in sets), weight


def _shown(weights: Mapping[Number, int], count: int) -> list[tuple[tuple[Number, ...], int]]:
    values = tuple(weights)
    found = []
    for size in range(1, min(len(values), count) + 1):
        for subset in combinations(values, size):
            found.append((subset, _exactly([weights[value] for value in subset], count)))
    return found


def _exactly(weights: Sequence[int], count: int) -> int:
    """The weight of `count` dice all showing one of these values and each of them at least once, by inclusion and exclusion."""
    if count == 1:
        return weights[0]
    total = 0
    for size in range(1, len(weights) + 1):
        sign = 1 if (len(weights) - size) % 2 == 0 else -1
        total += sign * sum(sum(part) ** count for part in combinations(weights, size))
    return total

"""Dice: exact odds of rolls that are written as data (language library).

`compile_rolls` makes a `Roll` of each entry under `rolls:`; `Roll.odds` gives its exact odds for some arguments, `Roll.cost` what
that takes, `Roll.unreachable` the outcomes that never come. `distribution_of` gives the distribution of an amount of dice,
`rounds_to_drop` how long a pool lasts under attacks. Nothing is rounded and nothing is thrown: chances are fractions, and what is cut
of a chain of dice is stated.
"""

from seasons_build.language.dice.amounts import distribution_of, work_of
from seasons_build.language.dice.bars import Pool, rounds_through
from seasons_build.language.dice.bind import FamilyValue
from seasons_build.language.dice.closure import Table
from seasons_build.language.dice.distribution import Distribution
from seasons_build.language.dice.draft import Parameter
from seasons_build.language.dice.facts import Facts, Family
from seasons_build.language.dice.interval import Interval
from seasons_build.language.dice.problem import Refused, RollProblem
from seasons_build.language.dice.roll import Odds, Roll, Rolls, compile_rolls
from seasons_build.language.dice.rounds import Rounds, mean_damage, rounds_to_drop
from seasons_build.language.dice.scope import constant

__all__ = [
    "Distribution",
    "Facts",
    "Family",
    "FamilyValue",
    "Interval",
    "Odds",
    "Parameter",
    "Pool",
    "Refused",
    "Roll",
    "RollProblem",
    "Rolls",
    "Rounds",
    "Table",
    "compile_rolls",
    "constant",
    "distribution_of",
    "mean_damage",
    "rounds_through",
    "rounds_to_drop",
    "work_of",
]

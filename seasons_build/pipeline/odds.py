"""The exact odds of a project's rolls, for one set of values or for ranges of them.

In: a project, the name of a roll, values as typed on a command line. Out: a `Grid`, or what is wrong in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.limits import DEFAULT
from seasons_build.core.names import did_you_mean
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex
from seasons_build.evaluate import rolls_in
from seasons_build.language.dice import Odds, Parameter, Refused, Roll, constant, distribution_of, work_of
from seasons_build.language.expression import DICE, figure
from seasons_build.pipeline.read import Project

RANGE = regex(r"(-?\d{1,9})\.\.(-?\d{1,9})(?::(\d{1,9}))?\Z")
_DICE = regex(r"(?=.*d\d)(?:[\dd +*/(),-]|min|max|floor|ceil|trunc|abs)+\Z")
_ONE = regex(r"(?<![\dd)])d(?=\d)")
MOST_ROWS = 2_000
MOST_RANGES = 2


class Mistake(Exception):
    """What is wrong with what was asked, in words, and advice."""

    def __init__(self, message: str, hints: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hints = hints


Taken: TypeAlias = Parameter
"""What a roll takes under one name."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The odds of a roll. `ranged` are the names that run over ranges, outermost first; a row is their values and the odds there."""

    roll: str
    ranged: tuple[str, ...]
    rows: tuple[tuple[tuple[int, ...], Odds], ...]


def find_roll(project: Project, name: str) -> Roll:
    """The roll that a name means: `pack:roll`, or `roll` where one pack alone has it. Raises `Mistake`."""
    pack, _, bare = name.rpartition(":")
    if pack and pack not in project.library.packs:
        raise Mistake(f"there is no pack `{pack}`", did_you_mean(pack, project.library.packs))
    declared = {p: rolls_in(project.library, p).rolls for p in ([pack] if pack else project.library.packs)}
    owners = [p for p, rolls in declared.items() if bare in rolls]
    own = [p for p in owners if _declares(project, p, bare)] or owners
    if len(own) == 1:
        return declared[own[0]][bare]
    if own:
        raise Mistake(f"`{bare}` may be {', '.join(f'`{p}:{bare}`' for p in own)}: say which")
    if any(bare in project.library.rules[p].get("rolls", {}) for p in declared):
        raise Mistake(f"the roll `{bare}` has a fault of its own", ("`seasons check` says what is wrong with it",))
    known = list(dict.fromkeys(roll for rolls in declared.values() for roll in rolls))
    raise Mistake(f"there is no roll `{bare}`", did_you_mean(bare, known) or ((f"there are {', '.join(known)}",) if known else ()))


def rolls_of_packs(project: Project) -> list[tuple[str, Roll]]:
    """Every roll that a pack declares, by its full name."""
    return [
        (f"{pack}:{name}", roll)
        for pack in project.library.packs
        for name, roll in rolls_in(project.library, pack).rolls.items()
        if _declares(project, pack, name)
    ]


def parameters(roll: Roll) -> Mapping[str, Parameter]:
    """What a roll takes."""
    return roll.takes


def grid(roll: Roll, values: Mapping[str, str]) -> Grid:
    """The odds for some values; `1..9` and `20..60:5` run over a range. Raises `Mistake`."""
    ranged = {name: _range(name, text) for name, text in values.items() if RANGE.match(text)}
    if len(ranged) > MOST_RANGES:
        raise Mistake(f"at most {MOST_RANGES} values may run over a range, found {len(ranged)}")
    fixed = {name: text for name, text in values.items() if name not in ranged}
    count = prod((steps.stop - steps.start + steps.step - 1) // steps.step for steps in ranged.values())
    if count > MOST_ROWS:
        raise Mistake(f"the ranges make {count:,} rows, and at most {MOST_ROWS:,} are worked out")
    rows = []
    for point in product(*ranged.values()):
        try:
            rows.append((point, roll.odds({**fixed, **dict(zip(ranged, point, strict=True))})))
        except Refused as refused:
            problem = refused.problem
            raise Mistake(problem.message, problem.hints) from refused
    return Grid(roll.id, tuple(ranged), tuple(rows))


def plain_dice(project: Project, text: str) -> Grid | None:
    """The odds of dice that nobody has declared, as `2d6 + 1`; None where a text is none such, or the name of a roll. Raises `Mistake`."""
    if not _DICE.match(text) or any(text in rolls_in(project.library, pack).rolls for pack in project.library.packs):
        return None
    amount = constant(_ONE.sub("1d", text), DICE)
    if amount is None:
        raise Mistake(f"`{text}` cannot be thrown", ("dice are written as `2d6`, `1d8 + 2` or `max(1d6, 1d8)`",))
    most = DEFAULT.roll_steps
    if work_of([amount]) > most:
        raise Mistake(f"working `{text}` out takes more than {most:,} steps")
    found = distribution_of(amount)
    outcomes = {figure(value): chance for value, chance in found.chances.items()}
    return Grid(text, (), (((), Odds(outcomes, found.tail, {}, found)),))


def faults(project: Project) -> tuple[Diagnostic, ...]:
    """The errors of a project that keep its rolls from being right."""
    return tuple(d for d in project.diagnostics if d.severity == "error")


def _range(name: str, text: str) -> range:
    found = RANGE.match(text)
    assert found is not None, "looked at before"
    first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if step < 1 or last < first:
        raise Mistake(f"`{name}={text}` is an empty range", ("write it upwards, as 20..60 or 20..60:5",))
    return range(first, last + 1, step)


def _declares(project: Project, pack: str, roll: str) -> bool:
    noun = project.library.rules[pack].get("rolls", {}).get(roll)
    return noun is not None and noun.pack == pack


def fraction(number: Fraction | int) -> str:
    """A chance as JSON has it: `51/100`, `0`, `1`."""
    exact = Fraction(number)
    return f"{exact.numerator}/{exact.denominator}" if exact.denominator != 1 else str(exact.numerator)


def per_cent(number: Fraction | int, places: int = 1) -> str:
    """A chance as people read it, rounded half up: `51.0`. What may happen is not said to be nothing, and what may fail not to be sure:
    `<0.1`, `>99.9`."""
    scale = 10**places
    scaled = Fraction(number) * 100 * scale
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "<" if units == 0 < scaled else ">" if units == 100 * scale > scaled else ""
    units += {"<": 1, ">": -1, "": 0}[sign]
    return f"{sign}{units // scale}.{units % scale:0{places}d}"

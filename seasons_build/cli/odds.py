"""The command that works out chances: odds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import click

from seasons_build.cli.talk import shown, tell_plain, write
from seasons_build.pipeline.answers import answer
from seasons_build.pipeline.odds import Grid, Mistake, Taken, find_roll, fraction, grid, parameters, per_cent, plain_dice, rolls_of_packs
from seasons_build.pipeline.plot import svg
from seasons_build.pipeline.read import Project, read_library


@click.command("odds")
@click.argument("roll", required=False)
@click.argument("values", nargs=-1, metavar="[NAME=V]...")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="json gives exact fractions.")
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="Write a picture (SVG).")
@click.pass_obj
def odds_command(
    where: tuple[Path | None, tuple[Path, ...]], roll: str | None, values: tuple[str, ...], form: str, plot: Path | None
) -> int:
    """Exact chances of each outcome of a ROLL, frontiers:resolution target=30 favor=1, or of dice: 2d6+1.

    Without values, lists what the roll takes; without a roll, lists those that there are. A value may run over a range: target=20..60:5.
    """
    if roll is None:
        return _rolls(read_library(*where))
    pack = roll.rpartition(":")[0]
    project = read_library(*where, named=(pack,) if pack else ())
    try:
        worked = plain_dice(project, roll) if not values else None
        if worked is None:
            found = find_roll(project, roll)
            if not values and any(p.required for p in parameters(found).values()):
                _list(roll, found.takes)
                return 0
            worked = grid(found, dict(_pair(value) for value in values))
    except Mistake as mistake:
        write(f"error: {mistake.message}", err=True)
        for hint in mistake.hints:
            write(f"  hint: {hint}", err=True)
        return 2
    if form == "json":
        write(json.dumps(_json(worked), indent=2))
    else:
        _table(worked)
    if plot is not None:
        refused = answer(*where, plot, svg(worked).encode())
        tell_plain(refused)
        if refused:
            return 1
        write(shown(plot), err=True)
    return 0


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise click.UsageError(f"expected NAME=VALUE, found {text!r}")
    return name.strip(), value.strip()


def _rolls(project: Project) -> int:
    there = rolls_of_packs(project)
    for name, found in there:
        write(f"{name}  {' '.join(parameters(found))}".rstrip())
    write("`seasons odds ROLL` says what a roll takes" if there else "no pack here declares a roll", err=True)
    return 0


def _list(roll: str, takes: Mapping[str, Taken]) -> None:
    write(f"{roll} takes")
    for parameter in takes.values():
        what = "one of " + ", ".join(parameter.words) if parameter.words else str(parameter.kind)
        rest = "" if parameter.required else f" ({parameter.default} if not given)"
        write(f"  {parameter.name}: {what}{rest}")


def _json(worked: Grid) -> object:
    rows = []
    for point, odds in worked.rows:
        row: dict[str, object] = {
            "outcomes": {name: fraction(chance) for name, chance in odds.outcomes.items()},
            "tail": fraction(odds.tail),
        }
        if odds.value is not None and odds.value.mean is not None:
            row["mean"] = fraction(odds.value.mean)
        if worked.ranged:
            row = {**dict(zip(worked.ranged, point, strict=True)), **row}
        rows.append(row)
    return rows if worked.ranged else rows[0]


def _table(worked: Grid) -> None:
    names = list(worked.rows[0][1].outcomes)
    if not worked.ranged:
        odds = worked.rows[0][1]
        wide = max(map(len, names))
        for name, chance in odds.outcomes.items():
            text = fraction(chance)
            exact = f"  {text}" if len(text) <= 24 else ""
            write(f"{name.ljust(wide)}  {per_cent(chance).rjust(5)} %{exact}")
        if odds.value is not None and odds.value.mean is not None:
            write(f"{'mean'.ljust(wide)}  {fraction(odds.value.mean)}")
        if odds.tail:
            write(f"{'tail'.ljust(wide)}  below 10^-{_zeros(odds.tail)}")
        return
    heads = [*worked.ranged, *names]
    rows = [[*map(str, point), *(f"{per_cent(chance)} %" for chance in odds.outcomes.values())] for point, odds in worked.rows]
    widths = [max(len(head), *(len(row[i]) for row in rows)) for i, head in enumerate(heads)]
    write("  ".join(head.rjust(wide) for head, wide in zip(heads, widths, strict=True)))
    for row in rows:
        write("  ".join(cell.rjust(wide) for cell, wide in zip(row, widths, strict=True)))


def _zeros(tail: Fraction) -> int:
    return len(str(tail.denominator // max(1, tail.numerator))) - 1

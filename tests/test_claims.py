"""The printed figures of the sources: each that agrees with its rules has a case or a reason, and each that does not is ruled.

`claims/claims.csv` has every figure by name, with what came of working it out; `claims/unnamed.yaml` says why some have no case.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from game import project_of

from seasons_build.core.sheet import Sheet
from seasons_build.pipeline.read import Project, read_sources
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root

HERE = Path(__file__).parent
ERRATA = HERE.parent / "docs" / "frontiers-errata.md"
GAMES = ("frontiers", "seasons-pass")
AGREES, DISAGREES, OPEN = "agree", ("disagree", "disagree-approx"), "ambiguous"
FRONTIERS = "F-"
FIGURE = re.compile(r"`([FS]-[A-Za-z0-9.*-]+)`")

MANIFEST = 'id: spreads\ntitle: Spreads\nversion: "1"\nformat: 1\nlicence: CC0-1.0\nauthors: [A]\nrequires: {frontiers: ">=1"}\n'

PRINTED = {
    ("fixer", "mental_defense"): "F-STAT-fixer-ment",
    ("the-quartermaster", "mental_defense"): "F-STAT-boss-ment",
    ("adept", "mental_defense"): "F-STAT-adept-ment",
    ("breacher", "movement"): "F-STAT-breacher-move-hardsuit",
    ("the-quartermaster", "movement"): "F-STAT-boss-move-hardsuit",
}
"""What a statblock prints and the rules do not give: noted at the entry."""


@pytest.fixture(scope="module")
def shipped() -> Project:
    return read_sources(Sources(MemoryTree({}), DiskTree(shipped_root())), Path("/nowhere"), GAMES)


@pytest.fixture(scope="module")
def verdicts() -> Mapping[str, str]:
    with (HERE / "claims" / "claims.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row["verdict"] for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def unnamed() -> Mapping[str, str]:
    reasons = yaml.safe_load((HERE / "claims" / "unnamed.yaml").read_text(encoding="utf-8"))
    return {figure: reason for reason, figures in reasons.items() for figure in figures}


def _named(project: Project) -> Iterator[str]:
    for game in GAMES:
        for noun in project.library.rules[game]["cases"].values():
            claim = noun.data.get("claim") or []
            yield from claim if isinstance(claim, list) else [claim]


def test_each_figure_that_agrees_has_a_case_or_a_reason(
    shipped: Project, verdicts: Mapping[str, str], unnamed: Mapping[str, str]
) -> None:
    agreeing = {figure for figure, verdict in verdicts.items() if verdict == AGREES}
    assert agreeing - {*_named(shipped)} == {*unnamed}


def test_cases_name_only_figures_that_there_are(shipped: Project, verdicts: Mapping[str, str]) -> None:
    assert {*_named(shipped)} - verdicts.keys() == set()


def test_each_figure_that_disagrees_is_ruled(verdicts: Mapping[str, str]) -> None:
    ruled = {*FIGURE.findall(ERRATA.read_text(encoding="utf-8"))}
    open_ones = {f for f, verdict in verdicts.items() if f.startswith(FRONTIERS) and verdict in (*DISAGREES, OPEN)}
    assert ruled == open_ones


def test_what_a_statblock_prints_otherwise_is_noted_there(shipped: Project, verdicts: Mapping[str, str]) -> None:
    noted = {tuple(re.findall(r"`([^`]+)`", d.message)) for d in shipped.diagnostics if d.code == "N501"}
    assert noted == {*PRINTED}
    assert all(verdicts[figure] in DISAGREES for figure in PRINTED.values())


class Spreads:
    """Every way to spend the points of a new character, worked out: one of each that differ only in order, and how many those are."""

    def __init__(self) -> None:
        scores = range(30, 61, 5)
        ascending = [(a, b, c, d) for a in scores for b in scores for c in scores for d in scores if a <= b <= c <= d]
        text = "character:\n" + "".join(
            f"  s-{a}-{b}-{c}-{d}: {{name: S, start: {{vigor: {d}, deft: {c}, acuity: {b}, resolve: {a}}}, record: [create: []]}}\n"
            for a, b, c, d in ascending
        )
        project = project_of({"content/spreads/pack.yaml": MANIFEST, "content/spreads/all.yaml": text})
        broken = {str(re.findall(r"`([^`]+)`", d.message)[0]) for d in project.diagnostics if "its Attribute Scores total" in d.message}
        self.sheets: dict[tuple[int, ...], Sheet] = {}
        self.times: dict[tuple[int, ...], int] = {}
        for spread in ascending:
            name = "s-" + "-".join(map(str, spread))
            if name not in broken:
                self.sheets[spread] = project.sheets["spreads", "character", name]
                self.times[spread] = math.factorial(4) // math.prod(math.factorial(n) for n in Counter(spread).values())


@pytest.fixture(scope="module")
def spreads() -> Spreads:
    return Spreads()


def test_every_spread_of_a_new_character(spreads: Spreads) -> None:
    assert sum(spreads.times.values()) == 149
    assert max(spread.count(30) for spread in spreads.sheets) == 1
    assert {spread for spread in spreads.sheets if 30 in spread} == {(30, 50, 60, 60), (30, 55, 55, 60)}
    ranks = ("vigor.rank", "deft.rank", "acuity.rank", "resolve.rank")
    assert {sum(sheet.stats[rank] for rank in ranks) for sheet in spreads.sheets.values()} == {0}


def test_no_spread_has_two_defenses(spreads: Spreads) -> None:
    """The two highest Scores make the one, the two lowest the other: in no other order are both higher."""
    both = [s for s, sheet in spreads.sheets.items() if sheet.stats["physical_defense"] > 0 and sheet.stats["mental_defense"] > 0]
    assert both == []
    evenly = [(d, a, c, b) for a, b, c, d in spreads.sheets]
    assert not [pair for pair in evenly if pair[0] + pair[1] >= 105 and pair[2] + pair[3] >= 105]


def test_tracks_of_new_characters(spreads: Spreads) -> None:
    wounds = Counter[Fraction | int]()
    for spread, sheet in spreads.sheets.items():
        for score in spread:
            wounds[_track(sheet, spread, score)] += spreads.times[spread]
    assert (min(wounds), max(wounds)) == (1, 4)
    share = Fraction(wounds[2] + wounds[3], wounds.total())
    assert Fraction(7, 10) < share < Fraction(3, 4)


def _track(sheet: Sheet, spread: tuple[int, ...], score: int) -> Fraction | int:
    """How long a track of this Score is: read of the sheet, whose highest Score has the Wounds and whose lowest the Fatigue."""
    if score == spread[3]:
        return sheet.stats["max_wounds"]
    if score == spread[0]:
        return sheet.stats["max_fatigue"]
    return 3 + math.trunc(Fraction(score - 50, 10))

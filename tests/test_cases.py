"""Cases of a game: what each kind of case can give and expect, and what is said of one that does not hold."""

from __future__ import annotations

from fractions import Fraction

import pytest
from game import CASE, game_files, project_of

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.evaluate import run_cases
from seasons_build.pipeline.odds import per_cent
from seasons_build.pipeline.read import try_games

RULES = """\
rules:
  tables:
    toll: {keys: [place, tier], rows: {gate: {1: 2, 3: 5}, bridge: {1: 4}}}
  quantities:
    share: {value: "ceil(purse / parts)"}
  rolls:
    pair:
      takes: {target: number, help: 0, damage: dice}
      let: {sum: 10 * high + low, made: sum <= target}
      dice: {high: {faces: {from: 0, to: 9}, count: 1 + help}, low: {faces: {from: 0, to: 9}}}
      keep: -sum
      outcomes: [{hit: {when: made, value: damage + 1}}, {miss: {when: else, value: 0}}]
coat:
  cape: {name: Cape, weight: 1}
hero:
  ann: {name: Ann, brawn: 3, wit: 4, lines: [{label: a, much: 2}]}
"""


def failures(given: str, expect: str) -> list[Diagnostic]:
    case = f"  cases:\n    it: {{given: {given}, expect: {expect}}}\n"
    text = RULES.replace("coat:\n", f"{case}coat:\n", 1)
    project = project_of({**game_files(), CASE: text})
    assert not [d for d in project.diagnostics if d.severity == "error"]
    (tried,) = [case for case in try_games(project).cases if case.id == "it"]
    assert all(fault.code == "E540" and fault.span is not None and fault.span.file == CASE for fault in tried.failures)
    return list(tried.failures)


HOLDS = {
    "values of an entry": ("{entry: ann}", "{guard: 12, brawn.half: 1}"),
    "rows of an entry, and that there is no other": ("{entry: ann}", "{rows: {lines: {0: {total: 14}, 1: null}}}"),
    "a limit by name": ("{kind: guest, favor: 45}", "{limits: modesty}"),
    "a limit and what it says": ("{kind: guest, favor: 45}", "{limits: {modesty: asks for 45}, rank: 4}"),
    "several limits": ("{kind: guest, favor: 0}", "{limits: [greeting]}"),
    "a fault by its code": ("{kind: guest, favor: 13}", "{faults: E504}"),
    "no fault": ("{kind: guest, favor: 45}", "{limits: modesty, faults: []}"),
    "a row of a table": ("{table: toll, keys: [gate, 3]}", "5"),
    "a table as a whole": ("{table: toll}", "{gate: {0: null, 1: 2, 3: 5}, bridge: {1: 4}}"),
    "a part of a table": ("{table: toll, keys: gate}", "{1: 2, 3: 5}"),
    "chances": ("{roll: pair, target: 29, damage: 1d6}", "{hit: 30%, miss: 7/10}"),
    "dice as they lie": (
        "{roll: pair, target: 29, damage: 1d6, dice: {high: 2, low: 9}}",
        "{sum: 29, made: true, outcome: hit, value: 1d6 + 1}",
    ),
    "of several dice the one that is kept": (
        "{roll: pair, target: 29, help: 2, damage: 4, dice: {high: [5, 2, 7], low: 9}}",
        "{sum: 29, outcome: hit, value: 5}",
    ),
    "a quantity": ("{quantity: share, purse: 7, parts: 2}", "4"),
}

FAILS = {
    "a value": ("{entry: ann}", "{guard: 13}", "expected `guard` 13, found 12"),
    "a row that is there": ("{entry: ann}", "{rows: {lines: {0: null}}}", "expected no row `0`, and there is one"),
    "a limit that holds": ("{kind: guest, favor: 35}", "{limits: modesty}", "expected that the limit `modesty` is broken, and it holds"),
    "a limit that is not named": ("{kind: guest, favor: 0}", "{rank: 0}", "`greeting` is broken, and this case does not expect it"),
    "what a limit says": (
        "{kind: guest, favor: 45}",
        "{limits: {modesty: asks a lot}}",
        "expected `asks a lot`, and the limit says `asks for 45`",
    ),
    "a fault that is none": ("{kind: guest, favor: 15}", "{faults: E504}", "expected E504, found no fault"),
    "a table": ("{table: toll}", "{gate: {1: 3}}", "expected 3, found 2"),
    "keys of a table": ("{table: toll}", "{gate: 3}", "`toll` takes 2 keys, found 1"),
    "a word as a key": ("{table: toll}", "{gate: {first: 3}}", "expected a number as a key of `toll`, found first"),
    "a chance": ("{roll: pair, target: 29, damage: 0}", "{hit: 31%}", "expected 31% for `hit`, found 0.3 (30.0 %)"),
    "dice that lie otherwise": (
        "{roll: pair, target: 29, damage: 0, dice: {high: 3, low: 0}}",
        "{outcome: hit}",
        "expected `outcome` hit, found miss",
    ),
    "dice of which nothing is said": ("{roll: pair, target: 29, damage: 0, dice: {high: 3}}", "{sum: 30}", "depends on `low`"),
    "more dice than are thrown": (
        "{roll: pair, target: 9, damage: 0, dice: {high: [1, 2], low: 0}}",
        "{sum: 10}",
        "expected 1 of `high` on the table, found 2",
    ),
    "several of a die of which one lies": ("{roll: pair, target: 9, damage: 0, dice: {high: 1, low: [0, 1]}}", "{sum: 10}", "found 2"),
    "a quantity's value": ("{quantity: share, purse: 7, parts: 2}", "3", "expected 3, found 4"),
    "what a quantity reads": ("{quantity: share, purse: 7}", "3", "unknown name `parts`"),
    "no such quantity": ("{quantity: shares, purse: 7}", "3", "there is no quantity `shares`"),
}


@pytest.mark.parametrize(("given", "expect"), HOLDS.values(), ids=HOLDS)
def test_it_holds(given: str, expect: str) -> None:
    assert [fault.message for fault in failures(given, expect)] == []


@pytest.mark.parametrize(("given", "expect", "said"), FAILS.values(), ids=FAILS)
def test_it_fails(given: str, expect: str, said: str) -> None:
    (fault,) = failures(given, expect)
    assert said in fault.message


def test_cases_run_in_any_order_each_when_it_is_asked_for() -> None:
    case = "  cases:\n" + "".join(f"    c{n}: {{given: {{table: worth, keys: [{n}]}}, expect: 10}}\n" for n in (1, 2, 9))
    project = project_of({**game_files(), CASE: f"rules:\n{case}"})
    found = run_cases(project.library, "suite", ["c9", "c1"])
    assert [(result.id, bool(result.failures)) for result in (next(found), next(found))] == [("c9", True), ("c1", False)]
    assert next(found, None) is None


@pytest.mark.parametrize(
    ("chance", "said"),
    [("0", "0.0"), ("1/2000000", "<0.1"), ("1/2000", "0.1"), ("1/3", "33.3"), ("999/1000", "99.9"), ("1999/2000", ">99.9"), ("1", "100.0")],
)
def test_a_chance_as_people_read_it(chance: str, said: str) -> None:
    """What may happen is never nothing, what may fail never sure."""
    assert per_cent(Fraction(chance)) == said

"""A fault among the rules is told once, where it stands: not at every entry that has the number, nor at every case that tries it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from game import CASE, game_files, project_of
from running import runner

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.evaluate import weigh
from seasons_build.pipeline.doubted import doubted
from seasons_build.pipeline.odds import Mistake, find_roll
from seasons_build.pipeline.read import Project

SCOUT = {
    "title": "Scout",
    "description": "Somebody who looks around.",
    "allOf": [{"$ref": "core/entry"}],
    "properties": {name: {"type": "integer", "title": name.title(), "description": "A score."} for name in ("might", "wits")},
}
RULES = """\
rules:
  kinds:
    scout: {sheet: true}
  stats:
    score: {for: scout, each: [might, wits], input: {min: 0, max: 9}, derive: {half: "floor(self / 2)"}}
    reach: {for: scout, base: might.half + wits.half}
  rolls:
    pair:
      takes: {target: number}
      let: {hits: d <= target}
      dice: {d: {faces: 6}}
      keep: d
      outcomes: [{hit: {when: hits, value: 1}}, {miss: {when: else, value: 0}}]
    aimed:
      takes: {score: score}
      let: {hits: d <= score.half}
      dice: {d: {faces: 6}}
      keep: d
      outcomes: [{hit: {when: hits, value: 1}}, {miss: {when: else, value: 0}}]
  rows:
    chart:
      for: scout
      each: [1, 2]
      as: step
      chances: {hit: {roll: pair, with: {target: step}, of: hit}}
  balance:
    bouts: {for: scout, points: might, each: [1], attacks: [{roll: pair, with: {target: 3}}]}
  cases:
    on-a-sheet: {given: {kind: scout, might: 4, wits: 5}, expect: {reach: 4}}
    of-dice: {given: {roll: pair, target: 3}, expect: {hit: 1/2}}
    of-a-table: {given: {table: rest, keys: 1}, expect: 2}
  tables:
    rest: {1: 2}
scout:
  ann: {name: Ann, might: 4, wits: 5}
  bob: {name: Bob, might: 4, wits: 6}
chapter:
  one: {name: One, reads: scout/ann, text: "Ann reaches {reach}, and hits at {#chart: hit}."}
"""
FILES = {**game_files(), "schemas/suite/scout.json": json.dumps(SCOUT)}
FAULTS = {
    "a derived value of a family": ("floor(self / 2)", "floor(slef / 2)"),
    "a derived value that divides by zero": ("floor(self / 2)", "floor(self / 0)"),
    "a derived value that cannot be read": ("floor(self / 2)", "floor(self /"),
    "a misspelt word": ("derive: {half", "dervie: {half"),
    "a derived value of the wrong form": ('derive: {half: "floor(self / 2)"}', "derive: {half: [1]}"),
    "a roll": ("hits: d <= target", "hits: d <= tarjet"),
    "what a roll keeps": ("keep: d\n", "keep: dd\n"),
}


def of(old: str = "", new: str = "") -> Project:
    assert old in RULES
    return project_of({**FILES, CASE: RULES.replace(old, new, 1)})


def told(project: Project) -> list[Diagnostic]:
    return [d for d in project.diagnostics if d.severity == "error"]


@pytest.mark.parametrize("fault", FAULTS)
def test_it_is_told_once(fault: str) -> None:
    old, new = FAULTS[fault]
    project = of(old, new)
    (found,) = told(project)
    assert found.span is not None
    assert found.span.line == 1 + RULES[: RULES.index(old)].count("\n")
    assert not weigh(project.library).diagnostics
    assert doubted(project) == {"suite"}


def test_without_a_fault() -> None:
    project = of()
    assert not told(project)
    assert not doubted(project)


def test_a_roll_at_fault_is_one_that_there_is() -> None:
    with pytest.raises(Mistake, match="the roll `pair` has a fault of its own"):
        find_roll(of(*FAULTS["a roll"]), "pair")


def test_cases_are_counted_and_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {**FILES, CASE: RULES.replace(*FAULTS["a roll"], 1)}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    monkeypatch.chdir(tmp_path)
    run = runner(monkeypatch, capsys)
    ran = run("test")
    assert ran.code == 1
    assert ran.out.count("error[") == 1
    assert "2 passed, 0 failed, 1 cannot be judged" in ran.err
    cases = json.loads(run("test", "--format", "json").out)["cases"]
    assert {case["case"]: case["passed"] for case in cases if case["case"].startswith(("on-", "of-"))} == {
        "on-a-sheet": True,
        "of-dice": None,
        "of-a-table": True,
    }

"""Characters that the game does not allow: one diagnostic each, at the line that is at fault, with the rule and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import pytest
from game import project_of

MANIFEST = 'id: crew\ntitle: Crew\nversion: "1"\nformat: 1\nlicence: CC0-1.0\nauthors: [A]\nrequires: {frontiers: ">=1"}\n'
LEGAL = """\
character:
  ada:
    name: Ada
    start: {vigor: 60, deft: 50, acuity: 50, resolve: 40}
    record:
      - create:
          - background: {take: dock-rat, skills: [streetwise, stealth]}
          - chassis: second-frame
          - step: trooper
          - step: trooper
          - step: optics
          - skill: athletics
          - skill: command
          - skill: vacuum
          - gear: sidearm
          - gear: belt-gun
          - mark-attribute: [deft, acuity]
          - mark-skill: salvage
          - mark-system: optics
    states: {over-here: prepared, dig-in: prepared, sidearm: equipped}
"""
LATER = """\
      - level:
          - step: ballistics
          - mark-attribute: [deft, acuity]
          - mark-ability: planted
    states: {over-here: prepared, planted: prepared, sidearm: equipped}
"""
GROWN = LEGAL[: LEGAL.index("    states:")] + LATER
Told: TypeAlias = tuple[str, str, str, tuple[str, ...]]
MARKS = "a Level has three Marks, no two of a kind"


@dataclass(frozen=True, slots=True)
class Wrong:
    """A change to a legal character, the line that is told, and what is told."""

    was: str
    now: str
    at: str
    code: str
    rule: str
    remedy: str


WRONG = {
    "205 points": Wrong(
        "resolve: 40}",
        "resolve: 45}",
        "    start: {vigor: 60, deft: 50, acuity: 50, resolve: 45}",
        "E510",
        "`ada`: its Attribute Scores total 205, not 200",
        "raise or lower Scores until the total is right",
    ),
    "two Marks of a kind": Wrong(
        "          - mark-skill: salvage\n",
        "          - mark-skill: salvage\n          - mark-skill: science\n",
        "          - mark-skill: science",
        "E522",
        "`mark-skill` may be taken once a stage, and this is number 2",
        MARKS,
    ),
    "four Marks": Wrong(
        "          - mark-system: optics\n",
        "          - mark-system: optics\n          - mark-ability: get-small\n",
        "          - mark-ability: get-small",
        "E525",
        "`mark-ability` costs 1 of `marks`, and 0 are left",
        MARKS,
    ),
    "a fourth step in creation": Wrong(
        "          - step: optics\n",
        "          - step: optics\n          - step: kinetics\n",
        "          - step: kinetics",
        "E525",
        "`step` costs 1 of `steps`, and 0 are left",
        "creation gives three steps and each Level one, and no track has more than five",
    ),
    "gear that leaves no Energy": Wrong(
        "sidearm: equipped",
        "belt-gun: equipped",
        "    states: {over-here: prepared, dig-in: prepared, belt-gun: equipped}",
        "E510",
        "`ada`: what it holds drains 5 of 2 Energy, and 1 must be left",
        "put a thing it holds away (`stowed`), or take steps in its family",
    ),
    "a Protocol step that is skipped": Wrong(
        "dig-in: prepared",
        "on-me: prepared",
        "    states: {over-here: prepared, on-me: prepared, sidearm: equipped}",
        "E529",
        "`on-me` cannot be prepared: `ada` does not have it",
        "`trooper` grants it when it is taken 3 times",
    ),
    "a third prepared ability": Wrong(
        "          - mark-skill: salvage\n          - mark-system: optics\n    states: {over-here: prepared, ",
        "          - mark-ability: planted\n          - mark-system: optics\n    states: {planted: prepared, over-here: prepared, ",
        "    states: {planted: prepared, over-here: prepared, dig-in: prepared, sidearm: equipped}",
        "E510",
        "`ada`: it has 3 abilities prepared, and a Loadout of 2",
        "set one of them to `known` under `states`",
    ),
}
EARLY = ("205 points", "two Marks of a kind", "four Marks", "a fourth step in creation")


def _texts() -> dict[str, str]:
    """The legal characters and every wrong one, by the file that each stands in; each has its own id."""
    texts = {"legal": LEGAL, "grown": GROWN}
    texts |= {name: LEGAL.replace(wrong.was, wrong.now) for name, wrong in WRONG.items()}
    texts |= {f"{name}, grown": GROWN.replace(wrong.was, wrong.now) for name, wrong in WRONG.items() if name in EARLY}
    return {name: text.replace("  ada:", f"  ada-{index}:") for index, (name, text) in enumerate(texts.items())}


@pytest.fixture(scope="module")
def told() -> Mapping[str, list[Told]]:
    """What is told of each: the line, the code, the rule and what to do."""
    texts = _texts()
    files = {f"content/crew/{name}.yaml": text for name, text in texts.items()}
    project = project_of({"content/crew/pack.yaml": MANIFEST, **files})
    found: dict[str, list[Told]] = {name: [] for name in texts}
    for fault in project.diagnostics:
        if fault.severity in ("error", "warning"):
            assert fault.span is not None
            name = fault.span.file.removeprefix("content/crew/").removesuffix(".yaml")
            line = texts[name].splitlines()[fault.span.line - 1]
            found[name].append((line, fault.code, re.sub(r"`ada-\d+`", "`ada`", fault.message), fault.hints))
    return found


def test_the_characters_are_legal(told: Mapping[str, list[Told]]) -> None:
    assert told["legal"] == []
    assert told["grown"] == []


@pytest.mark.parametrize("name", WRONG)
def test_one_message_at_the_line_with_rule_and_remedy(name: str, told: Mapping[str, list[Told]]) -> None:
    wrong = WRONG[name]
    assert LEGAL.count(wrong.was) == 1
    assert told[name] == [(wrong.at, wrong.code, wrong.rule, (wrong.remedy,))]


@pytest.mark.parametrize("name", EARLY)
def test_what_comes_later_is_not_blamed(name: str, told: Mapping[str, list[Told]]) -> None:
    """What is wrong in creation stays one message when a Level follows."""
    wrong = WRONG[name]
    assert GROWN.count(wrong.was) == 1
    assert told[f"{name}, grown"] == [(wrong.at, wrong.code, wrong.rule, (wrong.remedy,))]


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("[]", "`mark-attribute` takes 2 things, found 0"),
        ("8", "`mark-attribute` takes 2 things, found 1"),
        ("[8, 9]", "`mark-attribute` picks no number, found 8"),
        ("[{}, deft]", "this is nothing that `mark-attribute` can pick"),
        ("[[deft], acuity]", "this is nothing that `mark-attribute` can pick"),
        ("[deft, nerve]", "`nerve` is nothing that `mark-attribute` can pick"),
    ],
)
def test_what_cannot_be_picked(typed: str, rule: str) -> None:
    """Nothing is asked of a thing that is none."""
    text = LEGAL.replace("mark-attribute: [deft, acuity]", f"mark-attribute: {typed}")
    found = project_of({"content/crew/pack.yaml": MANIFEST, "content/crew/all.yaml": text}).diagnostics
    assert [(d.code, d.message) for d in found if d.severity == "error"] == [("E523", rule)]

"""Lines that are indented wrongly, as they are typed: each told once, at the line to move, and mended by doing what the hint says."""

from __future__ import annotations

import re

import pytest
from game import project_of

from seasons_build.sources import shipped_root

PACK = 'id: mine\ntitle: Mine\nversion: "1.0"\nformat: 1\nrequires: {frontiers: ">=1.0,<2"}\n'
GUNS = """\
# What this pack adds.
weapon:
  rivet-gun:
    name: Rivet Gun
    family: ballistics
    demand: 3
    slots: 2
    range: 8
    actions:
      rivet:
        name: Rivet
        use: action
        attributes: [deft]
        roll: {attack: {defense: physical_defense, damage: 1d8}}
        hit: {harm: value}
      sweep:
        name: Sweep
        use: action
        attributes: [deft]
        effects:
          - {say: Whoever stands near is showered with sparks.}
          - {say: It can be heard two decks away.}
  nail-gun:
    name: Nail Gun
    family: ballistics
    demand: 2
    slots: 1
    range: 4
    actions: {n: {name: N, use: action, attributes: [deft], roll: {attack: {defense: physical_defense, damage: 1d6}}, hit: {harm: value}}}
armor:
  apron:
    name: Apron
    family: kinetics
    demand: 1
    slots: 1
"""
SHIPPED = (shipped_root() / "content/frontiers/gear/weapons.yaml").read_text(encoding="utf-8")


def moved(text: str, line: int, by: int, count: int = 1) -> str:
    rows = text.split("\n")
    for at in range(line - 1, line - 1 + count):
        rows[at] = " " * by + rows[at] if by > 0 else rows[at][-by:]
    return "\n".join(rows)


def held(text: str) -> None:
    """What is told of a file of a pack is one line to move, and moving it leaves nothing to say."""
    project = project_of({"content/mine/pack.yaml": PACK, "content/mine/all.yaml": text})
    (found,) = (d for d in project.diagnostics if d.severity != "note")
    assert (found.code, found.span and found.span.file) == ("E126", "content/mine/all.yaml")
    hint = re.match(r"move it (\d+) blanks? to the (left|right)(?:.*, with the (\d+ lines|line) below it)?", found.hints[0])
    assert hint and found.span
    count = 1 + (int(hint[3].split()[0]) if hint[3] and hint[3] != "line" else 1 if hint[3] else 0)
    mended = moved(text, found.span.line, int(hint[1]) * (1 if hint[2] == "right" else -1), count)
    good = project_of({"content/mine/pack.yaml": PACK, "content/mine/all.yaml": mended})
    assert not [d for d in good.diagnostics if d.severity != "note"]


@pytest.mark.parametrize(
    ("line", "by", "count"),
    [
        (2, 1, 1),
        (2, 2, 1),
        (3, 2, 1),
        (3, -1, 1),
        (4, 1, 1),
        (4, -2, 1),
        (6, -1, 1),
        (6, 2, 1),
        (9, -2, 1),
        (10, 2, 1),
        (10, -2, 1),
        (11, 1, 1),
        (16, 2, 1),
        (21, -1, 1),
        (22, -2, 1),
        (23, 2, 1),
        (23, -2, 1),
        (23, 1, 7),
        (30, 2, 1),
    ],
)
def test_a_file_of_a_pack(line: int, by: int, count: int) -> None:
    held(moved(GUNS, line, by, count))


def told(text: str) -> list[tuple[str, int]]:
    project = project_of({"content/mine/pack.yaml": PACK, "content/mine/all.yaml": text})
    return [(d.code, d.span.line if d.span else 0) for d in project.diagnostics if d.severity != "note"]


@pytest.mark.parametrize("line", [6, 9, 16, 23])
def test_a_file_as_it_ships(line: int) -> None:
    own = SHIPPED.replace("weapon:", "weapon:", 1)
    number = next(at for at, row in enumerate(own.split("\n"), 1) if at >= line and row.startswith("    "))
    (found,) = told(moved(own, number, -1))
    assert found == ("E126", number)


def test_a_word_that_is_no_field_is_told_as_that() -> None:
    assert told(GUNS.replace("    range: 8\n", "    range: 8\n    weight: 3\n")) == [("E204", 9)]
    assert told(GUNS + "    weight: 3\n") == [("E204", 36)]
    assert told(GUNS.replace("    slots: 2\n", "    slots: lots\n")) == [("E205", 7)]
    assert told(GUNS + "spaceship:\n  falcon: {name: Falcon}\n") == [("E201", 36)]

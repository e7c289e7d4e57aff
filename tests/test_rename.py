"""What entries are called: who names one, and another id for it everywhere, with every other byte as it was."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from game import GAME
from running import Run

THINGS = """\
# Blades, by weight; the knife comes first.
blade:
  knife:
    name: Knife   # as in `knife`
    family: steel
    weight: 1
    actions:
      cut: {name: Cut}
  saw: {name: Saw, family: steel, rules: "Like a [[blade/knife]], but [[suite:blade/knife]] is lighter."}
  knife-2: {like: knife, name: Second Knife}
coat:
  knife: {name: Coat of Knives}
  sheath: {name: Sheath, price: "2 if has('knife') else 1", tags: [knife]}
hero:
  ann:   {name: Ann, brawn: 3, wit: 5, wears: [ 'blade/knife' ], grip: blade/knife/cut, home: "suite:blade/knife", motto: a knife}
  bob: {name: Bob, brawn: 3, wit: 5, packs: ["blade/knife", sheath], grip: blade/saw}
"""
WITHOUT = THINGS.replace(", grip: blade/saw", "")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The suite's game on disk, as the current folder."""
    shutil.copytree(GAME, tmp_path / "game")
    (tmp_path / "game/content/suite/things.yaml").write_bytes(WITHOUT.encode())
    monkeypatch.chdir(tmp_path / "game")
    return tmp_path / "game"


def things(home: Path) -> str:
    return (home / "content/suite/things.yaml").read_bytes().decode()


def test_who_names_an_entry(home: Path, run: Run) -> None:
    found = run("refs", "blade/knife")
    assert found.code == 0
    lines = [line.removeprefix("content/suite/things.yaml:") for line in found.out.splitlines()]
    assert lines == [
        "9:58  suite:blade/saw",
        "9:85  suite:blade/saw",
        "10:19  suite:blade/knife-2",
        "15:56  suite:hero/ann",
        "15:78  suite:hero/ann",
        "15:108  suite:hero/ann",
        "16:53  suite:hero/bob",
    ]
    assert found.err == "7 places\n"
    data = json.loads(run("refs", "blade/knife", "--format", "json").out)
    assert data[0] == {"file": "content/suite/things.yaml", "line": 9, "column": 58, "entry": "suite:blade/saw"}
    assert run("refs", "frontiers:weapon/breaching-maul").out.startswith("seasons:content/frontiers/")


def test_another_id_everywhere_and_nothing_else(home: Path, run: Run) -> None:
    before = run("check").out
    found = run("rename", "blade/knife", "flick-knife")
    assert (found.code, found.err) == (0, "")
    assert found.out == "content/suite/things.yaml  9 changes\n"
    assert things(home) == (
        WITHOUT.replace("  knife:\n    name: Knife", "  flick-knife:\n    name: Knife")
        .replace("   # as in `knife`\n", "   # as in `knife`\n    formerly: [knife]\n")
        .replace("[[blade/knife]]", "[[blade/flick-knife]]")
        .replace("suite:blade/knife", "suite:blade/flick-knife")
        .replace("like: knife", "like: flick-knife")
        .replace("'blade/knife'", "'blade/flick-knife'")
        .replace("blade/knife/cut", "blade/flick-knife/cut")
        .replace('"blade/knife"', '"blade/flick-knife"')
    )
    assert run("check").out == before


def test_there_and_back(home: Path, run: Run) -> None:
    assert run("rename", "saw", "knife-saw").code == 0
    assert "  knife-saw: {name: Saw, formerly: [saw], family: steel" in things(home)
    assert run("rename", "knife-saw", "saw").code == 0
    assert "  saw: {name: Saw, formerly: [knife-saw], family: steel" in things(home)


def test_line_ends_and_marks_stay(home: Path, run: Run) -> None:
    raw = b"\xef\xbb\xbf" + WITHOUT.replace("\n", "\r\n").encode()
    (home / "content/suite/things.yaml").write_bytes(raw)
    assert run("rename", "blade/knife", "dirk").code == 0
    made = (home / "content/suite/things.yaml").read_bytes()
    assert made.startswith(b"\xef\xbb\xbf# Blades")
    assert made.count(b"\r\n") == made.count(b"\n") == WITHOUT.count("\n") + 1


def test_names_in_formulas_and_cases(home: Path, run: Run) -> None:
    (home / "content/suite/more.yaml").write_text(
        "family:\n  blue-steel: {name: Blue Steel}\n"
        "coat:\n  mail: {name: Mail, family: blue-steel, price: \"3 if has('blue-steel') else taken('blue-steel')\"}\n"
        "rules:\n  cases:\n    bob-in-arms: {given: {entry: hero/bob}, expect: {brawn: 3}}\n",
        encoding="utf-8",
    )
    for old, new in (("blue-steel", "black-iron"), ("bob", "robert-the-second")):
        assert run("rename", old, new).code == 0
    text = (home / "content/suite/more.yaml").read_text(encoding="utf-8")
    assert "blue" not in text.replace("formerly: [blue-steel]", "")
    assert "has('black-iron') else taken('black-iron')" in text
    assert "{entry: hero/robert-the-second}" in text
    assert run("test").code == 0


def test_what_stands_in_templates_is_told(home: Path, run: Run) -> None:
    (home / "templates/suite").mkdir(parents=True)
    (home / "templates/suite/cards.css").write_text(".card-saw { color: red }\n.saw { color: blue }\n", encoding="utf-8")
    found = run("rename", "saw", "rip-saw")
    assert found.code == 0
    assert found.err == "templates/suite/cards.css:2:2  still says `saw`: look whether it means the entry\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rename", "saw", "Big Saw"], "'Big Saw' cannot be an id: small letters, figures and hyphens, as 'big-saw'"),
        (["rename", "saw", "knife"], "there is a blade 'knife' already, in content/suite/things.yaml"),
        (["rename", "swa", "cutter"], "unknown entry `swa`: did you mean `saw`?"),
        (["rename", "knife", "dirk"], "`suite:blade/knife`, `suite:coat/knife`: say which"),
        (["rename", "frontiers:weapon/service-rifle", "rifle"], "is not the project's own"),
        (["refs", "swa"], "unknown entry `swa`: did you mean `saw`?"),
    ],
)
def test_what_cannot_be_renamed(home: Path, run: Run, words: list[str], said: str) -> None:
    found = run(*words)
    assert (found.code, found.out) == (2, "")
    assert said in found.err
    assert things(home) == WITHOUT

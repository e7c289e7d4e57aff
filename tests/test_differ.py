"""What a reader would notice: `diff` against a folder, a pack, a revision."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from game import GAME
from running import Run

BEFORE = """\
coat:
  cape:
    {name: Cape, weight: 2, effects: {add: {guard: 3}}, notes: old,
    lining: Warm in every weather that anybody here has ever seen or wishes to see.}
  shawl: {name: Shawl, grade: plain}
  cloak: {name: Cloak}
hero:
  ann: {name: Ann, brawn: 3, wit: 5, wears: [cape]}
"""
AFTER = """\
coat:
  cape:
    {name: Cape, weight: 3, effects: {add: {guard: 4}}, notes: new, tags: [silent],
    lining: Warm in every weather that nobody here has ever seen or wishes to see.}
  scarf: {name: Shawl, grade: fine, formerly: [shawl]}
  mantle: {name: Mantle}
hero:
  ann: {name: Ann, brawn: 3, wit: 5, wears: [cape]}
"""
TOLD = """\
changed  coat/cape  Cape
    Weight: 2 -> 3
    Lining: Warm in every weather that anybody here has ever seen or wishes … -> \
Warm in every weather that nobody here has ever seen or wishes …
gone     coat/cloak  Cloak
added    coat/mantle  Mantle
changed  coat/scarf  Shawl
    Grade: plain -> fine
changed  hero/ann  Ann
    guard: 15 -> 16
    load: 2 -> 3
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two states of the suite's game, beside each other."""
    for name, text in (("old", BEFORE), ("new", AFTER)):
        shutil.copytree(GAME, tmp_path / name)
        (tmp_path / name / "content/suite/things.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "new")
    return tmp_path


def test_against_a_folder(home: Path, run: Run) -> None:
    found = run("diff", "../old")
    assert (found.code, found.err) == (0, "5 entries differ\n")
    assert found.out == TOLD
    assert run("diff", ".") == (0, "", "0 entries differ\n")


def test_as_data(home: Path, run: Run) -> None:
    found = json.loads(run("diff", "../old", "--format", "json").out)
    assert [(d["change"], d["id"]) for d in found] == [
        ("changed", "cape"), ("gone", "cloak"), ("added", "mantle"), ("changed", "scarf"), ("changed", "ann"),
    ]  # fmt: skip
    assert found[3] == {
        "change": "changed",
        "id": "scarf",
        "kind": "coat",
        "pack": "suite",
        "name": "Shawl",
        "changes": [{"what": "Grade", "before": "plain", "after": "fine"}],
    }


def test_against_a_pack(home: Path, run: Run) -> None:
    shutil.copytree(home / "old/schemas/suite", home / "old/content/suite/schemas")
    assert run("diff", "../old/content/suite").out == TOLD


@pytest.mark.skipif(not shutil.which("git"), reason="git is not here")
def test_against_a_revision(home: Path, run: Run) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", *words], cwd=home / "old", check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    git("tag", "first-printing")
    shutil.copy(home / "new/content/suite/things.yaml", home / "old/content/suite/things.yaml")
    assert run("--project", "../old", "diff", "first-printing").out == TOLD
    assert run("--project", "../old", "diff", "second-printing").code == 2


def test_rules_lines(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("old", "new"):
        run("new", "project", str(tmp_path / name), "--for", "frontiers")
    file = tmp_path / "new/content/new/weapon/first-weapon.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("1d6", "1d8").replace("demand: 2", "demand: 3"), encoding="utf-8")
    (tmp_path / "new/content/new").rename(tmp_path / "new/content/old")
    manifest = tmp_path / "new/content/old/pack.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("id: new", "id: old"), encoding="utf-8")
    monkeypatch.chdir(tmp_path / "new")
    found = run("diff", "../old").out
    assert "    Demand: 2 -> 3\n" in found
    assert "    Rules: " in found
    assert "1d8" in found.partition("->")[2]


@pytest.mark.parametrize(
    "old", ["nowhere", "--no-such-thing", "content/suite/things.yaml", "content", "content/suite/coats", "..", "../empty"]
)
def test_what_is_nothing_to_compare_with(home: Path, run: Run, old: str) -> None:
    (home / "new/content/suite/coats").mkdir()
    (home / "empty").mkdir()
    found = run("diff", old)
    assert (found.code, found.out) == (2, "")
    assert "Traceback" not in found.err


def test_what_cannot_be_read_is_told(home: Path, run: Run) -> None:
    (home / "old/content/suite/more.yaml").write_text("coat:\n  stole: {name: Stole, wieght: 1}\n", encoding="utf-8")
    found = run("diff", "../old")
    assert found.code == 0
    assert "left out, since they cannot be read in OLD: suite:coat/stole\n" in found.err

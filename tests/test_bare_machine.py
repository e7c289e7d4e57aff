"""On a machine without what only Unix has, without Pango, with an old terminal and a folder of many letters: looking and writing work,
and printing says in one message what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from seasons_build.core.machine import bring_pango

PROGRAM = Path(__file__).parent / "bare_machine.py"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Python is a script of the shell")


def seasons(folder: Path, *words: str) -> tuple[int, str]:
    """`seasons` there: its exit code and all that it said."""
    env = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C"}
    command = [sys.executable, str(PROGRAM), "seasons", *words]
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    said = done.stdout.decode("cp1252")
    assert "Traceback" not in said
    assert "a fault of ours" not in said
    return done.returncode, said


def test_a_pack_without_pango(tmp_path: Path) -> None:
    assert seasons(tmp_path, "new", "pack", "mine", "--for", "frontiers")[0] == 0
    assert seasons(tmp_path, "check")[0] == 0
    code, said = seasons(tmp_path, "build")
    assert (code, said.count("error[")) == (1, 1), said
    assert f"hint: {bring_pango()}" in said


@pytest.mark.slow
def test_everything_but_printing_works(tmp_path: Path) -> None:
    assert seasons(tmp_path, "new", "project", "Möbius Décks (copy)", "--for", "frontiers")[0] == 0
    home = tmp_path / "Möbius Décks (copy)"
    for file in (home / "content").rglob("*.yaml"):
        text = file.read_text(encoding="utf-8").replace("First Weapon", "Erste Waffe: „Blitz“ → ✓")
        text = text.replace("name: Erste Waffe: „Blitz“ → ✓", 'name: "Erste Waffe: „Blitz“ → ✓"')
        file.write_bytes(text.replace("\n", "\r\n").encode())
    (home / "more.csv").write_bytes("name;slots\r\nWärmflasche;1\r\n".encode("cp1252"))
    for words in (
        ["check", "--strict"],
        ["new", "weapon", "bolt-driver"],
        ["copy", "frontiers:adversary/breacher", "night-breacher"],
        ["list", "weapon"],
        ["show", "first-weapon"],
        ["explain", "night-breacher", "physical_defense"],
        ["explain", "E301"],
        ["odds", "frontiers:resolution", "target=50"],
        ["import", "more.csv", "--kind", "item"],
        ["export", "csv", "item"],
        ["export", "json"],
        ["refs", "frontiers:calibration/ballistics"],
        ["schema"],
        ["check"],
    ):
        code, said = seasons(home, *words)
        assert code == 0, f"{words}: {said}"
    assert "Erste Waffe" in seasons(home, "list", "weapon")[1]
    code, said = seasons(home, "build")
    assert code == 1
    assert said.count("error[") == 1, said
    assert "error[E850]" in said
    assert f"hint: {bring_pango()}" in said


@pytest.mark.slow
def test_the_games_cases(tmp_path: Path) -> None:
    assert seasons(tmp_path, "test", "frontiers")[0] == 0

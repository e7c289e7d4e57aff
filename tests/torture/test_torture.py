"""Every automated row of the hostile files, through the command itself; and the same judge on a naive builder, which it must not let pass.

`make torture` runs it. The rows of a server are judged beside the server.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from box import CASES, Row, attempt, naive, ours, rows, seed

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="measures with what Linux has")]

CATEGORIES = ("yaml", "control", "expression", "schema", "template", "render", "pack")
ROWS = rows(*CATEGORIES)
FAULTS = rows("fault")
NAIVE_FAILS = {"yaml": 15, "expression": 12, "schema": 5, "template": 10, "render": 8, "pack": 8}
"""How many rows of each category a naive builder fails at least; the controls it passes."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("seed") / "p"
    root.mkdir()
    seed(root)
    subprocess.run([*ours(), "build"], cwd=root, check=True, capture_output=True)
    return root


def test_no_row_is_left_out() -> None:
    known = {path.relative_to(CASES).as_posix() for folder in CASES.iterdir() if folder.is_dir() for path in folder.iterdir()}
    known = {name for name in known if not name.endswith((".csv", ".gitattributes"))}
    assert {row.file for row in [*ROWS, *FAULTS]} == known - {row.file for row in rows("server")}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.file)
def test_a_row(row: Row, project: Path, tmp_path: Path) -> None:
    assert attempt(row, tmp_path, ours(), project) == []


def test_the_judge_does_not_let_a_naive_builder_pass(project: Path, tmp_path: Path) -> None:
    failed: Counter[str] = Counter()
    for number, row in enumerate(ROWS):
        folder = tmp_path / str(number)
        folder.mkdir()
        failed[row.category] += bool(attempt(row, folder, naive(), project))
    assert failed["control"] == 0
    assert {name: count for name, count in NAIVE_FAILS.items() if failed[name] < count} == {}, failed


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: row.file)
def test_a_fault(row: Row, project: Path) -> None:
    """Scripts of shell; the small disk is smaller than what a few cards take."""
    environment = {**os.environ, "N": "10", "SIZE": "32k", "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    asked = ["bash", str(row.path), str(project), "--", str(Path(sys.executable).with_name("seasons")), "build"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False, env=environment, timeout=600)
    assert found.returncode == 0, found.stdout + found.stderr

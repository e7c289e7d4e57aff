"""SECURITY.md says what is true: each promise has its tests, the limits are those of the code; and what no other test holds."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from game import CASE, with_case
from small_project import files, make, seasons

from seasons_build.cli.talk import write_kept
from seasons_build.compose.view import plain_data
from seasons_build.core.limits import DEFAULT
from seasons_build.pipeline.read import read_sources
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root
from seasons_build.sources.revision import tree_at
from seasons_build.worker.render import MARKUP_KEY

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
PROMISES = dict(re.findall(r"^\| (\d+) \| \*\*.*? \| (.*) \|$", PAGE, re.MULTILINE))
LIMIT = re.compile(r"^\| `(\w+)` \| (.+?) \| ([\d,]+)(?: (KiB|MiB))? \|$", re.MULTILINE)
UNITS = {"": 1, "KiB": 1024, "MiB": 1024 * 1024}


def test_the_promises_are_counted() -> None:
    assert list(PROMISES) == [str(number) for number in range(1, len(PROMISES) + 1)]
    assert len(PROMISES) >= 15


@pytest.mark.parametrize("promise", PROMISES)
def test_each_promise_names_tests_that_are_there(promise: str) -> None:
    """Each test that a promise names is one: it is collected, left out nowhere, and looks at something; and one of them always runs."""
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PROMISES[promise])
    assert named
    assert len(named) == PROMISES[promise].count("tests/"), "a test is named in a way that this does not understand"
    always = False
    for file, test in named:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        slow = any("slow" in ast.dump(node.value) for node in tree.body if isinstance(node, ast.Assign) and _assigns(node, "pytestmark"))
        there = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
        assert test in there if test else there, f"{file} has no {test}"
        for node in [there[test]] if test else there.values():
            marks = " ".join(map(ast.dump, node.decorator_list))
            assert "xfail" not in marks and "attr='skip'" not in marks, f"{file} leaves out {node.name}"
            assert any(isinstance(part, ast.Assert | ast.With | ast.Call) for part in ast.walk(node)), f"{node.name} looks at nothing"
            always = always or not (slow or "slow" in marks)
    assert always, "all of its tests are slow"


def _assigns(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def test_the_limits_are_those_of_the_page() -> None:
    told = {name: int(number.replace(",", "")) * UNITS[unit] for name, _, number, unit in LIMIT.findall(PAGE)}
    assert told == DEFAULT._asdict()


def test_data_never_passes_for_markup() -> None:
    found = with_case('coat:\n  grey: {name: Grey, "\\x24html": <b>x</b>}\n').diagnostics
    assert ("E680", CASE) in [(d.code, d.span and d.span.file) for d in found]
    assert MARKUP_KEY not in json.dumps(plain_data({MARKUP_KEY: "<b>", "a": [{MARKUP_KEY: "<i>"}]})).replace("$$", "")


def test_a_project_has_its_bound() -> None:
    root = DiskTree(shipped_root())
    content = {f"content/p/{n}.yaml": b"# " + b"x" * 1_500_000 + b"\n" for n in range(50)}
    pack = b'id: p\ntitle: P\nversion: "1"\n'
    project = read_sources(Sources(MemoryTree({**content, "content/p/pack.yaml": pack}), root), Path("/nowhere"))
    assert [d.code for d in project.diagnostics if d.severity == "error"] == ["E681"]
    assert project.unread == {"p"}


def test_a_written_file_tells_nothing_of_who_wrote_it(tmp_path: Path) -> None:
    root = make(tmp_path / "a-place-with-a-name")
    code, _, err = seasons(root, tmp_path / "s", "build", "--jobs", "1", USER="somebody", HOSTNAME="somewhere")
    assert code == 0, err
    data = b"".join(files(root / "dist").values())
    assert not [word for word in (b"a-place-with-a-name", b"somebody", b"somewhere", b"CreationDate") if word in data]
    assert not [word for word in (b"/JavaScript", b"/OpenAction", b"/EmbeddedFile", b"/Launch", b"/URI") if word in data]


def test_what_a_cache_has_kept_is_no_order_to_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    write_kept("\x1b[1;31merror\x1b[0m: a\nb \x1b]52;c;eA==\x07 \x1b[2J \u202e \x9b31m")
    assert capsys.readouterr().err == "error: a\nb \\x1b]52;c;eA==\\x07 \\x1b[2J \\u202e \\x9b31m\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
def test_the_settings_of_a_repository_run_nothing(tmp_path: Path) -> None:
    root, ran = make(tmp_path / "p"), tmp_path / "ran"
    (root / ".gitattributes").write_text("* filter=x\n", encoding="utf-8")
    plain = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def git(*words: str) -> None:
        named = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", str(root), *named, *words], check=True, capture_output=True, env=plain)

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message=x")
    for name in ("filter.x.smudge", "core.fsmonitor", "core.pager", "core.sshCommand"):
        git("config", name, f"touch {ran}; cat")
    tree = tree_at(root, "HEAD")
    assert isinstance(tree, MemoryTree)
    assert dict(tree.files) == {name: data for name, data in files(root).items() if name.startswith(("content/", "schemas/"))}
    assert not ran.exists()

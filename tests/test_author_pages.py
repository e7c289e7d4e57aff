"""The pages of what goes wrong while files are made or changed: the bad example gives the code, the good one does not.

The fences are those of `test_code_pages`; the files lie on disk here, since the commands write.
"""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from game import GAME
from running import Run
from test_code_pages import WRITTEN, example, files_of

CODES = [code for code in WRITTEN if code[1:3] in ("76", "77") and code != "E767"]
"""E767 is of a template: tests/typeset."""


def told(code: str, part: str, home: Path, run: Run) -> str:
    """All that the commands of an example say."""
    fences = example(code, part)
    shutil.copytree(GAME, home)
    for name, data in files_of(fences).items():
        if name.startswith("content/other/"):
            continue
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)
    said = ""
    for info, text in fences:
        if info.startswith("file "):
            _, name, *encoding = info.split()
            (home.parent / name).write_text(text, encoding=encoding[0] if encoding else "utf-8")
        for line in text.strip().split("\n") if info == "sh" else ():
            match shlex.split(line):
                case ["mkdir", path]:
                    (home / path).mkdir(parents=True)
                case ["touch", path]:
                    (home / path).touch()
                case ["seasons", *words]:
                    ran = run(*words)
                    said += ran.out + ran.err
    return said


@pytest.mark.parametrize("code", CODES)
def test_the_bad_example_gives_the_code(code: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = told(code, "Bad", tmp_path / "home", lambda *words: run("--project", "home", *words))
    assert f"[{code}]" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("code", CODES)
def test_the_good_example_does_not(code: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = told(code, "Good", tmp_path / "home", lambda *words: run("--project", "home", *words))
    assert "error" not in said
    assert code not in said

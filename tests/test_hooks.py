"""What writers' repositories use of this one: the hook of pre-commit and the action of GitHub run commands that there are."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from running import Run

ROOT = Path(__file__).parent.parent


def test_the_hook(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("seasons-check", "python", False)
    monkeypatch.chdir(tmp_path)
    run("new", "pack", "mine", "--for", "frontiers")
    program, *words = shlex.split(hook["entry"])
    assert program == "seasons"
    assert run(*words).code == 0
    file = tmp_path / "content/mine/weapon/first-weapon.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("family: emitters", "family: emiters"), encoding="utf-8")
    assert run(*words).code == 1


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not here")
@pytest.mark.parametrize(("strict", "code"), [("false", 0), ("true", 1)])
def test_the_action(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, strict: str, code: int) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    step = action["runs"]["steps"][-1]
    assert step["env"] == {"PROJECT": "${{ inputs.project }}", "STRICT": "${{ inputs.strict }}"}
    project = tmp_path / "a game"
    run("new", "project", str(project), "--for", "frontiers")
    (project / "content/a-game/more.yaml").write_text("item:\n  rope: {name: Rope, slots: 1, rules: Holds 3.}\n", encoding="utf-8")
    (tmp_path / "seasons").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m seasons_build "$@"\n', encoding="utf-8")
    (tmp_path / "seasons").chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PROJECT": str(project), "STRICT": strict}
    done = subprocess.run(["bash", "-e", "-c", step["run"]], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    assert "::warning file=" in done.stdout

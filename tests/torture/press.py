"""Builds of a small project that are killed, or that the system refuses something, and what must hold afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from small_project import STRAW, files

from seasons_build.publish import DRAFT, MANIFEST

Built = tuple[Path, dict[str, bytes], dict[str, bytes]]
"""A project that was changed since its build, with what that build has given and what the next one gives."""


class Press:
    """`seasons` with a typesetter of straw, again and again without starting anew: what is tried here is tried a thousand times."""

    def __init__(self) -> None:
        asked = [sys.executable, str(STRAW), "--serve"]
        self._process = subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def build(self, root: Path, scratch: Path, seconds: float | None = None, **more: str) -> tuple[int, str]:
        """The exit code of a build, and what it said. After so many seconds it is killed."""
        scratch.mkdir(exist_ok=True)
        said = scratch.parent / "said"
        environment = {"TMPDIR": str(scratch), **more}
        asked: dict[str, Any] = {"folder": str(root), "said": str(said), "words": ["build"], "environment": environment}
        if seconds is not None:
            asked["seconds"] = seconds
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        return code, said.read_text(encoding="utf-8") if said.exists() else ""

    def close(self) -> None:
        """Ends it."""
        self._process.communicate(timeout=30)


def printed(root: Path) -> dict[str, bytes]:
    """What builds wrote, but for their marks."""
    return {name: data for name, data in files(root / "dist").items() if not name.startswith(".")}


def whole(root: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    """Holds an output folder to files of one build or of the other, each to its last byte."""
    for name, data in printed(root).items():
        if name != MANIFEST and not name.rpartition("/")[2].startswith(DRAFT):
            assert data in (old[name], new[name]), f"{name} is of neither build"
    assert json.loads((root / "dist" / MANIFEST).read_bytes())["files"].keys() == {name for name in new if name != MANIFEST}


def mended(press: Press, root: Path, scratch: Path, new: dict[str, bytes]) -> None:
    """Builds once more, and finds everything as if nothing had ever gone wrong."""
    code, said = press.build(root, scratch)
    assert code == 0, said
    assert printed(root) == new
    assert not [name for name in files(root) if DRAFT in name or "/drafts/" in name]
    assert list(scratch.iterdir()) == []

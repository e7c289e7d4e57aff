"""A project as it was at a revision of git (part of sources). In: its folder and the revision. Out: a tree of its files in memory, or in
plain words why there is none."""

from __future__ import annotations

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.sources.trees import AREAS, MemoryTree


def tree_at(root: Path, revision: str, limits: Limits = DEFAULT) -> MemoryTree | str:
    """The files of a project at a revision."""
    if revision.startswith("-"):
        return f"`{revision}` is no revision"
    try:
        command = ["git", "-C", str(root), "archive", "--format=tar", revision]
        done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        return "git is not here"
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return said[-1].removeprefix("fatal: ") if said else "git gave no reason"
    if len(done.stdout) > limits.project_bytes:
        return f"it has more than {limits.project_bytes:,} bytes".replace(",", " ")
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        for member in archive:
            if member.isfile() and member.name.partition("/")[0] in AREAS:
                held = archive.extractfile(member)
                assert held is not None
                files[member.name] = held.read()
    return MemoryTree(files) if files else "there is no content in it"

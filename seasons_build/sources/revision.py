"""A project as it was at a revision of git (part of sources). In: its folder and the revision. Out: a tree of its files in memory, or in
plain words why there is none.

A repository may be a stranger's, and its settings name programs to run: objects are read as they are, so that no filter, hook, pager or
remote of it is ever asked.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.sources.trees import AREAS, MemoryTree

_REGULAR = ("100644", "100755")
_ALONE = {"GIT_ALLOW_PROTOCOL": "no-protocol", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
"""Settings of the environment that no repository can take back: nothing is fetched, nothing is written, nobody is asked."""


def tree_at(root: Path, revision: str, limits: Limits = DEFAULT) -> MemoryTree | str:
    """The files of a project at a revision."""
    if revision.startswith("-"):
        return f"`{revision}` is no revision"
    try:
        listed = _git(root, ["ls-tree", "-r", "-l", "-z", revision, *AREAS])
    except FileNotFoundError:
        return "git is not here"
    if listed.returncode:
        said = listed.stderr.decode("utf-8", "replace").strip().splitlines()
        return said[-1].removeprefix("fatal: ") if said else "git gave no reason"
    found = [line.partition("\t") for line in listed.stdout.decode("utf-8", "surrogateescape").split("\0") if line]
    objects = {name: about.split() for about, _, name in found}
    files = {name: (words[2], int(words[3])) for name, words in objects.items() if words[0] in _REGULAR and words[1] == "blob"}
    if sum(size for _, size in files.values()) > limits.project_bytes:
        return f"it has more than {limits.project_bytes:,} bytes".replace(",", " ")
    asked = "".join(f"{sha}\n" for sha, _ in files.values()).encode("ascii")
    data = _git(root, ["cat-file", "--batch=%(objectsize)", "--buffer"], asked).stdout
    read: dict[str, bytes] = {}
    start = 0
    for name in files:
        end = data.find(b"\n", start)
        if end < 0 or not data[start:end].isdigit():
            return "a part of it is missing"
        start, size = end + 1, int(data[start:end])
        read[name] = data[start : start + size]
        start += size + 1
    return MemoryTree(read) if read else "there is no content in it"


def _git(root: Path, words: Sequence[str], given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = ["git", "--no-replace-objects", "-C", str(root), *words]
    return subprocess.run(command, capture_output=True, check=False, input=given, env={**os.environ, **_ALONE})

"""The tools that set type, as far as they decide what a page looks like; and how to see that they are still the same. Plain records."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from stat import S_ISDIR

from seasons_build.core.named import NamedTuple

Stamps = Mapping[str, list[int]]
"""What a system tells of files without opening them, by path; empty for one that is not there."""


class Tools(NamedTuple):
    """`digest` stands for the versions of all packages and libraries that set type, and for our own program; empty where it is not known.
    `files` are the libraries, the modules of ours and the folders of packages from whose stamps it is seen that nothing was replaced."""

    digest: str = ""
    files: tuple[str, ...] = ()


def stamps(paths: Iterable[str]) -> dict[str, list[int]]:
    """Size, time of change and time of change of the entry itself, of each path; of a folder, when something in it came or went."""
    return {path: stamp(path) for path in paths}


def stamp(path: str) -> list[int]:
    """What `stamps` has of one path."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return []
    return [found.st_mtime_ns] if S_ISDIR(found.st_mode) else [found.st_size, found.st_mtime_ns, found.st_ctime_ns]

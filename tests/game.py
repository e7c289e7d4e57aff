"""Small projects for tests, held in memory: the suite's game, and whatever files a test adds to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from seasons_build.pipeline.read import Project, read_sources
from seasons_build.sources import AREAS, DiskTree, MemoryTree, Sources, shipped_root

HERE = Path(__file__).parent
GAME = HERE / "suite" / "game"
CASE = "content/suite/case.yaml"

EXPECTED = re.compile(r"#!(?P<below>v?)\s*(?P<code>[EWN]\d{3})(?::(?P<column>\d+))?(?:\s+(?P<words>(?!#!).*?))?\s*(?=#!|$)")
"""An expectation at its line: `#! E301`, with the column and words of the message or a hint if they matter; `#!v` means the line below.
Several may stand behind each other."""


def game_files() -> dict[str, bytes]:
    """The suite's game, by name."""
    tree = DiskTree(GAME, AREAS)
    return {name: tree.read(name) for name in tree.names()}


def project_of(files: Mapping[str, bytes | str], named: tuple[str, ...] = ()) -> Project:
    """A project with these files alone, beside what the package ships."""
    raw = {name: data.encode() if isinstance(data, str) else data for name, data in files.items()}
    return read_sources(Sources(MemoryTree(raw), DiskTree(shipped_root())), Path("/nowhere"), named)


def with_case(text: str | bytes) -> Project:
    """The suite's game and one more file of content."""
    return project_of({**game_files(), CASE: text})


def expectations(text: str) -> set[tuple[int, str, str | None, str | None]]:
    """What a case expects: line, code, column, words."""
    found = set()
    for number, line in enumerate(text.split("\n"), 1):
        for wanted in EXPECTED.finditer(line):
            found.add((number + bool(wanted["below"]), wanted["code"], wanted["column"], wanted["words"]))
    return found

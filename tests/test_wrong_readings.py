"""Wrong readings of the dice, each made in a copy of the shipped rules: every one of them makes some case of the game fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from seasons_build.pipeline.read import read_sources, try_games
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root

WRONG = [
    ("frontiers", "the better die is chosen by its face", '"-percentile if net >= 0 else percentile"', '"-tens if net >= 0 else tens"'),
    ("frontiers", "00 is nothing", "10 * tens + units if tens + units > 0 else 100", "10 * tens + units"),
    ("frontiers", "a natural 100 can succeed", "percentile <= target and percentile < 100", "percentile <= target"),
    ("frontiers", "strictly under", "percentile <= target and percentile < 100", "percentile < target"),
    ("frontiers", "cancelled before the cap", "min(3, favor) - min(3, disfavor)", "max(-3, min(3, favor - disfavor))"),
    ("frontiers", "no cap", "min(3, favor) - min(3, disfavor)", "favor - disfavor"),
    ("frontiers", "both dice are thrown again", 'count: "1 + moved"', 'count: "1 + abs(net)"'),
    (
        "frontiers",
        "the floor comes early",
        "max(1, base - defense + max(-20, min(20, circumstance)) + bonus - 5 * fatigue_held)",
        "max(1, base - defense) + max(-20, min(20, circumstance)) + bonus - 5 * fatigue_held",
    ),
    ("frontiers", "a Graze rounds down", "ceil(damage / 2)", "floor(damage / 2)"),
    ("frontiers", "the bonus doubles, too", "damage + bare(damage)", "damage + damage"),
]


def copies(pack: str, right: str, wrong: str) -> dict[str, bytes]:
    tree = DiskTree(shipped_root())
    files = {n: tree.read(n) for n in tree.names() if n.startswith((f"content/{pack}/", f"schemas/{pack}/"))}
    changed = {name: data.replace(right.encode(), wrong.encode()) for name, data in files.items()}
    assert changed != files, f"the rules no longer say {right!r}"
    return changed


@pytest.mark.parametrize(("pack", "reading", "right", "wrong"), WRONG, ids=[w[1] for w in WRONG])
def test_a_wrong_reading_fails_a_case(pack: str, reading: str, right: str, wrong: str) -> None:
    project = read_sources(Sources(MemoryTree(copies(pack, right, wrong)), DiskTree(shipped_root())), Path("/nowhere"))
    assert not [d for d in project.diagnostics if d.severity == "error"]
    failed = [case.id for case in try_games(project).cases if case.failures]
    assert failed, reading

"""What a pack builds on is worked out when it is asked for: the same comes out, and what a pack changes in it does not wait."""

from __future__ import annotations

from pathlib import Path

import pytest

from seasons_build.cli.talk import of_the_project
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.evaluate import later, whole_sheets
from seasons_build.evaluate.again import Made
from seasons_build.pipeline.read import Project, read_sources
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root

GAMES = ("frontiers", "seasons-pass")


def project(game: str, content: str = "", *, patient: bool = True, **more: str) -> Project:
    """A pack of the project's own that builds on a game."""
    manifest = f'id: home\ntitle: Home\nversion: "1"\nformat: 1\nrequires: {{{game}: ">=0"}}\n{more.pop("also", "")}'
    files = {"content/home/pack.yaml": manifest, "content/home/all.yaml": content, **more}
    named = {name: text.encode() for name, text in files.items() if text}
    return read_sources(Sources(MemoryTree(named), DiskTree(shipped_root())), Path("/nowhere"), patient=patient)


def waiting(found: Project) -> set[str]:
    """The packs of which nothing was worked out."""
    table = found.sheets
    return {key[0] for key in table._waiting} if isinstance(table, later.Table) else set()


@pytest.mark.parametrize("game", GAMES)
def test_what_waits_comes_out_as_if_it_had_not(game: str) -> None:
    at_once, asked_for = project(game, patient=False), project(game)
    assert waiting(asked_for) == {game}
    assert set(asked_for.sheets) == set(at_once.sheets)
    assert set(asked_for.lines) == set(at_once.lines)
    assert {key: asked_for.sheets[key] for key in at_once.sheets} == at_once.sheets
    assert {key: asked_for.lines[key] for key in at_once.lines} == at_once.lines
    assert of_the_project(asked_for.diagnostics) == of_the_project(at_once.diagnostics)
    whole = whole_sheets(asked_for.sheets)
    assert {key: whole[key] for key in whole} == whole_sheets(at_once.sheets)
    assert asked_for.sheets.get((game, "weapon", "there-is-none")) is None


def test_a_game_that_a_pack_changes_does_not_wait() -> None:
    patch = "patch:\n  frontiers:weapon/peeler: {set: {range: 9}}\n"
    found = project("frontiers", patch)
    assert found.library.entries["frontiers", "weapon", "peeler"].data["range"] == 9
    assert waiting(found) == set()
    assert found.sheets == project("frontiers", patch, patient=False).sheets


def test_a_game_in_another_language_does_not_wait() -> None:
    german = "weapon:\n  peeler: {name: Schäler}\n"
    found = project("frontiers", also="language: de\n", **{"content/home/lang/de.yaml": german})
    assert waiting(found) == set()


def test_without_a_pack_of_ones_own_nothing_waits() -> None:
    found = read_sources(Sources(MemoryTree({}), DiskTree(shipped_root())), Path("/nowhere"), ("frontiers",), patient=True)
    assert waiting(found) == set()


def test_an_error_in_what_waits_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    found = project("frontiers")
    wrong = Made(None, None, (Diagnostic("E501", "this cannot be worked out"),), frozenset())
    monkeypatch.setattr(later.Bench, "made", lambda bench, entry: wrong)
    with pytest.raises(RuntimeError, match="E501 in what was taken for sound"):
        found.sheets.get(("frontiers", "weapon", "peeler"))

"""The one door to files: what is seen of a folder, what is not, and that a shut door is the author's news and no fault of ours."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from game import GAME, game_files
from small_project import make

from seasons_build.pipeline.read import read
from seasons_build.sources import CannotRead, DiskTree, MemoryTree, Sources, find_project, open_sources, shipped_root


def test_what_is_seen_of_a_folder(tmp_path: Path) -> None:
    seen = ("content/b/z.yaml", "content/a/deep/er/x.yaml", "schemas/a/k.json", "templates/a/t.css")
    for name in (*seen, "other/x.yaml", "content/.git/y.yaml", "content/a/.hidden.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    assert DiskTree(tmp_path).names() == tuple(sorted(seen))


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
def test_what_leads_out_or_is_no_file_is_not_seen(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "content/a").mkdir(parents=True)
    (tmp_path / "secret.yaml").write_text("coat: {}", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/more.yaml").write_text("", encoding="utf-8")
    (project / "content/a/link.yaml").symlink_to(tmp_path / "secret.yaml")
    (project / "content/a/folder").symlink_to(tmp_path / "elsewhere")
    (project / "content/a/gone.yaml").symlink_to(tmp_path / "nowhere")
    os.mkfifo(project / "content/a/pipe.yaml")
    (project / "content/a/real.yaml").write_text("", encoding="utf-8")
    (project / "content/a/inside.yaml").symlink_to(project / "content/a/real.yaml")
    assert DiskTree(project).names() == ("content/a/inside.yaml", "content/a/real.yaml")
    with pytest.raises(CannotRead, match="not a regular file"):
        DiskTree(project).read("content/a/pipe.yaml")


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
def test_a_link_in_a_circle_ends(tmp_path: Path) -> None:
    (tmp_path / "content/a").mkdir(parents=True)
    (tmp_path / "content/a/round").symlink_to(tmp_path / "content")
    (tmp_path / "content/a/x.yaml").write_text("", encoding="utf-8")
    assert DiskTree(tmp_path).names() == ("content/a/x.yaml",)


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(CannotRead) as gone:
        DiskTree(tmp_path).read("content/a/x.yaml")
    assert (gone.value.name, gone.value.why) == ("content/a/x.yaml", "it is no longer there")


def refusing(call: Callable[..., Any], part: str) -> Callable[..., Any]:
    """A call of the system that is refused for some paths."""

    def refused(path: Any, *words: Any, **named: Any) -> Any:
        if part in os.fspath(path):
            raise PermissionError(13, "Permission denied")
        return call(path, *words, **named)

    return refused


@pytest.mark.parametrize(("call", "place"), [("scandir", "content/charms/deep"), ("open", "content/charms/all.yaml")])
def test_a_shut_door_is_told_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, place: str) -> None:
    root = make(tmp_path / "p")
    (root / "content/charms/deep").mkdir()
    (root / "content/charms/deep/x.yaml").write_text("charm: {}\n", encoding="utf-8")
    (root / "content/charms/more.yaml").write_text("product:\n  all: {layout: pages, select: {kind: charm}}\n", encoding="utf-8")
    monkeypatch.setattr(os, call, refusing(getattr(os, call), place))
    project = read(root)
    (found,) = project.diagnostics
    assert (found.code, found.span and found.span.file) == ("E100", place)
    assert "permission denied" in found.message
    assert project.unread == {"charms"}


def test_the_project_is_the_nearest_folder_with_content(tmp_path: Path) -> None:
    root = make(tmp_path / "p")
    deep = root / "content" / "charms"
    assert find_project(deep) == root
    assert find_project(tmp_path) == tmp_path
    (root / "notes").mkdir()
    assert find_project(root / "notes") == root


def test_the_package_ships_games_beside_the_projects_own(tmp_path: Path) -> None:
    sources, root = open_sources(make(tmp_path / "p"))
    assert root == tmp_path / "p"
    assert sources.packs["charms"].own
    assert not sources.packs["frontiers"].own
    assert sources.packs["frontiers"].folder == "seasons:content/frontiers/"
    assert sources.read("seasons:content/frontiers/pack.yaml") == (shipped_root() / "content/frontiers/pack.yaml").read_bytes()


def test_the_clone_itself_is_a_project_whose_packs_are_its_own() -> None:
    sources, _ = open_sources(shipped_root())
    assert sources.packs["frontiers"].own
    assert sources.packs["frontiers"].folder == "content/frontiers/"


def test_a_projects_pack_hides_a_shipped_one_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "content/frontiers").mkdir(parents=True)
    (tmp_path / "content/frontiers/pack.yaml").write_text('id: frontiers\ntitle: Mine\nversion: "1"\n', encoding="utf-8")
    project = read(tmp_path)
    assert [found.code for found in project.diagnostics] == ["N271"], "there is nothing in it yet"
    assert project.library.packs["frontiers"].title == "Mine"


def test_folders_of_a_meaning_inside_a_pack() -> None:
    names = ("pack.yaml", "x.yaml", "schemas/k.json", "templates/t.css", "art/a.png", "lang/de.yaml", "rest/schemas/y.yaml")
    sources = Sources(MemoryTree({f"content/a/{name}": b"" for name in names}), MemoryTree({}))
    pack = sources.packs["a"]
    assert pack.content == ("content/a/rest/schemas/y.yaml", "content/a/x.yaml")
    assert pack.schemas == ("content/a/schemas/k.json",)
    assert pack.templates == ("content/a/templates/t.css",)
    assert pack.manifest == "content/a/pack.yaml"


def test_memory_and_disk_give_the_same() -> None:
    disk, memory = DiskTree(GAME), MemoryTree(game_files())
    assert disk.names() == memory.names()
    assert all(disk.read(name) == memory.read(name) for name in disk.names())

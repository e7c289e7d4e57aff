"""Builds with a cache: the same bytes, nothing made twice, and no answer that is out of date."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from small_project import content, files, make, seasons

from seasons_build.core.tools import Tools
from seasons_build.pipeline.start import keep_tools, known_tools
from seasons_build.store import FOLDER, Store

UNCHANGED = "nothing has changed"


def build(root: Path, *words: str, straw: bool = True) -> tuple[int, str, str]:
    return seasons(root, root.parent / "s", "build", *words, straw=straw)


def printed(root: Path) -> dict[str, bytes]:
    return files(root / "dist")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "p", products=True)


def test_nothing_changed_is_told_as_the_build_was(root: Path) -> None:
    first = build(root)
    before = printed(root)
    again = build(root)
    assert first[:2] == again[:2]
    assert UNCHANGED not in first[2]
    assert UNCHANGED in again[2]
    assert first[2].splitlines()[-1] == again[2].splitlines()[-1]
    assert printed(root) == before


@pytest.mark.slow
def test_every_change_is_seen(root: Path) -> None:
    charms = root / "content/charms/all.yaml"
    assert build(root)[0] == 0

    def other_words() -> None:
        stat = charms.stat()
        charms.write_text(content("two"), encoding="utf-8")
        os.utime(charms, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        assert charms.stat().st_size == stat.st_size

    changes = {
        "same size, same time": other_words,
        "a new file": lambda: (root / "content/charms/more.yaml").write_text("charm:\n  cat: {name: Cat, luck: 9}\n"),
        "a file renamed": lambda: (root / "content/charms/more.yaml").rename(root / "content/charms/other.yaml"),
        "a file gone": lambda: (root / "content/charms/other.yaml").unlink(),
        "a schema": lambda: (root / "schemas/charms/charm.json").write_text((root / "schemas/charms/charm.json").read_text() + " "),
        "a product removed": lambda: next((root / "dist/charms").glob("*.pdf")).unlink(),
        "a product changed": lambda: next((root / "dist/charms").glob("*.pdf")).write_bytes(b"else"),
        "the manifest": lambda: (root / "dist/manifest.json").unlink(),
        "no cache": lambda: shutil.rmtree(root / FOLDER),
    }
    for name, change in changes.items():
        assert UNCHANGED in build(root)[2], name
        change()
        code, _, err = build(root)
        assert code == 0, err
        assert UNCHANGED not in err, name
    clean = root.parent / "clean"
    shutil.copytree(root, clean, ignore=shutil.ignore_patterns("dist", FOLDER))
    build(clean)
    assert printed(root) == printed(clean)


@pytest.mark.slow
def test_what_is_asked_for_is_part_of_it(root: Path) -> None:
    build(root)
    assert UNCHANGED not in build(root, "charms:list-1")[2]
    assert UNCHANGED in build(root, "charms:list-1")[2]
    assert UNCHANGED not in build(root, "--paper", "letter")[2]
    build(root)
    assert UNCHANGED in build(root, "--jobs", "1", "--timings")[2]


def test_faults_are_told_again(root: Path) -> None:
    build(root)
    (root / "content/charms/all.yaml").write_text(content("one") + "  bad: {name: Bad, luck: many}\n", encoding="utf-8")
    first, again = build(root), build(root)
    assert first[0] == again[0] == 1
    assert "E203" in first[2] or "error[" in first[2]
    assert UNCHANGED in again[2]
    assert first[2].split("files")[0].rsplit("\n", 1)[0] == again[2].split("files")[0].rsplit("\n", 1)[0]


def test_clean_takes_the_cache_along(root: Path) -> None:
    build(root)
    assert (root / FOLDER).is_dir()
    code, out, _ = seasons(root, root.parent / "s", "clean")
    assert code == 0
    assert FOLDER in out
    assert not (root / FOLDER).exists()


def test_a_real_build_with_a_cache(tmp_path: Path) -> None:
    root = make(tmp_path / "p")
    code, _, err = build(root, "--timings", straw=False)
    assert code == 0, err
    assert "of 4 faces and documents 4 typeset" in err or " typeset" in err
    first = printed(root)
    (root / "dist/charms/cards.pdf").unlink()
    code, _, err = build(root, "--timings", straw=False)
    assert (code, printed(root)) == (0, first), err
    assert " 0 typeset" in err
    damaged = sorted((root / FOLDER / "faces").rglob("*"))
    for path in damaged:
        if path.is_file():
            path.write_bytes(path.read_bytes()[::-1])
    (root / "content/charms/all.yaml").write_text(content("two"), encoding="utf-8")
    build(root, straw=False)
    (root / "content/charms/all.yaml").write_text(content("one"), encoding="utf-8")
    code, _, err = build(root, straw=False)
    assert (code, printed(root)) == (0, first), err


def test_the_tools_of_another_program_are_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "library").write_text("as it was", encoding="utf-8")
    with Store(tmp_path) as store:
        keep_tools(store, Tools("ours", (str(tmp_path / "library"),)))
        assert known_tools(store).digest == "ours"
        monkeypatch.setattr(sys, "prefix", str(tmp_path / "another"))
        assert known_tools(store) == Tools()
        keep_tools(store, Tools("theirs", (str(tmp_path / "library"),)))
        monkeypatch.undo()
        assert known_tools(store).digest == "ours"

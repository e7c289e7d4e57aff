"""Builds with a cache: the same bytes, nothing made twice, and no answer that is out of date."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_project import content, files, make, seasons
from straw import set_with
from test_sequences import Paper

from seasons_build.cli.main import seasons as seasons_itself
from seasons_build.core.expected import Expected
from seasons_build.core.job import Theme
from seasons_build.core.tools import Tools
from seasons_build.pipeline import start as beginning
from seasons_build.pipeline.ahead import keep_tools, known_tools
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


def test_what_was_set_last_is_sent_before_anything_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make(tmp_path / "p")
    sent: list[tuple[Theme, Expected | None]] = []

    class Noted(Paper):
        def open(self, theme: Theme, expected: Expected | None = None) -> None:
            sent.append((theme, expected))

    set_with(lambda **_: Noted(), monkeypatch)

    def again(text: str) -> list[tuple[Theme, Expected | None]]:
        sent.clear()
        (root / "content/charms/all.yaml").write_text(content(text), encoding="utf-8")
        assert seasons_itself.main(["--project", str(root), "build"], standalone_mode=False) == 0
        return list(sent)

    ((theme, expected),) = again("two")
    assert expected is None
    with Store(root) as store:
        last = beginning.set_last(store)
    assert last is not None
    assert last[0] == theme and last[1].template in theme.templates and set(last[1].stylesheets) <= theme.stylesheets.keys()
    assert again("three") == [last, (theme, None)]
    with Store(root) as store:
        beginning.keep_set_last(store, replace(theme, templates={"cards/charm.html.j2": "forged"}), last[1])
    assert again("four")[1:] == [(theme, None)], "a typesetter takes the real one in place of any other"


def test_a_theme_of_large_pictures_is_not_kept(tmp_path: Path) -> None:
    small = Theme("t", {"a": "b"}, {"c": "d"}, {}, {"e": b"1"}, {})
    with Store(tmp_path) as store:
        beginning.keep_set_last(store, small, Expected("a", ("c",)))
        beginning.keep_set_last(store, replace(small, images={"e": bytes(beginning.MOST_BYTES + 1)}), Expected("a", ("c",)))
        assert beginning.set_last(store) is None


@pytest.mark.parametrize(
    "forged",
    [
        {"templates": 3},
        {"templates": {"a": 3}},
        {"fonts": [["a"]]},
        {"fonts": ["a", "b"]},
        {"id": []},
        {"floor_pt": "1e999999999"},
        {"floor_pt": "1/0"},
        {"expected": 3},
        {"expected": ["a"]},
        {"expected": {}},
    ],
)
def test_a_theme_of_another_form_is_none(tmp_path: Path, forged: dict[str, Any]) -> None:
    theme = Theme("t", {"a": "b"}, {"c": "d"}, {"f": b"1"}, {}, {"i": "j"})
    with Store(tmp_path) as store:
        beginning.keep_set_last(store, theme, Expected("a", ("c",)))
        assert beginning.set_last(store) == (theme, Expected("a", ("c",)))
        (room,) = (tmp_path / FOLDER / beginning.THEMES).glob("*/*")
        found = store.get(beginning.THEMES, room.name)
        assert found is not None
        store.put(beginning.THEMES, room.name, {**found.header, **forged}, found.blobs)
        assert beginning.set_last(store) is None

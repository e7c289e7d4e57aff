"""The same project gives the same files: PDF, PNG, the site and JSON, wherever and by whomever they are made."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from small_project import files, make, seasons

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes and locales of POSIX")


@dataclass(frozen=True)
class Place:
    """Where and how a project is built."""

    folder: str = "p"
    environment: dict[str, str] = field(default_factory=dict)
    mask: int = 0o022
    jobs: str = "1"
    born: int = 10**9
    backwards: bool = False
    again: bool = False
    """Whether it is built twice, the second time from what was kept."""


PLAIN = Place()
ABROAD = {"TZ": "Asia/Tokyo", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "777"}
FARAWAY = Place("a place, ünd far", ABROAD, 0o077, "3", 2 * 10**9, True, True)
OTHERS = {
    "zone": Place(environment={"TZ": "Pacific/Apia"}),
    "locale": Place(environment={"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"}),
    "no locale": Place(environment={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "seed": Place(environment={"PYTHONHASHSEED": "4242"}),
    "user": Place(environment={"USER": "somebody", "LOGNAME": "somebody", "HOME": "/nonexistent", "HOSTNAME": "elsewhere"}),
    "clock": Place(environment={"SOURCE_DATE_EPOCH": "86400"}, born=86_400),
    "mask": Place(mask=0o077),
    "order": Place(backwards=True),
    "path": Place("another/place, deep"),
    "workers": Place(jobs="3"),
    "kept": Place(again=True),
}


def everything(home: Path, place: Place) -> dict[str, bytes]:
    """All files that a project gives at a place, by name."""
    root = home / place.folder
    seed = make(home / "seed")
    (seed / "content/charms/more.yaml").write_text("charm:\n  yak: {name: Yäk ßÉ – “i”, luck: 3, rules: Deal 2d6.}\n", encoding="utf-8")
    for path in sorted((p for p in seed.rglob("*") if p.is_file()), reverse=place.backwards):
        target = root / path.relative_to(seed)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        os.utime(target, (place.born, place.born))
    before = os.umask(place.mask)
    try:
        commands = [("build", "--format", "pdf,png", "--jobs", place.jobs)] * (1 + place.again)
        commands += [("export", "html", "--out", "dist-site"), ("export", "json", "--out", "all.json")]
        for number, words in enumerate(commands):
            if number == 1 and place.again:
                shutil.rmtree(root / "dist")
            code, _, err = seasons(root, home / "s", *words, **place.environment)
            assert code == 0, err
    finally:
        os.umask(before)
    made = {name: data for name, data in files(root).items() if not name.startswith(("content/", "schemas/", ".seasons-cache/"))}
    return {name: data for name, data in made.items() if not name.rpartition("/")[2].startswith(".")}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    found = everything(tmp_path_factory.mktemp("plain"), PLAIN)
    assert {name.rpartition(".")[2] for name in found} >= {"pdf", "png", "html", "json"}
    return found


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """The names of files that are not the same."""
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def test_all_is_different_at_once(plain: dict[str, bytes], tmp_path: Path) -> None:
    assert differing(plain, everything(tmp_path, FARAWAY)) == []


@pytest.mark.slow
@pytest.mark.parametrize("what", OTHERS)
def test_one_thing_is_different(plain: dict[str, bytes], tmp_path: Path, what: str) -> None:
    assert differing(plain, everything(tmp_path, OTHERS[what])) == []


def test_no_file_tells_of_who_made_it(plain: dict[str, bytes]) -> None:
    words = (os.uname().nodename.encode(), b"/tmp/", b"pytest-of")
    assert [name for name, data in plain.items() if any(word in data for word in words if len(word) > 3)] == []

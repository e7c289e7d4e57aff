"""A cache that somebody forged: whole files with good seals that hold what no build has ever put there. A build of them ends as one does
that has no cache, and leaves a cache that is good again."""

from __future__ import annotations

import copy
import random
import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from small_project import files
from straw import set_with
from test_sequences import MARKS, Life, Paper, once, opened

from seasons_build.cli.main import seasons
from seasons_build.core.wire import read_message, write_message
from seasons_build.store import _MAGIC, FOLDER, _seal

JUNK = (None, 3, -1, 1.5, 10**30, True, "x", "\0", "../../x", "\x1b[2J", [], [[]], ["a", "b"], [None], {}, {"a": None})
BLOBS = (b"", b"\0" * 9, b"{}", b"[1]")
Way = tuple[str | int, ...]


def ways(value: Any, way: Way = ()) -> Iterator[Way]:
    """The path of everything in plain data."""
    yield way
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, one in inner:
        yield from ways(one, (*way, step))


def forge(path: Path, name: str, chance: random.Random) -> None:
    """Puts something else in the place of one part of a kept file, and seals it again."""
    data = path.read_bytes()
    message = read_message(BytesIO(data[len(_MAGIC) + 32 :]), len(data))
    assert message is not None
    header, blobs = copy.deepcopy(dict(message.header)), list(message.blobs)
    depth = chance.choice((1, 1, 2, 3, 9))
    *above, last = chance.choice([way for way in ways(header) if 0 < len(way) <= depth] or [("x",)])
    holder: Any = header
    for step in above:
        holder = holder[step]
    holder[last] = chance.choice(JUNK)
    if blobs and chance.random() < 0.3:
        blobs[chance.randrange(len(blobs))] = chance.choice(BLOBS)
    body = BytesIO()
    write_message(body, header, blobs)
    path.write_bytes(_MAGIC + _seal(name, body.getvalue()) + body.getvalue())


def built(root: Path) -> None:
    assert seasons.main(["--project", str(root), "build"], standalone_mode=False) in (0, 1)


def forgeries(root: Path, seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    set_with(lambda **_: Paper(), monkeypatch)
    life = Life(root, random.Random(seeds.start))
    cache = root / FOLDER
    for seed in seeds:
        chance = random.Random(seed)
        shutil.rmtree(cache, ignore_errors=True)
        built(root)
        room = chance.choice(sorted(path for path in cache.iterdir() if path.is_dir() and any(file.is_file() for file in path.rglob("*"))))
        for path in sorted(path for path in room.rglob("*") if path.is_file()):
            forge(path, path.relative_to(cache).as_posix(), chance)
        if chance.random() < 0.5:
            life.edit()
        built(root)
        life.reword()
        life.damage()
        built(root)
        assert {name: data for name, data in files(root / "dist").items() if name not in MARKS}


@pytest.mark.parametrize("start", range(0, 20, 10))
def test_a_forged_cache_brings_no_build_down(tmp_path: Path, start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    forgeries(tmp_path / "p", range(start, start + 10), monkeypatch)


@pytest.mark.slow
def test_many_forged_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forgeries(tmp_path / "p", range(1000, 1400), monkeypatch)


def test_what_makes_a_build_fall_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next build after one that fell for a forgery finds what it would have made itself."""
    root = tmp_path / "p"
    life = Life(root, random.Random(1))
    set_with(lambda **_: Paper(), monkeypatch)
    built(root)
    cache = root / FOLDER
    for path in sorted((cache / "parsed").rglob("*")):
        if path.is_file():
            body = BytesIO()
            write_message(body, {"data": 3, "exact": [], "places": []}, ())
            seal = _seal(path.relative_to(cache).as_posix(), body.getvalue())
            path.write_bytes(_MAGIC + seal + body.getvalue())
    shutil.rmtree(cache / "builds")
    life.reword()
    built(root)
    clean = life.copied()
    once(opened(clean), clean)
    good = {name: data for name, data in files(clean / "dist").items() if name not in MARKS}
    assert life.printed() == good
    life.reword()
    built(root)
    assert life.printed()

"""Faces that are kept together: the same as one by one, whatever becomes of the file."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from seasons_build.pipeline import shelf
from seasons_build.pipeline.shelf import FACES, GATHERED, Shelf
from seasons_build.store import FOLDER, Store

AROUND = sha256(b"around").hexdigest()
KEYS = [sha256(bytes([number])).hexdigest() for number in range(120)]


def face(number: int) -> tuple[dict[str, Any], list[bytes]]:
    form = sha256(b"form %d" % number).hexdigest()
    return {"is": "face", "form": form, "objects": [form], "large": []}, [b"alike %d" % (number % 3), b"drawn %d" % number]


def fill(root: Path, numbers: range) -> None:
    with Store(root) as store:
        filled = Shelf(store)
        for number in numbers:
            filled.get(AROUND, KEYS[number])  # what is put was asked for in vain
            filled.put(AROUND, KEYS[number], *face(number))
        filled.gather()


def lone(root: Path) -> list[Path]:
    """The files of single faces."""
    return [path for path in (root / FOLDER / FACES).rglob("*") if path.is_file()]


def gathered(root: Path) -> Path:
    return root / FOLDER / GATHERED / AROUND[:2] / AROUND


def given(root: Path, numbers: range, *, gather: bool = True) -> int:
    """How many of these faces are given back, all of them as they were put."""
    with Store(root) as store:
        read = Shelf(store)
        found = {number: read.get(AROUND, KEYS[number]) for number in numbers}
        if gather:
            read.gather()
    there = {number: (dict(message.header), list(message.blobs)) for number, message in found.items() if message is not None}
    assert there == {number: face(number) for number in there}
    return len(there)


def test_what_was_used_together_is_read_from_one_file(tmp_path: Path) -> None:
    fill(tmp_path, range(60))
    for path in lone(tmp_path):
        path.unlink()
    assert given(tmp_path, range(60)) == 60
    with Store(tmp_path) as store:
        assert Shelf(store).get(sha256(b"else").hexdigest(), KEYS[0]) is None, "of another theme"


def test_few_are_kept_one_by_one(tmp_path: Path) -> None:
    fill(tmp_path, range(shelf.FEW - 1))
    assert not gathered(tmp_path).exists()
    assert given(tmp_path, range(60)) == shelf.FEW - 1


def test_it_is_written_anew_when_much_is_missing(tmp_path: Path) -> None:
    fill(tmp_path, range(60))
    before = gathered(tmp_path).read_bytes()
    fill(tmp_path, range(60, 70))
    assert given(tmp_path, range(70)) == 70
    assert gathered(tmp_path).read_bytes() == before, "ten are read one by one"
    fill(tmp_path, range(70, 119))
    assert given(tmp_path, range(60, 119)) == 59
    for path in lone(tmp_path):
        path.unlink()
    assert given(tmp_path, range(119), gather=False) == 59, "it has what was used together the last time"


def test_what_is_no_face_of_one_object_stays_alone(tmp_path: Path) -> None:
    pictured = ({"is": "face", "form": "a", "objects": ["a", "b"], "large": ["b"]}, [b"alike", b"drawn"])
    with Store(tmp_path) as store:
        filled = Shelf(store)
        for key in KEYS:
            filled.get(AROUND, key)
            filled.put(AROUND, key, *pictured)
        filled.put(AROUND, KEYS[0], {"is": "pdf"}, [b"alike", b"%PDF"])
        filled.gather()
        assert not gathered(tmp_path).exists()
        found = Shelf(store).get(AROUND, KEYS[1])
    assert found is not None
    assert (dict(found.header), list(found.blobs)) == pictured


def test_no_more_is_gathered_than_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "_MOST", 100)
    fill(tmp_path, range(60))
    assert not gathered(tmp_path).exists()
    assert given(tmp_path, range(60)) == 60


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(path.read_bytes()[:-1]), lambda path: path.unlink()])
def test_where_it_is_damaged_they_are_read_one_by_one(tmp_path: Path, damage: Any) -> None:
    fill(tmp_path, range(60))
    whole = gathered(tmp_path).read_bytes()
    damage(gathered(tmp_path))
    assert given(tmp_path, range(60)) == 60
    assert gathered(tmp_path).read_bytes() == whole, "and it is there again"


FORGED: tuple[Mapping[str, Any], ...] = (
    {},
    {"keys": 3, "forms": [], "alike": [], "sizes": []},
    {"keys": KEYS[:1], "forms": [], "alike": [], "sizes": []},
    {"keys": [[]], "forms": ["a"], "alike": [0], "sizes": [1]},
    {"keys": KEYS[:1], "forms": ["a"], "alike": [9], "sizes": [1]},
    {"keys": KEYS[:1], "forms": ["a"], "alike": ["0"], "sizes": [1]},
    {"keys": KEYS[:1], "forms": ["a"], "alike": [0], "sizes": ["1"]},
)


@pytest.mark.parametrize("header", FORGED)
def test_one_that_is_not_of_the_form_is_none(tmp_path: Path, header: Mapping[str, Any]) -> None:
    fill(tmp_path, range(60))
    with Store(tmp_path) as store:
        store.put(GATHERED, AROUND, header, [b"alike", b"x"])
    assert given(tmp_path, range(60)) == 60
    with Store(tmp_path) as store:
        store.put(GATHERED, AROUND, {"keys": [], "forms": [], "alike": [], "sizes": []}, [])
    assert given(tmp_path, range(60)) == 60


def test_one_that_was_not_believed_is_written_anew(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.put(GATHERED, AROUND, {"keys": KEYS[:1], "forms": [3], "alike": [0], "sizes": [1]}, [b"alike", b"x"])
    with Store(tmp_path) as store:
        doubted = Shelf(store)
        assert doubted.get(AROUND, KEYS[0]) is not None
        assert store.disbelieve()
        doubted.forget()
        assert doubted.get(AROUND, KEYS[0]) is None
        doubted.put(AROUND, KEYS[0], *face(0))
        doubted.gather()
    assert given(tmp_path, range(1)) == 1


def test_few_are_read_without_those_that_they_were_used_with(tmp_path: Path) -> None:
    fill(tmp_path, range(60))
    gathered(tmp_path).write_bytes(b"not to be read")
    with Store(tmp_path) as store:
        read = Shelf(store)
        found = read.get(AROUND, KEYS[3], alone=True)
        assert found is not None and (dict(found.header), list(found.blobs)) == face(3)
        assert read.get(AROUND, KEYS[70], alone=True) is None
        read.gather()
    assert gathered(tmp_path).read_bytes() == b"not to be read"

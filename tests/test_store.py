"""The cache of a project: what it gives back, what it refuses, what it lets go."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from seasons_build.load import kept, load
from seasons_build.pipeline.kept import KeptReader
from seasons_build.store import FOLDER, TAG, Store, remove

KEYS = [sha256(bytes([number])).hexdigest() for number in range(20)]


def stored(root: Path) -> list[Path]:
    """The files that hold something."""
    return sorted(p for p in (root / FOLDER / "faces").rglob("*") if p.is_file())


def test_it_gives_back_what_it_was_given(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.get("faces", KEYS[0]) is None
        store.put("faces", KEYS[0], {"a": ["é", 1, None]}, [b"raw", b""])
        found = store.get("faces", KEYS[0])
    assert found is not None
    assert (found.header, found.blobs) == ({"a": ["é", 1, None]}, (b"raw", b""))
    assert (tmp_path / FOLDER / TAG).read_text("ascii").startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert (tmp_path / FOLDER / ".gitignore").read_text("ascii") == "*\n"


def test_a_build_that_keeps_nothing_leaves_nothing(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.get("faces", KEYS[0]) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(path.read_bytes()[:-1] + b"?"),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"seasons-kept 1\n" + bytes(32) + b"\x00\x00\x00\x02{}"),
        lambda path: path.unlink(),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), path.symlink_to("/etc/passwd")),
        lambda path: path.write_bytes(next(p for p in path.parents[1].rglob("*") if p.is_file() and p != path).read_bytes()),
    ],
)
def test_what_is_damaged_is_not_there(tmp_path: Path, damage: object) -> None:
    with Store(tmp_path) as store:
        for number in (0, 1):
            store.put("faces", KEYS[number], {"number": number}, [b"raw"])
    assert callable(damage)
    damage(tmp_path / FOLDER / "faces" / KEYS[0][:2] / KEYS[0])
    with Store(tmp_path) as store:
        assert store.get("faces", KEYS[0]) is None
        store.put("faces", KEYS[0], {"number": 2}, [b"new"])
        found, other = store.get("faces", KEYS[0]), store.get("faces", KEYS[1])
    assert other is not None
    assert other.header == {"number": 1}
    assert found is None or found.header == {"number": 2}


def test_what_was_asked_for_in_vain_is_not_taken_to_be_there(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.put("faces", KEYS[0], {}, [b"raw"])
    path = tmp_path / FOLDER / "faces" / KEYS[0][:2] / KEYS[0]
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with Store(tmp_path) as store:
        assert store.has("faces", KEYS[0]), "nobody has looked"
        assert store.get("faces", KEYS[0]) is None
        assert not store.has("faces", KEYS[0])
        store.put("faces", KEYS[0], {}, [b"raw"])
        assert store.has("faces", KEYS[0])
    with Store(tmp_path) as store:
        assert store.get("faces", KEYS[0]) is not None


@pytest.mark.parametrize("moment", range(4))
def test_a_build_that_ends_while_the_folder_is_made_leaves_one_that_the_next_may_use(
    tmp_path: Path, moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def until(real: Callable[..., object]) -> Callable[..., object]:
        def call(path: Path, *given: object, **more: object) -> object:
            made.append(path)
            if len(made) > moment:
                raise KeyboardInterrupt
            return real(path, *given, **more)

        return call

    with monkeypatch.context() as patched:
        patched.setattr(Path, "mkdir", until(Path.mkdir))
        patched.setattr(Path, "write_text", until(Path.write_text))
        with pytest.raises(KeyboardInterrupt):
            Store(tmp_path).put("faces", KEYS[0], {})
    with Store(tmp_path) as store:
        store.put("faces", KEYS[0], {})
        assert store.get("faces", KEYS[0]) is not None


def test_a_folder_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "mine").write_text("words")
    with Store(tmp_path) as store:
        store.put("faces", KEYS[0], {})
        assert store.get("faces", KEYS[0]) is None
    assert remove(tmp_path) is None
    assert [p.name for p in (tmp_path / FOLDER).iterdir()] == ["mine"]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / FOLDER).symlink_to(tmp_path / "else")
    with Store(tmp_path / "p") as store:
        store.put("faces", KEYS[0], {})
    assert remove(tmp_path / "p") is None
    assert list((tmp_path / "else").iterdir()) == []


def test_it_may_be_removed_while_it_is_in_use(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.put("faces", KEYS[0], {})
        shutil.rmtree(tmp_path / FOLDER)
        assert store.get("faces", KEYS[0]) is None
        store.put("faces", KEYS[1], {})
        store.put("faces", KEYS[2], {})
        assert store.get("faces", KEYS[2]) is not None
    assert remove(tmp_path) == tmp_path / FOLDER
    assert list(tmp_path.iterdir()) == []


def test_what_the_system_does_not_let_go_is_not_said_to_be_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path) as store:
        store.put("faces", KEYS[0], {})
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", lambda path, ignore_errors: None)
        assert remove(tmp_path) is None
    assert remove(tmp_path) == tmp_path / FOLDER


def test_what_was_not_used_lately_goes_first(tmp_path: Path) -> None:
    blob = [b"x" * 1000]
    for number in range(4):
        with Store(tmp_path) as store:
            store.put("faces", KEYS[number], {}, blob)
            if number == 3:
                assert store.get("faces", KEYS[0]) is not None
    with Store(tmp_path, largest=3500) as store:
        store.put("faces", KEYS[4], {}, blob)
    assert {path.name for path in stored(tmp_path)} == {KEYS[4], KEYS[0], KEYS[3]}
    with Store(tmp_path, largest=100) as store:
        store.put("faces", KEYS[5], {}, blob)
        store.put("faces", KEYS[6], {}, blob)
    assert {path.name for path in stored(tmp_path)} == {KEYS[5], KEYS[6]}, "what this build has used stays, however much it is"


def test_drafts_of_the_dead_are_swept(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.put("faces", KEYS[0], {})
        (tmp_path / FOLDER / "drafts" / "9-9").write_bytes(b"half")
    assert list((tmp_path / FOLDER / "drafts").iterdir()) == []


def test_a_parsed_file_comes_back_as_it_was(tmp_path: Path) -> None:
    raw = "\ufeffcharm:\r\n  fox: {luck: 1.50, list: [1, -2.5, {deep: [0.25]}], big: 10000000000, note: 'ä | b', no: null}\r\n".encode()
    result = load("content/a.yaml", raw)
    assert not result.diagnostics
    assert result.value is not None
    data, places = kept.to_data(result.value)
    with Store(tmp_path) as store:
        store.put("parsed", KEYS[0], data, places)
        found = store.get("parsed", KEYS[0])
    assert found is not None
    again = kept.from_data(*found, "content/a.yaml", raw)
    assert again is not None
    assert (again.data, again.source, again.file) == (result.value.data, result.value.source, result.value.file)
    apart = kept.with_places_apart(result.value, places)
    for path in ((), ("charm",), ("charm", "fox", "luck"), ("charm", "fox", "list", 2, "deep", 0), ("charm", "fox", "nowhere")):
        assert (again.span(path), again.key_span(path)) == (result.value.span(path), result.value.key_span(path))
        assert (apart.span(path), apart.key_span(path)) == (result.value.span(path), result.value.key_span(path))
    assert again.inside(("charm", "fox", "note"), 0, 1) == result.value.inside(("charm", "fox", "note"), 0, 1)


def test_a_file_that_is_written_at_is_kept_when_it_rests(tmp_path: Path) -> None:
    def parsed() -> int:
        return len([path for path in (tmp_path / FOLDER / "parsed").rglob("*") if path.is_file()])

    first, second, third = (f"charm:\n  fox: {{luck: {number}}}\n".encode() for number in range(3))
    with Store(tmp_path) as store:
        reader = KeptReader(store, hold=True)
        reader.load("a.yaml", first)
        assert parsed() == 1, "what is read for the first time is kept at once"
        reader.load("a.yaml", second)
        reader.load("a.yaml", third)
        assert parsed() == 1
        reader.load("a.yaml", third)
        assert parsed() == 2
        reader.load("a.yaml", second)
        reader.close()
        assert parsed() == 3
        again = KeptReader(store)
        for raw in (first, second, third):
            assert again.load("a.yaml", raw) == load("a.yaml", raw)
        assert (again.parsed, again.found) == (0, 3)

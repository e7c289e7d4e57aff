"""Files of a folder that somebody else made: nothing outside it is read, written or removed, nothing waits for ever, nothing in it runs."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from running import Run
from small_project import files, make

from seasons_build.core.face import decode, header
from seasons_build.core.files import is_inside, open_own, read_inside, read_regular
from seasons_build.pipeline.machine import clean
from seasons_build.pipeline.read import read
from seasons_build.publish import LOCK, MANIFEST, MARK, Output, OutputRefused, Product
from seasons_build.save import save
from seasons_build.sources import DiskTree
from seasons_build.sources.trees import CannotRead
from seasons_build.store import FOLDER, TAG, Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")

PRODUCTS = [Product("pack/a.pdf", b"new", {"product": "a"})]


def publish(folder: Path, project: Path) -> list[str]:
    """The messages of what could not be written."""
    try:
        with Output(folder, project) as output:
            return [d.message for d in output.publish(PRODUCTS, lambda *_: True).diagnostics]
    except OutputRefused as refused:
        return [refused.diagnostic.message]


# Any name and any link


LINKS = {"in": "a", "out": "../outside", "up": "..", "loop": "loop", "gone": "../nothing/more", "deep": "a/../../outside", "round": "in/.."}
STEPS = ("..", ".", "", "a", "a.yaml", "new", "ü", "x" * 300, *LINKS)
any_name = st.lists(st.sampled_from(STEPS), min_size=1, max_size=5).map("/".join)
often = settings(derandomize=True, max_examples=150, deadline=None)


@contextmanager
def a_tree() -> Iterator[Path]:
    """A folder `p` with files and links of every sort, beside one that nobody may touch."""
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        for name, data in (("p/a.yaml", b"in"), ("p/a/a.yaml", b"in"), ("outside/a.yaml", b"out"), ("outside/a/a.yaml", b"out")):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(data)
        for name, target in LINKS.items():
            (place / "p" / name).symlink_to(target)
        yield place / "p"


def beside(root: Path) -> set[tuple[str, bytes | str]]:
    """All that lies beside a folder, none of its links followed."""
    found = {root.parent: ""} | {path: "" for path in root.parent.rglob("*") if not path.is_relative_to(root)}
    return {(str(path), path.read_bytes() if path.is_file() else os.readlink(path) if path.is_symlink() else "") for path in found}


@often
@given(any_name)
@example("out/a.yaml")
@example("in/a.yaml")
def test_any_name_is_read_in_the_folder_or_not_at_all(name: str) -> None:
    with a_tree() as root:
        own = {(found.st_dev, found.st_ino) for found in (os.lstat(path) for path in (root, *root.rglob("*")) if not path.is_symlink())}
        with suppress(OSError):
            found = os.stat(root / name)
            assert is_inside(root / name, root) == ((found.st_dev, found.st_ino) in own)
        with suppress(OSError):
            assert read_inside(root, name, 10) == b"in"


@often
@given(any_name, st.sampled_from((save, publish)))
@example("out/new/a.yaml", publish)
@example("gone/a.yaml", publish)
@example("gone", save)
def test_any_name_is_written_in_the_folder_or_not_at_all(name: str, way: Callable[..., object]) -> None:
    with a_tree() as root:
        before = beside(root)
        with suppress(OSError, OutputRefused):
            if way is save:
                save(root, {name: b"x"}, new=False)
            else:
                with Output(root, root.parent) as output:
                    output.publish([Product(name, b"x", {})], lambda *_: True)
        assert beside(root) == before


@often
@given(st.lists(st.tuples(st.sampled_from(("b", "c", "a/b", "a/c.yaml")), any_name), max_size=4), st.booleans())
@example([("b", "out"), ("c", "b/a.yaml")], True)
def test_any_links_lead_to_no_file_outside(links: list[tuple[str, str]], followed: bool) -> None:
    with a_tree() as root:
        for name, target in links:
            with suppress(OSError):
                (root / name).symlink_to(target)
        tree = DiskTree(root, areas=("a", "in", "out", "up", "deep", "b"), links=followed)
        for name in tree.names():
            with suppress(CannotRead):
                assert tree.read(name) == b"in"
            assert followed or not (root / name).is_symlink()


# Reading


def test_an_area_that_is_a_link_out_is_told_and_not_read(tmp_path: Path) -> None:
    shutil.copytree(make(tmp_path / "elsewhere") / "content", tmp_path / "away")
    root = make(tmp_path / "p")
    shutil.rmtree(root / "content")
    (root / "content").symlink_to(tmp_path / "away")
    project = read(root)
    (found,) = (d for d in project.diagnostics if d.severity == "error")
    assert (found.code, found.span and found.span.file) == ("E100", "content")
    assert "leads out" in found.message
    assert "charms" not in project.library.packs


def test_a_link_out_is_told_where_it_lies(tmp_path: Path) -> None:
    root = make(tmp_path / "p")
    (tmp_path / "secret.yaml").write_text("charm:\n  x: {name: X, luck: 1}\n", encoding="utf-8")
    (root / "content/charms/more.yaml").symlink_to(tmp_path / "secret.yaml")
    (found,) = read(root).diagnostics
    assert (found.code, found.span and found.span.file) == ("E100", "content/charms/more.yaml")


def test_a_pack_from_elsewhere_holds_no_links_at_all(tmp_path: Path) -> None:
    pack = make(tmp_path / "p") / "content/charms"
    (pack / "schemas").mkdir()
    shutil.copy(tmp_path / "p/schemas/charms/charm.json", pack / "schemas")
    (pack / "again.yaml").symlink_to(pack / "all.yaml")
    (tmp_path / "home/content").mkdir(parents=True)
    project = read(tmp_path / "home", (pack,))
    assert [d.code for d in project.diagnostics] == ["E100"]
    assert "may hold none" in project.diagnostics[0].message


def test_a_pipe_or_a_device_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        with pytest.raises(OSError):
            read_regular(path, 10)
        with pytest.raises(OSError):
            open_own(path)


def test_inside_is_not_beside(tmp_path: Path) -> None:
    for name in ("dist", "dist-of-mine", "dist/pack"):
        (tmp_path / name).mkdir()
    assert is_inside(tmp_path / "dist/pack", tmp_path / "dist")
    assert is_inside(tmp_path / "dist", tmp_path / "dist")
    assert not is_inside(tmp_path / "dist-of-mine", tmp_path / "dist")
    assert is_inside("/etc", "/")


# Writing


@pytest.mark.parametrize("name", [LOCK, MARK])
def test_a_mark_that_is_a_link_writes_nothing_elsewhere(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "p/dist"
    folder.mkdir(parents=True)
    (folder / name).symlink_to(tmp_path / "made")
    assert publish(folder, tmp_path / "p")
    assert not (tmp_path / "made").exists()


def test_a_lock_that_is_a_pipe_stops_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "p/dist"
    folder.mkdir(parents=True)
    os.mkfifo(folder / LOCK)
    assert publish(folder, tmp_path / "p")


def test_a_folder_beside_the_output_is_not_in_it(tmp_path: Path) -> None:
    for name in ("p/dist", "p/dist-of-mine"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "p/dist/pack").symlink_to(tmp_path / "p/dist-of-mine")
    assert publish(tmp_path / "p/dist", tmp_path / "p")
    assert list((tmp_path / "p/dist-of-mine").iterdir()) == []


def test_no_folder_is_made_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "p/dist").mkdir(parents=True)
    (tmp_path / "else").mkdir()
    (tmp_path / "p/dist/pack").symlink_to(tmp_path / "else")
    with Output(tmp_path / "p/dist", tmp_path / "p") as output:
        told = output.publish([Product("pack/deck/a.png", b"new", {})], lambda *_: True).diagnostics
    assert ["leads out" in found.message for found in told] == [True]
    assert list((tmp_path / "else").iterdir()) == []


@pytest.mark.parametrize("room", ["drafts", "builds-before", "faces", "faces/ab", ".gitignore", TAG])
def test_nothing_is_swept_or_kept_through_a_link_in_the_cache(tmp_path: Path, room: str) -> None:
    """A cache that came with a project says that it is ours, and has somebody's folder in the place of one of its own."""
    cache, away = tmp_path / "p" / FOLDER, tmp_path / "away"
    (cache / room).parent.mkdir(parents=True, exist_ok=True)
    away.mkdir()
    for name in ("letter", "00000001", "00000002"):
        (away / name).write_bytes(b"mine")
    (cache / room).symlink_to(away / "new" if "." in room or room == TAG else away)
    if room != TAG:
        (cache / TAG).touch()
    before = files(away)
    for number in range(9):
        with Store(tmp_path / "p", largest=10) as store:
            store.put("faces", f"ab{number}" * 8, {"a": 1}, [b"x" * 100])
            store.moment()
    assert files(away) == before


@pytest.mark.parametrize(
    "link, words",
    [
        ("seasons.lock", ("pack", "lock")),
        (".vscode", ("schema",)),
        (".vscode/settings.json", ("schema",)),
        ("all.json", ("export", "json", "--out", "all.json")),
        ("content/charms/charms", ("new", "charm", "yak")),
        ("charms-1.zip", ("pack", "bundle")),
    ],
)
def test_no_command_writes_through_a_link_out_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, link: str, words: tuple[str, ...]
) -> None:
    root, away = make(tmp_path / "p"), tmp_path / "away"
    away.mkdir()
    (away / "mine").write_text("{}", encoding="utf-8")
    (root / link).parent.mkdir(exist_ok=True)
    (root / link).symlink_to(away if "." not in Path(link).name.lstrip(".") else away / "mine")
    monkeypatch.chdir(root)
    assert run(*words).code in (0, 1)
    assert files(away) == {"mine": b"{}"}


def test_a_lock_that_is_a_link_out_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    root = make(tmp_path / "p")
    (tmp_path / "secret").write_text("packs: s3cret\n", encoding="utf-8")
    (root / "seasons.lock").symlink_to(tmp_path / "secret")
    monkeypatch.chdir(root)
    checked = run("pack", "check")
    assert checked.code == 1
    assert "s3cret" not in checked.out + checked.err


NONSENSE = (
    *("[" * 100_000, '{"files": 3}', "[]", "\0", '{"files": {"../../x": {}}}', '{"files": {"a": 1}}'),
    '{"files": {"a\\u0000b": {"sha256": ""}, "\\ud800": {}}}',
)


@pytest.mark.parametrize("text", NONSENSE)
def test_a_manifest_of_nonsense_is_no_manifest(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "p/dist"
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    assert publish(folder, tmp_path / "p") == []
    assert list(json.loads((folder / MANIFEST).read_bytes())["files"]) == ["pack/a.pdf"]


# Removing


def test_clean_removes_only_what_a_build_wrote_and_nobody_changed(tmp_path: Path) -> None:
    project, folder = tmp_path / "p", tmp_path / "p/dist"
    project.mkdir()
    assert publish(folder, project) == []
    with Output(folder, project) as output:
        output.publish([*PRODUCTS, Product("pack/b.pdf", b"b", {})], lambda *_: False)
    (folder / "pack/b.pdf").write_bytes(b"filled in by hand")
    (folder / "pack/mine.pdf").write_bytes(b"mine")
    gone = clean(project, (), folder)
    assert {path.name for path in gone} == {"a.pdf", MANIFEST}
    assert files(folder) == {"pack/b.pdf": b"filled in by hand", "pack/mine.pdf": b"mine"}


def test_clean_touches_no_folder_without_our_mark(tmp_path: Path) -> None:
    folder = tmp_path / "p/site"
    folder.mkdir(parents=True)
    (folder / "page.html").write_bytes(b"x")
    sha = hashlib.sha256(b"x").hexdigest()
    (folder / MANIFEST).write_text(json.dumps({"format": 1, "files": {"page.html": {"sha256": sha}}}), encoding="utf-8")
    (folder / ".tmp-mine").write_bytes(b"x")
    assert clean(tmp_path / "p", (), folder) == ()
    assert publish(folder, tmp_path / "p") == []
    assert {"page.html", ".tmp-mine"} <= set(files(folder))


# Nothing in a folder runs


def test_no_module_of_the_folder_is_imported(tmp_path: Path) -> None:
    root = make(tmp_path / "p")
    for name in ("yaml", "click", "jinja2", "weasyprint", "pikepdf", "sitecustomize", "usercustomize", "seasons_plugin"):
        (root / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r})\n", encoding="utf-8")
    (root / "evil.pth").write_text(f"import os; os.mkdir({str(tmp_path / 'ran')!r})\n", encoding="utf-8")
    script = str(Path(sys.executable).with_name("seasons"))
    for command in ([script, "build", "--jobs", "1"], [sys.executable, "-m", "seasons_build", "check"]):
        asked = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        assert asked.returncode == 0, asked.stderr
    assert not (tmp_path / "ran").exists()


# What a worker says is not believed


@pytest.mark.parametrize("length", ["1e999999999", "1/0", "9" * 30, "nan", "0x1", 1, None, ["1"]])
def test_a_box_out_of_form(length: object) -> None:
    head = {"face": 1, "box": [length, "0", "1", "1"], "trim": ["0", "0", "1", "1"], "whole": ["construct", "", 0]}
    with pytest.raises(ValueError, match="box"):
        decode(json.dumps(head).encode() + b"\n")


def test_a_face_is_read_as_it_was_written() -> None:
    head = {"face": 1, "box": ["-1/3", "0", "178582677165354/1000000000000", "1"], "trim": ["0", "0", "1", "1"], "form": "f"}
    face = decode(json.dumps({**head, "fonts": {}, "objects": []}).encode() + b"\n")
    assert header(face)["box"] == ["-1/3", "0", "89291338582677/500000000000", "1"]

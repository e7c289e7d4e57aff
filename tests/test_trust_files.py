"""Files of a folder that somebody else made: nothing outside it is read, written or removed, nothing waits for ever, nothing in it runs."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from small_project import files, make

from seasons_build.core.face import decode, header
from seasons_build.core.files import is_inside, open_own, read_regular
from seasons_build.pipeline import read
from seasons_build.pipeline.machine import clean
from seasons_build.publish import LOCK, MANIFEST, MARK, Output, OutputRefused, Product

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")

PRODUCTS = [Product("pack/a.pdf", b"new", {"product": "a"})]


def publish(folder: Path, project: Path) -> list[str]:
    """The messages of what could not be written."""
    try:
        with Output(folder, project) as output:
            return [d.message for d in output.publish(PRODUCTS, lambda *_: True).diagnostics]
    except OutputRefused as refused:
        return [refused.diagnostic.message]


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


@pytest.mark.parametrize("text", ["[" * 100_000, '{"files": 3}', "[]", "\0", '{"files": {"../../x": {}}}', '{"files": {"a": 1}}'])
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

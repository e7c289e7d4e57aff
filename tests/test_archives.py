"""Packs as zip archives and as Python packages: read like folders, refused as a whole where they hold what no pack may, never unpacked and
never imported."""

from __future__ import annotations

import json
import stat
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_project import MANIFEST, SCHEMA, content, make

from seasons_build.cli.main import seasons
from seasons_build.core.limits import DEFAULT
from seasons_build.pipeline.read import Project, read
from seasons_build.sources import CannotRead, DiskTree, MemoryTree, Sources, shipped_root
from seasons_build.sources.archive import ArchiveTree

PACK = 'id: moons\ntitle: Moons\nversion: "2.0"\nrequires: {charms: ">=1"}\n'
FILES = {"pack.yaml": PACK, "deep/all.yaml": content("two").replace("fox", "wolf"), "schemas/tide.json": "{}", "art/a.png": "x"}
Spoil = Callable[[zipfile.ZipFile], None]


def archive(path: Path, files: dict[str, str] = FILES, top: str = "", spoil: Spoil | None = None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in files.items():
            made.writestr(zipfile.ZipInfo(top + name), text)
        if spoil:
            spoil(made)
    return path


def told(project: Project) -> list[str]:
    return [d.code for d in project.diagnostics]


@pytest.mark.parametrize("top", ["", "moons-main/"])
def test_an_archive_is_read_like_a_folder(tmp_path: Path, top: str) -> None:
    root = make(tmp_path / "p")
    found = read(root, (archive(tmp_path / "Moons (1).zip", {**FILES, "schemas/tide.json": '{"title": "T", "description": "T."}'}, top),))
    assert told(found) == []
    assert found.library.packs["moons"].version == "2.0"
    entry = found.library.entries["moons", "charm", "wolf"]
    assert str(entry.span()).startswith(f"{tmp_path}/Moons (1).zip/deep/all.yaml:2:")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["Moons (1).zip", "p"], "something was unpacked"


def link(made: zipfile.ZipFile) -> None:
    info = zipfile.ZipInfo("art/b.png")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    made.writestr(info, "/etc/hostname")


def named(*names: str) -> Spoil:
    def spoil(made: zipfile.ZipFile) -> None:
        for name in names:
            info = zipfile.ZipInfo("x")
            info.filename = name
            made.writestr(info, "x")

    return spoil


def packed_otherwise(made: zipfile.ZipFile) -> None:
    made.writestr("x.yaml", "x", zipfile.ZIP_BZIP2)


def bomb(made: zipfile.ZipFile) -> None:
    made.writestr("x.yaml", "x" * 3_000_000)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (link, "link"),
        (named("../up.yaml"), "leads out"),
        (named("/etc/up.yaml"), "leads out"),
        (named("a//b.yaml"), "leads out"),
        (named("a/./b.yaml"), "leads out"),
        (named("pack.yaml"), "twice"),
        (named("Deep/all.yaml"), "one name on some machines"),
        (named("deep/ALL.yaml"), "one name on some machines"),
        (named("caf\u00e9.yaml", "cafe\u0301.yaml"), "one name on some machines"),
        (named("deep"), "a file and a folder"),
        (named(".git/hooks/x"), "begins with a dot"),
        (named("a/.installed"), "begins with a dot"),
        (named("a\nerror: b.yaml"), "characters"),
        (named("a\x1b[2J.yaml"), "characters"),
        (named("a\u202eb.yaml"), "characters"),
        (named("C:\\x.yaml"), "characters"),
        (named("c:x.yaml"), "characters"),
        (named("aux.yaml"), "some machines cannot have"),
        (named("deep /x.yaml"), "some machines cannot have"),
        (named("x" * 201), "longer or deeper"),
        (named("/".join("abcdefghijk")), "longer or deeper"),
        (packed_otherwise, "packed in a way"),
        (bomb, "100 times its size"),
    ],
)
def test_what_no_pack_may_hold(tmp_path: Path, spoil: Spoil, why: str) -> None:
    path = archive(tmp_path / "moons.zip", spoil=spoil)
    project = read(make(tmp_path / "p"), (path,))
    (found,) = project.diagnostics
    assert (found.code, str(found.span)) == ("E270", f"{path}:1:1")
    assert why in found.message
    assert "moons" not in project.library.packs
    assert ("charms", "charm", "fox") in project.sheets, "the project beside it is read"


@pytest.mark.parametrize("raw", [b"", b"no archive", b"PK\x03\x04" + b"\0" * 30])
def test_what_is_no_archive(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "moons.zip").write_bytes(raw)
    assert ArchiveTree(tmp_path / "moons.zip").refusal() == "it is damaged, or no zip archive"


def test_an_archive_cut_at_any_byte_is_refused_or_read(tmp_path: Path) -> None:
    whole = archive(tmp_path / "moons.zip").read_bytes()
    for length in range(0, len(whole), 7):
        (tmp_path / "cut.zip").write_bytes(whole[:length])
        assert ArchiveTree(tmp_path / "cut.zip").refusal()


def test_an_archive_with_any_byte_changed_never_breaks_anything(tmp_path: Path) -> None:
    whole = archive(tmp_path / "moons.zip").read_bytes()
    for place in range(0, len(whole), 3):
        (tmp_path / "bad.zip").write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        tree = ArchiveTree(tmp_path / "bad.zip")
        for name in tree.names():
            try:
                tree.read(name)
            except CannotRead as error:
                assert error.why == "the archive is damaged"


def test_limits_of_an_archive(tmp_path: Path) -> None:
    path = archive(tmp_path / "moons.zip")
    for limits, why in (
        (DEFAULT._replace(pack_files=3), "it holds 4 files, more than 3"),
        (DEFAULT._replace(pack_bytes=50), "bytes together, more than 50"),
        (DEFAULT._replace(pack_file_bytes=50), "bytes, more than 50"),
    ):
        assert why in ArchiveTree(path, limits).refusal()


def test_an_archive_without_a_manifest(tmp_path: Path) -> None:
    path = archive(tmp_path / "moons.zip", {"all.yaml": "charm: {}\n"})
    assert ArchiveTree(path).refusal() == "there is no `pack.yaml` in it"


def test_a_pack_named_like_a_folder_of_the_language(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.zip", {"pack.yaml": 'id: core\ntitle: C\nversion: "1"\n'})
    (found,) = read(make(tmp_path / "p"), (path,)).diagnostics
    assert (found.code, str(found.span)) == ("E271", f"{path}/pack.yaml:1:1")


def test_a_pack_in_place_of_a_shipped_game_is_noted(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.zip", {"pack.yaml": 'id: frontiers\ntitle: F\nversion: "7"\n'})
    project = read(make(tmp_path / "p"), (path,))
    assert told(project) == ["N270"]
    assert project.library.packs["frontiers"].version == "7"


def test_several_packs_at_once_and_nothing_else_are_what_is_meant(tmp_path: Path) -> None:
    charms = archive(tmp_path / "charms.zip", {"pack.yaml": MANIFEST, "a.yaml": content("one"), "schemas/charm.json": json.dumps(SCHEMA)})
    (tmp_path / "moons").mkdir()
    (tmp_path / "moons" / "pack.yaml").write_text(PACK, encoding="utf-8")
    (tmp_path / "moons" / "all.yaml").write_text("charm:\n  elf: {name: Elf}\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    words = ["--project", str(tmp_path / "empty"), "--pack", str(tmp_path / "moons"), "--pack", str(charms)]
    result = CliRunner().invoke(seasons, [*words, "list", "charm"])
    assert result.stdout.split()[::2] == ["charms:charm/elk", "charms:charm/fox", "charms:charm/owl", "moons:charm/elf"]


# ---- Python packages


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages with one that brings a pack, and that must not be imported."""
    folder = tmp_path / "site"
    (folder / "moon_pack" / "deep").mkdir(parents=True)
    (folder / "moon_pack" / "__init__.py").write_text("raise AssertionError('it was imported')\n", encoding="utf-8")
    (folder / "moon_pack" / "pack.yaml").write_text(PACK, encoding="utf-8")
    (folder / "moon_pack" / "deep" / "all.yaml").write_text("charm:\n  elf: {name: Elf}\n", encoding="utf-8")
    info = folder / "moon_pack-2.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: moon-pack\nVersion: 2.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[seasons_build.packs]\nmoons = moon_pack\nlost = not_there\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    return folder


def test_a_python_package_brings_a_pack_that_is_required(tmp_path: Path, site: Path) -> None:
    root = make(tmp_path / "p")
    (root / "content/suns").mkdir()
    (root / "content/suns/pack.yaml").write_text('id: suns\ntitle: S\nversion: "1"\nrequires: {moons: ">=2"}\n', encoding="utf-8")
    project = read(root)
    assert told(project) == ["N271"]
    assert ("moons", "charm", "elf") in project.sheets
    assert str(project.library.entries["moons", "charm", "elf"].span()).startswith(f"{site}/moon_pack/deep/all.yaml:2")
    assert "moon_pack" not in sys.modules


def test_a_python_package_brings_a_pack_that_is_named(tmp_path: Path, site: Path) -> None:
    project = read(make(tmp_path / "p"), named=("moons",))
    assert "moons" in project.library.packs
    assert not project.library.packs["moons"].own


def test_packages_are_asked_only_where_a_pack_is_missing() -> None:
    def asked() -> dict[str, MemoryTree]:
        raise AssertionError("they were asked")

    sources = Sources(MemoryTree({}), DiskTree(shipped_root()), installed=asked)
    assert sources.seek("frontiers")
    assert sources.complete

"""`seasons pack`: bundles that are the same everywhere and read like the pack itself, and a lock that sees every changed byte."""

from __future__ import annotations

import io
import shutil
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from small_project import make

from seasons_build.cli.main import seasons
from seasons_build.pipeline.read import read

MOONS = 'id: moons\ntitle: Moons\nversion: "2.0"\nrequires: {charms: ">=1"}\n'


def run(root: Path, *words: str) -> Result:
    return CliRunner().invoke(seasons, ["--project", str(root), *words], catch_exceptions=False, standalone_mode=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A pack of its own that uses one from elsewhere."""
    root = tmp_path / "p"
    (root / "content/moons").mkdir(parents=True)
    (root / "content/moons/pack.yaml").write_text(MOONS, encoding="utf-8")
    (root / "content/moons/all.yaml").write_text("charm:\n  elf: {name: Elf}\n", encoding="utf-8")
    bundled = make(tmp_path / "charms")
    assert run(bundled, "pack", "bundle").return_value == 0
    shutil.move(bundled / "charms-1.zip", tmp_path / "charms.zip")
    return root


def with_charms(root: Path, *words: str) -> Result:
    return CliRunner().invoke(seasons, ["--project", str(root), "--pack", str(root.parent / "charms.zip"), *words], standalone_mode=False)


def test_a_bundle_holds_everything_and_reads_like_the_pack(tmp_path: Path) -> None:
    root = make(tmp_path / "p")
    (root / "templates/charms").mkdir(parents=True)
    (root / "templates/charms/theme.yaml").write_text("extends: base\n", encoding="utf-8")
    (root / "content/charms/README.md").write_text("Read me.\n", encoding="utf-8")
    (root / "content/charms/.hidden").write_text("no\n", encoding="utf-8")
    result = run(root, "pack", "bundle", "--out", "out")
    assert result.return_value == 0
    raw = (root / "out/charms-1.zip").read_bytes()
    names = ["README.md", "all.yaml", "pack.yaml", "schemas/charm.json", "templates/theme.yaml"]
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.namelist() == names
        assert archive.testzip() is None
    (tmp_path / "empty").mkdir()
    one, other = read(root), read(tmp_path / "empty", (root / "out/charms-1.zip",))
    assert not other.diagnostics
    assert [(k, s.stats) for k, s in one.sheets.items()] == [(k, s.stats) for k, s in other.sheets.items()]
    assert {k: e.data for k, e in one.library.entries.items()} == {k: e.data for k, e in other.library.entries.items()}


def test_the_bytes_of_a_bundle_are_the_same_anywhere(tmp_path: Path) -> None:
    made = []
    for place in ("a", "somewhere else/b"):
        root = make(tmp_path / place)
        for number, path in enumerate(sorted(root.rglob("*.yaml"), reverse=place == "a")):
            path.touch()
            path.chmod(0o600 + number % 2 * 0o44)
        assert run(root, "pack", "bundle").return_value == 0
        made.append((root / "charms-1.zip").read_bytes())
    assert made[0] == made[1]
    # The digest is written down, so that another machine, another zlib and another Python must come to it too.
    assert sha256(made[0]).hexdigest() == "e140daad8134355101fa70699d446552fed5282841e7545fb1d9139003376aa0"


def test_a_bundle_of_a_bundle_is_the_same(project: Path) -> None:
    archive = (project.parent / "charms.zip").read_bytes()
    assert with_charms(project, "pack", "bundle", "charms").return_value == 0
    assert (project / "charms-1.zip").read_bytes() == archive


def test_a_broken_pack_is_not_bundled(project: Path) -> None:
    (project / "content/moons/all.yaml").write_text("charm:\n  elf: {name: Elf, lucky: 1}\n", encoding="utf-8")
    result = with_charms(project, "pack", "bundle")
    assert result.return_value == 1
    assert "E204" in result.stderr
    assert not list(project.glob("*.zip"))


def test_one_file_from_two_places(tmp_path: Path) -> None:
    root = make(tmp_path / "p")
    (root / "content/charms/schemas").mkdir()
    shutil.copy(root / "schemas/charms/charm.json", root / "content/charms/schemas/charm.json")
    result = run(root, "pack", "bundle")
    assert result.return_value == 1
    assert "E320" in result.stderr


def test_a_name_that_no_archive_may_hold(tmp_path: Path) -> None:
    root = make(tmp_path / "p")
    (root / "content/charms/aux.yaml").write_text("charm: {}\n", encoding="utf-8")
    result = run(root, "pack", "bundle")
    assert result.return_value == 1
    assert "E320" in result.stderr


@pytest.mark.parametrize("words", [("bundle", "chams"), ("bundle", "--out", "/tmp/x"), ("bundle", "--out", "../x")])
def test_what_is_asked_wrongly(project: Path, words: tuple[str, ...]) -> None:
    from click import UsageError

    assert isinstance(with_charms(project, "pack", *words).exception, UsageError)


def test_a_lock_is_written_and_holds(project: Path) -> None:
    assert with_charms(project, "pack", "lock").return_value == 0
    digest = sha256((project.parent / "charms.zip").read_bytes()).hexdigest()
    assert (project / "seasons.lock").read_text().splitlines()[1:] == ["packs:", f'  charms: {{version: "1", sha256: "{digest}"}}']
    result = with_charms(project, "pack", "check")
    assert (result.return_value, result.stdout) == (0, "")


def test_the_same_pack_from_a_folder_has_the_same_lock(project: Path) -> None:
    with_charms(project, "pack", "lock")
    folder = project.parent / "unpacked"
    with zipfile.ZipFile(project.parent / "charms.zip") as archive:
        archive.extractall(folder / "charms")
    result = CliRunner().invoke(
        seasons, ["--project", str(project), "--pack", str(folder / "charms"), "pack", "check"], standalone_mode=False
    )
    assert (result.return_value, result.stdout) == (0, "")


@pytest.mark.parametrize(
    ("was", "now", "code"),
    [
        ('version: "1"', 'version: "0.9"', "E321"),
        ('sha256: "', 'sha256: "00', "E323"),
        ("charms:", "chains:", "E322"),
        ("  charms", '  gone: {version: "1", sha256: "' + "0" * 64 + '"}\n  charms', "W320"),
        ("packs:", "pecks:", "E323"),
    ],
)
def test_what_differs_is_said(project: Path, was: str, now: str, code: str) -> None:
    with_charms(project, "pack", "lock")
    lock = project / "seasons.lock"
    lock.write_text(lock.read_text().replace(was, now, 1))
    result = with_charms(project, "pack", "check", "--strict")
    assert result.return_value == 1
    assert code in result.stdout
    assert "seasons.lock:" in result.stdout


def test_a_changed_byte_is_said(project: Path) -> None:
    with_charms(project, "pack", "lock")
    changed = make(project.parent / "charms", "two")
    run(changed, "pack", "bundle")
    shutil.move(changed / "charms-1.zip", project.parent / "charms.zip")
    result = with_charms(project, "pack", "check")
    assert result.return_value == 1
    assert "E321" in result.stdout
    assert "its files have changed" in result.stdout


def test_no_lock(project: Path) -> None:
    result = with_charms(project, "pack", "check")
    assert (result.return_value, "E324" in result.stdout) == (1, True)

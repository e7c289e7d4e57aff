"""What a program leaves of reading for the next one: with it, all is found as from nothing, and little is looked at."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_project import files as written
from test_again import changes
from test_sequences import MARKS, Life, Paper

from seasons_build.check import Checker
from seasons_build.cli.main import seasons as command_line
from seasons_build.core.document import Document
from seasons_build.core.fingerprint import Fingerprints
from seasons_build.link.names import Linker
from seasons_build.pipeline import start as beginning
from seasons_build.pipeline.kept import KeptReader
from seasons_build.pipeline.read import Project, link_sources
from seasons_build.pipeline.sound import ROOM, SoundFiles
from seasons_build.sources import DiskTree, MemoryTree, Sources
from seasons_build.store import FOLDER, Store

ROOT = Path(__file__).parent.parent
GAME = "content/frontiers"
WEAPONS = f"{GAME}/gear/weapons.yaml"
FOES = f"{GAME}/adversaries.yaml"
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def shipped() -> Files:
    tree = DiskTree(ROOT)
    return {name: tree.read(name) for name in tree.names() if "seasons-pass" not in name and "slow-freight" not in name}


class Programs:
    """Programs that read one project after another, each with what the one before has left."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.reader = KeptReader(Store(place))

    def linked(self, files: Files, sound: SoundFiles | None = None) -> Project:
        tree = MemoryTree(files)
        return link_sources(Sources(tree, tree, project_is_shipped=True), ROOT, parse=self.reader.load, sound=sound)

    def read(self, files: Files, program: str = "this") -> Project:
        with Store(self.place) as store:
            sound = SoundFiles(store, program, Fingerprints())
            project = self.linked(files, sound)
            sound.keep(program)
        return project


def same(one: Project, other: Project) -> None:
    assert one.diagnostics == other.diagnostics
    assert dict(one.library.entries) == dict(other.library.entries)
    assert list(one.library.entries) == list(other.library.entries)
    assert dict(one.library.targets) == dict(other.library.targets)
    for key, entry in one.library.entries.items():
        assert entry.announced == other.library.entries[key].announced


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, str]]]:
    """The entries that were checked, each by its file and its id, in order."""
    told: list[tuple[str, str]] = []
    real = Checker._entry

    def noted(checker: Checker, document: Document, pack: str, kind: Any, key: str, *given: Any, sound: bool = False, **more: Any) -> Any:
        told.extend(() if sound else ((document.file, key),))
        return real(checker, document, pack, kind, key, *given, sound=sound, **more)

    monkeypatch.setattr(Checker, "_entry", noted)
    yield told


def files_of(checked: list[tuple[str, str]]) -> set[str]:
    return {file for file, _ in checked}


@pytest.fixture
def linked(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[tuple[str, str]]]:
    """The entries whose names were looked for, each by its file and its id."""
    told: set[tuple[str, str]] = set()
    real = Linker.entry

    def noted(linker: Linker, entry: Any) -> Any:
        told.add((entry.document.file, entry.id))
        return real(linker, entry)

    monkeypatch.setattr(Linker, "entry", noted)
    yield told


def edited(files: Files, name: str, old: bytes, new: bytes) -> Files:
    assert old in files[name]
    return {**files, name: files[name].replace(old, new, 1)}


Seen = list[tuple[str, str]]


def test_a_number_is_looked_at_in_its_entry_alone(shipped: Files, tmp_path: Path, checked: Seen, linked: set[tuple[str, str]]) -> None:
    programs = Programs(tmp_path)
    first = programs.read(shipped)
    assert {WEAPONS, FOES} <= files_of(checked)
    checked.clear()
    linked.clear()
    same(programs.read(shipped), first)
    before, named = set(checked), set(linked)
    assert {WEAPONS, FOES}.isdisjoint(files_of(checked))
    checked.clear()
    linked.clear()
    now = edited(shipped, WEAPONS, b"    demand: 3\n", b"    demand: 2\n")
    project = programs.read(now)
    assert len(set(checked) - before) == 1
    (weapon,) = set(checked) - before
    key = ("frontiers", "weapon", weapon[1])
    naming = {owner[2] for owner, targets in first.library.targets.items() if key in targets.values()}
    assert weapon in linked
    assert naming <= {name for file, name in linked if file == FOES} | {weapon[1]}, "adversaries name what a weapon can do"
    assert {name for file, name in linked - named if file == WEAPONS} == {weapon[1]}
    same(project, programs.linked(now))


def test_entries_that_stand_elsewhere_are_looked_at(shipped: Files, tmp_path: Path, checked: Seen) -> None:
    programs = Programs(tmp_path)
    programs.read(shipped)
    checked.clear()
    now = edited(shipped, WEAPONS, b"\nweapon:\n", b"\n\nweapon:\n")
    project = programs.read(now)
    assert len([name for file, name in checked if file == WEAPONS]) == len(project.library.by_kind["frontiers", "weapon"])
    same(project, programs.linked(now))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (WEAPONS, b"    demand: 3\n", b"    demand: nonesuch\n"),
        (WEAPONS, b"    name: ", b"    name: Other "),
        (WEAPONS, b"weapon:\n", b"rules:\n  traits: {nonesuch: {say: none}}\nweapon:\n"),
        (WEAPONS, b"weapon:\n", b"wepon:\n"),
        (FOES, b"adversary:\n", b"adversary:\n  nobody: {name: Nobody}\n"),
        (f"{GAME}/pack.yaml", b"title: ", b"title: The "),
        ("schemas/frontiers/weapon.json", b'"demand"', b'"wanted"'),
    ],
)
def test_what_may_concern_others_is_found_with_them(shipped: Files, tmp_path: Path, name: str, old: bytes, new: bytes) -> None:
    programs = Programs(tmp_path)
    programs.read(shipped)
    now = edited(shipped, name, old, new)
    for files in (now, shipped, now):
        same(programs.read(files), programs.linked(files))


def test_a_patch_comes_changes_and_goes(shipped: Files, tmp_path: Path) -> None:
    programs = Programs(tmp_path)
    home = {"content/home/pack.yaml": b'id: home\ntitle: Home\nversion: "1"\nformat: 1\nrequires: {frontiers: ">=0"}\n'}
    own = "weapon:\n  stick: {name: Stick, like: peeler}\n  staff: {name: Staff}\n"
    patch = "patch:\n  frontiers:weapon/peeler: {set: {range: %s}}\n"
    for text in (own, own + patch % 9, own + patch % "far", own, own, own + patch % 9):
        files = {**shipped, **home, "content/home/all.yaml": text.encode()}
        same(programs.read(files), programs.linked(files))


def test_what_another_program_left_does_not_hold(shipped: Files, tmp_path: Path, checked: Seen) -> None:
    programs = Programs(tmp_path)
    programs.read(shipped)
    for program in ("another", ""):
        checked.clear()
        programs.read(shipped, program)
        assert {WEAPONS, FOES} <= files_of(checked)


def test_what_is_of_no_form_is_nothing(shipped: Files, tmp_path: Path) -> None:
    programs = Programs(tmp_path)
    project = programs.read(shipped)
    with Store(tmp_path) as store:
        (place,) = (tmp_path / FOLDER / ROOM).glob("*/*")
        found = store.get(ROOM, place.name)
        assert found is not None
        for part in ("frame", "digests", "keys", "prints", "leads"):
            for wrong in (None, 7, [[1]], {"a": [[0, 9999999, None]]}, [[0, [[["a"], 99999]], []]]):
                store.put(ROOM, place.name, {**found.header, part: wrong})
                same(programs.read(shipped), project)


@pytest.mark.slow
def test_after_any_change_it_is_as_from_nothing(shipped: Files, tmp_path: Path) -> None:
    chance, files, programs = random.Random(11), dict(shipped), Programs(tmp_path)
    programs.read(files)
    for _, (name, data) in zip(range(150), changes(files, chance), strict=False):
        before, files[name] = files[name], data
        same(programs.read(files), programs.linked(files))
        if chance.random() < 0.7:
            files[name] = before


def test_builds_leave_it_and_use_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checked: Seen) -> None:
    monkeypatch.setattr(beginning, "Typesetter", lambda **_: Paper())
    life = Life(tmp_path / "p", random.Random(5))

    def build() -> None:
        command_line.main(["--project", str(life.root), "build"], standalone_mode=False)

    build()
    life.reword()
    build()
    assert list((life.root / FOLDER / ROOM).glob("*/*"))
    checked.clear()
    life.reword()
    build()
    assert 0 < len(files_of(checked)) < len(list((life.root / "content").rglob("*.yaml")))
    assert {name for name in written(life.root / "dist") if name not in MARKS}


def test_files_in_another_language_are_read_as_ever_and_leave_nothing(shipped: Files, tmp_path: Path) -> None:
    manifest = f"{GAME}/pack.yaml"
    german = {**shipped, manifest: shipped[manifest] + b"language: de\n", f"{GAME}/lang/de.yaml": b"weapon: {peeler: {name: Messer}}\n"}
    programs = Programs(tmp_path)
    for files in (german, german):
        same(programs.read(files), programs.linked(files))
    assert not (tmp_path / FOLDER / ROOM).exists()
    programs.read(shipped)
    assert list((tmp_path / FOLDER / ROOM).glob("*/*"))

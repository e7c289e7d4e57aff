"""What one program leaves for the next: with it, all is as from nothing, and little is worked out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_project import files
from straw import set_with
from test_again import changes, same
from test_sequences import MARKS, PRODUCTS, Life, Paper

from seasons_build.cli.main import seasons as command_line
from seasons_build.compose import Notes
from seasons_build.compose.jobs import Deck, Jobs
from seasons_build.core.diagnostic import errors
from seasons_build.core.entry import Entry, Key
from seasons_build.core.fingerprint import Fingerprints
from seasons_build.core.plan import PlannedFace
from seasons_build.evaluate import later, whole_sheets
from seasons_build.evaluate.again import Made
from seasons_build.load import load
from seasons_build.pipeline.decks import ROOM as DECKS
from seasons_build.pipeline.journal import ROOM, Journal
from seasons_build.pipeline.kept import KeptReader
from seasons_build.pipeline.read import Project, link_sources, work_out
from seasons_build.pipeline.shelf import FACES
from seasons_build.sources import DiskTree, MemoryTree, Sources
from seasons_build.store import FOLDER, Store

ROOT = Path(__file__).parent.parent
WEAPONS = "content/frontiers/gear/weapons.yaml"
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def shipped() -> Files:
    tree = DiskTree(ROOT)
    return {name: tree.read(name) for name in tree.names() if "seasons-pass" not in name}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Key]]:
    """The entries that were worked out, in order."""
    told: list[Key] = []
    real = later.Bench.made

    def noted(bench: later.Bench, entry: Entry) -> Made:
        told.append(entry.key)
        return real(bench, entry)

    monkeypatch.setattr(later.Bench, "made", noted)
    yield told


class Programs:
    """Programs that read one project after another, each with what the one before has left."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.reader = KeptReader(Store(place))

    def linked(self, files: Files) -> Project:
        tree = MemoryTree(files)
        return link_sources(Sources(tree, tree, project_is_shipped=True), ROOT, parse=self.reader.load)

    def read(self, files: Files, program: str = "this") -> Project:
        with Store(self.place) as store:
            journal = Journal(store, program, Fingerprints())
            project = work_out(self.linked(files), remember=True, left_by=journal.left)
            if not errors(project.diagnostics):
                assert project.memory is not None
                journal.keep(project.library, project.sources, project.memory, Notes(), program)
        return project

    def from_nothing(self, files: Files) -> Project:
        return work_out(self.linked(files))


def edited(files: Files, name: str, old: bytes, new: bytes) -> Files:
    assert old in files[name]
    return {**files, name: files[name].replace(old, new, 1)}


def test_nothing_changed(shipped: Files, tmp_path: Path, made: list[Key]) -> None:
    programs = Programs(tmp_path)
    first = programs.read(shipped)
    assert first.diagnostics, "there are notes, which are to be told again"
    whole = whole_sheets(first.sheets)
    made.clear()
    known = programs.read(shipped)
    assert known.diagnostics == first.diagnostics, "in this order, too"
    assert set(known.sheets) == set(first.sheets)
    assert set(known.lines) == set(first.lines)
    assert all((key in known.sheets) == (key in first.sheets) for key in first.library.entries)
    assert set(whole_sheets(known.sheets)) == set(whole)
    assert made == [], "that there is a sheet is known without it"
    same(known, first)


def test_one_number_of_one_weapon(shipped: Files, tmp_path: Path, made: list[Key]) -> None:
    programs = Programs(tmp_path)
    programs.read(shipped)
    now = edited(shipped, WEAPONS, b"    demand: 3\n", b"    demand: 4\n")
    made.clear()
    project = programs.read(now)
    assert 0 < len(made) < len(project.library.entries) / 4
    assert len({key for key in made if key[1] == "weapon"}) < 20, "a table that lists all of them knows the rows of the others"
    same(project, programs.from_nothing(now))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("content/frontiers/pack.yaml", b"title: ", b"title: New "),
        (WEAPONS, b"    name: ", b"    name: New "),
        ("schemas/frontiers/weapon.json", b'"description": "', b'"description": "New '),
    ],
)
def test_where_more_than_entries_changes_nothing_holds(
    shipped: Files, tmp_path: Path, made: list[Key], name: str, old: bytes, new: bytes
) -> None:
    programs = Programs(tmp_path)
    programs.read(shipped)
    now = edited(shipped, name, old, new)
    made.clear()
    project = programs.read(now)
    assert {key for key, entry in project.library.entries.items() if not entry.broken} == set(made)
    same(project, programs.from_nothing(now))


def test_what_another_program_left_does_not_hold(shipped: Files, tmp_path: Path, made: list[Key]) -> None:
    programs = Programs(tmp_path)
    programs.read(shipped)
    made.clear()
    project = programs.read(shipped, program="another")
    assert set(made) == set(project.library.entries)
    made.clear()
    programs.read(shipped, program="")
    assert set(made) == set(project.library.entries), "nor what nobody knows the maker of"


def test_an_error_and_its_mending(shipped: Files, tmp_path: Path, made: list[Key]) -> None:
    """A build with an error leaves nothing, and the journal of the one before holds for what comes after."""
    programs = Programs(tmp_path)
    programs.read(shipped)
    wrong = edited(shipped, WEAPONS, b"    demand: 3\n", b"    demand: nonesuch\n")
    project = programs.read(wrong)
    assert errors(project.diagnostics)
    same(project, programs.from_nothing(wrong))
    made.clear()
    mended = programs.read(edited(shipped, WEAPONS, b"    demand: 3\n", b"    demand: 2\n"))
    assert 0 < len(made) < len(mended.library.entries) / 4


def test_a_patch_comes_changes_and_goes(shipped: Files, tmp_path: Path) -> None:
    programs = Programs(tmp_path)
    home = {"content/home/pack.yaml": b'id: home\ntitle: Home\nversion: "1"\nformat: 1\nrequires: {frontiers: ">=0"}\n'}
    own = "weapon:\n  stick: {name: Stick, like: peeler}\n"
    patch = "patch:\n  frontiers:weapon/peeler: {set: {range: %d}}\n"
    for text in (own, own + patch % 9, own + patch % 8, own, own + patch % 9):
        files = {**shipped, **home, "content/home/all.yaml": text.encode()}
        same(programs.read(files), programs.from_nothing(files))


def test_a_text_that_says_another_one_says_it_as_from_nothing(shipped: Files, tmp_path: Path) -> None:
    """Texts are filled in one after the other: one sees those after it as they were typed, whether or not they are known already."""
    home = {"content/home/pack.yaml": b'id: home\ntitle: Home\nversion: "1"\nformat: 1\nrequires: {frontiers: ">=0"}\n'}
    chapter = "  %s: {name: %s, place: %d, lead: Lead., text: 'Demand %s is {weapon/peeler: demand}, and {chapter/%s: text}'}\n"
    programs = Programs(tmp_path)
    for word in ("first", "then", "last"):
        text = chapter % ("a", "A", 600, word, "m") + chapter % ("m", "M", 610, "always", "z")
        text += "  z: {name: Z, place: 620, lead: Lead., text: 'Demand is {weapon/peeler: demand}.'}\n"
        files = {**shipped, **home, "content/home/all.yaml": f"chapter:\n{text}".encode()}
        same(programs.read(files), programs.from_nothing(files))


def test_nothing_is_known_of_a_pack_that_was_not_read_to_its_end(shipped: Files, tmp_path: Path) -> None:
    programs = Programs(tmp_path)
    programs.read(shipped)
    name = "content/frontiers/papers.yaml"
    wrong = {**shipped, name: re.sub(rb"- \{lead: (\w+)", rb"- {lead: \1 {vigor}", shipped[name], count=1)}
    project = programs.read(wrong)
    assert "frontiers" in project.unread
    same(project, programs.from_nothing(wrong))
    assert not [key for key in project.sheets if key[0] in project.unread]


def test_a_journal_of_no_form_is_none(shipped: Files, tmp_path: Path, made: list[Key]) -> None:
    programs = Programs(tmp_path)
    project = programs.read(shipped)
    with Store(tmp_path) as store:
        (place,) = (tmp_path / FOLDER / ROOM).glob("*/*")
        found = store.get(ROOM, place.name)
        assert found is not None
        for part in ("entries", "worked", "sets", "rows", "cards", "digests"):
            for wrong in (None, 7, [[1]], {"a": [[0, 9999999, None]]}):
                store.put(ROOM, place.name, {**found.header, part: wrong})
                try:
                    journal = Journal(store, "this", Fingerprints())
                    work_out(programs.linked(shipped), remember=True, left_by=journal.left)
                except (LookupError, TypeError, ValueError, AttributeError):
                    continue  # a forged one is dropped by who uses it
    same(programs.read(shipped), project)


@pytest.mark.slow
def test_after_any_change_it_is_as_from_nothing(shipped: Files, tmp_path: Path) -> None:
    chance, files, programs = random.Random(7), dict(shipped), Programs(tmp_path)
    same(programs.read(files), programs.from_nothing(files))
    for _, (name, data) in zip(range(60), changes(files, chance), strict=False):
        before, files[name] = files[name], data
        same(programs.read(files), programs.from_nothing(files))
        if chance.random() < 0.5:
            files[name] = before


def test_a_fingerprint_tells_what_is_said_and_where(shipped: Files, tmp_path: Path) -> None:
    programs = Programs(tmp_path)
    entries = programs.linked(shipped).library.entries
    prints = {key: Fingerprints().of(entry) for key, entry in entries.items()}
    assert len(set(prints.values())) == len(prints)
    kept = Programs(tmp_path).linked(shipped).library.entries
    assert {key: Fingerprints().of(entry) for key, entry in kept.items()} == prints, "as parsed and as kept they are the same"
    moved = {**shipped, WEAPONS: b"# a line\n" + shipped[WEAPONS]}
    after = programs.linked(moved).library.entries
    others = {key for key, entry in after.items() if Fingerprints().of(entry) != prints[key]}
    assert {after[key].document.file for key in others if after[key].like is None and not after[key].brought} == {WEAPONS}
    assert {key for key, entry in after.items() if entry.document.file == WEAPONS} <= others


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x:\n  a:\n    t: |+\n      abc\n", "x:\n  a:\n    t: |+\n      abc\n\n\n"),
        ("x:\n  a:\n    t: >2+\n        abc\n", "x:\n  a:\n    t: >2+\n        abc\n\n# below\n"),
        ("x:\n  b: &q {n: 1}\n  a: *q\n", "x:\n  b: &q {n: 2}\n  a: *q\n"),
        ("x:\n  b: {m: &w {r: &q 1, z: *q}}\n  a: {k: *w}\n", "x:\n  b: {m: &w {r: &q 2, z: *q}}\n  a: {k: *w}\n"),
    ],
)
def test_a_fingerprint_tells_what_stands_elsewhere_in_the_file(before: str, after: str) -> None:
    def fingerprint(text: str) -> str:
        document = load("a.yaml", text.encode()).value
        assert document is not None
        return Fingerprints().of(Entry("p", "x", "a", document.data["x"]["a"], document))

    assert fingerprint(before) == fingerprint(before)
    assert fingerprint(before) != fingerprint(after)


@pytest.fixture
def life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Life:
    """A project of twelve entries that is built by one program after the other."""
    set_with(lambda **_: Paper(), monkeypatch)
    return Life(tmp_path / "p", random.Random(5))


@pytest.fixture
def composed(monkeypatch: pytest.MonkeyPatch) -> list[Key]:
    """The cards that were composed, in order."""
    told: list[Key] = []
    real = Jobs._face

    def noted(jobs: Jobs, entry: Entry, deck: Deck) -> PlannedFace:
        told.append(entry.key)
        return real(jobs, entry, deck)

    monkeypatch.setattr(Jobs, "_face", noted)
    return told


def build(life: Life) -> dict[str, bytes]:
    command_line.main(["--project", str(life.root), "build"], standalone_mode=False)
    return life.printed()


def from_nothing(life: Life) -> dict[str, bytes]:
    clean = life.copied()
    command_line.main(["--project", str(clean), "build"], standalone_mode=False)
    return {name: data for name, data in files(clean / "dist").items() if name not in MARKS}


def test_a_card_is_composed_where_something_that_it_shows_has_changed(life: Life, composed: list[Key]) -> None:
    build(life)
    assert len(composed) == 4, "cards of kits alone"
    composed.clear()
    life.write("kits.yaml", (life.root / "content/charms/kits.yaml").read_text(encoding="utf-8").replace("name: Kit 2", "name: Kit two"))
    build(life)
    assert len(composed) == 4, "an entry is called otherwise: that may be said anywhere"
    composed.clear()
    place = life.root / "content/charms/charms-0.yaml"
    place.write_text(place.read_text(encoding="utf-8").replace("c1:\n    name: Charm 1\n    luck: ", "c1:\n    name: Charm 1\n    luck: 1"))
    now = build(life)
    assert composed == [("charms", "kit", "kit-1")], "its worth is that of the charm"
    assert now == from_nothing(life)


def test_a_face_that_is_kept_no_more_is_composed_again(life: Life, composed: list[Key]) -> None:
    build(life)
    for room in (FACES, DECKS):
        for kept in (life.root / FOLDER / room).rglob("*"):
            if kept.is_file():
                kept.unlink()
    life.write("products.yaml", PRODUCTS + "# nothing else\n")
    composed.clear()
    now = build(life)
    assert len(composed) == 4
    assert now == from_nothing(life)


def test_who_asks_how_cards_fit_is_told_of_all(life: Life, composed: list[Key]) -> None:
    build(life)
    composed.clear()
    command_line.main(["--project", str(life.root), "build", "--fit-report"], standalone_mode=False)
    assert len(composed) == 4


def test_a_deck_that_shows_cards_of_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that can wait is in no journal, and its cards are not either."""
    set_with(lambda **_: Paper(), monkeypatch)
    pack = tmp_path / "content/night"
    pack.mkdir(parents=True)
    manifest = 'id: night\ntitle: Night\nversion: "1"\nformat: 1\nrequires: {frontiers: ">=1.0,<2"}\n'
    (pack / "pack.yaml").write_text(manifest, encoding="utf-8")
    deck = "product:\n  deck: {title: %s, layout: cards, card: poker, select: {kind: armor}}\n"
    for title in ("Deck", "Decks"):
        (pack / "products.yaml").write_text(deck % title, encoding="utf-8")
        assert command_line.main(["--project", str(tmp_path), "build"], standalone_mode=False) == 0
    assert any((tmp_path / FOLDER / ROOM).rglob("*")), "a journal is left"

"""What is wrong is not printed: an entry with an error, in itself or in the rules that make its numbers, keeps its product from print."""

from __future__ import annotations

from pathlib import Path

from test_renaming import PLACES, Listener, files_of, project

from seasons_build.core.job import DocumentJob, FaceJob
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import Project

NUMBERS = "content/lamplight/rules/numbers.yaml"
ARMOR = "content/lamplight/gear/armor.yaml"


def changed(name: str, old: str, new: str) -> Project:
    """The third game with one text in one file changed."""
    files = files_of("lamplight")
    text = files[name].decode()
    assert old in text
    return project({**files, name: text.replace(old, new).encode()})


def unsound(found: Project) -> set[str]:
    """The kinds of what is not whole."""
    return {key[1] for key, sheet in found.sheets.items() if not sheet.whole}


def set_up(found: Project, out: Path) -> tuple[int, set[str]]:
    """How many jobs a build asks for, and the products that keep their files whatever the typesetter says."""
    listener = Listener()
    build(found, Options(Asked(("lamplight",)), out), listener)
    faces = sum(isinstance(job, FaceJob) for job in listener.jobs)
    return faces, {job.key for job in listener.jobs if isinstance(job, DocumentJob)}


def test_a_sound_game_is_whole() -> None:
    assert "lamplight" in PLACES
    assert not unsound(project(files_of("lamplight")))


def test_a_number_that_cannot_be_read_has_no_value() -> None:
    """It is not taken for nought."""
    found = changed(NUMBERS, "10 + dexterity.mod", "10 + dexteryti.mod")
    assert [d.code for d in found.diagnostics] == ["E411"]
    assert unsound(found) == {"character", "monster"}
    assert all("armor_class" not in sheet.stats for sheet in found.sheets.values())


def test_a_broken_limit_is_no_card() -> None:
    found = changed(NUMBERS, "== 72", "== 73")
    assert [d.code for d in found.diagnostics] == ["E510"]
    assert unsound(found) == {"character"}


def test_a_figure_that_no_sentence_prints_is_no_card() -> None:
    found = changed("content/lamplight/rules/words.yaml", "one attack< for {price}>", "one attack")
    assert [d.code for d in found.diagnostics] == ["E562"]
    assert unsound(found) == {"feat"}


def test_it_is_not_sent_to_the_typesetter(tmp_path: Path) -> None:
    whole, pages = set_up(project(files_of("lamplight")), tmp_path / "whole")
    faces, some = set_up(changed(ARMOR, "name: Ring Shirt, ", "name: Ring Shirt, rules: 'It has {nothing} in it.', "), tmp_path / "faulty")
    assert (whole - faces, pages - some) == (1, set())

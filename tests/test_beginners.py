"""What beginners type, each told once and with what to type instead."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from game import CASE, game_files, project_of, with_case

from seasons_build.pipeline import read

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("text", "code", "line", "hint"),
    [
        ("blade:\nknife:\n  name: Knife\n", "E203", 1, "what belongs to `blade` stands further right, as `  knife:`"),
        ("coat:\n  cape: {name: Cape, weight: 8 stone}\n", "E205", 2, "the number alone: 8"),
        ("coat:\n  cape: {name: Cape, weight: 8;}\n", "E205", 2, "the number alone: 8"),
        ("coat:\n  cape: {name: 1.10}\n", "E205", 2, 'quote it to make it text: "1.10"'),
        ("blade:\n  knife: {name: Knife, family: soup}\n", "E301", 2, "one of `leather`, `steel`"),
    ],
)
def test_it_is_told_once_and_says_what_to_type(text: str, code: str, line: int, hint: str) -> None:
    (found,) = (d for d in with_case(text).diagnostics if d.severity == "error")
    assert (found.code, found.span and found.span.line) == (code, line)
    assert hint in found.hints[0]


def test_a_file_that_lies_in_no_pack() -> None:
    files = {**game_files(), "content/knives.yaml": "blade:\n  knife: {name: Knife, family: steel}\n"}
    assert [(d.code, str(d.span)) for d in project_of(files).diagnostics] == [("W790", "content/knives.yaml:1:1")]


def test_an_id_twice_once_as_a_copy() -> None:
    first = "blade:\n  knife: {name: Knife, family: steel}\n  saw: {name: Saw, like: knife}\n"
    files = {**game_files(), CASE: first, "content/suite/z.yaml": "blade:\n  saw: {name: Saw, family: steel}\n"}
    assert [d.code for d in project_of(files).diagnostics if d.severity == "error"] == ["E302"]


def test_a_word_of_the_game_with_a_blank_in_it(tmp_path: Path) -> None:
    copied = copytree(ROOT / "content" / "frontiers", tmp_path / "content" / "frontiers")
    copytree(ROOT / "schemas" / "frontiers", tmp_path / "schemas" / "frontiers")
    file = copied / "gear" / "weapons.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("defense: physical_defense", "defense: physical defense", 1), encoding="utf-8")
    found = [d for d in read(tmp_path).diagnostics if d.severity == "error"]
    assert [(d.code, d.hints) for d in found] == [("E561", ("did you mean `physical_defense`?",))]

"""What beginners type, each told once and with what to type instead."""

from __future__ import annotations

import pytest
from game import CASE, game_files, project_of, with_case


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

"""What is left of a file that could not be read to its end: nothing of what a parser made of the lines behind the fault."""

from __future__ import annotations

from typing import Any

import pytest

from seasons_build.load import load

LEFT_OPEN = "rows:\n  a:\n    for: [x, y\n    each: [1]\n  b: {c: 1}\n"
CUT_IN_BRACES = "skill:\n  a: {name: A, covers: One, # two}\n  holds: {name: B}\n"
COLON_BELOW = "a:\n  b: 1\n  c: one\n  d two\n  e: three\n"


@pytest.mark.parametrize("pure", [False, True], ids=["libyaml", "pure"])
@pytest.mark.parametrize(
    ("text", "data", "codes"),
    [
        (LEFT_OPEN, {"rows": {"a": {}}}, ["E125"]),
        (CUT_IN_BRACES, {"skill": {"a": {"name": "A", "covers": "One"}}}, ["E125"]),
        (COLON_BELOW, {"a": {"b": 1, "c": "one"}}, ["E129"]),
        ("a: {b: 1}\nc: [1, 2\n", {"a": {"b": 1}}, ["E125"]),
        ("a: 1\nb: {c: [1, {d: 2}, {e: 3, f: 4\n", {"a": 1, "b": {"c": [1, {"d": 2}]}}, ["E125"]),
    ],
)
def test_what_stands_before_the_fault(text: str, data: Any, codes: list[str], pure: bool) -> None:
    result = load("a.yaml", text.encode(), pure=pure)
    assert [d.code for d in result.diagnostics] == codes
    assert result.value is not None
    assert result.value.data == data


def test_the_places_are_those_of_the_data() -> None:
    document = load("a.yaml", LEFT_OPEN.encode()).value
    assert document is not None
    assert document.key_span(("rows", "a")).line == 2
    assert document.key_span(("rows", "a", "for")) == document.key_span(("rows", "a"))


def test_a_key_without_its_lines_is_left_out() -> None:
    result = load("a.yaml", b"a:\n  b:\n    c: 1\n  d:\n   e: 1\n    f: 2\n")
    assert [d.code for d in result.diagnostics] == ["E126"]
    assert result.value is not None
    assert result.value.data == {"a": {"b": {"c": 1}}}

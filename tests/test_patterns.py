"""Patterns of schemas: those that surely end, and what is told of the rest; long texts and long lists keep nobody busy."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seasons_build.check.accept import accepts
from seasons_build.check.faults import Judge
from seasons_build.core.pattern import why_not

GOOD = [
    *("", "^[a-z]+$", "^[A-Z]{2}-[0-9]+$", "^(?:red|blue)$", r"^\d+(\.\d+)?$", r"[\]\-a]+x", "a?b?c?", "(ab)+", r"\(x\)*", "^[^]]+$"),
    *("{", "a{,}", "[(+*|]+"),
]
BAD = {
    "(a+)+": "repeated group",
    "(a|a)*": "repeated group",
    "^(a|a)*$": "repeated group",
    "((a?)){30}": "repeated group",
    "(?:(b|c)x){2,}": "repeated group",
    "(a*)*": "repeated group",
    "a*a*a*a*b": "at most 3",
    "(?=a)b": "begin with",
    "(?i)a": "begin with",
    "(?P<x>a)": "begin with",
    r"(a)\1": "look back",
    "a{1000}": "no further",
    "(": "does not hold together",
    "[": "does not hold together",
    "a" * 2000: "longer",
}  # fmt: skip


@pytest.mark.parametrize("pattern", GOOD)
def test_a_pattern(pattern: str) -> None:
    assert why_not(pattern, 1000) == ""


@pytest.mark.parametrize("pattern", BAD, ids=lambda pattern: pattern[:16])
def test_a_pattern_that_is_refused(pattern: str) -> None:
    assert BAD[pattern] in why_not(pattern, 1000)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab()|*+?[]{1,}\\^$.:", max_size=24))
def test_what_is_let_through_ends_soon(pattern: str) -> None:
    if why_not(pattern, 1000):
        return
    judge = Judge({"pattern": pattern}, accepts({"pattern": pattern}))
    before = time.process_time()
    for text in ("a" * 200 + "!", "ab" * 100 + "!", "b" * 1000 + "c"):
        list(judge.errors(text))
    assert time.process_time() - before < 2


def test_long_texts_and_lists() -> None:
    judge = Judge({"type": "string", "pattern": "a"}, accepts({"type": "string", "pattern": "a"}))
    assert not list(judge.errors("a" * 1000))
    assert [error.validator for error in judge.errors("a" * 1001)] == ["pattern"]
    once = {"type": "array", "uniqueItems": True}
    judge = Judge(once, accepts(once))
    before = time.process_time()
    assert not list(judge.errors([{"n": n} for n in range(20_000)]))
    assert list(judge.errors([{"n": n % 19_999} for n in range(20_000)]))
    assert list(judge.errors([1, 1]))
    assert not list(judge.errors([1, True, "1", [1], {"a": 1}, {"a": True}]))
    assert time.process_time() - before < 3

"""Work is bounded: each limit of the loader holds, names its place, and can be raised; what is built to cost much costs little."""

from __future__ import annotations

import time

import pytest

from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.load import load

MOST_SECONDS = 2.0
"""Generous: the slowest of these takes a sixth of it."""

OVER: list[tuple[str, int, str, str]] = [
    ("file_bytes", 20, "a: this is more than twenty", "E102 1:1"),
    ("depth", 3, "a:\n  b:\n    - [c]\n", "E110 3:7"),
    ("values", 4, "a: 1\nb: 2\nc: [3, 4]\n", "E111 3:8"),
    ("key_characters", 5, "a: 1\nlonger-key: 2\n", "E114 2:1"),
    ("text_characters", 10, "a: twelve letters and more\nb: short\n", "E112 1:4"),
    ("aliases", 2, "a: &a 1\nb: [*a, *a, *a]\n", "E111 2:13"),
    ("alias_values", 3, "a: &a [1, 2]\nb: [*a, *a]\n", "E111 2:9"),
    ("alias_characters", 30, "a: &a some text of some length\nb: *a\nc: *a\n", "E111 3:4"),
    ("number", 100, "a: 100\nb: 101\nc: -101\n", "E116 2:4; E116 3:4"),
    ("decimal_digits", 3, "a: 1.25\nb: 1.255\n", "E116 2:4"),
    ("file_findings", 2, "a: .inf\nb: .inf\nc: .inf\n", "E116 1:4; E116 2:4; E111 2:4"),
]


@pytest.mark.parametrize("pure", [False, True], ids=["libyaml", "pure"])
@pytest.mark.parametrize(("name", "most", "text", "expected"), OVER, ids=[row[0] for row in OVER])
def test_a_limit(name: str, most: int, text: str, expected: str, pure: bool) -> None:
    limits: Limits = DEFAULT._replace(**{name: most})
    found = load("a.yaml", text.encode(), limits, pure=pure).diagnostics
    assert "; ".join(f"{d.code} {d.span.line}:{d.span.column}" for d in found if d.span) == expected
    assert not load("a.yaml", text.encode(), limits._replace(**{name: 1_000}), pure=pure).diagnostics or name == "file_findings"


def test_what_stands_before_a_limit_is_kept() -> None:
    result = load("a.yaml", b"a: {b: 1}\nc:\n  d: 2\n  e: {f: {g: 3}}\n", DEFAULT._replace(depth=3))
    assert result.value is not None
    assert result.value.data == {"a": {"b": 1}, "c": {"d": 2, "e": {}}}


def test_what_stands_before_an_error_is_kept() -> None:
    result = load("a.yaml", b"a:\n  x: {name: X}\n  y:\n    name: Y\n    text: Roll: then\n  z: {name: Z}\n")
    assert [d.code for d in result.diagnostics] == ["E122"]
    assert result.value is not None
    assert result.value.data == {"a": {"x": {"name": "X"}, "y": {"name": "Y", "text": "Roll"}}}
    assert result.value.span(("a", "x")).line == 2


def test_repeated_values_cost_what_they_would_cost_written_out() -> None:
    nine = ", ".join(["*a"] * 9)
    text = f"a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\nb: &b [{nine}]\nc: [{nine.replace('a', 'b')}]\n"
    of_a, of_b = 1 + 9, 1 + 9 * (1 + 9)
    more = 9 * (of_a - 1) + 9 * (of_b - 1)
    assert not load("a.yaml", text.encode(), DEFAULT._replace(alias_values=more)).diagnostics
    assert load("a.yaml", text.encode(), DEFAULT._replace(alias_values=more - 1)).diagnostics


MANY = 60_000
DEAR = {
    "braces": "x: [" + "{a}," * MANY + "]",
    "tags": "x: [" + "!a b," * MANY + "]",
    "names": "x: [" + ",".join(f"&a{i} b" for i in range(MANY)) + "]",
    "unknown": "x: [" + ",".join(f"*a{i}" for i in range(MANY)) + "]",
    "repeats": "a: &a {b: 1}\nx: [" + "*a," * MANY + "]",
    "twice": "a: 1\n" * MANY,
    "cut": "\n".join(f"a{i}: b #3" for i in range(MANY)),
    "cut on one line": "x: a" + " #3" * MANY,
    "blanks": "x: : a" + " " * 1_500_000 + "y: z",
    "a quote": 'x: "' + "a\n " * MANY,
    "escapes": 'x: "' + "\\0" * MANY + '"',
    "brackets": "[" * 1_500_000,
    "brackets and words": "x: " + "[" * 50 + "a\n" * MANY,
    "maps": "{a: " * MANY,
    "dashes": "- " * 500_000,
    "steps": "\n".join(" " * depth + "a:" for depth in range(1_200)),
    "a key": '? "' + "k" * 1_500_000 + '"\n: a',
    "digits": "a: " + "1" * 1_500_000,
    "an exponent": "a: 1e" + "1" * 1_500_000,
    "alphabets": "a: " + "aа" * MANY,
    "breaks": "a: |\n" + "\n" * 1_500_000,
    "colons": "a: " + ": b" * MANY,
    "questions": "x: [" + "? ," * MANY,
    "bells": "a: " + "\x07" * MANY,
    "names alike": "a: &" + "x" * 500_000 + " 1\nb: *" + "x" * 500_001,
}


@pytest.mark.parametrize("name", DEAR)
def test_what_is_built_to_cost_much(name: str) -> None:
    raw = DEAR[name].encode()[: DEFAULT.file_bytes]
    before = time.process_time()
    result = load("a.yaml", raw)
    assert time.process_time() - before < MOST_SECONDS
    assert len(result.diagnostics) <= DEFAULT.file_findings + 1


OPENED = ("[", "a: [", "{a: ", "- ", "['[[', ", "[[\n")


@pytest.mark.parametrize("opened", ["a: " + "[" * 1_100, *(part * 1_100 for part in OPENED)])
def test_depth_is_the_same_where_libyaml_gives_up_first(opened: str) -> None:
    assert load("a.yaml", opened.encode()) == load("a.yaml", opened.encode(), pure=True)

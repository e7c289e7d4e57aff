"""The traps of YAML that writers fall into: what is said, where, and that the line to paste is right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.load import load

CASES = Path(__file__).with_name("traps.txt").read_text(encoding="utf-8").split("=== ")[1:]
FORBIDDEN = re.compile(
    r"\b(?:mapping|scalar|sequence|schema|null|none|boolean|string|integer|token|parse[rd]?|node|stream|block end)\b", re.IGNORECASE
)


def told(diagnostics: tuple[Diagnostic, ...]) -> Iterator[str]:
    """Diagnostics as `traps.txt` writes them."""
    for d in diagnostics:
        assert d.span
        yield f"{d.code} {d.span.line}:{d.span.column}-{d.span.end_column} {d.message}"
        yield from (f"  hint: {hint}" for hint in d.hints)
        yield from (f"  also: {t.span.line}:{t.span.column} {t.message}" for t in d.trace if t.span)


def leaves(value: Any) -> Iterator[Any]:
    """Every text and number in a piece of data."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)
    else:
        yield value


@pytest.mark.parametrize("pure", [False, True], ids=["libyaml", "pure"])
@pytest.mark.parametrize("case", CASES, ids=[case.split("\n", 1)[0] for case in CASES])
def test_trap(case: str, pure: bool) -> None:
    _, body = case.split("\n", 1)
    text, expected = body.rsplit("\n---\n", 1)
    lines = expected.rstrip("\n").split("\n")
    paste = re.fullmatch(r"paste (\d+) is (.*)", lines[-1])
    diagnostics = load("traps.yaml", text.encode() + b"\n", pure=pure).diagnostics
    assert list(told(diagnostics)) == (lines[:-1] if paste else lines)
    if paste:
        rows = text.split("\n")
        at = int(paste.group(1)) - 1
        hint = re.search(r"`(.*)`", diagnostics[0].hints[0])
        assert hint
        line = hint.group(1)
        indent = len(rows[at]) - len(rows[at].lstrip())
        rows[at] = rows[at][:indent] + (line if ": " in line else f"{rows[at].split(':')[0].strip()}: {line}")
        mended = load("traps.yaml", "\n".join(rows).encode(), pure=pure)
        assert mended.value is not None
        assert not mended.diagnostics
        assert paste.group(2) in list(leaves(mended.value.data))


def test_messages_are_for_writers() -> None:
    for case in CASES:
        text = case.split("\n", 1)[1].rsplit("\n---\n", 1)[0]
        for diagnostic in load("traps.yaml", text.encode()).diagnostics:
            for words in (diagnostic.message, *diagnostic.hints, *(trace.message for trace in diagnostic.trace)):
                spoken = re.sub(r"`[^`]*`", "", words)
                assert not FORBIDDEN.search(spoken), words
                assert not words.endswith(".") and not re.match(r"[A-Z]", spoken), words


def test_comments_that_are_comments_are_left_alone() -> None:
    text = (
        "# at the top\nweapon: # behind a key\n  a: 1 #short\n  b: Rifle # like this\n  c: Rifle  #spaced\n  d: true #yes\n"
        "  e: C# minor\n  f: 'Room #3'\n  g: |\n    Room #3 is text here\n  h: [a, b] #list\n  i: text #\n  j: text ## more\n"
    )
    assert load("a.yaml", text.encode()).diagnostics == ()


def test_text_that_holds_colons_is_left_alone() -> None:
    text = "a:\n  https://example.org/x\nb: 1:30\nc:\n  12:30\nd: pack:deck\ne: [pack:deck, a:b]\nf:\n  - pack:deck\n"
    assert load("a.yaml", text.encode()).diagnostics == ()


@pytest.mark.parametrize("length", [2_000, 200_000])
def test_long_lines_are_quoted_in_part(length: int) -> None:
    for text in (f"a: {'b ' * length}: c", f"a: [{'b ' * length}", f"a: @{'b' * length}", f"a: '{'b' * length}", f"{'b ' * length}\na: 1"):
        for diagnostic in load("a.yaml", text.encode()).diagnostics:
            assert all(len(words) < 200 for words in (diagnostic.message, *diagnostic.hints))

"""One verdict everywhere: with libyaml and without, with either kind of line break, with a mark or not; and no bytes raise."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document
from seasons_build.load import load

TESTS = Path(__file__).parents[1]
TRAPS = [
    case.split("\n", 1)[1].rsplit("\n---\n", 1)[0]
    for case in Path(__file__).with_name("traps.txt").read_text(encoding="utf-8").split("=== ")[1:]
]
PAGES = sorted((TESTS.parent / "seasons_build" / "pages").glob("*.md"))
CONTENT = sorted((TESTS.parent / "content").rglob("*.yaml"))

WORDS = (
    *("a", "b", "name", "text", "1.5", "007", ".inf", "~", "é", "𝄞", "gоblin", "\u200b", "\u00a0", "http://x", ":hp:", "a:b", "x?", "?y"),
    *("key: ", "key:", "a: 1\n", "  b: val\n", "  - it\n", "- ", "-", "-a", ": ", ":", "? ", "?", "{a: 1}", "[a, b]"),
    *(",", "[", "]", "{", "}", "#", " # c", " #c", "&a ", "*a", "<<: *a\n", "!t ", "!", "!%41", "%", "@", "`", "---", "..."),
    *('"', "'", '"q"', "'q'", '""', "\\", "\\n", "\\u0041", "\\x", "|", ">", "|\n", ">-\n", "---\n", "%YAML 1.2\n"),
    *("\t", "\n", "\n  ", "\n    ", "\n ", " ", "  ", "\x07", "\u2028"),
)
pieces = st.lists(st.sampled_from(WORDS), max_size=14).map("".join)


@st.composite
def broken(draw: st.DrawFn) -> str:
    """A trap or a piece of a page with one or two things put in, taken out or replaced."""
    text = draw(st.sampled_from(TRAPS))
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 4))
        text = text[:at] + draw(st.sampled_from(("", *WORDS))) + text[at + length :]
    return text


texts = st.one_of(pieces, broken())


def sound(result: Result[Document | None], raw: bytes) -> Result[Document | None]:
    """The result, having looked at what holds for every one."""
    lines = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 2
    for diagnostic in result.diagnostics:
        assert isinstance(diagnostic, Diagnostic) and diagnostic.span
        span = diagnostic.span
        assert 1 <= span.line <= lines and span.column >= 1
        assert (span.line, span.column) <= (span.end_line, span.end_column)
        assert all(len(words) < 250 for words in (diagnostic.message, *diagnostic.hints))
    places = [(d.span.line, d.span.column) for d in result.diagnostics if d.span]
    assert places == sorted(places)
    if result.value is None:
        assert result.diagnostics
    return result


@given(texts)
@settings(derandomize=True, max_examples=250, deadline=None)
def test_both_parsers_agree(text: str) -> None:
    raw = text.encode()
    assert sound(load("a.yaml", raw), raw) == load("a.yaml", raw, pure=True)


@given(texts)
@settings(derandomize=True, max_examples=150, deadline=None)
def test_line_breaks_and_marks_change_nothing(text: str) -> None:
    plain = load("a.yaml", text.encode())
    for other in ("\ufeff" + text, text.replace("\n", "\r\n"), text.replace("\n", "\r")):
        assert load("a.yaml", other.encode()) == plain
    if text and not text.endswith("\n"):
        more = load("a.yaml", text.encode() + b"\n")
        assert more.diagnostics == plain.diagnostics
        assert (more.value and more.value.data) == (plain.value and plain.value.data)


@given(st.one_of(st.binary(max_size=60), texts.map(str.encode), texts.map(lambda text: text.encode("utf-16"))), st.booleans())
@settings(derandomize=True, max_examples=150, deadline=None)
def test_no_bytes_raise(raw: bytes, pure: bool) -> None:
    sound(load("a.yaml", raw, pure=pure), raw)


def written(value: object) -> str:
    """A value as a file may hold it, text with every character escaped."""
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(character):08x}" for character in value) + '"'
    named: dict[object, str] = {True: "true", False: "false", None: "~"}
    return str(value) if type(value) is int else named[value]


@given(st.lists(st.one_of(st.text(max_size=20), st.integers(-(10**15), 10**15), st.booleans(), st.none()), min_size=1, max_size=9))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_what_is_written_is_read_back(values: list[object]) -> None:
    text = "".join(f"- {written(value)}\n" for value in values)
    result = load("a.yaml", b"list:\n" + text.encode())
    assert {d.code for d in result.diagnostics} <= {"E104", "E115"}
    if not result.diagnostics:
        assert result.value is not None
        assert result.value.data == {"list": values}


@pytest.mark.parametrize("path", CONTENT, ids=[path.stem for path in CONTENT])
def test_the_games_are_read_without_a_word(path: Path) -> None:
    result = load(path.name, path.read_bytes())
    assert result.value is not None
    assert result.diagnostics == ()


def test_the_pages_are_read_the_same() -> None:
    for page in PAGES:
        for part in page.read_text(encoding="utf-8").split("```yaml\n")[1:]:
            raw = part.split("```")[0].encode()
            assert load(page.name, raw) == load(page.name, raw, pure=True)


def test_the_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    load("a.yaml", b"a: 1\n")
    assert gc.isenabled()
    load("a.yaml", b"a: [\n")
    assert gc.isenabled()
    gc.disable()
    try:
        load("a.yaml", b"a: 1\n")
        assert not gc.isenabled()
    finally:
        gc.enable()

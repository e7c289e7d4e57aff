"""Whatever is typed, the answer is a project with findings: no file that is almost right, and no bytes at all, bring the compiler down."""

from __future__ import annotations

import random
import re
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mangle import Project

from seasons_build.core.escapes import UNSAFE, escape
from seasons_build.core.limits import DEFAULT
from seasons_build.load import load
from seasons_build.pipeline.read import read_sources, try_games
from seasons_build.report import render
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root
from seasons_build.worker.render import Renderer, TemplateFault
from seasons_build.worker.svg import fault

TESTS = Path(__file__).parents[1]
GAMES = (TESTS / "suite/game", TESTS / "projects/third-game", TESTS / "projects/fourth-game")
FEW = 12
SHOWN = re.compile(r"\\(?:x[0-9a-f]{2}|u(?!00)[0-9a-f]{4}|U000[1-9a-f][0-9a-f]{4})")
"""How what may not be shown is written instead."""
PARTS = (*("{{", "}}", "{%", "%}", "x", "if", "for", "in", "endif", "endfor"), *("|", "(", ")", ".", "'", "[", "]", "~", "1"))


def look(project: Project, name: str, data: bytes) -> None:
    """Reads a project with one file changed, tries its cases, and prints what was found."""
    before = time.process_time()
    found = read_sources(Sources(MemoryTree({**project.files, name: data}), DiskTree(shipped_root())), Path("/nowhere"))
    tried = try_games(found)
    told = [*found.diagnostics, *(fault for case in tried.cases for fault in case.failures)]
    for form in ("text", "line"):
        said = render(told, form, found.texts.get)
        assert not UNSAFE.sub(lambda m: "" if m[0] == "\n" else m[0], said).count("\x1b")
    assert all(d.span is None or (d.span.line >= 1 and d.span.column >= 1) for d in told)
    assert time.process_time() - before < 20


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_almost_right(game: Path) -> None:
    project, chance = Project(game), random.Random(7)
    for _ in range(FEW):
        look(project, *project.mangled(chance))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    result = load("a.yaml", data, DEFAULT)
    assert all(d.span is not None and d.span.line >= 1 and d.span.column >= 1 for d in result.diagnostics)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text() | st.text(alphabet="\\x5c1bu20eU0\x1b\u202e\U000e0041"))
def test_what_is_shown_is_safe_and_tells_texts_apart(text: str) -> None:
    """Who knows how it is shown reads the text back from it: so no two look the same."""
    shown = escape(text)
    assert not UNSAFE.search(shown)
    assert SHOWN.sub(lambda m: chr(number) if known(number := int(m[0][2:], 16)) else m[0], shown) == text


def known(number: int) -> bool:
    """Whether a character is one that is shown by its number."""
    return number <= sys.maxunicode and (number == ord("\\") or UNSAFE.match(chr(number)) is not None)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PARTS)))
def test_any_template_prints_or_is_refused(parts: list[str]) -> None:
    try:
        Renderer({"main": " ".join(parts)}, {}, DEFAULT).render("main", {"x": {"y": [1, "a"]}})
    except TemplateFault as refused:
        assert refused.finding.code.startswith("E61")


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=200) | st.text(alphabet="<>/='\"&;svg path#xlink:href style url()@", max_size=80).map(str.encode))
def test_any_drawing_is_judged(data: bytes) -> None:
    assert isinstance(fault(data), str | None)

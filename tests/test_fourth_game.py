"""The fourth game: two dice, moves and no attributes, written as docs/writing-a-game.md says. It is checked and printed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pypdfium2
import pytest

from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import Project, read, try_games
from seasons_build.pipeline.start import Typesetter

ROOT = Path(__file__).parent / "projects" / "fourth-game"


@cache
def game() -> Project:
    return read(ROOT)


def test_nothing_is_wrong_with_it() -> None:
    assert not game().diagnostics


def test_nobody_has_a_number() -> None:
    assert not any(sheet.stats for sheet in game().sheets.values())


def test_its_cases_hold() -> None:
    tried = try_games(game())
    assert tried.cases
    assert not [fault.message for case in tried.cases for fault in case.failures]


@pytest.mark.slow
def test_it_is_printed(tmp_path: Path) -> None:
    with Typesetter(workers=1) as typesetter:
        built = build(game(), Options(Asked(tuple(game().library.packs)), tmp_path), typesetter)
    assert not built.diagnostics
    assert not built.stale
    pages = pypdfium2.PdfDocument(tmp_path / "long-haul" / "moves.pdf")
    words = " ".join(" ".join(page.get_textpage().get_text_bounded() for page in pages).split())
    for printed in ("Push Through", "When: You drive on although you should not.", "On 10 or more, move up to 2 days."):
        assert printed in words

"""The engraving that is drawn as a font: what lies in templates/fonts is what the program draws."""

from __future__ import annotations

import importlib.util
import io
import sys
from pathlib import Path
from types import ModuleType

import pytest
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def marks() -> ModuleType:
    found = importlib.util.spec_from_file_location("marks", ROOT / "bench" / "marks.py")
    assert found is not None
    assert found.loader is not None
    module = sys.modules[found.name] = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def outlines(font: TTFont) -> dict[str, object]:
    table = font["glyf"]
    return {name: (font["hmtx"][name], *map(list, table[name].getCoordinates(table)[:2])) for name in font.getGlyphOrder()}


def test_the_engraving_is_as_the_program_draws_it(marks: ModuleType) -> None:
    buffer = io.BytesIO()
    marks.drawn().save(buffer)
    drawn, kept = TTFont(io.BytesIO(buffer.getvalue())), TTFont(marks.FILE)
    assert outlines(drawn) == outlines(kept), "run `python bench/marks.py`"
    assert drawn.getBestCmap() == kept.getBestCmap()


def test_a_back_is_the_same_after_half_a_turn(marks: ModuleType) -> None:
    lines = list(marks._turned(6900, 9400))
    places = {(round(x), round(y)) for line in lines for x, y in [line(n / 20) for n in range(21)]}
    turned = {(6900 - x, 9400 - y) for x, y in places}
    assert all(any((x + dx, y + dy) in places for dx in (-1, 0, 1) for dy in (-1, 0, 1)) for x, y in turned)

"""The pages of this stage's codes: each bad example gives its code, each good one does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image
from small_theme import CARD, PAGE_CSS, Press, codes

from seasons_build.core import finding
from seasons_build.core.limits import Limits
from seasons_build.typeset.typesetter import Typesetter

PAGES = Path(finding.__file__).parents[1] / "pages"
CODES = sorted(finding._SAID)
WITHOUT_EXAMPLES = ("E622", "E850")
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>"


def png(pixels: int) -> bytes:
    """A square picture."""
    out = BytesIO()
    Image.new("RGB", (pixels, pixels), (90, 90, 90)).save(out, "PNG")
    return out.getvalue()


IMAGES = {"rope.svg": SVG, "broken.png": b"no picture", "stamp.png": png(40), "snapshot.png": png(200), "fine.png": png(240)}


def examples(code: str) -> dict[str, dict[str, str]]:
    """The fenced parts of a page by heading and language."""
    sections = (PAGES / f"{code}.md").read_text("utf-8").split("\n## ")
    return {s.partition("\n")[0].lower(): dict(re.findall(r"```(\w+)\n(.*?)```", s, re.DOTALL)) for s in sections[1:]}


@pytest.fixture(scope="module")
def brief() -> Iterator[Press]:
    with Typesetter(workers=1, limits=Limits(face_seconds=1, document_seconds=2)) as typesetter:
        yield Press(typesetter)


@pytest.mark.parametrize("code", CODES)
def test_each_code_has_a_page(code: str) -> None:
    text = (PAGES / f"{code}.md").read_text("utf-8")
    assert re.match(rf"# {code}: [a-z`][^\n]*[^.\n]\n[A-Z][^\n]+\n", text)
    assert set(examples(code)) == (set() if code in WITHOUT_EXAMPLES else {"bad", "good"})


@pytest.mark.parametrize("code", [code for code in CODES if code not in WITHOUT_EXAMPLES])
@pytest.mark.parametrize("kind", ["bad", "good"])
def test_the_examples_hold(brief: Press, code: str, kind: str) -> None:
    parts = examples(code)[kind]
    entry: dict[str, Any] = {"name": "", "text": "", **(yaml.safe_load(parts.get("yaml", "")) or {})}
    texts = tuple((field, text) for field, text in entry.items() if text and field == "text")
    html = parts.get("html", CARD)
    css = {"own.css": parts.get("css", ""), "page.css": PAGE_CSS + "@page{size:90mm 90mm;margin:9mm}"}
    theme: dict[str, Any] = {"images": IMAGES, "floor_pt": Fraction(6)}
    if code in ("W623", "E767", "E783"):
        result = brief.document(html, css=parts.get("css", ""), job={"forms": True}, **theme)
    else:
        result = brief.face(html, css=css, job={"context": {"entry": entry}, "texts": texts}, **theme)
    assert set(codes(result)) == ({code} if kind == "bad" else set())

"""A theme for tests: three families of the project's fonts, a page with a field that is fitted, and what a test adds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from seasons_build.core.finding import Finding
from seasons_build.core.job import DocumentJob, FaceJob, Job, Step, Theme, Typeset
from seasons_build.typeset.typesetter import Typesetter

ROOT = Path(__file__).parents[2]
ALL_FONTS = {path.name: path.read_bytes() for path in sorted((ROOT / "templates" / "fonts").glob("*.ttf"))}
FONTS = {
    name: ALL_FONTS[name]
    for name in (
        "barlow-semi-condensed-400-normal.ttf",
        "barlow-semi-condensed-700-normal.ttf",
        "saira-condensed-700-normal.ttf",
        "FrontiersIcons.ttf",
        "Besley-500.ttf",
    )
}

FONT_CSS = """
@font-face{font-family:"T";font-weight:400;src:url(fonts/barlow-semi-condensed-400-normal.ttf)}
@font-face{font-family:"T";font-weight:700;src:url(fonts/barlow-semi-condensed-700-normal.ttf)}
@font-face{font-family:"D";src:url(fonts/saira-condensed-700-normal.ttf)}
@font-face{font-family:"I";src:url(fonts/FrontiersIcons.ttf)}
"""
PAGE_CSS = """
*{margin:0;padding:0}
body{font:10pt/12pt "T","I"}
.text{position:absolute;left:5mm;right:5mm;top:20mm;font-size:var(--size,10pt);line-height:120%}
.floor{position:absolute;left:5mm;bottom:5mm;font:7pt "T"}
.large{--size:14pt} .middle{--size:10pt} .small{--size:7pt}
"""
CARD = """<h1 id="in:name" style="position:absolute;top:6mm;left:5mm">{{ entry.name }}</h1>
<div class="text" id="fit:text">{{ entry.text }}</div><div class="floor" id="floor">foot</div>"""
WORDS = "the rope holds and nobody looks down while it does "


@dataclass(frozen=True)
class Press:
    """A typesetter at work for a test; every call opens a theme of its own."""

    typesetter: Typesetter

    def run(self, jobs: Sequence[Job], **theme: Any) -> list[Typeset]:
        """The results of jobs in a theme with these templates, stylesheets and so on."""
        self.typesetter.open(small_theme(**theme))
        return list(self.typesetter.run(jobs))

    def face(self, html: str = CARD, *, css: str | Mapping[str, str] = "", job: Mapping[str, Any] | None = None, **theme: Any) -> Typeset:
        """A face made by one template; `css` is a stylesheet of its own, or several by name."""
        sheets = {"own.css": css} if isinstance(css, str) else {"own.css": "", **css}
        given = {"templates": {"card": html, **theme.pop("templates", {})}, "css": sheets}
        (result,) = self.run([face_job(**{"stylesheets": ("fonts.css", "page.css", "own.css"), **(job or {})})], **given, **theme)
        return result

    def document(self, html: str, *, css: str = "", job: Mapping[str, Any] | None = None, **theme: Any) -> Typeset:
        """A document made by one template."""
        given = {"templates": {"part": html, **theme.pop("templates", {})}, "css": {"own.css": css}}
        (result,) = self.run([document_job(**(job or {}))], **given, **theme)
        return result


def small_theme(
    *,
    templates: Mapping[str, str] | None = None,
    css: Mapping[str, str] | None = None,
    fonts: Mapping[str, bytes] = FONTS,
    images: Mapping[str, bytes] | None = None,
    floor_pt: Fraction = Fraction(0),
) -> Theme:
    """The theme `t`."""
    sheets = {"fonts.css": FONT_CSS, "page.css": PAGE_CSS, **(css or {})}
    return Theme("t", {"card": CARD, **(templates or {})}, sheets, fonts, images or {}, {"hp": "✚"}, floor_pt)


def face_job(text: str = "", name: str = "", **more: Any) -> FaceJob:
    """A face of the theme `t`, 63 by 88 mm."""
    given: dict[str, Any] = {
        "key": "k",
        "theme": "t",
        "template": "card",
        "context": {"entry": {"name": name, "text": text}},
        "stylesheets": ("fonts.css", "page.css"),
        "size_mm": (Fraction(63), Fraction(88)),
        "texts": tuple((field, said) for field, said in (("name", name), ("text", text)) if said),
    }
    return FaceJob(**{**given, **more})


def document_job(*contexts: Mapping[str, Any], **more: Any) -> DocumentJob:
    """A document of the theme `t`, one part for each context."""
    given: dict[str, Any] = {
        "key": "k",
        "theme": "t",
        "parts": tuple(("part", context) for context in contexts or ({},)),
        "stylesheets": ("fonts.css", "page.css", "own.css"),
        "title": "Title",
    }
    return DocumentJob(**{**given, **more})


def codes(result: Typeset) -> list[str]:
    """The codes of what was found."""
    return [finding.code for finding in result.findings]


def found(result: Typeset, code: str) -> Finding:
    """The one finding with this code."""
    (finding,) = [finding for finding in result.findings if finding.code == code]
    return finding


LADDER = (Step("large"), Step("middle"), Step("small"))


def words(count: int) -> str:
    """So many words."""
    return " ".join(word for word, _ in zip(_endless(), range(count), strict=False))


def _endless() -> Iterator[str]:
    while True:
        yield from WORDS.split()

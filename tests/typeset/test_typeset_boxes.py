"""What is assumed of the typesetter's boxes, and that the check of font stacks tells the truth: compared with the fonts in the PDF."""

from __future__ import annotations

import ctypes
import logging
import warnings
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw
import pytest
from small_theme import ALL_FONTS, face_job, small_theme

from seasons_build.core.limits import DEFAULT

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from seasons_build.worker.boxes import Laid, laid_out
    from seasons_build.worker.markup import inspect, whole
    from seasons_build.worker.press import read, rendered, written
    from seasons_build.worker.proof import Expected, Proof
    from seasons_build.worker.styles import sharing
    from seasons_build.worker.theme import LoadedTheme, logged

CSS = """
@font-face{font-family:"T";font-weight:400;src:url(fonts/barlow-semi-condensed-400-normal.ttf)}
@font-face{font-family:"D";src:url(fonts/saira-condensed-700-normal.ttf)}
@font-face{font-family:"I";src:url(fonts/FrontiersIcons.ttf)}
@font-face{font-family:"S";src:url(fonts/SPIcons.ttf)}
@font-face{font-family:"M";src:url(fonts/ibm-plex-mono-500-normal.ttf)}
@page{size:90mm 60mm;margin:0}
*{margin:0}
body{font:10pt/12pt "T"}
"""


@pytest.fixture(scope="module")
def theme(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedTheme]:
    """A loaded theme on a machine without fonts."""
    with pytest.MonkeyPatch.context() as patch:
        config = tmp_path_factory.mktemp("fontconfig") / "fonts.conf"
        config.write_text("<fontconfig/>", encoding="utf-8")
        patch.setenv("FONTCONFIG_FILE", str(config))
        yield LoadedTheme(small_theme(css={"fonts.css": CSS, "page.css": ""}, fonts=ALL_FONTS), DEFAULT)


def document(theme: LoadedTheme, html: str, css: str = "") -> Any:
    page, _ = read(whole(html, title="", lang="en", classes=""), "t", theme, alt=False)
    return rendered(page, theme, (*theme.styles(("fonts.css",)).sheets, theme.own_sheet(css)), sharing())


def laid(theme: LoadedTheme, html: str, css: str = "") -> Laid:
    return laid_out(document(theme, html, css).pages[0], theme.capitals)


def test_runs_are_lines_with_their_style_and_place(theme: LoadedTheme) -> None:
    html = "<p style='position:absolute;left:10mm;top:20mm;width:30mm;font:10pt/20pt D'>one two three four five six seven eight</p>"
    runs = laid(theme, html).runs
    assert len(runs) > 1
    assert " ".join(run.text.strip() for run in runs) == "one two three four five six seven eight"
    assert {run.families for run in runs} == {("D",)}
    assert {round(run.size * 0.75, 6) for run in runs} == {10}
    first, second = runs[0].rect, runs[1].rect
    assert first[0] == pytest.approx(10 / 25.4 * 96 + 0.6)
    assert second[3] - first[3] == pytest.approx(20 / 0.75, abs=3), "lines of 20 points"
    assert 0.6 < (first[3] - first[1]) * 0.75 / 10 < 0.75, "from the top of the capitals to the line"
    assert [run.tail > 0 for run in laid(theme, "<p>rose</p><p>rope</p>").runs] == [False, True]
    middle = (20 / 25.4 * 72 + 10) / 0.75
    assert first[1] < middle < first[3]


def test_a_turned_text_is_where_it_is_drawn(theme: LoadedTheme) -> None:
    (run,) = laid(theme, "<p style='position:absolute;left:20mm;top:20mm;width:20mm;height:12pt;transform:rotate(90deg)'>turned</p>").runs
    assert run.rect[3] - run.rect[1] > 2 * (run.rect[2] - run.rect[0])
    assert run.clip is None


def test_what_a_stylesheet_writes_is_told_apart(theme: LoadedTheme) -> None:
    css = "p::before{content:'A '} p::after{content:' B'} @page{margin-bottom:9mm;@bottom-left{content:'C'}}"
    css += "ul{padding:0 9mm} li{list-style:'D '}"
    runs = laid(theme, "<p>own</p><ul><li>item</li></ul>", css).runs
    assert {run.text.strip(): run.generated for run in runs} == {"A": True, "own": False, "B": True, "D": True, "item": False, "C": True}


def test_texts_know_their_element_and_the_marks_around_them(theme: LoadedTheme) -> None:
    html = "<div id='fit:a'>one<b id='in:b'>two</b></div><p>three</p>"
    page, source = read(whole(html, title="", lang="en", classes=""), "t", theme, alt=False)
    found = laid_out(rendered(page, theme, theme.styles(("fonts.css",)).sheets, sharing()).pages[0], theme.capitals)
    assert {name: [run.text for run in runs] for name, runs in found.parts.items()} == {"fit:a": ["one", "two"], "in:b": ["two"]}
    assert found.lines == {"in:b"}
    elements = {id(element): element.tag for element in page.etree_element.iter()}
    assert [elements[run.element] for run in found.runs] == ["div", "b", "p"]
    assert inspect(page.etree_element, "t", (), alt=False).text == source.text == "onetwothree"


def test_what_cuts_a_text_off(theme: LoadedTheme) -> None:
    html = "<div style='overflow:hidden;width:20mm;height:10mm;padding:1mm'><p style='overflow:hidden;width:50mm'>a</p></div><p>b</p>"
    inside, outside = laid(theme, html).runs
    assert inside.clip == pytest.approx((0, 0, 22 / 25.4 * 96, 12 / 25.4 * 96), abs=40)
    assert inside.clip is not None
    assert inside.clip[2] == pytest.approx(22 / 25.4 * 96)
    assert outside.clip is None


# The check of stacks


def drawn_with(pdf: bytes) -> dict[str, set[str]]:
    """The families that each character of a page was drawn with, as the PDF has them."""
    found: dict[str, set[str]] = {}
    document = pypdfium2.PdfDocument(pdf)
    page = document[0]
    text = page.get_textpage()
    name, flags = ctypes.create_string_buffer(200), ctypes.c_int()
    for index in range(text.count_chars()):
        character = chr(pypdfium2.raw.FPDFText_GetUnicode(text, index))
        if not character.isspace() and pypdfium2.raw.FPDFText_GetFontInfo(text, index, name, 200, ctypes.byref(flags)):
            found.setdefault(character, set()).add(name.value.decode().split("+")[1].split("-")[0])
    text.close()
    page.close()
    document.close()
    return found


TEXTS = ["Rope & knot", "a ✚ b ⛊", "½ − × · “x” …", "■ □ ◆ ●", "⌗ ϟ ⇉", "é ñ ß Ø ł", "→ ↑ ↓", "fi fl ffi", "2⁄3 ′ ″ ‹ ›"]
STACKS = [("T",), ("T", "I"), ("D",), ("D", "I", "S"), ("I", "T"), ("S",), ("M", "T"), ("I",)]


@pytest.mark.parametrize("stack", STACKS, ids="-".join)
def test_a_character_is_drawn_from_its_stack_unless_the_proof_says_otherwise(theme: LoadedTheme, stack: tuple[str, ...]) -> None:
    style = ",".join(stack)
    for text in TEXTS:
        html = f"<p style='font-family:{style}'>{text.replace('&', '&amp;')}</p>"
        laid_page = document(theme, html)
        found = laid_out(laid_page.pages[0], theme.capitals)
        _, source = read(whole(html, title="", lang="en", classes=""), "t", theme, alt=False)
        proof = Proof(source, found.runs, Expected.of((("text", text),), theme.same), theme)
        told = {finding.text: finding.code for finding in proof.fonts()}
        pdf = written(laid_page, uncompressed_pdf=True)
        for character, families in drawn_with(pdf).items():
            if character in told:
                assert told[character] == "E606" or not families & set(stack), (text, character, families)
            else:
                assert families <= set(stack), (text, character, families)
        assert set(told.values()) <= {"E606", "E607"}


def test_what_the_typesetter_says_is_a_finding_or_nothing() -> None:
    logger = logging.getLogger("weasyprint")
    logged()
    logger.warning("Ignored `%s:%s` at %d:%d, %s.", "colour", " red", 3, 5, "unknown property")
    logger.warning('Using fontTools instead of HarfBuzz-Subset for font "%s". This will be unsupported.', "T")
    logger.warning("Font-face %r cannot be loaded", "T")
    logger.error("Failed to load image at %r: %s", "theme:///images/a.png", "broken")
    logger.warning("Parse error at %d:%d: %s", 1, 2, "EOF reached")
    logger.warning("Subgrids are unsupported")
    assert [(finding.code, finding.text, finding.line, finding.column) for finding in logged("own.css")] == [
        ("E616", "colour: red", 3, 5),
        ("E618", "T", None, None),
        ("E619", "images/a.png", None, None),
        ("E616", "", 1, 2),
        ("E616", "", None, None),
    ]
    assert logged() == []


def test_a_job_comes_to_the_same_again(theme: LoadedTheme) -> None:
    from seasons_build.worker.typeset import typeset

    job = face_job("rope", stylesheets=("fonts.css",))
    assert typeset(job, theme, DEFAULT) == typeset(job, theme, DEFAULT)
    assert typeset(job, theme, DEFAULT).pages == 1

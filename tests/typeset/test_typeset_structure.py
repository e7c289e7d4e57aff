"""What a screen reader finds in a document: everything that stands there, in order, icons by name, and nothing that says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from small_theme import Press

from seasons_build.core.job import Typeset
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import read
from seasons_build.pipeline.start import Typesetter
from seasons_build.worker.structure import content

ROOT = Path(__file__).parents[2]
SPOKEN = (("\u271a", "HP"),)
CELLS = ("TD", "TH")


def document(press: Press, html: str, css: str = "") -> Typeset:
    return press.document(html, css=css, job={"spoken": SPOKEN, "forms": True})


def tags(result: Typeset) -> list[Any]:
    """The structure as lists: a tag, then what is in it; texts that are read out in place of content as they are."""
    assert result.pdf is not None
    with pikepdf.open(BytesIO(result.pdf)) as document:
        return [tagged(top) for top in document.Root.StructTreeRoot.K]


def tagged(element: Any) -> Any:
    said = element.get("/ActualText")
    if said is not None:
        return str(said)
    return [str(element.S)[1:], *(("text" if isinstance(kid, int) else "field" if "/S" not in kid else tagged(kid)) for kid in element.K)]


def test_the_structure_says_what_is_there_and_nothing_else(press: Press) -> None:
    html = """<h1>Rope</h1><div><div></div><div><span><b>It</b> holds.</span></div></div><p>Two \u271a and <em>one</em></p>
    <div class="f" data-field="x" title="X">1</div><table><tr><td>a</td><td></td></tr></table>"""
    assert tags(document(press, html)) == [
        ["Document", ["H1", "text"], ["Div", ["P", "text", "text"]], ["P", "Two HP and", "text"], ["P", ["Form", "field"]],
         ["Table", ["TBody", ["TR", ["TD", "text"], ["TD"]]]]]
    ]  # fmt: skip


def test_an_icon_before_its_own_name_is_said_once(press: Press) -> None:
    html = "<p>\u271a HP and \u271a.</p>"
    assert tags(document(press, html)) == [["Document", ["P", "HP and HP."]]]


def test_an_ornament_is_no_part_of_the_text(press: Press) -> None:
    css = '@font-face{font-family:"X";src:url(fonts/FrontiersIcons.ttf)} .x{font-family:"I"}'
    with_one = document(press, "<p>a</p><p class=x>\u2009</p>", css)
    assert unmarked(with_one.pdf or b"") == 0


def test_nothing_stands_outside_the_structure(press: Press) -> None:
    html = "<h1>Rope</h1><table><tr><td style='background:#EEE'>a</td></tr></table><p style='border:1px solid'>b</p>"
    assert unmarked(document(press, html).pdf or b"") == 0


def unmarked(pdf: bytes) -> int:
    """How many things on the pages are neither content nor ornament."""
    pages = pypdfium2.PdfDocument(pdf)
    return sum(pdfium.FPDFPageObj_CountMarks(thing.raw) == 0 for page in pages for thing in page.get_objects(max_depth=1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "products"),
    [("frontiers", ("statblocks", "reference", "screen", "character-sheets")), ("seasons-pass", ("reference", "sheets"))],
)
def test_the_documents_of_the_games_can_be_read_out(pack: str, products: tuple[str, ...], tmp_path: Path) -> None:
    project = read(ROOT, named=(pack,))
    wanted = tuple(f"{pack}:{product}" for product in products)
    with Typesetter(workers=2) as typesetter:
        assert build(project, Options(Asked((pack,), wanted), tmp_path / "out"), typesetter).stale == ()
    icons = {str(noun.data) for noun in project.library.rules[pack]["icons"].values()}
    files = sorted((tmp_path / "out").rglob("*.pdf"))
    assert len(files) >= len(products)
    for file in files:
        raw = file.read_bytes()
        assert unmarked(raw) == 0
        with pikepdf.open(BytesIO(raw)) as pdf:
            assert (str(pdf.Root.Lang), bool(pdf.Root.MarkInfo.Marked), bool(str(pdf.docinfo["/Title"]))) == ("en", True, True)
            told = list(_read_out(pdf, content(raw)))
            with pdf.open_outline() as outline:
                titles = [item.title for item in _items(outline.root)]
        assert [tag for tag, text, empty in told if empty and tag not in CELLS] == []
        assert [text for tag, text, _ in told if any(icon in text for icon in icons)] == []
        headings = [tag for tag, _, _ in told if tag in ("H1", "H2", "H3", "H4")]
        assert headings[0] == "H1"
        assert all(int(after[1]) <= int(before[1]) + 1 for before, after in pairwise(headings))
        assert len(titles) == len(headings)


def _items(outline: Any) -> Iterator[Any]:
    for item in outline:
        yield item
        yield from _items(item.children)


def _read_out(pdf: pikepdf.Pdf, texts: list[dict[int, str]]) -> Iterator[tuple[str, str, bool]]:
    """Each element in order: its tag, the text of its own that is read out, whether it is empty."""
    pages = {page.objgen: number for number, page in enumerate(pdf.pages)}
    waiting = list(reversed(list(pdf.Root.StructTreeRoot.K)))
    while waiting:
        element = waiting.pop()
        kids = list(element.K)
        said = element.get("/ActualText")
        own = "".join(texts[pages[element.Pg.objgen]].get(int(kid), "") for kid in kids if isinstance(kid, int))
        yield str(element.S)[1:], own if said is None else str(said), not kids
        waiting += [kid for kid in reversed(kids) if not isinstance(kid, int) and "/S" in kid]


def test_an_icon_in_an_element_of_its_own_is_said_once_too(press: Press) -> None:
    css = "h2{text-transform:uppercase;letter-spacing:2mm}"
    html = "<h1>a</h1><h2><span>\u271a</span>Hp</h2><p><b>\u271a</b> <i>HP</i> or <b>\u271a</b> 2</p>"
    assert tags(document(press, html, css))[0][2:] == [["H2", "text"], ["P", "text", "text", "HP", "text"]]


def test_what_is_hidden_is_no_part_of_the_text_and_a_label_is_said_in_its_place(press: Press) -> None:
    html = """<h1>a</h1><p>Two <b aria-label="pips, two">\u25cf <i>\u25cf</i></b> <span aria-hidden="true">b <i>c</i></span></p>
    <div aria-hidden="true"><p>d</p><table><tr><td>e</td></tr></table></div>"""
    result = document(press, html)
    assert tags(result)[0][2:] == [["P", "text", "pips, two"]]
    assert unmarked(result.pdf or b"") == 0


def test_a_box_to_tick_is_read_out_by_its_name_alone(press: Press) -> None:
    html = '<h1>a</h1><p>Which: <b data-tick="x/1" title="First">1</b> <b data-tick="x/2" title="Second">\u25c7</b></p>'
    assert tags(document(press, html))[0][2:] == [["P", "text", ["Form", "field"], ["Form", "field"]]]


def test_nothing_in_a_heading_is_a_block_of_its_own(press: Press) -> None:
    html = '<h1>a</h1><h2 style="display:flex">b<span style="display:block">c <em>d</em></span></h2>'
    assert tags(document(press, html))[0][2:] == [["H2", "text", "text", "text"]]


def test_the_outline_says_headings_as_they_are_read_out(press: Press) -> None:
    html = """<h1>a<span style="display:block">b</span>c<b>d</b><br>e</h1>
    <h2>f <i aria-hidden="true">\u25cf</i><b aria-label="two">\u25cf</b> \u271a</h2>
    <h2 style="bookmark-label:'g'">h</h2>"""
    assert titles(document(press, html)) == ["a b cd e", "f two HP", "g"]


def titles(result: Typeset) -> list[str]:
    assert result.pdf is not None
    with pikepdf.open(BytesIO(result.pdf)) as document, document.open_outline() as outline:
        return [item.title for item in _items(outline.root)]

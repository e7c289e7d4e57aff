"""Sheets to fill in: elements that a template marks become fields that hold and show what stood there."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops
from small_theme import Press, codes

from seasons_build.core.job import Typeset

PAGES = Path(__file__).parents[2] / "seasons_build" / "pages"
CSS = """
@page{size:100mm 80mm;margin:5mm}
.f{width:60mm;height:8mm;background:#DDD;border-bottom:1px solid #000;margin-bottom:2mm;font:700 14pt D,I}
.bx{display:inline-block;width:6mm;height:6mm;border:1px solid #123456;background:#FFF;text-align:center}
.bx[data-on]{background:#123456;color:#FFF}
.dot::before{content:attr(data-empty)}
.dot[data-on]::before{content:attr(data-mark)}
.c{text-align:center}
"""
SHEET = """<h1 class="f" data-field="entry/name" title="Name">Bj\u00f6rn</h1>
<div class="f c" data-field="max_hp" data-derived="yes" title="\u271a, most"><span>\u22123 \u271a</span></div>
<div class="f" data-field="blank" data-derived="yes"></div>
<div class="f" data-field="notes" data-lines="yes"></div>
<div class="f" data-field="entry/name">Bj\u00f6rn</div>
<span class="bx" data-tick="now/1" data-on="yes">1</span><span class="bx" data-tick="now/2">2</span>
<i class="dot" data-tick="dots/1" data-mark="\u2726" data-empty="\u2727" data-on="yes"></i>"""
SPOKEN = (("\u271a", "HP"),)


def sheet(press: Press, html: str = SHEET, *, forms: bool = True) -> Typeset:
    return press.document(html, css=CSS, job={"forms": forms, "spoken": SPOKEN, "source": "name: Bj\u00f6rn\n"})


@contextmanager
def fields(result: Typeset) -> Iterator[dict[str, Any]]:
    assert result.pdf is not None
    with pikepdf.open(BytesIO(result.pdf)) as document:
        yield {str(field.T): field for field in document.Root.AcroForm.Fields}


def picture(pdf: bytes) -> Image.Image:
    document = pypdfium2.PdfDocument(pdf)
    document.init_forms()
    return document[0].render(scale=3, may_draw_forms=True).to_pil().convert("L")


def test_what_is_marked_is_a_field_with_its_value(press: Press) -> None:
    result = sheet(press)
    assert codes(result) == []
    with fields(result) as found:
        has_values(found)


def has_values(found: Mapping[str, Any]) -> None:
    assert list(found) == ["entry/name", "max_hp", "blank", "notes", "now/1", "now/2", "dots/1"]
    assert [str(found[name].V) for name in found] == ["Bj\u00f6rn", "\u22123 HP", "", "", "/On", "/Off", "/On"]
    assert [str(found[name].TU) for name in ("entry/name", "max_hp", "blank")] == ["Name", "HP, most", "blank"]
    assert [int(found[name].get("/Ff", 0)) for name in ("entry/name", "max_hp", "blank", "notes")] == [0, 1, 0, 1 << 12]
    assert int(found["max_hp"].Q) == 1
    assert all(field.V == field.DV for field in found.values())


def test_one_name_at_two_places_is_one_field(press: Press) -> None:
    with fields(sheet(press)) as found:
        kids = list(found["entry/name"].Kids)
        assert len(kids) == 2
        assert all("/T" not in kid and kid.Parent.T == "entry/name" for kid in kids)


def test_a_sheet_to_fill_in_looks_like_a_flat_one(press: Press) -> None:
    filled, flat = sheet(press), sheet(press, forms=False)
    assert filled.pdf is not None
    assert flat.pdf is not None
    with pikepdf.open(BytesIO(flat.pdf)) as document:
        assert "/AcroForm" not in document.Root
    difference = ImageChops.difference(picture(filled.pdf), picture(flat.pdf))
    assert sum(difference.histogram()[96:]) < 60


def test_a_ticked_box_is_filled_and_an_empty_one_is_not(press: Press) -> None:
    empty = picture(sheet(press, SHEET.replace(' data-on="yes"', "")).pdf or b"")
    ticked = picture(sheet(press).pdf or b"")
    assert sum(ticked.histogram()[:80]) - sum(empty.histogram()[:80]) > 200


def test_the_text_of_a_field_stands_in_the_field_alone(press: Press) -> None:
    document = pypdfium2.PdfDocument(sheet(press).pdf)
    text = document[0].get_textpage().get_text_range()
    assert "Bj" not in text
    assert "1" in text


def test_what_can_be_written_has_a_font_with_all_letters(press: Press) -> None:
    with fields(sheet(press)) as found:
        name = str(found["notes"].DA).split()[0]
    with pikepdf.open(BytesIO(sheet(press).pdf or b"")) as document:
        font = document.Root.AcroForm.DR.Font[name]
        assert (str(font.Encoding.BaseEncoding), int(font.FirstChar), int(font.LastChar)) == ("/WinAnsiEncoding", 32, 255)
        assert sum(1 for width in font.Widths if int(width)) > 190


def test_a_field_that_is_cut_off_is_none(press: Press) -> None:
    two = '<div class="f" data-field="seen" style="height:4mm"></div><div data-field="cut">\u2003</div>'
    html = f'<div style="height:5mm;overflow:hidden">{two}</div>'
    with fields(sheet(press, html)) as found:
        assert list(found) == ["seen"]


def test_the_sheet_keeps_what_it_was_made_from(press: Press) -> None:
    with pikepdf.open(BytesIO(sheet(press).pdf or b"")) as document:
        assert document.attachments["entry.yaml"].get_file().read_bytes().decode() == "name: Bj\u00f6rn\n"


def test_the_same_sheet_gives_the_same_bytes(press: Press) -> None:
    assert sheet(press).pdf == sheet(press).pdf


def test_a_form_lies_on_other_paper_whole(press: Press) -> None:
    css, job = CSS.replace("100mm 80mm", "80mm 100mm"), {"forms": True}
    result = press.document(SHEET, css=css, job={**job, "paper_mm": (Fraction(50), Fraction(80))})
    before = press.document(SHEET, css=css, job=job)
    with pikepdf.open(BytesIO(result.pdf or b"")) as small, pikepdf.open(BytesIO(before.pdf or b"")) as large:
        wide, tall = (float(edge) for edge in small.pages[0].mediabox[2:])
        assert (round(wide, 1), round(tall, 1)) == (141.7, 226.8)
        notes, ones = (next(f for f in one.Root.AcroForm.Fields if f.T == "notes") for one in (small, large))
        edges = [float(edge) for edge in notes.Rect]
        assert round((edges[2] - edges[0]) / float(ones.Rect[2] - ones.Rect[0]), 3) == 0.625
        assert 0 < edges[1] < edges[3] < tall
        assert round(float(str(notes.DA).split()[1]) / float(str(ones.DA).split()[1]), 2) == 0.62


def test_names_of_fields(press: Press) -> None:
    two = "<p data-field=a>1</p><b data-tick=a>2</b>"
    assert [(f.code, f.text) for f in sheet(press, two).findings] == [("E783", "a")]


@pytest.mark.parametrize("code", ["E767", "E783"])
def test_the_pages_of_codes(press: Press, code: str) -> None:
    for part in (PAGES / f"{code}.md").read_text("utf-8").split("\n## ")[1:]:
        html = part.split("```html\n")[1].split("```")[0]
        assert codes(sheet(press, html)) == ([code] if part.startswith("Bad") else [])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="no poppler here")
def test_two_viewers_show_the_same(press: Press, tmp_path: Path) -> None:
    pdf = sheet(press).pdf or b""
    (tmp_path / "sheet.pdf").write_bytes(pdf)
    subprocess.run(["pdftoppm", "-r", "216", "-png", "-f", "1", "-l", "1", "sheet.pdf", "seen"], cwd=tmp_path, check=True, timeout=60)
    (seen,) = tmp_path.glob("seen*.png")
    with Image.open(seen) as image:
        ours = picture(pdf)
        difference = ImageChops.difference(ours, image.convert("L").resize(ours.size))
    assert sum(difference.histogram()[128:]) < ours.width * ours.height / 100


def test_a_link_to_an_entry_that_is_not_here_is_words(press: Press) -> None:
    links = '<p><a class="entry-link" href="#coat/cape">Cape</a> <a class="entry-link" href="#coat/rug">Rug</a></p><p id="coat/cape">c</p>'
    result = sheet(press, links)
    assert codes(result) == []
    with pikepdf.open(BytesIO(result.pdf or b"")) as document:
        assert [str(each.Dest) for each in document.pages[0].Annots if each.Subtype == "/Link"] == ["coat/cape"]

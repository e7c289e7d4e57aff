"""Documents: parts in a frame, page after page, proved like faces."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO

import pikepdf
import pypdfium2
from small_theme import FONTS, Press, codes, document_job, found, words

from seasons_build.core.job import Typeset

A5 = "@page{size:148mm 210mm;margin:15mm;@bottom-center{content:counter(page);font:8pt T}} h1{bookmark-level:1} .block{break-inside:avoid}"


def opened(result: Typeset) -> pikepdf.Pdf:
    assert result.pdf is not None
    return pikepdf.open(BytesIO(result.pdf))


def text_of(result: Typeset) -> str:
    document = pypdfium2.PdfDocument(result.pdf)
    found = "".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return found


def test_parts_follow_each_other_in_their_frame(press: Press) -> None:
    templates = {
        "part": '<section class="block"><h2>{{ entry.name }}</h2><p>{{ entry.text }}</p></section>',
        "frame": "<!doctype html><html lang='{{ lang }}'><head><title>{{ product.title }}</title></head><body><h1>{{ product.title }}</h1>"
        "{% for block in blocks %}{{ block }}{% endfor %}</body></html>",
    }
    parts = [{"entry": {"name": f"Foe {number}", "text": {"$html": f"<b>{words(60)}</b>"}}} for number in range(12)]
    texts = tuple((f"{number}.text", f"<b>{words(60)}</b>") for number in range(12))
    job = document_job(*parts, frame="frame", frame_context={"product": {"title": "Foes & Friends"}}, lang="fr", texts=texts)
    (result,) = press.run([job], templates=templates, css={"own.css": A5})
    assert (result.findings, result.face) == ((), None)
    assert result.pages > 1
    with opened(result) as pdf:
        assert len(pdf.pages) == result.pages
        assert str(pdf.docinfo["/Title"]) == "Foes & Friends"
        assert str(pdf.Root.Lang) == "fr"
        assert "/StructTreeRoot" in pdf.Root
        with pdf.open_outline() as outline:
            assert [item.title for item in outline.root] == ["Foes & Friends"]
    assert text_of(result).index("Foe 3") < text_of(result).index("Foe 11")


def test_without_a_frame_the_head_is_ours(press: Press) -> None:
    result = press.document("<h1>Rope</h1>", job={"title": "A & B", "lang": "de", "authors": "Ann & Bob"})
    assert result.findings == ()
    with opened(result) as pdf:
        assert (str(pdf.docinfo["/Title"]), str(pdf.docinfo["/Author"]), str(pdf.Root.Lang)) == ("A & B", "Ann & Bob", "de")
        assert "/CreationDate" not in pdf.docinfo


def test_the_same_job_gives_the_same_bytes(press: Press) -> None:
    html = f"<h1>a</h1><p>{words(500)}</p><b data-field=x>x</b><a href='#y'>y</a><p id=y>y</p>"
    assert press.document(html, job={"forms": True}).pdf == press.document(html, job={"forms": True}).pdf


def test_faults_are_told_with_their_part(press: Press) -> None:
    html = "<p>{{ entry.text }}</p>"
    texts = (("one.text", "all is well"), ("two.text", "rope 中"))
    job = document_job({"entry": {"text": "all is well"}}, {"entry": {"text": "rope 中"}}, texts=texts)
    (result,) = press.run([job], templates={"part": html}, css={"own.css": A5})
    assert [(finding.code, finding.field, finding.text) for finding in result.findings] == [("E606", "two.text", "中")]


def test_a_part_that_loses_text(press: Press) -> None:
    html = f"<div style='height:20mm;overflow:hidden'>{words(300)} end</div><p>after</p>"
    result = press.document(html, css=A5, job={"texts": (("text", f"{words(300)} end"), ("after", "after"))})
    assert [(finding.code, finding.field, finding.detail) for finding in result.findings] == [("E609", "text", "is cut off")]


def test_what_runs_along_in_the_margin_is_there_once(press: Press) -> None:
    css = "@page{size:90mm 90mm;margin:12mm;@top-left{content:element(head)}} .head{position:running(head)}"
    html = f"<div class=head>Rope and Knot</div><p>{words(300)}</p>"
    result = press.document(html, css=css, job={"texts": (("head", "Rope and Knot"), ("text", words(300)))})
    assert (result.findings, result.pages > 1) == ((), True)
    lost = press.document(html + "<p class=x>Knot</p>", css=css + ".x{display:none}")
    assert sorted(found(lost, "E604").text) == sorted("knot")


def test_boxes_and_sizes_are_measured_on_every_page(press: Press) -> None:
    html = "<p style='break-after:page'>one</p><h2 id='box:x' class=x><span id='in:x'>a heading that is too long</span></h2>"
    css = A5 + ".x{width:20mm;height:6mm;white-space:nowrap} .y{font-size:5pt}"
    result = press.document(html + "<p class=y>tiny</p>", css=css, floor_pt=Fraction(6))
    assert codes(result) == ["E602", "E608"]
    assert found(result, "E602").field == "x"


def test_pictures_need_words(press: Press) -> None:
    images = {"a.svg": b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>"}
    result = press.document("<p><img src='images/a.svg'><img src='images/a.svg' alt=''></p>", images=images)
    assert [(finding.code, finding.text) for finding in result.findings] == [("W623", "images/a.svg")]


def test_a_link_to_nowhere(press: Press) -> None:
    assert found(press.document("<p><a href='#nowhere'>a</a></p>"), "E615").text == "#nowhere"
    assert press.document("<p><a href='#there'>a</a></p><p id=there>b</p>").findings == ()


def test_links_survive(press: Press) -> None:
    with opened(press.document("<p><a href='https://example.org/x'>a</a></p>")) as pdf:
        (note,) = pdf.pages[0].Annots
        assert str(note.A.URI) == "https://example.org/x"


def test_the_fonts_are_those_of_the_theme(press: Press) -> None:
    fonts = {name: data for name, data in FONTS.items() if "Besley" not in name}
    result = press.document("<h1>Rope ✚</h1>", css="h1{font-family:D,I}", fonts=fonts)
    with opened(result) as pdf:
        names = {str(font.BaseFont).split("+")[1] for font in pdf.pages[0].Resources.Font.values()}
    assert names == {"D-Bold-Condensed", "I"}

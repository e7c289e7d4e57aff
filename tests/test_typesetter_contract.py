"""Everything that is assumed of WeasyPrint, and the linker on what it makes. A new version of the typesetter has to pass this file."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from fontTools.ttLib import TTFont, newTable
from PIL import Image, ImageChops

from seasons_build.core.face import Face, Reason, WholeFace, decode, encode
from seasons_build.core.font import postscript_name, read_font
from seasons_build.core.paper import CardSize, Paper
from seasons_build.impose import Card, font_parts, lay_out, link, one_page, sheets
from seasons_build.impose.whole import link_whole
from seasons_build.raster import page_png
from seasons_build.worker.extract import extract
from seasons_build.worker.reader import drawn_text
from seasons_build.worker.subset import subset_font

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # a machine without fonts is told about at import, and is what we want
    from weasyprint import CSS, HTML, VERSION
    from weasyprint.document import Document
    from weasyprint.text.fonts import FontConfiguration
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    from seasons_build.worker.uncut import uncut

ROOT = Path(__file__).parent
LOOK = ROOT / "fixtures" / "look"
FONTS = {path.name: path.read_bytes() for path in sorted((ROOT.parent / "templates" / "fonts").glob("*.ttf"))}
POKER, A4 = CardSize("poker", "Poker", 63, 88), Paper("a4", "A4", 210, 297)
STYLES = {"frontiers": ("fonts.css", "tokens.css", "card.css"), "seasons-pass": ("base.css",)}
PAGES = sorted(f"{path.parent.name}/{path.stem}" for path in LOOK.glob("*/*.html"))
PLAIN = "@page{size:63mm 88mm;margin:0}*{margin:0}body{font:10pt Text}"


class LookFetcher(URLFetcher):
    """Answers one private scheme: fonts, files of the look, and what a test adds."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(allowed_protocols=("look",), allow_redirects=False)
        self.files = files

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        name = url.removeprefix("look:")
        if name in self.files:
            return URLFetcherResponse(url, self.files[name], {"Content-Type": "image/svg+xml" if name.endswith("svg") else ""})
        return URLFetcherResponse(url, FONTS[name.removeprefix("fonts/")])


class Press:
    """One image cache, and for each set of stylesheets the parsed ones and a font configuration of their own."""

    def __init__(self) -> None:
        self.fetcher = LookFetcher({f"{p.parent.name}/{p.name}": p.read_bytes() for p in LOOK.glob("*/*.svg")})
        self._cache: dict[str, object] = {}
        self._styles: dict[tuple[str, ...], tuple[FontConfiguration, list[CSS]]] = {}

    def document(self, html: str, *styles: str) -> Document:
        if styles not in self._styles:
            fonts = FontConfiguration()
            self._styles[styles] = fonts, [CSS(string=style, font_config=fonts, url_fetcher=self.fetcher) for style in styles]
        fonts, parsed = self._styles[styles]
        return HTML(string=html, url_fetcher=self.fetcher).render(stylesheets=parsed, font_config=fonts, cache=self._cache)

    def pdf(self, html: str, *styles: str, **options: object) -> bytes:
        return self.document(html, *styles).write_pdf(uncompressed_pdf=True, **options)

    def look(self, page: str) -> bytes:
        game, name = page.split("/")
        html = (LOOK / game / f"{name}.html").read_text(encoding="utf-8").replace("src=art", f"src=look:{game}/art")
        styles = [(LOOK / game / style).read_text(encoding="utf-8").replace("url(fonts/", "url(look:fonts/") for style in STYLES[game]]
        return self.pdf(html, *styles)


@pytest.fixture(scope="module")
def press(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Press]:
    """A press on a machine without fonts, whatever this one has."""
    with pytest.MonkeyPatch.context() as patch:
        config = tmp_path_factory.mktemp("fontconfig") / "fonts.conf"
        config.write_text("<fontconfig/>", encoding="utf-8")
        patch.setenv("FONTCONFIG_FILE", str(config))
        yield Press()


@pytest.fixture(scope="module")
def looks(press: Press) -> dict[str, bytes]:
    return {page: press.look(page) for page in PAGES}


@pytest.fixture(scope="module")
def faces(looks: dict[str, bytes]) -> dict[str, Face]:
    found = {page: extract(pdf, FONTS) for page, pdf in looks.items()}
    assert [(page, face) for page, face in found.items() if isinstance(face, WholeFace)] == []
    return {page: face for page, face in found.items() if isinstance(face, Face)}


def font_face(family: str, file: str, more: str = "") -> str:
    return f"@font-face{{font-family:{family};src:url(look:fonts/{file});{more}}}"


def parts_of(faces: list[Face], files: dict[str, bytes] = FONTS) -> dict[str, object]:
    by_sha = {read_font(data).sha: data for data in files.values()}
    return {sha: font_parts(by_sha[sha]) for face in faces for sha in face.fonts}


def alone(face: Face) -> bytes:
    return link([one_page(face)], parts_of([face]), title="Alone")


def deck_of(faces: list[Face], back: Face | None = None) -> bytes:
    layout = lay_out(POKER, A4).value
    return link(sheets([Card(face, back) for face in faces], layout), parts_of([*faces, *([back] if back else [])]), title="Deck")


def text_of(pdf: bytes, page: int = 0) -> str:
    """The characters of a page; blanks are the reader's guess."""
    document = pypdfium2.PdfDocument(pdf)
    text = document[page].get_textpage().get_text_range()
    document.close()
    return "".join(text.split())


def picture(pdf: bytes, dpi: int = 150) -> Image.Image:
    return Image.open(BytesIO(page_png(pdf, dpi=dpi))).convert("L")


def unlike(one: bytes, other: bytes) -> float:
    """The share of pixels that differ by more than antialiasing does."""
    difference = ImageChops.difference(picture(one), picture(other))
    return sum(difference.histogram()[64:]) / (difference.width * difference.height)


# What is assumed of the typesetter


def test_the_version_that_was_read() -> None:
    assert VERSION == "70.0"


def test_a_box_with_an_id_tells_its_four_edges_in_pixels(press: Press) -> None:
    html = "<div id=a style='position:absolute;left:10px;top:20px;width:30px;height:40px'></div><span id=b>a</span>"
    anchors = press.document(html, PLAIN).pages[0].anchors
    assert anchors["a"] == (10, 20, 40, 60)
    assert len(anchors["b"]) == 4


def test_text_that_flows_over_makes_more_pages(press: Press) -> None:
    html = f"<div id=t>{'word ' * 600}</div>"
    style = PLAIN + font_face("Text", "barlow-semi-condensed-400-normal.ttf")
    pages = press.document(html, style).pages
    assert len(pages) > 1
    assert "t" in pages[1].anchors


def test_text_that_overflows_a_box_of_fixed_height_makes_no_page_but_shows_in_the_edges(press: Press) -> None:
    html = f"<div id=box style='height:20mm'><div id=t>{'word ' * 80}</div></div>"
    style = PLAIN + font_face("Text", "barlow-semi-condensed-400-normal.ttf")
    (page,) = press.document(html, style).pages
    assert page.anchors["t"][3] > page.anchors["box"][3] + 10


def test_an_embedded_font_keeps_the_name_id_6_of_its_file_and_is_called_by_the_stylesheet(looks: dict[str, bytes]) -> None:
    ours = {read_font(data).name for data in FONTS.values()}
    for pdf in looks.values():
        with pikepdf.open(BytesIO(pdf)) as document:
            for font in document.pages[0].Resources.Font.values():
                data = font.DescendantFonts[0].FontDescriptor.FontFile2.read_bytes()
                assert postscript_name(data) in ours
                assert re.match(r"/[A-Z]{6}\+(F|SP|Besley|Courier)\b", str(font.BaseFont))


def test_every_font_of_the_templates_has_a_name_id_6_of_its_own() -> None:
    names = Counter(read_font(data).name for data in FONTS.values())
    assert [name for name, count in names.items() if count > 1] == []
    assert all(read_font(data).linkable for data in FONTS.values())


def test_a_page_speaks_in_the_glyph_ids_of_the_file_and_writes_them_in_hexadecimal(press: Press) -> None:
    file = "saira-condensed-700-normal.ttf"
    with pikepdf.open(BytesIO(press.pdf("<p>Wa</p>", PLAIN + font_face("Text", file)))) as document:
        shown = re.findall(rb"<([0-9a-f]{4})>", document.pages[0].Contents.read_bytes())
        encoding = str(document.pages[0].Resources.Font[next(iter(document.pages[0].Resources.Font.keys()))].Encoding)
    font = TTFont(BytesIO(FONTS[file]))
    assert [int(glyph, 16) for glyph in shown] == [font.getGlyphID(font.getBestCmap()[ord(c)]) for c in "Wa"]
    assert encoding == "/Identity-H"


def test_a_ligature_stands_for_the_letters_that_it_was_made_of(press: Press, faces: dict[str, Face]) -> None:
    texts = {use.name: use.texts for use in faces["frontiers/card-ability-long"].fonts.values()}
    assert sorted(texts["BarlowSemiCondensed-Regular"].values()) == ["fi", "fl"]
    assert "officeaffix" in text_of(press.pdf("<p>office affix</p>", PLAIN + font_face("Text", "barlow-semi-condensed-400-normal.ttf")))
    words = [text for use in faces["seasons-pass/power"].fonts.values() for text in use.texts.values()]
    assert "winter" in words


def test_one_file_under_several_styles_is_several_fonts_of_the_pdf_and_one_of_the_face(press: Press) -> None:
    file = "FrontiersIcons.ttf"
    style = PLAIN + font_face("Text", file) + font_face("Text", file, "font-weight:700") + font_face("Text", file, "font-style:italic")
    pdf = press.pdf("<p>✚<b>⛊</b><i>✚⌗</i></p>", style)
    with pikepdf.open(BytesIO(pdf)) as document:
        assert len(document.pages[0].Resources.Font) == 3
    face = extract(pdf, FONTS)
    assert isinstance(face, Face)
    assert list(face.fonts) == [read_font(FONTS[file]).sha]
    assert face.objects[face.form].count(b"/F0 @") == 1


def test_two_files_of_one_family_and_style_are_not_told_apart(press: Press) -> None:
    """The second file's glyphs are drawn from the first, without a word, and read well: a stylesheet must never declare two."""
    style = (
        PLAIN
        + font_face("Twice", "Besley-500.ttf", "font-weight:400;unicode-range:U+61-7A")
        + font_face("Twice", "FrontiersIcons.ttf", "font-weight:400;unicode-range:U+2600-27BF")
    )
    with pikepdf.open(BytesIO(press.pdf("<p style='font-family:Twice'>abc ✚</p>", style))) as document:
        files = {
            postscript_name(font.DescendantFonts[0].FontDescriptor.FontFile2.read_bytes())
            for font in document.pages[0].Resources.Font.values()
        }
    assert len(files) == 1


def test_a_glyph_that_the_stack_has_not_is_drawn_from_any_font_silently(press: Press, caplog: pytest.LogCaptureFixture) -> None:
    style = PLAIN + font_face("Text", "saira-condensed-700-normal.ttf") + font_face("Icons", "FrontiersIcons.ttf")
    face = extract(press.pdf("<p>a ⛊</p>", style), FONTS)
    assert isinstance(face, Face)
    assert sorted(use.name for use in face.fonts.values()) == ["FrontiersIcons-Regular", "SairaCondensed-Bold"]
    assert caplog.records == []


def test_a_family_that_nobody_declared_is_replaced_silently(press: Press, caplog: pytest.LogCaptureFixture) -> None:
    face = extract(press.pdf("<p style='font-family:Nowhere'>abc</p>", PLAIN + font_face("Text", "Besley-500.ttf")), FONTS)
    assert isinstance(face, Face)
    assert len(face.fonts) == 1
    assert caplog.records == []


def test_a_font_is_found_by_its_own_family_too(press: Press) -> None:
    style = PLAIN + font_face("Text", "Besley-500.ttf") + font_face("Other", "CourierPrime-400.ttf")
    face = extract(press.pdf("<p style='font-family:Courier Prime'>abc</p>", style), FONTS)
    assert isinstance(face, Face)
    assert [use.name for use in face.fonts.values()] == ["CourierPrime-Regular"]


def test_a_font_configuration_gives_its_fonts_to_every_stylesheet_that_shares_it(press: Press) -> None:
    """So a page would depend on what was typeset before it: each theme needs a configuration of its own."""
    fonts = FontConfiguration()
    styles = [
        CSS(string=font_face(family, file), font_config=fonts, url_fetcher=press.fetcher)
        for family, file in (("One", "Besley-500.ttf"), ("Other", "FrontiersIcons.ttf"))
    ]
    document = HTML(string="<p style='font-family:Other'>⛊</p>").render(stylesheets=styles[:1], font_config=fonts)
    face = extract(document.write_pdf(uncompressed_pdf=True), FONTS)
    assert isinstance(face, Face)
    assert [use.name for use in face.fonts.values()] == ["FrontiersIcons-Regular"]


def test_fonts_of_the_machine_are_not_there(press: Press) -> None:
    face = extract(press.pdf("<p style='font-family:DejaVu Sans,sans-serif'>abc</p>", PLAIN + font_face("Text", "Besley-500.ttf")), FONTS)
    assert isinstance(face, Face)
    assert [use.name for use in face.fonts.values()] == ["Besley-Medium"]


def test_a_face_is_the_same_whether_its_fonts_were_cut_or_not(press: Press, looks: dict[str, bytes], faces: dict[str, Face]) -> None:
    page = PAGES[0]
    with uncut(frozenset(FONTS.values())):
        whole = press.look(page)
    assert len(whole) > 2 * len(looks[page])
    assert extract(whole, FONTS) == faces[page]
    assert press.look(page) == looks[page]


def test_a_page_is_read_as_pypdfium2_reads_it(press: Press, looks: dict[str, bytes]) -> None:
    style = PLAIN + font_face("Text", "barlow-semi-condensed-400-normal.ttf") + "i{hyphens:manual}b{break-before:page;display:block}"
    odd = ("", "\u00ad", "\u00ada\u200bb \u00ad", "<b>a</b>", f"<b>one</b><b>two</b><i>{'uncom&shy;mon ' * 60}</i>")
    for pdf in (*looks.values(), *(press.pdf(f"<p>{text}</p>", style) for text in odd)):
        document = pypdfium2.PdfDocument(pdf)
        texts = [page.get_textpage().get_text_range() for page in document]
        assert drawn_text(pdf, len(texts)) == "\n".join(texts)
        document.close()
    with pytest.raises(RuntimeError):
        drawn_text(b"no PDF", 1)


def test_a_glyph_that_no_font_has_is_warned_of_and_not_linked(press: Press, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "weasyprint"):
        face = extract(press.pdf("<p>a 中 b</p>", PLAIN + font_face("Text", "Besley-500.ttf")), FONTS)
    assert [record.args[1] for record in caplog.records] == [0x4E2D]
    assert isinstance(face, WholeFace)
    assert (face.reason, face.detail) == (Reason.GLYPH, "中")


def test_a_property_it_does_not_know_is_warned_of(press: Press, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "weasyprint"):
        press.document("<p>a</p>", "p{mix-blend-mode:multiply}")
    assert "mix-blend-mode" in caplog.text


def test_bleed_lies_before_the_origin(press: Press) -> None:
    with pikepdf.open(BytesIO(press.pdf("<p></p>", "@page{size:63mm 88mm;margin:0;bleed:3mm}"))) as document:
        page = document.pages[0]
        assert [float(n) for n in page.MediaBox] == pytest.approx([-8.503937, -8.503937, 187.086614, 257.952756])
        assert [float(n) for n in page.TrimBox] == pytest.approx([0, 0, 178.582677, 249.448819])


def test_an_uncompressed_page_is_plain_operators_without_dates_or_an_id(looks: dict[str, bytes]) -> None:
    for pdf in looks.values():
        with pikepdf.open(BytesIO(pdf)) as document:
            contents = document.pages[0].Contents
            assert "/Filter" not in contents
            assert not set(b"(%") & set(contents.read_bytes())
            assert "/ID" not in document.trailer
            assert sorted(document.docinfo.keys()) == ["/Producer", "/Title"]


def test_two_processes_make_the_same_faces_in_any_order(tmp_path: Path, faces: dict[str, Face]) -> None:
    (tmp_path / "fonts.conf").write_text("<fontconfig/>", encoding="utf-8")
    program = (
        "import sys, hashlib, test_typesetter_contract as t\n"
        "from seasons_build.core.face import encode\n"
        "press = t.Press()\n"
        "for page in sys.argv[1:]:\n"
        "    print(page, hashlib.sha256(encode(t.extract(press.look(page), t.FONTS))).hexdigest())\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT), "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    command = [sys.executable, "-W", "ignore", "-c", program, *reversed(PAGES)]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    theirs = dict(line.split() for line in printed.splitlines())
    assert theirs == {page: sha256(encode(face)).hexdigest() for page, face in faces.items()}


# What the linker makes of it

RICH_STYLE = PLAIN + font_face("Text", "SPClause-Regular.ttf") + font_face("Title", "Besley-900.ttf")
RICH = """<style>@page{bleed:3mm;background:linear-gradient(#fff,#cde)} body{text-align:justify;hyphens:none}</style>
<h1 style="font:900 15pt Title">Rich {n}</h1>
<p style="opacity:.6;background:#fd8">Seen through, with an <img src="look:picture.png" style="width:9mm"> in it, one of many.</p>
<div style="height:9mm;background:url(look:picture.png) 0 0/4mm"></div>
<div style="height:9mm;border-radius:3mm;overflow:hidden;background:radial-gradient(red,rgba(0,0,255,.2))"></div>
<p style="transform:rotate(4deg);color:oklch(60% .2 140);box-shadow:0 0 2mm #000">turned {n}</p>
<img style="width:30mm" src="look:drawn.svg">"""
DRAWN = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><defs><linearGradient id="g"><stop stop-color="red"/>
<stop offset="1" stop-color="blue" stop-opacity=".3"/></linearGradient><mask id="m"><circle cx="9" cy="9" r="8" fill="white"/></mask>
<pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M0 0h2v2z"/></pattern></defs>
<rect width="18" height="18" fill="url(#g)" mask="url(#m)"/><rect x="20" width="18" height="18" fill="url(#p)"/></svg>"""


def png_of(colour: tuple[int, int, int, int]) -> bytes:
    out = BytesIO()
    Image.new("RGBA", (20, 20), colour).save(out, "PNG")
    return out.getvalue()


@pytest.fixture(scope="module")
def rich(press: Press) -> list[tuple[bytes, Face]]:
    press.fetcher.files |= {"picture.png": png_of((200, 40, 90, 128)), "drawn.svg": DRAWN}
    found = []
    for n in range(20):
        pdf = press.pdf(RICH.replace("{n}", str(n)), RICH_STYLE)
        face = extract(pdf, FONTS)
        assert isinstance(face, Face), face
        found.append((pdf, face))
    return found


def clean(pdf: bytes) -> pikepdf.Pdf:
    document = pikepdf.open(BytesIO(pdf))
    assert document.check_pdf_syntax() == []
    return document


@pytest.mark.parametrize("page", PAGES)
def test_a_linked_page_looks_and_reads_like_the_typeset_one(page: str, looks: dict[str, bytes], faces: dict[str, Face]) -> None:
    linked = alone(faces[page])
    clean(linked).close()
    assert unlike(linked, looks[page]) < 0.002
    assert text_of(linked) == text_of(looks[page])


def test_gradients_groups_pictures_and_drawings_need_no_care_of_their_own(rich: list[tuple[bytes, Face]]) -> None:
    for pdf, face in rich[:2]:
        assert unlike(alone(face), pdf) < 0.002
        assert text_of(alone(face)) == text_of(pdf)


def test_equal_objects_are_written_once(rich: list[tuple[bytes, Face]]) -> None:
    with clean(deck_of([face for _, face in rich])) as document:
        streams = [obj for obj in document.objects if isinstance(obj, pikepdf.Stream)]
        pictures = [obj for obj in streams if obj.get("/Subtype") == "/Image"]
        programs = [obj for obj in document.objects if isinstance(obj, pikepdf.Dictionary) and "/FontFile2" in obj]
        assert len(pictures) == 2, "the picture and its mask"
        assert sorted(str(obj.FontName) for obj in programs) == ["/Besley-Black", "/SPClause-Regular"]
        assert len(document.pages) == 3


def test_copies_of_a_card_cost_a_line(faces: dict[str, Face]) -> None:
    face = faces["frontiers/card-weapon"]
    assert len(deck_of([face] * 9)) - len(deck_of([face])) < 400


def test_the_order_of_typesetting_is_nothing(press: Press, looks: dict[str, bytes], faces: dict[str, Face]) -> None:
    again = {page: extract(press.look(page), dict(reversed(FONTS.items()))) for page in reversed(PAGES)}
    assert again == faces
    cards = [page for page in PAGES if page.startswith("frontiers/card")]
    assert deck_of([again[page] for page in cards]) == deck_of([faces[page] for page in cards])


def test_a_face_crosses_a_pipe_unchanged(faces: dict[str, Face], rich: list[tuple[bytes, Face]]) -> None:
    for face in [*faces.values(), rich[0][1]]:
        assert decode(encode(face)) == face
    broken = encode(rich[0][1])
    with pytest.raises(ValueError, match="not what its key says"):
        decode(broken[:-1] + bytes([broken[-1] ^ 1]))


def test_a_sheet_has_its_boxes_and_is_printed_as_large_as_it_is(faces: dict[str, Face]) -> None:
    with clean(deck_of([faces["frontiers/card-weapon"]] * 10, faces["frontiers/card-back-gear"])) as document:
        assert len(document.pages) == 4
        assert document.Root.ViewerPreferences.PrintScaling == "/None"
        assert sorted(document.docinfo.keys()) == ["/Producer", "/Title"]
        assert str(document.docinfo["/Title"]) == "Deck"
        for page in document.pages:
            assert [float(n) for n in page.MediaBox] == pytest.approx([0, 0, 595.27559, 841.88976])
            assert page.TrimBox == page.BleedBox == page.MediaBox


def test_the_back_of_a_card_lies_behind_it(press: Press) -> None:
    style = PLAIN + font_face("Text", "Besley-500.ttf")
    fronts = [extract(press.pdf(f"<p>front{n}</p>", style), FONTS) for n in range(2)]
    backs = [extract(press.pdf(f"<p>back{n}</p>", style), FONTS) for n in range(2)]
    layout = lay_out(POKER, A4).value
    deck = [Card(front, back) for front, back in zip(fronts, backs, strict=True)]
    document = pypdfium2.PdfDocument(link(sheets(deck, layout), parts_of([*fronts, *backs]), title="Deck"))
    places = {}
    for page in document:
        text = page.get_textpage()
        for name in ("front0", "front1", "back0", "back1"):
            if found := text.search(name).get_next():
                places[name] = text.get_charbox(found[0])
    document.close()
    columns = {name: (left / 72 * 25.4 - 10.5) / 63 for name, (left, *_) in places.items()}
    assert columns == pytest.approx({"front0": 0, "front1": 1, "back0": 2, "back1": 1}, abs=0.01)
    assert places["front0"][1] == pytest.approx(places["back0"][1], abs=3)


# Fonts that are not embedded whole, and faces that are not linked


def test_a_font_that_is_not_ours_is_named(press: Press) -> None:
    fonts = {name: data for name, data in FONTS.items() if not name.startswith("Besley")}
    face = extract(press.pdf("<p>abc</p>", PLAIN + font_face("Text", "Besley-500.ttf")), fonts)
    assert isinstance(face, WholeFace)
    assert (face.reason, face.detail) == (Reason.FONT, "Besley-Medium")


def padded(file: str, tag: str) -> bytes:
    """The font with a large table that says nothing."""
    font = TTFont(BytesIO(FONTS[file]), recalcTimestamp=False)
    font[tag] = newTable("XXXX")
    font[tag].data = bytes(200 * 1024)
    font["name"].setName("Large-Regular", 6, 3, 1, 0x409)
    font["name"].setName("Large", 1, 3, 1, 0x409)
    out = BytesIO()
    font.save(out)
    return out.getvalue()


def test_a_large_font_that_the_typesetter_cuts_is_embedded_as_it_stands(press: Press) -> None:
    large = padded("Besley-500.ttf", "PADD")
    press.fetcher.files["large.ttf"] = large
    style = PLAIN + "@font-face{font-family:Large;src:url(look:large.ttf)}"
    pdf = press.pdf("<p style='font-family:Large'>Affix</p>", style)
    face = extract(pdf, {"large.ttf": large})
    assert isinstance(face, Face)
    linked = link([one_page(face)], parts_of([face], {"large.ttf": large}), title="Large")
    assert unlike(linked, pdf) < 0.002
    assert text_of(linked) == text_of(pdf)
    with clean(linked) as document:
        (program,) = [obj.FontFile2.read_bytes() for obj in document.objects if isinstance(obj, pikepdf.Dictionary) and "/FontFile2" in obj]
    assert program == large


def test_a_font_is_cut_down_to_glyphs_whatever_their_order() -> None:
    small = subset_font(FONTS["Besley-500.ttf"], [3, 5, 7])
    assert small == subset_font(FONTS["Besley-500.ttf"], [7, 5, 3, 3])
    assert postscript_name(small) == "Besley-Medium"
    assert len(small) < 12_000


def test_a_font_that_cannot_be_embedded_as_it_stands_travels_with_its_face(press: Press) -> None:
    variable = padded("Besley-700.ttf", "sbix")
    assert not read_font(variable).linkable
    press.fetcher.files["odd.ttf"] = variable
    pdf = press.pdf("<p style='font-family:Odd'>Affix</p>", PLAIN + "@font-face{font-family:Odd;src:url(look:odd.ttf)}")
    face = extract(pdf, {"odd.ttf": variable})
    assert isinstance(face, Face)
    assert face.fonts == {}
    linked = link([one_page(face)], {}, title="Odd")
    assert unlike(linked, pdf) < 0.002
    assert text_of(linked) == text_of(pdf)
    with clean(linked) as document:
        names = {str(obj.FontName) for obj in document.objects if isinstance(obj, pikepdf.Dictionary) and "/FontName" in obj}
    assert len(names) == 1
    assert not names & {str(name) for name in re.findall(rb"/FontName (\S+)", pdf)}


def test_what_the_linker_does_not_do_is_said_and_links_are_dropped(press: Press) -> None:
    style = PLAIN + font_face("Text", "Besley-500.ttf")
    fields = extract(press.pdf("<input name=a style='appearance:auto'>", style), FONTS)
    tags = extract(press.pdf("<p>a</p>", style, pdf_tags=True), FONTS)
    assert [face.reason for face in (fields, tags) if isinstance(face, WholeFace)] == [Reason.FIELDS, Reason.TAGS]
    assert isinstance(extract(press.pdf("<a href='https://example.org'>a</a>", style), FONTS), Face)
    with pytest.raises(ValueError, match="one page"):
        extract(press.pdf("<p>a</p><p style='break-before:page'>b</p>", style), FONTS)


def test_the_long_way_prints_the_same_sheet(looks: dict[str, bytes], faces: dict[str, Face]) -> None:
    pages = [page for page in PAGES if page.startswith("frontiers/card")]
    first = faces[pages[0]]
    whole = WholeFace(first.box, first.trim, Reason.CONSTRUCT, "tried", looks[pages[0]])
    assert decode(encode(whole)) == whole
    layout = lay_out(POKER, A4).value
    rest = [faces[page] for page in pages[1:]]
    parts = parts_of([first, *rest])
    long_way = [link_whole(sheets([Card(face) for face in (whole, *rest, whole)], layout), parts, title="Deck") for _ in range(2)]
    short_way = link_whole(sheets([Card(face) for face in (first, *rest, first)], layout), parts, title="Deck")
    assert long_way[0] == long_way[1]
    assert short_way == link(sheets([Card(face) for face in (first, *rest, first)], layout), parts, title="Deck")
    clean(long_way[0]).close()
    assert unlike(long_way[0], short_way) < 0.002
    assert text_of(long_way[0]) == text_of(short_way)

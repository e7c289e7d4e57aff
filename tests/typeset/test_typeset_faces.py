"""Faces: fitted, written, proved; each fault told with its field."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from small_theme import ALL_FONTS, CARD, FONTS, LADDER, Press, codes, face_job, found, words

from seasons_build.core.face import Face, Reason, WholeFace, encode
from seasons_build.core.finding import diagnostic
from seasons_build.core.job import FaceJob, Step, Theme, theme_digest
from seasons_build.typeset.typesetter import Typesetter

TESTS = Path(__file__).parents[1]
LOOK = TESTS / "fixtures" / "look" / "frontiers"


def look_theme() -> tuple[Theme, list[FaceJob]]:
    """The pages of the look, as templates without a slot."""
    pages = {path.name: "{% raw %}" + re.sub(r"<link[^>]*>", "", path.read_text("utf-8")) + "{% endraw %}" for path in LOOK.glob("*.html")}
    sheets = {path.name: path.read_text("utf-8") for path in LOOK.glob("*.css")}
    size = (Fraction(63), Fraction(88))
    styles = ("fonts.css", "tokens.css", "card.css")
    jobs = [FaceJob(page, "look", page, {}, styles, size, safe_mm=Fraction("3.1")) for page in sorted(pages)]
    return Theme("look", pages, sheets, ALL_FONTS, {}, {}, floor_pt=Fraction("6.5")), jobs


def test_the_pages_of_the_look_are_without_fault(press: Press) -> None:
    theme, jobs = look_theme()
    press.typesetter.open(theme)
    results = list(press.typesetter.run(jobs))
    assert [result.key for result in results] == [job.key for job in jobs]
    assert {result.key: result.findings for result in results if result.findings} == {}
    assert all(isinstance(result.face, Face) and result.pages == 1 for result in results)


def test_what_a_face_comes_to_depends_on_its_job_alone(press: Press, tmp_path: Path) -> None:
    theme, jobs = look_theme()
    press.typesetter.open(theme)
    one = {result.key: result for result in press.typesetter.run(jobs)}
    with Typesetter(workers=2, scratch=tmp_path) as other:
        other.open(Theme("look", theme.templates, theme.stylesheets, dict(reversed(ALL_FONTS.items())), {}, {}, floor_pt=theme.floor_pt))
        again = {result.key: result for result in other.run(list(reversed(jobs)))}
    assert again == one
    assert all(result.face is not None and encode(result.face) == encode(one[key].face or result.face) for key, result in again.items())
    assert list(tmp_path.iterdir()) == []


def test_a_plain_face(press: Press) -> None:
    result = press.face(job={"context": {"entry": {"name": "A & B", "text": {"$html": "<p>Hold <b>fast</b>.</p>"}}}})
    assert result.findings == ()
    assert isinstance(result.face, Face)
    assert sorted(use.name for use in result.face.fonts.values()) == ["BarlowSemiCondensed-Bold", "BarlowSemiCondensed-Regular"]
    (left, bottom, right, top), trim = result.face.box, result.face.trim
    assert [float(n) for n in (trim[0] - left, trim[1] - bottom, right - trim[2], top - trim[3])] == pytest.approx([3 / 25.4 * 72] * 4)


# Fitting


@pytest.mark.parametrize(("count", "step"), [(20, 0), (80, 1), (150, 2)])
@pytest.mark.parametrize("hint", ["none", "sizes", "lengths", "wrong"])
def test_a_text_gets_the_largest_step_that_it_fits_in(press: Press, count: int, step: int, hint: str) -> None:
    ladders = {
        "none": LADDER,
        "sizes": tuple(Step(s.class_name, size_pt=Fraction(pt)) for s, pt in zip(LADDER, (14, 10, 7), strict=True)),
        "lengths": (Step("large", upto=120), Step("middle", upto=800), Step("small")),
        "wrong": (Step("large", upto=1), Step("middle", upto=2), Step("small", size_pt=Fraction(7))),
    }
    given = face_job(words(count), fit=ladders[hint])
    (result,) = press.run([given])
    assert result.findings == ()
    assert (result.fit, result.fitted) == (step, ladders[hint][step])


def test_what_fits_at_no_step_is_told_with_its_field_and_how_far_it_is_out(press: Press) -> None:
    (result,) = press.run([face_job(words(600), fit=LADDER)])
    finding = found(result, "E601")
    assert (finding.field, result.fit, result.pages) == ("text", 2, 1)
    assert finding.millimetres is not None
    assert 90 < finding.millimetres < 140
    assert (finding.millimetres * 10).denominator == 1
    assert re.fullmatch(r"`text` does not fit by \d+(\.\d)? mm, even at the smallest size", diagnostic(finding).message)
    assert codes(result) == ["E601"], "what runs over the edge is not told again"


def test_millimetres_are_those_of_the_page(press: Press) -> None:
    html = '<div class="text" id="fit:text" style="top:10mm;height:51.23mm">a</div><div id="floor" class="text" style="top:60mm">b</div>'
    assert found(press.face(html), "E601").millimetres == Fraction("1.3")


def test_a_step_may_leave_fields_out(press: Press) -> None:
    html = CARD.replace('id="floor"', "id=\"{{ 'floor' if 'flavor' in fit.drop }}\"")
    html += "{% if 'flavor' not in fit.drop %}<p style='position:absolute;bottom:9mm;left:5mm' id=floor>{{ entry.flavor }}</p>{% endif %}"
    ladder = (Step("middle"), Step("middle", ("flavor",)), Step("small", ("flavor",)))
    for count, step in ((60, 0), (85, 1), (150, 2)):
        texts = (("text", words(count)), ("flavor", "Worn smooth."))
        job = {"context": {"entry": {"name": "", "text": words(count), "flavor": "Worn smooth."}}, "fit": ladder, "texts": texts}
        result = press.face(html, job=job)
        assert (result.findings, result.fit, result.fitted.drop) == ((), step, ladder[step].drop)


def test_a_field_with_a_box_has_steps_of_its_own(press: Press) -> None:
    html = '<h1 id="box:name" class="box"><span id="in:name">{{ entry.name }}</span></h1><p class="{{ fit.class }}" id="floor">x</p>'
    css = ".box{width:40mm;height:6mm;white-space:nowrap;font:14pt/6mm D} .name-2 .box{font-size:11pt} .name-3 .box{font-size:8pt}"
    steps = (("name", ("", "name-2", "name-3")),)
    names = {"Short name": "large", "A name that is longer yet": "large name-2", "A name that is longer, see for yourself": "large name-3"}
    for name, classes in names.items():
        job = face_job(name=name, steps=steps, fit=LADDER, stylesheets=("fonts.css", "page.css", "own.css"))
        (result,) = press.run([job], templates={"card": html}, css={"own.css": css})
        assert (result.findings, result.fitted.class_name) == ((), classes)
    job = face_job(name="W" * 40, steps=steps, fit=LADDER, stylesheets=("fonts.css", "page.css", "own.css"))
    (result,) = press.run([job], templates={"card": html}, css={"own.css": css})
    assert found(result, "E602").field == "name"
    assert result.fitted.class_name == "large name-3"


def test_a_word_wider_than_its_box_and_a_line_too_many(press: Press) -> None:
    css = "#box\\:name{width:30mm;height:12mm;font:10pt/5mm D;overflow-wrap:normal}"
    html = '<h1 id="box:name"><span id="in:name">{{ entry.name }}</span></h1>'
    wide = press.face(html, css=css, job={"context": {"entry": {"name": "ok " + "W" * 20}}})
    assert (found(wide, "E602").millimetres or 0) > 5
    html = '<div id="box:name"><h1 id="in:name">{{ entry.name }}</h1></div>'
    name = "three lines of words where a box has room for two of them only"
    long = press.face(html, css=css + "h1{font:inherit}", job={"context": {"entry": {"name": name}}})
    assert found(long, "E602").millimetres == Fraction(3)


def test_a_second_page_is_a_fault(press: Press) -> None:
    result = press.face(f"<p>{words(400)}</p>")
    assert result.pages > 1
    finding = found(result, "E603")
    assert finding.millimetres is not None
    assert diagnostic(finding).message.startswith("expected one page, found that the face runs on by ")
    assert isinstance(result.face, Face), "its first page is there to be looked at"


# What must be on the page


def test_a_box_of_fixed_height_loses_text_silently_and_the_proof_does_not(press: Press) -> None:
    html = '<div style="position:absolute;top:5mm;height:20mm;overflow:hidden">{{ entry.name }} {{ entry.text }}</div>'
    job = face_job(words(200), "Rope")
    (result,) = press.run([job], templates={"card": html})
    finding = found(result, "E604")
    assert finding.field == "text"
    assert finding.text.removesuffix("…") in words(200)


def test_text_that_a_stylesheet_hides_is_lost(press: Press) -> None:
    result = press.face("<p>a <span class=x>hidden</span></p>", css=".x{display:none}", job={"texts": (("note", "a hidden"),)})
    assert (found(result, "E604").field, found(result, "E604").text) == ("note", "hidden")
    result = press.face("<p>a <span class=x>unseen</span></p>", css=".x{visibility:hidden}")
    assert found(result, "E604").text == "eennsu"
    assert press.face("<p>a <span class=x aria-hidden=true>left</span></p>", css=".x{display:none}").findings == ()


def test_a_text_that_the_template_never_prints_is_told(press: Press) -> None:
    job = {"texts": (("name", "Rope"), ("text", "never seen")), "context": {"entry": {"name": "Rope"}}}
    result = press.face("<p>{{ entry.name }}</p>", job=job)
    assert [(finding.code, finding.field, finding.text) for finding in result.findings] == [("E605", "text", "never seen")]
    assert diagnostic(result.findings[0]).message == "`text` is not printed as it reads: `never seen` is not on the page"


def test_words_stand_in_order(press: Press) -> None:
    html = '<p style="position:relative">{{ entry.text }}</p>'
    assert press.face("<p>one two</p><p>three</p>", job={"texts": (("text", "<p>one <b>two</b></p><p>three</p>"),)}).findings == ()
    mixed = "<p style='position:relative'>one</p><p>two</p>"
    assert found(press.face(mixed, job={"texts": (("text", "one two"),)}), "E605").detail == "stands before what it follows"
    assert press.face(html, job={"context": {"entry": {"text": "straße & co"}}, "texts": (("text", "straße &amp; co"),)}).findings == ()


def test_case_hyphens_and_what_a_stylesheet_writes_are_no_fault(press: Press) -> None:
    css = "p{text-transform:uppercase;letter-spacing:1pt} p::before{content:'Note '} .h{width:20mm;hyphens:manual}"
    css += "ul{list-style:none} li::before{content:'- '}"
    html = "<p>Straße, ﬁt, officer</p><ul><li>in a list</li></ul><div class=h>hyphen\u00adated-words\u00a0and\u2009blanks</div>"
    texts = (("text", "Straße, ﬁt, officer"), ("list", "in a list"), ("more", "hyphenated-words and blanks"))
    assert press.face(html, css=css, job={"texts": texts}).findings == ()


def test_characters_that_one_glyph_stands_for(press: Press) -> None:
    assert press.face("<p>cafe\u0301, −3 - 2, a·b, ½</p>", job={"texts": (("text", "café, −3 - 2, a·b, ½"),)}).findings == ()
    assert press.face("<p>final fluff − office</p>", job={"texts": (("text", "final fluff − office"),)}).findings == ()


# Fonts


def test_a_character_that_no_font_has(press: Press) -> None:
    job = {"context": {"entry": {"text": "rope 中 knot"}}, "texts": (("text", "rope 中 knot"),)}
    result = press.face("<p>{{ entry.text }}</p>", job=job)
    assert codes(result) == ["E606"]
    finding = found(result, "E606")
    assert (finding.field, finding.text) == ("text", "中")
    assert "U+4E2D" in diagnostic(finding).message
    assert isinstance(result.face, WholeFace)
    assert len(result.face.pdf) < 20_000, "with no more of its fonts than it needs"
    assert result.face.reason is Reason.GLYPH


def test_a_character_drawn_from_outside_its_stack(press: Press) -> None:
    html = '<p style="font-family:D">{{ entry.name }}</p>'
    result = press.face(html, job={"context": {"entry": {"name": "Damage ✚"}}, "texts": (("name", "Damage ✚"),)})
    assert codes(result) == ["E607"]
    finding = found(result, "E607")
    assert (finding.field, finding.text, finding.choices) == ("name", "✚", ("D",))
    assert press.face("<p>Damage ✚ ⛊</p>").findings == ()


def test_a_character_that_capitals_turn_into_a_stranger(press: Press) -> None:
    result = press.face("<p style='text-transform:uppercase'>ϟ energy</p>")
    assert found(result, "E606").text == "Ϟ"


def test_what_a_stylesheet_writes_is_checked_too(press: Press) -> None:
    assert found(press.face("<p>a</p>", css="p{font-family:D} p::before{content:'⛊'}"), "E607").text == "⛊"


def test_text_without_a_declared_family(press: Press) -> None:
    result = press.face("<p style='font-family:serif'>ab</p>")
    assert [(finding.code, finding.text) for finding in result.findings] == [("E607", "a"), ("E607", "b")]


def test_no_font_at_all(press: Press) -> None:
    result = press.face("<p>a</p>", css={"fonts.css": ""})
    assert [(finding.code, finding.detail) for finding in result.findings if finding.text == "@font-face"] == [
        ("E618", "the stylesheets declare none that can be used")
    ]
    assert result.face is None


@pytest.mark.parametrize(
    ("rule", "code", "text"),
    [
        ("@font-face{font-family:X;src:url(fonts/nope.ttf)}", "E617", "fonts/nope.ttf"),
        ("@font-face{font-family:X;src:local('Arial')}", "E618", '"Arial"'),
        ("@font-face{font-family:X;src:url(fonts/broken.ttf)}", "E618", "broken.ttf"),
        ("@font-face{font-family:T;font-weight:bold;src:url(fonts/saira-condensed-700-normal.ttf)}", "E618", "T"),
        ("@font-face{font-family:X;src:url(fonts/Besley-500.ttf);unicode-range:U+41}", "E618", "unicode-range"),
        ("p{font-family:'Tt'}", "E618", "Tt"),
        ("p{font:10pt 'Arial'}", "E618", "Arial"),
    ],
)
def test_faults_of_fonts(press: Press, rule: str, code: str, text: str) -> None:
    result = press.face("<p>a</p>", css=rule, fonts={**FONTS, "broken.ttf": b"\0\1\0\0nothing"})
    assert (code, text) in [(finding.code, finding.text) for finding in result.findings]
    assert result.face is None, "what is set in it would be wrong"


# Sizes and places


def test_text_below_the_floor(press: Press) -> None:
    html = "<p style='font-size:6.4pt'>{{ entry.text }} <span style='font-size:5pt'>tiny</span></p><p style='font-size:6.5pt'>fine</p>"
    job = {"context": {"entry": {"text": "small print"}}, "texts": (("text", "small print"),)}
    result = press.face(html, job=job, floor_pt=Fraction("6.5"))
    assert [(finding.field, finding.text, finding.detail) for finding in result.findings] == [
        ("text", "small print", "expected at least 6.5 pt, found 6.4 pt"),
        (None, "tiny", "expected at least 6.5 pt, found 5 pt"),
    ]


def test_text_over_the_edge_and_near_it(press: Press) -> None:
    at = "<p style='position:absolute;white-space:nowrap;{}'>{{{{ entry.text }}}}</p>".format
    job = {"context": {"entry": {"text": "a word"}}, "texts": (("text", "a word"),)}
    assert found(press.face(at("top:9mm;left:60mm"), job=job), "E609").detail == "is cut off"
    assert press.face(at("top:9mm;left:50mm"), job=job).findings == ()
    near = press.face(at("top:9mm;left:2mm"), job={**job, "safe_mm": Fraction(3)})
    assert (found(near, "E609").field, found(near, "E609").detail) == ("text", "stands too near the cut")
    assert found(near, "E609").millimetres == Fraction("0.9")
    assert press.face(at("top:9mm;left:3mm"), job={**job, "safe_mm": Fraction(3)}).findings == ()
    turned = press.face(at("top:40mm;left:5mm;transform:rotate(-90deg)"), job={**job, "safe_mm": Fraction(3)})
    assert turned.findings == ()


def test_text_cut_off_by_its_box(press: Press) -> None:
    result = press.face("<div style='position:absolute;width:10mm;overflow:hidden;white-space:nowrap'>a long line of words</div>")
    assert found(result, "E609").detail == "is cut off"


# What a page may hold


@pytest.mark.parametrize(
    ("html", "code", "text"),
    [
        ("<script>1</script>", "E614", "script"),
        ("<style>p{color:red}</style>", "E614", "style"),
        ("<link rel=attachment href=file:///etc/hostname>", "E614", "link"),
        ("<a rel=attachment href='https://a.b'>x</a>", "E614", "rel"),
        ("<iframe src=x></iframe>", "E614", "iframe"),
        ("<svg><image href='file:///etc/passwd'/></svg>", "E614", "svg"),
        ("<object data=x></object>", "E614", "object"),
        ("<meta http-equiv=refresh content=0>", "E614", "meta"),
        ("<base href='https://a.b'>", "E614", "base"),
        ("<form action=x></form>", "E614", "form"),
        ("<p onclick=x>a</p>", "E614", "onclick"),
        ("<img srcset='images/a.png'>", "E614", "srcset"),
        ("<p style='background:url(http://127.0.0.1:9/x)'>a</p>", "E614", "background:url(http://127.0.0.1:9/x)"),
        ("<p style='background:u\\72l(x)'>a</p>", "E614", "background:u\\72l(x)"),
        ("<table><tr><td colspan=1000000>x</td></tr></table>", "E614", "colspan=1000000"),
        ("<p " + " ".join(f"a{n}" for n in range(40_000)) + ">x", "E614", "p"),
        ("x</em " + " ".join(f"a{n}" for n in range(40_000)) + ">", "E614", "em"),
        ("".join(f"<p><b id=a{n}>" for n in range(20_000)), "E614", "b"),
        ("<div>" * 100 + "x", "E614", "div"),
        ("<img src='file:///dev/zero'>", "E617", "file:///dev/zero"),
        ("<img src='images/../../x.png'>", "E617", "images/../../x.png"),
        ("<img src='images/nope.png'>", "E617", "images/nope.png"),
        ("<img src='data:image/png;base64,AAAA'>", "E617", "data:image/png;base64,AAAA"),
    ],
)
def test_what_may_not_stand_in_a_page(press: Press, html: str, code: str, text: str) -> None:
    result = press.face(html)
    assert (code, text) in [(finding.code, finding.text) for finding in result.findings]
    assert result.face is None
    assert {finding.file for finding in result.findings if finding.code == code} == {"card"}


ADDRESSES = ["javascript:alert(1)", "file:///etc/passwd", "\\\\evil.example\\share", "smb://e/x", "page.html", "data:,x"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_links_lead_out_honestly(press: Press, address: str) -> None:
    html = "<p><a href=\"{{ url }}\">x</a> <a href='https://example.org/ok'>y</a> <a href='mailto:a@b.c'>z</a></p>"
    result = press.face(html, job={"context": {"url": address}})
    assert [(finding.code, finding.text) for finding in result.findings] == [("E615", address)]


def test_values_of_a_stranger_in_a_style(press: Press) -> None:
    cases = TESTS / "adversarial" / "template"
    for colour in ("red;background:url(http://127.0.0.1:9/x)", "</style><script>"):
        result = press.face((cases / "t24-css-injection.html.j2").read_text("utf-8"), job={"context": {"colour": colour}})
        assert result.face is None
        assert {finding.code for finding in result.findings} == {"E614"}
    for url in ("javascript:alert(1)", "file:///etc/passwd"):
        result = press.face((cases / "t25-url-injection.html.j2").read_text("utf-8"), job={"context": {"url": url}})
        assert (result.face, codes(result)) == (None, ["E615", "E617"])


@pytest.mark.parametrize("name", ["w01", "w03", "w04", "w18", "w22", "w24", "w26"])
def test_hostile_pages_are_refused(press: Press, name: str) -> None:
    (path,) = (TESTS / "adversarial" / "render").glob(f"{name}-*.html")
    result = press.face("{% raw %}" + path.read_text("utf-8") + "{% endraw %}")
    assert {"E614", "E615", "E617"} & set(codes(result))
    assert name == "w26" or result.face is None


def picture(kind: str = "PNG", size: tuple[int, int] = (20, 20)) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, (200, 40, 90)).save(out, kind)
    return out.getvalue()


SVG = b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>"


def test_pictures_of_the_theme(press: Press) -> None:
    images = {"a.png": picture(), "b.jpg": picture("JPEG"), "c d.webp": picture("WEBP"), "e.svg": SVG}
    html = "<p><img src='images/a.png'><img src='images/b.jpg'><img src='images/c%20d.webp'><img src='images/e.svg'></p><div class=x></div>"
    result = press.face(html, css="img{width:1.5mm} .x{height:9mm;background:url(images/a.png)}", images=images)
    assert result.findings == ()
    assert isinstance(result.face, Face)
    assert sum(b"/Image" in blob for blob in result.face.objects.values()) >= 3


RENDER = TESTS / "adversarial" / "render"
BAD_PICTURES = {
    "bomb.png": (RENDER / "w19-bomb-13000.png").read_bytes(),
    "large.png": (RENDER / "w20-bomb-20000.png").read_bytes(),
    "xxe.svg": (RENDER / "w05-svg-xxe.svg").read_bytes(),
    "laughs.svg": (RENDER / "w06-svg-billion-laughs.svg").read_bytes(),
    "mime.svg": (RENDER / "w25-mime-confusion.svg").read_bytes(),
    "out.svg": SVG.replace(b"<path", b"<image href='https://example.org/x.png'/><path"),
    "text.png": b"not a picture",
    "cut.png": picture()[:40],
}


@pytest.mark.parametrize("name", BAD_PICTURES)
def test_pictures_that_are_refused(press: Press, name: str) -> None:
    result = press.face(f"<p>a <img src='images/{name}'></p>", images=BAD_PICTURES)
    assert found(result, "E619").text.removeprefix("images/") == name


def test_a_changed_picture_under_one_name_is_seen(press: Press) -> None:
    one = press.face("<img src='images/a.png'>", images={"a.png": picture()})
    other = press.face("<img src='images/a.png'>", images={"a.png": picture(size=(30, 20))})
    assert one.face != other.face


# Stylesheets


def test_ignored_css_is_told_with_its_place(press: Press) -> None:
    result = press.face("<p>a</p>", css="p{color:red}\np{\n  colour:blue;\n  mix-blend-mode:multiply}\n@nonsense x{}\np:nope{color:red}")
    told = [(finding.code, finding.file, finding.line, finding.column, finding.text) for finding in result.findings]
    assert ("E616", "own.css", 3, 3, "colour: blue") in told
    assert ("E616", "own.css", 4, 3, "mix-blend-mode: multiply") in told
    assert len([finding for finding in result.findings if finding.code == "E616"]) == 4
    assert result.face is not None
    assert diagnostic(result.findings[0]).message == "the typesetter ignores `colour: blue`: unknown property"
    assert press.face("<p>a</p>", css="p{color:red}").findings == ()


def test_ignored_css_in_a_style_is_told(press: Press) -> None:
    assert found(press.face("<p style='colour:red'>a</p>"), "E616").text == "colour: red"


STRANGE = ["p{background:url(http://127.0.0.1:9/x)}", "p{background:url(../../etc/passwd)}", "@import 'nope.css';", "@import url(//x/y);"]


@pytest.mark.parametrize("rule", STRANGE)
def test_a_stylesheet_asks_for_files_of_the_theme_alone(press: Press, rule: str) -> None:
    result = press.face("<p>a</p>", css=rule)
    finding = found(result, "E617")
    assert (finding.file, finding.line) == ("own.css", 1)
    assert result.face is None


def test_imports_of_the_theme(press: Press) -> None:
    css = {"parts/one.css": "@import 'parts/two.css'; p{font-size:12pt}", "parts/two.css": "p{font-size:5pt; nonsense:1}"}
    result = press.face("<p>a</p>", css=css, job={"stylesheets": ("fonts.css", "page.css", "parts/one.css")}, floor_pt=Fraction(10))
    assert [(finding.code, finding.file, finding.column) for finding in result.findings] == [("E616", "parts/two.css", 18)]
    result = press.face("<p>a</p>", css={"own.css": "@import 'page.css' screen;"})
    assert found(result, "E616").text == "@import"
    result = press.face("<p>a</p>", job={"stylesheets": ("font.css",)})
    assert diagnostic(found(result, "E617")).hints == ("did you mean `fonts.css`?",)


def test_imports_that_lead_to_one_another_without_measure(press: Press) -> None:
    twice = {f"{n}.css": f"@import '{n + 1}.css'; @import '{n + 2}.css'; p{{font-size:{n + 5}pt}}" for n in range(40)}
    circle = {"40.css": "@import '0.css';", "41.css": "@import '41.css';"}
    result = press.face("<p>a</p>", css={**twice, **circle}, job={"stylesheets": ("fonts.css", "page.css", "0.css")}, floor_pt=Fraction(6))
    assert found(result, "E608").detail == "expected at least 6 pt, found 5 pt", "what imports comes after what it imports"
    deep = {f"{n}.css": f"@import '{n + 1}.css';" for n in range(1500)}
    result = press.face("<p>a</p>", css={**deep, "1500.css": ""}, job={"stylesheets": ("fonts.css", "page.css", "0.css")})
    assert codes(result) == []


def test_sizes_that_the_typesetter_cannot_lay_out(press: Press) -> None:
    css = (RENDER / "w14-font-size-inf.css").read_text("utf-8")
    result = press.face("<h1>a</h1><p>b</p>", css=css)
    assert {"E621", "E603", "E609"} & set(codes(result))
    assert "Traceback" not in str(result.findings)


# Digests


def test_a_digest_changes_with_everything_but_the_key() -> None:
    theme, jobs = look_theme()
    digest = theme_digest(theme)
    assert digest == theme_digest(Theme("other", *(getattr(theme, name) for name in Theme.__slots__[1:])))
    assert digest != theme_digest(Theme(theme.id, theme.templates, theme.stylesheets, theme.fonts, {"a": b""}, {}, theme.floor_pt))
    assert len({job.digest for job in jobs}) == len(jobs)
    job = jobs[0]
    assert replace(job, key="other key").digest == job.digest != replace(job, theme="other theme").digest

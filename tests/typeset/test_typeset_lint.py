"""The lint of a page: coarse pictures, rows and numbers that break, text below the floor of its field, what nobody has filled in."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO

import pytest
from PIL import Image
from small_theme import Press, codes, found

PLACE = "position:absolute;top:20mm;left:5mm"


def png(wide: int, high: int) -> bytes:
    out = BytesIO()
    Image.new("RGB", (wide, high), (90, 90, 90)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("style", "code", "said"),
    [
        ("width:20mm", "E730", "it has 40 x 60 pixels, 50 dots an inch at 20 x 30 mm"),
        ("width:6mm", "W731", "it has 40 x 60 pixels, 169 dots an inch at 6 x 9 mm"),
        ("width:3.3mm", None, ""),
        ("width:3mm;height:30mm;object-fit:cover", "E730", "it has 40 x 60 pixels, 50 dots an inch at 20 x 30 mm"),
        ("width:3mm;height:30mm;object-fit:contain", None, ""),
    ],
)
def test_a_picture_is_judged_by_the_size_it_is_drawn_in(press: Press, style: str, code: str | None, said: str) -> None:
    html = f'<p style="{PLACE}"><img src="images/crate.png" alt="" style="{style}">x</p>'
    result = press.face(html, images={"crate.png": png(40, 60)})
    assert codes(result) == ([code] if code else [])
    if code:
        finding = found(result, code)
        assert (finding.text, finding.detail) == ("crate.png", said)


def test_a_picture_that_stands_twice_is_told_once_at_its_largest(press: Press) -> None:
    img = '<img src="images/crate.png" alt="" style="width:{}mm">'
    html = f'<p style="{PLACE}">{img.format(9)}{img.format(20)}</p>'
    finding = found(press.face(html, images={"crate.png": png(40, 60)}), "E730")
    assert finding.detail.endswith("at 20 x 30 mm")
    assert finding.choices == ("237 x 355",)


def test_a_row_is_one_line_where_the_theme_says_so(press: Press) -> None:
    row = '<div id="line:row" style="{};width:{}mm">Range 12 <sup style="font-size:7pt">a</sup> <b>Area</b></div>'
    assert codes(press.face(row.format(PLACE, 40))) == []
    finding = found(press.face(row.format(PLACE, 12)), "E732")
    assert (finding.field, finding.detail) == ("row", "stands on more than one line")
    assert codes(press.face(row.format(PLACE, 12).replace("line:row", "row"))) == []


@pytest.mark.parametrize(("text", "broken"), [("10\u201312", True), ("10-12", False), ("far-off", False), ("12 13", False)])
def test_a_number_is_not_parted_by_the_end_of_a_line(press: Press, text: str, broken: bool) -> None:
    html = f'<p style="{PLACE};width:1mm">{text}</p>'
    assert codes(press.face(html)) == (["E732"] if broken else [])


@pytest.mark.parametrize("text", ["{damage}", "{{ entry.name }}", "{% if x %}", "[[weapon/rifle]]", "Lorem ipsum dolor"])
def test_what_nobody_has_filled_in_is_found_in_its_field(press: Press, text: str) -> None:
    said = f"Deal {text} to it."
    job = {"context": {"entry": {"text": said}}, "texts": (("text", said),)}
    result = press.face('<p style="' + PLACE + '">{{ entry.text }}</p>', job=job)
    finding = found(result, "E733")
    assert finding.field == "text"
    assert text.startswith(finding.text)


def test_braces_and_capitals_that_mean_something_else_are_let_be(press: Press) -> None:
    html = f'<p style="{PLACE}">A set {{1, 2}} of todos; see [1], the XXXL one</p>'
    assert codes(press.face(html)) == []


def test_a_text_has_the_floor_of_its_field(press: Press) -> None:
    said = "The rope holds and nobody looks down while it does"
    small = f"{PLACE};font-size:6.6pt;width:50mm"
    html = '<p style="' + small + '">{{ entry.text }}</p><p style="' + small.replace("20mm", "50mm") + '">rope</p>'
    job = {"context": {"entry": {"text": said}}, "texts": (("text", said),)}
    assert codes(press.face(html, job=job, floor_pt=Fraction(6))) == []
    finding = found(press.face(html, job={**job, "floors": (("text", Fraction(7)),)}, floor_pt=Fraction(6)), "E608")
    assert finding.field == "text"
    assert finding.detail == "expected at least 7 pt, found 6.6 pt"


@pytest.mark.parametrize(
    ("left", "top", "size", "told"),
    [(12, 20, 9, True), (40, 20, 9, False), (12, 21.5, 9, True), (12, 24, 9, False), (5, 19, 40, True)],
)
def test_texts_do_not_stand_on_one_another(press: Press, left: float, top: float, size: int, told: bool) -> None:
    style = "position:absolute;white-space:nowrap"
    html = (
        f'<p style="{style};top:20mm;left:5mm;font-size:9pt;line-height:9pt">1d8 + 98765</p>'
        f'<p style="{style};top:{top}mm;left:{left}mm;font-size:{size}pt;line-height:{size}pt">123</p>'
    )
    result = press.face(html)
    assert codes(result) == (["E742"] if told else [])
    if told:
        assert {found(result, "E742").text, found(result, "E742").detail} == {"123", "1d8 + 98765"}


def test_marks_that_a_stylesheet_or_a_hidden_element_lays_below_a_text_are_let_be(press: Press) -> None:
    style = "position:absolute;top:20mm;left:5mm;font-size:9pt"
    below = f'<p style="{style}" aria-hidden="true">1d8</p><style>.q::before{{content:"1d8";{style}}}</style><i class="q"></i>'
    assert "E742" not in codes(press.face(f'{below}<p style="{style}">12</p>'))

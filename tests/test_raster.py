"""Pages as pictures: exact pixels, exact bytes."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from seasons_build.core.face import Face, sha_of
from seasons_build.core.paper import POINTS, CardSize
from seasons_build.impose import Card, link, one_page, one_up, sheets
from seasons_build.raster import page_png

US = CardSize("poker-us", "US poker", Fraction("63.5"), Fraction("88.9"))
EIGHTH = Fraction("3.175")


def face(red: float = 1) -> Face:
    """A card of one colour with its bleed."""
    width, height, bleed = US.width * POINTS, US.height * POINTS, EIGHTH * POINTS
    content = b"%g 0 0 rg -99 -99 999 999 re f" % red
    form = b"<</BBox [-9 -9 189 261]/Length %d/Subtype /Form/Type /XObject>>\nstream\n%s\nendstream" % (len(content), content)
    return Face(
        (-bleed, -bleed, width + bleed, height + bleed), (Fraction(0), Fraction(0), width, height), sha_of(form), {sha_of(form): form}, {}
    )


def picture(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def test_a_page_has_the_pixels_that_a_print_shop_states() -> None:
    pdf = link([one_page(face())], {}, title="Card")
    assert picture(page_png(pdf)).size == (825, 1125)
    assert picture(page_png(pdf, pixels=(822, 1122))).size == (822, 1122)
    cut = link([one_page(face(), bleed=False)], {}, title="Card")
    assert picture(page_png(cut)).size == (750, 1050)


def test_a_picture_is_filled_to_its_corners_and_says_its_density() -> None:
    png = picture(page_png(link([one_page(face())], {}, title="Card"), pixels=(822, 1122)))
    assert png.mode == "RGB"
    assert png.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    assert {png.getpixel(at) for at in ((0, 0), (821, 0), (0, 1121), (821, 1121), (400, 500))} == {(255, 0, 0)}


def test_the_same_page_is_the_same_bytes_without_a_clock() -> None:
    pdf = link(sheets([Card(face()), Card(face(0))], one_up(US, EIGHTH)), {}, title="Cards")
    first, second = (page_png(pdf, page, dpi=96) for page in range(2))
    assert [first, second] == [page_png(pdf, page, dpi=96) for page in range(2)]
    assert picture(second).getpixel((5, 5)) == (0, 0, 0)
    assert b"tIME" not in first


def test_a_page_that_is_not_there_and_bytes_that_are_no_pdf_are_refused() -> None:
    with pytest.raises(ValueError, match="no page 1"):
        page_png(link([one_page(face())], {}, title="Card"), 1)
    with pytest.raises(ValueError, match="not a PDF"):
        page_png(b"%PDF-1.7")


def test_a_contact_sheet_holds_every_picture_with_its_label(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent))
    from bench import contact

    png = page_png(link([one_page(face())], {}, title="Card"), dpi=72)
    monkeypatch.setattr(contact, "COLUMNS", 3)
    monkeypatch.setattr(contact, "WIDTH", 100)
    whole = contact.contact_sheet([(f"card {n}", png) for n in range(5)])
    assert whole.size == (3 * 112 + 12, 2 * (136 + 22 + 12) + 12)
    reds = [(x, y) for x in range(12, 348, 112) for y in (20, 190) if whole.getpixel((x + 50, y)) == (255, 0, 0)]
    assert len(reds) == 5

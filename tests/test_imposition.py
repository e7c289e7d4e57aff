"""Decks on sheets, looked at as a reader of the paper does: which word lies behind which, where the cuts are, what is painted."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import yaml
from hand_made import face
from PIL import Image

from seasons_build.core.document import Document
from seasons_build.core.face import Reason, WholeFace
from seasons_build.core.paper import CardSize, Layout, Paper, Papers, papers_from
from seasons_build.impose import Card, lay_out, link, one_page, sheets
from seasons_build.impose.whole import link_whole
from seasons_build.raster import page_png

SIZES = Path(__file__).parent.parent / "templates" / "base" / "papers.yaml"
POKER, TALL = CardSize("poker", "Poker", 63, 88), CardSize("tall", "Tall", 63, 200)
A4 = Paper("a4", "A4", 210, 297)
MM = 72 / 25.4


def exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    return Fraction(str(value)) if isinstance(value, float) else value


@pytest.fixture(scope="module")
def sizes() -> Papers:
    text = SIZES.read_text(encoding="utf-8")
    return papers_from(Document("papers.yaml", text, exact(yaml.safe_load(text)), (0, 0, 0, 0))).value


def laid(card: CardSize, paper: Paper, **more: Any) -> Layout:
    layout = lay_out(card, paper, **more).value
    assert layout is not None
    return layout


def words(page: pypdfium2.PdfPage) -> dict[str, tuple[float, float, bool]]:
    """The words of a page, each with where its letters stand about and whether they stand on their heads."""
    text = page.get_textpage()
    found: dict[str, list[tuple[str, float, float]]] = {}
    whole = text.get_text_range()
    for word in dict.fromkeys(whole.split()):
        start, length = text.search(word, match_whole_word=True).get_next()
        for index in range(start, start + length):
            left, bottom, right, top = text.get_charbox(index)
            found.setdefault(word, []).append((word, (left + right) / 2, (bottom + top) / 2))
    return {
        word: (sum(x for _, x, _ in at) / len(at), sum(y for _, _, y in at) / len(at), at[0][1] > at[-1][1]) for word, at in found.items()
    }


def deck(card: CardSize, count: int, *, backs: Any = lambda number: True) -> list[Card]:
    return [Card(face(card, f"front{n}"), face(card, f"back{n}") if backs(n) else None) for n in range(count)]


@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
@pytest.mark.parametrize("card", [TALL, POKER], ids=["3-up", "grid"])
def test_each_back_lies_behind_its_front(card: CardSize, orientation: Any, flip: Any) -> None:
    """Seven fronts, so that the last row is not full; the paper is turned about its long or its short edge and read at mirrored places."""
    if card is TALL and orientation == "landscape":
        card = CardSize("tall", "Tall", 80, 190)
    layout = laid(card, A4, orientation=orientation, flip=flip)
    document = pypdfium2.PdfDocument(link(sheets(deck(card, 7), layout), {}, title="Deck"))
    width, height = float(layout.width) * MM, float(layout.height) * MM
    about_upright = (width < height) == (flip == "long")
    met = set()
    for leaf in range(0, len(document), 2):
        fronts, backs = words(document[leaf]), words(document[leaf + 1])
        assert len(fronts) == len(backs)
        for word, (x, y, upside_down) in fronts.items():
            back_x, back_y, turned = backs[word.replace("front", "back")]
            assert not upside_down
            seen_x, seen_y = (width - back_x, back_y) if about_upright else (back_x, height - back_y)
            assert (seen_x, seen_y) == pytest.approx((x, y), abs=20), f"{word}: another card's back"
            assert turned != about_upright, "the back is upright when the card is turned sideways"
            met.add(word)
    document.close()
    assert len(met) == 7


def test_some_cards_without_a_back_leave_the_others_theirs() -> None:
    layout = laid(POKER, A4)
    document = pypdfium2.PdfDocument(link(sheets(deck(POKER, 5, backs=lambda n: n != 2), layout), {}, title="Deck"))
    fronts, backs = words(document[0]), words(document[1])
    assert sorted(backs) == ["back0", "back1", "back3", "back4"]
    for word, (x, y, _) in backs.items():
        front_x, front_y, _ = fronts[word.replace("back", "front")]
        assert (float(layout.width) * MM - x, y) == pytest.approx((front_x, front_y), abs=20)
    document.close()


@pytest.mark.parametrize(("cards", "leaves"), [(9, 1), (10, 2), (18, 2), (27, 3)])
def test_a_deck_takes_as_many_sheets_as_it_must(cards: int, leaves: int) -> None:
    one = Card(face(POKER, "front"))
    assert len(sheets([one] * cards, laid(POKER, A4))) == leaves
    both = Card(face(POKER, "front"), face(POKER, "back"))
    assert len(sheets([both] * cards, laid(POKER, A4))) == 2 * leaves


@pytest.mark.parametrize("how", [{}, {"gap": 6}, {"fold": True}, {"scale": Fraction(5, 4)}], ids=["butted", "gutter", "fold", "large"])
def test_every_card_on_every_paper_lies_apart_from_the_others(sizes: Papers, how: dict[str, Any]) -> None:
    for paper in sizes.papers.values():
        for card in sizes.cards.values():
            result = lay_out(card, paper, **how)
            if result.value is None:
                assert "scale" in how or "fold" in how, f"{card.id} on {paper.id}"
                continue
            layout = result.value
            cells = [layout.cell(column, row) for column in range(layout.columns) for row in range(layout.rows)]
            assert len(layout.fronts()) == layout.count == len(cells) // (2 if layout.fold else 1)
            for x, y in cells:
                assert layout.left <= x
                assert x + card.width <= layout.width - layout.left
                assert layout.bottom <= y
                assert y + card.height <= layout.height - layout.bottom
                others = [(ox, oy) for ox, oy in cells if (ox, oy) != (x, y)]
                assert all(abs(ox - x) >= card.width + layout.gap or abs(oy - y) >= card.height + layout.gap for ox, oy in others)
            document = pypdfium2.PdfDocument(link(sheets([Card(face(card, "x"))], layout), {}, title="Deck"))
            wanted = pytest.approx((0, 0, float(layout.width) * MM, float(layout.height) * MM), abs=0.1)
            assert document[0].get_mediabox() == wanted
            assert document[0].get_trimbox() == document[0].get_bleedbox() == document[0].get_mediabox()
            document.close()


def test_a_fold_brings_each_back_behind_its_front() -> None:
    for orientation in ("portrait", "landscape"):
        layout = laid(POKER, A4, fold=True, orientation=orientation)
        document = pypdfium2.PdfDocument(link(sheets(deck(POKER, layout.count + 1), layout), {}, title="Deck"))
        assert len(document) == 2, "fronts and backs on one side of the paper"
        found = words(document[0])
        assert len(found) == 2 * layout.count
        width, height = float(layout.width) * MM, float(layout.height) * MM
        for word, (x, y, _) in found.items():
            if word.startswith("front"):
                back_x, back_y, turned = found[word.replace("front", "back")]
                seen = (width - back_x, back_y) if layout.fold == "vertical" else (back_x, height - back_y)
                assert seen == pytest.approx((x, y), abs=20)
                assert turned == (layout.fold == "horizontal")
        document.close()
    assert layout.count == 4
    assert laid(POKER, Paper("letter", "US Letter", Fraction("215.9"), Fraction("279.4")), fold=True).count == 4


def test_a_ruler_is_fifty_millimetres_of_paper(sizes: Papers) -> None:
    for scale in (1, Fraction(5, 4)):
        for paper in sizes.papers.values():
            for card in sizes.cards.values():
                layout = lay_out(card, paper, scale=scale).value
                if layout is None:
                    continue
                assert layout.guides, f"no ruler beside {card.id} on {paper.id}"
                longest = max(max(abs(x1 - x2), abs(y1 - y2)) for x1, y1, x2, y2 in layout.guides)
                assert longest * scale == 50
                for x1, y1, x2, y2 in layout.guides:
                    for x, y in ((x1, y1), (x2, y2)):
                        beside = x < layout.left or x > layout.width - layout.left
                        assert beside or y < layout.bottom or y > layout.height - layout.bottom, "a ruler on a card"


def test_backs_are_moved_as_the_printer_slips() -> None:
    layout = laid(POKER, A4, back_offset=(Fraction(1, 2), -1))
    document = pypdfium2.PdfDocument(link(sheets(deck(POKER, 1), layout), {}, title="Deck"))
    straight = pypdfium2.PdfDocument(link(sheets(deck(POKER, 1), laid(POKER, A4)), {}, title="Deck"))
    (moved, *_), (still, *_) = words(document[1]).values(), words(straight[1]).values()
    assert (moved[0] - still[0], moved[1] - still[1]) == pytest.approx((0.5 * MM, -1 * MM), abs=0.01)
    assert words(document[0]) == words(straight[0])


def drawn(pdf: bytes, page: int = 0, *, dpi: int = 600) -> Image.Image:
    return Image.open(BytesIO(page_png(pdf, page, dpi=dpi)))


def test_at_600_dpi_the_trims_are_where_they_should_be_and_hold_no_mark() -> None:
    """Blue inside the trim, red in the bleed, each edge found pixel by pixel along the middle of the card."""
    layout = laid(POKER, A4, gap=6)
    colored = face(POKER, ground="1 0 0", inside="0 0 1")
    picture = drawn(link(sheets([Card(colored)] * layout.count, layout), {}, title="Deck"))
    per_mm = 600 / 25.4
    for column, row in layout.fronts():
        x, y = (float(n) for n in layout.cell(column, row))
        top = float(layout.height) - y - 88
        across = round((top + 44) * per_mm)
        down = round((x + 31.5) * per_mm)
        for edge, at in ((x, "left"), (x + 63, "right")):
            found = change(picture, edge * per_mm, across, upright=True)
            assert abs(found / per_mm - edge) < 0.1, f"{at} edge of {column}, {row}"
        for edge, at in ((top, "top"), (top + 88, "bottom")):
            found = change(picture, edge * per_mm, down, upright=False)
            assert abs(found / per_mm - edge) < 0.1, f"{at} edge of {column}, {row}"
        inner = (round((x + 0.1) * per_mm), round((top + 0.1) * per_mm), round((x + 62.9) * per_mm), round((top + 87.9) * per_mm))
        assert picture.crop(inner).getcolors() == [((inner[2] - inner[0]) * (inner[3] - inner[1]), (0, 0, 255))], "a mark inside a trim"
    picture.close()


def change(picture: Image.Image, near: float, across: int, *, upright: bool) -> float:
    """Where, within two millimetres of a place, blue and red meet."""
    span = range(round(near) - 40, round(near) + 40)
    line = [picture.getpixel((at, across) if upright else (across, at)) for at in span]
    blue = [pixel[2] > 127 for pixel in line if isinstance(pixel, tuple)]
    (at,) = [index for index in range(1, len(blue)) if blue[index] != blue[index - 1]]
    return span[at]


def test_the_bleed_of_a_shop_is_painted_on_four_sides() -> None:
    card = CardSize("poker-us", "US poker", Fraction("63.5"), Fraction("88.9"))
    pdf = link([one_page(face(card, bleed=Fraction("3.175"), ground="1 0 0", inside="0 0 1"))], {}, title="Card")
    picture = drawn(pdf)
    wide, high = picture.size
    assert (wide, high) == (1650, 2250)
    strips = [(0, 0, 74, high), (wide - 74, 0, wide, high), (0, 0, wide, 74), (0, high - 74, wide, high)]
    for strip in strips:
        assert picture.crop(strip).getcolors() == [((strip[2] - strip[0]) * (strip[3] - strip[1]), (255, 0, 0))]
    assert picture.crop((76, 76, wide - 76, high - 76)).getcolors() is not None
    assert picture.getpixel((wide // 2, 80)) == (0, 0, 255)


def test_a_face_that_keeps_its_page_lies_in_its_own_place_whatever_is_alike_beside_it() -> None:
    own = face(POKER, "own", bleed=0)
    whole = WholeFace(own.box, own.trim, Reason.CONSTRUCT, "", link([one_page(own)], {}, title="Own"))
    alike = [face(POKER, "alike", bleed=0) for _ in range(2)]
    pages = sheets([Card(one) for one in (*alike, whole, face(POKER, "last", bleed=0))], laid(POKER, A4, bleed=0))
    document = pypdfium2.PdfDocument(link_whole(pages, {}, title="Deck"))
    found = words(document[0])
    assert sorted(found) == ["alike", "last", "own"]
    assert found["own"][:2] == pytest.approx((found["last"][0] + 2 * 63 * MM, found["last"][1] + 88 * MM), abs=4)

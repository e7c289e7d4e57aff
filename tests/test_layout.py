"""How many cards a sheet takes, where they lie, the marks to cut along, and the table of sizes. The numbers are worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from seasons_build.core.document import Document
from seasons_build.core.face import Face
from seasons_build.core.paper import POINTS, CardSize, Layout, Paper, Papers, papers_from
from seasons_build.impose import Card, Sheet, lay_out, link, one_page, one_up, sheets

SIZES = Path(__file__).parent.parent / "templates" / "base" / "papers.yaml"


def document(text: str) -> Document:
    return Document("papers.yaml", text, _exact(yaml.safe_load(text)), (0, 0, 0, 0))


def _exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _exact(item) for key, item in value.items()}
    return Fraction(str(value)) if isinstance(value, float) else value


@pytest.fixture(scope="module")
def sizes() -> Papers:
    result = papers_from(document(SIZES.read_text(encoding="utf-8")))
    assert result.diagnostics == ()
    return result.value


def laid(card: CardSize, paper: Paper, **more: Any) -> Layout:
    layout = lay_out(card, paper, **more).value
    assert layout is not None
    return layout


A4, LETTER = Paper("a4", "A4", 210, 297), Paper("letter", "US Letter", Fraction("215.9"), Fraction("279.4"))


@pytest.mark.parametrize(
    ("card", "paper", "gap", "grid", "landscape", "margins"),
    [
        ("poker", "a4", 0, (3, 3), False, ("10.5", "16.5")),
        ("poker", "a4", 6, (4, 2), True, ("13.5", "14")),
        ("poker", "letter", 0, (3, 3), False, ("13.45", "7.7")),
        ("poker", "letter", 6, (3, 2), False, None),
        ("poker-us", "a4", 0, (3, 3), False, ("9.75", "15.15")),
        ("poker-us", "a4", 6, (4, 2), True, None),
        ("poker-us", "letter", 0, (3, 3), False, ("12.7", "6.35")),
        ("poker-us", "letter", 6, (3, 2), False, None),
        ("bridge", "a4", 0, (5, 2), True, None),
        ("bridge", "a4", 6, (3, 3), False, None),
        ("bridge", "letter", 0, (3, 3), False, None),
        ("bridge", "letter", 6, (4, 2), True, None),
        ("tarot", "a4", 0, (2, 2), False, None),
        ("tarot", "letter", 6, (2, 2), False, None),
        ("mini", "a4", 0, (4, 4), False, None),
        ("mini", "a4", 6, (4, 3), False, None),
        ("mini", "letter", 0, (6, 3), True, None),
        ("mini", "letter", 6, (4, 3), False, None),
    ],
)
def test_as_many_cards_as_a_home_printer_can_print(
    sizes: Papers, card: str, paper: str, gap: int, grid: tuple[int, int], landscape: bool, margins: tuple[str, str] | None
) -> None:
    size = sizes.cards[card]
    layout = laid(size, sizes.papers[paper], gap=gap)
    assert (layout.columns, layout.rows, layout.landscape) == (*grid, landscape)
    if margins:
        assert (layout.left, layout.bottom) == tuple(Fraction(margin) for margin in margins)
    assert layout.left >= 5
    assert layout.bottom >= 5
    assert 2 * layout.left + layout.columns * size.width + (layout.columns - 1) * gap == layout.width
    assert 2 * layout.bottom + layout.rows * size.height + (layout.rows - 1) * gap == layout.height


def test_every_card_of_the_table_lies_on_every_paper_with_marks_that_reach_no_art(sizes: Papers) -> None:
    assert sizes.default in sizes.papers
    for paper in sizes.papers.values():
        for card in sizes.cards.values():
            layout = laid(card, paper)
            assert layout.count >= 2
            right, top = layout.width - layout.left, layout.height - layout.bottom
            sides = set()
            for x1, y1, x2, y2 in layout.marks:
                assert max(abs(x1 - x2), abs(y1 - y2)) >= Fraction(5, 8)
                for x, y in ((x1, y1), (x2, y2)):
                    assert 5 <= x <= layout.width - 5
                    assert 5 <= y <= layout.height - 5
                    outside_x = x <= layout.left - layout.bleed[0] or x >= right + layout.bleed[2]
                    outside_y = y <= layout.bottom - layout.bleed[1] or y >= top + layout.bleed[3]
                    assert outside_x or outside_y, "a mark on the art"
                sides.add("left" if x2 < layout.left else "right" if x2 > right else "below" if y2 < layout.bottom else "above")
            assert sides == {"left", "right", "below", "above"}


def test_marks_stand_at_every_cut() -> None:
    layout = laid(CardSize("poker", "Poker", 63, 88), A4, gap=6)
    cuts = sorted({x1 for x1, _, x2, _ in layout.marks if x1 == x2})
    assert cuts == [layout.left + offset for offset in (0, 63, 69, 132, 138, 201, 207, 270)]
    assert len(layout.marks) == 2 * (8 + 4)


def test_bleed_gives_way_to_the_marks() -> None:
    layout = laid(CardSize("poker-us", "US poker", Fraction("63.5"), Fraction("88.9")), LETTER)
    assert layout.bleed == (3, Fraction("0.35"), 3, Fraction("0.35"))
    assert laid(CardSize("poker-us", "US poker", Fraction("63.5"), Fraction("88.9")), LETTER, marks=False).bleed[1] == Fraction("1.35")
    assert laid(CardSize("poker", "Poker", 63, 88), A4, bleed=0).bleed == (0, 0, 0, 0)


def test_a_card_that_is_larger_than_the_paper_is_said_to_be() -> None:
    result = lay_out(CardSize("board", "Board", 210, 250), A4)
    assert result.value is None
    assert [(d.code, d.message) for d in result.diagnostics] == [("E641", "a card `board` of 210 x 250 mm does not fit on `a4`")]
    assert lay_out(CardSize("page", "Page", 200, 287), A4).value is not None
    assert lay_out(CardSize("page", "Page", 200, 287), A4, scale=Fraction(101, 100)).diagnostics


def test_a_scaled_sheet_keeps_its_edge() -> None:
    layout = laid(CardSize("poker", "Poker", 63, 88), A4, scale=Fraction(107, 100))
    assert (layout.columns, layout.rows) == (4, 2), "three across would be 202 mm"
    for line in layout.marks:
        for at, length in zip(line, (layout.width, layout.height) * 2, strict=True):
            assert 5 <= length / 2 + (at - Fraction(length) / 2) * layout.scale <= length - 5


@pytest.mark.parametrize(
    ("landscape", "flip", "expected"),
    [(False, "long", (2, 0, False)), (False, "short", (0, 2, True)), (True, "long", (0, 1, True)), (True, "short", (3, 0, False))],
)
def test_a_back_lies_where_the_sheet_turns_it(landscape: bool, flip: Any, expected: tuple[int, int, bool]) -> None:
    layout = laid(CardSize("poker", "Poker", 63, 88), A4, orientation="landscape" if landscape else "portrait", flip=flip)
    assert layout.landscape == landscape
    assert layout.behind(0, 0) == expected
    behind = [layout.behind(column, row)[:2] for column in range(layout.columns) for row in range(layout.rows)]
    assert sorted(behind) == [(column, row) for column in range(layout.columns) for row in range(layout.rows)]


def face(width: int = 63, height: int = 88, bleed: int = 3) -> Face:
    trim = (Fraction(0), Fraction(0), width * POINTS, height * POINTS)
    box = (-bleed * POINTS, -bleed * POINTS, (width + bleed) * POINTS, (height + bleed) * POINTS)
    return Face(box, trim, "form", {"form": b"<</BBox [0 0 9 9]/Length 0/Subtype /Form>>\nstream\n\nendstream"}, {})


def test_a_face_is_placed_by_its_trim_and_clipped_between_cards() -> None:
    front, back = face(), face()
    layout = laid(CardSize("poker", "Poker", 63, 88), A4, flip="short", back_offset=(1, Fraction(-1, 2)))
    pages = sheets([Card(front, back)] * 9 + [Card(front)], layout)
    assert [len(page.placements) for page in pages] == [9, 9, 1, 0]
    first, middle = pages[0].placements[0].spot, pages[0].placements[4].spot
    assert first.matrix == (1, 0, 0, 1, Fraction("10.5") * POINTS, Fraction("192.5") * POINTS)
    assert first.clip == (Fraction("7.5") * POINTS, Fraction("192.5") * POINTS, 66 * POINTS, 91 * POINTS)
    assert middle.clip == (Fraction("73.5") * POINTS, Fraction("104.5") * POINTS, 63 * POINTS, 88 * POINTS)
    turned = pages[1].placements[0].spot
    assert turned.matrix == (-1, 0, 0, -1, Fraction("73.5") * POINTS, Fraction("104.5") * POINTS)
    assert pages[0].matrix is None
    assert pages[1].matrix == (1, 0, 0, 1, POINTS, -POINTS / 2)
    assert pages[0].marks
    assert pages[1].marks == ()
    with pytest.raises(ValueError, match="another size"):
        sheets([Card(face(60, 88))], layout)


def test_a_card_paints_its_bleed_into_the_empty_places_beside_it() -> None:
    """Edge to edge a card ends at its neighbour; where there is none, white would show beside a cut that misses."""
    uneven = Face((-1 * POINTS, -2 * POINTS, 66 * POINTS, 92 * POINTS), face().trim, "uneven", {}, {})
    layout = laid(CardSize("poker", "Poker", 63, 88), A4, flip="short")
    full, _, fronts, backs = sheets([Card(face(), uneven)] * 13, layout)

    def reach(page: Sheet, places: Sequence[tuple[int, int]]) -> list[tuple[float, ...]]:
        """By how many millimetres each card, at its column and row, paints beyond its cuts: on the left, below, on the right, above."""
        found = []
        for placement, (column, row) in zip(page.placements, places, strict=True):
            left, bottom, wide, high = (float(length / POINTS) for length in placement.spot.clip)
            x, y = (float(length) for length in layout.cell(column, row))
            found.append(tuple(round(side, 3) for side in (x - left, y - bottom, left + wide - x - 63, bottom + high - y - 88)))
        return found

    assert reach(full, layout.fronts())[3:6] == [(3, 0, 0, 0), (0, 0, 0, 0), (0, 0, 3, 0)]
    places = [(0, 0), (1, 0), (2, 0), (0, 1)]
    assert reach(fronts, places) == [(3, 0, 0, 3), (0, 3, 0, 3), (0, 3, 3, 3), (3, 3, 3, 0)]
    # Behind them and upside down, each with the bleed that lies on that side then.
    assert reach(backs, [(column, 2 - row) for column, row in places]) == [(3, 3, 0, 0), (0, 3, 0, 2), (0, 3, 3, 2), (3, 0, 1, 2)]


def test_one_card_a_page_is_trimmed_inside_its_bleed() -> None:
    layout = one_up(CardSize("poker", "Poker", 63, 88), 3)
    (page,) = sheets([Card(face())], layout)
    assert (page.width, page.height) == (69 * POINTS, 94 * POINTS)
    assert page.trim == (3 * POINTS, 3 * POINTS, 66 * POINTS, 91 * POINTS)
    assert page.placements[0].spot.clip == (0, 0, 69 * POINTS, 94 * POINTS)
    assert one_page(face()).trim == page.trim
    cut = one_page(face(), bleed=False)
    assert (cut.width, cut.trim[0]) == (63 * POINTS, 0)


def test_a_linked_sheet_is_the_bytes_that_it_always_was() -> None:
    layout = laid(CardSize("poker", "Poker", 63, 88), A4)
    pdf = link(sheets([Card(face())] * 2, layout), {}, title="Deck: ⛊", language="en")
    assert pdf == link(sheets([Card(face())] * 2, layout), {}, title="Deck: ⛊", language="en")
    assert pdf.startswith(b"%PDF-1.7\n")
    assert pdf.endswith(b"%%EOF\n")
    assert b"/PrintScaling /None" in pdf
    assert b"/MediaBox [0 0 595.27559 841.88976]/BleedBox [0 0 595.27559 841.88976]/TrimBox [0 0 595.27559 841.88976]" in pdf
    assert b"/Title <feff" + "Deck: ⛊".encode("utf-16-be").hex().encode() in pdf
    assert pdf.count(b"/Subtype /Form") == 2, "the face and the marks"
    for number, line in enumerate(pdf[pdf.rindex(b"xref\n0") :].split(b"\n")[2:-6]):
        if number:
            at = int(line[:10])
            assert pdf[at:].startswith(b"%d 0 obj\n" % number)


def test_a_font_that_was_not_given_is_our_own_fault() -> None:
    lost = Face(face().box, face().trim, "form", {"form": b"<</F0 @" + b"a" * 64 + b"@>>"}, {})
    with pytest.raises(KeyError):
        link([one_page(lost)], {}, title="Deck")


def messages(text: str) -> list[str]:
    found = papers_from(document(text)).diagnostics
    assert {d.code for d in found} <= {"E640"}
    return [d.message for d in found]


def test_sizes_that_cannot_be_used_are_reported_and_left_out() -> None:
    assert messages("papers: {}") == ["expected `paper`, `card` or `default`, found `papers`"]
    assert messages("paper: [a4]") == ["expected a map of sizes in `paper`"]
    assert messages("paper: {A4: {width: 1, height: 1}}") == ["expected an id in small letters and hyphens, found `A4`"]
    assert messages("card: {mine: 63x88}") == ["expected a map with `title`, `width` and `height` in `mine`"]
    assert messages("card: {mine: {width: 63}}") == ["`mine` has no `height`"]
    assert messages("card: {mine: {width: 63, height: 88000}}") == ["expected millimetres from 1 to 2000 in `height`"]
    assert messages("card: {mine: {width: true, height: 88, depth: 1}}") == [
        "expected `title`, `width` or `height`, found `depth`",
        "expected millimetres from 1 to 2000 in `width`",
    ]
    assert messages("default: a5") == ["expected the id of a paper in `default`"]
    result = papers_from(document("card: {good: {width: 63.5, height: 88}, bad: {width: 0, height: 88}}"))
    assert result.value.cards == {"good": CardSize("good", "good", Fraction("63.5"), 88)}

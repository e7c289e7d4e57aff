"""Written files against profiles: each profile's own output passes, and what is off by a pixel, a page or a colour is named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
import yaml
from hand_made import face
from PIL import Image

from seasons_build.core.document import Document
from seasons_build.core.paper import CardSize, Papers, papers_from
from seasons_build.core.profile import Profile, profile_from
from seasons_build.finish import in_process_inks, verify
from seasons_build.finish.inks import said_in
from seasons_build.impose import Card, lay_out, link, sheets
from seasons_build.pipeline.shops import Side, pages, pictures, table

ROOT = Path(__file__).parent.parent
BASE = ROOT / "templates" / "base"
SHIPPED = sorted(path.stem for path in (BASE / "profiles").glob("*.yaml"))
CARD = CardSize("poker", "Poker", 63, 88)


def exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    return Fraction(str(value)) if isinstance(value, float) else value


def document(text: str) -> Document:
    return Document("x.yaml", text, exact(yaml.safe_load(text)), (0, 0, 0, 0))


PAPERS: Papers = papers_from(document((BASE / "papers.yaml").read_text(encoding="utf-8"))).value


def profile(name: str, more: str = "") -> Profile:
    result = profile_from(name, document((BASE / "profiles" / f"{name}.yaml").read_text(encoding="utf-8") + more))
    assert result.diagnostics == ()
    assert result.value is not None
    return result.value


def made(how: Profile, count: int = 4, *, own_backs: bool = False) -> dict[str, bytes]:
    """The files of a deck of these many cards, by the name that they have in their folder."""
    card = how.cut(CARD)
    assert card is not None
    back = face(card, "back", bleed=how.bleed, ground="0.6 0.3 0.1", inside="0.6 0.3 0.1")
    deck = [
        Side(
            f"thing-{n}",
            f"Thing {n}",
            face(card, f"front{n}", bleed=how.bleed, ground="1 0 0"),
            face(card, f"back{n}", bleed=how.bleed) if own_backs else back,
            1 + n % 2,
        )
        for n in range(count)
    ]
    if how.at_home:
        layout = lay_out(CARD, PAPERS.papers[how.paper or "a4"], gap=how.gap, fold=how.fold).value
        assert layout is not None
        cards = [Card(side.face, side.back) for side in deck]
        return {"deck.pdf": link(sheets(cards, layout), {}, title="Deck")}
    make = {"pages": pages, "pictures": pictures, "table": table}[how.makes]
    return {
        file.name.lstrip("/") if "/" in file.name else f"deck{file.name}": file.data
        for file in make(deck, "Deck", card, how, lambda imposed, title: link(imposed, {}, title=title))
    }


def faults(files: Mapping[str, bytes], how: Profile) -> list[str]:
    return [d.message for d in verify(files, how, PAPERS) if d.severity == "error"]


@pytest.mark.parametrize("own_backs", [False, True], ids=["one back", "own backs"])
@pytest.mark.parametrize("name", SHIPPED)
def test_the_output_of_a_profile_passes(name: str, own_backs: bool) -> None:
    how = profile(name)
    assert faults(made(how, own_backs=own_backs), how) == []


@pytest.mark.parametrize(("name", "pixels"), [("makeplayingcards", (822, 1122)), ("thegamecrafter", (825, 1125))])
def test_pictures_have_the_pixels_of_the_shop_and_one_off_is_named(name: str, pixels: tuple[int, int]) -> None:
    how = profile(name)
    files = made(how)
    faces = ["001-face-thing-0.png", "002-face-thing-1-x2.png", "003-face-thing-2.png", "004-face-thing-3-x2.png"]
    assert sorted(files) == [*faces, "back.png"]
    assert {Image.open(BytesIO(data)).size for data in files.values()} == {pixels}
    with Image.open(BytesIO(files["002-face-thing-1-x2.png"])) as picture:
        assert picture.getpixel((0, 0)) == (255, 0, 0), "the bleed is painted to the corner"
        wider = BytesIO()
        picture.resize((pixels[0] + 1, pixels[1])).save(wider, "PNG", dpi=(300, 300))
        gray = BytesIO()
        picture.convert("L").save(gray, "PNG", dpi=(300, 300))
    wide = faults({**files, "002-face-thing-1-x2.png": wider.getvalue()}, how)
    assert wide[0].startswith("`002-face-thing-1-x2.png`: expected ")
    assert wide[0].endswith(f"pixels, found {pixels[0] + 1} x {pixels[1]}")
    assert faults({**files, "back.png": gray.getvalue()}, how) == ["`back.png`: expected the colours RGB, found L"]
    del files["003-face-thing-2.png"]
    assert faults(files, how) == ["expected one face of each number from 001 on, found the order broken at 003"]


def reordered(pdf: bytes, order: list[int]) -> bytes:
    with pikepdf.open(BytesIO(pdf)) as old, pikepdf.new() as new:
        for number in order:
            new.pages.append(old.pages[number])
        out = BytesIO()
        new.save(out)
        return out.getvalue()


def test_a_pdf_in_the_wrong_order_in_the_wrong_colours_or_of_the_wrong_size_is_named() -> None:
    how = profile("drivethrucards")
    (data,) = made(how).values()
    with pikepdf.open(BytesIO(data)) as pdf:
        assert [str(page.obj.SBLD_Side) for page in pdf.pages][:4] == ["back 1", "face 1", "back 2", "face 2"]
        assert [round(float(n), 2) for n in pdf.pages[0].MediaBox] == [0, 0, 198, 270]
        assert [round(float(n), 2) for n in pdf.pages[0].TrimBox] == [9, 9, 189, 261]
        count = len(pdf.pages)
    assert count == 12, "two cards are printed twice"
    swapped = faults({"deck.pdf": reordered(data, [1, 0, *range(2, count)])}, how)
    assert swapped == ["`deck.pdf`, page 1: expected the back 1 in the order `back-face`, found the face 1"]
    assert faults({"deck.pdf": reordered(data, list(range(1, count)))}, how)
    rgb = made(replace(how, colors="rgb"))
    assert [m.partition(" in ")[0] for m in faults(rgb, how)] == ["`deck.pdf`: expected CMYK, found RGB"]
    assert faults(rgb, replace(how, colors="rgb")) == []
    home = faults(made(profile("home-a4")), how)
    assert any("expected a page of 69.85 x 95.25 mm, found 210 x 297" in message for message in home)
    assert faults({"deck.pdf": b"%PDF-1.7 no"}, how) == ["`deck.pdf`: expected a PDF that can be read, found something else"]
    notes = [d.message for d in verify({"deck.pdf": data}, how, PAPERS) if d.code == "N726"]
    assert len(notes) == 1
    assert "is not that: it does not say so of itself (GTS_PDFXVersion)" in notes[0]


def test_colours_become_inks_that_a_press_can_take() -> None:
    how = profile("drivethrucards")
    rgb = replace(how, colors="rgb")
    (plain,) = made(rgb).values()
    with pikepdf.open(BytesIO(in_process_inks(plain))) as pdf:
        inks = [[float(n) for n in operands] for operands, operator in said_in(pdf) if operator == "k"]
        assert [0, 1, 1, 0] in inks, "red is magenta and yellow"
        assert max(sum(ink) for ink in inks) <= 2
        assert not [operator for _, operator in said_in(pdf) if operator in ("rg", "RG")]
    assert in_process_inks(plain) == in_process_inks(plain)


def test_more_ink_than_a_shop_allows_is_named() -> None:
    how = replace(profile("drivethrucards"), most_ink=150)
    assert faults(made(how), how) == ["`deck.pdf`: expected at most 150 % of ink, found 200 %"]


def test_sheets_of_another_paper_are_named() -> None:
    letter = made(profile("home-letter"))
    assert faults(letter, profile("home-a4")) == [
        "`deck.pdf`, page 1 and 1 more: expected a page of 210 x 297 or 297 x 210 mm, found 215.9 x 279.4"
    ]
    assert faults(letter, profile("home-gutter")) == [], "a profile without a paper takes any"
    scaling = letter["deck.pdf"].replace(b"/PrintScaling /None", b"                   ")
    assert len(faults({"deck.pdf": scaling}, profile("home-letter"))) == 1


def test_a_deck_for_a_table_is_whole_and_in_order() -> None:
    how = profile("tabletop-simulator", "address: https://example.org/cards/\n")
    files = made(how, 40)
    assert sorted(files) == ["back.png", "deck.json", "faces-1.png", "faces-2.png"]
    assert faults(files, how) == []
    deck = json.loads(files["deck.json"])["ObjectStates"][0]
    assert deck["CustomDeck"]["1"]["FaceURL"] == "https://example.org/cards/faces-1.png"
    assert deck["DeckIDs"][:4] == [100, 101, 101, 102]
    with Image.open(BytesIO(files["faces-1.png"])) as picture:
        sheet = deck["CustomDeck"]["1"]
        cell = (picture.width // sheet["NumWidth"], picture.height // sheet["NumHeight"])
        assert max(picture.size) <= 4096
        assert abs(cell[0] / cell[1] - 63 / 88) < 0.01
        assert picture.getpixel((picture.width - 5, picture.height - 5)) == (153, 77, 26), "the last place shows the back"
    astray = {**deck, "DeckIDs": deck["DeckIDs"][::-1], "ContainedObjects": deck["ContainedObjects"][::-1]}
    broken = {**files, "deck.json": json.dumps({"ObjectStates": [astray]}).encode()}
    assert len(faults(broken, how)) == 1
    assert faults({name: data for name, data in files.items() if name != "faces-2.png"}, how) == [
        "`deck.json`, picture 2: expected `faces-2.png` among the files, found no picture of that name"
    ]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shop_is_asked_for_its_own_sizes(name: str) -> None:
    how = profile(name)
    for id_, size in how.sizes.items():
        card = PAPERS.cards[id_]
        cut = how.cut(card)
        assert cut is not None
        if size.pixels is not None:
            exact_pixels = [(length + 2 * how.bleed) * how.density / Fraction(254, 10) for length in (cut.width, cut.height)]
            assert [abs(a - b) <= Fraction(1, 2) for a, b in zip(exact_pixels, size.pixels, strict=True)] == [True, True]
    assert how.at_home == (name.startswith("home-"))
    assert how.cut(CardSize("odd", "Odd", 10, 10)) is None or how.at_home


def test_a_profile_of_ones_own_says_what_is_wrong_with_it() -> None:
    text = "title: 3\nmakes: picture\nbleed: -1\nmost-ink: 900\nmarks: 1\nasks: PDF\nblee: 1\n"
    text += "sizes: {poker: {wide: 3, pixels: [1], width: 0}, mini: 3}\n"
    messages = [d.message for d in profile_from("own", document(text)).diagnostics]
    assert messages == [
        "expected text in `title`",
        "expected one of `sheets`, `pages`, `pictures`, `table` in `makes`",
        "expected millimetres from 0 to 20 in `bleed`",
        "expected parts of a hundred from 1 to 400 in `most-ink`",
        "expected true or false in `marks`",
        "expected a list of texts in `asks`",
        "a profile has no `blee`",
        "a size has no `wide`",
        "expected two whole numbers in `pixels`, as `[7, 5]`",
        "expected millimetres from 1 to 2000 in `width`",
        "expected a map in `mini`, which may be empty: `{}`",
    ]
    assert [d.message for d in profile_from("own", document("title: Mine\n")).diagnostics] == [
        "a profile says what it `makes`: `sheets`, `pages`, `pictures`, `table`"
    ]
    assert len(profile_from("own", document("makes: pages\n")).diagnostics) == 1
    cmyk = "makes: pictures\ncolors: cmyk\nsizes: {poker: {}}\n"
    assert [d.message for d in profile_from("own", document(cmyk)).diagnostics] == ["only pages can be in `cmyk`: a picture is RGB"]

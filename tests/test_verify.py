"""Written files against profiles: each profile's own output passes, and what is off by a pixel, a page or a colour is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
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
from seasons_build.core.plan import Side
from seasons_build.core.profile import Profile, profile_from
from seasons_build.finish import in_process_inks, verify
from seasons_build.finish.inks import said_in
from seasons_build.impose import Card, lay_out, link, sheets
from seasons_build.pipeline.shops import pages, pictures, table

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
    back = face(card, bleed=how.bleed, ground="0.6 0.3 0.1", inside="0.6 0.3 0.1")
    deck = [
        Side(
            f"thing-{n}",
            f"Thing {n}",
            face(card, bleed=how.bleed, ground="1 0 0", inside=f"0 0 0.{n:02}"),
            face(card, bleed=how.bleed, inside=f"0 0.{n:02} 0") if own_backs else back,
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
        for file in make(deck, "Deck", card, how, lambda imposed, title: link(imposed, {}, title=title), "deck")
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
    assert faults({name: data for name, data in files.items() if name != "back.png"}, how) == [
        "expected `back.png`, which is the back of all cards, found none"
    ]
    alone = {"back.png": files["back.png"]}
    assert faults(alone, how) == ["expected one face of each number from 001 on, found the order broken at 001"]
    assert verify(alone, how, PAPERS, folder=False) == (), "a picture may be looked at alone"
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
        assert [str(page.obj.SBLD_Side) for page in pdf.pages][:4] == [f"{side} of 6" for side in ("back 1", "face 1", "back 2", "face 2")]
        assert [round(float(n), 2) for n in pdf.pages[0].MediaBox] == [0, 0, 198, 270]
        assert [round(float(n), 2) for n in pdf.pages[0].TrimBox] == [9, 9, 189, 261]
        count = len(pdf.pages)
    assert count == 12, "two cards are printed twice"
    swapped = faults({"deck.pdf": reordered(data, [1, 0, *range(2, count)])}, how)
    assert swapped == ["`deck.pdf`, page 1: expected the back 1 in the order `back-face`, found the face 1"]
    assert faults({"deck.pdf": reordered(data, list(range(1, count)))}, how)
    short = faults({"deck.pdf": reordered(data, list(range(count - 2)))}, how)
    assert short == ["`deck.pdf`: expected 12 pages, found 10"]
    rgb = made(replace(how, colors="rgb"))
    assert [m.partition(" in ")[0] for m in faults(rgb, how)] == ["`deck.pdf`: expected CMYK, found RGB"]
    assert faults(rgb, replace(how, colors="rgb")) == []
    home = faults(made(profile("home-a4")), how)
    assert any("expected a page of 69.85 x 95.25 mm, found 210 x 297" in message for message in home)
    assert faults({"deck.pdf": b"%PDF-1.7 no"}, how) == ["`deck.pdf`: expected a PDF that can be read, found something else"]
    notes = [d.message for d in verify({"deck.pdf": data}, how, PAPERS) if d.code == "N726"]
    assert len(notes) == 1
    assert "is not that: it does not say so of itself (GTS_PDFXVersion)" in notes[0]


def test_backs_that_are_all_gone_are_named() -> None:
    how = profile("makeplayingcards")
    files = {name: data for name, data in made(how, own_backs=True).items() if "-back-" not in name}
    assert faults(files, how) == ["expected a back for each face, found none"]


def test_a_page_of_sheets_that_is_gone_is_named() -> None:
    how = profile("home-a4")
    (data,) = made(how, 40).values()
    with pikepdf.open(BytesIO(data)) as pdf:
        count = len(pdf.pages)
    assert faults({"deck.pdf": data}, how) == []
    for order, missing in (([0, *range(2, count)], 2), (list(range(count - 1)), count), ([1, 0, *range(2, count)], 1)):
        cut = faults({"deck.pdf": reordered(data, order)}, how)
        said = f"`deck.pdf`: expected {count} pages in their order, found {len(order)}, and page {missing} not in its place"
        assert said in cut


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


def test_numbers_of_another_space_than_that_of_light_are_no_inks() -> None:
    how = profile("drivethrucards")
    (plain,) = made(replace(how, colors="rgb")).values()
    drawn = b"/DeviceRGB cs 1 0 0 scn q /L cs 50 40 -20 scn 0 1 0 rg 0 0 1 sc 0.5 g /L CS 50 40 -20 SC Q 0 0 1 scn 0 0 1 SCN"
    with pikepdf.open(BytesIO(plain)) as pdf:
        pdf.pages[0].Contents = pdf.make_stream(drawn)
        white = pikepdf.Dictionary(WhitePoint=pikepdf.Array([1, 1, 1]))
        pdf.pages[0].Resources.ColorSpace = pikepdf.Dictionary(L=pikepdf.Array([pikepdf.Name.Lab, white]))
        out = BytesIO()
        pdf.save(out)
    printed = in_process_inks(out.getvalue())
    assert "`deck.pdf`: expected CMYK, found Lab in 2 colours of lines and fills" in faults({"deck.pdf": printed}, how)
    with pikepdf.open(BytesIO(printed)) as pdf:
        said = pdf.pages[0].Contents.read_bytes().replace(b".0000", b"").split(b"\n")
    assert said == [
        *(b"/DeviceCMYK cs", b"0 1 1 0 scn"),
        *(b"q", b"/L cs", b"50 40 -20 scn", b"1 0 1 0 k", b"1 1 0 0 sc", b"0.5 g", b"/L CS", b"50 40 -20 SC", b"Q"),
        *(b"1 1 0 0 scn", b"0 0 1 SCN"),
    ]


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
    assert sorted(files) == ["deck-back.png", "deck-faces-1.png", "deck-faces-2.png", "deck.json"]
    assert faults(files, how) == []
    deck = json.loads(files["deck.json"])["ObjectStates"][0]
    assert deck["CustomDeck"]["1"]["FaceURL"] == "https://example.org/cards/deck-faces-1.png"
    assert deck["DeckIDs"][:4] == [100, 101, 101, 102]
    with Image.open(BytesIO(files["deck-faces-1.png"])) as picture:
        sheet = deck["CustomDeck"]["1"]
        cell = (picture.width // sheet["NumWidth"], picture.height // sheet["NumHeight"])
        assert max(picture.size) <= 4096
        assert abs(cell[0] / cell[1] - 63 / 88) < 0.01
        assert picture.getpixel((picture.width - 5, picture.height - 5)) == (153, 77, 26), "the last place shows the back"
    astray = {**deck, "DeckIDs": deck["DeckIDs"][::-1], "ContainedObjects": deck["ContainedObjects"][::-1]}
    broken = {**files, "deck.json": json.dumps({"ObjectStates": [astray]}).encode()}
    assert len(faults(broken, how)) == 1
    assert faults({name: data for name, data in files.items() if name != "deck-faces-2.png"}, how) == [
        "`deck.json`, picture 2: expected `deck-faces-2.png` among the files, found no picture of that name"
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


def changed(pdf: bytes, change: Callable[[Any], object]) -> dict[str, bytes]:
    with pikepdf.open(BytesIO(pdf)) as opened:
        change(opened)
        out = BytesIO()
        opened.save(out)
        return {"deck.pdf": out.getvalue()}


def drawing(content: bytes, **resources: Any) -> Callable[[Any], None]:
    """A change that draws more on the second page."""

    def change(pdf: Any) -> None:
        page = pdf.pages[1]
        for name, value in resources.items():
            page.Resources[f"/{name}"] = value
        page.contents_add(pdf.make_stream(b"q " + content + b" Q"))

    return change


def every(pdf: Any, change: Callable[[Any], None]) -> None:
    for page in list(pdf.pages):
        change(page)


HELVETICA = pikepdf.Dictionary(F=pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica))
SPACES = pikepdf.Dictionary(S=pikepdf.Array([pikepdf.Name.Indexed, pikepdf.Name.DeviceRGB, 0, pikepdf.String(b"abc")]))
CHANGES: Mapping[str, tuple[Callable[[Any], object], str]] = {
    "turned": (lambda pdf: setattr(pdf.pages[2].obj, "Rotate", 90), ", page 3: expected a page as it lies, found one with Rotate 90"),
    "larger": (lambda pdf: setattr(pdf.pages[2].obj, "UserUnit", 2), ", page 3: expected a page as it lies, found one with UserUnit 2"),
    "cropped": (
        lambda pdf: setattr(pdf.pages[0].obj, "CropBox", pikepdf.Array([9, 9, 189, 261])),
        ", page 1: expected a page that is shown whole, found a CropBox of 9 9 189 261 points",
    ),
    "empty": (lambda pdf: every(pdf, lambda page: pdf.pages.remove(page)), ": expected pages, found none"),
    "font": (drawing(b"BT /F 9 Tf (x) Tj ET", Font=HELVETICA), ": expected that all fonts are in the file, found `Helvetica` only named"),
    "fill": (drawing(b"1 0 0 rg 9 9 9 9 re f"), ": expected CMYK, found RGB in 1 colours of lines and fills"),
    "space": (drawing(b"/DeviceRGB cs 1 0 0 sc 9 9 9 9 re f"), ": expected CMYK, found RGB in 1 colours of lines and fills"),
    "named": (drawing(b"/S cs 0 sc 9 9 9 9 re f", ColorSpace=SPACES), ": expected CMYK, found RGB in 1 lists of colour spaces"),
    "inline": (drawing(b"9 0 0 9 9 9 cm BI /W 1 /H 1 /CS /RGB /BPC 8 ID abc EI"), ": expected CMYK, found RGB in 1 pictures"),
    "ink": (drawing(b"/DeviceCMYK cs 1 1 1 1 sc 9 9 9 9 re f"), ": expected at most 240 % of ink, found 400 %"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_done_to_a_pdf_since_is_named(name: str) -> None:
    how = profile("drivethrucards")
    (data,) = made(how).values()
    change, said = CHANGES[name]
    assert faults(changed(data, change), how) == [f"`deck.pdf`{said}"]


def test_a_picture_with_more_ink_than_a_shop_allows_is_named() -> None:
    def change(pdf: Any) -> None:
        picture = pdf.make_stream(b"\xff" * 4, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=1, Height=1)
        picture.ColorSpace, picture.BitsPerComponent = pikepdf.Name.DeviceCMYK, 8
        pdf.pages[1].Resources.XObject.P = picture
        drawing(b"9 0 0 9 9 9 cm /P Do")(pdf)

    how = profile("drivethrucards")
    (data,) = made(how).values()
    assert faults(changed(data, change), how) == ["`deck.pdf`: expected at most 240 % of ink, found 398 %"]


def test_a_file_that_is_cut_short_or_locked_is_named() -> None:
    how = profile("drivethrucards")
    (data,) = made(how).values()
    damaged = "`deck.pdf`: expected a file that is whole, found one that is damaged or cut short"
    assert faults({"deck.pdf": data[:-300]}, how) == [damaged]
    assert faults({"deck.pdf": data[: len(data) // 2]}, how)[0] == damaged
    unreadable = "`deck.pdf`: expected a PDF that can be read, found something else"
    assert faults({"deck.pdf": b""}, how) == [unreadable]
    out = BytesIO()
    with pikepdf.open(BytesIO(data)) as pdf:
        pdf.save(out, encryption=pikepdf.Encryption(owner="a", user="b"))
    assert faults({"deck.pdf": out.getvalue()}, how) == [unreadable]


def test_pictures_that_changed_places_or_are_gone_are_named() -> None:
    how = profile("makeplayingcards")
    files = made(how)
    one, two = "001-face-thing-0.png", "003-face-thing-2.png"
    assert faults({**files, one: files[two], two: files[one]}, how) == [
        f"`{one}`: expected the face 1, found what was made as the face 3",
        f"`{two}`: expected the face 3, found what was made as the face 1",
    ]
    last = {name: data for name, data in files.items() if not name.startswith("004")}
    assert faults(last, how) == ["expected one face of each number from 001 on, found the order broken at 004"]
    saved = {}
    for name, data in files.items():
        out = BytesIO()
        Image.open(BytesIO(data)).save(out, "PNG", dpi=(300, 300))
        saved[name] = out.getvalue()
    assert faults(saved, how) == [], "a picture that says nothing of itself is taken by its name"

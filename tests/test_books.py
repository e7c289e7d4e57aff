"""A small book, whole: what stands on its pages, its outline, what a screen reader reads of it, and where its links lead.

`projects/a-book/guide.txt` is what is awaited; where it is meant to change, delete it, run this test and read what it wrote.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from bare_press import Bare
from small_project import seasons

from seasons_build.core.job import DocumentJob, PartJob
from seasons_build.impose import bind
from seasons_build.pipeline.build import Asked, Options, build, look_at
from seasons_build.pipeline.files import Bindery
from seasons_build.pipeline.kept import BOOKS, KeptFonts, KeptPress
from seasons_build.pipeline.read import read
from seasons_build.pipeline.start import Typesetter
from seasons_build.store import FOLDER, Store
from seasons_build.worker.numbers import lost, numbered
from seasons_build.worker.structure import content

PROJECT = Path(__file__).parent / "projects" / "a-book"
GOLDEN = PROJECT / "guide.txt"
HEADINGS = ("/H1", "/H2", "/H3", "/H4")


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    place = tmp_path_factory.mktemp("lantern")
    shutil.copytree(PROJECT, place / "p")
    code, out, err = seasons(place / "p", place / "s", "build", "guide")
    assert (code, out) == (0, "dist/lantern/guide.pdf\n"), err
    return (place / "p/dist/lantern/guide.pdf").read_bytes()


def pages(pdf: bytes) -> list[str]:
    return [" ".join(page.get_textpage().get_text_range().split()) for page in pypdfium2.PdfDocument(pdf)]


def outline(pdf: bytes) -> list[str]:
    """The bookmarks: two blanks a level, and the page."""
    found = []
    document = pypdfium2.PdfDocument(pdf)
    for mark in document.get_toc():
        dest = mark.get_dest()
        found.append(f"{'  ' * mark.level}{mark.get_title()} {dest.get_index() + 1 if dest else '?'}")
    return found


def structure(pdf: bytes) -> list[tuple[int, str, str]]:
    """What a screen reader reads, in order: level, tag and text of each element; text that stands between elements has no tag."""
    document = pikepdf.open(BytesIO(pdf))
    numbers = {page.objgen: number for number, page in enumerate(document.pages)}
    texts = content(pdf)

    def walk(element: Any, level: int) -> Iterator[tuple[int, str, str]]:
        said = str(element.get("/ActualText", element.get("/Alt", "")))
        kids = element.get("/K")
        kids = list(kids) if isinstance(kids, pikepdf.Array) else [] if kids is None else [kids]
        words = [texts[numbers[element.Pg.objgen]].get(int(kid), "") if isinstance(kid, int) else "" for kid in kids]
        mixed = any(not isinstance(kid, int) and "/S" in kid for kid in kids)
        yield level, str(element.S), " ".join((said or ("" if mixed else "".join(words))).split())
        for kid, text in zip(kids, words, strict=True):
            if not isinstance(kid, int) and "/S" in kid:
                yield from walk(kid, level + 1)
            elif mixed and text.strip():
                yield level + 1, "", " ".join(text.split())

    return [line for top in document.Root.StructTreeRoot.K for line in walk(top, 0)]


def test_the_book_is_as_it_was(book: bytes) -> None:
    told = ["# The outline", *outline(book)]
    told += ["", "# What is read out", *(f"{'  ' * level}{tag[1:] or '|'} {text}".rstrip() for level, tag, text in structure(book))]
    for number, text in enumerate(pages(book), 1):
        told += ["", f"# Page {number}", text]
    found = "\n".join(told) + "\n"
    if not GOLDEN.exists():
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")


def test_who_made_it_and_in_what_language(book: bytes) -> None:
    document = pikepdf.open(BytesIO(book))
    assert str(document.Root.Lang) == "en"
    assert str(document.docinfo["/Title"]) == "Guide · Lantern Roads"
    assert str(document.docinfo["/Author"]) == "A. Tester"
    assert document.Root.ViewerPreferences.DisplayDocTitle
    assert document.Root.ViewerPreferences.PrintScaling == "/None", "as `verify` wants it"
    assert document.Root.MarkInfo.Marked


def test_nothing_is_empty_and_headings_nest(book: bytes) -> None:
    elements = structure(book)
    for index, (level, tag, text) in enumerate(elements):
        inner = elements[index + 1 : index + 2]
        assert text or tag in ("/TD", "/TH") or (inner and inner[0][0] > level), elements[index : index + 2]
    levels = [HEADINGS.index(tag) for _, tag, _ in elements if tag in HEADINGS]
    assert levels[0] == 0
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_all_that_is_drawn_is_in_the_structure_or_set_apart(book: bytes) -> None:
    document = pikepdf.open(BytesIO(book))
    held: dict[tuple[int, int], set[int]] = {page.objgen: set() for page in document.pages}

    def walk(element: Any) -> None:
        kids = element.get("/K")
        for kid in kids if isinstance(kids, pikepdf.Array) else [] if kids is None else [kids]:
            if isinstance(kid, int):
                held[element.Pg.objgen].add(int(kid))
            elif "/S" in kid:
                walk(kid)

    for top in document.Root.StructTreeRoot.K:
        walk(top)
    for page in document.pages:
        marked = [operands[1].MCID for operands, operator in pikepdf.parse_content_stream(page) if str(operator) == "BDC"]
        assert {int(number) for number in marked} == held[page.objgen]


def test_the_outline_is_what_the_headings_say(book: bytes) -> None:
    heads = [text for _, tag, text in structure(book) if tag in HEADINGS]
    marks = [line.strip().rpartition(" ")[0] for line in outline(book)]
    # The title of the book and the letters of the index are headings, and no places to go to.
    assert marks == [head for head in heads[1:] if len(head) > 1]


def test_icons_are_spoken(book: bytes) -> None:
    read = " ".join(text for _, _, text in structure(book))
    assert "the oil was gone" in read
    assert "Stride It goes out" in read
    assert "¶" not in read
    assert "§" not in read


def test_links_lead_to_their_page(book: bytes) -> None:
    document = pikepdf.open(BytesIO(book))
    numbers = {page.objgen: number for number, page in enumerate(document.pages, 1)}
    names = document.Root.Names.Dests.Names
    places = {str(names[i]): numbers[names[i + 1][0].objgen] for i in range(0, len(names), 2)}
    links = {str(a.Dest) for page in document.pages for a in page.get("/Annots", ()) if a.Subtype == "/Link" and "/Dest" in a}
    assert links <= places.keys()
    assert {"chapter/road/days", "lamp/horn", "chapter/lamps"} <= links


def test_numbers_of_pages_are_merged() -> None:
    asked = '<b data-pages="a b c d" data-main="e"></b> <i class="n" data-page="c"></i>'
    found = numbered(asked, {"a": 3, "b": 3, "c": 12, "e": 5})
    assert found == (
        '<b><a href="#a">3</a>, <b><a href="#e">5</a></b>, <a href="#c">12</a></b> <i class="n">12</i>'
    )
    assert numbered(asked, None) == '<b>00</b> <i class="n">00</i>'
    assert numbered(asked, {}) == '<b></b> <i class="n"></i>'
    assert lost(asked, {"a": 3}) == ("c",)


def parts_of(root: Path) -> list[DocumentJob]:
    """What the frame is asked for."""
    press = Bare()
    look_at(read(root), Options(Asked(("lantern",), ("guide",)), root / "out"), press)
    return [job.document for job in press.jobs if isinstance(job, PartJob)]


def html_of(part: DocumentJob) -> str:
    assert part.frame_context is not None
    return "".join(each["html"]["$html"] for each in part.frame_context["chapter"]["parts"] if "html" in each)


def test_the_frame_is_asked_for_each_part(tmp_path: Path) -> None:
    shutil.copytree(PROJECT, tmp_path / "p")
    parts = parts_of(tmp_path / "p")
    asked = [(part.frame_context or {})["part"] for part in parts]
    assert asked == ["title", "contents", "chapter", "chapter", "index"]
    assert [len(part.parts) for part in parts] == [0, 0, 0, 2, 0], "blocks are given to their own chapter"
    assert all("parts" not in chapter for chapter in (parts[1].frame_context or {})["chapters"])


def test_what_leads_up_to_a_table_stays_with_it(tmp_path: Path) -> None:
    shutil.copytree(PROJECT, tmp_path / "p")
    road, lamps = map(html_of, parts_of(tmp_path / "p")[2:4])
    assert "<p class=\"over\">All that there are" in lamps
    assert road.count("<p class=\"over\">") == 0
    assert lamps.count("<td class=\"name\"><span id=") == 2


def test_a_long_box_may_go_on_on_the_next_page(tmp_path: Path) -> None:
    shutil.copytree(PROJECT, tmp_path / "p")
    chapters = tmp_path / "p/content/lantern/chapters.yaml"
    assert '<aside class="box example">' in html_of(parts_of(tmp_path / "p")[2])
    more = "".join(f"      >\n      > And on, {n}.\n" for n in range(5))
    text = chapters.read_text(encoding="utf-8")
    chapters.write_text(text.replace("      > - *Back*, or\n", f"{more}      >\n      > - *Back*, or\n"), encoding="utf-8")
    assert '<aside class="box example long">' in html_of(parts_of(tmp_path / "p")[2])


def test_an_edit_sets_what_it_concerns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(PROJECT, tmp_path / "p")
    chapters = tmp_path / "p/content/lantern/chapters.yaml"

    def built(text: str, store: Store) -> tuple[int, bytes]:
        chapters.write_text(text, encoding="utf-8")
        with Typesetter(workers=1) as typesetter:
            press = KeptPress(typesetter, store)
            bindery = Bindery(KeptFonts(store).parts, press.book)
            options = Options(Asked(("lantern",), ("guide",)), tmp_path / "out")
            assert build(read(tmp_path / "p"), options, press, bindery=bindery).stale == ()
        return press.made, (tmp_path / "out/lantern/guide.pdf").read_bytes()

    text = chapters.read_text(encoding="utf-8")
    edited = text.replace("It is longer than you were told.", "It is longer than they say.")
    with Store(tmp_path / "p") as store:
        whole, first = built(text, store)
        assert whole == 2 * len(("title", "contents", "road", "lamps", "index"))
        again, second = built(edited, store)
        assert again == 2, "its chapter is measured and set; its pages, and so all other parts, are the same"
        with monkeypatch.context() as patched:
            patched.delattr(bind, "bind_parts")
            assert built(text, store) == (0, first), "nor is it bound again"
        for kept in (path for path in (tmp_path / "p" / FOLDER / BOOKS).rglob("*") if path.is_file()):
            kept.write_bytes(kept.read_bytes()[:-1])
        assert built(text, store) == (0, first)
    assert built(edited, Store(tmp_path / "other"))[1] == second, "as without a cache"


def test_a_book_of_words_alone(tmp_path: Path) -> None:
    shutil.copytree(PROJECT, tmp_path / "p")
    chapter = "chapter:\n  road: {name: The Road, place: 1, text: It is long.}\n"
    (tmp_path / "p/content/lantern/chapters.yaml").write_text(chapter, encoding="utf-8")
    code, out, err = seasons(tmp_path / "p", tmp_path / "s", "build", "guide")
    assert (code, out) == (0, "dist/lantern/guide.pdf\n"), err


def test_a_chapter_reads_what_stands_in_the_game_of_another_pack(tmp_path: Path) -> None:
    shutil.copytree(PROJECT, tmp_path / "p")
    annex = tmp_path / "p/content/annex"
    annex.mkdir()
    manifest = 'id: annex\ntitle: Annex\nversion: "1"\nformat: 1\nlicence: CC0-1.0\nrequires: {lantern: ">=1"}\n'
    (annex / "pack.yaml").write_text(manifest, encoding="utf-8")
    text = "A horn burns {lamp/horn: burns} hours. {stride} in a hurry."
    chapter = f"chapter:\n  more: {{name: More, place: 1, reads: walker/anyone, text: '{text}'}}\n"
    (annex / "more.yaml").write_text(chapter, encoding="utf-8")
    sheet = read(tmp_path / "p").sheets["annex", "chapter", "more"]
    assert sheet.whole
    assert sheet.texts["text",] == "A horn burns 9 hours. 24 in a hurry."

"""Parts of books: where their pages begin, what they say of places, and that nothing in them makes a whole one until they are bound."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from io import BytesIO
from itertools import pairwise
from typing import Any

import pikepdf
import pypdfium2
import pytest
from small_theme import FONTS, Press, document_job, small_theme

from seasons_build.core.face import sha_of
from seasons_build.core.finding import Finding
from seasons_build.core.job import BookJob, DocumentJob, PartJob, Typeset
from seasons_build.core.limits import DEFAULT
from seasons_build.core.part import Part, decode_part, encode_part
from seasons_build.impose import FontParts, font_parts
from seasons_build.impose.bind import bind_parts
from seasons_build.pipeline.books import NEVER_SETTLED, bound, drafts, settle

PAGE = """@page{size:100mm 60mm;margin:15mm;font:8pt T;@top-left{content:string(head,start)}@bottom-center{content:counter(page)}}
@page :first{@bottom-center{content:"first";font:8pt T}} @page :left{@bottom-left{content:"left";font:8pt T}}
h1,h2{font:700 10pt T;bookmark-level:1;break-after:avoid} h2{bookmark-level:2;string-set:head content()} .new{break-before:page}"""
TABLE = "<table><tr><th>Lamp</th></tr><tr><td>{n}</td></tr></table>"
FONT_FILES = {sha_of(data): data for data in FONTS.values()}


def embedded(fonts: Any) -> dict[str, FontParts]:
    return {sha: font_parts(FONT_FILES[sha]) for sha in fonts}


def bind(book: BookJob, jobs: Any, parts: Any) -> bytes:
    return bound(book, parts, embedded(FONT_FILES))


def book_of(press: Press, *parts: str, css: str = PAGE) -> Typeset:
    """A book with these parts."""
    documents = tuple(document_job({"html": {"$html": html}}, lang="en") for html in parts)
    book = BookJob("k", "t", documents, "A book", "en", "A. Tester")
    press.typesetter.open(small_theme(templates={"part": "{{ html }}"}, css={"own.css": css}))
    measured = list(press.typesetter.run(drafts(book)))
    return settle(book, measured, lambda jobs: list(press.typesetter.run(jobs)), bind, DEFAULT)


def pages_of(result: Typeset) -> list[str]:
    assert result.pdf is not None, result.findings
    return [" ".join(page.get_textpage().get_text_range().split()) for page in pypdfium2.PdfDocument(result.pdf)]


def a_part(press: Press, html: str, **more: Any) -> Typeset:
    given = {"templates": {"part": html}, "css": {"own.css": PAGE}}
    (result,) = press.run([PartJob(document_job(), **more)], **given)
    return result


def test_pages_are_counted_from_the_first_of_the_part(press: Press) -> None:
    html = "<h1>A</h1><p>one</p><p class=new>two</p>"
    pages = pages_of(book_of(press, html, html))
    assert [page.split()[-1] for page in pages] == ["first", "2", "3", "4"]
    assert ["left" in page for page in pages] == [False, True, False, True]


def test_a_page_that_is_asked_for_and_is_nowhere_is_told(press: Press) -> None:
    result = book_of(press, '<h1>A</h1><p>See <b data-page="nowhere"></b>, <i data-pages="gone lost"></i>.</p>')
    assert [(found.code, found.text) for found in result.findings] == [("E615", "#nowhere")]
    assert "00" not in pages_of(result)[0]


def test_a_head_goes_on_from_the_page_before(press: Press) -> None:
    html = "<h1>A</h1><h2>Lamps</h2><p>one</p><p class=new>two</p><h2>Roads</h2><h2 class=new>Tolls</h2>"
    pages = pages_of(book_of(press, html))
    told = [[page.split().count(head) for head in ("Lamps", "Roads", "Tolls")] for page in pages]
    assert told == [[1, 0, 0], [1, 1, 0], [0, 0, 2]], "the first page has no head yet, the third begins with its own"


def test_numbers_and_links_lead_to_other_parts(press: Press) -> None:
    first = '<h1>A</h1><p>See <a href="#b">there (<b data-page="b"></b>)</a>, <i data-pages="a b" data-main="c"></i>.</p><p id=a>x</p>'
    second = '<h1 id="b">B</h1><p class=new id="c">See <a href="#a">here</a>.</p>'
    result = book_of(press, first, second)
    assert result.findings == ()
    pages = pages_of(result)
    assert "there (2)" in pages[0]
    assert "1, 2, 3" in pages[0]
    document = pikepdf.open(BytesIO(result.pdf or b""))
    numbers = {page.obj.objgen: number for number, page in enumerate(document.pages, 1)}
    names = list(document.Root.Names.Dests.Names)
    places = {str(name): numbers[at[0].objgen] for name, at in zip(names[::2], names[1::2], strict=True)}
    assert places == {"a": 1, "b": 2, "c": 3}
    links = [{str(link.Dest) for link in page.get("/Annots", ())} for page in document.pages]
    assert links == [{"a", "b", "c"}, set(), {"a"}]


def test_a_link_to_no_part_is_told(press: Press) -> None:
    result = book_of(press, '<h1>A</h1><p><a href="#nowhere">there</a></p>')
    assert [(found.code, found.text) for found in result.findings] == [("E615", "#nowhere")]


def test_what_is_read_out_is_that_of_all_parts(press: Press) -> None:
    result = book_of(press, f"<h1>A</h1>{TABLE.format(n='tin')}", f'<h1>B</h1>{TABLE.format(n="horn")}<p><a href="#b" id="b">x</a></p>')
    document = pikepdf.open(BytesIO(result.pdf or b""))
    elements = [each for each in document.objects if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/StructElem"]
    names = [str(each.ID) for each in elements if "/ID" in each]
    assert len(set(names)) == len(names) == 2
    assert [str(each.A.Headers[0]) for each in elements if each.S == "/TD"] == names
    parents = list(document.Root.StructTreeRoot.ParentTree.Nums)
    assert [int(key) for key in parents[::2]] == list(range(len(parents) // 2))
    link = document.pages[1].Annots[0]
    assert parents[2 * int(link.StructParent) + 1].S == "/Link"
    for page in document.pages:
        marked = {int(operands[1].MCID) for operands, sign in pikepdf.parse_content_stream(page) if str(sign) == "BDC"}
        held = parents[2 * int(page.StructParents) + 1]
        assert marked == {number for number, element in enumerate(held) if element is not None}


def test_the_outline_is_that_of_all_parts(press: Press) -> None:
    result = book_of(press, "<h1>A</h1><h2>B</h2><h2>C</h2>", "<h2>D</h2><h1>E</h1>")
    toc = [(mark.level, mark.get_title(), mark.get_dest().get_index()) for mark in pypdfium2.PdfDocument(result.pdf).get_toc()]
    assert toc == [(0, "A", 0), (1, "B", 0), (1, "C", 0), (1, "D", 1), (0, "E", 1)]


def test_each_font_is_in_a_book_once(press: Press) -> None:
    result = book_of(press, "<h1>A</h1><p>one</p>", "<h1>B</h1><p>two</p>", "<h1>C</h1><p>three</p>")
    document = pikepdf.open(BytesIO(result.pdf or b""))
    fonts = [str(each.BaseFont) for each in document.objects if isinstance(each, pikepdf.Dictionary) and each.get("/Subtype") == "/Type0"]
    assert len(set(fonts)) == len(fonts) == 2
    assert str(document.docinfo["/Author"]) == "A. Tester"
    assert not document.check_pdf_syntax()


def test_a_book_is_the_same_bytes_each_time(press: Press) -> None:
    parts = ["<h1>A</h1><p>one</p>", "<h1>B</h1><p>two</p>"]
    assert book_of(press, *parts).pdf == book_of(press, *parts).pdf


def test_a_part_comes_back_as_it_was(press: Press) -> None:
    result = a_part(press, '<h1 id="a">A</h1><p>See <a href="https://example.org/x?y=1">there</a>.</p>', numbers={})
    assert result.part is not None
    assert decode_part(encode_part(result.part)) == result.part
    (link,) = result.part.leaves[0].links
    assert (link.to, link.outside) == ("https://example.org/x?y=1", True)


@pytest.mark.parametrize(
    "address", ["mailto:ann@example.org", "https://example.org/~a/b%20c?d=e+f&g=(h)#i", "https://example.org/a/b-c?d=e,f;g#h"],
)
def test_an_address_is_written_as_readers_follow_it(press: Press, address: str) -> None:
    result = book_of(press, f'<h1>A</h1><p><a href="{escape(address)}">there</a></p>')
    document = pikepdf.open(BytesIO(result.pdf or b""))
    (link,) = document.pages[0].Annots
    assert bytes(link.A.URI) == address.encode("ascii")
    assert str(link.Contents) == address


def test_what_is_measured_only_is_not_written(press: Press) -> None:
    result = a_part(press, '<h1 id="a">A</h1><p class=new id=c><a href="#b"><b data-page="z"></b></a></p>')
    assert result.part is None
    assert result.measured is not None
    assert (result.measured.pages, dict(result.measured.places)) == (2, {"a": 0, "c": 1})
    assert (result.measured.asks, result.measured.leads_to) == (("z",), ("b",))


def broken(part: Part, **other: Any) -> bytes:
    return encode_part(replace(part, **other))


@pytest.mark.parametrize(
    "structure",
    [
        b"[]x",
        b'[["P", 9, [], {}]]',
        b'[["P", 0, [[7]], {}]]',
        b'[["P", 0, [-1], {}]]',
        b'[["P", 0, [1000000000], {}]]',
        b'[["P>>", 0, [], {}]]',
        b'[["P", 0, [], {"ColSpan": ">>"}]]',
        b'[["P", 0, [], {"BBox": ["1", "2", "3", "]"]}]]',
        b'[["P", 0, [], {"Alt": 1}]]',
        b"[" * 5000 + b"]" * 5000,
        b'[["P", 0, [' * 400 + b"]]" * 400,
    ],
)
def test_a_part_that_is_none_is_refused(press: Press, structure: bytes) -> None:
    result = a_part(press, '<h1 id="a">A</h1>', numbers={})
    assert result.part is not None
    with pytest.raises(ValueError, match=r"."):
        decode_part(broken(result.part, structure=structure))


def test_a_part_that_names_what_is_not_there_is_refused(press: Press) -> None:
    part = a_part(press, '<h1 id="a">A</h1>', numbers={}).part
    assert part is not None
    for data in (
        broken(part, places={"a": (1, "0", "0")}),
        broken(part, places={"a": (0, "0 0 R", "0")}),
        broken(part, places={"a": (0, "inf", "0")}),
        broken(part, objects={}),
        encode_part(part)[:-1],
        encode_part(part).replace(b'"part":1', b'"part":2'),
    ):
        with pytest.raises(ValueError, match=r"."):
            decode_part(data)


def grown(first: int, numbers: Any) -> Typeset:
    """A part that has two pages where its own number is odd, and one where it is even."""
    from seasons_build.core.part import Measured

    number = (numbers or {}).get("a", 0)
    pages = 1 + number % 2
    return Typeset("k", pages=pages, measured=Measured(pages, {"a": pages - 1}, ("a",), ()))


def test_numbers_that_never_settle_are_told() -> None:
    book = BookJob("k", "t", (DocumentJob("k", "t", (), ()),), "A book", "en")

    def make(jobs: Any) -> list[Typeset]:
        return [grown(job.first, job.numbers) for job in jobs]

    result = settle(book, make(drafts(book)), make, bind, DEFAULT)
    assert (result.pdf, result.findings) == (None, (NEVER_SETTLED,))


def test_only_what_changes_is_set_again(press: Press) -> None:
    documents = tuple(document_job({"html": {"$html": html}}) for html in ("<h1>A</h1>", "<h1>B</h1>", '<h1>C</h1><b data-page="z"></b>'))
    book = BookJob("k", "t", documents, "A book", "en")
    press.typesetter.open(small_theme(templates={"part": "{{ html }}"}, css={"own.css": PAGE}))
    rounds: list[int] = []

    def make(jobs: Any) -> list[Typeset]:
        rounds.append(len(jobs))
        return list(press.typesetter.run(jobs))

    settle(book, make(drafts(book)), make, bind, DEFAULT)
    assert rounds == [3, 3], "once to measure, once to print"


def test_a_book_has_no_more_pages_than_one_may_have(press: Press) -> None:
    book = BookJob("k", "t", (document_job(), document_job()), "A book", "en")
    measured = [Typeset("k", pages=300, measured=made.measured) for made in [grown(1, None)] * 2]
    result = settle(book, measured, lambda jobs: [], bind, DEFAULT)
    assert result.findings == (Finding("E620", detail="expected at most 500 pages, found 600"),)


def test_pairs_of_parts_share_what_they_have_in_common(press: Press) -> None:
    parts = [a_part(press, f"<h1>A</h1><p>{text}</p>", numbers={}).part for text in ("one", "two", "one")]
    sizes = [len(bind_parts([p for p in parts[:n] if p is not None], embedded(FONT_FILES), title="t", language="en")) for n in (1, 2, 3)]
    grown_by = [after - before for before, after in pairwise(sizes)]
    assert grown_by[1] < grown_by[0], "a page that was there already costs no more than its frame"

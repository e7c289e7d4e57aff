"""The structure of a document, tidied: what a screen reader reads, without what says nothing.

In goes a PDF as the typesetter tagged it, one element for each box; out comes the same with fewer: boxes that only hold others are left
out, text stands in paragraphs, nothing is empty, and each icon is spoken. Content is known by its number on the page (`MCID`), its text is
what a reader of the PDF finds there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from pikepdf import Array, Dictionary, Name, String

from seasons_build.core.regex import regex
from seasons_build.core.spoken import spoken
from seasons_build.worker.heard import HIDDEN

Texts: TypeAlias = Mapping[int, str]
"""The text of each piece of marked content on a page, by its number."""

_THROUGH = (Name.Span, Name.NonStruct)
"""Elements that say nothing of what they hold."""
_HEADINGS = (Name.H1, Name.H2, Name.H3, Name.H4, Name.H5, Name.H6)
_LINES = (*_HEADINGS, Name.P)
"""Elements that are lines of text and hold no others of that kind."""
_HOLDERS = (Name.Div, Name.Sect, Name.Art, Name.Part, Name.Document)
"""Elements that hold others and no text of their own."""
_LINED = (Name.Span, Name.Link, Name.Form)
"""Elements that stand in a line."""
_MARKED = regex(rb"/\w+\s*<<\s*/MCID\s+(\d+)\s*>>\s*BDC")
_CELLS = (Name.TD, Name.TH)
"""Elements whose place in a table says something, be they empty."""
_PICTURE = "\ufffc"
"""Stands for a picture in the text of a piece of content."""


def content(pdf: bytes) -> list[dict[int, str]]:
    """The text of the marked content of each page."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [_page_content(document[number]) for number in range(len(document))]
    finally:
        document.close()


def _page_content(page: pypdfium2.PdfPage) -> dict[int, str]:
    found: dict[int, str] = {}
    words = page.get_textpage()
    for thing in page.get_objects(max_depth=1):
        number = pdfium.FPDFPageObj_GetMarkedContentID(thing.raw)
        if number >= 0:
            found[number] = found.get(number, "") + (_text(thing.raw, words.raw) if thing.type == pdfium.FPDF_PAGEOBJ_TEXT else _PICTURE)
    words.close()
    page.close()
    return found


def _text(thing: Any, words: Any) -> str:
    size = pdfium.FPDFTextObj_GetText(thing, words, None, 0)
    buffer = ctypes.create_string_buffer(size * 2)
    pdfium.FPDFTextObj_GetText(thing, words, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw[: size * 2].decode("utf-16-le").rstrip("\0")


def tidy(document: pikepdf.Pdf, texts: Sequence[Texts], icons: Mapping[str, str]) -> None:
    """Tidies the structure of a document in place; one without any stays as it is."""
    root = document.Root.get(Name.StructTreeRoot)
    if root is not None:
        _Tidying(document, root, texts, icons).run()


class _Tidying:
    """One document being tidied."""

    def __init__(self, document: pikepdf.Pdf, root: Any, texts: Sequence[Texts], icons: Mapping[str, str]) -> None:
        self._document = document
        self._root = root
        self._texts = texts
        self._spoken = icons
        self._pages = {page.objgen: number for number, page in enumerate(document.pages)}
        self._ornaments: list[set[int]] = [set(numbers) for numbers in texts]
        """What no element holds: ornaments, and what the margins of the pages repeat."""
        nums = list(root.ParentTree.Nums)
        self._parents: dict[int, Any] = dict(zip(map(int, nums[::2]), nums[1::2], strict=True))

    def run(self) -> None:
        """Rewrites the tree from its top."""
        for top in list(self._root.K):
            top.K = Array(self._paragraphs(top, list(self._kids(top, line=False))))
        for number, (page, numbers) in enumerate(zip(self._document.pages, self._ornaments, strict=True)):
            if numbers:
                page.Contents = self._document.make_stream(_with_ornaments(page.Contents.read_bytes(), numbers))
            for ornament in numbers:
                self._parents[number][ornament] = None

    def _kids(self, element: Any, *, line: bool) -> Iterator[Any]:
        """What an element holds once it is tidied: numbers of content on its own page, references to annotations, elements. `line` is
        whether it stands in a line of text, where nothing is a block of its own."""
        held = [kid for each in _listed(element) for kid in self._kid(each, element, line)]
        for one, after in pairwise((*held, None)):
            if not self._is_said_next(one, after, element):
                yield one

    def _kid(self, kid: Any, element: Any, line: bool) -> Iterator[Any]:
        if isinstance(kid, int):
            if self._there(element, kid):
                yield kid
        elif kid.get(Name.S) is None:
            yield kid
        else:
            yield from self._tidied(kid, element, line)

    def _tidied(self, kid: Any, parent: Any, line: bool) -> Iterator[Any]:
        """An element; what it holds, where it says nothing itself; nothing where it is empty."""
        if _is_drawn(kid) and str(kid.get(Name.Alt, "")) == HIDDEN:
            self._hide(kid)
            return
        tick = _tick(kid)
        if tick is not None:
            # What stands in a box to tick is its look; it is read out by its own name.
            self._hide(kid)
            tick.P = parent
            yield tick
            return
        held = list(self._kids(kid, line=line or kid.S in _LINES))
        if not held and kid.S not in _CELLS:
            return
        said = self._said(kid, held)
        if said is not None:
            if _is_drawn(kid):
                held = self._labelled(kid)
            kid.ActualText = String(said)
        elif _says_nothing(kid, line) and (not any(isinstance(one, int) for one in held) or kid.Pg == parent.get(Name.Pg)):
            for one in held:
                self._move(one, parent)
            yield from held
            return
        if kid.S in (Name.NonStruct, Name.Div) or (line and kid.S in _HOLDERS):
            kid.S = Name.Span if line else Name.P if all(map(_in_line, held)) and held else Name.Div
        kid.K = Array(self._paragraphs(kid, held))
        kid.P = parent
        yield kid

    def _labelled(self, element: Any) -> list[Any]:
        """Makes what is drawn as words of an element that was given others to be read out; gives its content."""
        element.S = Name.Span
        del element[Name.Alt], element[Name.A]
        held = list(_numbers(element))
        for number in held:
            self._move(number, element)
        return held

    def _hide(self, element: Any) -> None:
        """Sets apart all that an element holds."""
        self._ornaments[self._pages[element.Pg.objgen]].update(int(kid) for kid in _listed(element) if isinstance(kid, int))
        for kid in _listed(element):
            if not isinstance(kid, int) and kid.get(Name.S) is not None:
                self._hide(kid)

    def _is_said_next(self, one: Any, after: Any, element: Any) -> bool:
        """Whether something is an icon that stands before its own name; it is set apart then."""
        if isinstance(one, int) or after is None or Name.ActualText not in one:
            return False
        shown = "".join(self._texts[self._pages[one.Pg.objgen]].get(number, "") for number in _numbers(one))
        if shown.strip() not in self._spoken or not _letters(self._begins(after, element)).startswith(_letters(str(one.ActualText))):
            return False
        self._hide(one)
        return True

    def _begins(self, one: Any, element: Any) -> str:
        """How something begins that stands in an element, as it is read out."""
        if isinstance(one, int):
            return self._texts[self._pages[element.Pg.objgen]].get(one, "")
        if Name.ActualText in one:
            return str(one.ActualText)
        return next((self._begins(kid, one) for kid in _listed(one) if isinstance(kid, int) or kid.get(Name.S) is not None), "")

    def _paragraphs(self, element: Any, held: Sequence[Any]) -> Iterator[Any]:
        """What stands in an element, with texts of its own in paragraphs where it may have none."""
        if element.S not in _HOLDERS:
            yield from held
            return
        run: list[Any] = []
        for one in (*held, None):
            if one is not None and _in_line(one):
                run.append(one)
                continue
            if run:
                yield self._paragraph(element, run)
                run = []
            if one is not None:
                yield one

    def _paragraph(self, parent: Any, held: list[Any]) -> Any:
        page = parent.get(Name.Pg) or next(one.Pg for one in held if not isinstance(one, int))
        made = self._document.make_indirect(Dictionary(Type=Name.StructElem, S=Name.P, P=parent, Pg=page, K=Array(held)))
        for one in held:
            self._move(one, made)
        return made

    def _move(self, one: Any, parent: Any) -> None:
        """Tells content or an element of its new parent."""
        if isinstance(one, int):
            self._parents[self._pages[parent.Pg.objgen]][one] = parent
        elif one.get(Name.S) is not None:
            one.P = parent

    def _there(self, element: Any, number: int) -> bool:
        """Whether a piece of content says something; what does not is an ornament."""
        page = self._pages[element.Pg.objgen]
        text = self._texts[page].get(number, "")
        if text and not all("\ue000" <= sign <= "\uf8ff" and sign not in self._spoken for sign in text.strip() or text):
            self._ornaments[page].discard(number)
            return True
        self._ornaments[page].add(number)
        return False

    def _said(self, element: Any, held: Iterable[Any]) -> str | None:
        """What is read out in place of content: what its HTML says, and icons by their names."""
        if _is_drawn(element) and Name.Alt in element and not self._pictured(element):
            return str(element.Alt)
        if element.S not in _THROUGH or not all(isinstance(one, int) for one in held):
            return None
        texts = self._texts[self._pages[element.Pg.objgen]]
        text = "".join(texts[int(number)] for number in held)
        if not any(icon in text for icon in self._spoken):
            return None
        return spoken(text, self._spoken)

    def _pictured(self, element: Any) -> bool:
        texts = self._texts[self._pages[element.Pg.objgen]]
        return any(_PICTURE in texts.get(number, "") for number in _numbers(element))


def _says_nothing(element: Any, line: bool) -> bool:
    """Whether an element is as well left out: it says nothing of what it holds, or is a block where only lines may be."""
    return element.S in _THROUGH or (line and element.S in (*_LINES, *_HOLDERS))


def _is_drawn(element: Any) -> bool:
    """Whether an element is a picture, or stands for what is said in place of what is drawn."""
    return element.S in (Name.Figure,)


def _tick(element: Any) -> Any:
    """The box to tick that an element is; nothing where it is none."""
    for kid in _listed(element):
        if not isinstance(kid, int) and kid.get(Name.S) == Name.Form:
            field = next((held.Obj for held in _listed(kid) if not isinstance(held, int) and Name.Obj in held), Dictionary())
            if field.get(Name.FT, field.get(Name.Parent, Dictionary()).get(Name.FT)) == Name.Btn:
                return kid
    return None


def _numbers(element: Any) -> Iterator[int]:
    """The numbers of all content of an element, in order."""
    for kid in _listed(element):
        if isinstance(kid, int):
            yield int(kid)
        elif kid.get(Name.S) is not None:
            yield from _numbers(kid)


def _letters(text: str) -> str:
    """A text without blanks, which a reader of a PDF sees between letters that are spaced, too."""
    return "".join(text.split()).casefold()


def _in_line(one: Any) -> bool:
    """Whether something stands in a line of text."""
    return isinstance(one, int) or one.get(Name.S) in (None, *_LINED)


def _with_ornaments(page: bytes, numbers: Collection[int]) -> bytes:
    """The content of a page, some pieces of which are ornaments."""
    return _MARKED.sub(lambda marked: b"/Artifact BMC" if int(marked[1]) in numbers else marked[0], page)


def _listed(element: Any) -> list[Any]:
    held = element.get(Name.K)
    if held is None:
        return []
    return list(held) if isinstance(held, Array) else [held]

"""Impose: the parts of a book to a PDF, their pages one after the other as they were typeset. Standard library only.

In go parts and fonts, out come bytes, the same for the same parts. What leads from page to page is written here: named places, links, the
outline, and the structure that is read out. Objects that parts have in common, and fonts, are written once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from seasons_build.core.part import Leaf, Link, Mark, Part, decode_tree
from seasons_build.core.record import dataclass, field
from seasons_build.impose.fonts import FontParts
from seasons_build.impose.link import text_string
from seasons_build.impose.objects import Objects
from seasons_build.impose.packed import packed

_CATALOG, _PAGES, _INFO, _STRUCTURE, _PARENTS, _TOP, _SPACE = range(1, 8)
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.:#?=&,; ")
_SHOWN = b"<</DisplayDocTitle true/PrintScaling /None>>"
_NAMESPACE = b"<</Type /Namespace/NS (http://iso.org/pdf2/ssn)>>"


def bind_parts(parts: Iterable[Part], fonts: Mapping[str, FontParts], *, title: str, language: str, authors: str = "") -> bytes:
    """One PDF of all parts, in order. `fonts` has the parts of each font file in use, by its hash. A place that two parts have is that of
    the first. Raises KeyError for a font that is not given."""
    book = _Book(fonts)
    for number, part in enumerate(parts):
        book.take(part, number)
    return book.bound(title, language, authors)


class _Book:
    """A book being bound."""

    def __init__(self, fonts: Mapping[str, FontParts]) -> None:
        self._objects = Objects(fonts, _SPACE)
        self._pages: list[int] = []
        self._places: dict[bytes, bytes] = {}
        self._heads = _Heads()
        self._top: list[int] = []
        self._holders: list[bytes] = []
        """What holds the content of a page, or a link, by the number that the page or the link has for it."""

    def take(self, part: Part, number: int) -> None:
        """Adds the pages of a part; `number` is that of the part."""
        self._objects.use(part.fonts)
        pages = [self._objects.add(b"") for _ in part.leaves]
        links = [[self._objects.add(b"") for _ in leaf.links] for leaf in part.leaves]
        for name, (page, x, y) in part.places.items():
            self._places.setdefault(_string(name), b"[%d 0 R /XYZ %s %s 0]" % (pages[page], x.encode(), y.encode()))
        for mark in part.marks:
            self._heads.take(mark, pages[mark.page])
        structure = _Structure(self._objects, pages, links, number)
        self._top += [structure.element(element, _TOP) for element in decode_tree(part.structure)]
        for index, leaf in enumerate(part.leaves):
            self._leaf(leaf, part.objects, pages[index], links[index], structure.content[index])
            for place, link in enumerate(leaf.links):
                self._link(link, links[index][place], structure.links.get((index, place), _TOP))

    def _leaf(self, leaf: Leaf, objects: Mapping[str, bytes], number: int, links: list[int], holders: Mapping[int, int]) -> None:
        boxes = b"".join(b"/%s [%s]" % (name.encode(), " ".join(box).encode()) for name, box in sorted(leaf.boxes.items()))
        content, resources = self._objects.linked(leaf.content, objects), self._objects.linked(leaf.resources, objects)
        shown = b"/Annots [%s]" % _references(links) if links else b""
        head = b"<</Type /Page/Parent %d 0 R%s/Contents %d 0 R/Resources %d 0 R%s" % (_PAGES, boxes, content, resources, shown)
        self._objects.put(number, head + b"/Tabs /S/StructParents %d>>" % len(self._holders))
        self._pages.append(number)
        held = (b"%d 0 R" % holders[at] if at in holders else b"null" for at in range(max(holders, default=-1) + 1))
        self._holders.append(b"[%s]" % b" ".join(held))

    def _link(self, link: Link, number: int, holder: int) -> None:
        to = _string(link.to)
        leads = b"/A <</Type /Action/S /URI/URI %s>>" % _address(link.to) if link.outside else b"/Dest %s" % to
        head = b"<</Type /Annot/Subtype /Link/Rect [%s]/BS <</W 0>>/Contents %s%s" % (" ".join(link.rect).encode(), to, leads)
        self._objects.put(number, head + b"/StructParent %d>>" % len(self._holders))
        self._holders.append(b"%d 0 R" % holder)

    def bound(self, title: str, language: str, authors: str) -> bytes:
        """The book as a file."""
        objects = self._objects
        objects.finish()
        names = b" ".join(b"%s %s" % named for named in sorted(self._places.items(), key=_by_bytes))
        named = b"/Names <</Dests %d 0 R>>" % objects.add(b"<</Names [%s]>>" % names) if names else b""
        outline = b"/Outlines %d 0 R" % self._heads.written(objects) if self._heads.top else b""
        catalog = b"<</Type /Catalog/Pages %d 0 R/Lang %s%s%s/MarkInfo <</Marked true>>" % (_PAGES, text_string(language), named, outline)
        objects.put(_CATALOG, catalog + b"/StructTreeRoot %d 0 R/ViewerPreferences %s>>" % (_STRUCTURE, _SHOWN))
        objects.put(_PAGES, b"<</Type /Pages/Count %d/Kids [%s]>>" % (len(self._pages), _references(self._pages)))
        author = b"/Author " + text_string(authors) if authors else b""
        objects.put(_INFO, b"<</Producer (Seasons Build)/Title %s%s>>" % (text_string(title), author))
        top = b"<</Type /StructTreeRoot/K [%d 0 R]/ParentTree %d 0 R/Namespaces [%d 0 R]>>"
        objects.put(_STRUCTURE, top % (_TOP, _PARENTS, _SPACE))
        objects.put(_PARENTS, b"<</Nums [%s]>>" % b" ".join(b"%d %s" % numbered for numbered in enumerate(self._holders)))
        document = b"<</Type /StructElem/S /Document/P %d 0 R/NS %d 0 R/K [%s]>>"
        objects.put(_TOP, document % (_STRUCTURE, _SPACE, _references(self._top)))
        objects.put(_SPACE, _NAMESPACE)
        return packed(objects.blobs, catalog=_CATALOG, info=_INFO)


class _Structure:
    """The structure of a part being written. `content` has, of each page, the elements that hold its content, by its numbers; `links` those
    of links, by page and number."""

    def __init__(self, objects: Objects, pages: Sequence[int], links: Sequence[Sequence[int]], part: int) -> None:
        self._objects = objects
        self._pages = pages
        self._links = links
        self._part = part
        self.content: list[dict[int, int]] = [{} for _ in pages]
        self.links: dict[tuple[int, int], int] = {}

    def element(self, element: Any, parent: int) -> int:
        """The number of an element, with all that it holds."""
        what, page, held, said = element
        number = self._objects.add(b"")
        kids = b" ".join(self._kid(one, page, number) for one in held)
        head = b"<</Type /StructElem/S /%s/P %d 0 R/Pg %d 0 R/K [%s]" % (what.encode(), parent, self._pages[page], kids)
        self._objects.put(number, head + self._said(said) + b">>")
        return number

    def _kid(self, one: Any, page: int, holder: int) -> bytes:
        if isinstance(one, int):
            self.content[page][one] = holder
            return b"%d" % one
        if len(one) == 1:
            self.links[page, one[0]] = holder
            return b"<</Type /OBJR/Obj %d 0 R/Pg %d 0 R>>" % (self._links[page][one[0]], self._pages[page])
        return b"%d 0 R" % self.element(one, holder)

    def _said(self, said: Mapping[str, Any]) -> bytes:
        made = b"".join(b"/%s %s" % (name.encode(), text_string(said[name])) for name in ("Alt", "ActualText") if name in said)
        if "ID" in said:
            made += b"/ID " + self._name(said["ID"])
        spans = b"".join(b"/%s %d" % (name.encode(), said[name]) for name in ("ColSpan", "RowSpan") if name in said)
        if said.get("Headers"):
            spans += b"/Headers [%s]" % b" ".join(map(self._name, said["Headers"]))
        if spans:
            made += b"/A <</O /Table%s>>" % spans
        if "BBox" in said:
            made += b"/A <</O /Layout/BBox [%s]>>" % " ".join(said["BBox"]).encode()
        return made

    def _name(self, name: str) -> bytes:
        """The name of an element, which no other part has."""
        return _string(f"{self._part}-{name}")


@dataclass(slots=True)
class _Head:
    """A line of the outline, with those below it; `page` is the number of an object."""

    mark: Mark
    page: int
    below: list[_Head] = field(default_factory=list)

    @property
    def shown(self) -> int:
        """How many lines are shown below it at first."""
        return sum(1 + (head.shown if head.mark.open else 0) for head in self.below)


class _Heads:
    """The outline: each line stands below the last one of a lower level."""

    def __init__(self) -> None:
        self.top: list[_Head] = []
        self._open: list[_Head] = []

    def take(self, mark: Mark, page: int) -> None:
        """Adds a line."""
        while self._open and self._open[-1].mark.level >= mark.level:
            self._open.pop()
        head = _Head(mark, page)
        (self._open[-1].below if self._open else self.top).append(head)
        self._open.append(head)

    def written(self, objects: Objects) -> int:
        """The number of the outline."""
        number = objects.add(b"")
        first, last = self._lines(objects, self.top, number)
        shown = sum(1 + (head.shown if head.mark.open else 0) for head in self.top)
        objects.put(number, b"<</Type /Outlines/Count %d/First %d 0 R/Last %d 0 R>>" % (shown, first, last))
        return number

    def _lines(self, objects: Objects, heads: Sequence[_Head], parent: int) -> tuple[int, int]:
        numbers = [objects.add(b"") for _ in heads]
        for index, (number, head) in enumerate(zip(numbers, heads, strict=True)):
            x, y = head.mark.at
            line = b"<</Title %s/Parent %d 0 R/Dest [%d 0 R /XYZ %s %s 0]"
            line %= text_string(head.mark.title), parent, head.page, x.encode(), y.encode()
            if index:
                line += b"/Prev %d 0 R" % numbers[index - 1]
            if index + 1 < len(numbers):
                line += b"/Next %d 0 R" % numbers[index + 1]
            if head.below:
                first, last = self._lines(objects, head.below, number)
                line += b"/First %d 0 R/Last %d 0 R/Count %d" % (first, last, head.shown if head.mark.open else -head.shown)
            objects.put(number, line + b">>")
        return numbers[0], numbers[-1]


def _references(numbers: Iterable[int]) -> bytes:
    return b" ".join(b"%d 0 R" % number for number in numbers)


def _string(text: str) -> bytes:
    """A name of ours as a string: as it stands where that is plain."""
    return b"(%s)" % text.encode("ascii") if _PLAIN.issuperset(text) else text_string(text)


def _address(text: str) -> bytes:
    """An address as a string: the signs that one may have as they stand, all others spelt out."""
    spelt = quote(text, safe="!#$%&'()*+,/:;=?@[]")
    return b"(%s)" % spelt.replace("(", r"\(").replace(")", r"\)").encode("ascii")


def _by_bytes(named: tuple[bytes, bytes]) -> bytes:
    """What a name is sorted by: the bytes that its string stands for."""
    name, _ = named
    return name[1:-1] if name.startswith(b"(") else bytes.fromhex(name[1:-1].decode())

"""A book: chapters as HTML with what they bring in, its contents and its index (part of compose).

In: chapters whose long texts are filled in. Out: what the frame of a book gets, as plain data, with the entries that are set in it and the
texts that must be on its pages. Which page a thing is on is not known here: the typesetter fills in whatever asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.record import dataclass, field
from seasons_build.core.regex import regex
from seasons_build.core.sheet import Sheet
from seasons_build.language.chapter import LONG, Box, Embed, Heading, Outline, Passage, link_of, outline
from seasons_build.language.text import plain, scan, to_html

HTML = "$html"
TEXT = "text"
PAGE = regex(r' <span class="pg"[^>]*></span>')
"""Where the number of a page is filled in: words that it stands between are no longer one."""
TABLE = regex(r"<table>.*?</table>", re.DOTALL)
SHORT = 14
"""Rows of a table that is kept on one page."""
NAMED = regex(r"<td([^>]*)>(<span id=[^>]*></span>)")
"""A cell in which the thing of a row is named."""
LONG_BOX = 5
"""Paragraphs from which on a box may go on on the next page."""
OVER = regex(r"<p>((?:(?!</?p>).)*</p>\s*<table)", re.DOTALL)
"""A paragraph right above a table: it is not parted from it."""
EMPTY_HEAD = regex(r"<thead>\s*<tr>(?:\s*<th[^>]*></th>)*\s*</tr>\s*</thead>\s*")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter ready for the frame: `seen` as templates see it, `blocks` the entries that are set in it, in order, each with the level of
    its heading, `texts` the passages by their fields' names."""

    seen: Mapping[str, Any]
    blocks: tuple[tuple[Entry, int], ...]
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A book ready for its frame: its chapters, `index` as templates see it, `broken` what it brings in and cannot be printed."""

    chapters: tuple[Chapter, ...]
    index: list[dict[str, Any]]
    broken: tuple[Key, ...]


def is_chapter(entry: Entry) -> bool:
    """Whether an entry has a long text of its own."""
    return any(prose.role == LONG for prose in entry.announced.prose)


def make_book(
    library: Library, sheets: Mapping[Key, Sheet], icons: Mapping[str, str], chapters: Sequence[Entry], columns: int
) -> Made:
    """A book of these chapters, in order; entries that are set in it stand so many across."""
    return _Book(library, sheets, icons, chapters, columns).made()


def anchor_of(entry: Entry, section: str = "") -> str:
    """The id of an entry's place in a document, or of a section of it."""
    return f"{entry.kind}/{entry.id}/{section}" if section else f"{entry.kind}/{entry.id}"


@dataclass(slots=True)
class _Term:
    """A line of the index: the anchors where it is mentioned, those of its own place, and the lines under it."""

    mentions: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    under: dict[str, _Term] = field(default_factory=dict)


class _Book:
    """One book being made."""

    def __init__(
        self, library: Library, sheets: Mapping[Key, Sheet], icons: Mapping[str, str], chapters: Sequence[Entry], columns: int
    ) -> None:
        self._columns = columns
        self._library = library
        self._sheets = sheets
        self._icons = icons
        self._chapters = chapters
        self._outlines = {entry.key: outline(self._text(entry)) for entry in chapters}
        self._set = dict.fromkeys(key for entry in chapters for key in self._embedded(entry))
        """The entries that are set in the book."""
        self._placed = {key for entry in chapters for key in self._rows(entry)} - set(self._set)
        """The entries that have a row of a table in it, and no more."""
        self._index: dict[str, _Term] = {}
        self._number = 0
        """The number of the chapter that is being made, and how many places were marked in it."""
        self._anchors = 0
        self._blocks: list[tuple[Entry, int]] = []
        self._level = 1
        """The level of the heading that stands last."""
        self._texts: list[tuple[str, str]] = []
        self._linked: set[Key] = set()
        """What the section that is being made has linked already."""
        self._done: set[Key] = set()
        """What has its place already."""

    def made(self) -> Made:
        chapters = tuple(self._chapter(entry, number) for number, entry in enumerate(self._chapters, 1))
        broken = tuple(key for key in self._set if key not in self._sheets)
        return Made(chapters, self._letters(), broken)

    # What is where

    def _text(self, entry: Entry) -> str:
        return self._sheets[entry.key].texts.get((TEXT,), "")

    def _key(self, entry: Entry, reference: str) -> Key | None:
        """The entry that a reference in a text of another means."""
        pack, _, rest = reference.rpartition(":")
        kind, _, name = rest.partition("/")
        if (pack, kind, name) in self._library.entries:
            return pack, kind, name
        targets = self._library.targets[entry.key]
        return next((targets[path] for path in targets if path[-1] == reference), None)

    def _embedded(self, entry: Entry) -> Iterator[Key]:
        found = (self._key(entry, embed.of) for embed in self._outlines[entry.key].embeds)
        yield from (key for key in found if key is not None)

    def _rows(self, entry: Entry) -> Iterator[Key]:
        places = (link_of(piece.text).place for piece in scan(self._text(entry)) if piece.what == "link")
        found = (self._key(entry, place) for place in places if place)
        yield from (key for key in found if key is not None)

    def _anchor(self) -> str:
        self._anchors += 1
        return f"at-{self._number}-{self._anchors}"

    # Chapters

    def _chapter(self, entry: Entry, number: int) -> Chapter:
        cut = self._outlines[entry.key]
        self._number, self._anchors = number, 0
        self._blocks, self._texts = [], []
        self._linked = set()
        self._level = 1
        lead = self._sheets[entry.key].texts.get(("lead",), "")
        sections = [
            {"level": h.level, "name": {HTML: self._heading(h)}, "anchor": anchor_of(entry, h.anchor)} for h in cut.headings
        ]
        seen = {
            "id": entry.id,
            "number": number,
            "name": entry.name,
            "anchor": anchor_of(entry),
            "lead": {HTML: self._html(entry, lead)} if lead else "",
            "sections": sections,
            "parts": list(self._parts(entry, cut)),
        }
        return Chapter(seen, tuple(self._blocks), tuple(self._texts))

    def _parts(self, entry: Entry, cut: Outline) -> Iterator[dict[str, Any]]:
        """The parts of a chapter: runs of markup, and runs of entries that are set one after the other."""
        markup: list[str] = []
        blocks: list[int] = []
        parts = [p for p in cut.parts if not (isinstance(p, Embed) and p.prefix)]
        for part, after in zip(parts, (*parts[1:], None), strict=True):
            if isinstance(part, Embed):
                if markup:
                    yield _joined(markup)
                    markup = []
                blocks += self._block(entry, part)
                continue
            if blocks:
                yield self._run(blocks)
                blocks = []
            wide = isinstance(after, Embed) or (isinstance(after, Passage) and after.text.lstrip().startswith("|"))
            markup.append(self._heading_over(entry, part, wide) if isinstance(part, Heading) else self._markup(entry, part))
        if blocks:
            yield self._run(blocks)
        if markup:
            yield _joined(markup)

    def _run(self, blocks: list[int]) -> dict[str, Any]:
        """Entries that are set one after the other: in rows, as many across as the book has columns, with their kind where it is one."""
        kinds = {self._blocks[at][0].kind for at in blocks}
        rows = [blocks[at : at + self._columns] for at in range(0, len(blocks), self._columns)]
        return {"kind": kinds.pop() if len(kinds) == 1 else "", "rows": rows}

    def _block(self, entry: Entry, embed: Embed) -> Iterator[int]:
        key = self._key(entry, embed.of)
        if key is not None and key in self._sheets:
            thing = self._library.entries[key]
            self._term(thing.name).places.append(anchor_of(thing))
            self._blocks.append((thing, self._level + 1))
            yield len(self._blocks) - 1

    def _heading_over(self, entry: Entry, part: Heading, wide: bool) -> str:
        """A heading; `wide` where what follows takes the whole width of the page."""
        self._linked = set()
        self._level = part.level
        self._says(entry, made := self._heading(part))
        over = ' class="wide"' if wide else ""
        return f'<h{part.level} id="{escape(anchor_of(entry, part.anchor))}"{over}>{made}</h{part.level}>'

    def _markup(self, entry: Entry, part: Box | Passage) -> str:
        if isinstance(part, Box):
            title = self._html(entry, part.title, block=False) if part.title else ""
            body = "\n".join(self._markup(entry, p) for p in outline(part.text).parts if isinstance(p, Box | Passage))
            head = f'<p class="box-title">{title}</p>' if title else ""
            self._says(entry, title)
            long = " long" if body.count("<p>") + body.count("<li>") >= LONG_BOX else ""
            return f'<aside class="box {part.look}{long}">{head}{body}</aside>'
        made = self._html(entry, part.text)
        self._says(entry, made)
        return made

    def _says(self, entry: Entry, html: str) -> None:
        """Notes what must be found on the pages."""
        self._texts.append((f"{entry.kind}/{entry.id}.{TEXT}", PAGE.sub(" ", html)))

    def _heading(self, heading: Heading) -> str:
        return to_html(heading.text, self._icons, lambda text: "", block=False, long=True)

    def _html(self, entry: Entry, text: str, *, block: bool = True) -> str:
        made = to_html(text, self._icons, lambda inner: self._link(entry, inner), block=block, long=True)
        return TABLE.sub(_table, made)

    # Links

    def _link(self, entry: Entry, text: str) -> str:
        link = link_of(text)
        if link.term:
            name = self._anchor()
            first, _, under = link.term.partition(" > ")
            term = self._term(first)
            (term.under.setdefault(under, _Term()) if under else term).mentions.append(name)
            return f'<span id="{name}"></span>'
        if link.place:
            return self._place(entry, link.place)
        key = self._key(entry, link.target) if link.target else entry.key
        if key is None:
            return escape(link.words or link.target)
        target = self._library.entries[key]
        if key in self._outlines:
            return self._section(target, link.section, link.words)
        return self._thing(target, link.words or target.name)

    def _place(self, entry: Entry, reference: str) -> str:
        """The mark of a row: the place of its thing, unless that is set elsewhere or has a row already."""
        key = self._key(entry, reference)
        if key is None:
            return ""
        thing = self._library.entries[key]
        if key in self._placed and key not in self._done:
            self._done.add(key)
            self._term(thing.name).places.append(anchor_of(thing))
            return f'<span id="{escape(anchor_of(thing))}"></span>'
        name = self._anchor()
        self._term(thing.name).mentions.append(name)
        return f'<span id="{name}"></span>'

    def _section(self, target: Entry, section: str, words: str) -> str:
        heading = next((h for h in self._outlines[target.key].headings if h.anchor == section), None)
        said = escape(words) if words else self._heading(heading) if heading else escape(target.name)
        address = escape(anchor_of(target, section if heading else ""))
        return f'<a class="to" href="#{address}">{said} <span class="pg" data-page="{address}"></span></a>'

    def _thing(self, target: Entry, words: str) -> str:
        """A thing that is mentioned: in the index, and with the page of its place the first time in a section."""
        name = self._anchor()
        self._term(target.name).mentions.append(name)
        if target.key not in self._set and target.key not in self._placed:
            return f'<span id="{name}">{escape(words)}</span>'
        address = escape(anchor_of(target))
        page = "" if target.key in self._linked else f' <span class="pg" data-page="{address}"></span>'
        self._linked.add(target.key)
        return f'<a class="thing" id="{name}" href="#{address}">{escape(words)}{page}</a>'

    # The index

    def _term(self, name: str) -> _Term:
        return self._index.setdefault(plain(name, {}), _Term())

    def _letters(self) -> list[dict[str, Any]]:
        """The index by first letters; what begins with none stands under none, first."""
        groups: dict[str, list[dict[str, Any]]] = {}
        for name, term in sorted(self._index.items(), key=lambda item: (item[0].casefold(), item[0])):
            letter = next((c for c in name if c.isalnum()), "").upper()
            groups.setdefault(letter if letter.isalpha() else "", []).append(self._line(name, term))
        return [{"letter": letter, "entries": listed} for letter, listed in sorted(groups.items())]

    def _line(self, name: str, term: _Term) -> dict[str, Any]:
        under = [self._line(inner, more) for inner, more in sorted(term.under.items(), key=lambda item: item[0].casefold())]
        return {"name": name, "places": " ".join(term.places), "mentions": " ".join(term.mentions), "under": under}


def _joined(markup: Sequence[str]) -> dict[str, Any]:
    """A run of markup; what leads up to a table is marked as such."""
    return {"html": {HTML: OVER.sub(r'<p class="over">\1', "\n".join(markup))}}


def _table(found: re.Match[str]) -> str:
    """A table: links in it show no page, which would crowd its cells; a head that says nothing is none; a short one, and cells in which the
    thing of a row is named, are marked as such."""
    made = NAMED.sub(r'<td class="name"\1>\2', EMPTY_HEAD.sub("", PAGE.sub("", found[0])))
    return made.replace("<table>", '<table class="short">', 1) if made.count("<tr>") <= SHORT else made

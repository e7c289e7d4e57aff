"""What the long text of a chapter names: links, sections, values of other entries, what it brings in (part of link).

In: an entry, one of its texts, and a way to find what a reference means. Out: what is at fault; the entries that are named go to `targets`,
by the path of the text and the reference as typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.kind import CORE, Prose, Reference
from seasons_build.core.names import did_you_mean
from seasons_build.core.span import Path, Span
from seasons_build.language.chapter import LONG, READS, Embed, Link, link_of, outline, sought
from seasons_build.language.text import Piece, scan

Find = Callable[[Reference, Callable[[], Span]], Key | Diagnostic]


def long_text(library: Library, entry: Entry, prose: Prose, find: Find, targets: dict[Path, Key]) -> Iterator[Diagnostic]:
    """The faults of a long text.

    Codes: E650, E651, E652, E654, E657 (its parts), E653 (a table that the rules have not), E655 (a section that is not there), E656 (rows
    or values of no entry), E301 and E307 (names and icons that are not there).
    """
    yield from _Text(library, entry, prose, find, targets).faults()


class _Text:
    """One text being linked."""

    def __init__(self, library: Library, entry: Entry, prose: Prose, find: Find, targets: dict[Path, Key]) -> None:
        self._library = library
        self._entry = entry
        self._prose = prose
        self._find = find
        self._targets = targets
        self._outline = outline(prose.text)

    def faults(self) -> Iterator[Diagnostic]:
        for fault in self._outline.faults:
            yield Diagnostic(fault.code, fault.message, self._at(fault.start, fault.end), fault.hints)
        for embed in self._outline.embeds:
            yield from self._embed(embed)
        for piece in scan(self._prose.text):
            yield from self._piece(piece)

    def _at(self, start: int, end: int) -> Span:
        return self._entry.inside(self._prose.path, start, end)

    def _piece(self, piece: Piece) -> Iterator[Diagnostic]:
        if piece.what == "icon":
            icons = self._library.rules[self._entry.pack].get("icons", {})
            if piece.text not in icons:
                hints = did_you_mean(piece.text, icons)
                yield Diagnostic("E307", f"unknown icon `:{piece.text}:`", self._at(piece.start, piece.end), hints)
        elif piece.what == "link" and self._prose.text[piece.start - 1 : piece.start] != "!":
            yield from self._link(link_of(piece.text), piece)
        elif piece.what == "value":
            asked = sought(piece.text)
            if asked.of:
                yield from self._named(asked.of, piece.start, piece.end)
            elif asked.rows:
                yield from self._read(piece.start, piece.end)

    def _link(self, link: Link, piece: Piece) -> Iterator[Diagnostic]:
        if link.term:
            return
        named = link.place or link.target
        faults = list(self._named(named, piece.start, piece.end)) if named else []
        yield from faults
        if faults or not link.section:
            return
        key = self._targets.get((*self._prose.path, link.target))
        target = self._library.entries[key] if key else self._entry
        sections = [heading.anchor for prose in target.announced.prose if prose.role == LONG for heading in outline(prose.text).headings]
        # Of an entry that is at fault nobody knows what it would have.
        if link.section not in sections and not target.broken:
            message = f"`{target.id}` has no section `{link.section}`"
            yield Diagnostic("E655", message, self._at(piece.start, piece.end), did_you_mean(link.section, sections))

    def _embed(self, embed: Embed) -> Iterator[Diagnostic]:
        if embed.what == "table":
            tables = self._library.rules[self._entry.pack].get("tables", {})
            if embed.part not in tables:
                message = f"the rules have no table `{embed.part}`"
                yield Diagnostic("E653", message, self._at(embed.start, embed.start + self._line(embed)), did_you_mean(embed.part, tables))
        elif embed.what == "kind":
            owner, _, kind = embed.of.rpartition(":")
            if self._library.find_kind(owner if owner in self._library.packs else self._entry.pack, kind) is None:
                scope = (*self._library.packs[self._entry.pack].scope, CORE)
                near = did_you_mean(kind, [name for pack, name in self._library.kinds if pack in scope])
                yield Diagnostic("E301", f"unknown kind `{kind}`", self._at(embed.start, embed.start + self._line(embed)), near)
        elif embed.of:
            yield from self._named(embed.of, embed.start, embed.start + self._line(embed))
        elif embed.what == "rows":
            yield from self._read(embed.start, embed.start + self._line(embed))

    def _line(self, embed: Embed) -> int:
        """How long the line is that brings something in, without the table beneath it."""
        line, _, _ = self._prose.text[embed.start :].partition("\n")
        return len(line)

    def _named(self, text: str, start: int, end: int) -> Iterator[Diagnostic]:
        found = self._find(Reference(self._prose.path, None, text), partial(self._at, start, end))
        if isinstance(found, Diagnostic):
            yield found
        else:
            self._targets[(*self._prose.path, text)] = found

    def _read(self, start: int, end: int) -> Iterator[Diagnostic]:
        if not isinstance(self._entry.data.get(READS), str) and not self._entry.broken:
            hint = "say whose: `kind/id#rows`, or give the chapter a line `reads: kind/id`"
            yield Diagnostic("E656", "these rows are of no entry", self._at(start, end), (hint,))

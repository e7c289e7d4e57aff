"""The long text of books, cut by lines: headings, boxes, and lines that bring in what stands elsewhere.

In: the text of a chapter as typed, or with its values filled in. Out: its parts with their offsets (`outline`), and what is wrong with
them. What stands between the parts is the small text of cards and a little more: tables, quotes, lists in lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.regex import regex
from seasons_build.language.text import plain

What: TypeAlias = Literal["entry", "kind", "rows", "table"]

LONG = "prose"
"""The role of long texts."""
READS = "reads"
"""The field of a chapter that names the entry on whose sheet its values are worked out."""
BOXES = ("example", "aside", "summary")
"""The looks of boxes: a played example, a sidebar, the rule in short."""
TABLES = "rules/tables/"
HEADING = regex(r"(#+)[ \t]+(.*?)[ \t]*\Z")
EMBED = regex(r"!\[\[(.*)\]\][ \t]*\Z")
BOX = regex(r"\[!([\w-]*)\][ \t]*(.*?)[ \t]*\Z")
QUOTED = regex(r"> ?")
SOURCE = regex(r"(?P<what>\S+)(?:\s+where\s+(?P<where>.+?))?(?:\s+by\s+(?P<by>[\w.-]+(?:\s*,\s*[\w.-]+)*))?\s*\Z")
PART = regex(r"(?P<of>[^#\s]*)#(?P<part>[\w-]+)\Z")
REFERENCE = regex(r"(?:[\w-]+:)?[\w-]+/[\w-]+\Z")
ALL = regex(r"(?:[\w-]+:)?[\w-]+/\*\Z")
SOUGHT = regex(
    r"\s*(?P<of>(?:[\w-]+:)?[\w-]+/[\w-]+)?(?:#(?P<rows>[\w-]+)(?:/(?P<row>[^:]+?))?)?\s*:\s*(?P<expression>.*)\Z", re.DOTALL
)
DELIMITER = regex(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*\Z")
TOP, DEEPEST = 2, 4


class Fault(NamedTuple):
    """Something that a chapter's text got wrong, by offsets into it."""

    code: str
    message: str
    start: int
    end: int
    hints: tuple[str, ...] = ()


class Heading(NamedTuple):
    """A heading: its level (2 to 4), its words as typed, and its name in links."""

    level: int
    text: str
    anchor: str
    start: int
    end: int


class Columns(NamedTuple):
    """The pipe table beneath a line that brings something in: its two lines of heads, and the one row that is printed for each thing, with
    its offset."""

    head: str
    row: str
    row_start: int


class Embed(NamedTuple):
    """A line that brings in what stands elsewhere: an `entry`, all of a `kind` (`where` a condition holds, `by` values), the `rows` of an
    entry, or a `table` of the rules. `of` is the reference, the kind or nothing (the entry that the chapter reads), `part` the id of the
    rows or of the table; `where_start` is the offset of the condition. With `columns` each thing is a row of a table. `prefix` stands
    before the line where it is in a box."""

    what: What
    of: str
    part: str
    where: str
    where_start: int
    by: tuple[str, ...]
    columns: Columns | None
    prefix: str
    start: int
    end: int


class Box(NamedTuple):
    """A box: its look, its title, and its text without the marks before each line."""

    look: str
    title: str
    text: str
    start: int
    end: int


class Passage(NamedTuple):
    """Paragraphs, lists, tables, quotes: what stands between the other parts."""

    text: str
    start: int
    end: int


Part: TypeAlias = Heading | Embed | Box | Passage


class Outline(NamedTuple):
    """A text cut into its parts, in order, and its faults."""

    parts: tuple[Part, ...]
    faults: tuple[Fault, ...] = ()

    @property
    def headings(self) -> tuple[Heading, ...]:
        return tuple(part for part in self.parts if isinstance(part, Heading))

    @property
    def embeds(self) -> tuple[Embed, ...]:
        """What the text brings in, also inside its boxes."""
        return tuple(part for part in self.parts if isinstance(part, Embed))


class Link(NamedTuple):
    """What stands in a `[[link]]`: the entry that it names (nothing: the chapter itself), a section of it, the words to print instead of
    its name; or a `term` of the index, or the entry whose `place` this is, which both print nothing."""

    target: str
    section: str = ""
    words: str = ""
    term: str = ""
    place: str = ""


class Sought(NamedTuple):
    """What a `{value}` asks for: an expression on another entry (`of`), or on a row of its rows."""

    of: str
    rows: str
    row: str
    expression: str
    start: int
    """The offset of the expression inside the braces."""


def link_of(text: str) -> Link:
    """What stands between the brackets of a link."""
    if text.startswith("^"):
        return Link("", term=" > ".join(" ".join(part.split()) for part in text[1:].split(">")))
    if text.startswith("="):
        return Link("", place=text[1:].strip())
    named, _, words = text.replace("\\|", "|").partition("|")
    target, _, section = named.strip().partition("#")
    return Link(target, section, words.strip())


@cache
def sought(text: str) -> Sought:
    """What stands between the braces of a value: `kind/id: expression`, `#rows: name`, or an expression alone."""
    found = SOUGHT.match(text)
    if found is None or not (found["of"] or found["rows"]):
        return Sought("", "", "", text, 0)
    return Sought(found["of"] or "", found["rows"] or "", (found["row"] or "").strip(), found["expression"], found.start("expression"))


def anchor_of(text: str) -> str:
    """The name of a heading in links: its words in small letters, with hyphens."""
    return re.sub(r"[^\w]+", "-", plain(text, {}).casefold()).strip("-")


@lru_cache(maxsize=256)
def outline(text: str) -> Outline:
    """A chapter's text as its parts.

    Codes: E650 (a box of no known look), E651 (a line that brings in nothing that there is a way to name), E652 (a heading of the wrong
    level), E654 (something that needs a line of its own, or stands where it may not), E657 (a table beneath such a line without its row).
    """
    return _Cutter(text).cut()


class _Line(NamedTuple):
    text: str
    start: int
    prefix: str

    @property
    def body(self) -> str:
        return self.text[len(self.prefix) :]

    @property
    def at(self) -> int:
        """The offset of what stands behind the mark of a box."""
        return self.start + len(self.prefix)

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class _Cutter:
    """One text being cut."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = list(_lines(text))
        self._parts: list[Part] = []
        self._faults: list[Fault] = []
        self._level = TOP - 1
        self._anchors: dict[str, int] = {}
        self._open: int | None = None
        """The offset at which the passage that is being read began."""

    def cut(self) -> Outline:
        at = 0
        while at < len(self._lines):
            line = self._lines[at]
            heading = HEADING.match(line.body) if line.body.startswith("#") else None
            embed = EMBED.match(line.body)
            box = BOX.match(line.body) if line.prefix and not self._in_box(at) else None
            if heading is not None:
                self._close(line.start)
                self._heading(line, heading)
                at += 1
            elif embed is not None:
                self._close(line.start)
                at = self._embed(at, embed)
            elif box is not None:
                self._close(line.start)
                at = self._box(at, box)
            else:
                self._strays(line)
                self._open = line.start if self._open is None else self._open
                at += 1
        self._close(len(self._text))
        return Outline(tuple(self._parts), tuple(sorted(self._faults, key=lambda fault: fault.start)))

    def _in_box(self, at: int) -> bool:
        """Whether a line goes on with what the line before it began."""
        return at > 0 and bool(self._lines[at - 1].prefix)

    def _close(self, end: int) -> None:
        if self._open is not None:
            text = self._text[self._open : end]
            if text.strip():
                self._parts.append(Passage(text, self._open, end))
            self._open = None

    def _fault(self, code: str, message: str, start: int, end: int, *hints: str) -> None:
        self._faults.append(Fault(code, message, start, end, tuple(hints)))

    def _strays(self, line: _Line) -> None:
        at = line.body.find("![[")
        if at >= 0:
            hint = "put `![[...]]` on a line of its own, with an empty line before it"
            self._fault("E654", "`![[...]]` brings something in, and words stand beside it", line.at + at, line.end, hint)

    def _heading(self, line: _Line, found: re.Match[str]) -> None:
        level, words = len(found[1]), found[2]
        mark = (line.at, line.at + level)
        if line.prefix:
            self._fault("E654", "a heading stands in a box", *mark, "give the box a title: `> [!aside] Title`")
        elif level < TOP:
            self._fault("E652", "`#` is the chapter's own name", *mark, "begin with `##`")
        elif level > DEEPEST:
            self._fault("E652", f"a heading has at most {DEEPEST} `#`, found {level}", *mark)
        elif level > self._level + 1:
            self._fault("E652", f"expected `{'#' * (self._level + 1)}` or fewer, found `{found[1]}`: a level is left out", *mark)
        if "{" in words or "[[" in words:
            self._fault("E654", "a heading holds words and icons alone", line.at + found.start(2), line.end)
        self._level = min(max(level, TOP), DEEPEST)
        name = anchor_of(words)
        self._anchors[name] = self._anchors.get(name, 0) + 1
        anchor = name if self._anchors[name] == 1 else f"{name}-{self._anchors[name]}"
        self._parts.append(Heading(self._level, words, anchor, line.at, line.end))

    def _box(self, at: int, found: re.Match[str]) -> int:
        first = self._lines[at]
        look, title = found[1], found[2]
        if look not in BOXES:
            near = did_you_mean(look, BOXES) or (f"there are {', '.join(f'`{name}`' for name in BOXES)}",)
            self._fault("E650", f"unknown box `{look}`", first.at + 2, first.at + 2 + len(look), *near)
        end = at + 1
        while end < len(self._lines) and self._lines[end].prefix:
            line = self._lines[end]
            if HEADING.match(line.body) and line.body.startswith("#"):
                self._fault("E654", "a heading stands in a box", line.at, line.end, "end the box before it, or print it `**strong**`")
            embed = EMBED.match(line.body)
            if embed is not None:
                self._parts.append(self._read(end, embed)[0])
            else:
                self._strays(line)
            end += 1
        text = "\n".join(line.body for line in self._lines[at + 1 : end])
        self._parts.append(Box(look, title, text, first.start, self._lines[end - 1].end))
        return end

    def _embed(self, at: int, found: re.Match[str]) -> int:
        part, after = self._read(at, found)
        self._parts.append(part)
        return after

    def _read(self, at: int, found: re.Match[str]) -> tuple[Embed, int]:
        """What a line brings in, with the table beneath it, and the line after that."""
        line = self._lines[at]
        inner, inner_at = found[1], line.at + found.start(1)
        columns, after = self._columns(at + 1, line.prefix)
        end = self._lines[after - 1].end
        source = SOURCE.match(inner.strip())
        shift = inner_at + len(inner) - len(inner.lstrip())
        what, of, part = _source(source["what"]) if source else ("", "", "")
        if what == "":
            self._fault("E651", f"`{inner}` is nothing that can be brought in", inner_at, inner_at + len(inner), _WAYS)
        elif columns is not None and what in ("entry", "table"):
            named = "one entry" if what == "entry" else "a table of the rules"
            self._fault("E657", f"a row is for each of many, and `{inner}` is {named}", inner_at, inner_at + len(inner))
        elif what != "kind" and source and (source["where"] or source["by"]):
            self._fault("E651", "`where` and `by` choose among the entries of a kind", inner_at, inner_at + len(inner), "write `kind/*`")
        where, by = (source["where"] or "", source["by"] or "") if source else ("", "")
        where_start = shift + source.start("where") if source and where else inner_at
        names = tuple(name.strip() for name in by.split(",") if name.strip())
        kind: What = what or "entry"
        return Embed(kind, of, part, where, where_start, names, columns, line.prefix, line.start, end), after

    def _columns(self, at: int, prefix: str) -> tuple[Columns | None, int]:
        after = at
        while after < len(self._lines) and self._lines[after].prefix == prefix and self._lines[after].body.lstrip().startswith("|"):
            after += 1
        table = self._lines[at:after]
        if not table:
            return None, at
        if len(table) != 3 or not DELIMITER.match(table[1].body.strip()):
            message = "expected a line of heads, a line of `---` and one row, which is printed for each"
            self._fault("E657", message, table[0].at, table[-1].end)
            return None, after
        return Columns(f"{table[0].body}\n{table[1].body}", table[2].body, table[2].at), after


_WAYS = "write `kind/id`, `kind/*`, `kind/id#rows` or `rules/tables/id`"


def _source(text: str) -> tuple[What | Literal[""], str, str]:
    if text.startswith(TABLES) and len(text) > len(TABLES):
        return "table", "", text.removeprefix(TABLES)
    part = PART.match(text)
    if part is not None and (not part["of"] or REFERENCE.match(part["of"])):
        return "rows", part["of"], part["part"]
    if ALL.match(text):
        return "kind", text.removesuffix("/*"), ""
    return ("entry", text, "") if REFERENCE.match(text) else ("", "", "")


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for line in text.split("\n"):
        quoted = QUOTED.match(line)
        yield _Line(line, at, quoted[0] if quoted else "")
        at += len(line) + 1

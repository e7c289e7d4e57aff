"""What a screen reader gets of a PDF, read with nothing of ours: the tree of its structure, what it holds, and what is wrong with it.

`faults_of(PDF)` says what is wrong: something drawn that is neither content nor set apart, content that the tree has not or has twice, an
empty element, a sign that is not spoken, an order that is not that of the page, headings that skip a level, an outline that is not that of
the headings, a field or link without its place in the tree, no title or language. Pages are read operator by operator; `characters_of` is
what another reader must find on them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import pairwise
from typing import Any, TypeAlias

import pikepdf

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, low, right, high, in points."""

HEADINGS = frozenset(f"H{n}" for n in range(1, 7))
BLOCKS = frozenset({"P", *HEADINGS, "LI", "Lbl", "LBody", "TD", "TH", "Caption", "TOCI", "BlockQuote"})
HELD_BY = {"TR": {"Table", "TBody", "THead", "TFoot"}, "TD": {"TR"}, "TH": {"TR"}, "TBody": {"Table"}, "THead": {"Table"}, "LI": {"L"},
           "LBody": {"LI"}, "Lbl": {"LI", "Note", "P"}, "TOCI": {"TOC"}}  # fmt: skip
"""What an element stands in directly, where that is laid down."""
KNOWN = BLOCKS | HELD_BY.keys() | {"Document", "Part", "Sect", "Art", "Div", "L", "Table", "TOC", "Index", "Aside", "Span", "Em", "Strong",
                                   "Link", "Figure", "Form", "Note", "Quote", "Code", "Title", "Formula", "Reference"}  # fmt: skip
MAY_BE_EMPTY = ("TD", "TH")
PAINTS = frozenset({"S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "sh", "BI", "INLINE IMAGE"})
SHOWS = frozenset({"Tj", "TJ", "'", '"'})
READ_AS_THEY_ARE = frozenset("+\u2212\u00d7\u00f7=<>\u00b1|~%\u00b0\u00a9\u00ae\u2122\u2192\u2190\u2265\u2264")
"""Signs that a screen reader has words for, or needs none for."""
NEAR = 1.0
"""Points by which two lines may reach into one another."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of text that is shown, or a field or a picture, and where."""

    page: int
    mark: int | None
    text: str
    box: Box
    widget: bool = False


@dataclass(slots=True)
class Node:
    """An element of the tree: its tag, what is said in place of what it holds, and that, in order."""

    tag: str
    said: str | None
    kids: list[Node | Piece] = field(default_factory=list)


@dataclass(slots=True)
class Read:
    """A file, read: its tree, and what was wrong while it was."""

    tree: Node
    pieces: list[Piece]
    faults: list[str]


def faults_of(pdf: bytes, icons: Collection[str] = ()) -> list[str]:
    """What is wrong with a tagged PDF; empty where nothing is. `icons` are letters that are drawn as signs."""
    with pikepdf.open(BytesIO(pdf)) as document:
        told = list(_about(document))
        if "/StructTreeRoot" not in document.Root:
            return [*told, "it has no structure tree"]
        read = _Reading(document).read()
        outline = list(_outline(document))
    told += read.faults
    nodes = list(_walk(read.tree, ()))
    told += _shapes(nodes)
    told += _unspoken(nodes, icons)
    told += _out_of_order(read.tree)
    told += _headings(nodes, outline)
    return told


def spoken_text(pdf: bytes) -> str:
    """All that is read out, a line for each block."""
    with pikepdf.open(BytesIO(pdf)) as document:
        return "\n".join(" ".join(line.split()) for line in _lines(_Reading(document).read().tree) if line.strip())


def characters_of(pdf: bytes) -> list[Counter[str]]:
    """How often each character is shown on each page, blanks aside."""
    with pikepdf.open(BytesIO(pdf)) as document:
        shown: list[Counter[str]] = [Counter() for _ in document.pages]
        for piece in _Reading(document).read().pieces:
            shown[piece.page].update(signs(piece.text))
    return shown


def signs(text: str) -> str:
    """A text without its blanks, in the plainest form of its characters."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if not c.isspace() and unicodedata.category(c)[0] != "C")


# What is said of the file


def _about(document: pikepdf.Pdf) -> Iterator[str]:
    root = document.Root
    if not str(root.get("/Lang", "")):
        yield "it has no language"
    if not str(document.docinfo.get("/Title", "")):
        yield "it has no title"
    if not bool(root.get("/MarkInfo", {}).get("/Marked", False)):
        yield "it does not say that it is tagged"
    if not bool(root.get("/ViewerPreferences", {}).get("/DisplayDocTitle", False)):
        yield "its window shows the name of the file"
    for number, page in enumerate(document.pages, 1):
        if "/Annots" in page and page.get("/Tabs") != pikepdf.Name.S:
            yield f"page {number}: the tabulator does not follow the structure"


def _outline(document: pikepdf.Pdf) -> Iterator[tuple[int, str]]:
    def walk(items: Any, level: int) -> Iterator[tuple[int, str]]:
        for item in items:
            yield level, " ".join(str(item.title).split())
            yield from walk(item.children, level + 1)

    with document.open_outline() as outline:
        yield from walk(outline.root, 1)


# The pages and the tree


class _Reading:
    """One document being read."""

    def __init__(self, document: pikepdf.Pdf) -> None:
        self._document = document
        self._pages = {page.objgen: number for number, page in enumerate(document.pages)}
        self._faults: list[str] = []
        self._fonts: dict[tuple[int, int], _Font] = {}
        self._marked: dict[tuple[int, int], list[Piece]] = {}
        self._pieces: list[Piece] = []
        self._owner: dict[tuple[int, int], tuple[int, int]] = {}
        self._annotations: dict[tuple[int, int], int] = {}

    def read(self) -> Read:
        for number, page in enumerate(self._document.pages):
            self._page(number, page)
            for annotation in page.get("/Annots", ()):
                self._annotations[annotation.objgen] = number
        root = self._document.Root.StructTreeRoot
        tree = Node("Root", None, [self._element(kid) for kid in _listed(root.get("/K"))])
        for page, mark in sorted(self._marked.keys() - self._owner.keys()):
            self._fault(page, f"content {mark} is in no element: {_shown(self._marked[page, mark])}")
        for page, mark in sorted(self._owner.keys() - self._marked.keys()):
            self._fault(page, f"the tree holds content {mark}, which is not there")
        for page in self._annotations.values():
            self._fault(page, "a field or link is in no element")
        self._parents(root)
        return Read(tree, self._pieces, self._faults)

    def _fault(self, page: int, said: str) -> None:
        self._faults.append(f"page {page + 1}: {said}")

    def _element(self, element: Any) -> Node:
        said = element.get("/ActualText", element.get("/Alt"))
        node = Node(str(element.S)[1:], None if said is None else str(said))
        for kid in _listed(element.get("/K")):
            if isinstance(kid, int):
                node.kids += self._held(element, element.Pg, int(kid))
            elif kid.get("/Type") == pikepdf.Name.MCR:
                node.kids += self._held(element, kid.get("/Pg", element.get("/Pg")), int(kid.MCID))
            elif kid.get("/Type") == pikepdf.Name.OBJR:
                node.kids += self._annotation(kid.Obj)
            else:
                if kid.P.objgen != element.objgen:
                    self._faults.append(f"a {str(kid.S)[1:]} takes another element for its parent")
                node.kids.append(self._element(kid))
        return node

    def _held(self, element: Any, page: Any, mark: int) -> list[Piece]:
        at = self._pages[page.objgen], mark
        if at in self._owner:
            self._fault(at[0], f"content {mark} is in two elements")
        self._owner[at] = element.objgen
        return self._marked.get(at, [])

    def _annotation(self, annotation: Any) -> list[Piece]:
        page = self._annotations.pop(annotation.objgen, None)
        if page is None:
            self._faults.append("the tree holds a field or link that is on no page, or twice")
            return []
        if annotation.Subtype != pikepdf.Name.Widget:
            return []
        top = annotation
        while "/TU" not in top and "/Parent" in top:
            top = top.Parent
        if not str(top.get("/TU", "")):
            self._fault(page, "a field has no name to be read out")
        left, low, right, high = (float(n) for n in annotation.Rect)
        value = str(top.get("/V", ""))
        return [Piece(page, None, value, (min(left, right), min(low, high), max(left, right), max(low, high)), widget=True)]

    def _parents(self, root: Any) -> None:
        """The way back from content to its element is the same way."""
        back = dict(_numbers(root.get("/ParentTree")))
        for number, page in enumerate(self._document.pages):
            listed = back.get(int(page.get("/StructParents", -1)))
            for at, owner in self._owner.items():
                if at[0] != number:
                    continue
                if listed is None or at[1] >= len(listed) or listed[at[1]] is None or listed[at[1]].objgen != owner:
                    self._fault(number, f"content {at[1]} does not know its element")
            for annotation in page.get("/Annots", ()):
                if int(annotation.get("/StructParent", -1)) not in back:
                    self._fault(number, "a field or link does not know its element")

    # Operators

    def _page(self, number: int, page: Any) -> None:
        self._content(number, page, page.get("/Resources", {}), (1, 0, 0, 1, 0, 0), ())

    def _content(self, page: int, stream: Any, resources: Any, matrix: Matrix, marks: tuple[int | None, ...]) -> None:
        """The operators of a page, or of a form that it draws; `marks` is what is open: the number of content, or nothing for what is set
        apart."""
        state = _State(matrix)
        kept: list[_State] = []
        open_marks = list(marks)
        for operands, operator in pikepdf.parse_content_stream(stream):
            name = str(operator)
            if name in ("BMC", "BDC"):
                open_marks.append(self._mark(operands))
            elif name == "EMC":
                open_marks.pop()
            elif name == "q":
                kept.append(replace(state))
            elif name == "Q":
                state = kept.pop()
            elif name in SHOWS:
                self._shows(page, state, operands, open_marks)
            elif name in PAINTS:
                self._inside(page, open_marks, "a drawing")
            elif name == "Do":
                drawn = resources.XObject[str(operands[0])]
                if drawn.Subtype == pikepdf.Name.Form:
                    own = tuple(float(n) for n in drawn.get("/Matrix", (1, 0, 0, 1, 0, 0)))
                    self._content(page, drawn, drawn.get("/Resources", resources), _times(own, state.matrix), tuple(open_marks))  # type: ignore[arg-type]
                else:
                    self._picture(page, state, open_marks)
            else:
                self._sets(state, name, operands, resources)

    def _mark(self, operands: Any) -> int | None:
        about = operands[1] if len(operands) > 1 else {}
        return int(about.MCID) if "/MCID" in about else None if operands[0] == pikepdf.Name.Artifact else -1

    def _inside(self, page: int, open_marks: list[int | None], what: str) -> tuple[bool, int | None]:
        """Whether something is content, and its number."""
        said = [mark for mark in open_marks if mark != -1]
        if not said:
            self._fault(page, f"{what} is neither content nor set apart")
            return False, None
        if len(said) > 1 and None in said and said[-1] is not None:
            self._fault(page, f"{what} is content inside what is set apart")
        return said[-1] is not None, said[-1]

    def _picture(self, page: int, state: _State, open_marks: list[int | None]) -> None:
        is_content, mark = self._inside(page, open_marks, "a picture")
        if is_content and mark is not None:
            a, b, c, d, e, f = state.matrix
            box = (min(e, e + a + c), min(f, f + b + d), max(e, e + a + c), max(f, f + b + d))
            self._marked.setdefault((page, mark), []).append(Piece(page, mark, "\ufffc", box))

    def _shows(self, page: int, state: _State, operands: Any, open_marks: list[int | None]) -> None:
        text, box = state.show(operands[-1])
        is_content, mark = self._inside(page, open_marks, f"`{text}`")
        piece = Piece(page, mark if is_content else None, text, box)
        self._pieces.append(piece)
        if is_content and mark is not None:
            self._marked.setdefault((page, mark), []).append(piece)

    def _sets(self, state: _State, name: str, operands: Any, resources: Any) -> None:
        if name == "cm":
            state.matrix = _times(_matrix(operands), state.matrix)
        elif name == "BT":
            state.line = state.at = (1, 0, 0, 1, 0, 0)
        elif name == "Tm":
            state.line = state.at = _matrix(operands)
        elif name in ("Td", "TD"):
            state.line = state.at = _times((1, 0, 0, 1, float(operands[0]), float(operands[1])), state.line)
        elif name == "Tf":
            state.font, state.size = self._font(resources.Font[str(operands[0])]), float(operands[1])
        elif name == "Tc":
            state.spread = float(operands[0])

    def _font(self, font: Any) -> _Font:
        if font.objgen not in self._fonts:
            self._fonts[font.objgen] = _Font.of(font)
        return self._fonts[font.objgen]


@dataclass(slots=True)
class _State:
    """Where an operator stands."""

    matrix: Matrix
    at: Matrix = (1, 0, 0, 1, 0, 0)
    line: Matrix = (1, 0, 0, 1, 0, 0)
    font: _Font | None = None
    size: float = 0.0
    spread: float = 0.0

    def show(self, shown: Any) -> tuple[str, Box]:
        """What an operator shows, and where; what comes next stands behind it."""
        assert self.font is not None, "a text has a font"
        text, wide = "", 0.0
        for part in shown if isinstance(shown, pikepdf.Array) else [shown]:
            if isinstance(part, pikepdf.String | bytes | str):
                for code in self.font.codes(bytes(part)):
                    text += self.font.texts.get(code, "\ufffd")
                    wide += self.font.widths.get(code, self.font.usual) / 1000 * self.size + self.spread
            else:
                wide -= float(part) / 1000 * self.size
        whole = _times(self.at, self.matrix)
        corners = [_moved(whole, x, y) for x in (0.0, wide) for y in (0.0, 0.7 * self.size)]
        self.at = _times((1, 0, 0, 1, wide, 0), self.at)
        across, up = [x for x, _ in corners], [y for _, y in corners]
        return text, (min(across), min(up), max(across), max(up))


@dataclass(frozen=True, slots=True)
class _Font:
    """A font as a page shows it: the text and the width of each of its codes."""

    texts: Mapping[int, str]
    widths: Mapping[int, float]
    usual: float
    bytes_a_code: int

    @classmethod
    def of(cls, font: Any) -> _Font:
        texts = dict(_texts(font.ToUnicode.read_bytes().decode("latin-1"))) if "/ToUnicode" in font else {}
        if font.Subtype != pikepdf.Name.Type0:
            first = int(font.get("/FirstChar", 0))
            return cls(texts, {first + n: float(wide) for n, wide in enumerate(font.get("/Widths", ()))}, 0, 1)
        below = font.DescendantFonts[0]
        return cls(texts, dict(_widths(list(below.get("/W", ())))), float(below.get("/DW", 1000)), 2)

    def codes(self, shown: bytes) -> Iterator[int]:
        """The codes of a string."""
        step = self.bytes_a_code
        return (int.from_bytes(shown[at : at + step]) for at in range(0, len(shown), step))


def _texts(table: str) -> Iterator[tuple[int, str]]:
    """What a table says of its codes."""
    for block in re.findall(r"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, text in re.findall(r"<([0-9a-fA-F\s]+)>\s*<([0-9a-fA-F\s]*)>", block):
            yield int(code, 16), _unicode(text)
    for block in re.findall(r"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for low, high, single, several in re.findall(r"<(\w+)>\s*<(\w+)>\s*(?:<(\w+)>|\[(.*?)\])", block, re.DOTALL):
            listed = re.findall(r"<(\w+)>", several)
            for step in range(int(high, 16) - int(low, 16) + 1):
                text = _unicode(listed[step]) if listed else _unicode(single)[:-1] + chr(ord(_unicode(single)[-1]) + step)
                yield int(low, 16) + step, text


def _unicode(digits: str) -> str:
    return bytes.fromhex("".join(digits.split())).decode("utf-16-be")


def _widths(listed: list[Any]) -> Iterator[tuple[int, float]]:
    at = 0
    while at < len(listed):
        if isinstance(listed[at + 1], pikepdf.Array):
            yield from ((int(listed[at]) + n, float(wide)) for n, wide in enumerate(listed[at + 1]))
            at += 2
        else:
            yield from ((code, float(listed[at + 2])) for code in range(int(listed[at]), int(listed[at + 1]) + 1))
            at += 3


def _matrix(operands: Any) -> Matrix:
    a, b, c, d, e, f = (float(n) for n in operands)
    return a, b, c, d, e, f


def _times(one: Matrix, two: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    p, q, r, s, t, u = two
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def _moved(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return x * a + y * c + e, x * b + y * d + f


def _numbers(tree: Any) -> Iterator[tuple[int, Any]]:
    if tree is None:
        return
    listed = list(tree.get("/Nums", ()))
    yield from zip(map(int, listed[::2]), listed[1::2], strict=True)
    for kid in tree.get("/Kids", ()):
        yield from _numbers(kid)


def _listed(held: Any) -> list[Any]:
    return [] if held is None else list(held) if isinstance(held, pikepdf.Array) else [held]


def _shown(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)[:40]


# What is wrong with the tree


def _walk(node: Node, over: tuple[Node, ...]) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Every element in order, with those that it stands in."""
    yield node, over
    for kid in node.kids:
        if isinstance(kid, Node):
            yield from _walk(kid, (*over, node))


def _text(node: Node, *, said: bool = True) -> str:
    """What is read out of an element, or what is seen of it."""
    if said and node.said is not None:
        return node.said
    return " ".join(_text(kid, said=said) if isinstance(kid, Node) else kid.text for kid in node.kids)


def _lines(node: Node) -> Iterator[str]:
    run = ""
    for kid in node.kids:
        if isinstance(kid, Piece):
            run += kid.text
        elif any(isinstance(one, Node) and one.tag in BLOCKS for one, _ in _walk(kid, ())):
            yield run
            run = ""
            yield from [kid.said] if kid.said is not None else _lines(kid)
        else:
            run += _text(kid)
    yield run


def _shapes(nodes: list[tuple[Node, tuple[Node, ...]]]) -> Iterator[str]:
    for node, over in nodes[1:]:
        if node.tag not in KNOWN:
            yield f"no screen reader knows of a {node.tag}"
        if not node.kids and node.tag not in MAY_BE_EMPTY:
            yield f"an empty {node.tag}"
        if node.kids and node.tag not in MAY_BE_EMPTY and not signs(_text(node)) and not any(_fields(node)):
            yield f"a {node.tag} that says nothing"
        if node.tag in HELD_BY and over[-1].tag not in HELD_BY[node.tag]:
            yield f"a {node.tag} stands in a {over[-1].tag}"
        if node.tag in ("P", *HEADINGS):
            inner = [kid.tag for kid in node.kids if isinstance(kid, Node) and kid.tag in BLOCKS]
            if inner:
                yield f"a {node.tag} holds a {inner[0]}: {_text(node)[:40]}"
        if node.tag == "Figure" and not node.said:
            yield "a picture without words"


def _fields(node: Node) -> Iterator[Piece]:
    for kid in node.kids:
        if isinstance(kid, Node):
            yield from _fields(kid)
        elif kid.widget:
            yield kid


def _unspoken(nodes: list[tuple[Node, tuple[Node, ...]]], icons: Collection[str]) -> Iterator[str]:
    """Signs that are read out as they are, and words that are seen and not read out."""
    for node, over in nodes:
        if any(one.said is not None for one in over):
            continue
        if node.said is not None:
            seen = [c for c in signs(_text(node, said=False)) if not _is_sign(c, icons)]
            rest = iter(signs(node.said))
            if node.tag != "Figure" and not all(c in rest for c in seen):
                yield f"reads out `{node.said}` where `{_text(node, said=False)}` is seen"
        texts = [node.said] if node.said is not None else [kid.text for kid in node.kids if isinstance(kid, Piece) and not kid.widget]
        for text in texts:
            for sign in sorted({c for c in text if _is_sign(c, icons)}):
                yield f"the sign U+{ord(sign):04X} `{sign}` is not spoken: `{text[:40]}`"


def _is_sign(character: str, icons: Collection[str]) -> bool:
    if character in icons:
        return True
    if character in READ_AS_THEY_ARE:
        return False
    return unicodedata.category(character) in ("So", "Co", "Sm", "Sk", "Cn") or character in "\ufffc\ufffd"


def _out_of_order(tree: Node) -> Iterator[str]:
    """What is read after something that it stands above, or to the left of; but a heading may be read before what stands in its margin."""
    pages: dict[int, list[tuple[Piece, bool]]] = {}
    for piece, heads in _pieces_of(tree, heads=False):
        if piece.widget or piece.text.strip():
            pages.setdefault(piece.page, []).append((piece, heads))
    for page, shown in pages.items():
        for index, (before, heads) in enumerate(shown):
            rest = shown[index + 1 :]
            after = next((one for one, other in rest if _comes_before(one.box, before.box, beside=other or not heads)), None)
            if after is not None:
                yield f"page {page + 1}: `{before.text[:40]}` is read before `{after.text[:40]}`"


def _pieces_of(node: Node, *, heads: bool) -> Iterator[tuple[Piece, bool]]:
    """What is shown, in order, and whether it is of a heading."""
    for kid in node.kids:
        if isinstance(kid, Node):
            yield from _pieces_of(kid, heads=heads or kid.tag in HEADINGS)
        else:
            yield kid, heads


def _comes_before(one: Box, other: Box, *, beside: bool) -> bool:
    """Whether an eye comes by one box before the other: it stands over it or, where that counts, before it in a line."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    along = min(one[3], other[3]) - max(one[1], other[1])
    if across > NEAR:
        return one[1] >= other[3] - NEAR
    return beside and along > NEAR and along > 0.5 * min(one[3] - one[1], other[3] - other[1]) and one[2] <= other[0] + NEAR


def _headings(nodes: list[tuple[Node, tuple[Node, ...]]], outline: list[tuple[int, str]]) -> Iterator[str]:
    found = [(int(node.tag[1]), " ".join(_text(node).split())) for node, _ in nodes if node.tag in HEADINGS]
    if not found or found[0][0] != 1:
        yield "the first heading is no H1"
    for (above, first), (below, second) in pairwise(found):
        if below > above + 1:
            yield f"from H{above} `{first}` to H{below} `{second}`"
    rest = list(found)
    for _, title in outline:
        at = next((n for n, (_, text) in enumerate(rest) if signs(text).casefold() == signs(title).casefold()), None)
        if at is None:
            yield f"the outline has `{title}` where no heading is"
            continue
        yield from (f"the outline has no `{text}`" for _, text in rest[:at] if not _is_small(text, found))
        rest = rest[at + 1 :]
    yield from (f"the outline has no `{text}`" for _, text in rest if not _is_small(text, found))
    tops = min((level for level, _ in outline), default=1)
    if tops != 1:
        yield "the outline begins below its top"


def _is_small(text: str, found: list[tuple[int, str]]) -> bool:
    """The title of the whole, and the letters of an index: headings, and no places to go to."""
    return len(text) == 1 or text == found[0][1]

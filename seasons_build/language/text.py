"""The small text of cards: Markdown, icons as `:name:`, values as `{expression}`, links as `[[kind/id]]`.

In: a text as typed. Out: its pieces with their offsets (`scan`), or HTML (`to_html`). Everything that is not one of the few marks is
text and comes out escaped; HTML typed into content is shown, never obeyed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Literal, TypeAlias

from seasons_build.core.named import NamedTuple
from seasons_build.core.regex import regex

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

What: TypeAlias = Literal["text", "icon", "value", "link"]

MARK = regex(
    r"\\(?P<escaped>[\\:{\[])"
    r"|\{(?P<value>[^{}]*)\}"
    r"|\[\[(?P<link>[^\[\]]+)\]\]"
    r"|(?<![\w:]):(?P<icon>[a-z][a-z0-9_-]*):(?![\w:])"
)
DICE = regex(r"(?<!\w)\d+d\d+(?:\s?[+−]\s?\d+)?(?!\w)")
OPEN, CLOSE, ICON = "\ue000", "\ue001", "\ue002"
"""Private characters that stand for a piece while Markdown is read; text that has them is refused before it comes here."""
HELD = regex(f"{OPEN}(\\d+){CLOSE}")
PLAIN = regex(r"(?!\s|[-+]|\d+[.)])[^\n\r\t\x00\\*_]+(?<!\s)\Z")
"""One line in which nothing is a mark of Markdown: it begins no list, and has no emphasis and no escape."""
TIE_BEFORE = regex(f"(?<=\\d) (?={ICON})")
TIE_AFTER = regex(f"(?<={ICON}) (?=\\w)")
TIE_COUNT = regex(r"(?<=\d) (?=[^\W\d])")


class Piece(NamedTuple):
    """A stretch of a text: what it is, what stands between its marks, and its offsets with the marks."""

    what: What
    text: str
    start: int
    end: int


@cache
def scan(text: str) -> tuple[Piece, ...]:
    """The pieces of a text, in order and without gaps."""
    pieces: list[Piece] = []
    at = 0
    for found in MARK.finditer(text):
        if found.start() > at:
            pieces.append(Piece("text", text[at : found.start()], at, found.start()))
        what = str(found.lastgroup)
        inner = str(found[what])
        kind: What = "value" if what == "value" else "link" if what == "link" else "icon" if what == "icon" else "text"
        pieces.append(Piece(kind, inner, found.start(), found.end()))
        at = found.end()
    if at < len(text):
        pieces.append(Piece("text", text[at:], at, len(text)))
    return tuple(pieces)


def fill(text: str, value: Callable[[str], str]) -> str:
    """The text with every `{expression}` replaced by what `value` gives for it; icons and links stay as typed."""
    return "".join(value(p.text) if p.what == "value" else text[p.start : p.end] for p in scan(text))


def anchor(address: str, words: str, class_name: str = "") -> str:
    """A link as markup; words alone where it leads nowhere."""
    named = f'class="{class_name}" ' if class_name else ""
    return f'<a {named}href="{escape(address)}">{escape(words)}</a>' if address else escape(words)


def to_html(text: str, icons: Mapping[str, str], link: Callable[[str], str], *, block: bool = True, long: bool = False) -> str:
    """A text without open values as HTML: paragraphs and lists, or one run of words where `block` is false. A `long` text has tables and
    quotes too, and its lines run on.

    `icons` maps names to characters; `link` gives the markup of a `[[link]]`. An icon becomes its bare character, which the
    theme's icon font draws as the next in the stack: the typesetter breaks lines badly where a no-break space meets an element. Dice become
    `<span class="dice nw">1d6</span>`; a number and its icon, an icon and its word stay on one line, and in a text that is not long a
    number and the word that it counts, too.
    """
    held: list[str] = []

    def hold(markup: str) -> str:
        held.append(markup)
        return f"{OPEN}{len(held) - 1}{CLOSE}"

    parts: list[str] = []
    for piece in scan(text):
        if piece.what == "icon":
            parts.append(f"{ICON}{hold(escape(icons[piece.text]))}{ICON}")
        elif piece.what == "link":
            parts.append(hold(link(piece.text)))
        elif piece.text and text[piece.start] == "\\":
            parts.append(hold(escape(piece.text)))
        else:
            parts.append(DICE.sub(lambda m: hold(f'<span class="dice nw">{escape(m[0])}</span>'), piece.text))
    joined = TIE_AFTER.sub("\u00a0", TIE_BEFORE.sub("\u00a0", "".join(parts))).replace(ICON, "")
    if not long:
        joined = TIE_COUNT.sub("\u00a0", joined)
    return HELD.sub(lambda m: held[int(m[1])], _rendered(joined, block=block, long=long))


def _rendered(text: str, *, block: bool, long: bool) -> str:
    """Markdown as HTML. Most texts of cards are lines without a mark of it, each a paragraph, which need no reader."""
    lines = text.split("\n\n") if block else [text]
    if not long and all(map(PLAIN.match, lines)):
        bare = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
        return "<p>" + bare.replace("\n\n", "</p>\n<p>") + "</p>" if block else bare
    markdown = _long_markdown() if long else _markdown()
    rendered: str = markdown.render(text) if block else markdown.renderInline(text)
    return rendered.strip()


def in_print(text: str) -> str:
    """A text without open values as it is printed: a minus alone, which a trait is named by, is the sign of print, not the hyphen that
    keyboards have."""
    return "\u2212" if text == "-" else text


def plain(text: str, icons: Mapping[str, str], link: Callable[[str], str] = lambda text: text) -> str:
    """A text without open values as bare words: for search, alternative text and proof. `link` gives the words of a `[[link]]`."""
    shown = "".join(icons.get(p.text, "") if p.what == "icon" else link(p.text) if p.what == "link" else p.text for p in scan(text))
    return re.sub(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)", "", shown)


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("zero", {"html": False, "breaks": True}).enable(["emphasis", "list", "newline", "escape"])


@cache
def _long_markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("zero", {"html": False, "breaks": False}).enable(["emphasis", "list", "newline", "escape", "table", "blockquote"])

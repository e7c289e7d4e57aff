"""HTML around and inside a page: the head that only we write, the elements and attributes that a template may use, the text a reader sees.

In goes HTML as a template made it, or the tree that it was read as; out come a whole document, or findings and text. Nothing is cleaned
away: what is not on the list is a fault, and the page is not typeset.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from seasons_build.core.finding import Finding
from seasons_build.core.job import ENTRY_LINK
from seasons_build.core.named import NamedTuple
from seasons_build.core.regex import regex

DEPTH = 100
SPAN = 100
"""The most columns or rows that a cell of a table may span."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ELEMENTS = _set(
    "a abbr article aside b bdi blockquote br caption cite code col colgroup dd del dfn div dl dt em figcaption figure footer h1 h2 h3 h4"
    " h5 h6 header hr i img input ins kbd label li main mark nav ol optgroup option p pre q s samp section select small span strong sub sup"
    " table tbody td textarea tfoot th thead time tr u ul var wbr"
)
_FRAME = {"html": "", "head": "html", "body": "html", "title": "head", "meta": "head"}
"""The elements that we write, and what each stands in."""

_UNSEEN = _set("head textarea select")
_LEADS_OUT = _set("action background data formaction poster profile srcset xlink:href")
_SPANS = _set("colspan rowspan span")
_WHOLE = regex(r"\s*<(?:!doctype|html)\b", re.IGNORECASE)
_LINK = regex(r"(?:https?://|mailto:|#)\S", re.IGNORECASE)
_ADDRESS = regex(r"url\s*\(|\\|@import|image-set|src\s*\(", re.IGNORECASE)

_TAG = regex(r"</?([A-Za-z][A-Za-z0-9]*)[^<>]*>")
_ID = regex(r"""\bid=["']([^"'<>]*)["']""")
_ENTRY_LINK = regex(rf'<a class="{ENTRY_LINK}" href="#([^"<>]*)">([^<]*)</a>')
_INLINE = _set("a abbr b bdi cite code del dfn em i ins kbd mark q s samp small span strong sub sup u var")
_DROPPED = ((0, 0x1F), (0x7F, 0x9F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F), (0xE000, 0xF8FF))
_DROPPED_TOO = frozenset("\xad\ufeff\ufffe\uffff-\u2010\u2011")

Same: TypeAlias = Mapping[int, int]
"""Characters that fonts of a theme draw with one glyph, as `str.translate` takes them: a page cannot tell them apart."""


class Source(NamedTuple):
    """What a page was made from. `text` is what a reader should see of it; `hidden` are the elements that are decoration or hold what is
    filled in, by their identity in the tree that was read."""

    text: str
    hidden: frozenset[int]
    findings: tuple[Finding, ...]

    @property
    def refused(self) -> bool:
        """Whether something in it may not reach the typesetter."""
        return any(finding.code in ("E614", "E617") for finding in self.findings)

    def words(self) -> frozenset[str]:
        """The words that a reader should see."""
        return frozenset(self.text.split())


def whole(body: str, *, title: str, lang: str, classes: str, authors: str = "") -> str:
    """A document around what stands in its body; one that is whole already stays as it is."""
    if _WHOLE.match(body):
        return body
    author = f'<meta name="author" content="{html.escape(authors)}">' if authors else ""
    return (
        f'<!doctype html><html lang="{html.escape(lang)}"><head><meta charset="utf-8"><title>{html.escape(title)}</title>{author}</head>'
        f'<body class="{html.escape(classes)}">{body}</body></html>'
    )


def without_dead_ends(text: str, elsewhere: Collection[str] = ()) -> str:
    """A page on which links to entries that stand neither there nor `elsewhere` are words alone."""
    if ENTRY_LINK not in text:
        return text
    there = frozenset((*elsewhere, *(html.unescape(name) for name in _ID.findall(text))))
    return _ENTRY_LINK.sub(lambda link: link[0] if html.unescape(link[1]) in there else link[2], text)


def inspect(root: Element, template: str, images: Collection[str], *, alt: bool) -> Source:
    """The text and the faults of a page. `template` is named where the fault is in what was drawn, `alt` asks for words on pictures."""
    text: list[str] = []
    hidden: set[int] = set()
    findings: dict[Finding, None] = {}
    waiting: list[str | tuple[Element, bool, int, str]] = [(root, False, 0, "")]
    while waiting:
        step = waiting.pop()
        if isinstance(step, str):
            text.append(step)
            continue
        element, unseen, depth, parent = step
        if not isinstance(element.tag, str):
            continue
        findings.update(dict.fromkeys(_faults(element, template, images, depth, parent, alt)))
        if element.get("aria-hidden") == "true" or element.get("hidden") is not None:
            unseen = True
        unseen = unseen or element.tag in _UNSEEN
        if unseen:
            hidden.add(id(element))
        if depth > DEPTH:
            break
        for child in reversed(element):
            if child.tail and not unseen:
                waiting.append(child.tail)
            waiting.append((child, unseen, depth + 1, element.tag))
        if element.text and not unseen:
            text.append(element.text)
        if element.tag == "br":
            text.append(" ")
    return Source("".join(text), frozenset(hidden), tuple(findings))


def too_deep(tag: str) -> Finding:
    """What is said of an element that stands inside too many others."""
    return Finding("E614", text=tag, detail=f"elements inside more than {DEPTH} others, here")


def _faults(element: Element, template: str, images: Collection[str], depth: int, parent: str, alt: bool) -> Iterator[Finding]:
    tag = element.tag.rpartition("}")[2]
    if tag not in ELEMENTS and _FRAME.get(tag) != parent:
        yield Finding("E614", text=tag, file=template, detail="the element")
    if depth > DEPTH:
        yield replace(too_deep(tag), file=template)
    for name, value in element.items():
        name = name.lower()
        if name.startswith("on") or name in _LEADS_OUT or (name == "rel" and "attachment" in value.lower()):
            yield Finding("E614", text=name, file=template, detail="the attribute")
        elif name == "style" and _ADDRESS.search(value):
            yield Finding("E614", text=value, file=template, detail="an address in a style")
        elif name in _SPANS and not (value.isdecimal() and int(value[:9]) <= SPAN):
            yield Finding("E614", text=f"{name}={value}", file=template, detail=f"a cell that spans more than {SPAN}, as in")
        elif name == "href" and not _LINK.match(value):
            yield Finding("E615", text=value)
        elif name == "src" and not (value.startswith("images/") and unquote(value).removeprefix("images/") in images):
            choices = tuple(f"images/{image}" for image in sorted(images))
            yield Finding("E617", text=value, file=template, choices=choices)
    if tag == "img" and alt and element.get("alt") is None:
        yield Finding("W623", text=element.get("src") or "", file=template)


def words(text: str) -> list[str]:
    """The words of a field's text, markup dropped, in order."""
    if "<" in text or "&" in text:
        text = html.unescape(_TAG.sub(lambda tag: "" if tag[1].lower() in _INLINE else " ", text))
    return text.split()


def bare(text: str, same: Same) -> str:
    """A text as the proof compares it: without blanks, hyphens, case, invisible characters and private use, and with one character for
    all that a font draws alike."""
    return unicodedata.normalize("NFKC", text).translate(same).translate(_bared).casefold()


class _Bared(dict[int, int | None]):
    """Characters as they are compared: None for those that are not."""

    def __missing__(self, code: int) -> int | None:
        character = chr(code)
        dropped = character.isspace() or character in _DROPPED_TOO or any(first <= code <= last for first, last in _DROPPED)
        self[code] = None if dropped else code
        return self[code]


_bared = _Bared()


def classes_of(*names: Any) -> str:
    """Class names, as an attribute has them."""
    return " ".join(str(name) for name in names if name)

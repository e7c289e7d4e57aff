"""Page numbers that a part of a book asks for, and the places that it leads to.

In goes HTML in which empty elements ask for pages: `data-page="ID"` for that of a place, `data-pages="ID ID"` for those of all places, each
once, as links, and with `data-main="ID"` those among them where the thing itself stands. Out comes the same HTML with the numbers in it.
CSS could print the first kind alone, and cannot leave out a number that it has printed already; and it knows nothing of other parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape
from typing import Any

from seasons_build.core.regex import regex

ASKS = regex(
    r'<(?P<tag>\w+)(?P<before>[^<>]*?) data-(?P<what>pages?)="(?P<ids>[^"]*)"(?: data-main="(?P<main>[^"]*)")?(?P<after>[^<>]*)></(?P=tag)>'
)
_HREF = regex(r'<a\b[^<>]*? href="#([^"]+)"')
UNKNOWN = "00"
"""What stands for a number before it is known: as wide as most."""


def asked(html: str) -> tuple[str, ...]:
    """The places whose pages are asked for, each once."""
    found = (name for ask in ASKS.finditer(html) for name in _names(ask))
    return tuple(dict.fromkeys(found))


def led_to(html: str) -> tuple[str, ...]:
    """The places that links lead to, each once."""
    return tuple(dict.fromkeys(unescape(link[1]) for link in _HREF.finditer(html)))


def lost(html: str, pages: Mapping[str, int]) -> tuple[str, ...]:
    """The places whose page is asked for, and that are on none; lines of the index leave such out."""
    found = (name for ask in ASKS.finditer(html) if ask["what"] == "page" for name in _names(ask))
    return tuple(name for name in dict.fromkeys(found) if name not in pages)


def numbered(html: str, pages: Mapping[str, int] | None) -> str:
    """The HTML with the numbers of pages, or with what stands for them while they are not known (None); a place on none is left out."""

    def number(found: re.Match[str]) -> str:
        ids, main = unescape(found["ids"]).split(), unescape(found["main"] or "").split()
        if pages is None:
            said = UNKNOWN
        elif found["what"] == "pages":
            said = _listed(ids, main, pages)
        else:
            said = str(pages.get(" ".join(ids), ""))
        return f"<{found['tag']}{found['before']}{found['after']}>{said}</{found['tag']}>"

    return ASKS.sub(number, html)


def pages_of(document: Any) -> dict[str, int]:
    """The page of each place of a part, from 0."""
    found: dict[str, int] = {}
    for number, page in enumerate(document.pages):
        for name in page.anchors:
            found.setdefault(name, number)
    return found


def _names(ask: re.Match[str]) -> list[str]:
    if ask["what"] == "page":
        return [" ".join(unescape(ask["ids"]).split())]
    return unescape(f"{ask['ids']} {ask['main'] or ''}").split()


def _listed(ids: list[str], main: list[str], pages: Mapping[str, int]) -> str:
    """The pages of a line of the index: each once, in order, those of the thing itself strong."""
    own = {pages[name] for name in main if name in pages}
    first: dict[int, str] = {}
    for name in (*main, *ids):
        if name in pages:
            first.setdefault(pages[name], name)
    links = ((page, f'<a href="#{escape(name)}">{page}</a>') for page, name in sorted(first.items()))
    return ", ".join(f"<b>{link}</b>" if page in own else link for page, link in links)

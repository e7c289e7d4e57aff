"""The pages of a site: the list with its search, a page for each entry, a page of odds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape, unescape
from pathlib import Path

from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex
from seasons_build.core.spoken import spoken

STYLE, SCRIPT = "site.css", "site.js"
LIST, ODDS = "index.html", "odds.html"
_HERE = Path(__file__).parent
_TAG = regex(r"<[^>]*>")
_PLACE = regex(r'href="#([a-z0-9-]+)/([a-z0-9-]+)"')
_LONGEST = 600
"""The most characters of an entry that are searched."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something that is said of an entry: a title and a text, each plain or, where `markup` says so, markup of the compiler's."""

    title: str
    text: str
    markup: bool = False
    role: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number of an entry and what it is called."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Link:
    """Another entry that an entry names, or that names it."""

    name: str
    kind: str
    page: str


@dataclass(frozen=True, slots=True)
class Item:
    """An entry. `page` is the name of its file; `icons` are the signs in its texts and what they are called."""

    page: str
    id: str
    name: str
    kind: str
    pack: str
    told: tuple[Told, ...] = ()
    numbers: tuple[Number, ...] = ()
    names: tuple[Link, ...] = ()
    named_by: tuple[Link, ...] = ()
    icons: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Chance:
    """The odds of one case: what was given, and the chance of each outcome in per cent."""

    given: str
    outcomes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll: its name, the pack that declares it, what it takes, cases of it."""

    name: str
    pack: str
    takes: tuple[str, ...]
    chances: tuple[Chance, ...]


@dataclass(frozen=True, slots=True)
class Library:
    """All that a site shows."""

    title: str
    packs: tuple[tuple[str, str], ...]
    items: tuple[Item, ...]
    rolls: tuple[Roll, ...]


def site(library: Library) -> Iterator[tuple[str, str]]:
    """The files of a site: names and texts."""
    yield LIST, _page(library, library.title, _list(library), "", script=True)
    for item in library.items:
        depth = "../" * item.page.count("/")
        yield item.page, _page(library, item.name, _item(item, depth), depth)
    if library.rolls:
        yield ODDS, _page(library, "Odds", _odds(library.rolls), "")
    for name in (STYLE, SCRIPT):
        yield name, (_HERE / name).read_text("utf-8")


def _page(library: Library, title: str, body: str, depth: str, *, script: bool = False) -> str:
    odds = f'<a href="{depth}{ODDS}">Odds</a>' if library.rolls else ""
    head = title if title == library.title else f"{title} · {library.title}"
    packs = ", ".join(escape(f"{name} {version}") for name, version in library.packs)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self' file:; script-src 'self' file:\">"
        f'<title>{escape(head)}</title><link rel="stylesheet" href="{depth}{STYLE}">'
        f'{f"""<script src="{depth}{SCRIPT}" defer></script>""" if script else ""}</head>\n'
        f'<body><header><a class="home" href="{depth}{LIST}">{escape(library.title)}</a>{odds}</header>\n'
        f"<main>\n{body}</main>\n<footer>{packs}</footer></body></html>\n"
    )


def _list(library: Library) -> str:
    kinds = dict.fromkeys(item.kind for item in library.items)
    options = "".join(f'<option value="{escape(kind)}">{escape(kind)}</option>' for kind in sorted(kinds))
    rows = "".join(_row(item, whose=len(library.packs) > 1) for item in library.items)
    return (
        f"<h1>{escape(library.title)}</h1>\n"
        '<form class="find" role="search"><label>Search <input id="words" type="search" autocomplete="off"></label>'
        f'<label>Kind <select id="kind"><option value="">all</option>{options}</select></label></form>\n'
        f'<p id="count" role="status">{len(library.items)} entries</p>\n<ul class="list" id="list">\n{rows}</ul>\n'
    )


def _row(item: Item, *, whose: bool) -> str:
    """An entry in the list; `whose` where packs stand beside each other."""
    what = f"{item.kind} · {item.pack}" if whose else item.kind
    words = " ".join((item.name, item.kind, item.id, *(_plain(told.text, told, item) for told in item.told)))[:_LONGEST].casefold()
    return (
        f'<li data-kind="{escape(item.kind)}" data-words="{escape(words)}"><a href="{escape(item.page)}">{escape(item.name)}</a> '
        f"<span>{escape(what)}</span></li>\n"
    )


def _item(item: Item, depth: str) -> str:
    parts = [f'<article class="entry"><p class="kind">{escape(item.kind)}</p><h1>{escape(item.name)}</h1>\n']
    if item.numbers:
        numbers = "".join(f"<div><dt>{escape(n.name)}</dt><dd>{escape(n.value)}</dd></div>" for n in item.numbers)
        parts.append(f'<dl class="numbers">{numbers}</dl>\n')
    short = [told for told in item.told if not told.markup and told.title]
    if short:
        facts = "".join(f"<div><dt>{escape(t.title)}</dt><dd>{escape(spoken(t.text, item.icons or {}))}</dd></div>" for t in short)
        parts.append(f'<dl class="facts">{facts}</dl>\n')
    parts += [_told(told, item, depth) for told in item.told if told not in short]
    parts.append(f'<p class="id">{escape(item.pack)} · {escape(item.id)}</p></article>\n')
    parts += [_links(title, links, depth) for title, links in (("Names", item.names), ("Named by", item.named_by)) if links]
    return "".join(parts)


def _told(told: Told, item: Item, depth: str) -> str:
    text = _markup(told.text, item, depth) if told.markup else f"<p>{escape(spoken(told.text, item.icons or {}))}</p>"
    title = f"<h2>{_markup(told.title, item, depth)}</h2>" if told.title else ""
    return f'<section class="{escape(told.role)}">{title}{text}</section>\n'


def _links(title: str, links: Sequence[Link], depth: str) -> str:
    rows = "".join(f'<li><a href="{depth}{escape(n.page)}">{escape(n.name)}</a> <span>{escape(n.kind)}</span></li>' for n in links)
    return f'<nav aria-label="{title}"><h2>{title}</h2><ul class="list">{rows}</ul></nav>\n'


def _markup(text: str, item: Item, depth: str) -> str:
    """Markup with links that lead to pages, and names for icons; a link that leads to no page stays a word."""
    pages = {link.page: link for link in (*item.names, *item.named_by)}

    def page(found: re.Match[str]) -> str:
        wanted = f"/{found[1]}/{found[2]}.html"
        there = next((name for name in pages if name.endswith(wanted)), None)
        return f'href="{depth}{there}"' if there else ""

    parts = re.split(f"({_TAG.pattern})", _PLACE.sub(page, text))
    return "".join(part if part.startswith("<") else _said(part, item.icons or {}) for part in parts)


def _said(text: str, icons: Mapping[str, str]) -> str:
    """A text between tags, whose blanks at its ends part words."""
    if not any(icon in text for icon in icons):
        return text
    named = escape(spoken(unescape(text), icons), quote=False)
    return f"{' ' * text[:1].isspace()}{named}{' ' * text[-1:].isspace()}"


def _plain(text: str, told: Told, item: Item) -> str:
    bare = unescape(_TAG.sub(" ", text)) if told.markup else text
    return spoken(bare, item.icons or {})


def _odds(rolls: Iterable[Roll]) -> str:
    parts = ["<h1>Odds</h1>\n<p>Exact chances in per cent, counted, never simulated, for the cases that the game itself gives.</p>\n"]
    for roll in rolls:
        takes = f"<p>Takes {escape(', '.join(roll.takes))}.</p>" if roll.takes else ""
        rows = "".join(_chance(chance) for chance in roll.chances)
        table = f"<table><thead><tr><th>Given</th><th>Chances</th></tr></thead><tbody>{rows}</tbody></table>" if rows else ""
        parts.append(f'<section id="{escape(roll.pack)}-{escape(roll.name)}"><h2>{escape(roll.name)}</h2>{takes}{table}</section>\n')
    return "".join(parts)


def _chance(chance: Chance) -> str:
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in chance.outcomes)
    return f'<tr><td>{escape(chance.given or "nothing")}</td><td><dl class="chances">{cells}</dl></td></tr>'

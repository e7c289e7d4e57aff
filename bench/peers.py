"""What the other tools are given: the frozen faces, N of them, one a page, as HTML for a browser and as data for Typst.

The faces are those of bench/peers (bench/freeze.py makes them). Beyond the first round of them each has another name, other dice and
another id, so that no two pages are the same. The same number gives the same bytes. As a program this file prints the faces with WeasyPrint
alone, one document each, and does nothing else: what typesetting costs before anything is fitted or proved.
"""

from __future__ import annotations

import gc
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "bench" / "peers"
FONTS = ROOT / "templates" / "fonts"
TRIM = (63, 88)
BLEED = 3
PAGE = (TRIM[0] + 2 * BLEED, TRIM[1] + 2 * BLEED)

_TITLE = re.compile(r'(<span id="in:name">)([^<]*)')
_FOOT = re.compile(r'(<span class="r">)([a-z0-9-]+)(</span></div> ?</div>)')
_HUE = re.compile(r'\.h-([a-z]+)\{--hue:(#\w+);--tint:(#\w+);--ghost:(#\w+);--soft:(#\w+);--mark:"\\(\w+)"')
_DIE = re.compile(r"\b(\d)d(4|6|8|10|12)\b")
_DICE = (4, 6, 8, 10, 12)


def faces(count: int) -> Iterator[str]:
    """So many faces, as HTML sections."""
    known = (PEERS / "faces.html").read_text(encoding="utf-8").splitlines()
    names = [match[2] for face in known if (match := _TITLE.search(face))]
    for number in range(count):
        again, place = divmod(number, len(known))
        yield known[place] if not again else _other(known[place], names, place, again)


def _other(face: str, names: list[str], place: int, again: int) -> str:
    """A face like this one, with another name, other dice and another id."""
    first, last = names[(place + again) % len(names)].split()[0], names[(place * 3 + again * 5) % len(names)].split()[-1]
    face = _TITLE.sub(lambda match: f"{match[1]}{first} {last}", face)
    face = _FOOT.sub(lambda match: f"{match[1]}{match[2]}-{again:03}{match[3]}", face)
    return _DIE.sub(lambda match: f"{match[1]}d{_DICE[(_DICE.index(int(match[2])) + again) % len(_DICE)]}", face)


def style() -> str:
    """The style sheets of the cards, with the fonts where they are."""
    return (PEERS / "card.css").read_text(encoding="utf-8").replace("url(fonts/", f"url({FONTS.as_uri()}/")


def browser_page(folder: Path, count: int) -> Path:
    """One HTML file with so many faces, each on a page as large as the cut and the bleed around it."""
    width, height = PAGE
    own = (
        f"@page{{size:{width}mm {height}mm;margin:0}}"
        f".sheet{{position:relative;width:{width}mm;height:{height}mm;overflow:hidden;break-after:page}}.sheet:last-child{{break-after:auto}}"
        f".face{{position:absolute;left:{BLEED}mm;top:{BLEED}mm;width:{TRIM[0]}mm;height:{TRIM[1]}mm}}"
    )
    body = "".join(f'<div class="sheet">{face}</div>\n' for face in faces(count))
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Cards</title><style>{style()}{own}</style>'
    file = folder / f"faces-{count}.html"
    file.write_text(head + body, encoding="utf-8")
    return file


def typst_files(folder: Path, count: int) -> Path:
    """The template and the faces as data, in one folder; gives the file to compile."""
    hues = {name: [*colours, chr(int(mark, 16))] for name, *colours, mark in _HUE.findall(style())}
    data = [_data(face, hues) for face in faces(count)]
    (folder / "faces.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    file = folder / "cards.typ"
    file.write_bytes((PEERS / "cards.typ").read_bytes())
    return file


# Faces as data, for a tool that reads no HTML


class _Node:
    """An element of a face."""

    def __init__(self, tag: str, names: list[str]) -> None:
        self.tag = tag
        self.names = names
        self.inner: list[_Node | str] = []

    def all(self, name: str) -> list[_Node]:
        """The outermost elements of a class inside this one, in order."""
        found: list[_Node] = []
        for child in self.inner:
            if isinstance(child, _Node):
                found += [child] if name in child.names else child.all(name)
        return found

    def runs(self, *, without: tuple[str, ...] = (), mode: str = "") -> list[list[str]]:
        """Its text as stretches of one kind: plain, an icon, dice, bold, small."""
        made: list[list[str]] = []
        for child in self.inner:
            if isinstance(child, str):
                made.append([mode, child])
            elif not set(child.names) & set(without):
                own = next((name for name in ("i", "dice") if name in child.names), child.tag if child.tag in ("b", "small") else mode)
                made += child.runs(without=without, mode=own) if child.tag != "br" else [[mode, "\n"]]
        return [run for run in made if run[1]]


class _Reader(HTMLParser):
    """Reads one face."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = _Node("", [])
        self._open = [self.root]
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opens an element; a line break holds nothing."""
        node = _Node(tag, str(dict(attrs).get("class") or "").split())
        self._open[-1].inner.append(node)
        if tag != "br":
            self._open.append(node)

    def handle_endtag(self, tag: str) -> None:
        """Closes it."""
        self._open.pop()

    def handle_data(self, data: str) -> None:
        """Keeps the text."""
        self._open[-1].inner.append(data)


def _data(face: str, hues: dict[str, list[str]]) -> dict[str, Any]:
    root = _Reader(face).root
    card = next(child for child in root.all("face")[0].inner if isinstance(child, _Node))
    hue = next(name[2:] for name in card.names if name.startswith("h-"))
    cells = {name: [[part.runs() for part in cell.inner if isinstance(part, _Node)] for cell in card.all(name)] for name in ("c", "hc")}
    return {
        "foe": "foe" in card.names,
        "hue": hues[hue],
        "fit": next(name for name in root.all("face")[0].names if name.startswith("fit-")),
        "roomy": "roomy" in root.all("face")[0].names,
        "title": card.all("title")[0].runs(),
        "badge": [part.runs() for part in (*card.all("n"), *card.all("pn"))],
        "band": [part.runs() for part in card.all("bandword")],
        "strip": [[part.runs(without=("r",)), part.all("r")[0].runs()] for part in card.all("gstrip")],
        "cells": cells["c"],
        "scores": [part.runs() for part in card.all("at")],
        "points": cells["hc"],
        "lives": [part.runs() for part in card.all("lives")],
        "kit": [part.runs() for part in card.all("eq")],
        "riders": [[part.all("s")[0].runs(), part.all("txt")[0].runs()] for part in card.all("rid")],
        "actions": [_action(part) for part in card.all("acts")[0].inner if isinstance(part, _Node)] if card.all("acts") else [],
        "flavor": [part.runs() for part in card.all("flav")],
        "foot": [[part.runs(without=("r",)), part.all("r")[0].runs()] for part in card.all("foot")],
    }


def _action(part: _Node) -> dict[str, Any]:
    if "act" not in part.names:
        return {"trait": part.runs()}
    head = part.all("hd")[0]
    return {
        "chip": head.all("chip")[0].runs(),
        "name": head.runs(without=("chip", "tags")),
        "tags": [tags.runs() for tags in head.all("tags")],
        "trigger": [said.runs() for said in part.all("trig")],
        "terms": [said.runs() for said in part.all("terms")],
        "text": [said.runs() for said in part.all("txt")],
    }


def main(count: int) -> None:
    """Prints so many faces with WeasyPrint, each as a document of its own, with style sheets and fonts read once, the collector tuned and
    the fonts of the machine out of sight, as in a build."""
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as config:
        config.write('<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig></fontconfig>')
        config.flush()
        os.environ["FONTCONFIG_FILE"] = config.name
        _print(count)


def _print(count: int) -> None:
    from weasyprint import CSS, HTML
    from weasyprint.css.counters import CounterStyle
    from weasyprint.text.fonts import FontConfiguration

    gc.freeze()
    gc.set_threshold(50_000, 50, 50)
    fonts, counters, pictures = FontConfiguration(), CounterStyle(), dict[str, Any]()
    own = f"@page{{size:{TRIM[0]}mm {TRIM[1]}mm;margin:0;bleed:{BLEED}mm}}"
    sheet = CSS(string=style() + own, font_config=fonts, counter_style=counters)
    for face in faces(count):
        _, names, body = face.split('"', 2)
        text = f'<!doctype html><html lang="en"><body class="{names}">{body.partition(">")[2].removesuffix("</section>")}</body></html>'
        document = HTML(string=text).render(stylesheets=[sheet], font_config=fonts, counter_style=counters, cache=pictures)
        document.write_pdf(uncompressed_pdf=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))

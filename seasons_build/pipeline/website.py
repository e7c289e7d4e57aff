"""The library of a project as a site in a folder.

In: a project, the packs that are meant, a folder. Out: what was written. Raises `OutputRefused` where the folder is none to write into.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from seasons_build.compose import Viewer
from seasons_build.core.entry import Entry, Key
from seasons_build.language.dice import Odds, Refused
from seasons_build.pipeline.odds import parameters, per_cent, rolls_of_packs
from seasons_build.pipeline.read import Project
from seasons_build.publish import Output, OutputRefused, Product, Published
from seasons_build.website import Chance, Item, Library, Link, Number, Roll, Told, site

__all__ = ["OutputRefused", "write_site"]

HTML = "$html"
PRODUCT, CASES, GIVEN, ROLL = "product", "cases", "given", "roll"
STATS = "stats"
MOST_CHANCES = 12
"""How many cases of a roll are shown."""


def write_site(project: Project, packs: tuple[str, ...], out: Path) -> Published:
    """Writes the site of these packs."""
    files = dict(site(_library(project, packs)))
    with Output(out, project.root) as output:
        products = (Product(name, text.encode(), {"product": "site"}) for name, text in sorted(files.items()))
        return output.publish(products, lambda name, about: about.get("product") == "site")


def _library(project: Project, packs: tuple[str, ...]) -> Library:
    library = project.library
    shown = {e.key: e for e in library.entries.values() if e.pack in packs and e.kind != PRODUCT and _can_be_shown(project, e)}
    names: dict[Key, dict[Key, None]] = {key: {t: None for t in library.targets[key].values() if t in shown} for key in shown}
    named_by: dict[Key, dict[Key, None]] = {key: {} for key in shown}
    for key, targets in names.items():
        for target in targets:
            named_by[target][key] = None
    views = {pack: Viewer(library, project.sheets, project.lines, pack, {}) for pack in packs}
    items = [
        _item(project, entry, views[entry.pack], _links(project, names[entry.key]), _links(project, named_by[entry.key]))
        for entry in sorted(shown.values(), key=lambda e: (packs.index(e.pack), _in_a_list(e.name), e.key))
    ]
    titles = tuple((library.packs[pack].title, library.packs[pack].version) for pack in packs)
    return Library(" · ".join(title for title, _ in titles), titles, tuple(items), tuple(_rolls(project, packs)))


def _in_a_list(name: str) -> str:
    """A name as lists are sorted: signs before it do not count."""
    return re.sub(r"^\W+", "", name).casefold()


def _can_be_shown(project: Project, entry: Entry) -> bool:
    sheet = project.sheets.get(entry.key)
    return not entry.broken and sheet is not None and sheet.whole


def _page(key: Key) -> str:
    return "/".join(key) + ".html"


def _links(project: Project, keys: Mapping[Key, None]) -> tuple[Link, ...]:
    library = project.library
    found = [Link(library.entries[key].name, library.kind_of(library.entries[key]).title, _page(key)) for key in keys]
    return tuple(sorted(found, key=lambda link: (link.kind, link.name)))


def _item(project: Project, entry: Entry, viewer: Viewer, names: tuple[Link, ...], named_by: tuple[Link, ...]) -> Item:
    view = viewer.context(entry, {})
    labels = viewer.labels()
    numbers = [
        Number(str(labels[name]["short"]), str(value))
        for name, value in view["stats"].items()
        if name in labels and labels[name]["labelled"] and not isinstance(value, Mapping)
    ]
    counted = {(number.name, number.value) for number in numbers}
    said = (_told(field) for field in view["kind"]["fields"] if field["id"] != STATS)
    told = tuple(one for one in said if not _counted(one, counted))
    return Item(
        page=_page(entry.key),
        id=entry.id,
        name=entry.name,
        kind=project.library.kind_of(entry).title,
        pack=project.library.packs[entry.pack].title,
        told=told,
        numbers=tuple(dict.fromkeys(numbers)),
        names=names,
        named_by=named_by,
        icons=dict(viewer.spoken()),
    )


def _counted(told: Told, numbers: Collection[tuple[str, str]]) -> bool:
    """Whether a field says what stands among the numbers."""
    return not told.markup and (told.title, told.text) in numbers


def _told(field: Mapping[str, Any]) -> Told:
    title, value = field["title"], field["value"]
    said = title[HTML] if isinstance(title, Mapping) else str(title)
    if isinstance(value, Mapping):
        return Told(said, value[HTML], True, field["role"])
    return Told(said, str(value), False, field["role"])


def _rolls(project: Project, packs: tuple[str, ...]) -> Iterator[Roll]:
    for full, roll in rolls_of_packs(project):
        pack = full.partition(":")[0]
        if pack not in packs:
            continue
        takes = tuple(name.replace("_", " ") for name in parameters(roll))
        cases = project.library.rules[pack].get(CASES, {}).values()
        given = [noun.data[GIVEN] for noun in cases if isinstance(noun.data, Mapping) and isinstance(noun.data.get(GIVEN), Mapping)]
        chances: list[Chance] = []
        for one in given:
            if one.get(ROLL) == roll.id and len(chances) < MOST_CHANCES:
                arguments = {str(k): v for k, v in one.items() if k != ROLL}
                if not any(isinstance(v, list | Mapping) for v in arguments.values()):
                    try:
                        chances.append(_chance(arguments, roll.odds(arguments)))
                    except Refused:
                        continue
        yield Roll(roll.id, pack, takes, tuple(dict.fromkeys(chances)))


def _chance(arguments: Mapping[str, Any], odds: Odds) -> Chance:
    given = ", ".join(f"{name.replace('_', ' ')} {_shown(value)}" for name, value in arguments.items())
    return Chance(given, tuple((name.replace("-", " "), f"{per_cent(chance)} %") for name, chance in odds.outcomes.items() if chance))


def _shown(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)

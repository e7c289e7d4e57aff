"""Files, entries, nouns, effects and the lines of a map in any order: the same numbers, and the same findings.

What is an order by meaning stays: ladders, a record, a list of texts, and actions, of which a variant stands behind the one it is like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from renaming import dumped, parsed
from test_renaming import PLACES, files_of, project

from seasons_build.core.sheet import Sheet
from seasons_build.pipeline.read import Project

SEEDS = range(4)
ORDERED = frozenset({"actions", "options", "record", "phrases", "cases", "outcomes", "let", "give", "reads", "say", "rows"})
"""Below these, maps and lists stay as they are typed: what stands there has an order, or is printed in its own."""


@cache
def typed(pack: str) -> Project:
    return project(files_of(pack))


def shuffled(pack: str, seed: int) -> dict[str, bytes]:
    """The files of a pack and of what it requires, with the content of each dealt anew."""
    random = Random(seed)
    files = files_of(pack)
    content = [name for name in files if name.startswith("content/") and name.endswith(".yaml") and not name.endswith("pack.yaml")]
    made = {name: raw for name, raw in files.items() if name not in content}
    for owner in sorted({name.split("/")[1] for name in content}):
        blocks = [block for name in content if name.split("/")[1] == owner for block in pieces(parsed(files[name]), random)]
        random.shuffle(blocks)
        piles: list[dict[str, Any]] = [{} for _ in range(random.randint(3, 12))]
        for way, value in blocks:
            pile = random.choice(piles)
            for step in way[:-1]:
                pile = pile.setdefault(step, {})
            pile[way[-1]] = value
        for number, pile in enumerate(piles):
            if pile:
                made[f"content/{owner}/{random.choice(['', 'a/', 'z/deep/'])}pile-{random.randint(100, 999)}-{number}.yaml"] = dumped(pile)
    return made


def pieces(data: Any, random: Random) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What a file holds, an entry or a noun a piece, each turned over inside."""
    for kind, entries in data.items():
        for id, body in entries.items():
            if kind != "rules":
                yield (kind, id), turned(body, random)
                continue
            for name, noun in body.items():
                yield (kind, id, name), noun if id in ORDERED else turned(noun, random)


def turned(data: Any, random: Random, key: str = "") -> Any:
    """Data with the lines of its maps, and its lists of effects and of things, in another order."""
    if isinstance(data, dict):
        items = [(k, v if k in ORDERED else turned(v, random, k)) for k, v in data.items()]
        random.shuffle(items)
        return dict(items)
    if isinstance(data, list):
        items = [turned(item, random, key) for item in data]
        if key in ("effects", "equipped", "wears", "carries", "of", "groups"):
            random.shuffle(items)
        return items
    return data


def numbers(sheet: Sheet) -> tuple[Any, ...]:
    """What a sheet holds; the rows of a list without their place in it."""
    rows = {name: Counter(str(sorted((k, v) for k, v in row.items() if k != "id")) for row in rows) for name, rows in sheet.rows.items()}
    return dict(sheet.stats), rows, dict(sheet.left), {(o.key, o.state, o.taken) for o in sheet.owned}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("pack", PLACES)
def test_the_numbers_are_the_same(pack: str, seed: int) -> None:
    before, after = typed(pack), project(shuffled(pack, seed))
    assert Counter((d.code, d.message) for d in before.diagnostics) == Counter((d.code, d.message) for d in after.diagnostics)
    assert list(before.sheets) == list(after.sheets)
    for key, sheet in before.sheets.items():
        assert numbers(sheet) == numbers(after.sheets[key]), key


@pytest.mark.parametrize("pack", PLACES)
def test_there_is_another_order(pack: str) -> None:
    """The test turns something over."""
    before, after = files_of(pack), shuffled(pack, 1)
    assert set(before) != set(after)
    order = [list(noun) for noun in (typed(pack).library.rules[pack]["stats"], project(after).library.rules[pack]["stats"])]
    assert sorted(order[0]) == sorted(order[1]) and order[0] != order[1]

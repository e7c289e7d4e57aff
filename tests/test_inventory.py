"""Every card of the source: how many there are of each kind, and where each of its figures stands as a typed value.

`inventory-map.yaml` has for each card what its figures are, and the path of each in what `show --format json` gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from seasons_build.core.entry import Entry
from seasons_build.export import entry_data, listed
from seasons_build.pipeline.read import Project, read_sources
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root

PACK = "frontiers"
CARDS: Mapping[str, Mapping[str, Any]] = yaml.safe_load((Path(__file__).parent / "inventory-map.yaml").read_text(encoding="utf-8"))
COUNTS = {
    "chassis": 8,
    "background": 9,
    "ability": 30,
    "general-ability": 30,
    "protocol": 6,
    "calibration": 6,
    "item": 15,
    "weapon": 14,
    "armor": 10,
    "adversary": 10,
    "skill": 19,
}
PREGENS = 6
FREE = ("chassis/", "background/", "calibration/", "item/", "adversary/")
"""Cards of these kinds have no Demand."""
PROSE = ("say", "rules", "flavor", "leverage", "notes", "name")
"""Fields of words: no figure of a card may stand in one of them alone."""

BESIDE = frozenset({"say", "state", "if", "label", "consume"})
"""What may stand beside words without adding a figure or an effect to them."""

IN_WORDS = [
    "ability/a-voice-on-the-inside",
    "ability/gave-it-a-kick",
    "ability/say-that-again",
    "ability/what-would-it-take",
    "general-ability/what-bites-first",
    "item/belt-roll",
    "item/day-brick",
    "item/hole-putty",
    "item/old-news",
]
"""Cards that tell in words alone what they do."""


@pytest.fixture(scope="module")
def shipped() -> Project:
    return read_sources(Sources(MemoryTree({}), DiskTree(shipped_root())), Path("/nowhere"), (PACK,))


def _entry(project: Project, name: str) -> Entry:
    kind, _, word = name.partition("/")
    return project.library.entries[PACK, kind, word]


def test_every_card_is_there_once() -> None:
    assert len(CARDS) == 132 == len({card["entry"] for card in CARDS.values()})


def test_how_many_there_are(shipped: Project) -> None:
    entries = listed(shipped.library)
    assert {kind: sum(entry.kind == kind for entry in entries) for kind in COUNTS} == COUNTS
    carded = {f"{entry.kind}/{entry.id}" for entry in entries if entry.kind in COUNTS and entry.kind not in ("protocol", "skill")}
    assert carded == {card["entry"] for card in CARDS.values()}
    assert len(shipped.library.rules[PACK]["states"].keys() & {"stowed", "equipped", "active", "removed"}) == 4


def test_a_new_character_for_each_protocol(shipped: Project) -> None:
    new = [entry for entry in listed(shipped.library) if entry.kind == "character" and len(entry.data["record"]) == 1]
    assert len(new) == PREGENS


@pytest.mark.parametrize("card", CARDS)
def test_each_figure_is_a_typed_value(card: str, shipped: Project) -> None:
    entry = _entry(shipped, CARDS[card]["entry"])
    shown = entry_data(shipped.library, shipped.sheets, shipped.lines, entry)
    for path, wanted in _figures(CARDS[card]):
        assert not {*PROSE} & {*path.split(".")}, f"{path} is prose"
        found = _at(shown, path)
        assert (len(found) == wanted["size"]) if isinstance(wanted, dict) else found == wanted, f"{path}: {found}, not {wanted}"


def test_what_has_no_demand(shipped: Project) -> None:
    free = [_entry(shipped, card["entry"]) for card in CARDS.values() if card["entry"].startswith(FREE)]
    assert not [entry.id for entry in free if "demand" in entry.data]


def test_cards_in_words_alone(shipped: Project) -> None:
    alone = sorted(card["entry"] for card in CARDS.values() if _in_words(_entry(shipped, card["entry"]).data))
    assert alone == IN_WORDS
    assert len(alone) <= 25


def _figures(card: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for what, figures in card.items():
        if what != "entry":
            yield from figures.items()


def _at(data: Any, path: str) -> Any:
    for step in path.split("."):
        if isinstance(data, list):
            rows = [row for row in data if isinstance(row, dict) and str(row.get("id")) == step]
            data = rows[0] if rows else data[int(step)]
        else:
            assert step in data, f"nothing at {path}"
            data = data[step]
    return data


def _in_words(data: Mapping[str, Any]) -> bool:
    """Whether all that a card does is said in words."""
    frames = [data, *data.get("actions", {}).values(), *data.get("options", {}).values()]
    if any({"roll", "range", "area", "holds", "options", "steps", "per"} & {*frame} for frame in frames):
        return False
    said = [effect for frame in frames for effect in _list(frame.get("effects"))]
    return bool(said) and all({*effect} <= BESIDE for effect in said)


def _list(effects: Any) -> list[Any]:
    return effects if isinstance(effects, list) else [effects] if effects else []

"""The hard cards of three games: each prints the lines that an editor settled, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from printed_cards import FILES, Card, book, cards, load
from well_formed import faults_of

from seasons_build.core import vocabulary
from seasons_build.language.phrases import flat, gaps

CARDS = cards()
FIRST = [card for card in CARDS if "@" not in card.name]
HAND = ("frontiers", "frontiers-held", "seasons", "d20")


@cache
def expected(file: str) -> Mapping[str, list[str]]:
    return dict(load(f"lines/{file}.yaml"))


def ids(card: Card) -> str:
    return f"{card.file}/{card.name}"


@pytest.mark.parametrize("card", CARDS, ids=ids)
def test_prints_its_lines(card: Card) -> None:
    lines = card.write()
    assert not lines.problems
    assert flat(card.book, card.kind, lines) == expected(card.file)[card.name]


def test_every_expected_line_has_a_card() -> None:
    for file in FILES:
        assert list(expected(file)) == [card.name for card in CARDS if card.file == file]


@pytest.mark.parametrize("card", CARDS, ids=ids)
def test_lines_are_sentences(card: Card) -> None:
    assert not faults_of(card.book, card.write())


@pytest.mark.parametrize("figure", [1, 2, 3])
@pytest.mark.parametrize("card", CARDS, ids=ids)
def test_any_figure_fits_its_sentence(card: Card, figure: int) -> None:
    """Every number of the card is set to the figure: the words agree with it, and it is printed."""
    lines = card.write(with_figures(card.entry, figure))
    assert not [p for p in lines.problems if p.code[0] == "E"]
    assert not faults_of(card.book, lines)


@pytest.mark.parametrize("card", FIRST, ids=ids)
def test_any_one_figure_fits_its_sentence(card: Card) -> None:
    for path in sorted(numbers(card.entry), key=str):
        for figure in (1, 2, 3):
            lines = card.write(with_figures(card.entry, figure, path))
            assert not [p for p in lines.problems if p.code[0] == "E"], path
            assert not faults_of(card.book, lines), path


def test_there_are_enough_of_them() -> None:
    assert len(FIRST) >= 87
    alone = [card.name for card in FIRST if verbs(card.entry) == {"say"}]
    assert len(alone) <= 5, alone


def test_figures_stand_in_no_prose() -> None:
    for card in FIRST:
        assert not any(mark.isdigit() for text in prose(card.entry) for mark in text), card.name


def test_games_lack_no_sentence() -> None:
    for game in set(FILES.values()):
        assert not gaps(book(game))
        assert not book(game).problems


def test_most_lines_are_as_an_editor_wrote_them_before() -> None:
    """`hand/` has the lines that were written before there was a generator; what differs is settled in `lines/`."""
    same = differs = 0
    for file in HAND:
        for id, lines in load(f"hand/{file}.yaml").items():
            card = next(card for card in FIRST if card.file == file and card.name.endswith(f"/{id}"))
            printed = [line for line in flat(card.book, card.kind, card.write()) if not line.startswith("[")]
            same, differs = (same + 1, differs) if printed == lines else (same, differs + 1)
    assert (same, differs) == (71, 6)


def test_a_figure_is_told_with_its_path() -> None:
    card = next(card for card in FIRST if card.name == "general-ability/redline")
    assert [(figure.path, figure.value) for figure in card.write().figures] == [
        (("effects", 0, "set", "ap"), 4),
        (("effects", 1, "after", "encounter", "change", "fatigue"), 2),
    ]


def test_the_same_data_gives_the_same_lines() -> None:
    for card in CARDS[:20]:
        assert card.write() == card.write()


def with_figures(data: Any, figure: int, only: tuple[str | int, ...] | None = None, path: tuple[str | int, ...] = ()) -> Any:
    """The data with every number, or the one at a path, in place of its own; a minus stays."""
    if isinstance(data, Mapping):
        return {key: with_figures(value, figure, only, (*path, key)) for key, value in data.items()}
    if isinstance(data, list):
        return [with_figures(value, figure, only, (*path, at)) for at, value in enumerate(data)]
    if isinstance(data, bool) or not isinstance(data, int) or (only is not None and path != only):
        return data
    return -figure if data < 0 else figure


def numbers(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(data, Mapping | list):
        for key, value in data.items() if isinstance(data, Mapping) else enumerate(data):
            yield from numbers(value, (*path, key))
    elif isinstance(data, int) and not isinstance(data, bool):
        yield path


def verbs(data: Any) -> set[str]:
    if isinstance(data, Mapping):
        own = {key for key in data if key in vocabulary.VERB}
        return own.union(*(verbs(value) for value in data.values()))
    return set().union(*(verbs(value) for value in data)) if isinstance(data, list) else set()


def prose(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key == "say" and isinstance(value, str):
                yield value
            yield from prose(value)
    elif isinstance(data, list):
        for value in data:
            yield from prose(value)

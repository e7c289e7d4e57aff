"""The cards of `language/`: games, cards, what evaluation knows of them, the lines they must print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from seasons_build.language.phrases import Book, Lines, compile_book, write
from seasons_build.load import load as read

HERE = Path(__file__).parent / "language"
FILES = {
    "frontiers": "frontiers",
    "frontiers-held": "frontiers",
    "frontiers-more": "frontiers",
    "seasons": "seasons",
    "seasons-more": "seasons",
    "d20": "d20",
    "d20-more": "d20",
}
"""Each file of cards, and its game."""

OTHER_NAMES = {
    "skill/athletics": "Athletics",
    "skill/mechanics": "Mechanics",
    "skill/streetwise": "Streetwise",
    "hardpoint-pod": "Hardpoint Pod",
}
"""Entries that cards name and that have no card here."""


@dataclass(frozen=True)
class Card:
    """One card. `name` is `kind/id`, with `@word` where it is printed a second time."""

    file: str
    name: str
    kind: str
    entry: Mapping[str, Any]
    given: Mapping[str, Any] = field(default_factory=dict)

    def write(self, entry: Mapping[str, Any] | None = None) -> Lines:
        given = self.given
        settled = {tuple(int(s) if s.isdigit() else s for s in path.split(".")): v for path, v in given.get("settled", {}).items()}
        return write(
            self.book,
            self.kind,
            self.entry if entry is None else entry,
            names=lambda ref: names(FILES[self.file]).get(ref),
            values=given.get("values", {}),
            settled=settled,
            rows=given.get("rows"),
            chosen=given.get("chosen"),
        )

    @property
    def book(self) -> Book:
        return book(FILES[self.file], self.given.get("place", ""))


def load(path: str) -> Any:
    """A file of this folder, by the product's own loader, which finds no fault with it."""
    result = read(path, (HERE / path).read_bytes())
    assert result.value is not None and not result.diagnostics, result.diagnostics
    return result.value.data


@cache
def rules(game: str) -> Any:
    return load(f"games/{game}.yaml")["rules"]


@cache
def book(game: str, place: str = "") -> Book:
    return compile_book(rules(game), place)


@cache
def names(game: str) -> Mapping[str, str]:
    found = dict(OTHER_NAMES)
    for file, own in FILES.items():
        if own == game:
            for kind, entries in load(f"cards/{file}.yaml").items():
                for id, entry in entries.items():
                    found[f"{kind}/{id}"] = found[id] = entry["name"]
    return found


@cache
def cards() -> tuple[Card, ...]:
    return tuple(card for file in FILES for card in _cards(file))


def _cards(file: str) -> Iterator[Card]:
    given = load("given.yaml").get(file, {})
    for kind, entries in load(f"cards/{file}.yaml").items():
        for id, entry in entries.items():
            name = f"{kind}/{id}"
            yield Card(file, name, kind, entry, given.get(name, {}))
            for second in given:
                if second.startswith(f"{name}@"):
                    yield Card(file, second, kind, entry, given[second])

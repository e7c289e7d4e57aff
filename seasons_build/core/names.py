"""Names: what an id may look like, and the nearest one to a misspelt one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from seasons_build.core.regex import regex

ID = regex(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
"""Ids of entries, kinds, packs: kebab-case."""

NAME = regex(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*\Z")
"""Names that expressions read: snake_case."""


def in_expressions(identifier: str) -> str:
    """How an id is written inside an expression: `station-guard` as `station_guard`."""
    return identifier.replace("-", "_")


def slug(name: str) -> str:
    """A folder's name as an id: `Möbius Décks (copy)` as `mobius-decks-copy`; empty where nothing of it can be one."""
    letters = "".join(c for c in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(c))
    return "-".join(re.findall(r"[a-z0-9]+", letters))


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that a misspelt word most likely meant, or None; ties go to the first in the alphabet.

    Distance is Damerau-Levenshtein (a swap of neighbours counts once); more than a third of the word's length is no likeness, and neither
    are two words that begin with different letters, unless one slip made them so.
    """
    best: tuple[int, str] | None = None
    allowed = max(1, len(word) // 3)
    for candidate in sorted(set(candidates)):
        if candidate == word or abs(len(candidate) - len(word)) > allowed:
            continue
        found = _distance(word.lower(), candidate.lower(), allowed)
        if found > 1 and candidate[:1].lower() != word[:1].lower():
            continue
        if found <= allowed and (best is None or found < best[0]):
            best = (found, candidate)
    return best[1] if best else None


def did_you_mean(word: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """The hint for a misspelt word, or one by its initials (`pd` for `physical_defense`): one line, or none where nothing is near."""
    found = nearest(word, listed := list(candidates)) or _initials(word, listed)
    return (f"did you mean `{found}`?",) if found else ()


def _initials(word: str, candidates: Iterable[str]) -> str | None:
    """The one candidate whose words begin with the letters of a word."""
    alike = {name for name in candidates if len(word) > 1 and [part[0] for part in re.findall(r"[^\W_]+", name)] == list(word.lower())}
    return alike.pop() if len(alike) == 1 else None


def meant_or_listed(word: str, candidates: Sequence[str], most: int = 12) -> tuple[str, ...]:
    """The hint for a word that is not there: the one that it was meant to be, else what there is, in the order given."""
    listed = ", ".join(f"`{name}`" for name in candidates[:most])
    return did_you_mean(word, candidates) or (f"one of {listed}" + (" ..." if len(candidates) > most else ""),)


def _distance(a: str, b: str, bound: int) -> int:
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > bound:
            return bound + 1
    return row[-1]

"""Library of the language: the figures of an entry, and what became of them.

In: a use as plain data. Out: where its figures stand (`expected`); which of them no sentence printed, and which one printed twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from seasons_build.core import vocabulary
from seasons_build.core.document import Value
from seasons_build.core.regex import regex
from seasons_build.core.span import Path

_FIGURE = regex(r"-?\d+(?:/\d+)?\Z|.*\b\d+d\d+\b")
_TEXTS = frozenset({"say", "label", "name", "rules", "flavor", "notes", "lead", "tail", "the", "file", "credit", "licence", "as"})
_CONDITION = "when"
_WORDS = frozenset(word.name for word in (*vocabulary.FRAME, *vocabulary.RIDERS, *vocabulary.NESTING))
_TOP = _WORDS | frozenset(vocabulary.VERB) | {"steps", "taken"}
_MAPS = frozenset({"cost", "limit", "time", "trigger"})
"""Words that are the language's only where they hold a map; a kind may have a plain field of the same name."""


def expected(data: Mapping[str, Value], path: Path, hidden: frozenset[str]) -> list[tuple[Path, Value]]:
    """The figures of an action, an option, or a map of effects: all that it holds."""
    found: list[tuple[Path, Value]] = []
    for key, value in data.items():
        if key not in hidden:
            _collect(key, value, (*path, key), found)
    return found


def expected_of_entry(
    data: Mapping[str, Value], hidden: frozenset[str], outcomes: Iterable[str], fields: Iterable[str]
) -> list[tuple[Path, Value]]:
    """The figures of an entry that are rules: those of the language's words, of outcomes, and of fields with a sentence."""
    found: list[tuple[Path, Value]] = []
    known, lines = _TOP | set(outcomes), set(fields)
    for key, value in data.items():
        if key in lines or (key in known and key not in hidden and (key not in _MAPS or isinstance(value, dict))):
            _collect(key, value, (key,), found)
    return found


def twice(printed: Iterable[Path]) -> list[Path]:
    """The figures that one part printed more than once."""
    return [path for path, count in Counter(path for path in printed if path).items() if count > 1]


def figures_in(text: str) -> list[str]:
    """The figures of a text: numbers and dice, in the order they stand, without those in icons and `{values}`."""
    bare = re.sub(r":[a-z][a-z0-9_-]*:|\{[^{}]*\}|\[\[[^\]]*\]\]", " ", text)
    return re.findall(r"\d+d\d+|\d+(?:/\d+)?", bare)


def _collect(key: str, value: Value, path: Path, found: list[tuple[Path, Value]]) -> None:
    if key in _TEXTS:
        return
    if isinstance(value, dict):
        for inner, item in value.items():
            _collect(str(inner), item, (*path, str(inner)), found)
    elif isinstance(value, list):
        for at, item in enumerate(value):
            _collect("", item, (*path, at), found)
    elif _is_figure(key, value):
        found.append((path, value))


def _is_figure(key: str, value: Value) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, int | Fraction):
        return True
    if not isinstance(value, str):
        return False
    return any(mark.isdigit() for mark in value) if key == _CONDITION else bool(_FIGURE.match(value))

"""Changes to a game's rules, one at a time: each number, and each operator of an expression, changed by one.

In: the rules of a pack as they were read, and the schema that says which of their texts are expressions. Out: every change, with the data
of the one noun that it is made in; nothing is read anew for it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path as File

from seasons_build.check.announce import Walk
from seasons_build.core.document import Value
from seasons_build.core.entry import Library, Noun
from seasons_build.core.span import Path
from seasons_build.language.text import scan

CASES = "cases"
SCHEMA = File(__file__).parent.parent / "schemas" / "core" / "rules.json"

UNANNOUNCED: Mapping[str, tuple[str, ...]] = {
    "rolls": ("let", "dice", "keep", "value", "when", "outcomes", "instead"),
    "advances": ("when", "cost", "gives", "from", "to"),
    "quantities": ("value",),
    "situations": ("check",),
}
"""Where expressions stand that no schema announces: the texts below these keys. A ladder's own words are no expressions of more than one
sign, so they are left as they are."""

SAID: Mapping[str, tuple[str, ...]] = {"limits": ("say",), "advances": ("say",), "rows": ("say",)}
"""Texts in which an expression stands between braces."""

SIGNS = re.compile(
    r"""(?P<word>'[^']*') | (?P<dice>(?P<many>\d*)d(?P<faces>\d+)\b) | (?P<number>\d+) | (?P<name>[a-z_][a-z_0-9.]*)
    | (?P<operator><=|>=|==|!=|[-+*/<>])""",
    re.VERBOSE,
)
OTHER = {
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "and": "or",
    "or": "and",
    "not": "",
    "min": "max",
    "max": "min",
    "floor": "ceil",
    "ceil": "floor",
    "trunc": "floor",
}
SIGN_BEFORE = re.compile(r"[-+*/<>=]$|\b(and|or|not|if|else)$")
"""What stands before a sign that is no subtraction."""
KEY = re.compile(r"-?\d+(/\d+)?")
FIGURE = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Change:
    """One change: where it is made, in words, and the noun with its data changed."""

    noun: Noun
    path: Path
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.noun.noun} {self.noun.id} {'.'.join(map(str, self.path))}: {self.was} -> {self.now}"

    @property
    def lot(self) -> int:
        """A number from 0 to 99 that no other change has a part in, so that a sample stays what it is when rules are added."""
        return int.from_bytes(hashlib.sha256(str(self).encode()).digest()[:4]) % 100

    def within(self, library: Library, pack: str) -> Library:
        """The library with this change."""
        rules = dict(library.rules[pack])
        rules[self.noun.noun] = {**rules[self.noun.noun], self.noun.id: self.noun}
        return replace(library, rules={**library.rules, pack: rules})


def changes(library: Library, pack: str) -> Iterator[Change]:
    """Every change to the rules that the pack itself declares, but to its cases."""
    walk = Walk(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for word, nouns in library.rules[pack].items():
        if word == CASES:
            continue
        for noun in nouns.values():
            announced = walk.of({word: {noun.id: noun.data}})
            formulas = frozenset(formula.path[2:] for formula in announced.formulas)
            for path, was, now, data in _changed(noun.data, (), _Texts(word, formulas)):
                yield Change(noun._replace(data=data), path, was, now)


@dataclass(frozen=True, slots=True)
class _Texts:
    """What a text of a noun is: an expression, words with expressions in braces, or words."""

    noun: str
    formulas: frozenset[Path]

    def changed(self, text: str, path: Path) -> Iterator[tuple[str, str, str]]:
        if path in self.formulas or not {*UNANNOUNCED.get(self.noun, ())}.isdisjoint(map(str, path)):
            yield from _expression(text)
            return
        spoken = not {*SAID.get(self.noun, ())}.isdisjoint(map(str, path))
        inner = [piece for piece in scan(text) if piece.what == "value"] if spoken else []
        for piece in inner:
            for was, now, made in _expression(piece.text):
                yield was, now, f"{text[: piece.start]}{{{made}}}{text[piece.end :]}"
        for found in FIGURE.finditer(text):
            if not any(piece.start <= found.start() < piece.end for piece in inner) and "{" not in text[: found.start()].rpartition("}")[2]:
                now = str(int(found[0]) + 1)
                yield found[0], now, f"{text[: found.start()]}{now}{text[found.end() :]}"


def _changed(data: Value, path: Path, texts: _Texts) -> Iterator[tuple[Path, str, str, Value]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            for was, now in _keys(str(key), data):
                yield (*path, key), was, now, {now if k == key else k: v for k, v in data.items()}
            for inner, was, now, made in _changed(value, (*path, key), texts):
                yield inner, was, now, {**data, key: made}
    elif isinstance(data, list):
        for index, value in enumerate(data):
            for inner, was, now, made in _changed(value, (*path, index), texts):
                yield inner, was, now, [*data[:index], made, *data[index + 1 :]]
    elif isinstance(data, str):
        for was, now, made_text in texts.changed(data, path):
            yield path, was, now, made_text
    elif isinstance(data, int | Fraction) and not isinstance(data, bool):
        for by in (1, -1):
            yield path, str(data), str(data + by), data + by


def _keys(key: str, data: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    for by in (1, -1) if KEY.fullmatch(key) else ():
        now = str(Fraction(key) + by)
        if now not in data:
            yield key, now


def _expression(text: str) -> Iterator[tuple[str, str, str]]:
    for found in SIGNS.finditer(text):
        for start, end, now in _signs(found):
            yield text[start:end], now, f"{text[:start]}{now}{text[end:]}"


def _signs(found: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    before = found.string[: found.start()].rstrip()
    if found["operator"] == "-" and (not before or before.endswith(("(", ",")) or SIGN_BEFORE.search(before)):
        yield (*found.span(), "")
        return
    for group in ("many", "faces", "number"):
        if found[group]:
            yield from ((*found.span(group), str(int(found[group]) + by)) for by in (1, -1))
    for group in ("operator", "name"):
        if found[group] in OTHER:
            yield (*found.span(group), OTHER[found[group]])

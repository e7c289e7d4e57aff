"""A parsed file as plain data that JSON holds, for a cache, and back: parsing takes many times as long as reading that. The places stand
apart, and are read when they are asked for: that would take longer than all the rest, and they take up more room than all the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from seasons_build.core.document import FEW_FILES, Document, Place
from seasons_build.load.text import as_text


def to_data(document: Document) -> tuple[dict[str, Any], list[bytes]]:
    """A document that nothing is wrong with, but for its text and its name, and its places. Decimals stand apart, by their paths."""
    exact: list[Any] = []
    places = json.dumps(document.places, ensure_ascii=False, check_circular=False, separators=(",", ":"))
    return {"data": _plain(document.data, (), exact), "exact": exact}, [places.encode("utf-8", "surrogatepass")]


def from_data(kept: Mapping[str, Any], blobs: Sequence[bytes], file: str, raw: bytes) -> Document | None:
    """The document that `to_data` was given, which the bytes of the file were parsed to; None where the data is not of that form."""
    try:
        text = as_text(raw)
        data, (places,) = kept["data"], blobs
        for path, number in kept["exact"]:
            holder = data
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = Fraction(number)
    except (LookupError, TypeError, ValueError, ArithmeticError):
        return None
    return Document(file, text, data, partial(_places, places))


def with_places_apart(document: Document, blobs: Sequence[bytes]) -> Document:
    """A document whose places are those that `to_data` gave apart: a project has more of them than of all else, and asks for few."""
    (places,) = blobs
    return replace(document, at=partial(_places, places))


@lru_cache(maxsize=FEW_FILES)
def _places(kept: bytes) -> Place:
    return json.loads(kept)


def program() -> str:
    """A digest of the program that parses: what it has read is kept for as long as it is the same."""
    found = sha256()
    here = Path(__file__).parent
    for module in (*sorted(here.glob("*.py")), here.parent / "core" / "document.py"):
        found.update(sha256(module.read_bytes()).digest())
    return found.hexdigest()


def _plain(value: Any, path: tuple[str | int, ...], exact: list[Any]) -> Any:
    if isinstance(value, dict):
        return {name: _plain(inner, (*path, name), exact) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, (*path, index), exact) for index, inner in enumerate(value)]
    if isinstance(value, Fraction):
        exact.append([list(path), str(value)])
        return None
    return value

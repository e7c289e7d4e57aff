"""A parsed file as plain data that JSON holds, for a cache, and back: parsing takes three times as long as reading that."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from seasons_build.core.document import Document
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.load.text import decode


def to_data(document: Document) -> dict[str, Any]:
    """A document that nothing is wrong with, but for its text and its name. Decimals stand apart, by their paths."""
    exact: list[Any] = []
    return {"data": _plain(document.data, (), exact), "exact": exact, "places": document.places}


def from_data(kept: Mapping[str, Any], file: str, raw: bytes, limits: Limits = DEFAULT) -> Document | None:
    """The document that `to_data` was given, which the bytes of the file were parsed to; None where the data is not of that form."""
    text, findings = decode(file, raw, limits)
    try:
        data, places = kept["data"], kept["places"]
        for path, number in kept["exact"]:
            holder = data
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = Fraction(number)
    except (LookupError, TypeError, ValueError, ArithmeticError):
        return None
    return Document(file, text, data, places) if text is not None and not findings else None


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

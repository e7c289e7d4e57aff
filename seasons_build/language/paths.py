"""Paths that a writer types to reach a part of an entry: `actions.fire.roll.attack.damage`.

A path steps into maps by key and into lists by the `label` of an item, or by the item itself where it is a text. Variants, copies and
patches go by them. Nothing that was typed is changed: what is worked on is a copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from seasons_build.core.document import Value
from seasons_build.core.span import Path

LABEL = "label"


def copied(value: Any) -> Any:
    """Data that may be changed without changing what was typed."""
    if isinstance(value, Mapping):
        return {key: copied(inner) for key, inner in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def combined(old: Value, new: Value, word: str) -> Value:
    """What `add` or `times` makes of a value; None where it can make nothing of it."""
    if isinstance(old, bool) or isinstance(new, bool):
        return None
    if isinstance(old, list) and word == "add":
        return [*old, *(new if isinstance(new, list) else [new])]
    if isinstance(old, int | Fraction) and isinstance(new, int | Fraction):
        return old + new if word == "add" else old * new
    if isinstance(old, str | int | Fraction) and isinstance(new, str | int | Fraction):
        return f"({old}) * ({new})" if word == "times" else f"{old} + {new}"
    return None


def step_of(here: Value, step: str) -> str | int | None:
    """How a step of a path leads on from a value: the key of a map, the place in a list; None where it leads nowhere."""
    if isinstance(here, Mapping):
        return step if step in here else None
    if isinstance(here, list):
        return next((place for place, item in enumerate(here) if step == _called(item)), None)
    return None


def steps_from(here: Value) -> tuple[str, ...]:
    """The steps that lead on from a value."""
    if isinstance(here, Mapping):
        return tuple(here)
    return tuple(name for name in map(_called, here) if name is not None) if isinstance(here, list) else ()


def value_at(data: Value, path: Path) -> Value:
    """The value at a path whose steps are keys and places; None where it leads nowhere."""
    for step in path:
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data


def _called(item: Value) -> str | None:
    """What an item of a list is called in a path."""
    found = item.get(LABEL) if isinstance(item, Mapping) else item
    return found if isinstance(found, str) else None

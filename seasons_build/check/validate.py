"""The validator of schemas, bounded: no file is ever fetched, and no list and no text keeps it busy (part of check).

It is imported where there are faults to find, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator, ValidationError, validators
from referencing import Registry

from seasons_build.core.limits import DEFAULT


def validator(schema: Mapping[str, Any]) -> Any:
    """A validator of data, with a registry that has nothing in it."""
    return _Bounded(schema, registry=Registry())


def _pattern(owner: Any, pattern: str, text: Any, schema: Any) -> Iterator[ValidationError]:
    del schema
    if owner.is_type(text, "string") and (len(text) > DEFAULT.pattern_text or re.search(pattern, text) is None):
        yield ValidationError("no match")


def _once(owner: Any, wanted: bool, items: Any, schema: Any) -> Iterator[ValidationError]:
    del schema
    if wanted and owner.is_type(items, "array") and len({_fixed(item) for item in items}) < len(items):
        yield ValidationError("twice")


def _fixed(value: Any) -> Hashable:
    """A value as something that can be looked up; a number and a truth are two things, though Python has them equal."""
    if isinstance(value, dict):
        return frozenset((key, _fixed(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return tuple(_fixed(item) for item in value)
    return isinstance(value, bool), value


_extend: Any = validators.extend
_Bounded: Any = _extend(Draft202012Validator, {"pattern": _pattern, "uniqueItems": _once})

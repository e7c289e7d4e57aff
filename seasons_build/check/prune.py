"""The rules of a game without the branches that are of the wrong form (part of check).

What is faulty has been told, and later stages may rely on the form of what they get.
"""

from __future__ import annotations

from typing import Any

from seasons_build.check.faults import Judge
from seasons_build.core.document import Value
from seasons_build.core.span import Path

_NOUN = 2
"""How far down a noun itself stands: by its sort and its id. It stays, whatever it is, so that who names it is no second fault."""
_FORM = ("type", "anyOf", "oneOf", "minProperties", "minItems")
"""The rules of a schema that say what form a value has."""


def pruned(judge: Judge, body: Value) -> Value:
    """The body of `rules:` without what has not the form that it should; lists go as a whole."""
    paths = {_branch(tuple(error.absolute_path)) for error in judge.errors(body) if error.validator in _FORM}
    for path in sorted((path for path in paths if len(path) > _NOUN), key=len, reverse=True):
        body = _without(body, path)
    return body


def _branch(path: Path) -> Path:
    index = next((at for at, step in enumerate(path) if isinstance(step, int)), len(path))
    return path[:index]


def _without(value: Any, path: Path) -> Any:
    if not isinstance(value, dict) or path[0] not in value:
        return value
    if len(path) == 1:
        return {key: inner for key, inner in value.items() if key != path[0]}
    return {**value, path[0]: _without(value[path[0]], path[1:])}

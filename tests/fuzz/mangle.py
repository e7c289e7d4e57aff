"""Content that is almost right: a sound project with one value, key or letter changed for something that nobody expects there."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

AREAS = ("content", "schemas", "templates")
TEXTS = (
    *("²", "--5", "-", "1e999999999", "9" * 400, "{", "}", "{{", "<", "[[x]]", "{a}", "{?x}", "<a|b", "", "\u202e", "null", "none", "self"),
    *("²", "--5", "-", "1e999999999", "9" * 400, "{", "}", "{{", "<", "[[x]]", "{a}", "{?x}", "<a|b", "", "\u202e", "null", "self", "none"),
    *("-0", "1_000", "0x10", "+1", "1.5.2", "٣", "Ⅳ"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 10**15, -(10**15), 0.1, [], {}, [[]], {"a": 1}, [1], ["a"], {"": 1}, {"²": 1}, {"-": {}}, {"self": 1}),
    *({"1": 2}, [None], [{}], {"x": None}, {"say": "x"}, {"say": None}, {"x": {"y": {"z": {}}}}),
)
SIGNS = ("{", "}", "<", ">", "|", "(", ")", "+", "1", "d", "²", "\u0301", ".", "-", "[[", " ", "if", "~", "?", "'", '"', ":")


class Project:
    """A sound project, to be mangled."""

    def __init__(self, root: Path) -> None:
        found = [path for area in AREAS for path in sorted((root / area).rglob("*")) if path.is_file()]
        self.files = {path.relative_to(root).as_posix(): path.read_bytes() for path in found}
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self._content = {name: yaml.load(data, loader) for name, data in self.files.items() if name.endswith(".yaml")}
        self._schemas = {name: json.loads(data) for name, data in self.files.items() if name.endswith(".json")}

    def mangled(self, chance: random.Random) -> tuple[str, bytes]:
        """The name of one file, and its bytes with something changed in them."""
        if self._schemas and chance.random() < 0.15:
            name = chance.choice(sorted(self._schemas))
            return name, json.dumps(_changed(self._schemas[name], chance)).encode()
        name = chance.choice(sorted(self._content))
        data = _changed(self._content[name], chance)
        return name, yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=1000).encode("utf-8", "replace")


def _changed(data: Any, chance: random.Random) -> Any:
    data = copy.deepcopy(data)
    paths = [path for path in _paths(data, ()) if path]
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        try:
            _change(data, chance.choice(paths), _at(data, chance.choice(paths)), chance)
        except (KeyError, TypeError, IndexError):
            continue  # an earlier change took the place away
    return data


def _paths(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _paths(inner, (*path, index))


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def _change(data: Any, path: tuple[Any, ...], other: Any, chance: random.Random) -> None:
    holder, last = _at(data, path[:-1]), path[-1]
    what = chance.random()
    if what < 0.55:
        holder[last] = copy.deepcopy(chance.choice((*TEXTS, *VALUES)))
    elif what < 0.7 and isinstance(holder, dict):
        holder[chance.choice(TEXTS)[:150] or "x"] = holder.pop(last)
    elif what < 0.8:
        del holder[last]
    elif what < 0.9:
        holder[last] = copy.deepcopy(other)
    elif isinstance(text := holder[last], str) and text:
        at = chance.randrange(len(text))
        holder[last] = text[:at] + chance.choice(SIGNS) + text[at + chance.randrange(3) :]

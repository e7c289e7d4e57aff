"""The kinds that schemas name: each reference of a schema leads to a kind, or to a group of kinds (part of link).

In: the schemas of packs as they were typed, and the library. Out: what is at fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document
from seasons_build.core.entry import Library
from seasons_build.core.kind import CORE
from seasons_build.core.names import did_you_mean
from seasons_build.core.span import Path
from seasons_build.language.rules import groups

ANY = "*"


def kinds_named(schemas: Mapping[tuple[str, str], Document], library: Library) -> Iterator[Diagnostic]:
    """The faults of what the schemas of packs, by pack and kind, say of other kinds (E201)."""
    for (pack, _), document in schemas.items():
        scope = (*library.packs[pack].scope, CORE)
        known = [*(kind for owner, kind in library.kinds if owner in scope), *groups(library.rules[pack])]
        for path, text in _references(document.data, ()):
            for word in text.split("|"):
                if word not in known and word != ANY:
                    yield Diagnostic("E201", f"unknown kind `{word}`", document.span(path), did_you_mean(word, known))


def _references(body: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """The texts of a schema that name kinds, each with the path to it."""
    if isinstance(body, list):
        for index, inner in enumerate(body):
            yield from _references(inner, (*path, index))
    for word, value in body.items() if isinstance(body, Mapping) else ():
        here = (*path, word)
        if word == "properties" and isinstance(value, Mapping):
            for name, inner in value.items():
                yield from _references(inner, (*here, name))
        elif word == "x-ref" and isinstance(value, str):
            yield here, value
        elif word == "x-keys" and isinstance(value, Mapping) and isinstance(value.get("ref"), str):
            yield (*here, "ref"), value["ref"]
        elif word not in ("default", "examples", "enum", "const"):
            yield from _references(value, here)

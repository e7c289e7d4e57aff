"""The start of a build: typesetters take as long to start as all else takes that comes before them, so they are started first.

In: the project's cache, and what has changed since the last build. Out: how many typesetters to start before anything is read, and what
they set type with. Nothing is imported here that can wait.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from seasons_build.core.expected import Expected, expected_of, expecting
from seasons_build.core.job import Theme, theme_of
from seasons_build.core.regex import regex
from seasons_build.core.tools import Tools, stamps
from seasons_build.store import Store
from seasons_build.typeset import Typesetter

__all__ = ["SetLast", "Typesetter", "how_many", "keep_set_last", "keep_tools", "known_tools", "set_last"]

BEYOND_ENTRIES = ("templates/", "schemas/")
"""Where a change is one of many pages, most likely."""

ROOM = "tools"
THEMES = "themes"
_LAST = sha256(b"last").hexdigest()

_TEXTS, _FILES = ("templates", "stylesheets", "icons"), ("fonts", "images")
_FLOOR = regex(r"\d{1,6}(?:/\d{1,6})?\Z")

MOST_BYTES = 8 * 1024 * 1024
"""Of fonts and pictures of a theme that is kept as it was set last."""

SetLast = tuple[Theme, Expected]
"""A theme, and what a face asked of it."""


def how_many(changed: tuple[str, ...] | None, tools: Tools, workers: int) -> int:
    """How many typesetters to start before it is known what there is to typeset; `changed` is None where that is not known."""
    if not tools.digest:
        return workers
    if not changed:
        return 0
    return workers if any(part in name for name in changed for part in BEYOND_ENTRIES) else 1


def set_last(store: Store) -> SetLast | None:
    """What a face was last set with, in whichever build."""
    kept = store.get(THEMES, _LAST)
    if kept is None or not _is_theme(kept.header):
        return None
    try:
        theme, expected = theme_of(kept), expected_of(kept)
    except (LookupError, TypeError, ValueError, ArithmeticError):
        return None
    return None if expected is None else (theme, expected)


def _is_theme(header: Mapping[str, Any]) -> bool:
    """Whether something that was kept has the form of a theme: whoever forged it, it is sent before anything else is known of it."""
    texts = all(isinstance(part, dict) and all(isinstance(text, str) for text in part.values()) for part in map(header.get, _TEXTS))
    files = all(isinstance(part, list) and all(isinstance(name, str) for name in part) for part in map(header.get, _FILES))
    floor = header.get("floor_pt")
    return texts and files and isinstance(header.get("id"), str) and isinstance(floor, str) and _FLOOR.match(floor) is not None


def keep_set_last(store: Store, theme: Theme, expected: Expected) -> None:
    """Keeps what a face was set with, for the next build: the same is most likely wanted again. A theme with many large pictures is not
    worth it: to read it again and to compare it takes longer than it saves."""
    header, blobs = expecting(theme, expected)
    worth = sum(map(len, blobs)) <= MOST_BYTES
    store.put(THEMES, _LAST, header if worth else {}, blobs if worth else ())


def keep_tools(store: Store, tools: Tools) -> None:
    """Keeps what sets type here, for the next build."""
    store.put(ROOM, _place(), {"digest": tools.digest, "paths": list(tools.files), "stamps": stamps(tools.files)})


def known_tools(store: Store) -> Tools:
    """The tools of an earlier build, where their files show that they are still the same; else none."""
    kept = store.get(ROOM, _place())
    if kept is None:
        return Tools()
    digest, files, before = (kept.header.get(name) for name in ("digest", "paths", "stamps"))
    if not isinstance(digest, str) or not isinstance(files, list) or not files or not all(isinstance(path, str) for path in files):
        return Tools()
    return Tools(digest, tuple(files)) if stamps(files) == before else Tools()


def _place() -> str:
    """Where this program stands: another one of the same machine has tools of its own, which may still be as they were."""
    return sha256(repr((sys.prefix, __file__)).encode()).hexdigest()

"""What a face was set with last: it is sent to the typesetters before anything is read, since the same is most likely wanted again.

In: the project's cache, and what came of a build. Out: a theme, and what a face asked of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from seasons_build.core.expected import Expected, expected_of, expecting
from seasons_build.core.job import Theme, theme_of
from seasons_build.core.regex import regex
from seasons_build.store import Store
from seasons_build.typeset.typesetter import Typesetter

__all__ = ["SetLast", "Typesetter", "keep_set_last", "set_last"]

THEMES = "themes"
_LAST = sha256(b"last").hexdigest()

_TEXTS, _FILES = ("templates", "stylesheets", "icons"), ("fonts", "images")
_FLOOR = regex(r"\d{1,6}(?:/\d{1,6})?\Z")

MOST_BYTES = 8 * 1024 * 1024
"""Of fonts and pictures of a theme that is kept as it was set last."""

SetLast = tuple[Theme, Expected]
"""A theme, and what a face asked of it."""


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


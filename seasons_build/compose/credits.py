"""Whose work a pack is made of: licences and credits of packs, of pictures and of type (part of compose).

In: a library and a theme. Out: what the template of a credits page reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from seasons_build.compose.themes import ReadTheme
from seasons_build.core.document import Value
from seasons_build.core.entry import Library, Pack

ART, FILE = "art", "file"


def credits_of(library: Library, pack: Pack, theme: ReadTheme) -> dict[str, Any]:
    """The packs, the pictures and the type that a pack is printed with."""
    scope = [library.packs[owner] for owner in pack.scope]
    return {
        "packs": [_pack(owner) for owner in scope],
        "art": [line for owner in scope for line in _pictures(library, owner)],
        "type": list(theme.credits),
    }


def _pack(pack: Pack) -> dict[str, Any]:
    manifest = pack.manifest
    authors, credits = (_texts(manifest.get(word)) for word in ("authors", "credits"))
    about = {"id": pack.id, "title": pack.title, "version": pack.version}
    return {**about, "licence": _text(manifest.get("licence")), "authors": authors, "credits": credits}


def _pictures(library: Library, pack: Pack) -> Iterator[dict[str, str]]:
    """A line for each entry with a picture, in the order of their names; the pack's own licence holds where none is said."""
    shown = [e for (owner, _), group in library.by_kind.items() if owner == pack.id for e in group if _has_picture(e.data)]
    for entry in sorted(shown, key=lambda e: (e.name.casefold(), e.kind, e.id)):
        art: Mapping[str, Value] = entry.data[ART]
        licence = _text(art.get("licence")) or _text(pack.manifest.get("licence"))
        yield {"name": entry.name, "credit": _text(art.get("credit")), "licence": licence}


def _has_picture(data: Mapping[str, Value]) -> bool:
    return isinstance(data.get(ART), Mapping) and FILE in data[ART]


def _text(typed: Value) -> str:
    return typed if isinstance(typed, str) else ""


def _texts(typed: Value) -> list[str]:
    return [text for text in typed if isinstance(text, str)] if isinstance(typed, list) else []

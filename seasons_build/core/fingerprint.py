"""What an entry says and where it says it, as a digest: two that are equal are read alike, line by line.

In: an entry. Out: a hexadecimal digest, of its data, of the places and the letters of all that was typed for it, in its own file or in
another. What its kind announces of it follows from these.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from json import dumps
from typing import Any

from seasons_build.core.document import Document, Rows
from seasons_build.core.entry import Change, Entry, Key, Site
from seasons_build.core.regex import regex

_LENGTH = 32
_BEYOND = regex(r"\*|[|>][1-9]?\+")
"""The signs of YAML by which what stands elsewhere in a file counts: an alias, and a block of text that keeps the empty lines below it."""


class Fingerprints:
    """Takes fingerprints of entries; of one that is made of rows of its file alone, once."""

    def __init__(self) -> None:
        self._rows = Rows()
        self._known: dict[Key, tuple[Document, str]] = {}

    def of_all(self, entries: Iterable[Entry]) -> dict[Key, str]:
        """The fingerprints of entries, taken file by file."""
        return {entry.key: self.of(entry) for entry in sorted(entries, key=lambda e: (e.document.file, e.key))}

    def of(self, entry: Entry) -> str:
        """The fingerprint of an entry."""
        if entry.broken or entry.origins or entry.place or not entry.alone:
            return self._taken(entry)
        document, known = self._known.get(entry.key, (None, ""))
        if document is not entry.document:
            known = self._taken(entry)
            self._known[entry.key] = entry.document, known
        return known

    def _taken(self, entry: Entry) -> str:
        brought = [(path, self._site(site)) for path, site in entry.brought.items()]
        changes = [self._change(change) for change in entry.changes]
        site = self._site((entry.document, entry.base))
        data = entry.data if not entry.alone else None  # else it follows from what stands there
        told = (entry.key, data, entry.broken, dict(entry.origins), entry.place, entry.like, brought, changes, site)
        return sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]

    def _change(self, change: Change) -> tuple[Any, ...]:
        return (*change[:-1], self._site(change.site))

    def _site(self, site: Site) -> tuple[Any, ...]:
        """Where something was typed, and how."""
        document, path = site
        span = document.span(path)
        rows = self._rows.of(document, span)
        # What stands there follows from the rows, unless they say that more counts.
        beyond = any(map(_BEYOND.search, rows))
        return (span, document.key_span(path), rows, *((document.value(path), dumps(document.place(path))) if beyond else ()))

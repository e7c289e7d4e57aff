"""Which packs can wait until somebody asks for one of their entries: games that come with the program, as they came.

In: a library. Out: the ids of packs.
"""

from __future__ import annotations

from seasons_build.core.entry import Entry, Library
from seasons_build.sources import SHIPPED


def that_can_wait(library: Library) -> frozenset[str]:
    """The packs that come with the program and that others build on, but for those that these have changed or translated: all is well
    with them."""
    if all(pack.shipped for pack in library.packs.values()):
        return frozenset()
    touched = {entry.pack for entry in library.entries.values() if (entry.changes or entry.brought) and _is_touched(entry)}
    return frozenset(pack.id for pack in library.packs.values() if pack.shipped) - touched


def _is_touched(entry: Entry) -> bool:
    """Whether something of an entry comes from another pack, or from a file that does not come with the program."""
    return any(change.pack != entry.pack for change in entry.changes) or any(
        not document.file.startswith(SHIPPED) for document, _ in entry.brought.values()
    )

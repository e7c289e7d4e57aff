"""What of a linked library still holds after a change (part of link).

In: what was linked before, and what is to be linked now. Out: where the references of an entry lead, and what is wrong with them, if that
is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.named import NamedTuple
from seasons_build.core.reading import Read, changed
from seasons_build.core.span import Path
from seasons_build.language.chapter import LONG


class Found(NamedTuple):
    """Where the references of an entry lead, and what is to be told of its names."""

    entry: Entry
    targets: Mapping[Path, Key]
    faults: tuple[Diagnostic, ...]
    lost: bool = False
    """Whether one of its names was not found, be that told or not."""
    reads: frozenset[Read] = frozenset()
    """What was read of other entries, where not their names alone decide."""


class Leads(NamedTuple):
    """Where the references of an entry lead with whose names nothing is wrong, and what was read of others for that."""

    targets: Mapping[Path, Key]
    reads: frozenset[Read] = frozenset()


class Linked(NamedTuple):
    """A library, and what it may be gone on from: as it was before anything was found broken in it, the packs of which something is
    unknown, the pack of each file, the files with rules, what was found for each entry, and what is wrong with the rules."""

    library: Library
    unlinked: Library
    partial: frozenset[str]
    owners: Mapping[str, str]
    ruled: tuple[Document, ...]
    found: Mapping[Key, Found]
    of_rules: tuple[Diagnostic, ...]


Again: TypeAlias = Callable[[Entry], Found | None]


def still_linked(
    before: Linked | None, library: Library, partial: frozenset[str], owners: Mapping[str, str], ruled: tuple[Document, ...]
) -> Again | None:
    """What was found before for an entry, where that still holds; None where nothing does."""
    if before is None or before.partial != partial or before.owners != owners or list(map(id, before.ruled)) != list(map(id, ruled)):
        return None
    other = changed(before.unlinked, library)
    if other is None:
        return None
    known = before.found

    def asked(entry: Entry) -> Found | None:
        found = known.get(entry.key)
        if found is None or entry.broken or not other.isdisjoint(found.reads):
            return None
        if found.entry is entry:
            return found if not any(fault.trace for fault in found.faults) else None  # a trace leads to where another entry stood
        moved = found.lost or entry.brought or found.entry.brought
        same = not moved and found.entry.announced == entry.announced and found.entry.data == entry.data
        return Found(entry, found.targets, (), reads=found.reads) if same else None

    return asked


def looks_at_names_alone(entry: Entry) -> bool:
    """Whether nothing that another entry holds decides where the references of this one lead."""
    for reference in entry.announced.references:
        if reference.part:
            return False
    return LONG not in [prose.role for prose in entry.announced.prose]

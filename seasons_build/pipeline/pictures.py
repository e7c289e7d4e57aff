"""Which file each entry means by its picture.

In: a library and the sources that it was read from. Out: names of files, and E728 for a file that is not there. None is opened.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry, Library
from seasons_build.core.names import did_you_mean
from seasons_build.sources import Sources

PICTURE, FILE, FOLDER = "art", "file", "art/"
ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")


def missing_pictures(library: Library, sources: Sources) -> Iterator[Diagnostic]:
    """The pictures that entries name and that are not there (E728)."""
    known = frozenset(sources.names())
    for entry in library.entries.values():
        file = named_by(entry)
        if file and source_of(sources, known, entry, file) is None:
            there = tuple(_there(sources, entry))
            listed = f"there are {', '.join(there[:8])}" if there else "put it into the pack's folder `art`"
            yield Diagnostic("E728", f"there is no picture `{file}`", entry.span((PICTURE, FILE)), did_you_mean(file, there) or (listed,))


def named_by(entry: Entry) -> str:
    """The file that an entry names as its picture; empty where it names none."""
    art = entry.data.get(PICTURE)
    file = art.get(FILE) if isinstance(art, Mapping) else None
    return file if isinstance(file, str) and not entry.broken else ""


def _folder(sources: Sources, entry: Entry) -> str:
    """The folder of the pack in which the picture was named: of the entry's own, of the one that it is like, or of a patch."""
    named = entry.where((PICTURE, FILE))[0].file
    packs = sources.packs
    return next((p.folder for p in packs.values() if named.startswith(p.folder)), packs[entry.pack].folder)


def source_of(sources: Sources, known: Container[str], entry: Entry, file: str) -> str | None:
    """The name of the picture of an entry among the files that there are."""
    folder = _folder(sources, entry)
    return next((name for name in (f"{folder}{file}", f"{folder}{FOLDER}{file}") if name in known), None)


def _there(sources: Sources, entry: Entry) -> Iterator[str]:
    """The pictures of a pack, as they may be named."""
    folder = f"{_folder(sources, entry)}{FOLDER}"
    yield from (name.removeprefix(folder) for name in sources.names() if name.startswith(folder) and name.lower().endswith(ENDINGS))

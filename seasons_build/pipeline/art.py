"""The pictures of entries: which file each one means, and its bytes under a name that says what they are.

In: a `Project`. Out: by entry the name of its picture among those of its theme, and the bytes by that name; E728 for a file that is not
there. A name begins with a hash of the bytes, so that a picture that has changed is another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.entry import Entry, Key
from seasons_build.core.face import sha_of
from seasons_build.core.job import ART
from seasons_build.core.names import did_you_mean
from seasons_build.pipeline.read import Project
from seasons_build.sources import CannotRead

PICTURE, FILE, FOLDER = "art", "file", "art/"
ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
_DIGITS = 16
_NAMED = re.compile(rf"{ART}/[0-9a-f]{{{_DIGITS}}}/")


@dataclass(frozen=True, slots=True)
class Art:
    """Pictures of entries: the name of each entry's among `images`, the bytes by name, and the entries whose picture is not there."""

    names: Mapping[Key, str] = field(default_factory=dict)
    images: Mapping[str, bytes] = field(default_factory=dict)
    missing: frozenset[Key] = frozenset()


def art_of(project: Project, entries: Iterable[Entry]) -> Result[Art]:
    """The pictures that these entries name."""
    found: list[Diagnostic] = []
    names: dict[Key, str] = {}
    images: dict[str, bytes] = {}
    missing: set[Key] = set()
    for entry in entries:
        art = entry.data.get(PICTURE)
        file = art.get(FILE) if isinstance(art, Mapping) else None
        if not isinstance(file, str) or entry.broken:
            continue
        source = _source(project, entry, file)
        missing.add(entry.key)
        if source is None:
            there = tuple(_there(project, entry))
            listed = f"there are {', '.join(there[:8])}" if there else "put it into the pack's folder `art`"
            hint = did_you_mean(file, there) or (listed,)
            found.append(Diagnostic("E728", f"there is no picture `{file}`", entry.span((PICTURE, FILE)), hint))
            continue
        try:
            data = project.sources.read(source)
        except CannotRead as error:
            found.append(Diagnostic("E728", f"the picture `{file}` cannot be read: {error.why}", entry.span((PICTURE, FILE))))
            continue
        missing.discard(entry.key)
        names[entry.key] = f"{ART}/{sha_of(data)[:_DIGITS]}/{file}"
        images[names[entry.key]] = data
    return Result(Art(names, images, frozenset(missing)), tuple(found))


def as_named(text: str) -> str:
    """A picture as its writer names it, in the place of its name among the others."""
    return _NAMED.sub("", text)


def is_art(text: str) -> bool:
    """Whether a name of a picture is of one that an entry has."""
    return _NAMED.match(text) is not None


def _folder(project: Project, entry: Entry) -> str:
    """The folder of the pack in which the picture was named: of the entry's own, of the one that it is like, or of a patch."""
    named = entry.where((PICTURE, FILE))[0].file
    packs = project.sources.packs
    return next((p.folder for p in packs.values() if named.startswith(p.folder)), packs[entry.pack].folder)


def _source(project: Project, entry: Entry, file: str) -> str | None:
    folder = _folder(project, entry)
    known = project.sources.names()
    return next((name for name in (f"{folder}{file}", f"{folder}{FOLDER}{file}") if name in known), None)


def _there(project: Project, entry: Entry) -> Iterator[str]:
    """The pictures of a pack, as they may be named."""
    folder = f"{_folder(project, entry)}{FOLDER}"
    yield from (name.removeprefix(folder) for name in project.sources.names() if name.startswith(folder) and name.lower().endswith(ENDINGS))

"""The pictures of entries: which file each one means, and its bytes under a name that says what they are.

In: a library and the sources that it was read from. Out: by entry the name of its picture among those of its theme, and the bytes by that
name; E728 for a file that cannot be read. A name begins with a hash of the bytes, so that a picture that has changed is another one.
"""

from __future__ import annotations

from collections.abc import Mapping

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.entry import Key, Library
from seasons_build.core.face import sha_of
from seasons_build.core.job import ART
from seasons_build.core.record import dataclass, field
from seasons_build.core.regex import regex
from seasons_build.pipeline.pictures import FILE, PICTURE, named_by, source_of
from seasons_build.sources import CannotRead, Sources

_DIGITS = 16
_NAMED = regex(rf"{ART}/[0-9a-f]{{{_DIGITS}}}/")


@dataclass(frozen=True, slots=True)
class Art:
    """Pictures of entries: the name of each entry's among `images`, the bytes by name, and the entries whose picture is not there."""

    names: Mapping[Key, str] = field(default_factory=dict)
    images: Mapping[str, bytes] = field(default_factory=dict)
    missing: frozenset[Key] = frozenset()


def art_of(library: Library, sources: Sources) -> Result[Art]:
    """The pictures that entries name. Those that are not there are among the missing, and told before."""
    known = frozenset(sources.names())
    found: list[Diagnostic] = []
    names: dict[Key, str] = {}
    images: dict[str, bytes] = {}
    missing: set[Key] = set()
    for entry in library.entries.values():
        file = named_by(entry)
        if not file:
            continue
        source = source_of(sources, known, entry, file)
        missing.add(entry.key)
        if source is None:
            continue
        try:
            data = sources.read(source)
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

"""The kinds that a pack types and that only packs have which it does not require (part of check).

In: a manifest, the content that goes with it, the kinds that it may use, and those of other packs. Out: one diagnostic for each pack that
would have to be required, instead of one for each entry.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document

REQUIRES = "requires"
RULES, PATCH = "rules", "patch"
SHOWN = 4


def unrequired(
    manifest: Document, documents: Iterable[Document], known: Container[str], others: Mapping[str, Collection[str]]
) -> Iterator[Diagnostic]:
    """Code: E317. `others` are packs that are there and not required, by id, with their kinds; where several have as many of the kinds that
    are typed, the first by id is told, and the others in its hint."""
    left = dict.fromkeys(word for document in documents for word in _kinds(document) if word not in known)
    while left:
        having = {pack: [word for word in left if word in kinds] for pack, kinds in others.items()}
        most = max(map(len, having.values()), default=0)
        if not most:
            return
        first, *more = sorted(pack for pack, words in having.items() if len(words) == most)
        words = having[first]
        left = {word: None for word in left if word not in words}
        yield _told(manifest, words, first, more)


def as_required(packs: Iterable[str]) -> str:
    """The line of a manifest that requires some packs."""
    ranges = ", ".join(f'{name}: ">=1.0,<2"' for name in packs)
    return f"`{REQUIRES}: {{{ranges}}}`"


def _told(manifest: Document, words: list[str], pack: str, more: list[str]) -> Diagnostic:
    listed = ", ".join(f"`{word}`" for word in words[:SHOWN]) + (" ..." if len(words) > SHOWN else "")
    are = "is a kind" if len(words) == 1 else "are kinds"
    span = manifest.key_span((REQUIRES,)) if REQUIRES in manifest.data else manifest.span()
    already = manifest.data.get(REQUIRES)
    before = tuple(already) if isinstance(already, dict) else ()
    hint = "say here what it adds to, as " + ", or ".join(as_required((*before, name)) for name in (pack, *more))
    return Diagnostic("E317", f"{listed} {are} of `{pack}`, which this pack does not require", span, (hint,))


def _kinds(document: Document) -> Iterator[str]:
    """The kinds that a file has entries of, and those of which it patches some."""
    patches = document.data.get(PATCH)
    yield from (word for word in document.data if word not in (RULES, PATCH))
    yield from (name.rpartition(":")[2].partition("/")[0] for name in (patches if isinstance(patches, dict) else ()) if "/" in name)

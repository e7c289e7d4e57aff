"""What stands in the way of selling what is printed: licences of packs and of pictures.

In: a `Project` and the packs that are to be printed. Out: what may not be sold, and what nobody has said a licence of. It is a look at
names of licences, and no advice on law.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Library, Pack
from seasons_build.core.licences import may_be_sold
from seasons_build.core.span import Span
from seasons_build.pipeline.read import Project

LICENCE, ART, PLACEHOLDER = "licence", "art", "placeholder"


def faults_of_sale(project: Project, packs: Iterable[str]) -> Iterator[Diagnostic]:
    """Of the packs, and of those that they build on: E330 (a licence that forbids it), W330 (no licence), W331 (a licence that says nothing
    to us), E331 (a picture that is still to come)."""
    library = project.library
    scope = dict.fromkeys(owner for pack in packs for owner in library.packs[pack].scope)
    for owner in scope:
        yield from _of_pack(library.packs[owner])
        yield from _of_pictures(library, library.packs[owner])


def _of_pack(pack: Pack) -> Iterator[Diagnostic]:
    if pack.document is None:
        return
    licence = pack.manifest.get(LICENCE)
    if isinstance(licence, str):
        yield from _of_licence(licence, f"the pack `{pack.id}`", pack.document.span((LICENCE,)), own=pack.own)
    else:
        place = Span(pack.document.file, 1, 1, 1, 1)
        hint = "write `licence:` with its SPDX name into pack.yaml, as `licence: CC-BY-4.0`"
        yield Diagnostic("W330", f"the pack `{pack.id}` has no licence: nobody knows whether it may be sold", place, (hint,))


def _of_pictures(library: Library, pack: Pack) -> Iterator[Diagnostic]:
    entries = [e for (owner, _), group in sorted(library.by_kind.items()) if owner == pack.id for e in group]
    for entry in entries:
        art = entry.data.get(ART)
        if not isinstance(art, Mapping):
            continue
        if PLACEHOLDER in art and "file" not in art:
            yield Diagnostic("E331", f"the picture of `{entry.id}` is still to come", entry.span((ART, PLACEHOLDER)))
        if isinstance(art.get(LICENCE), str):
            yield from _of_licence(art[LICENCE], f"the picture of `{entry.id}`", entry.span((ART, LICENCE)), own=pack.own)


def _of_licence(licence: str, what: str, span: Span, *, own: bool) -> Iterator[Diagnostic]:
    verdict = may_be_sold(licence)
    if verdict == "no":
        hint = "leave it out, or ask whoever made it for another licence"
        yield Diagnostic("E330", f"{what} is under {licence}, and may not be sold", span, (hint,))
    elif verdict == "unknown" and not own:
        yield Diagnostic("W331", f"{what} is under `{licence}`: whether it may be sold is for you to find out", span)

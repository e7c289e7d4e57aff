"""Texts in another language: what there is nothing to translate of, and what is not translated yet (part of check).

In: entries as others leave them, with where their translations stand. Out: diagnostics at the files of the language.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document
from seasons_build.core.entry import Amended, Entry, Key, Site
from seasons_build.core.kind import Announced
from seasons_build.core.span import Path


def no_text(translated: Mapping[Path, Site], announced: Announced) -> Iterator[Diagnostic]:
    """The faults of translations of what is no text for people."""
    prose = {text.path for text in announced.prose}
    for path, (document, place) in translated.items():
        if path not in prose:
            message = f"`{'.'.join(map(str, path))}` is no text that people read, so there is nothing to translate"
            yield Diagnostic("E281", message, document.key_span(place))


def untranslated(entries: Iterable[Entry], amended: Mapping[Key, Amended], language: str, document: Document) -> Iterator[Diagnostic]:
    """A note for each kind with entries that are not all in a language, at the file that should have them, and one for all kinds of which
    nothing is (N280)."""
    of_kind: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.announced.prose and not entry.broken:
            of_kind.setdefault(entry.kind, []).append(entry)
    none: list[tuple[str, int]] = []
    for kind, group in sorted(of_kind.items()):
        left = [(entry.id, lacking) for entry in group if (lacking := _lacking(entry, amended))]
        if kind not in document.data and not any(_translated(entry, amended) for entry in group):
            none.append((kind, len(group)))
        elif left:
            shown = ", ".join(f"`{name}` ({', '.join(lacking[:4])}{' ...' if len(lacking) > 4 else ''})" for name, lacking in left[:6])
            message = f"`{kind}`: {len(left)} of {len(group)} are not all in `{language}`: {shown}{' ...' if len(left) > 6 else ''}"
            yield Diagnostic("N280", message, document.key_span((kind,)) if kind in document.data else document.span())
    if none:
        listed = ", ".join(f"`{kind}` ({count})" for kind, count in none)
        yield Diagnostic("N280", f"nothing of these kinds is in `{language}`: {listed}", document.span())


def _lacking(entry: Entry, amended: Mapping[Key, Amended]) -> list[str]:
    there = _translated(entry, amended)
    return [".".join(map(str, text.path)) for text in entry.announced.prose if text.path not in there]


def _translated(entry: Entry, amended: Mapping[Key, Amended]) -> Container[Path]:
    return amended[entry.key].translated if entry.key in amended else ()

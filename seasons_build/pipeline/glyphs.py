"""Characters that no font has: each told once where it is typed, with what it is printed in.

A name is typed once and printed on many faces: its own card, the cards of those who carry it, sheets, contents. In: what was found on the
faces. Out: a diagnostic for each place of the content that has such a character.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.document import Value
from seasons_build.core.entry import Key
from seasons_build.core.finding import Finding, diagnostic
from seasons_build.core.named import NamedTuple
from seasons_build.core.plan import Plan
from seasons_build.core.span import Path, Span
from seasons_build.pipeline.places import about, placed
from seasons_build.pipeline.read import Project

MANIFEST = ("pack", "")
NAMED = 4
"""So many of the products that something is printed in are named."""


class OnAFace(NamedTuple):
    """A finding, and the plan and the entry of the face on which it was made."""

    finding: Finding
    plan: Plan
    entry: Key | None


class _Typed(NamedTuple):
    """A text of the content: whose it is, where it stands in that, and in its file."""

    owner: Key
    path: Path
    span: Span

    @property
    def field(self) -> str:
        """The path as a writer would say it."""
        return ".".join(str(step) for step in self.path)


def by_cause(project: Project, seen: Sequence[OnAFace]) -> list[Diagnostic]:
    """What is told of characters that are missing on some faces."""
    told: dict[tuple[str, Span | None], tuple[Diagnostic, list[str]]] = {}
    for letter in dict.fromkeys(one.finding.text for one in seen):
        typed = list(_typed(project, letter))
        alike = [one for one in seen if one.finding.text == letter]
        for one in sorted(alike, key=lambda one: not _own(project, one, typed)):
            for cause in _causes(project, one, typed, [d.span for (of, _), (d, _) in told.items() if of == letter]):
                labels = told.setdefault((letter, cause.span), (cause, []))[1]
                labels.append(one.plan.label)
    return [replace(cause, trace=_printed_in(labels)) for cause, labels in told.values()]


def _causes(project: Project, one: OnAFace, typed: Sequence[_Typed], told: Sequence[Span | None]) -> Iterator[Diagnostic]:
    """Where what was found on a face can be mended: in the texts of its own entry; else, since it came from another, where that was told
    already, or else in the first text that has the character."""
    for text in _own(project, one, typed) or [text for text in typed if text.span in told] or typed[:1]:
        yield diagnostic(replace(one.finding, field=text.field), text.span)
    if not typed:
        yield placed(project, *one)


def _own(project: Project, one: OnAFace, typed: Sequence[_Typed]) -> list[_Typed]:
    """The texts of the entry that a face is about; of its pack, where it is about none."""
    owner, _ = about(one.finding, one.plan, one.entry)
    return [text for text in typed if text.owner == (owner or (one.plan.pack, *MANIFEST))]


def _typed(project: Project, letter: str) -> Iterator[_Typed]:
    """The texts of the content, of the rules and of what packs say of themselves that have a character."""
    library = project.library
    for pack in library.packs.values():
        if pack.document is not None:
            for path in _having(letter, pack.manifest):
                yield _Typed((pack.id, *MANIFEST), path, pack.document.span(path))
    for entry in library.entries.values():
        yield from (_Typed(entry.key, path, entry.span(path)) for path in _having(letter, entry.data))
    for rules in library.rules.values():
        for noun in (noun for ids in rules.values() for noun in ids.values()):
            owner = noun.pack, noun.noun, noun.id
            yield from (_Typed(owner, path, noun.span(path)) for path in _having(letter, noun.data))


def _having(letter: str, value: Value, path: Path = ()) -> Iterator[Path]:
    match value:
        case str() if letter in value:
            yield path
        case dict():
            for key, inner in value.items():
                yield from _having(letter, inner, (*path, key))
        case list():
            for number, inner in enumerate(value):
                yield from _having(letter, inner, (*path, number))


def _printed_in(labels: Iterable[str]) -> tuple[Trace, ...]:
    named = list(dict.fromkeys(labels))
    rest = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return (Trace(f"printed in {', '.join(f'`{name}`' for name in named[:NAMED])}{rest}"),)

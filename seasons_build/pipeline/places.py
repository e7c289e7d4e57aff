"""Where an author can mend what typesetting found: the line of the field, of the entry, or of the theme's file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry, Key
from seasons_build.core.finding import Finding, diagnostic
from seasons_build.core.kind import Prose
from seasons_build.core.plan import Plan
from seasons_build.core.span import Span
from seasons_build.pipeline.art import as_named, is_art
from seasons_build.pipeline.pictures import FILE, PICTURE
from seasons_build.pipeline.read import Project

PRODUCT, RULES = "product", "rules"
MACHINE = "E850"
"""Nothing can be typeset here: no entry's fault, and told once."""
AS_TYPED = ("E733", "W734", "W735")
"""What is printed as it was typed, so that it can be found there."""
TOO_LONG = ("E601", "E603")
"""A text that takes too much room: where the theme's name for its place is none of the entry's, the longest text is shown."""


def placed(project: Project, finding: Finding, plan: Plan, entry: Key | None) -> Diagnostic:
    """A finding on a job of `plan` that is about `entry`, where it is about one, at the line that the author can mend."""
    if finding.code == MACHINE:
        return diagnostic(finding)
    if finding.file is not None:
        name = _theme_name(project, finding.file)
        line, column = finding.line or 1, finding.column or 1
        return diagnostic(finding, Span(name, line, column, line, column + 1))
    picture = is_art(finding.text)
    finding = replace(finding, text=as_named(finding.text))
    entry, field = about(finding, plan, entry)
    if entry is None:
        return diagnostic(finding, _product(project, plan))
    found = project.library.entries[entry]
    if picture:
        return diagnostic(finding, found.span((PICTURE, FILE)))
    if finding.code in AS_TYPED and (stretch := _typed(found, finding.text)):
        return diagnostic(finding, stretch)
    path = _path_of(field, found.announced.prose, guess=finding.code in TOO_LONG)
    if path and finding.code in TOO_LONG:
        finding = replace(finding, field=".".join(map(str, path)))
    span = found.span(path) if path else found.key_span()
    return diagnostic(finding, span)


def about(finding: Finding, plan: Plan, entry: Key | None) -> tuple[Key | None, str]:
    """The entry that a finding on a job of `plan` is about, where it is about one, and the field of it."""
    field = finding.field or ""
    if entry is None and "." in field:
        owner, _, field = field.partition(".")
        entry = next((key for key in plan.entries if f"{key[1]}/{key[2]}" == owner), None)
    if entry is None and plan.of and len(plan.entries) == 1:
        entry = plan.entries[0]
    return entry, field


def _typed(entry: Entry, text: str) -> Span | None:
    """Where an entry has typed something in one of its texts."""
    having = [prose for prose in entry.announced.prose if text in prose.text]
    # A mark that has no partner stands an odd number of times.
    prose = next((prose for prose in having if prose.text.count(text) % 2), having[0] if having else None)
    at = prose.text.rfind(text) if prose is not None else 0
    return entry.inside(prose.path, at, at + len(text)) if prose is not None else None


def _product(project: Project, plan: Plan) -> Span | None:
    """Where the product of a plan is named; nothing for the deck of what no product takes."""
    packs = project.library.packs[plan.pack].scope
    found = next((e for pack in packs if (e := project.library.entries.get((pack, PRODUCT, plan.product))) is not None), None)
    return found.key_span() if found is not None else None


def _theme_name(project: Project, file: str) -> str:
    owner, _, inner = file.partition("/")
    for name in (*project.sources.base_templates, *project.sources.names()):
        if name.endswith(f"templates/{owner}/{inner}"):
            return name
    packs = project.sources.packs
    if owner in packs and f"{packs[owner].folder}templates/{inner}" in packs[owner].templates:
        return f"{packs[owner].folder}templates/{inner}"
    return file


def _path_of(field: str, prose: Sequence[Prose], *, guess: bool) -> tuple[str | int, ...]:
    """The path of the text that a field name of a template means; or the longest of those that it begins. As a `guess` at what takes too
    much room, rules texts count whatever they begin with, since they may be set together, and all texts where there is none such."""
    exact = next((p.path for p in prose if ".".join(map(str, p.path)) == field), None)
    if exact is not None:
        return exact
    begun = field.partition(".")[0]
    inside = [p for p in prose if str(p.path[0]) == begun or (guess and p.role == RULES)] or (list(prose) if guess else [])
    return max(inside, key=lambda p: len(p.text)).path if inside else ()

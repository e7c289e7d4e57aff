"""Commands about what entries are called: refs, rename."""

from __future__ import annotations

from pathlib import Path

import click

from seasons_build.cli.inspect import find, named_in
from seasons_build.cli.talk import code_of, write, write_json, write_safe
from seasons_build.core.names import ID, slug
from seasons_build.pipeline.author import Desk
from seasons_build.pipeline.names import Use, rename, uses
from seasons_build.pipeline.read import read
from seasons_build.report import placed, render

Where = tuple[Path | None, tuple[Path, ...]]


@click.command("refs")
@click.argument("entry")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="text for people, json for programs.")
@click.pass_obj
def refs_command(where: Where, entry: str, form: str) -> int:
    """Say where an ENTRY is named: in other entries, in rules, in cases."""
    project = read(*where, named=named_in(entry))
    found = find(project, entry)
    if isinstance(found, int):
        return found
    places = uses(Desk(*where), project, found)
    if form == "json":
        write_json([_data(use) for use in places])
        return 0
    for use in places:
        write(f"{use.span}  {use.user or ''}".rstrip())
    write(f"{len(places)} {'place' if len(places) == 1 else 'places'}", err=True)
    return 0


@click.command("rename")
@click.argument("old", metavar="ENTRY")
@click.argument("new", metavar="ID")
@click.pass_obj
def rename_command(where: Where, old: str, new: str) -> int:
    """Give an ENTRY of the project another ID, everywhere; the entry keeps the old one under `formerly`, for other packs."""
    if not ID.match(new):
        guess = slug(new)
        raise click.UsageError(f"{new!r} cannot be an id: small letters, figures and hyphens" + (f", as {guess!r}" if guess else ""))
    project = read(*where, named=named_in(old))
    found = find(project, old)
    if isinstance(found, int):
        return found
    if not project.library.packs[found.pack].own:
        raise click.UsageError(f"`{found}` is not the project's own: it cannot be renamed from here")
    there = project.library.entries.get((found.pack, found.kind, new))
    if there is not None:
        raise click.UsageError(f"there is a {found.kind} {new!r} already, in {there.document.file}")
    renamed = rename(Desk(*where), project, found, new)
    for name, edits in renamed.edits.items():
        write(f"{name}  {len(edits)} {'change' if len(edits) == 1 else 'changes'}")
    if renamed.diagnostics:
        write_safe(render(renamed.diagnostics, "text", lambda name: renamed.texts.get(name)))
    for span in renamed.left:
        write(f"{span}  still says `{found.id}`: look whether it means the entry", err=True)
    return code_of(renamed.diagnostics)


def _data(use: Use) -> dict[str, str | int | None]:
    return {**placed(use.span), "entry": str(use.user) if use.user else None}

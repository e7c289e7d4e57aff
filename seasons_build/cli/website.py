"""What writes a library as a site: a part of export."""

from __future__ import annotations

from pathlib import Path

import click

from seasons_build.cli.talk import code_of, of_the_project, shown, tell, write
from seasons_build.core.names import did_you_mean
from seasons_build.pipeline.read import read
from seasons_build.pipeline.website import OutputRefused, write_site

Where = tuple[Path | None, tuple[Path, ...]]


def export_site(where: Where, pack: str | None, out: Path | None) -> int:
    """Writes the site of a pack, or of all of the project's own, into a folder (`dist/site` of the project)."""
    project = read(*where, named=(pack,) if pack else ())
    packs = project.library.packs
    if pack is not None and pack not in packs:
        raise click.UsageError(f"there is no pack {pack!r}" + "".join(f"; {hint}" for hint in did_you_mean(pack, packs)))
    wanted = (pack,) if pack else tuple(p.id for p in packs.values() if p.own) or tuple(packs)
    folder = out or project.root / "dist" / "site"
    try:
        made = write_site(project, wanted, folder)
    except OutputRefused as refused:
        tell(project, [refused.diagnostic])
        return 1
    found = of_the_project((*project.diagnostics, *made.diagnostics))
    tell(project, found)
    write(shown(folder / "index.html"))
    return code_of(found)

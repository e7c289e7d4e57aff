"""The command for editors: schema."""

from __future__ import annotations

from pathlib import Path

import click

from seasons_build.cli.talk import code_of, shown, write, write_safe
from seasons_build.pipeline.editing import write_schemas
from seasons_build.pipeline.read import read
from seasons_build.report import render


@click.command("schema")
@click.pass_obj
def schema_command(where: tuple[Path | None, tuple[Path, ...]]) -> int:
    """Write what an editor needs to complete fields and ids and to mark faults: schemas, and settings that say which files they are for."""
    project = read(*where)
    if not any(pack.own for pack in project.library.packs.values()):
        raise click.UsageError("this project has no pack of its own: make one with `seasons new pack ID --for GAME`")
    made = write_schemas(project)
    for name in made.files:
        write(shown(made.root / name))
    if made.diagnostics:
        write_safe(render(made.diagnostics, "text", lambda name: None))
    return code_of(made.diagnostics)

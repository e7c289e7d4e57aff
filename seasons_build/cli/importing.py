"""The command that takes in what was not written as YAML: import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from seasons_build.cli.talk import code_of, write
from seasons_build.pipeline.author import Desk
from seasons_build.report import render

Where = tuple[Path | None, tuple[Path, ...]]


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--kind", required=True, metavar="KIND", help="What the file holds, as `character`.")
@click.pass_obj
def import_command(where: Where, file: Path, kind: str) -> int:
    """Read a filled sheet (FILE.pdf) back: its entry as YAML, and what is not allowed, by the names of the fields."""
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise click.UsageError(f"{file.name!r} is of no kind that can be read; there are {', '.join(sorted(READERS))}")
    try:
        raw = file.read_bytes()
    except OSError as error:
        write(f"`{file}` cannot be read: {(error.strerror or str(error)).lower()}", err=True)
        return 1
    return reader(where, raw, kind)


def _sheet(where: Where, raw: bytes, kind: str) -> int:
    from seasons_build.pipeline.imports import import_sheet

    imported = import_sheet(Desk(*where), raw, kind)
    if imported.text:
        write(imported.text.rstrip("\n"))
    if imported.diagnostics:
        write(render(imported.diagnostics, "text", lambda name: None), err=True)
    return code_of(imported.diagnostics)


READERS: Mapping[str, Callable[[Where, bytes, str], int]] = {".pdf": _sheet}
"""What reads a file, by its ending."""

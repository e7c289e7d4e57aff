"""The command that compares: diff."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from seasons_build.cli.talk import tell, write, write_json
from seasons_build.core.entry import Key
from seasons_build.differ import View, as_data, compare, told
from seasons_build.export import entry_data, listed
from seasons_build.pipeline.earlier import read_earlier
from seasons_build.pipeline.read import Project, read

Where = tuple[Path | None, tuple[Path, ...]]
OF_FILES = "E1"
"""With what the codes begin of files that cannot be read, or not to their end."""


@click.command("diff")
@click.argument("old")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="text for people, json for programs.")
@click.pass_obj
def diff_command(where: Where, old: str, form: str) -> int:
    """Say what a reader would notice since OLD: a project's folder, a pack's folder or archive, or a revision of git (a tag, HEAD~3)."""
    project = read(*where)
    earlier = read_earlier(old, project.root, where[1])
    if isinstance(earlier, str):
        raise click.UsageError(earlier)
    before, about = earlier
    for name, side in (("OLD", before), ("the project", project)):
        lost = [d for d in side.diagnostics if d.severity == "error" and d.code.startswith(OF_FILES)]
        if lost:
            tell(side, lost)
            write(f"nothing is compared: not all of {name} can be read", err=True)
            return 1
    own = {pack.id for pack in project.library.packs.values() if pack.own}
    packs = about if _is_pack(Path(old)) else about | own
    found = list(compare(_views(before, packs), _views(project, packs)))
    if form == "json":
        write_json([as_data(difference) for difference in found])
    for line in (line for difference in found for line in told(difference)) if form == "text" else ():
        write(line)
    for name, side in (("OLD", before), ("the project", project)):
        broken = [str(entry) for entry in side.library.entries.values() if entry.pack in packs and entry.broken]
        if broken:
            write(f"left out, since they cannot be read in {name}: {', '.join(broken)}", err=True)
    write(f"{len(found)} {'entry differs' if len(found) == 1 else 'entries differ'}", err=True)
    return 0


def _is_pack(old: Path) -> bool:
    return old.is_file() or (old / "pack.yaml").is_file()


def _views(project: Project, packs: frozenset[str]) -> Mapping[Key, View]:
    library = project.library
    entries = [entry for entry in listed(library) if entry.pack in packs and not entry.broken]
    return {
        entry.key: View(library.kind_of(entry), entry_data(library, project.sheets, project.lines, entry), entry.former)
        for entry in entries
    }

"""Commands that exchange entries with other programs: import, export."""

from __future__ import annotations

import json
from pathlib import Path

import click

from seasons_build.cli.author import owner_of, shown_made
from seasons_build.cli.importing import READERS
from seasons_build.cli.talk import no_kind, shown, tell, tell_plain, write
from seasons_build.core.diagnostic import Diagnostic, errors
from seasons_build.core.files import read_regular, reason_of
from seasons_build.core.names import did_you_mean, slug
from seasons_build.dump import as_document, as_table
from seasons_build.export import entry_data, listed
from seasons_build.pipeline.answers import answer
from seasons_build.pipeline.author import Desk
from seasons_build.pipeline.intake import FORMS, plain, take_in
from seasons_build.pipeline.read import read

Where = tuple[Path | None, tuple[Path, ...]]
LARGEST = 64 << 20
"""Bytes of a file that are read: more than any reader takes."""


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--kind", required=True, metavar="KIND", help="What the file holds, as `weapon`.")
@click.option("--pack", metavar="PACK", help="Which of the project's packs gets the entries of a spreadsheet.")
@click.option("--name", metavar="NAME", help="What the new file is called (else like FILE).")
@click.pass_obj
def import_command(where: Where, file: Path, kind: str, pack: str | None, name: str | None) -> int:
    """Bring in the entries of a spreadsheet, saved as CSV with a column for each field, or read a filled sheet (PDF) back as YAML."""
    form = file.suffix.lower()
    if form not in (*FORMS, *READERS):
        raise click.UsageError(f"{file.name!r} is of no kind that can be read; there are {', '.join(sorted((*FORMS, *READERS)))}")
    try:
        raw = read_regular(file, LARGEST)
    except OSError as error:
        tell_plain([Diagnostic("E784", f"`{file}` cannot be read: {reason_of(error)}")])
        return 1
    if form in READERS:
        return READERS[form](where, raw, kind)
    project = read(*where)
    owner = owner_of(project, pack)
    found = project.library.find_kind(owner, kind)
    if found is None or found.broken:
        raise no_kind(kind, (k.id for k in project.library.kinds.values()))
    called = slug(name or file.stem) or "imported"
    return shown_made(take_in(Desk(*where), project, raw, shown(file).replace("\\", "/"), owner, found, called))


@click.command("export")
@click.argument("form", type=click.Choice(["json", "csv", "html"]))
@click.argument("kind", required=False)
@click.option("--pack", metavar="PACK", help="Only this pack (else all of the project's own).")
@click.option("--out", type=click.Path(path_type=Path), help="The file to write (else it is printed), or the folder of a site.")
@click.pass_obj
def export_command(where: Where, form: str, kind: str | None, pack: str | None, out: Path | None) -> int:
    """Give the entries to others: all as JSON, those of one KIND as CSV (which `import` reads back), or as a site for readers (html)."""
    if form == "html":
        from seasons_build.cli.website import export_site

        return export_site(where, pack, out)
    project = read(*where, named=(pack,) if pack else ())
    library = project.library
    if pack is not None and pack not in library.packs:
        raise click.UsageError(f"there is no pack {pack!r}" + "".join(f"; {hint}" for hint in did_you_mean(pack, library.packs)))
    packs = [library.packs[pack]] if pack else [p for p in library.packs.values() if p.own] or list(library.packs.values())
    entries = [e for e in listed(library) if e.pack in {p.id for p in packs} and (kind is None or e.kind == kind)]
    known = {k.id for k in library.kinds.values()}
    if kind is not None and kind not in known:
        raise no_kind(kind, known)
    if form == "csv":
        of = library.find_kind(packs[0].id, kind) if kind else None
        if of is None:
            raise click.UsageError(f"say of which kind, as `export csv KIND`; there are {', '.join(sorted({e.kind for e in entries}))}")
        text = as_table(of, [e for e in entries if not e.broken], plain)
    else:
        whole = [entry_data(library, project.sheets, project.lines, e) for e in entries if not e.broken]
        text = json.dumps(as_document(packs, whole), ensure_ascii=True, indent=2) + "\n"
    left = [d for d in project.diagnostics if d.severity == "error"]
    tell(project, left)
    if out is None:
        click.echo(text, nl=False)
    else:
        refused = answer(*where, out, text.encode())
        tell_plain(refused)
        if refused:
            return 1
        write(shown(out))
    return 1 if errors(left) else 0

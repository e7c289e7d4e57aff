"""Commands on packs as they are carried about: pack lock, pack bundle, pack check."""

from __future__ import annotations

from pathlib import Path

import click

from seasons_build.cli.talk import closing, code_of, of_the_project, shown, tell, write, write_safe
from seasons_build.core.diagnostic import Diagnostic, errors
from seasons_build.core.names import did_you_mean
from seasons_build.pipeline.packs import LOCK, compare_packs, from_elsewhere, lock_packs, locked, save_archives
from seasons_build.pipeline.read import Project, read, read_library
from seasons_build.report import render

Where = tuple[Path | None, tuple[Path, ...]]


@click.group("pack")
def pack_command() -> None:
    """Pin, carry and compare packs."""


@pack_command.command("lock", short_help="Note the packs from elsewhere in `seasons.lock`.")
@click.pass_obj
def lock_command(where: Where) -> int:
    """Write `seasons.lock`: the version and the SHA-256 of each pack from elsewhere that the project uses."""
    project = read_library(*where)
    found = lock_packs(project)
    _tell(found)
    if not found:
        packs = from_elsewhere(project)
        write(shown(project.root / LOCK))
        write(f"{len(packs)} {'pack' if len(packs) == 1 else 'packs'}: {', '.join(packs)}" if packs else "no pack from elsewhere", err=True)
    return code_of(found)


@pack_command.command("check", short_help="Compare the packs in use with `seasons.lock`.")
@click.option("--strict", is_flag=True, help="Let warnings fail, too.")
@click.pass_obj
def check_command(where: Where, strict: bool) -> int:
    """Compare the packs that the project uses with those of `seasons.lock`."""
    project = read_library(*where)
    found = compare_packs(project)
    texts = {LOCK: (locked(project) or b"").decode("utf-8", "replace")}
    if found:
        write_safe(render(found, "text", texts.get), err=False)
    closing(found)
    return code_of(found, strict=strict)


@pack_command.command("bundle", short_help="Write each pack as one zip archive, to give away.")
@click.argument("packs", nargs=-1)
@click.option("--out", metavar="DIR", default="", help="A folder of the project for the archives (else the project's own folder).")
@click.pass_obj
def bundle_command(where: Where, packs: tuple[str, ...], out: str) -> int:
    """Write a zip archive of each of the project's packs, or of the PACKS named: what `--pack` reads on another machine."""
    if Path(out).is_absolute() or ".." in Path(out).parts:
        raise click.BadParameter(f"{out!r} is no folder of the project", param_hint="--out")
    project = read(*where, named=packs)
    chosen = packs or tuple(sorted(pack.id for pack in project.library.packs.values() if pack.own))
    for pack in chosen:
        if pack not in project.library.packs:
            near = did_you_mean(pack, project.library.packs)
            raise click.UsageError(f"there is no pack {pack!r}" + "".join(f"; {hint}" for hint in near))
    if not chosen:
        raise click.UsageError("this project has no packs of its own: name one")
    wrong = [d for d in of_the_project(project.diagnostics) if d.severity == "error" and _is_of(project, d, chosen)]
    if wrong:
        tell(project, wrong)
        write("nothing is bundled: mend these first", err=True)
        return code_of(wrong)
    for pack in chosen:
        if not project.library.packs[pack].manifest.get("licence"):
            write(f"warning: the pack `{pack}` has no licence: nobody may do anything with it (seasons explain W330)", err=True)
    made = save_archives(project, chosen, f"{out.strip('/')}/" if out.strip("/") else "")
    _tell(made.diagnostics)
    for name in made.value:
        write(shown(project.root / name))
    return 1 if errors(made.diagnostics) else 0


def _is_of(project: Project, found: Diagnostic, packs: tuple[str, ...]) -> bool:
    """Whether a finding is about one of these packs, or about no file."""
    files = {name for pack in packs for _, name in project.sources.inside(pack)}
    return found.span is None or found.span.file in files


def _tell(found: tuple[Diagnostic, ...]) -> None:
    if found:
        write_safe(render(found, "text", lambda name: None))

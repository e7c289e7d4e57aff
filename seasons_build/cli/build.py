"""The command that prints: build."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import click

from seasons_build.cli.talk import closing, code_of, of_the_project, shown, tell, write
from seasons_build.core.names import did_you_mean
from seasons_build.pipeline import Project, read, select
from seasons_build.pipeline.build import Asked, Built, Options, OutputRefused, Typesetter, build


@click.command("build")
@click.argument("products", nargs=-1)
@click.option("--only", multiple=True, metavar="ENTRY[=N]", help="Only these entries (globs); with =N, so many copies. May be repeated.")
@click.option("--where", "condition", metavar="EXPR", help="Only entries that meet a condition, as 'demand > 3'.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="The output folder (dist in the project).")
@click.option("--paper", help="The paper of home printers: a4 or letter.")
@click.option("--format", "forms", default="pdf", help="pdf, png, or both with a comma.")
@click.option("--jobs", type=click.IntRange(1, 64), help="How many typesetters work at once (one a core, at most 8).")
@click.option("--strict", is_flag=True, help="Let warnings fail, too.")
@click.pass_obj
def build_command(
    where: tuple[Path | None, tuple[Path, ...]],
    products: tuple[str, ...],
    only: tuple[str, ...],
    condition: str | None,
    out: Path | None,
    paper: str | None,
    forms: str,
    jobs: int | None,
    strict: bool,
) -> int:
    """Print the project's packs, or the PRODUCTS named (gear-cards, frontiers:gear-cards), or all of a pack (frontiers)."""
    wanted = tuple(form.strip() for form in forms.split(",") if form.strip())
    for form in wanted or ("",):
        if form not in ("pdf", "png"):
            raise click.BadParameter(f"{form!r} is none of pdf, png", param_hint="--format")
    patterns = tuple(_pattern(text) for text in only)
    started = monotonic()
    workers = jobs or min(8, os.cpu_count() or 1)
    with Typesetter(workers=workers) as typesetter:
        named = tuple(p.partition(":")[0] for p in (*products, *only))
        project = read(*where, named=named)
        keep = None
        if condition is not None:
            chosen = select(project, condition)
            if isinstance(chosen, str):
                raise click.BadParameter(chosen, param_hint="--where")
            keep = chosen
        packs = _packs(project, products, named)
        if not packs:
            tell(project, of_the_project(project.diagnostics))
            raise click.UsageError(_nothing(project, products))
        asked = Asked(packs, products, patterns, keep)
        whole = not products and not only and condition is None and out is None
        options = Options(asked, out or project.root / "dist", paper, wanted, workers, whole)
        try:
            built = build(project, options, typesetter, tell=_progress())
        except OutputRefused as refused:
            tell(project, [refused.diagnostic])
            return 1
    found = of_the_project((*project.diagnostics, *built.diagnostics))
    tell(project, found)
    _report(built, options, monotonic() - started)
    closing(found)
    return 1 if built.stale else code_of(found, strict=strict)


def _packs(project: Project, products: tuple[str, ...], named: tuple[str, ...]) -> tuple[str, ...]:
    packs = project.library.packs
    own = [pack.id for pack in packs.values() if pack.own]
    known = [pack for pack in named if pack in packs]
    if products and all(":" in p or p in packs for p in products):
        return tuple(dict.fromkeys(known))
    return tuple(dict.fromkeys([*own, *known]))


def _nothing(project: Project, products: tuple[str, ...]) -> str:
    """What to say where no pack is meant: the project has none, and no shipped game is named."""
    library = project.library
    there = [f"{owner}:{entry.id}" for (owner, kind), group in sorted(library.by_kind.items()) if kind == "product" for entry in group]
    near = [hint for name in products for hint in did_you_mean(name, [*there, *(t.partition(":")[2] for t in there)])]
    said = f"there is no product {products[0]!r}" if products else "this project has no packs of its own"
    listed = ", ".join(there)
    return f"{said}; {near[0] if near else f'name one of a shipped game: {listed}'}"


def _pattern(text: str) -> tuple[str, int | None]:
    name, sign, count = text.rpartition("=")
    if not sign:
        return text, None
    if not count.isdigit() or not 0 < int(count) <= 1000:
        raise click.BadParameter(f"{text!r}: expected a number of copies from 1 to 1000 after the `=`", param_hint="--only")
    return name, int(count)


def _report(built: Built, options: Options, seconds: float) -> None:
    published = built.published
    for name in sorted((*published.written, *published.same)):
        write(shown(options.out / name))
    for name in published.removed:
        write(f"removed {shown(options.out / name)}", err=True)
    for name in built.stale:
        write(f"stale: {name} keeps its old file", err=True)
    count = len(published.written) + len(published.same)
    write(f"{count} {'file' if count == 1 else 'files'} ({len(published.written)} new) in {seconds:.1f} s", err=True)


def _progress() -> Callable[[str, int, int], None]:
    """A bar on a terminal, nothing elsewhere: what is written is listed at the end."""
    if not sys.stderr.isatty():
        return lambda what, done, of: None

    def bar(what: str, done: int, of: int) -> None:
        filled = 24 * done // of if of else 24
        end = "\r" if done < of else "\r\x1b[K"
        sys.stderr.write(f"\r{what} [{'#' * filled}{'.' * (24 - filled)}] {done}/{of}{end}")
        sys.stderr.flush()

    return bar

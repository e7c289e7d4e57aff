"""The command that prints: build."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seasons_build.cli.talk import colors, shown, write, write_kept
from seasons_build.sources import open_sources
from seasons_build.store import Store
from seasons_build.unchanged import Inputs, Said, kind_of

if TYPE_CHECKING:
    from seasons_build.core.paper import Flip


@click.command("build")
@click.argument("products", nargs=-1)
@click.option("--only", multiple=True, metavar="ENTRY[=N]", help="Only these entries (`*` for any letters), N copies. May be repeated.")
@click.option("--where", "condition", metavar="EXPR", help="Only entries that meet a condition, as 'demand > 3'.")
@click.option("--changed", is_flag=True, help="Only the cards that are not as in the deck that was printed last.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="The output folder (else `dist` in the project).")
@click.option("--paper", metavar="PAPER", help="The paper in your printer: a4 or letter.")
@click.option("--profile", metavar="NAME", help="Where it is printed: home-gutter, makeplayingcards ... or your own (profiles/NAME.yaml).")
@click.option("--flip", type=click.Choice(("long", "short")), help="The edge about which your printer turns a sheet for its back (long).")
@click.option("--back-offset", metavar="X,Y", help="Move backs, in mm to the right and up, against a printer's slip.")
@click.option("--scale", default="1", metavar="N", help="Large print: cards, or the type of pages, so many times as large, as 1.25.")
@click.option("--ink", type=click.Choice(("friendly",)), help="friendly: fills become lines, to save ink.")
@click.option("--format", "forms", default="pdf", metavar="FORM", help="pdf (the usual), png (a picture of each card), or pdf,png.")
@click.option("--target", type=click.Choice(("commercial",)), help="commercial: print nothing that may not be sold.")
@click.option("--flat", is_flag=True, help="Sheets without fields to fill in.")
@click.option("--jobs", metavar="N", type=click.IntRange(1, 64), help="How many typesetters work at once (one a core, at most 8).")
@click.option("--strict", is_flag=True, help="Let warnings fail, too.")
@click.option("--fit-report", is_flag=True, help="List the cards that were set smaller, from what and to what.")
@click.option("--timings", is_flag=True, help="Say where the time went.")
@click.pass_context
def build_command(
    context: click.Context,
    products: tuple[str, ...],
    only: tuple[str, ...],
    condition: str | None,
    changed: bool,
    out: Path | None,
    paper: str | None,
    profile: str | None,
    flip: Flip | None,
    back_offset: str | None,
    scale: str,
    ink: str | None,
    forms: str,
    target: str | None,
    flat: bool,
    jobs: int | None,
    strict: bool,
    fit_report: bool,
    timings: bool,
) -> int:
    """Print the project's packs into `dist`, or only the PRODUCTS named.

    A product is a deck, a sheet, a book: `gear-cards` of the project's own packs, `frontiers:gear-cards` of a game. `frontiers` alone is
    all that a game prints. A name that there is none of is answered with those that there are.
    """
    where: tuple[Path | None, tuple[Path, ...]] = context.obj
    sources, root = open_sources(*where)
    # How a build is done is no part of what it is: jobs and timings change no byte.
    words = {name: value for name, value in context.params.items() if name not in ("jobs", "timings")}
    kind = kind_of({**words, "where": where, "here": Path.cwd()})
    with Store(root) as store:
        inputs = Inputs(sources, store, kind)
        said = None if fit_report else inputs.answer()
        if said is not None:
            return _again(said, timings=timings)
        # Only now: the answer to a build in which nothing has changed needs none of it, and what was typed is what had been typed then.
        from seasons_build.pipeline.ahead import Ahead, how_many, known_tools

        workers = jobs or min(8, os.cpu_count() or 1)
        changes, tools = inputs.changed(), known_tools(store)
        with Ahead(how_many(changes, tools, workers)) as ahead:
            # And all the rest while they start.
            inputs.note_program()
            from seasons_build.pipeline.start import Typesetter, set_last

            with Typesetter(workers=workers, ahead=ahead) as typesetter:
                before = set_last(store) if ahead.started else None
                if before is not None:
                    typesetter.open(*before)  # most likely it is wanted again; if it is another now, that takes its place
                from seasons_build.cli.building import Begun, Order, carry_out
                from seasons_build.cli.typed import forms_of, offset, pattern, scale_of
                from seasons_build.core.profile import Wishes

                wishes = Wishes(paper, profile, flip, offset(back_offset), scale_of(scale), ink or "", flat)
                chosen = tuple(map(pattern, only))
                more = {"fit_report": fit_report, "for_sale": target is not None, "changed": changed}
                order = Order(products, chosen, condition, out, wishes, forms_of(forms), workers, strict, timings, **more)
                return carry_out(order, sources, root, store, Begun(inputs, changes, tools, typesetter, before))


def _again(said: Said, *, timings: bool) -> int:
    """Tells what the last build told: nothing has changed since."""
    write_kept(said.colored if colors() else said.plain)
    for name in said.files:
        write(shown(Path(name)))
    for name in said.stale:
        write(f"stale: {name} keeps its old file", err=True)
    count = len(said.files)
    write(f"{count} {'file' if count == 1 else 'files'} (0 new): nothing has changed", err=True)
    write(said.closing, err=True)
    if timings:
        write("no time went anywhere", err=True)
    return said.code

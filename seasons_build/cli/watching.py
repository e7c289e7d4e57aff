"""The command that builds again after each change: watch."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from seasons_build.cli.building import Order, OutputRefused, Shop, never_there
from seasons_build.cli.rounds import rounds
from seasons_build.cli.stopwatch import Stopwatch
from seasons_build.cli.talk import colors, shown, tell, write, write_safe
from seasons_build.cli.typed import forms_of
from seasons_build.core.profile import Wishes
from seasons_build.core.stopping import is_ctrl_c
from seasons_build.core.unheard import is_unheard
from seasons_build.report import render, summary
from seasons_build.sources import open_sources


@click.command("watch")
@click.argument("products", nargs=-1)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="The output folder (else `dist` in the project).")
@click.option("--paper", metavar="PAPER", help="The paper in your printer: a4 or letter.")
@click.option("--format", "forms", default="pdf", metavar="FORM", help="pdf (the usual), png (a picture of each card), or pdf,png.")
@click.option("--jobs", metavar="N", type=click.IntRange(1, 64), help="How many typesetters work at once (one a core, at most 8).")
@click.option("--timings", is_flag=True, help="Say where the time of each build went.")
@click.pass_obj
def watch_command(
    where: tuple[Path | None, tuple[Path, ...]],
    products: tuple[str, ...],
    out: Path | None,
    paper: str | None,
    forms: str,
    jobs: int | None,
    timings: bool,
) -> int:
    """Print as `build` does, and again whenever a file of the project is saved. Ctrl-C ends it."""
    workers = jobs or min(8, os.cpu_count() or 1)
    return keep_watch(Order(products, (), None, out, Wishes(paper=paper), forms_of(forms), workers, False, timings, steady=True), where)


def keep_watch(order: Order, where: tuple[Path | None, tuple[Path, ...]]) -> int:
    """Builds, and builds again after each change, until Ctrl-C ends it or nobody listens; where a product is asked for that there is
    none of, only once. Gives the exit code."""
    try:
        for shop, changed in rounds(order, where):
            if not _again(shop, order, where, changed):
                return 1
            if is_unheard(sys.stdout) or is_unheard(sys.stderr):
                return 0
            if changed is None:
                write("watching; Ctrl-C ends it", err=True)
    except KeyboardInterrupt:
        if not is_ctrl_c():
            raise
        write("\nwatching no more: the files of the last build stay as they are", err=True)
    return 0


def _again(shop: Shop, order: Order, where: tuple[Path | None, tuple[Path, ...]], changed: tuple[str, ...] | None) -> bool:
    """A build of the files as they are now, told by what it changes; where nothing has changed only if it changes something. The first one
    (None) is told always, and raises what click makes a word on usage of. Gives whether it is worth going on."""
    if changed:
        write(_in_words(changed), err=True)
    made = shop.press.made
    while True:
        watch = Stopwatch()
        try:
            done = shop.once(order, *open_sources(*where), watch)
        except OutputRefused as refused:
            write_safe(render([refused.diagnostic], "text", lambda _: None, color=colors()))
            return True
        except click.UsageError as error:
            if changed is None:
                raise
            write(f"nothing is built: {error.format_message()}", err=True)
            return True
        if done is not None:
            break
    shop.store.close()
    published = done.built.published
    if changed == () and not (published.written or published.removed):
        return True
    tell(done.project, done.found)
    for name in sorted(published.written):
        write(shown(done.options.out / name))
    for name in published.removed:
        write(f"removed {shown(done.options.out / name)}", err=True)
    for name in done.built.stale:
        write(f"stale: {name} keeps its old file", err=True)
    count, pages = len(published.written), shop.press.made - made
    write(f"{count} {'file' if count == 1 else 'files'} new, {pages} typeset, in {watch.seconds():.2f} s; {summary(done.found)}", err=True)
    if order.timings:
        watch.report("")
    return changed is not None or not never_there(done.project, done.found)


def _in_words(changed: tuple[str, ...], most: int = 3) -> str:
    names = ", ".join(changed[:most])
    return f"changed: {names}" if len(changed) <= most else f"changed: {names} and {len(changed) - most} more"

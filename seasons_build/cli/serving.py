"""The command that shows in a browser what will print: serve."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click

from seasons_build.cli.building import Order, Shop, never_there
from seasons_build.cli.gallery import Gallery
from seasons_build.cli.rounds import rounds
from seasons_build.cli.stopwatch import Stopwatch
from seasons_build.cli.talk import tell, write
from seasons_build.core.profile import Wishes
from seasons_build.core.stopping import is_ctrl_c
from seasons_build.pipeline.build import Seen
from seasons_build.pipeline.read import Project
from seasons_build.serve import Server
from seasons_build.sources import open_sources

PORT = 8700
_PAUSE_SECONDS = 0.4
"""How long what is seen stays as it is, while more is typeset."""
_TRIES = 20
"""Ports from the usual one on that are tried where no port is asked for."""


@click.command("serve")
@click.argument("products", nargs=-1)
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), help=f"The port (the first free one from {PORT} on; 0 for any).")
@click.option("--jobs", metavar="N", type=click.IntRange(1, 64), help="How many typesetters work at once (one a core, at most 8).")
@click.option("--open", "launch", is_flag=True, help="Open the page in the browser.")
@click.pass_obj
def serve_command(
    where: tuple[Path | None, tuple[Path, ...]], products: tuple[str, ...], port: int | None, jobs: int | None, launch: bool
) -> int:
    """Show cards, pages and sheets in the browser as they will print, anew after each save. Ctrl-C ends it.

    The page can be seen on this machine alone. Nothing is written but the cache.
    """
    gallery = Gallery()
    try:
        server = _listening(gallery, port)
    except OSError as error:
        raise click.UsageError(f"the port {port} cannot be used: {(error.strerror or str(error)).lower()}") from error
    try:
        address = f"http://127.0.0.1:{server.port}/"
        write(address)
        if launch:
            click.launch(address)
        order = Order(products, (), None, None, Wishes(), ("pdf",), jobs or min(8, os.cpu_count() or 1), False, False, steady=True)
        return _keep_showing(order, where, gallery, server)
    except KeyboardInterrupt:
        if not is_ctrl_c():
            raise
        write("\nthe page is closed", err=True)
        return 0
    finally:
        server.stop()


def _listening(gallery: Gallery, port: int | None) -> Server:
    """A server that listens. Raises OSError where no port can be had."""
    for number in [port] if port is not None else [*range(PORT, PORT + _TRIES), 0]:
        server = Server(gallery.answer)
        try:
            server.start(number)
        except OSError:
            if port is not None:
                raise
            continue
        return server
    raise OSError("no port is free")


def _keep_showing(order: Order, where: tuple[Path | None, tuple[Path, ...]], gallery: Gallery, server: Server) -> int:
    """Shows, and shows anew after each change, until it is interrupted; where a product is asked for that there is none of, not at all.
    Gives the exit code."""
    for shop, changed in rounds(order, where):
        if changed is None or changed:
            looked = _look(shop, order, where, _now_and_then(gallery, server), first=changed is None)
            if looked is not None and changed is None and never_there(looked[0], looked[1].diagnostics):
                tell(looked[0], looked[1].diagnostics)
                return 1
            if looked is not None:
                gallery.show(*looked)
                shop.store.close()
                server.tell()
    return 0


def _now_and_then(gallery: Gallery, server: Server) -> Callable[[Project, Seen, float], None]:
    """Shows what there is already while more is typeset: at once, then whenever it has stood for a moment, and all cards before the
    first pages."""
    shown = -_PAUSE_SECONDS

    def show(project: Project, seen: Seen, seconds: float) -> None:
        nonlocal shown
        if (seen.cards_set or seconds - shown >= _PAUSE_SECONDS) and not never_there(project, seen.diagnostics):
            gallery.show(project, seen, seconds)
            server.tell()
            shown = seconds

    return show


def _look(
    shop: Shop,
    order: Order,
    where: tuple[Path | None, tuple[Path, ...]],
    show: Callable[[Project, Seen, float], None],
    *,
    first: bool,
) -> tuple[Project, Seen, float] | None:
    """Works the files out as they are now: the project, what there is to see of it, and the seconds it took; None where nothing is meant.
    What there is already is shown meanwhile. The `first` time what means nothing raises what click makes a word on usage of."""
    while True:
        watch = Stopwatch()
        try:
            looked = shop.look(order, *open_sources(*where), watch, show)
        except click.UsageError as error:
            if first:
                raise
            write(f"nothing to show: {error.format_message()}", err=True)
            return None
        if looked is not None:
            return *looked, watch.seconds()

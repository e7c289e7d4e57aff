"""What `watch` and `serve` go round in: typesetters that stay warm, and a round whenever a file of the project is saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seasons_build.cli.building import Order, Shop
from seasons_build.pipeline.decks import Decks
from seasons_build.pipeline.files import Bindery
from seasons_build.pipeline.kept import KeptFonts, KeptPress, KeptReader
from seasons_build.pipeline.start import Typesetter
from seasons_build.sources import AREAS, open_sources
from seasons_build.store import Store
from seasons_build.watch import changes


def rounds(order: Order, where: tuple[Path | None, tuple[Path, ...]]) -> Iterator[tuple[Shop, tuple[str, ...] | None]]:
    """The shop to build in, and the files that have changed since the round before: None in the first one, none at all where something
    happened and nothing is different. Ends with an interrupt."""
    root = open_sources(*where)[1]
    folders = [root / area for area in AREAS] + [path.resolve() for path in where[1]]

    def look() -> dict[str, list[int]]:
        found = open_sources(*where)[0]
        return {name: found.stamp(name) for name in found.names()}

    with Store(root) as store, Typesetter(workers=order.workers, at_once=1) as typesetter:
        press, reader = KeptPress(typesetter, store, hold=True), KeptReader(store, hold=True)
        decks = Decks(store, press.around, lasting=True)
        shop = Shop(store, press, reader, Bindery(KeptFonts(store).parts, press.book, lasting=True), decks)
        try:
            seen = look()
            yield shop, None
            for changed in changes(look, folders, seen):
                yield shop, changed
        finally:
            reader.close()

"""What commands ask of this machine and of what builds left on it: where packs come from, whether pages can be typeset, what to remove.

In: folders as named on the command line. Out: plain facts; nothing here prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from seasons_build.core.finding import Finding
from seasons_build.core.record import dataclass
from seasons_build.publish import Output, OutputRefused
from seasons_build.sources import open_sources
from seasons_build.store import remove
from seasons_build.typeset.typesetter import Typesetter

__all__ = ["Found", "OutputRefused", "Setting", "clean", "look", "try_typesetter"]


@dataclass(frozen=True, slots=True)
class Found:
    """The project's folder, the packs of its own, and those that the package ships, by id."""

    root: Path
    own: tuple[str, ...]
    shipped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """Whether pages can be typeset: the fault that stands in the way, or the versions of the tools; and whether the system keeps what
    typesets from any network."""

    fault: Finding | None
    versions: Mapping[str, str]
    alone: bool


def look(project: Path | None, extra: tuple[Path, ...] = ()) -> Found:
    """What project a folder lies in, and which packs there are."""
    sources, root = open_sources(project, extra)
    own = tuple(pack.id for pack in sources.packs.values() if pack.own)
    return Found(root, own, tuple(pack.id for pack in sources.packs.values() if pack.shipped))


def try_typesetter() -> Setting:
    """Starts a typesetter to see whether it can; takes about a second."""
    with Typesetter(workers=1) as typesetter:
        return Setting(typesetter.fault(), typesetter.versions(), typesetter.alone())


def _emptied(folder: Path) -> list[Path]:
    """The folder itself, where nothing is left in it and it is gone, too."""
    try:
        folder.rmdir()
    except OSError:
        return []
    return [folder]


def clean(project: Path | None, extra: tuple[Path, ...], out: Path | None) -> tuple[Path, ...]:
    """Removes what builds wrote into the output folder, and the cache; gives what is gone.

    Raises `OutputRefused` where the output folder is none that builds write into.
    """
    _, root = open_sources(project, extra)
    folder = out or root / "dist"
    gone: list[Path] = []
    output = Output(folder, root)
    if output.marked:
        with output:
            gone += [folder / name for name in output.clean()]
        gone += _emptied(folder)
    cache = remove(root)
    return (*gone, *((cache,) if cache is not None else ()))

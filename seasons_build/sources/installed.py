"""Packs that Python packages bring (part of sources).

A package names them among its entry points, in the group `seasons_build.packs`: the name is the pack's id, the value the package in whose
folder its `pack.yaml` lies. Nothing of such a package is imported: its folder is looked up, and read like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.machinery import PathFinder
from importlib.metadata import entry_points
from pathlib import Path

from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.sources.trees import DiskTree, Tree

MANIFEST = "pack.yaml"
GROUP = "seasons_build.packs"


def installed_packs(limits: Limits = DEFAULT) -> Mapping[str, Tree]:
    """The packs of all packages that are installed, by id; of two of one id the first by the name of its package."""
    found: dict[str, Tree] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        folder = _folder(point.value)
        if folder is not None:
            found.setdefault(point.name, DiskTree(folder, ("",), limits, links=False))
    return found


def _folder(package: str) -> Path | None:
    """The folder of a package, which is not imported."""
    first, *rest = package.split(".")
    spec = PathFinder.find_spec(first)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    for place in places:
        folder = Path(place, *rest)
        if (folder / MANIFEST).is_file():
            return folder
    return None

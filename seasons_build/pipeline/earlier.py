"""A project or a pack as it was: another folder, an archive, a revision of git. In: what was asked for. Out: a `Project` with the ids of
the packs that it is about, or why there is none."""

from __future__ import annotations

import os
from pathlib import Path

from seasons_build.pipeline.read import Project, read_sources
from seasons_build.sources import AREAS, MANIFEST, DiskTree, MemoryTree, Sources, Tree, open_sources, pack_tree, shipped_root


def read_earlier(old: str, root: Path, extra: tuple[Path, ...] = ()) -> tuple[Project, frozenset[str]] | str:
    """What `old` names, as it stands there: a pack's folder or archive, a project's folder, else a revision of the project in `root`."""
    place = Path(old)
    shipped = DiskTree(shipped_root())
    if place.is_file() or (place / MANIFEST).is_file():
        trees = {str(path).replace(os.sep, "/"): pack_tree(path) for path in (*extra, place)}
        sources = Sources(MemoryTree({}), shipped, trees)
        found = read_sources(sources, place)
        label = str(place).replace(os.sep, "/")
        about = frozenset(pack.id for pack in sources.packs.values() if pack.folder == f"{label}/")
        return (found, about) if about else f"`{old}` is no pack: {sources.refused.get(label, 'there is no `pack.yaml` in it')}"
    if place.is_dir():
        sources, folder = open_sources(place, extra)
        if os.path.realpath(folder) != os.path.realpath(place):
            return f"`{old}` is no project and no pack, but a folder in the project `{folder}`"
        if not (place / AREAS[0]).is_dir():
            return f"`{old}` is no project and no pack: there is no `{AREAS[0]}` and no `{MANIFEST}` in it"
    else:
        from seasons_build.sources.revision import tree_at

        tree = tree_at(root, old)
        if isinstance(tree, str):
            return f"`{old}` is no folder, no archive and no revision of the project ({tree})"
        same = os.path.realpath(root) == os.path.realpath(shipped_root())
        there: Tree = tree if same else shipped
        sources, folder = Sources(tree, there, project_is_shipped=same), root
    about = frozenset(pack.id for pack in sources.packs.values() if pack.own)
    return (read_sources(sources, folder), about) if about else f"there is no pack in `{old}`"

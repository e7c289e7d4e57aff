"""The one door to files: what packs there are and what lies in them.

In: a project folder, packs named on the command line, and what the package ships, each as a `Tree`. Out: `Sources`, which lists packs
and reads bytes by the name that the author sees. `MemoryTree` is the twin for tests.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from seasons_build.core.files import is_inside, read_regular
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.tools import stamp

AREAS = ("content", "schemas", "templates", "profiles")
INSIDE_A_PACK = ("schemas", "templates", "lang", "art")
MANIFEST = "pack.yaml"
BASE = "base"
CORE = "core"
PROFILES = "profiles"
LEADS_OUT = "it is a link that leads out of the folder"
NO_LINKS = "it is a link, and a pack from elsewhere may hold none"


class CannotRead(Exception):
    """A file that is there cannot be read; `name` is what the author calls it, `why` is in plain words."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.name = name
        self.why = why


class Tree(Protocol):
    """A folder with `content/`, `schemas/`, `templates/` and `profiles/` in it."""

    def names(self) -> tuple[str, ...]:
        """The files below the areas, with forward slashes, in order."""
        ...

    def read(self, name: str) -> bytes:
        """The bytes of one of them; raises `CannotRead`."""
        ...

    def stamp(self, name: str) -> list[int]:
        """What the system tells of a file without opening it: whether it is the one seen before. Empty where it cannot be told."""
        ...

    def shut(self) -> Mapping[str, str]:
        """The folders that cannot be looked into, and why; known once `names` was asked for."""
        ...


@dataclass(frozen=True, slots=True)
class MemoryTree:
    """Files held in memory."""

    files: Mapping[str, bytes]

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self.files))

    def read(self, name: str) -> bytes:
        return self.files[name]

    def stamp(self, name: str) -> list[int]:
        return [len(self.files[name]), hash(self.files[name])]

    def shut(self) -> Mapping[str, str]:
        return {}


@dataclass(frozen=True, slots=True)
class LaidOver:
    """A tree with files laid over it: as if they had been written."""

    tree: Tree
    files: Mapping[str, bytes]

    def names(self) -> tuple[str, ...]:
        return tuple(sorted({*self.tree.names(), *self.files}))

    def read(self, name: str) -> bytes:
        return self.files[name] if name in self.files else self.tree.read(name)

    def stamp(self, name: str) -> list[int]:
        return [] if name in self.files else self.tree.stamp(name)

    def shut(self) -> Mapping[str, str]:
        return self.tree.shut()


@dataclass(frozen=True, slots=True)
class DiskTree:
    """Files of a folder on disk. Links to files in it are followed. Links out of it are shut, as folders are that may not be looked into;
    those to folders in it, which may lead in a circle, are left out, and so is what is no regular file. Without `links` all are shut."""

    root: Path
    areas: tuple[str, ...] = AREAS
    limits: Limits = DEFAULT
    links: bool = True
    _shut: dict[str, str] = field(default_factory=dict)

    def names(self) -> tuple[str, ...]:
        found: list[str] = []
        for area in self.areas:
            if is_inside(self.root / area, self.root):
                self._walk(area, found)
            else:
                self._shut[area] = LEADS_OUT
        return tuple(sorted(found))

    def read(self, name: str) -> bytes:
        try:
            # One byte more than a file may have shows that it has too many, without reading the rest.
            return read_regular(self.root / name, self.limits.image_bytes + 1)
        except OSError as error:
            raise CannotRead(name, _why(error)) from error

    def stamp(self, name: str) -> list[int]:
        return stamp(os.path.join(self.root, name))

    def shut(self) -> Mapping[str, str]:
        return self._shut

    def _walk(self, folder: str, found: list[str]) -> None:
        try:
            entries = sorted(os.scandir(self.root / folder if folder else self.root), key=lambda e: e.name)
        except FileNotFoundError:
            return
        except OSError as error:
            self._shut[folder] = _why(error)
            return
        for entry in entries:
            if entry.name.startswith("."):
                continue
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_symlink() and (not self.links or not is_inside(entry.path, self.root)):
                self._shut[name] = LEADS_OUT if self.links else NO_LINKS
                continue
            if entry.is_dir(follow_symlinks=False):
                self._walk(name, found)
            elif entry.is_file():
                found.append(name)


@dataclass(frozen=True, slots=True)
class PackFiles:
    """The files of one pack, by the names that `Sources.read` takes. `own` packs are what `seasons build` builds."""

    id: str
    own: bool
    content: tuple[str, ...]
    schemas: tuple[str, ...]
    templates: tuple[str, ...]
    manifest: str | None
    folder: str


class Sources:
    """Packs and files of a run. Names of the project's files are relative to it; others begin with where they come from."""

    def __init__(self, project: Tree, shipped: Tree, extra: Mapping[str, Tree] | None = None, *, project_is_shipped: bool = False) -> None:
        self._where: dict[str, tuple[Tree, str]] = {}
        self.packs: dict[str, PackFiles] = {}
        """By id, in order; the project's own packs hide shipped ones of the same name."""
        self.clashes: list[tuple[str, str, str]] = []
        """Packs of one id from two places: id, folder used, folder left out."""
        self.shut: dict[str, str] = {}
        """Folders that cannot be looked into, and why."""
        self.digests: dict[str, str] = {}
        """The SHA-256 of each file that was read."""
        shipped_names = self._remember(shipped, "" if project_is_shipped else "seasons:")
        self.core_schemas = tuple(n for n in shipped_names if _below(n, f"schemas/{CORE}/"))
        self.base_templates = tuple(n for n in shipped_names if _below(n, f"templates/{BASE}/"))
        shipped_profiles = [n for n in self.base_templates if _below(n, f"templates/{BASE}/{PROFILES}/")]
        self.fonts = tuple(n for n in shipped_names if _below(n, "templates/fonts/") and n.endswith((".ttf", ".otf")))
        own_names = () if project_is_shipped else self._remember(project, "")
        self._packs_of(own_names, own=True)
        listed = (*shipped_profiles, *(n for n in (own_names or shipped_names) if n.startswith(f"{PROFILES}/")))
        self.profiles = {n.rpartition("/")[2].removesuffix(".yaml"): n for n in listed if n.endswith(".yaml")}
        """Files of profiles by id; the project's own hide shipped ones of the same name."""
        for label, tree in sorted((extra or {}).items()):
            self._pack_folder(label, self._remember(tree, f"{label}/"))
        self._packs_of(shipped_names, own=project_is_shipped)

    def read(self, name: str) -> bytes:
        """The bytes of a file; raises `CannotRead` with the author's name for it."""
        tree, inner = self._where[name]
        try:
            data = tree.read(inner)
        except CannotRead as error:
            raise CannotRead(name, error.why) from error
        self.digests[name] = sha256(data).hexdigest()
        return data

    def names(self) -> tuple[str, ...]:
        """Every file there is, in order."""
        return tuple(sorted(self._where))

    def stamp(self, name: str) -> list[int]:
        """What the system tells of a file without opening it."""
        tree, inner = self._where[name]
        return tree.stamp(inner)

    def inner(self, name: str) -> str:
        """The name of a file inside its own tree: the same wherever the tree lies."""
        return self._where[name][1]

    def _remember(self, tree: Tree, prefix: str) -> tuple[str, ...]:
        names = tree.names()
        self.shut |= {prefix + folder: why for folder, why in tree.shut().items()}
        for name in names:
            self._where[prefix + name] = (tree, name)
        return tuple(prefix + name for name in names)

    def _packs_of(self, names: tuple[str, ...], *, own: bool) -> None:
        folders: dict[str, list[str]] = {}
        for name in names:
            area, _, rest = _bare(name).partition("/")
            folder, slash, _ = rest.partition("/")
            if area == "content" and slash:
                folders.setdefault(folder, []).append(name)
        prefix = names[0][: len(names[0]) - len(_bare(names[0]))] if names else ""
        for folder, content in folders.items():
            base = f"{prefix}content/{folder}/"
            schemas = [n for n in names if _below(n, f"schemas/{folder}/")]
            templates = [n for n in names if _below(n, f"templates/{folder}/")]
            self._add(folder, own, base, content, schemas, templates)

    def _pack_folder(self, label: str, names: tuple[str, ...]) -> None:
        folder = label.rstrip("/").replace("\\", "/").rpartition("/")[2] or label
        self._add(folder, False, f"{label}/", list(names), [], [])

    def _add(self, folder: str, own: bool, base: str, content: list[str], schemas: list[str], templates: list[str]) -> None:
        def top(name: str) -> str:
            return name[len(base) :].partition("/")[0] if "/" in name[len(base) :] else ""

        files = PackFiles(
            id=folder,
            own=own,
            content=tuple(n for n in content if n.endswith((".yaml", ".yml")) and top(n) not in INSIDE_A_PACK and n != base + MANIFEST),
            schemas=tuple(n for n in [*schemas, *(n for n in content if top(n) == "schemas")] if n.endswith(".json")),
            templates=(*templates, *(n for n in content if top(n) == "templates")),
            manifest=base + MANIFEST if base + MANIFEST in content else None,
            folder=base,
        )
        if folder in self.packs:
            self.clashes.append((folder, self.packs[folder].folder, base))
        else:
            self.packs[folder] = files


def open_sources(
    project: Path | None, extra: tuple[Path, ...] = (), limits: Limits = DEFAULT, over: Mapping[str, bytes] | None = None
) -> tuple[Sources, Path]:
    """The sources of the project that `project` (or else the current folder) lies in, and the project's folder. `over` are files of the
    project that are read as if they had been written."""
    root = find_project(project or Path.cwd())
    shipped = shipped_root()
    trees = {str(path).replace(os.sep, "/").rstrip("/"): DiskTree(path, ("",), limits, links=False) for path in extra}
    same = os.path.realpath(root) == os.path.realpath(shipped)
    disk = DiskTree(root, limits=limits)
    own: Tree = LaidOver(disk, over) if over else disk
    return Sources(own, own if same else DiskTree(shipped, limits=limits), trees, project_is_shipped=same), root


def find_project(start: Path) -> Path:
    """The nearest folder upward that has `content/`; without one, `start` itself."""
    start = start.absolute()
    for folder in (start, *start.parents):
        if (folder / "content").is_dir():
            return folder
    return start


def shipped_root() -> Path:
    """Where the package keeps the games, schemas and templates that it ships: in a wheel inside the package, in a clone beside it."""
    package = Path(__file__).resolve().parent
    return package / "shipped" if (package / "shipped").is_dir() else package.parent


def _bare(name: str) -> str:
    return name.partition(":")[2] if name.startswith("seasons:") else name


def _below(name: str, folder: str) -> bool:
    return _bare(name).startswith(folder)


def _why(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "it may not be read (permission denied)"
    if isinstance(error, FileNotFoundError):
        return "it is no longer there"
    return (error.strerror or str(error)).lower()

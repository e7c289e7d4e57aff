"""The one door to files: what packs there are and what lies in them.

In: a project folder, packs named on the command line (folders or archives), what the package ships, each as a `Tree`, and Python packages
that bring packs. Out: `Sources`, which lists packs and reads bytes by the name that the author sees. `MemoryTree` is the twin for tests.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.named import NamedTuple
from seasons_build.sources.naming import bad_name, is_device, meant_name, one_on_some_machines
from seasons_build.sources.trees import AREAS, CannotRead, DiskTree, LaidOver, MemoryTree, Tree

__all__ = [
    "AREAS",
    "BASE",
    "CORE",
    "MANIFEST",
    "PROFILES",
    "SHIPPED",
    "CannotRead",
    "DiskTree",
    "LaidOver",
    "MemoryTree",
    "PackFiles",
    "Sources",
    "Tree",
    "bad_name",
    "find_project",
    "is_device",
    "kind_of",
    "meant_name",
    "one_on_some_machines",
    "open_sources",
    "pack_tree",
    "refusal",
    "shipped_root",
]

INSIDE_A_PACK = ("schemas", "templates", "lang", "art")
MANIFEST = "pack.yaml"
BASE = "base"
CORE = "core"
PROFILES = "profiles"
RESERVED = (BASE, CORE, "fonts", "icons")
"""Names of folders of the language's own: no pack is called so."""
SHIPPED = "seasons:"
FONTS = (".ttf", ".otf")


class PackFiles(NamedTuple):
    """The files of one pack, by the names that `Sources.read` takes. `own` packs are what `seasons build` builds."""

    id: str
    own: bool
    content: tuple[str, ...]
    schemas: tuple[str, ...]
    templates: tuple[str, ...]
    manifest: str | None
    folder: str
    lang: tuple[str, ...] = ()
    art: tuple[str, ...] = ()
    added: bool = False
    """Whether it was named on the command line."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that it has, as its schemas are called; none of them need be read for that."""
        return tuple(map(kind_of, self.schemas))

    @property
    def shipped(self) -> bool:
        """Whether it comes with the program, and is not the project's own."""
        return self.folder.startswith(SHIPPED)


class Sources:
    """Packs and files of a run. Names of the project's files are relative to it; others begin with where they come from."""

    def __init__(
        self,
        project: Tree,
        shipped: Tree,
        extra: Mapping[str, Tree] | None = None,
        *,
        project_is_shipped: bool = False,
        installed: Callable[[], Mapping[str, Tree]] = dict,
    ) -> None:
        self._where: dict[str, tuple[Tree, str]] = {}
        self._installed = installed
        self._others: Mapping[str, Tree] | None = None
        self.packs: dict[str, PackFiles] = {}
        """By id, in order; the project's own packs hide shipped ones of the same name."""
        self.clashes: list[tuple[str, str, str]] = []
        """Packs of one id from two places: id, folder used, folder left out."""
        self.shut: dict[str, str] = {}
        """Folders that cannot be looked into, and why."""
        self.refused: dict[str, str] = {}
        """Archives that are not used, and why."""
        self.reserved: list[tuple[str, str]] = []
        """Packs that have a name of the language's own, and their folders."""
        self.digests: dict[str, str] = {}
        """The SHA-256 of each file that was read."""
        shipped_names = self._remember(shipped, "" if project_is_shipped else SHIPPED)
        self.core_schemas = tuple(n for n in shipped_names if _below(n, f"schemas/{CORE}/"))
        self.base_templates = tuple(n for n in shipped_names if _below(n, f"templates/{BASE}/"))
        shipped_profiles = [n for n in self.base_templates if _below(n, f"templates/{BASE}/{PROFILES}/")]
        self.fonts = tuple(n for n in shipped_names if _below(n, "templates/fonts/") and n.endswith(FONTS))
        own_names = () if project_is_shipped else self._remember(project, "")
        self._packs_of(own_names, own=True)
        listed = (*shipped_profiles, *(n for n in (own_names or shipped_names) if n.startswith(f"{PROFILES}/")))
        self.profiles = {n.rpartition("/")[2].removesuffix(".yaml"): n for n in listed if n.endswith(".yaml")}
        """Files of profiles by id; the project's own hide shipped ones of the same name."""
        for label, tree in sorted((extra or {}).items()):
            self._pack_folder(label, tree)
        self._packs_of(shipped_names, own=project_is_shipped)

    def seek(self, pack: str) -> bool:
        """Whether there is a pack of that id; where there is none yet, Python packages that bring packs are asked."""
        if pack not in self.packs:
            if self._others is None:
                self._others = self._installed()
            tree = self._others.get(pack)
            if tree is not None:
                label = str(tree)
                self._add(pack, False, f"{label}/", list(self._remember(tree, f"{label}/")), [], [])
        return pack in self.packs

    @property
    def known(self) -> tuple[str, ...]:
        """The ids of all packs that could be required, as far as packs have been sought."""
        return tuple(sorted({*self.packs, *(self._others or ())}))

    @property
    def complete(self) -> bool:
        """Whether all packs are as they were found at first: none was sought among Python packages."""
        return self._others is None

    def read(self, name: str) -> bytes:
        """The bytes of a file; raises `CannotRead` with the author's name for it."""
        tree, inner = self._where[name]
        try:
            data = tree.read(inner)
        except CannotRead as error:
            raise CannotRead(name, error.why) from error
        self.digests[name] = sha256(data).hexdigest()
        return data

    def digest(self, name: str) -> str:
        """The SHA-256 of a file as it is now, which does not count as reading it. Raises `CannotRead`."""
        tree, inner = self._where[name]
        return sha256(tree.read(inner)).hexdigest()

    def inside(self, pack: str) -> Iterator[tuple[str, str]]:
        """The files of a pack, each by its name inside an archive of the pack and by the name that `read` takes."""
        files = self.packs[pack]
        for name in self.names():
            if name.startswith(files.folder):
                yield name[len(files.folder) :], name
        outside = [name for name in (*files.schemas, *files.templates) if not name.startswith(files.folder)]
        for name in outside:
            area, _, rest = _bare(name).partition("/")
            yield f"{area}/{rest.partition('/')[2]}", name

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
        inside: dict[tuple[str, str], list[str]] = {}
        for name in names:
            area, _, rest = _bare(name).partition("/")
            folder, slash, _ = rest.partition("/")
            if slash:
                inside.setdefault((area, folder), []).append(name)
        prefix = names[0][: len(names[0]) - len(_bare(names[0]))] if names else ""
        for (area, folder), content in inside.items():
            if area == "content":
                schemas, templates = (inside.get((other, folder), []) for other in ("schemas", "templates"))
                self._add(folder, own, f"{prefix}content/{folder}/", content, schemas, templates)

    def _pack_folder(self, label: str, tree: Tree) -> None:
        names = self._remember(tree, f"{label}/")
        folder = label.rstrip("/").replace("\\", "/").rpartition("/")[2] or label
        refusal = tree.refusal()
        if refusal:
            self.refused[label] = refusal
            return
        self._add(tree.called() or folder, False, f"{label}/", list(names), [], [], added=True)

    def _add(
        self, folder: str, own: bool, base: str, content: list[str], schemas: list[str], templates: list[str], *, added: bool = False
    ) -> None:
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
            lang=tuple(n for n in content if top(n) == "lang" and n.endswith((".yaml", ".yml"))),
            art=tuple(n for n in content if top(n) == "art"),
            added=added,
        )
        if folder in RESERVED:
            self.reserved.append((folder, base))
        elif folder in self.packs:
            self.clashes.append((folder, self.packs[folder].folder, base))
        else:
            self.packs[folder] = files


def open_sources(
    project: Path | None, extra: tuple[Path, ...] = (), limits: Limits = DEFAULT, over: Mapping[str, bytes] | None = None
) -> tuple[Sources, Path]:
    """The sources of the project that `project` (or else the current folder) lies in, and the project's folder. `over` are files of the
    project, or others by the name that the author sees, that are read as if they had been written."""
    root = find_project(project or Path.cwd())
    shipped = shipped_root()
    over = over or {}
    labels = {str(path).replace(os.sep, "/").rstrip("/"): path for path in extra}
    trees = {label: _laid(pack_tree(path, limits), over, f"{label}/") for label, path in labels.items()}
    same = os.path.realpath(root) == os.path.realpath(shipped)
    elsewhere = (SHIPPED, *(f"{label}/" for label in labels))
    own = _laid(DiskTree(root, limits=limits), {name: data for name, data in over.items() if not name.startswith(elsewhere)}, "")
    there = own if same else _laid(DiskTree(shipped, limits=limits), over, SHIPPED)
    return Sources(own, there, trees, project_is_shipped=same, installed=lambda: _installed(limits)), root


def kind_of(schema: str) -> str:
    """The kind that a file with a schema is called after."""
    return schema.rpartition("/")[2].removesuffix(".json")


def refusal(archive: bytes, limits: Limits = DEFAULT) -> str:
    """Why an archive would not be used; empty where it would."""
    from seasons_build.sources.archive import refusal_of

    return refusal_of(archive, limits)


def _laid(tree: Tree, over: Mapping[str, bytes], prefix: str) -> Tree:
    files = {name.removeprefix(prefix): data for name, data in over.items() if name.startswith(prefix)}
    return LaidOver(tree, files) if files else tree


def pack_tree(path: Path, limits: Limits = DEFAULT) -> Tree:
    """A pack's folder, or the archive of one."""
    if path.is_dir():
        return DiskTree(path, ("",), limits, links=False)
    from seasons_build.sources.archive import ArchiveTree

    return ArchiveTree(path, limits)


def _installed(limits: Limits) -> Mapping[str, Tree]:
    from seasons_build.sources.installed import installed_packs

    return installed_packs(limits)


def find_project(start: Path) -> Path:
    """The nearest folder upward that has `content/`; without one, `start` itself."""
    start = start.absolute()
    for folder in (start, *start.parents):
        if (folder / "content").is_dir():
            return folder
    return start


def shipped_root() -> Path:
    """Where the package keeps the games, schemas and templates that it ships: in a wheel inside the package, in a clone beside it."""
    package = Path(__file__).resolve().parent.parent
    return package / "shipped" if (package / "shipped").is_dir() else package.parent


def _bare(name: str) -> str:
    return name.removeprefix(SHIPPED)


def _below(name: str, folder: str) -> bool:
    return _bare(name).startswith(folder)

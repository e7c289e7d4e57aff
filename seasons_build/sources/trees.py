"""Folders as the one door sees them: on disk, or in memory for tests (part of sources)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from seasons_build.core.files import is_inside, read_regular, reason_of
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.named import NamedTuple
from seasons_build.core.tools import stamp

AREAS = ("content", "schemas", "templates", "profiles")
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

    def refusal(self) -> str:
        """Why nothing of it is used; empty where it is."""
        ...

    def called(self) -> str:
        """The id of the pack that it is, where it says so itself; empty where its name does."""
        ...


class MemoryTree(NamedTuple):
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

    def refusal(self) -> str:
        return ""

    def called(self) -> str:
        return ""


class LaidOver(NamedTuple):
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

    def refusal(self) -> str:
        return ""

    def called(self) -> str:
        return ""


class DiskTree:
    """Files of a folder on disk. Links to files in it are followed. Links out of it are shut, as folders are that may not be looked into;
    those to folders in it, which may lead in a circle, are left out, and so is what is no regular file. Without `links` all are shut."""

    def __init__(self, root: Path, areas: tuple[str, ...] = AREAS, limits: Limits = DEFAULT, *, links: bool = True) -> None:
        self._root = root
        self._areas = areas
        self._limits = limits
        self._links = links
        self._shut: dict[str, str] = {}

    def __str__(self) -> str:
        return str(self._root).replace(os.sep, "/")

    def names(self) -> tuple[str, ...]:
        found: list[str] = []
        for area in self._areas:
            if is_inside(self._root / area, self._root):
                self._walk(area, found)
            else:
                self._shut[area] = LEADS_OUT
        return tuple(sorted(found))

    def read(self, name: str) -> bytes:
        try:
            # One byte more than a file may have shows that it has too many, without reading the rest.
            return read_regular(self._root / name, self._limits.image_bytes + 1)
        except OSError as error:
            raise CannotRead(name, why_of(error)) from error

    def stamp(self, name: str) -> list[int]:
        return stamp(os.path.join(self._root, name))

    def shut(self) -> Mapping[str, str]:
        return self._shut

    def refusal(self) -> str:
        return ""

    def called(self) -> str:
        return ""

    def _walk(self, area: str, found: list[str]) -> None:
        waiting = [area]
        while waiting:
            folder = waiting.pop()
            try:
                entries = sorted(os.scandir(self._root / folder), key=lambda e: e.name)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._shut[folder] = why_of(error)
                continue
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                name = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_symlink() and (not self._links or not is_inside(entry.path, self._root)):
                    self._shut[name] = LEADS_OUT if self._links else NO_LINKS
                    continue
                try:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(name)
                    elif entry.is_file():
                        found.append(name)
                except OSError as error:  # a link that leads to itself
                    self._shut[name] = why_of(error)


def why_of(error: OSError) -> str:
    """Why a file cannot be read, in plain words."""
    return "it is no longer there" if isinstance(error, FileNotFoundError) else reason_of(error)

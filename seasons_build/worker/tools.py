"""What sets type here: a digest of all that decides about its bytes, and the files by which a change of it is seen."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib import import_module

from seasons_build.core.tools import Tools

_MAPS = "/proc/self/maps"
"""Where Linux says which libraries a program has loaded."""
_VERSION = "Version:"
_INFO = ".dist-info"
"""How the folder ends in which an installed package says what it is."""


def installed(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The version of each package, and the folder that it lies in: as `importlib.metadata` finds them, which takes longer to import than
    this takes. Raises ImportError where one is missing."""
    wanted = {_plain(name): name for name in names}
    found: dict[str, tuple[str, str]] = {}
    for folder in filter(os.path.isdir, sys.path):
        for entry in sorted(os.listdir(folder)):
            name = wanted.get(_plain(entry.partition("-")[0])) if entry.endswith(_INFO) else None
            if name is not None and name not in found:
                found[name] = _version(os.path.join(folder, entry, "METADATA")), folder
    return {name: found.get(name) or _told(name) for name in wanted.values()}


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace(".", "_")


def _version(file: str) -> str:
    with open(file, encoding="utf-8") as lines:
        return next(line for line in lines if line.startswith(_VERSION)).removeprefix(_VERSION).strip()


def _told(name: str) -> tuple[str, str]:
    """The version and the folder of a package that is installed in another way."""
    package = import_module("importlib.metadata").distribution(name)
    return package.version, str(package.locate_file(""))


def tools(versions: Mapping[str, str], folders: Iterable[str]) -> Tools:
    """The tools of this process, once it has imported them. `folders` are those of packages, which are watched."""
    libraries = sorted(set(_libraries()))
    own = sorted(_own())
    found = sha256()
    for part in (
        json.dumps([dict(versions), sys.version], sort_keys=True).encode(),
        json.dumps([[os.path.basename(path), os.stat(path).st_size] for path in libraries]).encode(),
        *map(_bytes, own),
    ):
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return Tools(found.hexdigest(), (*sorted(set(folders)), *libraries, *own))


def _bytes(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def _libraries() -> Iterator[str]:
    """The shared libraries in use, by their real names, in which their versions stand. None where the system does not tell."""
    if not os.path.exists(_MAPS):
        return
    with open(_MAPS, encoding="utf-8", errors="surrogateescape") as lines:
        paths = {f"/{line.partition('/')[2].rstrip()}" for line in lines if ".so" in line}
    yield from filter(os.path.isfile, paths)


def _own() -> Iterator[str]:
    """The modules that this program is made of."""
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    for folder in (os.path.join(package, layer) for layer in ("core", "worker")):
        yield from (os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".py"))

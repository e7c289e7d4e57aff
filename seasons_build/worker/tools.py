"""What sets type here: a digest of all that decides about its bytes, and the files by which a change of it is seen."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib import import_module
from pathlib import Path

from seasons_build.core.tools import Tools

_MAPS = Path("/proc/self/maps")
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
        *(Path(path).read_bytes() for path in own),
    ):
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return Tools(found.hexdigest(), (*sorted(set(folders)), *libraries, *own))


def _libraries() -> Iterator[str]:
    """The shared libraries in use, by their real names, in which their versions stand. None where the system does not tell."""
    if not _MAPS.exists():
        return
    for line in _MAPS.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        path = line.partition("/")[2]
        if ".so" in path and os.path.isfile(f"/{path}"):
            yield f"/{path}"


def _own() -> Iterator[str]:
    """The modules that this program is made of."""
    package = Path(__file__).resolve().parents[1]
    for folder in ("core", "worker"):
        yield from map(str, (package / folder).glob("*.py"))

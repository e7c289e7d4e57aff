"""What sets type here: a digest of all that decides about its bytes, and the files by which a change of it is seen."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.metadata import Distribution
from pathlib import Path

from seasons_build.core.tools import Tools

_MAPS = Path("/proc/self/maps")
"""Where Linux says which libraries a program has loaded."""


def version_of(package: Distribution) -> str:
    """The version of a package. Its own `version` has all that the package says of itself parsed as a letter, a page of prose or two."""
    return (package.read_text("METADATA") or "").partition("\nVersion: ")[2].partition("\n")[0].strip() or package.version


def tools(versions: Mapping[str, str], packages: Iterable[Distribution]) -> Tools:
    """The tools of this process, once it has imported them. `packages` are those whose folders are watched."""
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
    folders = sorted({str(package.locate_file("")) for package in packages})
    return Tools(found.hexdigest(), (*folders, *libraries, *own))


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

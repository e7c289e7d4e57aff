"""The start of a build: typesetters take as long to start as all else takes that comes before them, so they are started first.

In: the project's cache, and what has changed since the last build. Out: how many typesetters to start before anything is read, and what
they set type with. Nothing is imported here that can wait.
"""

from __future__ import annotations

import sys
from hashlib import sha256

from seasons_build.core.tools import Tools, stamps
from seasons_build.store import Store
from seasons_build.typeset.ahead import Ahead

__all__ = ["Ahead", "how_many", "keep_tools", "known_tools"]

BEYOND_ENTRIES = ("templates/", "schemas/")
"""Where a change is one of many pages, most likely."""

ROOM = "tools"


def how_many(changed: tuple[str, ...] | None, tools: Tools, workers: int) -> int:
    """How many typesetters to start before it is known what there is to typeset; `changed` is None where that is not known."""
    if not tools.digest:
        return workers
    if not changed:
        return 0
    return workers if any(part in name for name in changed for part in BEYOND_ENTRIES) else 1


def keep_tools(store: Store, tools: Tools) -> None:
    """Keeps what sets type here, for the next build."""
    store.put(ROOM, _place(), {"digest": tools.digest, "paths": list(tools.files), "stamps": stamps(tools.files)})


def known_tools(store: Store) -> Tools:
    """The tools of an earlier build, where their files show that they are still the same; else none."""
    kept = store.get(ROOM, _place())
    if kept is None:
        return Tools()
    digest, files, before = (kept.header.get(name) for name in ("digest", "paths", "stamps"))
    if not isinstance(digest, str) or not isinstance(files, list) or not files or not all(isinstance(path, str) for path in files):
        return Tools()
    return Tools(digest, tuple(files)) if stamps(files) == before else Tools()


def _place() -> str:
    """Where this program stands: another one of the same machine has tools of its own, which may still be as they were."""
    return sha256(repr((sys.prefix, __file__)).encode()).hexdigest()

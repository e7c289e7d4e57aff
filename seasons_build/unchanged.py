"""A build in which nothing has changed, answered from the stamps of files, before any stage is imported.

In: the project's cache and its files. Out: what the last build of the same kind said, where its inputs, its program, its tools and its
output are all as it left them; else nothing, and there is a build. A file that was changed about when it was read is compared by its hash,
since the stamps of two changes within one tick of a clock are the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from json import dumps
from pathlib import Path
from typing import Any

from seasons_build.core.named import NamedTuple
from seasons_build.core.tools import Stamps, Tools, stamps
from seasons_build.sources import CannotRead, Sources
from seasons_build.store import Store

ROOM = "builds"
_SLACK = 2_000_000_000
"""Nanoseconds by which the stamps of a file system may be coarse."""


class Said(NamedTuple):
    """What a build told: its diagnostics as plain text and as text in colours, the files that it made, the products that keep their old
    ones, how many errors, warnings and notes there were, and its exit code."""

    plain: str
    colored: str
    files: tuple[str, ...]
    stale: tuple[str, ...]
    closing: str
    code: int


class Inputs:
    """The files of a project as they are before any of them is read, beside what was kept of the last build of the same kind."""

    def __init__(self, sources: Sources, store: Store, kind: str) -> None:
        self._sources = sources
        self._store = store
        self._kind = kind
        self._moment = store.moment()
        self._before = {name: sources.stamp(name) for name in sources.names()}
        found = store.get(ROOM, kind)
        self._kept: Mapping[str, Any] = found.header if found is not None else {}
        self._program: Stamps = {}

    def note_program(self) -> None:
        """Looks at the files of our own program: before any of the project is read."""
        self._program = stamps(sorted(_modules()))

    def program(self, tools: Tools) -> str:
        """Stands for our own program as it was before anything was read, and for tools and packages as they are; empty where they are not
        known."""
        return sha256(repr((self._program, tools.digest, stamps(tools.files))).encode()).hexdigest() if tools.digest else ""

    def changed(self) -> tuple[str, ...] | None:
        """The files that are not as they were at the last build, those that are gone among them; None where there was none."""
        before, now = self._kept.get("inputs"), self._before
        if not isinstance(before, dict):
            return None
        return tuple(name for name in sorted({*before, *now}) if name not in before or name not in now or _first(before[name]) != now[name])

    def answer(self) -> Said | None:
        """What the last build said, where another one would do nothing and say the same."""
        if not self._kept or self._sources.shut:
            return None
        try:
            inputs, watched, said = (self._kept[name] for name in ("inputs", "stamps", "said"))
            if list(inputs) != list(self._before) or any(self._before[name] != stamp for name, (stamp, _) in inputs.items()):
                return None
            if stamps(watched) != watched:
                return None
            if any(digest and not _same(self._sources, name, digest) for name, (_, digest) in inputs.items()):
                return None
            texts = (said["plain"], said["colored"], said["closing"], *said["files"], *said["stale"])
            if not all(isinstance(text, str) for text in texts) or said["code"] not in (0, 1):
                return None
            return Said(**{**said, "files": tuple(said["files"]), "stale": tuple(said["stale"])})
        except (LookupError, TypeError, ValueError, AttributeError):
            return None

    def remember(self, tools: Tools, made: Stamps, said: Said) -> None:
        """Keeps what a build has said of these inputs. `made` are the stamps of what it wrote."""
        digests = self._sources.digests
        inputs = {
            name: [stamp, digests.get(name) if self._moment <= max(stamp[1:], default=0) + _SLACK else None]
            for name, stamp in self._before.items()
        }
        watched = {**self._program, **stamps(tools.files), **made}
        self._store.put(ROOM, self._kind, {"inputs": inputs, "stamps": watched, "said": said._asdict()})


def kind_of(words: Mapping[str, Any]) -> str:
    """What is asked of a build, as a key: builds that were asked for other things are not compared."""
    return sha256(dumps(words, sort_keys=True, default=str).encode()).hexdigest()


def _modules() -> Iterator[str]:
    """The files of our own program."""
    for place, _, names in os.walk(Path(__file__).parent):
        yield from (os.path.join(place, name) for name in names if name.endswith(".py"))


def _first(kept: Any) -> Any:
    return kept[0] if isinstance(kept, list) and kept else None


def _same(sources: Sources, name: str, digest: str) -> bool:
    try:
        return sources.digest(name) == digest
    except CannotRead:
        return False


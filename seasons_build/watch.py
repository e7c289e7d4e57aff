"""Stage: the files of a project while somebody edits them, told whenever they have come to rest (watchfiles).

In: what looks at the files, and the folders in which they lie. Out: the names that changed, once nothing moves any more: a file half
written, renamed or saved five hundred times a second is seen once, as it was left. What the system tells of changes is a hint alone: it
says when the files are at rest, and they are looked at. Where it tells nothing, they are looked at now and then, until they stay as they
are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import watchfiles

Look: TypeAlias = Callable[[], Mapping[str, list[int]]]
"""Gives the stamps of all files, by name."""

_STEP_MS = 10
_MOST_MS = 800
_IDLE_MS = 1_000
_REST_SECONDS = 0.03
_MOST_LOOKS = 40


def changes(look: Look, folders: Sequence[Path], seen: Mapping[str, list[int]]) -> Iterator[tuple[str, ...]]:
    """The names that changed since the last time, beginning with what was `seen`; none where something happened and nothing is different.
    Ends with the process, or with an interrupt."""
    for hinted in _hints(folders):
        now = look() if hinted else _at_rest(look)
        changed = differing(seen, now)
        seen = now
        if changed or hinted:
            yield changed


def differing(before: Mapping[str, list[int]], now: Mapping[str, list[int]]) -> tuple[str, ...]:
    """The names that came, went or are not as they were, in order."""
    return tuple(name for name in sorted({*before, *now}) if before.get(name) != now.get(name))


def _at_rest(look: Look) -> Mapping[str, list[int]]:
    """The files once they stay as they are; or as they are, where they never do."""
    now = look()
    for _ in range(_MOST_LOOKS):
        time.sleep(_REST_SECONDS)
        before, now = now, look()
        if now == before:
            break
    return now


def _hints(folders: Sequence[Path]) -> Iterator[bool]:
    """Whether the system has told of a change; False where it is only time to look."""
    while True:
        there = [folder for folder in folders if folder.is_dir()]
        if not there:
            time.sleep(_IDLE_MS / 1000)
            yield False
            continue
        try:
            told = watchfiles.watch(
                *there, watch_filter=None, step=_STEP_MS, debounce=_MOST_MS, rust_timeout=_IDLE_MS, yield_on_timeout=True
            )
            for found in told:
                yield bool(found)
                if [folder for folder in folders if folder.is_dir()] != there:
                    break
        except OSError:  # a folder went, or the system watches no more of them
            time.sleep(_IDLE_MS / 1000)
            yield False

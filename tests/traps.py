"""Traps before each call that changes a file: what springs there is an error of the system, or the end of the program."""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable
from typing import Any

WATCHED = ("open", "fsync", "replace", "rename", "unlink", "mkdir", "rmdir", "write", "ftruncate")
PLACES = ((os, WATCHED), (builtins, ("open",)), (io, ("open",)))
READING = os.O_WRONLY | os.O_RDWR
"""Of a file that is opened with none of these, nothing is changed."""


def trap(number: int, spring: Callable[[], None], *, ever: bool = False) -> Callable[[], None]:
    """Puts a trap before each call that changes a file: it springs at the nth, and where it should, at all that follow. Gives what takes
    the traps away."""
    left = [number]
    calls = [(module, name, vars(module)[name]) for module, names in PLACES for name in names]

    def trapped(call: Callable[..., Any], changes: Callable[..., bool]) -> Callable[..., Any]:
        def counting(*words: Any, **named: Any) -> Any:
            if changes(*words, **named):
                left[0] -= 1
                if left[0] == 0 or (ever and left[0] < 0):
                    spring()
            return call(*words, **named)

        return counting

    for module, name, call in calls:
        changes = _always if name != "open" else _flags if module is os else _mode
        setattr(module, name, trapped(call, changes))

    def taken_away() -> None:
        for module, name, call in calls:
            setattr(module, name, call)

    return taken_away


def _always(*words: Any, **named: Any) -> bool:
    del words, named
    return True


def _flags(path: Any, flags: int, *rest: Any, **named: Any) -> bool:
    del path, rest, named
    return bool(flags & READING)


def _mode(file: Any, mode: str = "r", *rest: Any, **named: Any) -> bool:
    del file, rest, named
    return mode.strip("bt") != "r"


def fail(error: int) -> Callable[[], None]:
    """What answers with an error of the system."""

    def spring() -> None:
        raise OSError(error, os.strerror(error))

    return spring

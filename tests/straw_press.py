"""`seasons` with a typesetter of straw, as a program: its documents are the words of their entries, many times over.

With STOP=n in the environment it kills itself, as hard as can be, at the nth time that it asks the system to change a file.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterable
from typing import Any

from seasons_build.cli import build as build_module
from seasons_build.cli import main
from seasons_build.core.job import DocumentJob, Job, Theme, Typeset
from seasons_build.typeset import Typesetter

WATCHED = ("fsync", "replace", "rename", "unlink", "mkdir", "rmdir", "write", "ftruncate")


class Straw(Typesetter):
    """A typesetter that starts nothing."""

    def __init__(self, **_: Any) -> None:
        pass

    def __enter__(self) -> Straw:
        return self

    def __exit__(self, *_: object) -> None:
        """Has nothing to end."""

    def open(self, theme: Theme) -> None:
        """Takes a theme."""

    def run(self, jobs: Iterable[Job]) -> Generator[Typeset, None, None]:
        """A document of a few thousand words for each job."""
        for job in jobs:
            yield Typeset(job.key, pdf=repr(job.texts).encode() * 200 if isinstance(job, DocumentJob) else None, pages=1)


def stop_at(number: int) -> None:
    """Puts a trap before each call that changes a file."""
    left = [number]

    def trapped(call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*words: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*words, **named)

        return counting

    for name in WATCHED:
        setattr(os, name, trapped(getattr(os, name)))


vars(build_module)["Typesetter"] = Straw
if "STOP" in os.environ:
    stop_at(int(os.environ["STOP"]))
main()

"""A typesetter of straw: its documents are the words of their entries, its faces are none, and it starts no program."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable

import pytest

from seasons_build.core.expected import Expected
from seasons_build.core.job import DocumentJob, KnownFace, NotKept, Theme, Typeset, Wanted
from seasons_build.core.tools import Tools
from seasons_build.pipeline import ahead, start
from seasons_build.typeset.ahead import Ahead
from seasons_build.typeset.process import Process
from seasons_build.typeset.typesetter import Typesetter


class Straw(Typesetter):
    """Stands in for the typesetter where it does not matter what pages look like."""

    def __init__(self, **_: object) -> None:
        pass

    def __enter__(self) -> Straw:
        return self

    def __exit__(self, *_: object) -> None:
        """Has nothing to end."""

    def rest(self) -> None:
        """Has nothing to end."""

    def close(self) -> None:
        """Has nothing to end."""

    def open(self, theme: Theme, expected: Expected | None = None) -> None:
        """Takes a theme, whatever is expected to be asked of it."""

    def tools(self) -> Tools:
        """Straw, and the file that it comes from."""
        return Tools("straw", (__file__,))

    def run(self, jobs: Iterable[Wanted]) -> Generator[Typeset, None, None]:
        """A document of a few thousand words for each job that asks for one."""
        for job in jobs:
            if isinstance(job, KnownFace):
                raise NotKept(job.key)
            yield Typeset(job.key, pdf=repr(job.texts).encode() * 200 if isinstance(job, DocumentJob) else None, pages=1)


class StrawAhead(Ahead):
    """Starts no program either."""

    def __init__(self, workers: int, **_: object) -> None:
        self.started = workers

    def take(self) -> list[Process]:
        return []

    def close(self) -> None:
        """Has nothing to end."""


def set_with(press: Callable[..., object], patch: pytest.MonkeyPatch) -> None:
    """Builds set type with another typesetter, which starts no programs."""
    patch.setattr(start, "Typesetter", press)
    patch.setattr(ahead, "Ahead", StrawAhead)

"""A typesetter that sets no type, for tests of what is asked of one."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from seasons_build.core.job import Job, Theme, Typeset


class Bare:
    """Sets no type, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def open(self, theme: Theme) -> None:
        pass

    def run(self, jobs: Iterable[Job]) -> Generator[Typeset, None, None]:
        for job in jobs:
            self.jobs.append(job)
            yield Typeset(job.key)

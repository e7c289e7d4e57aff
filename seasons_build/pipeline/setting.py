"""The jobs of plans, given to the typesetter: what became of each, and what is to be told of it.

In: plans as they were composed. Out: typeset faces and documents by the digests of their jobs, and the plans as they turned out. Of a deck
that is gone on from, only the cards that are wanted are typeset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from seasons_build.core.entry import Key
from seasons_build.core.job import BookJob, DocumentJob, Job, PartJob, Printed, Typeset, Wanted
from seasons_build.core.limits import Limits
from seasons_build.core.part import Part
from seasons_build.core.plan import Plan
from seasons_build.pipeline.books import bound, drafts, settle
from seasons_build.pipeline.continuing import go_on
from seasons_build.pipeline.decks import Unfinished
from seasons_build.pipeline.files import Bindery, Fonts
from seasons_build.pipeline.kept import Press
from seasons_build.pipeline.placing import Placed

Tell: TypeAlias = Callable[[str, int, int], None]
"""Told of progress: what is being done, how much of it is done, and of how much."""


class Setting:
    """The typesetting of one build. `fonts` has the parts of font files for books, `tell` is told how far it is, `placed` gets what is
    found. `unfinished` has the decks that are gone on from, by label."""

    def __init__(
        self, typesetter: Press, bindery: Bindery, fonts: Fonts, limits: Limits, tell: Tell, placed: Placed
    ) -> None:
        self._typesetter = typesetter
        self._bindery = bindery
        self._fonts = fonts
        self._limits = limits
        self._tell = tell
        self._placed = placed
        self.unfinished: dict[str, Unfinished] = {}

    def typeset(
        self, plans: tuple[Plan, ...], show: Callable[[Mapping[str, Typeset]], None] = lambda done: None, *, faces_first: bool = False
    ) -> tuple[Mapping[str, Typeset], tuple[Plan, ...]]:
        """What became of every job, by the digest of what it asks for: what two products ask for alike is made once. Cards that go on on
        their backs are in the plans as they turned out. `show` is shown what is done so far."""
        jobs: dict[str, Wanted] = {}
        owners: dict[str, tuple[Plan, Key | None]] = {}
        books: dict[str, tuple[Plan, BookJob]] = {}
        waiting = {face.job.digest for plan in plans for face in plan.faces if face.rest is not None}
        for plan in plans:
            for job, entry in self.wanted(plan):
                if isinstance(job, BookJob):
                    books.setdefault(job.digest, (plan, job))
                    continue
                jobs.setdefault(job.digest, job)
                owners.setdefault(job.digest, (plan, entry))
        if faces_first:
            jobs = dict(sorted(jobs.items(), key=lambda named: isinstance(named[1], DocumentJob)))
        jobs |= {f"{name} {number}": draft for name, (_, book) in books.items() for number, draft in enumerate(drafts(book))}
        done: dict[str, Typeset] = {}
        show(done)
        steps = len(jobs) + sum(len(book.parts) for _, book in books.values())
        self._tell("typesetting", 0, steps)
        for name, result in zip(jobs, self._typesetter.run(jobs.values()), strict=True):
            done[name] = result
            if name in owners and name not in waiting:
                self._placed.add(result.findings, *owners[name])
            self._tell("typesetting", len(done), steps)
            show(done)
        passed = len(jobs)

        def set_parts(parts: Sequence[Job]) -> Sequence[Typeset]:
            nonlocal passed
            made = []
            for result in self._typesetter.run(parts):
                made.append(result)
                passed = min(passed + 1, steps)
                self._tell("typesetting", passed, steps)
            return made

        for name, (plan, book) in books.items():
            measured = [done.pop(f"{name} {number}") for number in range(len(book.parts))]
            done[name] = settle(book, measured, set_parts, self._bind, self._limits)
            self._placed.add(done[name].findings, plan, None)
            show(done)
        if books:
            self._tell("typesetting", steps, steps)

        def make(more: Sequence[Job]) -> Mapping[int, Typeset]:
            results = tuple(self._typesetter.run(more)) if more else ()
            done.update({job.digest: result for job, result in zip(more, results, strict=True)})
            return {id(job): result for job, result in zip(more, results, strict=True)}

        settled = go_on(plans, lambda job: done[job.digest], make) if waiting else plans
        for owner, face in ((plan, face) for plan in settled for face in plan.faces):
            if face.rest is None:
                continue
            sides = (face.job, face.back) if face.back is not None and face.back.key == face.rest.key else (face.job,)
            told = [finding for job in sides for finding in done[job.digest].findings]
            self._placed.add(told, owner, face.entry)
        return done, settled

    def wanted(self, plan: Plan) -> Iterator[tuple[Printed, Key | None]]:
        """The jobs of a plan, and of which entry they are: of a deck that is gone on from, those of its cards that are wanted."""
        unfinished = self.unfinished.get(plan.label)
        return jobs_of(plan) if unfinished is None else jobs_of(replace(plan, faces=tuple(plan.faces[card] for card in unfinished.wanted)))

    def all_of(self, plan: Plan, done: Mapping[str, Typeset]) -> Mapping[str, Typeset]:
        """What became of the jobs of a deck that are not done, by their digests."""
        entries = {job.digest: entry for job, entry in jobs_of(plan)}
        jobs = {job.digest: job for job, _ in jobs_of(plan) if not isinstance(job, BookJob) and job.digest not in done}
        made = dict(zip(jobs, self._typesetter.run(jobs.values()), strict=True))
        for name, result in made.items():
            self._placed.add(result.findings, plan, entries[name])
        return made

    def _bind(self, book: BookJob, jobs: Sequence[PartJob], parts: Sequence[Part]) -> bytes:
        return self._bindery.book(book, jobs, lambda: bound(book, parts, self._fonts))


def jobs_of(plan: Plan) -> Iterator[tuple[Printed, Key | None]]:
    """The jobs of a plan, each with the entry that it is of."""
    if plan.document is not None:
        yield plan.document, None
    for planned in plan.faces:
        yield planned.job, planned.entry
        if planned.back is not None:
            yield planned.back, None

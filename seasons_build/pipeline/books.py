"""Books, part by part: each part is measured, then set with the numbers of pages, until every number is right; then they are bound.

In: the parts of a book, what became of them when they were measured, and what typesets. Out: what became of the book. Only a part whose
first page, or a page that it names, is another than it was set with is set again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from seasons_build.core.finding import Finding, too_many
from seasons_build.core.job import BookJob, PartJob, Typeset
from seasons_build.core.limits import Limits
from seasons_build.core.part import Measured, Part
from seasons_build.impose import FontParts

NEVER_SETTLED = Finding("E621", detail="pages that are others each time their own numbers are filled in")

Make = Callable[[Sequence[PartJob]], Sequence[Typeset]]
"""Typesets parts, and gives what became of each."""
Bind = Callable[[BookJob, Sequence[PartJob], Sequence[Part]], bytes]
"""Binds the parts of a book, which became of these jobs."""


def drafts(book: BookJob) -> tuple[PartJob, ...]:
    """The parts of a book, to be measured: as if each had a page, so that only the first one begins the book."""
    return tuple(PartJob(document, first) for first, document in enumerate(book.parts, 1))


def settle(book: BookJob, measured: Sequence[Typeset], make: Make, bind: Bind, limits: Limits) -> Typeset:
    """What became of a book. `measured` is what became of its drafts."""
    jobs, results = list(drafts(book)), list(measured)
    for _ in range(limits.layouts):
        if any(result.measured is None for result in results):
            return _failed(book, results)
        if (pages := sum(result.pages for result in results)) > limits.pages:
            return Typeset(book.key, pages=pages, findings=(too_many(pages, limits),))
        wanted = _numbered(book, [result.measured for result in results if result.measured is not None])
        again = [index for index, job in enumerate(wanted) if job != jobs[index]]
        if not again:
            return _finished(book, jobs, results, bind)
        for index, result in zip(again, make([wanted[index] for index in again]), strict=True):
            jobs[index], results[index] = wanted[index], result
    return Typeset(book.key, findings=(NEVER_SETTLED,))


def _numbered(book: BookJob, measured: Sequence[Measured]) -> list[PartJob]:
    """The parts with the numbers that follow from how long they are, and from where each place was."""
    firsts = list(accumulate((part.pages for part in measured), initial=1))
    places: dict[str, int] = {}
    for first, part in zip(firsts, measured, strict=False):
        for name, page in part.places.items():
            places.setdefault(name, first + page)
    found = []
    for document, first, part in zip(book.parts, firsts, measured, strict=False):
        numbers = {name: places[name] for name in part.asks if name in places}
        elsewhere = tuple(name for name in part.leads_to if name in places and name not in part.places and name not in numbers)
        found.append(PartJob(document, first, numbers, elsewhere))
    return found


def _failed(book: BookJob, results: Sequence[Typeset]) -> Typeset:
    """A book that cannot be bound, with what was found in its parts."""
    return Typeset(book.key, pages=sum(result.pages for result in results), findings=_findings(results))


def _findings(results: Sequence[Typeset]) -> tuple[Finding, ...]:
    return tuple(dict.fromkeys(finding for result in results for finding in result.findings))


def _finished(book: BookJob, jobs: Sequence[PartJob], results: Sequence[Typeset], bind: Bind) -> Typeset:
    parts = [result.part for result in results if result.part is not None]
    if len(parts) < len(results):
        return _failed(book, results)
    return Typeset(book.key, pdf=bind(book, jobs, parts), pages=sum(result.pages for result in results), findings=_findings(results))


def bound(book: BookJob, parts: Sequence[Part], fonts: Mapping[str, FontParts]) -> bytes:
    """A book of these parts; `fonts` has the parts of each font file by its hash."""
    from seasons_build.impose.bind import bind_parts

    return bind_parts(parts, fonts, title=book.title, language=book.lang, authors=book.authors)

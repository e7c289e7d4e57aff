"""The fit report: which cards were set smaller than the theme sets them at its largest, from what and to what.

In: plans and what became of their jobs. Out: lines for people, a card each, in the order of the plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from seasons_build.core.finding import decimal
from seasons_build.core.job import FaceJob, Job, Step, Typeset
from seasons_build.core.plan import Plan


def fit_report(plans: Iterable[Plan], found: Callable[[Job], Typeset]) -> tuple[str, ...]:
    """The lines of the report; a card in several decks is told for each."""
    lines = []
    for plan in plans:
        for planned in plan.faces:
            _, kind, name = planned.entry
            changes = list(_changes(planned.composed, found(planned.composed)))
            if planned.rest is not None and planned.back is not None and planned.back.key == planned.rest.key:
                changes.append("goes on on its back")
            if changes:
                lines.append(f"{plan.label} {kind}/{name}: {'; '.join(changes)}")
    return tuple(lines)


def _changes(job: FaceJob, done: Typeset) -> Iterator[str]:
    first, last = job.fit[0], job.fit[done.fit]
    if _size(first) != _size(last):
        yield f"text from {_size(first)} to {_size(last)}"
    texts = {name for name, _ in job.texts}
    for field in last.drop:
        if field in texts and field not in first.drop:
            yield f"without `{field}`"
    chosen = done.fitted.class_name.split()
    for name, classes in job.steps:
        at = max((index for index, each in enumerate(classes) if each and each in chosen), default=0)
        if at:
            yield f"`{name}` from step 1 to {at + 1} of {len(classes)}"


def _size(step: Step) -> str:
    return f"{decimal(step.size_pt)} pt" if step.size_pt is not None else f"`{step.class_name}`"

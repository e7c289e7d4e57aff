"""Cards that go on on their backs: those whose text did not fit are parted and typeset again, until both sides hold their share.

In: plans and what became of their jobs. Out: the plans with both sides of such cards, and what became of these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from seasons_build.core.job import Job, Typeset, Wanted
from seasons_build.core.plan import Plan, PlannedFace

SHARES = (Fraction(1, 2), Fraction(2, 5), Fraction(3, 5), Fraction(3, 10), Fraction(1, 5))
"""The shares of a text that are tried in front, one after the other."""
TOO_LONG = ("E601", "E603")


def may_go_on(planned: PlannedFace, result: Typeset) -> bool:
    """Whether a card is too long for its face, and nothing else is wrong with it, and its product lets it go on on the back."""
    codes = {finding.code for finding in result.findings if finding.code.startswith("E")}
    return planned.rest is not None and bool(codes) and codes <= set(TOO_LONG)


def go_on(
    plans: Sequence[Plan], found: Callable[[Wanted], Typeset], make: Callable[[Sequence[Job]], Mapping[int, Typeset]]
) -> tuple[Plan, ...]:
    """The plans with both sides of each card that goes on; one for which no share would do stays as it was. `found` is what became of a
    job, `make` typesets jobs and gives what became of each by its identity."""
    from seasons_build.compose.continuing import continued

    places = [(p, f) for p, plan in enumerate(plans) for f in range(len(plan.faces))]
    left = {(p, f): face for p, f in places if may_go_on(face := plans[p].faces[f], found(face.job))}
    settled: dict[tuple[int, int], PlannedFace] = {}
    for share in SHARES:
        sides = {place: parted for place, planned in left.items() if (parted := continued(planned, share)) is not None}
        made = make([job for parted in sides.values() for job in parted])
        for place, (front, back) in sides.items():
            if _holds(made[id(front)]) and _holds(made[id(back)]):
                settled[place] = replace(left.pop(place), job=front, back=back)
    return tuple(_with(plan, p, settled) for p, plan in enumerate(plans))


def _holds(result: Typeset) -> bool:
    return result.face is not None and not any(finding.code.startswith("E") for finding in result.findings)


def _with(plan: Plan, number: int, settled: Mapping[tuple[int, int], PlannedFace]) -> Plan:
    faces = tuple(settled.get((number, f), planned) for f, planned in enumerate(plan.faces))
    return replace(plan, faces=faces) if faces != plan.faces else plan


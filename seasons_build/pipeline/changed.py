"""Only what has changed since a deck was last printed whole: for whoever prints again just the cards that are not as they were.

In: plans, what became of their jobs, and what the output folder's manifest says of each deck. Out: the same plans with fewer cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from seasons_build.core.face import AnyFace, Box, look_of, sha_of
from seasons_build.core.job import Typeset, Wanted
from seasons_build.core.plan import Plan, PlannedFace

CARDS = "cards"
ADDED = "~changed"
_SHOWN = 16


class Marks:
    """What stands for each card of a deck, by what is drawn on its two sides. Sides that cards share are looked at once, so that it is for
    as long as the deck is there."""

    def __init__(self) -> None:
        self._looks: dict[int, str] = {}
        self._trims: dict[int, tuple[Box, str]] = {}

    def of(self, front: AnyFace, back: AnyFace | None) -> str:
        """Stands for a card."""
        look = self._look(front) if back is None else f"{self._look(front)} {self._look(back)}"
        return sha_of(look.encode())[:_SHOWN]

    def _look(self, face: AnyFace) -> str:
        if id(face) not in self._looks:
            self._looks[id(face)] = look_of(face, self._said)
        return self._looks[id(face)]

    def _said(self, trim: Box) -> str:
        """A box in words; faces of one size share theirs."""
        if id(trim) not in self._trims:
            self._trims[id(trim)] = trim, str(trim)
        return self._trims[id(trim)][1]


def changed_only(
    plans: Iterable[Plan], typeset: Callable[[Wanted], Typeset], before: Mapping[str, Any], named: Callable[[Plan], str]
) -> Iterator[Plan]:
    """The decks with the cards that are new or not as `before` (a manifest's files) says they were; those with none, and pages, are left
    out. A deck that was never printed is printed whole; one that was, on several papers or in several ways, is compared with the file that
    is `named` as it would be now."""
    decks = (about for about in before.values() if isinstance(about.get("product"), str) and isinstance(about.get(CARDS), Mapping))
    printed = {about["product"]: about[CARDS] for about in decks}
    marks = Marks()
    for plan in plans:
        own = before.get(f"{named(plan)}.pdf", {}).get(CARDS)
        known = own if isinstance(own, Mapping) else printed.get(plan.label, {})
        faces = tuple(face for face in plan.faces if _mark_of(face, typeset, marks) != known.get(f"{face.entry[1]}-{face.entry[2]}"))
        if faces:
            yield replace(plan, product=f"{plan.product}{ADDED}", faces=faces, entries=tuple(face.entry for face in faces))


def _mark_of(planned: PlannedFace, typeset: Callable[[Wanted], Typeset], marks: Marks) -> str | None:
    front = typeset(planned.job).face
    back = typeset(planned.back).face if planned.back is not None else None
    return marks.of(front, back) if front is not None else None

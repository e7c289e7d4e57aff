"""Decks that are gone on from: the file that the last build made of a deck, where few of its cards are others since.

In: how a deck is printed and what it asks for, card by card, and what was kept of its last file. Out: which of its jobs must be typeset,
and the file that becomes of it; or that it must be made of all of its cards. The file comes from where it was written: it is gone on from
if nobody has changed it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from seasons_build.core.face import Face
from seasons_build.core.files import read_regular
from seasons_build.core.job import Typeset, Wanted
from seasons_build.core.named import NamedTuple
from seasons_build.core.plan import Plan
from seasons_build.core.wire import Message
from seasons_build.impose import program
from seasons_build.impose.relink import Trace, relink
from seasons_build.pipeline.changed import CARDS, Marks
from seasons_build.publish import Product
from seasons_build.store import Store

ROOM = "decks"
_MOST = 16
"""Cards that may be others."""
_DIGEST, _MARK = 32, 16
_NONE = bytes(_DIGEST)

TypesetOf: TypeAlias = Callable[[Wanted], Typeset]
"""Gives what became of a job."""


class Last(NamedTuple):
    """What is known of the file that was made of a deck: its hash and its size, what is told of it and said in the manifest, its trace,
    what its cards asked for, the marks of what they show, and of which of them something was found."""

    sha: str
    size: int
    told: str
    about: Mapping[str, Any]
    trace: Trace
    asked: bytes
    marks: bytes
    noted: frozenset[int]


class Unfinished(NamedTuple):
    """A deck that is gone on from: its last file and what is known of it, the cards that must be typeset, and those that are others."""

    frame: str
    last: Last
    pdf: bytes
    asked: bytes
    wanted: tuple[int, ...]
    others: tuple[int, ...]

    @property
    def passed(self) -> int:
        """How many cards nobody has to look at."""
        return len(self.asked) // (2 * _DIGEST) - len(self.wanted)


class Finished(NamedTuple):
    """A file, and what is told of how its cards lie."""

    product: Product
    told: str


class Decks:
    """The decks of builds into a folder, one after the other. `around` gives what decides what becomes of a job besides itself. Where they
    are `lasting`, they are held; in any case they are kept."""

    def __init__(self, store: Store, around: Callable[[Wanted], str], *, lasting: bool = False) -> None:
        self._store = store
        self._around = around
        self._lasting = lasting
        self._held: dict[str, tuple[str, Last, Finished]] = {}

    def forget(self) -> None:
        """Drops all that it holds."""
        self._held = {}

    def frame(self, plan: Plan, *more: object) -> str:
        """Stands for all that decides the file of a deck but what its cards ask for; empty where that is not known."""
        jobs = {job.theme: job for planned in plan.faces for job in (planned.job, planned.back) if job is not None}
        around = {theme: self._around(job) for theme, job in sorted(jobs.items())}
        cards = [(*planned.entry, planned.copies, planned.back is not None) for planned in plan.faces]
        given = repr((_program(), plan.title, more, around, cards))
        return sha256(given.encode()).hexdigest() if all(around.values()) else ""

    def unfinished(self, name: str, frame: str, plan: Plan, out: Path) -> Unfinished | None:
        """A deck that can be gone on from, whose file lies in a folder under this name."""
        of, last, finished = self._held.get(name, ("", None, None))
        if of != frame or last is None or finished is None:
            last, finished = _last(self._store.get(ROOM, frame)), None
        asked = _asked(plan)
        if last is None or len(last.asked) != len(asked):
            return None
        others = _differing(last.asked, asked)
        if len(others) > _MOST:
            return None
        pdf = finished.product.data if finished is not None else _file(out / name, last)
        return None if pdf is None else Unfinished(frame, last, pdf, asked, tuple(sorted({*others, *last.noted})), others)

    def finished(self, name: str, unfinished: Unfinished, plan: Plan, typeset: TypesetOf) -> Finished | None:
        """The file of a deck that was gone on from, all of whose cards that were wanted gave something; None where it must be made of all
        of them."""
        last = unfinished.last
        of, _, before = self._held.get(name, ("", None, None))
        if not unfinished.others:
            held = before if of == unfinished.frame else None
            return held or self._held_as(name, unfinished.frame, plan, last, unfinished.pdf)
        sides, marks, shown = last.trace.sides(), bytearray(last.marks), Marks()
        faces: dict[int, Face] = {}
        for card in unfinished.others:
            planned = plan.faces[card]
            front, back = (None if job is None else typeset(job).face for job in (planned.job, planned.back))
            for side, face in enumerate((front, back)):
                at = slice(_DIGEST * (2 * card + side), _DIGEST * (2 * card + side + 1))
                if last.asked[at] != unfinished.asked[at]:
                    if not isinstance(face, Face) or not sides[2 * card + side]:
                        return None
                    faces[sides[2 * card + side]] = face
            assert front is not None, "only whole products are printed"
            marks[_MARK * card : _MARK * (card + 1)] = shown.of(front, back).encode("ascii")
        made = relink(unfinished.pdf, last.trace, faces)
        if made is None:
            return None
        now = last._replace(trace=made[1], asked=unfinished.asked, marks=bytes(marks), noted=_noted(plan, unfinished.wanted, typeset))
        return self._kept(name, unfinished.frame, plan, now, made[0])

    def made(
        self, name: str, frame: str, plan: Plan, made: tuple[bytes, Trace], about: Mapping[str, Any], told: str, typeset: TypesetOf
    ) -> Finished:
        """The file of a deck that was made of all of its cards, with what the manifest says of it and what is told of how they lie."""
        marks = Marks()
        shown = []
        for planned in plan.faces:
            front, back = (None if job is None else typeset(job).face for job in (planned.job, planned.back))
            assert front is not None, "only whole products are printed"
            shown.append(marks.of(front, back))
        noted = _noted(plan, range(len(plan.faces)), typeset)
        now = Last("", 0, told, about, made[1], _asked(plan), "".join(shown).encode("ascii"), noted)
        return self._kept(name, frame, plan, now, made[0])

    def _kept(self, name: str, frame: str, plan: Plan, made: Last, pdf: bytes) -> Finished:
        """A file that was made now, kept for the next build."""
        last = made._replace(sha=sha256(pdf).hexdigest(), size=len(pdf))
        header = {"sha256": last.sha, "size": last.size, "told": last.told, "manifest": last.about, "noted": sorted(last.noted)}
        self._store.put(ROOM, frame, header, [*last.trace, last.asked, last.marks])
        return self._held_as(name, frame, plan, last, pdf)

    def _held_as(self, name: str, frame: str, plan: Plan, last: Last, pdf: bytes) -> Finished:
        """A file, which is held where decks are."""
        marks = last.marks.decode("ascii")
        shown = {
            f"{kind}-{entry}": marks[_MARK * card : _MARK * (card + 1)]
            for card, (_, kind, entry) in enumerate(planned.entry for planned in plan.faces)
        }
        finished = Finished(Product(name, pdf, {**last.about, CARDS: shown}, self._lasting, last.sha), last.told)
        if self._lasting:
            self._held[name] = frame, last, finished
        return finished


@cache
def _program() -> str:
    """A digest of what makes files of decks, and of what tells how they lie."""
    here = Path(__file__).parent
    told = (sha256((here / name).read_bytes()).hexdigest() for name in ("changed.py", "decks.py", "files.py", "printing.py"))
    return " ".join((program(), *told))


def _last(kept: Message | None) -> Last | None:
    """What was kept of a file; None where it is not of that form."""
    if kept is None:
        return None
    try:
        *traced, asked, marks = kept.blobs
        sha, size, told, about, noted = (kept.header[name] for name in ("sha256", "size", "told", "manifest", "noted"))
        trace, cards = Trace(*traced), len(asked) // (2 * _DIGEST)
        texts = isinstance(sha, str) and isinstance(told, str) and isinstance(about, dict)
        sound = texts and all(type(number) is int for number in (size, *noted))
        if not sound or not trace.sound or len(trace.sides()) != 2 * cards or len(marks) != _MARK * cards:
            return None
        return Last(sha, size, told, about, trace, asked, marks, frozenset(number for number in noted if 0 <= number < cards))
    except (LookupError, TypeError, ValueError):
        return None


def _asked(plan: Plan) -> bytes:
    """The digests of what the sides of the cards ask for, two of each."""
    digests = (_NONE if job is None else bytes.fromhex(job.digest) for planned in plan.faces for job in (planned.job, planned.back))
    return b"".join(digests)


def _differing(before: bytes, now: bytes) -> tuple[int, ...]:
    """The cards that ask for something else."""
    row = 2 * _DIGEST
    if before == now:
        return ()
    return tuple(card for card in range(len(now) // row) if before[row * card : row * (card + 1)] != now[row * card : row * (card + 1)])


def _noted(plan: Plan, cards: Iterable[int], typeset: TypesetOf) -> frozenset[int]:
    """The cards of which something was found."""
    sides = ((card, job) for card in cards for job in (plan.faces[card].job, plan.faces[card].back) if job is not None)
    return frozenset(card for card, job in sides if typeset(job).findings)


def _file(path: Path, last: Last) -> bytes | None:
    """A file as it was left; None where it is not there, or somebody has changed it."""
    try:
        data = read_regular(path, last.size + 1)
    except OSError:
        return None
    return data if sha256(data).hexdigest() == last.sha else None

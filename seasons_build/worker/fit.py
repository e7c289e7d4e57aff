"""Fitting a face: which step of its ladder it is set at, and by how much it misses where none is enough.

In goes a face job, out comes an `Attempt`: the page laid out at the step that suits it. It begins where the length of the text suggests and
moves only where what was measured says so, so the outcome depends on the job alone. Places are the typesetter's (`Page.anchors`), in pixels
from the top left corner of the trim.

What a template marks: an element `fit:FIELD` must end above the element `floor`, and the ladder answers; an element `in:FIELD` must stay
inside `box:FIELD`, and the steps of that field answer. A face is one page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from weasyprint import HTML

from seasons_build.core.finding import Finding, decimal
from seasons_build.core.job import FaceJob, Step
from seasons_build.core.named import NamedTuple
from seasons_build.worker.boxes import Laid, Rect, laid_out
from seasons_build.worker.markup import Source, bare, classes_of, whole
from seasons_build.worker.press import classed, face, read
from seasons_build.worker.proof import in_millimetres
from seasons_build.worker.theme import LoadedTheme

_SLACK = 0.1
"""Pixels by which a box may reach over another: lengths are rounded on the way."""
_DOUBT = 0.08
"""How far a height foretold from the sizes of two steps may be wrong, in parts of it."""
_UNKNOWN_GROWTH = 0.3
"""How much higher the next larger step is taken to be where no sizes are given."""
_RETURNING = 0.6
"""What a letter of a field that a step had left out takes when it is back, in parts of what a letter of the text takes."""
_TEXT_SHARE = 0.4
"""The part of a face that text fills, for a first guess."""
_LETTER_AREA = 0.0711
"""What a letter takes at a size of one point, with its share of the line, in square millimetres."""
_TALL = 40
"""How many times as high as a face the page is on which an overflow is measured."""
_END = "\ufffcend"
"""An id that no template has, for the end of a page."""


class Attempt(NamedTuple):
    """A face laid out at one step. `classes` is all that the page was asked to be; `over` is how many pixels each field reaches beyond the
    floor; `sticking` are the fields that reach out of their box, and how far; `growth` is the room left, in parts of the text's height,
    less than nothing where there is none."""

    step: int
    classes: str
    source: Source
    document: Any
    laid: Laid
    over: Mapping[str, float]
    sticking: Mapping[str, float]
    growth: float

    @property
    def fits(self) -> bool:
        """Whether everything ends above the floor, on one page."""
        return not self.over and len(self.document.pages) == 1


class Fitting:
    """One face being fitted."""

    def __init__(self, job: FaceJob, theme: LoadedTheme, sheets: tuple[Any, ...]) -> None:
        self._job = job
        self._theme = theme
        self._sheets = sheets
        self._read: dict[str, HTML] = {}
        """What steps made that differ in the classes of the body alone."""
        self._chosen = {name: 0 for name, _ in job.steps}
        self._lengths = {name: 0 for name, _ in job.texts}
        for name, text in job.texts:
            self._lengths[name] += len(bare(text, theme.same))

    def best(self) -> Attempt:
        """The face at the first step of the ladder at which it fits; at the last one where it fits at none."""
        attempt = self._attempt(self._estimate())
        while grown := [name for name, classes in self._job.steps if name in attempt.sticking and self._chosen[name] + 1 < len(classes)]:
            for name in grown:
                self._chosen[name] += 1
            attempt = self._attempt(attempt.step)
        if not attempt.fits:
            while not attempt.fits and attempt.step + 1 < len(self._job.fit):
                attempt = self._attempt(self._smaller(attempt))
            return attempt
        while attempt.step > 0 and self._may_grow(attempt):
            larger = self._attempt(attempt.step - 1)
            if not larger.fits:
                break
            attempt = larger
        return attempt

    def misfits(self, attempt: Attempt) -> Iterator[Finding]:
        """What is still too large at the step that was taken."""
        if not attempt.fits:
            yield from self._too_high(attempt)
        yield from sticking_out(attempt.sticking)

    def _estimate(self) -> int:
        """The step to begin with, by the length of the text that it would print."""
        for number, step in enumerate(self._job.fit):
            capacity = self._capacity(step)
            if capacity is None or self._length(step) <= capacity:
                return number
        return len(self._job.fit) - 1

    def _length(self, step: Step) -> int:
        """How many letters of text a step prints."""
        return sum(length for name, length in self._lengths.items() if name not in step.drop)

    def _capacity(self, step: Step) -> int | None:
        """About how many letters a face holds at a step; None where that is not known."""
        if step.upto is not None or step.size_pt is None:
            return step.upto
        width, height = self._job.size_mm
        return int(float(width * height) * _TEXT_SHARE / (_LETTER_AREA * float(step.size_pt) ** 2))

    def _may_grow(self, attempt: Attempt) -> bool:
        """Whether the next larger step may fit."""
        larger, step = self._job.fit[attempt.step - 1], self._job.fit[attempt.step]
        if larger.size_pt is None or step.size_pt is None:
            return attempt.growth >= _UNKNOWN_GROWTH
        returning = _RETURNING * (self._length(larger) / max(self._length(step), 1) - 1)
        return float(larger.size_pt / step.size_pt) ** 2 - 1 + returning <= attempt.growth + _DOUBT

    def _smaller(self, attempt: Attempt) -> int:
        """The next step down that may fit; one that drops more fields, or whose size is not known, always may."""
        step = self._job.fit[attempt.step]
        for number in range(attempt.step + 1, len(self._job.fit)):
            other = self._job.fit[number]
            if step.size_pt is None or other.size_pt is None or other.size_pt == step.size_pt or set(other.drop) != set(step.drop):
                return number
            if float(other.size_pt / step.size_pt) ** 2 <= 1 + attempt.growth + _DOUBT:
                return number
        return len(self._job.fit) - 1

    def _attempt(self, number: int) -> Attempt:
        classes = classes_of(self._job.fit[number].class_name, *(tried[self._chosen[name]] for name, tried in self._job.steps))
        html, source = self._html(number, classes)
        document = face(html, self._theme, (*self._sheets, self._theme.own_sheet(_page_rule(self._job, 1))))
        page = document.pages[0]
        laid = laid_out(page, self._theme.capitals)
        over: dict[str, float] = {}
        tallest, room = 1.0, float(page.height)
        floor = page.anchors.get("floor")
        for name, top, bottom in _ends(page, laid) if floor is not None else ():
            tallest, room = max(tallest, bottom - top), min(room, floor[1] - bottom)
            if bottom - floor[1] > _SLACK:
                over[name] = bottom - floor[1]
        if len(document.pages) > 1:
            room = min(room, -tallest)
        return Attempt(number, classes, source, document, laid, over, sticking(page, laid), room / tallest)

    def _html(self, number: int, classes: str) -> tuple[HTML, Source]:
        job = self._job
        context = {**job.context, "fit": {"class": classes, "drop": list(job.fit[number].drop)}}
        body = self._theme.renderer.render(job.template, context)
        shown = classes_of(job.body_class, classes)
        if body in self._read:
            return classed(self._read[body], shown, job.template, self._theme)
        text = whole(body, title=job.title, lang=job.lang, classes=shown)
        html, source = read(text, job.template, self._theme, alt=False)
        if text != body:
            self._read[body] = html
        return html, source

    def _too_high(self, attempt: Attempt) -> Iterator[Finding]:
        """How much higher the face would have to be. It is measured on a page that is high enough: on its own nothing reaches over the
        edge. Only the floor stands where it did."""
        html, _ = self._html(attempt.step, attempt.classes)
        body = html.etree_element.find("body")
        if body is not None:
            body.set("id", _END)
        document = face(html, self._theme, (*self._sheets, self._theme.own_sheet(_page_rule(self._job, _TALL))))
        tall, page = document.pages[0], attempt.document.pages[0]
        ends = {name: bottom for name, _, bottom in _ends(tall, laid_out(tall, self._theme.capitals))}
        for name, pixels in attempt.over.items():
            pixels = max(pixels, ends.get(name, 0) - page.anchors["floor"][1])
            yield Finding("E601", field=name, millimetres=in_millimetres(pixels))
        if not attempt.over:
            over = tall.anchors[_END][3] - page.height if _END in tall.anchors else 0
            far = in_millimetres(over) if over > 0 else None
            yield Finding("E603", field=next(iter(ends)) if len(ends) == 1 else None, millimetres=far)


def _ends(page: Any, laid: Laid) -> Iterator[tuple[str, float, float]]:
    """The fields that are fitted, each with where it begins and where it ends."""
    for name, rect in page.anchors.items():
        if name.startswith("fit:"):
            letters = [run.rect for run in laid.parts.get(name, ())]
            own = [rect] if name not in laid.lines or not letters else []
            yield name.removeprefix("fit:"), rect[1], max(place[3] for place in (*own, *letters))


def sticking(page: Any, laid: Laid) -> dict[str, float]:
    """The elements `in:FIELD` that reach out of their `box:FIELD`, and how many pixels."""
    found = {}
    for name, rect in page.anchors.items():
        box = page.anchors.get("box:" + name.removeprefix("in:")) if name.startswith("in:") else None
        if box is None:
            continue
        places = [run.rect for run in laid.parts.get(name, ())]
        if name not in laid.lines or not places:
            places.append(rect)
        if (over := max(_beyond(place, box) for place in places)) > _SLACK:
            found[name.removeprefix("in:")] = over
    return found


def sticking_out(found: Mapping[str, float]) -> Iterator[Finding]:
    """What `sticking` found, as it is told."""
    for name, pixels in found.items():
        yield Finding("E602", field=name, millimetres=in_millimetres(pixels))


def _beyond(rect: Rect, box: Rect) -> float:
    return max(box[0] - rect[0], box[1] - rect[1], rect[2] - box[2], rect[3] - box[3])


def _page_rule(job: FaceJob, times: int) -> str:
    width, height = job.size_mm
    size = f"{decimal(width)}mm {decimal(height * times)}mm"
    return f"@page{{size:{size};margin:0;bleed:{decimal(job.bleed_mm)}mm;marks:none}}h1,h2,h3,h4,h5,h6{{bookmark-level:none}}"

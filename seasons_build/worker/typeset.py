"""HTML to PDF: WeasyPrint, one face or one document at a time, and the proof of each.

In go a job and its loaded theme, out comes an `Answer`: bytes, the number of pages, findings and the step of the fit ladder that was used.
A face begins at the step that the length of its text suggests and moves only where what was measured says so; what it comes to depends on
the job alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from markupsafe import Markup
from weasyprint import HTML

from seasons_build.core.face import encode
from seasons_build.core.finding import Finding, decimal
from seasons_build.core.job import DocumentJob, FaceJob, Job, Step
from seasons_build.core.limits import Limits
from seasons_build.worker.boxes import Laid, Rect, laid_out
from seasons_build.worker.extract import extract
from seasons_build.worker.markup import BODY, Source, bare, classes_of, inspect, whole
from seasons_build.worker.proof import Expected, Proof, drawn_text, in_millimetres
from seasons_build.worker.render import TemplateFault
from seasons_build.worker.theme import BASE, LOG, LoadedTheme, logged

_NO_BOOKMARKS = "h1,h2,h3,h4,h5,h6{bookmark-level:none}"
_ROOM_TO_GROW = 0.3
"""Free room, in parts of a text's own height, at which the next larger step may fit."""
_TALL = 40
"""How many times as high as a face the page is on which an overflow is measured."""
_SLACK = 0.1
"""Pixels by which a box may reach over another: lengths are rounded on the way."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a job, ready for the pipe; `data` is an encoded face or a PDF, empty where there is none."""

    data: bytes = b""
    pages: int = 0
    findings: tuple[Finding, ...] = ()
    fit: int = 0


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A face laid out at one step. `over` is how far it reaches over, in pixels, by what does: a field, or the page itself (None)."""

    step: int
    source: Source
    document: Any
    laid: Laid
    over: Mapping[str | None, float]
    growth: float

    @property
    def fits(self) -> bool:
        return not self.over


def typeset(job: Job, theme: LoadedTheme, limits: Limits) -> Answer:
    """Renders, lays out, writes and proves. Whatever the job or the theme got wrong is a finding; MemoryError is let through."""
    LOG.take()
    theme.files.refused()
    try:
        return _face(job, theme) if isinstance(job, FaceJob) else _document(job, theme, limits)
    except TemplateFault as fault:
        return Answer(findings=(fault.finding,))
    except _Refused as refused:
        return Answer(findings=refused.findings)
    except _GaveUp as given_up:
        return Answer(findings=_told(theme, Finding("E621", detail=str(given_up))))


class _GaveUp(Exception):
    """The typesetter raised something: it knows no bounds of what it is given."""


@contextmanager
def _typesetting() -> Iterator[None]:
    """Around every call of the typesetter. Raises _GaveUp; MemoryError is let through."""
    try:
        yield
    except MemoryError:
        raise
    except RecursionError as error:
        raise _GaveUp("things stand inside one another too deeply") from error
    except Exception as error:
        raise _GaveUp(f"a length or a layout that it cannot work out ({type(error).__name__})") from error


class _Refused(Exception):
    """A page holds what may not reach the typesetter."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("refused")
        self.findings = findings


def _told(theme: LoadedTheme, *findings: Finding) -> tuple[Finding, ...]:
    """These findings after what the typesetter said on the way; each once."""
    return tuple(dict.fromkeys((*logged(), *theme.files.refused(), *findings)))


# Faces


def _face(job: FaceJob, theme: LoadedTheme) -> Answer:
    styles = theme.styles(job.stylesheets)
    if styles.broken:
        raise _Refused(styles.findings)
    attempt = _fitted(job, theme, (*styles.sheets, theme.own_sheet(_page_rule(job, 1))))
    step = job.fit[attempt.step]
    document = attempt.document if len(attempt.document.pages) == 1 else attempt.document.copy(attempt.document.pages[:1])
    with _typesetting():
        pdf = document.write_pdf(uncompressed_pdf=True)
    expected = Expected.of([(name, text) for name, text in job.texts if name not in step.drop], theme.same)
    proof = Proof(attempt.source, attempt.laid.runs, expected, theme)
    page = document.pages[0]
    findings = _told(
        theme,
        *styles.findings,
        *attempt.source.findings,
        *_misfits(job, theme, attempt, styles.sheets),
        *proof.fonts(),
        *proof.texts(drawn_text(pdf, 1)),
        *proof.sizes(),
        *proof.places(page.width, page.height, job.safe_mm),
        *_strangers(document, theme),
    )
    return Answer(encode(extract(pdf, theme.usable)), len(attempt.document.pages), findings, attempt.step)


def _fitted(job: FaceJob, theme: LoadedTheme, sheets: tuple[Any, ...]) -> _Attempt:
    """The face at the step that suits it: from the estimate down until it fits, or one up where there is room."""
    attempt = _attempt(job, theme, sheets, _estimate(job, theme))
    if attempt.fits:
        if attempt.step > 0 and attempt.growth >= _ROOM_TO_GROW:
            larger = _attempt(job, theme, sheets, attempt.step - 1)
            if larger.fits:
                return larger
        return attempt
    while not attempt.fits and attempt.step + 1 < len(job.fit):
        attempt = _attempt(job, theme, sheets, attempt.step + 1)
    return attempt


def _estimate(job: FaceJob, theme: LoadedTheme) -> int:
    """The step to begin with, by the length of the text that it would print."""
    for number, step in enumerate(job.fit):
        length = sum(len(bare(text, theme.same)) for name, text in job.texts if name not in step.drop)
        if step.upto is None or length <= step.upto:
            return number
    return len(job.fit) - 1


def _attempt(job: FaceJob, theme: LoadedTheme, sheets: tuple[Any, ...], number: int) -> _Attempt:
    html, source = _html(job, theme, job.fit[number])
    document = _rendered(html, theme, sheets)
    page = document.pages[0]
    laid = laid_out(page)
    over: dict[str | None, float] = {None: 0.0} if len(document.pages) > 1 else {}
    growth = 1.0
    floor = page.anchors.get("floor")
    for name, rect in page.anchors.items():
        if not name.startswith("fit:") or floor is None:
            continue
        top, bottom = rect[1], max(rect[3], laid.extents.get(name, rect)[3])
        if bottom - floor[1] > _SLACK:
            over[name.removeprefix("fit:")] = bottom - floor[1]
        growth = min(growth, (floor[1] - bottom) / max(bottom - top, 1))
    return _Attempt(number, source, document, laid, over, growth)


def _html(job: FaceJob, theme: LoadedTheme, step: Step) -> tuple[HTML, Source]:
    context = {**job.context, "fit": {"class": step.class_name, "drop": list(step.drop)}}
    body = theme.renderer.render(job.template, context)
    classes = classes_of(job.body_class, step.class_name)
    return _read(whole(body, title=job.title, lang=job.lang, classes=classes), job.template, theme, alt=False)


def _misfits(job: FaceJob, theme: LoadedTheme, attempt: _Attempt, sheets: tuple[Any, ...]) -> Iterable[Finding]:
    """What is still too large at the last step, and what is larger than the box it belongs in."""
    for name, pixels in attempt.over.items():
        if name is not None:
            yield Finding("E601", field=name, millimetres=in_millimetres(pixels))
    if attempt.over.keys() == {None}:
        yield Finding("E603", field=_only_field(attempt), millimetres=_spill(job, theme, attempt, sheets))
    yield from _outside_boxes(attempt.document.pages[0], attempt.laid)


def _only_field(attempt: _Attempt) -> str | None:
    """The field that a page made to fit has, where there is one alone."""
    names = [name for name in attempt.document.pages[0].anchors if name.startswith("fit:")]
    return names[0].removeprefix("fit:") if len(names) == 1 else None


def _spill(job: FaceJob, theme: LoadedTheme, attempt: _Attempt, sheets: tuple[Any, ...]) -> Fraction | None:
    """How much higher a face would have to be, measured on a page that is high enough."""
    html, _ = _html(job, theme, job.fit[attempt.step])
    document = _rendered(html, theme, (*sheets, theme.own_sheet(_page_rule(job, _TALL))))
    end = document.pages[0].anchors.get(BODY)
    if len(document.pages) > 1 or end is None:
        return None
    over = end[3] - attempt.document.pages[0].height
    return in_millimetres(over) if over > 0 else None


def _outside_boxes(page: Any, laid: Laid) -> Iterable[Finding]:
    """The elements `in:FIELD` that reach out of their `box:FIELD`."""
    for name, rect in page.anchors.items():
        box = page.anchors.get("box:" + name.removeprefix("in:")) if name.startswith("in:") else None
        if box is None:
            continue
        over = max(_beyond(rect, box), _beyond(laid.extents.get(name, rect), box))
        if over > _SLACK:
            yield Finding("E602", field=name.removeprefix("in:"), millimetres=in_millimetres(over))


def _beyond(rect: Rect, box: Rect) -> float:
    return max(box[0] - rect[0], box[1] - rect[1], rect[2] - box[2], rect[3] - box[3])


def _page_rule(job: FaceJob, times: int) -> str:
    width, height = job.size_mm
    size = f"{decimal(width)}mm {decimal(height * times)}mm"
    return f"@page{{size:{size};margin:0;bleed:{decimal(job.bleed_mm)}mm;marks:none}}{_NO_BOOKMARKS}"


# Documents


def _document(job: DocumentJob, theme: LoadedTheme, limits: Limits) -> Answer:
    styles = theme.styles(job.stylesheets)
    if styles.broken:
        raise _Refused(styles.findings)
    html, source = _document_html(job, theme)
    document = _rendered(html, theme, styles.sheets)
    pages = len(document.pages)
    if pages > limits.pages:
        return Answer(pages=pages, findings=_told(theme, Finding("E620", detail=f"expected at most {limits.pages} pages, found {pages}")))
    with _typesetting():
        pdf = document.write_pdf(pdf_forms=job.forms or None, pdf_tags=job.tagged)
    laid = [laid_out(page) for page in document.pages]
    expected = Expected.of(job.texts, theme.same)
    proof = Proof(source, [run for page in laid for run in page.runs], expected, theme)
    findings = _told(
        theme,
        *styles.findings,
        *source.findings,
        *(finding for page, found in zip(document.pages, laid, strict=True) for finding in _outside_boxes(page, found)),
        *proof.fonts(),
        *proof.texts(drawn_text(pdf, pages)),
        *proof.sizes(),
        *(
            finding
            for page, found in zip(document.pages, laid, strict=True)
            for finding in Proof(source, found.runs, expected, theme).places(page.width, page.height, Fraction(0))
        ),
        *_strangers(document, theme),
    )
    return Answer(pdf, pages, findings)


def _document_html(job: DocumentJob, theme: LoadedTheme) -> tuple[HTML, Source]:
    body = "".join(theme.renderer.render(template, context) for template, context in job.parts)
    if job.frame is not None:
        body = theme.renderer.render(job.frame, {**(job.frame_context or {}), "body": Markup(body)})
    template = job.frame or (job.parts[0][0] if job.parts else "")
    html = whole(body, title=job.title, lang=job.lang, classes=job.body_class, authors=job.authors)
    return _read(html, template, theme, alt=True)


# Both


def _read(text: str, template: str, theme: LoadedTheme, *, alt: bool) -> tuple[HTML, Source]:
    """The page as the typesetter reads it, and what it was made from. Raises _Refused."""
    with _typesetting():
        html = HTML(string=text, base_url=BASE, url_fetcher=theme.files.fetcher)
    source = inspect(html.etree_element, template, theme.theme.images.keys(), alt=alt)
    if source.refused:
        raise _Refused(source.findings)
    return html, source


def _rendered(html: HTML, theme: LoadedTheme, sheets: Iterable[Any]) -> Any:
    with _typesetting():
        return html.render(stylesheets=list(sheets), font_config=theme.fonts, counter_style=theme.counters, cache=theme.pictures)


def _strangers(document: Any, theme: LoadedTheme) -> Iterable[Finding]:
    """Fonts in a finished document that the theme does not declare."""
    for family in sorted({font.family for font in document.fonts.values()}):
        if family.lower() not in theme.coverage:
            yield Finding("E622", text=family, detail="it is none of the theme's, and stands in the page all the same")

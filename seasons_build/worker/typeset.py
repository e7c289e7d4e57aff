"""A job to an answer: rendered, fitted, written as PDF, proved.

In go a job and its loaded theme, out comes an `Answer`: bytes, the number of pages, findings and the step of the fit ladder that was used.
What it comes to depends on the job and the theme alone, never on the jobs before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from seasons_build.core.face import Face, WholeFace, encode
from seasons_build.core.finding import Finding, decimal, too_many
from seasons_build.core.job import DocumentJob, FaceJob, Job, PartJob
from seasons_build.core.limits import Limits
from seasons_build.core.named import NamedTuple
from seasons_build.core.part import Measured, Part, encode_part
from seasons_build.worker.boxes import Laid, laid_out, pictures_on
from seasons_build.worker.extract import CannotLink, extract
from seasons_build.worker.fields import field_faults, take_fields, ticked
from seasons_build.worker.finish import finished
from seasons_build.worker.fit import Fitting, sticking, sticking_out
from seasons_build.worker.heard import mark
from seasons_build.worker.lint import broken_lines, coarse, on_another, unfilled
from seasons_build.worker.markup import Source, whole
from seasons_build.worker.numbers import asked, led_to, lost, numbered, pages_of
from seasons_build.worker.part import lead_on, part_of
from seasons_build.worker.press import GaveUp, Refused, read, rendered, written, written_apart
from seasons_build.worker.proof import Expected, Proof
from seasons_build.worker.reader import drawn_text
from seasons_build.worker.render import TemplateFault
from seasons_build.worker.styles import sharing
from seasons_build.worker.theme import LOG, LoadedTheme, Styles, logged


class Answer(NamedTuple):
    """What became of a job, ready for the pipe; `data` is an encoded face or part, or a PDF, empty where there is none."""

    data: bytes = b""
    pages: int = 0
    findings: tuple[Finding, ...] = ()
    fit: int = 0
    classes: str = ""
    measured: Measured | None = None


def typeset(job: Job, theme: LoadedTheme, limits: Limits) -> Answer:
    """Does a job. Whatever the job or the theme got wrong is a finding; MemoryError is let through."""
    LOG.take()
    theme.files.refused()
    try:
        if isinstance(job, PartJob):
            return _part(job, theme, limits)
        return _face(job, theme) if isinstance(job, FaceJob) else _document(job, theme, limits)
    except TemplateFault as fault:
        return Answer(findings=(fault.finding,))
    except Refused as refused:
        return Answer(findings=refused.findings)
    except GaveUp as given_up:
        return Answer(findings=_told(theme, Finding("E621", detail=str(given_up))))


def _face(job: FaceJob, theme: LoadedTheme) -> Answer:
    styles = _styles(job, theme)
    fitting = Fitting(job, theme, styles.sheets)
    attempt = fitting.best()
    pages = len(attempt.document.pages)
    document = attempt.document if pages == 1 else attempt.document.copy(attempt.document.pages[:1])
    pdf = written_apart(document, theme)
    drop = job.fit[attempt.step].drop
    expected = Expected.of([(name, text) for name, text in job.texts if name not in drop], theme.same)
    proof = Proof(attempt.source, attempt.laid.runs, expected, theme)
    page = document.pages[0]
    misfits = tuple(fitting.misfits(attempt))
    findings = _told(
        theme,
        *styles.findings,
        *attempt.source.findings,
        *misfits,
        *proof.fonts(),
        *(proof.texts(drawn_text(pdf, 1)) if not misfits else ()),
        *proof.sizes(dict(job.floors)),
        *(proof.places(page.width, page.height, job.safe_mm) if not misfits else ()),
        *coarse(pictures_on(page)),
        *broken_lines(attempt.laid, attempt.source.words(), expected, theme.same),
        *(on_another(attempt.laid.runs, attempt.source, expected, theme.same) if not misfits else ()),
        *unfilled(attempt.source, expected, theme.same),
        *_strangers(document, theme),
    )
    return Answer(encode(_apart(pdf, document, theme)), pages, findings, attempt.step, attempt.classes)


def _apart(pdf: bytes, document: Any, theme: LoadedTheme) -> Face | WholeFace:
    """A face taken apart; one that keeps its page keeps it with no more of its fonts than it needs."""
    face = extract(pdf, theme.usable)
    return face if isinstance(face, Face) else extract(written(document, uncompressed_pdf=True), theme.usable)


def _document(job: DocumentJob, theme: LoadedTheme, limits: Limits) -> Answer:
    styles = _styles(job, theme)
    html, source = read(_document_text(job, theme), _at_fault(job), theme, alt=True)
    on = ticked(html.etree_element) if job.forms else frozenset()
    document = rendered(html, theme, (*styles.sheets, *_page_sheet(job, theme)), sharing())
    pages = len(document.pages)
    if pages > limits.pages:
        return Answer(pages=pages, findings=_told(theme, too_many(pages, limits)))
    laid = [laid_out(page, theme.capitals) for page in document.pages]
    fields = take_fields(document, on, dict(job.spoken), theme) if job.forms else ()
    if faults := field_faults(fields, _at_fault(job)):
        return Answer(pages=pages, findings=_told(theme, *faults))
    mark(document, dict(job.spoken))
    pdf = written(document, pdf_tags=job.tagged, zoom=float(job.zoom))
    drawn = "\n".join((drawn_text(pdf, pages), *(piece.text for field in fields for piece in field.pieces)))
    findings = _told(theme, *styles.findings, *source.findings, *_judged(job, document, laid, source, drawn, theme))
    return Answer(finished(pdf, fields, job, theme.faces()), pages, findings)


def _part(job: PartJob, theme: LoadedTheme, limits: Limits) -> Answer:
    styles = _styles(job.document, theme)
    text, template = _document_text(job.document, theme), _at_fault(job.document)
    html, source = read(numbered(text, job.numbers), template, theme, alt=True, elsewhere=job.elsewhere)
    document = rendered(html, theme, styles.sheets, theme.parts, job.first)
    pages = len(document.pages)
    if pages > limits.pages:
        return Answer(pages=pages, findings=_told(theme, too_many(pages, limits)))
    measured = Measured(pages, pages_of(document), asked(text), led_to(text))
    if job.numbers is None:
        return Answer(pages=pages, measured=measured)
    laid = [laid_out(page, theme.capitals) for page in document.pages]
    icons = dict(job.document.spoken)
    lead_on(document, {*job.elsewhere, *job.numbers} - measured.places.keys())
    mark(document, icons)
    pdf = written_apart(document, theme, tagged=True)
    judged = _judged(job.document, document, laid, source, drawn_text(pdf, pages), theme)
    nowhere = (Finding("E615", text=f"#{name}") for name in lost(text, job.numbers))
    findings = _told(theme, *styles.findings, *source.findings, *nowhere, *judged)
    return Answer(encode_part(_taken_apart(pdf, document, theme, icons)), pages, findings, measured=measured)


def _taken_apart(pdf: bytes, document: Any, theme: LoadedTheme, icons: Mapping[str, str]) -> Part:
    try:
        return part_of(pdf, document, theme.usable, icons)
    except CannotLink as why:
        raise GaveUp(why.detail) from why


def _judged(
    job: DocumentJob, document: Any, laid: Sequence[Laid], source: Source, drawn: str, theme: LoadedTheme
) -> Iterator[Finding]:
    """What is wrong with the pages of a document; `drawn` is what a reader finds on them."""
    expected = Expected.of(job.texts, theme.same)
    proof = Proof(source, [run for found in laid for run in found.runs], expected, theme)
    pages = list(zip(document.pages, laid, strict=True))
    for page, found in pages:
        yield from sticking_out(sticking(page, found))
    yield from proof.fonts()
    yield from proof.texts(drawn)
    yield from proof.sizes()
    for page, found in pages:
        yield from Proof(source, found.runs, expected, theme).places(page.width, page.height, Fraction(0))
    yield from coarse(picture for page in document.pages for picture in pictures_on(page))
    words = source.words()
    for found in laid:
        yield from broken_lines(found, words, expected, theme.same)
    for found in laid:
        yield from on_another(found.runs, source, expected, theme.same)
    yield from unfilled(source, expected, theme.same)
    yield from _strangers(document, theme)


def _page_sheet(job: DocumentJob, theme: LoadedTheme) -> tuple[Any, ...]:
    """The size of the pages, where the stylesheets do not decide it. A page that is made larger is laid out on one that is smaller."""
    if job.page_mm is None:
        return ()
    width, height = (decimal(length / job.zoom) for length in job.page_mm)
    return (theme.own_sheet(f"@page{{size:{width}mm {height}mm}}"),)


def _at_fault(job: DocumentJob) -> str:
    """The template that is named where a document is at fault; a book whose chapters set nothing has its frame alone."""
    return job.frame or (job.parts[0][0] if job.parts else "")


def _document_text(job: DocumentJob, theme: LoadedTheme) -> str:
    """The HTML of a document."""
    blocks = [theme.renderer.render(template, context) for template, context in job.parts]
    if job.frame is None:
        body = "".join(blocks)
    else:
        context: Mapping[str, Any] = {"lang": job.lang, **(job.frame_context or {})}
        body = theme.renderer.render(job.frame, {**context, "blocks": [Markup(block) for block in blocks]})
    return whole(body, title=job.title, lang=job.lang, classes=job.body_class, authors=job.authors)


def _styles(job: FaceJob | DocumentJob, theme: LoadedTheme) -> Styles:
    """The stylesheets of a job; raises Refused where they lack a font or a file."""
    styles = theme.styles(job.stylesheets)
    if styles.broken:
        raise Refused(styles.findings)
    return styles


def _told(theme: LoadedTheme, *findings: Finding) -> tuple[Finding, ...]:
    """These findings after what the typesetter said on the way; each once."""
    refused = theme.files.refused()
    asked = {finding.text for finding in refused}
    said = [finding for finding in logged() if finding.code != "E619" or finding.text not in asked]
    return tuple(dict.fromkeys((*said, *refused, *findings)))


def _strangers(document: Any, theme: LoadedTheme) -> Iterable[Finding]:
    """Fonts in a finished document that the theme does not declare."""
    for family in sorted({font.family for font in document.fonts.values()}):
        if family.lower() not in theme.coverage:
            yield Finding("E622", text=family, detail="it is none of the theme's, and stands in the page all the same")

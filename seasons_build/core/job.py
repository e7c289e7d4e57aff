"""What the typesetter is asked for and what it gives: a theme, jobs that use it, and results. Plain records, and their form on the wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeAlias

from seasons_build.core.face import AnyFace, decode
from seasons_build.core.finding import Finding, from_data
from seasons_build.core.limits import Limits
from seasons_build.core.part import Measured, Part, decode_part, measured_of
from seasons_build.core.record import dataclass
from seasons_build.core.sealed import text_of
from seasons_build.core.wire import Message, WireError

ENTRY_LINK = "entry-link"
"""The class of a link to another entry: where that does not stand in the same document, its words alone are printed."""


@dataclass(frozen=True, slots=True)
class Theme:
    """All that faces and pages may be made of; the worker sees no other file.

    Templates, stylesheets, fonts and images are keyed by name. A template includes another one by its name; a stylesheet and a template
    reach a font as `fonts/NAME` and an image as `images/NAME`. `icons` gives the glyph of each icon's name; `floor_pt` is the size in
    points below which no text may stand.
    """

    id: str
    templates: Mapping[str, str]
    stylesheets: Mapping[str, str]
    fonts: Mapping[str, bytes]
    images: Mapping[str, bytes]
    icons: Mapping[str, str]
    floor_pt: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a fit ladder, largest first: the class that the page asks for as `fit.class` and the fields that the template then leaves
    out. Where to begin is told by the length of the text: at the first step with `upto` characters or more or, where that is not said, by
    `size_pt`, the size of its text."""

    class_name: str = ""
    drop: tuple[str, ...] = ()
    size_pt: Fraction | None = None
    upto: int | None = None


@dataclass(frozen=True)
class FaceJob:
    """One face: the template gives a whole document, or what stands in its body. Lengths are millimetres.

    `context` is plain JSON data, `{"$html": ...}` in it safe markup. `texts` are the field names and texts that must be on the page, markup
    in them is dropped; `floors` are the least sizes, in points, of some of them. `safe_mm` is how far from the cut text must stay. `fit` is
    the ladder for what must end above the floor; `steps` has, for fields that must stay inside a box of their own, the classes tried one
    after the other, joined to that of the ladder. `body_class`, `title` and `lang` are for a template that gives a body only. `key` is the
    caller's own and comes back unread.
    """

    key: str
    theme: str
    template: str
    context: Mapping[str, Any]
    stylesheets: tuple[str, ...]
    size_mm: tuple[Fraction, Fraction]
    bleed_mm: Fraction = Fraction(3)
    safe_mm: Fraction = Fraction(0)
    body_class: str = ""
    fit: tuple[Step, ...] = (Step(),)
    steps: tuple[tuple[str, tuple[str, ...]], ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    floors: tuple[tuple[str, Fraction], ...] = ()
    title: str = ""
    lang: str = "en"

    def __post_init__(self) -> None:
        if not self.fit or not all(classes for _, classes in self.steps):
            raise ValueError("a fit ladder without a step")

    @cached_property
    def digest(self) -> str:
        """As `job_digest` has it, worked out once."""
        return job_digest(self)


@dataclass(frozen=True, slots=True)
class KnownFace:
    """A face that was asked for before, and would be asked for again in the very same words: their digest stands for them. Only what was
    kept can answer it."""

    key: str
    theme: str
    template: str
    title: str
    digest: str


@dataclass(frozen=True)
class DocumentJob:
    """A document of any number of pages, typeset in one go: parts, each a template and its context, one after the other.

    `frame` is a template that gets the parts as the list `blocks`, beside `frame_context`, and gives a whole document, or what stands in
    its body; without it the parts stand in the body as they are. The size of the pages is the stylesheets' own affair, unless `page_mm` is
    given; `zoom` then makes all of it, page and type, so many times as large. `forms` makes fields
    of what the templates mark as such, and `source`, what the document was made from, is kept in the file; `spoken` are the icons and what
    they are called; `tagged` makes the structure readable by machines.
    `paper_mm` is paper on which pages of a fixed layout are made to lie whole.
    """

    key: str
    theme: str
    parts: tuple[tuple[str, Mapping[str, Any]], ...]
    stylesheets: tuple[str, ...]
    frame: str | None = None
    frame_context: Mapping[str, Any] | None = None
    body_class: str = ""
    texts: tuple[tuple[str, str], ...] = ()
    title: str = ""
    lang: str = "en"
    authors: str = ""
    forms: bool = False
    source: str = ""
    spoken: tuple[tuple[str, str], ...] = ()
    tagged: bool = True
    page_mm: tuple[Fraction, Fraction] | None = None
    zoom: Fraction = Fraction(1)
    paper_mm: tuple[Fraction, Fraction] | None = None

    @cached_property
    def digest(self) -> str:
        """As `job_digest` has it, worked out once."""
        return job_digest(self)


@dataclass(frozen=True)
class PartJob:
    """A part of a book, which begins on a page of its own: the pages of a document, to be bound with those of the other parts.

    `first` is the number of its first page, `numbers` the pages of the places that it names, as far as they are in the book, `elsewhere`
    the places in other parts that it leads to without their numbers. Where no `numbers` are known yet, the part is only measured.
    """

    document: DocumentJob
    first: int = 1
    numbers: Mapping[str, int] | None = None
    elsewhere: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The caller's own."""
        return self.document.key

    @property
    def theme(self) -> str:
        """The id of its theme."""
        return self.document.theme

    @cached_property
    def digest(self) -> str:
        """As `job_digest` has it, worked out once."""
        return job_digest(self)


@dataclass(frozen=True)
class BookJob:
    """A book: its parts, in order, none of which has a form; and what the file says of itself. No worker gets it whole."""

    key: str
    theme: str
    parts: tuple[DocumentJob, ...]
    title: str
    lang: str
    authors: str = ""

    @cached_property
    def digest(self) -> str:
        """As `job_digest` has it, worked out once."""
        return job_digest(self)


class NotKept(LookupError):
    """A known face is wanted, and what was made of it is there no more."""


Job: TypeAlias = FaceJob | DocumentJob | PartJob
Wanted: TypeAlias = Job | KnownFace
"""What is asked of who keeps things; the typesetter itself knows no known faces."""

Printed: TypeAlias = Wanted | BookJob
"""What becomes a file, or a side of a card in one."""


@dataclass(frozen=True, slots=True)
class Typeset:
    """What became of a job. A face job gives `face`, a document job `pdf`, a part of a book `measured` and, once its
    numbers are known, `part`; none of them where a finding says that it could not be made.
    `fit` is the step of the ladder that was used, by its place; `fitted` is that step, with all classes that the page was given."""

    key: str
    face: AnyFace | None = None
    pdf: bytes | None = None
    pages: int = 0
    findings: tuple[Finding, ...] = ()
    fit: int = 0
    fitted: Step = Step()
    measured: Measured | None = None
    part: Part | None = None


ART = "art"
"""What the names of entries' pictures begin with; a hash of their bytes stands next in them."""


def seconds_for(job: Job, limits: Limits) -> int:
    """How much of the processor's time a job may take."""
    if isinstance(job, FaceJob):
        return limits.face_seconds
    return limits.book_seconds if isinstance(job, PartJob) else limits.document_seconds


def theme_digest(theme: Theme) -> str:
    """A hash of everything in the theme but its id, and but the pictures of entries: what shows one of these names its bytes."""
    own = {name: data for name, data in theme.images.items() if not name.startswith(f"{ART}/")}
    header, blobs = theme_message(replace(theme, images=own))
    header = {name: value for name, value in header.items() if name != "id"}
    return _digest(header, blobs)


def job_digest(job: Job | BookJob) -> str:
    """A hash of everything that decides what becomes of a job, but what is in its theme, and the tools: the job without its key."""
    if isinstance(job, BookJob):
        parts = [part.digest for part in job.parts]
        return _digest({"do": "book", "parts": parts, "title": job.title, "lang": job.lang, "authors": job.authors, "theme": job.theme}, ())
    header, blobs = job_message(job)
    return _digest({name: value for name, value in header.items() if name != "key"}, blobs)


def _digest(header: Mapping[str, Any], blobs: Sequence[bytes]) -> str:
    found = sha256()
    for part in (json.dumps(header, sort_keys=True, ensure_ascii=True).encode(), *blobs):
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.hexdigest()


def theme_message(theme: Theme) -> tuple[dict[str, Any], list[bytes]]:
    """A theme as a message to the worker."""
    fonts, images = sorted(theme.fonts), sorted(theme.images)
    header = {
        "do": "theme",
        "id": theme.id,
        "templates": dict(theme.templates),
        "stylesheets": dict(theme.stylesheets),
        "icons": dict(theme.icons),
        "floor_pt": str(theme.floor_pt),
        "fonts": fonts,
        "images": images,
    }
    return header, [*(theme.fonts[name] for name in fonts), *(theme.images[name] for name in images)]


def theme_of(message: Message) -> Theme:
    """The theme in a message."""
    header, blobs = message.header, message.blobs
    fonts, images = header["fonts"], header["images"]
    return Theme(
        id=header["id"],
        templates=header["templates"],
        stylesheets=header["stylesheets"],
        fonts=dict(zip(fonts, blobs[: len(fonts)], strict=True)),
        images=dict(zip(images, blobs[len(fonts) :], strict=True)),
        icons=header["icons"],
        floor_pt=Fraction(header["floor_pt"]),
    )


def job_message(job: Job) -> tuple[dict[str, Any], list[bytes]]:
    """A job as a message to the worker. What the template of a face gets travels behind its header."""
    if isinstance(job, PartJob):
        numbers = None if job.numbers is None else dict(job.numbers)
        about = {"first": job.first, "numbers": numbers, "further": list(job.elsewhere)}
        header, blobs = job_message(job.document)
        return {**header, "do": "part", **about}, blobs
    common = {
        "key": job.key,
        "theme": job.theme,
        "stylesheets": list(job.stylesheets),
        "body_class": job.body_class,
        "texts": [list(pair) for pair in job.texts],
        "title": job.title,
        "lang": job.lang,
    }
    if isinstance(job, DocumentJob):
        document = {
            "do": "document",
            **common,
            "parts": [[template, context] for template, context in job.parts],
            "frame": job.frame,
            "frame_context": job.frame_context,
            "authors": job.authors,
            "forms": job.forms,
            "source": job.source,
            "spoken": [list(pair) for pair in job.spoken],
            "tagged": job.tagged,
            "page_mm": None if job.page_mm is None else [str(length) for length in job.page_mm],
            "zoom": str(job.zoom),
            "paper_mm": None if job.paper_mm is None else [str(length) for length in job.paper_mm],
        }
        return document, []
    face = {
        "do": "face",
        **common,
        "template": job.template,
        "size_mm": [str(length) for length in job.size_mm],
        "bleed_mm": str(job.bleed_mm),
        "safe_mm": str(job.safe_mm),
        "fit": [[s.class_name, list(s.drop), None if s.size_pt is None else str(s.size_pt), s.upto] for s in job.fit],
        "steps": [[name, list(classes)] for name, classes in job.steps],
        "floors": [[name, str(floor)] for name, floor in job.floors],
    }
    return face, [text_of(job.context)]


def job_of(message: Message, hook: Callable[[dict[str, Any]], Any] | None = None) -> Job:
    """The job in a message; `hook` is what `json.loads` calls an object hook."""
    header = message.header
    if header["do"] == "part":
        document = job_of(message._replace(header={**header, "do": "document"}), hook)
        assert isinstance(document, DocumentJob), "it says so"
        return PartJob(document, header["first"], header["numbers"], tuple(header["further"]))
    texts = tuple((field, text) for field, text in header["texts"])
    sheets = tuple(header["stylesheets"])
    if header["do"] == "document":
        return DocumentJob(
            key=header["key"],
            theme=header["theme"],
            parts=tuple((template, context) for template, context in header["parts"]),
            stylesheets=sheets,
            frame=header["frame"],
            frame_context=header["frame_context"],
            body_class=header["body_class"],
            texts=texts,
            title=header["title"],
            lang=header["lang"],
            authors=header["authors"],
            forms=header["forms"],
            source=header["source"],
            spoken=tuple((icon, words) for icon, words in header["spoken"]),
            tagged=header["tagged"],
            page_mm=None if header["page_mm"] is None else (Fraction(header["page_mm"][0]), Fraction(header["page_mm"][1])),
            zoom=Fraction(header["zoom"]),
            paper_mm=None if header["paper_mm"] is None else (Fraction(header["paper_mm"][0]), Fraction(header["paper_mm"][1])),
        )
    width, height = header["size_mm"]
    return FaceJob(
        key=header["key"],
        theme=header["theme"],
        template=header["template"],
        context=json.loads(message.blobs[0], object_hook=hook),
        stylesheets=sheets,
        size_mm=(Fraction(width), Fraction(height)),
        bleed_mm=Fraction(header["bleed_mm"]),
        safe_mm=Fraction(header["safe_mm"]),
        body_class=header["body_class"],
        fit=tuple(Step(name, tuple(drop), None if size is None else Fraction(size), upto) for name, drop, size, upto in header["fit"]),
        steps=tuple((name, tuple(classes)) for name, classes in header["steps"]),
        floors=tuple((name, Fraction(floor)) for name, floor in header["floors"]),
        texts=texts,
        title=header["title"],
        lang=header["lang"],
    )


def typeset_of(message: Message, job: Job) -> Typeset:
    """The result in a worker's answer to `job`. Raises WireError where the answer is not of the form it should have."""
    header = message.header
    try:
        fit, pages, classes = header["fit"], header["pages"], header["classes"]
        if type(fit) is not int or type(pages) is not int or not isinstance(classes, str):
            raise TypeError("numbers and text of the wrong form")
        findings = tuple(from_data(finding) for finding in header["findings"])
        face = pdf = part = measured = None
        if message.blobs and isinstance(job, FaceJob):
            face = decode(message.blobs[0])
        elif message.blobs and isinstance(job, PartJob):
            part = decode_part(message.blobs[0])
        elif message.blobs:
            pdf = message.blobs[0]
        if isinstance(job, PartJob) and header["measured"] is not None:
            measured = measured_of(header["measured"])
        fitted = replace(job.fit[fit], class_name=classes) if isinstance(job, FaceJob) else Step()
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise WireError(f"an answer out of form: {error}") from error
    return Typeset(job.key, face, pdf, pages, findings, fit, fitted, measured, part)

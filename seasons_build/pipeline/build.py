"""From a project that was read to files in its output folder: compose, typeset, impose, raster, publish.

In: a `Project` and what the command line asked for. Out: `Built`. The unit of failure is the product: one that holds a broken entry, or a
face with an error, keeps its old file and is told as stale; the others are published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from seasons_build.compose import Asked, ReadTheme, ThemeFiles, compose, read_themes
from seasons_build.core.balance import BalanceTable
from seasons_build.core.diagnostic import Diagnostic, errors
from seasons_build.core.document import Document
from seasons_build.core.entry import Key
from seasons_build.core.face import AnyFace, Face, sha_of
from seasons_build.core.finding import Finding, diagnostic
from seasons_build.core.job import Job, Typeset, job_digest
from seasons_build.core.kind import Prose
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.paper import Paper, Papers, papers_from
from seasons_build.core.plan import Plan
from seasons_build.core.span import Span
from seasons_build.evaluate import weigh
from seasons_build.impose import Card, FontParts, Sheet, font_parts, fonts_needed, lay_out, link, one_page, sheets
from seasons_build.impose.whole import link_whole
from seasons_build.load import load
from seasons_build.pipeline.read import Project
from seasons_build.publish import Output, OutputRefused, Product, Published
from seasons_build.raster import page_png
from seasons_build.sources import BASE, CannotRead
from seasons_build.typeset import Typesetter

__all__ = ["Asked", "Built", "Options", "OutputRefused", "Typesetter", "build"]

MACHINE = "E850"
"""Nothing can be typeset here: no entry's fault, and told once."""
THEME = "theme.yaml"
PAPERS = "papers.yaml"
PRODUCT = "product"
TOO_LARGE = ("E601", "E602", "E603")
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asked of a build."""

    asked: Asked
    out: Path
    paper: str | None = None
    forms: tuple[str, ...] = ("pdf",)
    jobs: int = 2
    whole: bool = True
    """Whether this is all that the output folder is to hold: what an earlier build wrote and this one does not make goes away."""


@dataclass(frozen=True, slots=True)
class Built:
    """What came of a build. `stale` are the products that keep their old files."""

    published: Published = field(default_factory=Published)
    diagnostics: tuple[Diagnostic, ...] = ()
    stale: tuple[str, ...] = ()
    faces: int = 0


Tell = Callable[[str, int, int], None]
"""Told of progress: what is being done, how much of it is done, and of how much."""


def build(
    project: Project, options: Options, typesetter: Typesetter, *, limits: Limits = DEFAULT, tell: Tell = lambda what, done, of: None
) -> Built:
    """Builds the products asked for. Raises `OutputRefused` where the output folder is none that may be written into."""
    run = _Run(project, options, typesetter, limits, tell)
    return run.build()


class _Run:
    """The work of one build."""

    def __init__(self, project: Project, options: Options, typesetter: Typesetter, limits: Limits, tell: Tell) -> None:
        self._project = project
        self._options = options
        self._typesetter = typesetter
        self._limits = limits
        self._tell = tell
        self._found: list[Diagnostic] = []
        self._fonts: dict[str, FontParts] = {}
        self._digests: dict[int, str] = {}
        self._font_files: dict[str, bytes] = {}

    def build(self) -> Built:
        papers = self._papers()
        paper = self._paper(papers)
        themes = self._themes()
        read, balances = self._project, self._balances()
        whole = {key: sheet for key, sheet in read.sheets.items() if sheet.whole}
        sound = not errors(self._found)
        composed = compose(read.library, whole, read.lines, balances, themes, papers.cards, self._options.asked)
        self._found += composed.diagnostics
        # What is wrong with one product is no reason to leave the others; what was asked for and is not there is.
        if paper is None or not sound or errors([d for d in composed.diagnostics if d.span is None]):
            return Built(diagnostics=tuple(self._found))
        faulty = self._faulty(composed.diagnostics)
        for theme in dict.fromkeys(plan.theme for plan in composed.value):
            self._typesetter.open(themes[theme].theme)
            self._font_files |= _by_digest(themes[theme].theme.fonts)
        plans = composed.value
        with Output(self._options.out, self._project.root) as output:
            typeset = self._typeset(plans)
            stale = [plan.label for plan in plans if plan.product in faulty or not self._ready(plan, typeset)]
            products = self._products([p for p in plans if p.label not in stale], typeset, papers, paper)
            published = output.publish(products, lambda name, about: self._gone(name, about, plans, stale))
        self._found += published.diagnostics
        faces = sum(len(plan.faces) for plan in plans)
        return Built(published, tuple(dict.fromkeys(self._found)), tuple(stale), faces)

    def _faulty(self, found: Iterable[Diagnostic]) -> frozenset[str]:
        """The products in which an error stands."""
        wrong = [d.span for d in found if d.severity == "error" and d.span]
        products = [e for e in self._project.library.entries.values() if e.kind == PRODUCT]
        places = [(e.id, e.document.file, e.span()) for e in products]
        return frozenset(name for name, file, at in places for w in wrong if w.file == file and at.line <= w.line <= at.end_line)

    def _balances(self) -> tuple[BalanceTable, ...]:
        """The games' balances, worked out only where a product that is wanted shows them."""
        asked = {name.rpartition(":")[2] for name in self._options.asked.products}
        shown = [e for e in self._project.library.entries.values() if e.kind == PRODUCT and e.data.get("show")]
        if not any(not asked or e.id in asked for e in shown):
            return ()
        weighed = weigh(self._project.library)
        self._found += weighed.diagnostics
        return weighed.value

    # What is printed on and with

    def _document(self, name: str) -> Document | None:
        raw = self._bytes(name)
        if raw is None:
            return None
        result = load(name, raw, self._limits)
        self._found += result.diagnostics
        return result.value

    def _bytes(self, name: str) -> bytes | None:
        try:
            return self._project.sources.read(name)
        except CannotRead as error:
            self._found.append(Diagnostic("E100", f"`{name}` cannot be read: {error.why}", Span(name, 1, 1, 1, 1)))
            return None

    def _papers(self) -> Papers:
        name = next(n for n in self._project.sources.base_templates if n.endswith(f"/{BASE}/{PAPERS}"))
        document = self._document(name)
        assert document is not None, "the package ships its sizes"
        result = papers_from(document)
        self._found += result.diagnostics
        return result.value

    def _paper(self, papers: Papers) -> Paper | None:
        wanted = self._options.paper or papers.default or ""
        if wanted not in papers.papers:
            hint = f"there are {', '.join(papers.papers)}"
            self._found.append(Diagnostic("E706", f"unknown paper `{wanted}`", None, (hint,)))
            return None
        return papers.papers[wanted]

    def _themes(self) -> Mapping[str, ReadTheme]:
        sources = self._project.sources
        folders = {BASE: sources.base_templates}
        folders |= {pack: sources.packs[pack].templates for pack in self._project.library.packs if sources.packs[pack].templates}
        read = {name: files for name, names in folders.items() if (files := self._theme_files(name, names)) is not None}
        fonts = {name.rpartition("/")[2]: self._bytes(name) or b"" for name in sources.fonts}
        result = read_themes(read, fonts)
        self._found += result.diagnostics
        return result.value

    def _theme_files(self, theme: str, names: Sequence[str]) -> ThemeFiles | None:
        manifest = next((n for n in names if n.endswith(f"/{THEME}")), None)
        document = self._document(manifest) if manifest else None
        if manifest is None or document is None:
            return None
        folder = manifest.removesuffix(THEME)
        texts: dict[str, str] = {}
        images: dict[str, bytes] = {}
        for name in names:
            inner = name.removeprefix(folder)
            if inner.endswith((".j2", ".css")):
                texts[f"{theme}/{inner}"] = self._text(name)
            elif inner.endswith(PICTURES):
                images[inner.removeprefix("images/")] = self._bytes(name) or b""
        return ThemeFiles(theme, document, texts, images)

    def _text(self, name: str) -> str:
        raw = self._bytes(name) or b""
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            self._found.append(Diagnostic("E103", "the file is not UTF-8 text", Span(name, line, 1, line, 1)))
            return ""

    # Typesetting

    def _typeset(self, plans: Sequence[Plan]) -> Mapping[str, Typeset]:
        """What became of every job, by the digest of what it asks for: what two products ask for alike is made once."""
        jobs: dict[str, Job] = {}
        owners: dict[str, tuple[Plan, Key | None]] = {}
        for plan in plans:
            for job, entry in _jobs(plan):
                jobs.setdefault(self._digest(job), job)
                owners.setdefault(self._digest(job), (plan, entry))
        done: dict[str, Typeset] = {}
        self._tell("typesetting", 0, len(jobs))
        for name, result in zip(jobs, self._typesetter.run(jobs.values()), strict=True):
            done[name] = result
            self._found += [self._placed(finding, *owners[name]) for finding in result.findings]
            self._tell("typesetting", len(done), len(jobs))
        return done

    def _digest(self, job: Job) -> str:
        """The digest of a job, worked out once: plans outlive the build."""
        if id(job) not in self._digests:
            self._digests[id(job)] = job_digest(job, job.theme)
        return self._digests[id(job)]

    def _placed(self, finding: Finding, plan: Plan, entry: Key | None) -> Diagnostic:
        """A finding at the line that the author can mend: of the field, of the entry, of the theme's file."""
        if finding.code == MACHINE:
            return diagnostic(finding)
        if finding.file is not None:
            name = self._theme_name(plan.theme, finding.file)
            line, column = finding.line or 1, finding.column or 1
            return diagnostic(finding, Span(name, line, column, line, column + 1))
        field = finding.field
        if entry is None and field is not None and "." in field:
            owner, _, field = field.partition(".")
            entry = next((key for key in plan.entries if f"{key[1]}/{key[2]}" == owner), None)
        if entry is None and plan.of and len(plan.entries) == 1:
            entry = plan.entries[0]
        if entry is None:
            return diagnostic(finding)
        found = self._project.library.entries[entry]
        path = _path_of(field or "", found.announced.prose, guess=finding.code in TOO_LARGE)
        span = found.span(path) if path else found.key_span()
        return diagnostic(finding, span)

    def _theme_name(self, theme: str, file: str) -> str:
        owner, _, inner = file.partition("/")
        for name in (*self._project.sources.base_templates, *self._project.sources.names()):
            if name.endswith(f"templates/{owner}/{inner}"):
                return name
        return file

    def _ready(self, plan: Plan, typeset: Mapping[str, Typeset]) -> bool:
        """Whether a product may replace its old file."""
        if plan.broken or plan.pack in self._project.unread:
            return False
        results = [typeset[self._digest(job)] for job, _ in _jobs(plan)]
        return all((r.face or r.pdf) is not None and not any(f.code.startswith("E") for f in r.findings) for r in results)

    # Files

    def _products(
        self, plans: Sequence[Plan], typeset: Mapping[str, Typeset], papers: Papers, paper: Paper
    ) -> Iterator[Product]:
        for index, plan in enumerate(plans):
            self._tell("writing", index, len(plans))
            library = self._project.library
            about = {"product": plan.label, "version": library.packs[plan.pack].version, "entries": len(plan.entries)}
            if plan.document is not None:
                result = typeset[self._digest(plan.document)]
                if result.pdf is not None and "pdf" in self._options.forms:
                    yield Product(f"{plan.file}.pdf", result.pdf, {**about, "pages": result.pages})
                continue
            yield from self._cards(plan, typeset, papers, paper, about)
        self._tell("writing", len(plans), len(plans))

    def _cards(
        self, plan: Plan, typeset: Mapping[str, Typeset], papers: Papers, paper: Paper, about: Mapping[str, object]
    ) -> Iterator[Product]:
        faces = {p.job.key: _face(typeset[self._digest(p.job)]) for p in plan.faces}
        backs = {p.back.key: _face(typeset[self._digest(p.back)]) for p in plan.faces if p.back}
        self._prepare([*faces.values(), *backs.values()])
        if "pdf" in self._options.forms:
            assert plan.card is not None, "a product of cards has a size"
            layout = lay_out(plan.card, paper)
            self._found += layout.diagnostics
            if layout.value is not None:
                deck = [
                    Card(faces[p.job.key], backs[p.back.key] if p.back else None) for p in plan.faces for _ in range(p.copies)
                ]
                pages = sheets(deck, layout.value)
                data = self._linked(pages, plan.title)
                yield Product(self._name(plan, papers, paper), data, {**about, "pages": len(pages), "n-up": layout.value.count})
        if "png" in self._options.forms:
            for planned in plan.faces:
                pdf = self._linked((one_page(faces[planned.job.key], bleed=False),), planned.job.title)
                _, kind, name = planned.entry
                yield Product(f"{plan.file}/{kind}-{name}.png", page_png(pdf), {"product": plan.label})

    def _name(self, plan: Plan, papers: Papers, paper: Paper) -> str:
        """The name of a deck's file, below the output folder."""
        added = "" if paper.id == papers.default else f"-{paper.id}"
        return f"{plan.file}{added}.pdf"

    def _gone(self, name: str, about: Mapping[str, object], plans: Sequence[Plan], stale: Sequence[str]) -> bool:
        """Whether nothing makes a file of an earlier build any more: its product is no more, or its entry is not among the pictures. What
        was asked for in another way, on other paper, stays."""
        if not self._options.whole:
            return False
        product = about.get("product")
        if product not in [plan.label for plan in plans]:
            return True
        return name.endswith(".png") and "png" in self._options.forms and product not in stale

    def _prepare(self, faces: Iterable[AnyFace]) -> None:
        """Makes the fonts that the faces use ready, each once a build."""
        for need in fonts_needed(faces):
            if need.sha not in self._fonts:
                self._fonts[need.sha] = font_parts(self._font_files[need.sha])

    def _linked(self, pages: Sequence[Sheet], title: str) -> bytes:
        placed = [p.face for page in pages for p in page.placements]
        write = link if all(isinstance(face, Face) for face in placed) else link_whole
        return write(pages, self._fonts, title=title, language="en")


def _jobs(plan: Plan) -> Iterator[tuple[Job, Key | None]]:
    if plan.document is not None:
        yield plan.document, None
    for planned in plan.faces:
        yield planned.job, planned.entry
        if planned.back is not None:
            yield planned.back, None


def _face(result: Typeset) -> AnyFace:
    assert result.face is not None, "only whole products are printed"
    return result.face


def _path_of(field: str, prose: Sequence[Prose], *, guess: bool) -> tuple[str | int, ...]:
    """The path of the text that a field name of a template means; or the longest of those that it begins, or, as a `guess` at what takes
    too much room, of all."""
    exact = next((p.path for p in prose if ".".join(map(str, p.path)) == field), None)
    if exact is not None:
        return exact
    inside = [p for p in prose if str(p.path[0]) == field.partition(".")[0]] or (list(prose) if guess else [])
    return max(inside, key=lambda p: len(p.text)).path if inside else ()


def _by_digest(fonts: Mapping[str, bytes]) -> dict[str, bytes]:
    return {sha_of(data): data for data in fonts.values()}


"""From typeset plans to files: decks on sheets, single faces as pictures, documents as they are.

In: plans and what became of their jobs. Out: files by their name below the output folder, as they are asked for one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Library
from seasons_build.core.face import AnyFace, Face
from seasons_build.core.job import Job, Typeset
from seasons_build.core.paper import Paper, Papers
from seasons_build.core.plan import Plan
from seasons_build.impose import Card, FontParts, Sheet, font_parts, fonts_needed, lay_out, link, one_page, sheets
from seasons_build.impose.whole import link_whole
from seasons_build.publish import Product
from seasons_build.raster import page_png


class Files:
    """Makes the files of plans. `typeset` gives what became of a job, `fonts` the bytes of each font file by their hash; `diagnostics` is
    what was found on the way."""

    def __init__(
        self,
        library: Library,
        typeset: Callable[[Job], Typeset],
        fonts: Mapping[str, bytes],
        papers: Papers,
        paper: Paper,
        forms: tuple[str, ...],
    ) -> None:
        self._library = library
        self._typeset = typeset
        self._font_files = fonts
        self._papers = papers
        self._paper = paper
        self._forms = forms
        self._fonts: dict[str, FontParts] = {}
        self.diagnostics: list[Diagnostic] = []

    def of(self, plan: Plan) -> Iterator[Product]:
        """The files of one plan, all of whose jobs gave something."""
        about = {"product": plan.label, "version": self._library.packs[plan.pack].version, "entries": len(plan.entries)}
        if plan.document is None:
            yield from self._cards(plan, about)
            return
        result = self._typeset(plan.document)
        if result.pdf is not None and "pdf" in self._forms:
            yield Product(f"{plan.file}.pdf", result.pdf, {**about, "pages": result.pages})

    def _cards(self, plan: Plan, about: Mapping[str, object]) -> Iterator[Product]:
        faces = {p.job.key: self._face(p.job) for p in plan.faces}
        backs = {p.back.key: self._face(p.back) for p in plan.faces if p.back}
        self._prepare([*faces.values(), *backs.values()])
        if "pdf" in self._forms:
            assert plan.card is not None, "a product of cards has a size"
            layout = lay_out(plan.card, self._paper)
            self.diagnostics += layout.diagnostics
            if layout.value is not None:
                deck = [Card(faces[p.job.key], backs[p.back.key] if p.back else None) for p in plan.faces for _ in range(p.copies)]
                pages = sheets(deck, layout.value)
                data = self._linked(pages, plan.title)
                yield Product(self._name(plan), data, {**about, "pages": len(pages), "n-up": layout.value.count})
        if "png" in self._forms:
            for planned in plan.faces:
                pdf = self._linked((one_page(faces[planned.job.key], bleed=False),), planned.job.title)
                _, kind, name = planned.entry
                yield Product(f"{plan.file}/{kind}-{name}.png", page_png(pdf), {"product": plan.label})

    def _name(self, plan: Plan) -> str:
        """The name of a deck's file, below the output folder."""
        added = "" if self._paper.id == self._papers.default else f"-{self._paper.id}"
        return f"{plan.file}{added}.pdf"

    def _face(self, job: Job) -> AnyFace:
        result = self._typeset(job)
        assert result.face is not None, "only whole products are printed"
        return result.face

    def _prepare(self, faces: Iterable[AnyFace]) -> None:
        """Makes the fonts that the faces use ready, each once a build."""
        for need in fonts_needed(faces):
            if need.sha not in self._fonts:
                self._fonts[need.sha] = font_parts(self._font_files[need.sha])

    def _linked(self, pages: Sequence[Sheet], title: str) -> bytes:
        placed = [p.face for page in pages for p in page.placements]
        write = link if all(isinstance(face, Face) for face in placed) else link_whole
        return write(pages, self._fonts, title=title, language="en")

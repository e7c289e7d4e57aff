"""From typeset plans to files: decks on sheets, as a shop wants them or for a table; single faces as pictures; documents as they are.

In: plans and what became of their jobs. Out: files by their name below the output folder, as they are asked for one by one. What most
builds do without is imported where it is used: it takes longer than linking a deck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Library
from seasons_build.core.face import AnyFace, Face
from seasons_build.core.job import BookJob, Job, PartJob, Printed, Typeset, Wanted
from seasons_build.core.named import NamedTuple
from seasons_build.core.paper import Layout
from seasons_build.core.plan import Plan, Side
from seasons_build.impose import Card, FontParts, Sheet, font_parts, link, one_page, sheets, traced
from seasons_build.pipeline.changed import CARDS, Marks
from seasons_build.pipeline.decks import Decks, Finished, Unfinished
from seasons_build.pipeline.printing import Printing, told_of
from seasons_build.publish import Lying, Product

BookOf = Callable[[BookJob, Sequence[PartJob], Callable[[], bytes]], bytes]


class Made(NamedTuple):
    """A file of the last build: what it was made of, and how its cards lie."""

    of: tuple[object, ...]
    product: Product
    told: str


def _anew(book: BookJob, jobs: Sequence[PartJob], bind: Callable[[], bytes]) -> bytes:
    return bind()


class Bindery:
    """What makes files, from build to build. `embed` makes a font file ready for embedding; `book` gives the bytes of a book whose parts
    became of these jobs, or binds it. Where it is `lasting`, files are held with what they were made of, and one that would be made of the
    same comes again; `made` and `lying` are those of the last build, by name."""

    def __init__(self, embed: Callable[[bytes], FontParts] = font_parts, book: BookOf = _anew, *, lasting: bool = False) -> None:
        self._embed = embed
        self._fonts: dict[bytes, FontParts] = {}
        self.book = book
        self.lasting = lasting
        self.made: dict[str, Made] = {}
        self.lying: dict[str, Lying] = {}

    def parts(self, font: bytes) -> FontParts:
        """A font file made ready."""
        if font not in self._fonts:
            self._fonts[font] = self._embed(font)
        return self._fonts[font]

    def forget(self) -> None:
        """Drops all that it holds."""
        for held in (self._fonts, self.made, self.lying):
            held.clear()


class Fonts(dict[str, FontParts]):
    """The parts of font files by the hashes of these, each made when it is first asked for. `files` are the font files."""

    def __init__(self, bindery: Bindery) -> None:
        super().__init__()
        self.files: dict[str, bytes] = {}
        self._bindery = bindery

    def __missing__(self, sha: str) -> FontParts:
        self[sha] = parts = self._bindery.parts(self.files[sha])
        return parts


class Files:
    """Makes the files of plans. `typeset` gives what became of a job, `fonts` the parts of a font file by its hash, `decks` has the decks
    of the last build; `diagnostics` and `told`, by the name of a file how its cards lie, are what was found on the way."""

    def __init__(
        self,
        library: Library,
        typeset: Callable[[Printed], Typeset],
        fonts: Mapping[str, FontParts],
        printing: Printing,
        forms: tuple[str, ...],
        bindery: Bindery,
        decks: Decks | None = None,
    ) -> None:
        self._library = library
        self._typeset = typeset
        self._printing = printing
        self._forms = forms
        self._bindery = bindery
        self._fonts = fonts
        self._decks = decks
        self._finished: dict[str, Finished] = {}
        self.diagnostics: list[Diagnostic] = []
        self.told: dict[str, str] = {}

    def unfinished(self, plan: Plan, out: Path) -> Unfinished | None:
        """What there is of a deck whose file in the output folder can be gone on from."""
        frame = self._frame(plan)
        return self._decks.unfinished(self._name(plan), frame, plan, out) if self._decks is not None and frame else None

    def finish(self, plan: Plan, unfinished: Unfinished) -> bool:
        """Makes the file of a deck from the one before, all that was wanted of it being typeset; whether that is enough."""
        assert self._decks is not None, "there is something of it"
        finished = self._decks.finished(self._name(plan), unfinished, plan, self._typeset)
        if finished is not None:
            self._finished[self._name(plan)] = finished
        return finished is not None

    def of(self, plan: Plan) -> Iterator[Product]:
        """The files of one plan, all of whose jobs gave something."""
        about = self._about(plan)
        profile = self._printing.profile
        if profile.at_home:
            yield from self._at_home(plan, about)
        elif plan.faces:
            from seasons_build.pipeline.shops import pages, pictures, table

            make = {"pages": pages, "pictures": pictures, "table": table}[profile.makes]
            deck = tuple(self._sides(plan))
            assert plan.card is not None, "a product of cards has a size"
            for file in make(deck, plan.title, plan.card, profile, self._linked, f"{plan.file}{plan.chosen}".replace("/", "-")):
                told = {**about, "variant": self._printing.added, **file.about}
                yield Product(f"{self._printing.deck(plan)}{file.name}", file.data, told)

    def alone(self, job: Job, title: str) -> bytes:
        """One face as a page of its own, cut as the card is."""
        return self._linked((one_page(self._face(job), bleed=False),), title)

    def _at_home(self, plan: Plan, about: Mapping[str, object]) -> Iterator[Product]:
        if plan.document is None:
            yield from self._cards(plan, about)
            return
        result = self._typeset(plan.document)
        if result.pdf is not None and "pdf" in self._forms:
            name, pdf = f"{plan.file}{self._printing.document(plan)}{plan.chosen}.pdf", result.pdf
            said = {**about, "pages": result.pages}
            yield self._made(name, (pdf, said), lambda: (pdf, said, "")).product

    def _about(self, plan: Plan) -> Mapping[str, object]:
        """What the manifest says of all files of a plan."""
        return {"product": f"{plan.label}{plan.chosen}", "version": self._library.packs[plan.pack].version, "entries": len(plan.entries)}

    def _name(self, plan: Plan) -> str:
        return f"{self._printing.deck(plan)}.pdf"

    def _frame(self, plan: Plan) -> str:
        """Stands for all that decides the file of a deck but what its cards ask for; empty where it is made of all of them in any case."""
        if self._decks is None or self._forms != ("pdf",) or not self._printing.profile.at_home:
            return ""
        if plan.card is None or plan.document is not None or any(face.rest is not None for face in plan.faces):
            return ""
        layout = self._printing.layout(plan.card).value
        around = (repr(layout), repr(self._printing.paper), self._library.language, self._about(plan))
        return "" if layout is None else self._decks.frame(plan, self._name(plan), *around)

    def _cards(self, plan: Plan, about: Mapping[str, object]) -> Iterator[Product]:
        if "pdf" in self._forms:
            assert plan.card is not None, "a product of cards has a size"
            layout = self._printing.layout(plan.card)
            self.diagnostics += layout.diagnostics
            if layout.value is not None:
                name = self._name(plan)
                product, self.told[name] = self._finished.get(name) or self._deck(name, plan, layout.value, about)
                yield product
        if "png" in self._forms:
            from seasons_build.raster import page_png

            varied = {"variant": self._printing.shade} if self._printing.shade else {}
            for side in self._sides(plan):
                pdf = self._linked((one_page(side.face, bleed=False),), side.title)
                yield Product(f"{plan.file}{self._printing.shade}/{side.name}.png", page_png(pdf), {"product": plan.label, **varied})

    def _deck(self, name: str, plan: Plan, layout: Layout, about: Mapping[str, object]) -> Finished:
        """The file of a deck, made of all of its cards."""
        deck = tuple(self._sides(plan))
        frame = self._frame(plan)
        linked = [(side.face, side.back) for side in deck if isinstance(side.face, Face) and isinstance(side.back, Face | None)]
        if self._decks is None or not frame or len(linked) < len(deck):
            of = (deck, layout, self._printing.paper, plan.title, self._library.language, about)
            made = self._made(name, of, lambda: self._imposed(deck, layout, plan.title, about))
            return Finished(made.product, made.told)
        imposed, said, told = self._laid(deck, layout, about)
        pdf = traced(imposed, self._fonts, linked, title=plan.title, language=self._library.language)
        return self._decks.made(name, frame, plan, pdf, said, told, self._typeset)

    def _laid(
        self, deck: Sequence[Side], layout: Layout, about: Mapping[str, object]
    ) -> tuple[tuple[Sheet, ...], Mapping[str, object], str]:
        """The sheets of a deck, what the manifest says of them, and how the cards lie."""
        cards = [Card(side.face, side.back) for side in deck for _ in range(side.copies)]
        imposed = sheets(cards, layout)
        two_sided = not layout.fold and any(card.back is not None for card in cards)
        told = told_of(layout, self._printing.paper, len(cards), len(imposed), two_sided=two_sided)
        return imposed, {**about, "pages": len(imposed), "n-up": layout.count}, told

    def _imposed(
        self, deck: Sequence[Side], layout: Layout, title: str, about: Mapping[str, object]
    ) -> tuple[bytes, Mapping[str, object], str]:
        """A deck as a file, what the manifest says of it, and how the cards lie."""
        imposed, said, told = self._laid(deck, layout, about)
        marks = Marks()
        shown = {side.name: marks.of(side.face, side.back) for side in deck}
        return self._linked(imposed, title), {**said, CARDS: shown}, told

    def _made(self, name: str, of: tuple[object, ...], make: Callable[[], tuple[bytes, Mapping[str, object], str]]) -> Made:
        """A file: that of the last build, where it was made of the same."""
        made = self._bindery.made.get(name)
        if made is None or made.of != of:
            data, about, told = make()
            made = Made(of, Product(name, data, about, self._bindery.lasting), told)
        if self._bindery.lasting:
            self._bindery.made[name] = made
        return made

    def _sides(self, plan: Plan) -> Iterator[Side]:
        """The cards of a deck."""
        for planned in plan.faces:
            _, kind, name = planned.entry
            face = self._face(planned.job)
            back = self._face(planned.back) if planned.back is not None else None
            yield Side(f"{kind}-{name}", planned.job.title, face, back, planned.copies)

    def _face(self, job: Wanted) -> AnyFace:
        result = self._typeset(job)
        assert result.face is not None, "only whole products are printed"
        return result.face

    def _linked(self, imposed: Sequence[Sheet], title: str) -> bytes:
        placed = [p.face for page in imposed for p in page.placements]
        if all(isinstance(face, Face) for face in placed):
            return link(imposed, self._fonts, title=title, language=self._library.language)
        from seasons_build.impose.whole import link_whole

        return link_whole(imposed, self._fonts, title=title, language=self._library.language)

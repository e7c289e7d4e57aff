"""From a project that was read to files in its output folder: compose, typeset, impose, raster, publish.

In: a `Project` and what the command line asked for. Out: `Built`. The unit of failure is the product: one that holds a broken entry, or a
face with an error, keeps its old file and is told as stale; the others are published.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from seasons_build.compose import Asked, Notes, compose
from seasons_build.core.diagnostic import Diagnostic, Result, errors
from seasons_build.core.entry import Key, Library
from seasons_build.core.face import sha_of
from seasons_build.core.job import BookJob, DocumentJob, Printed, Typeset
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.plan import Plan
from seasons_build.core.profile import Wishes
from seasons_build.core.record import dataclass, field
from seasons_build.evaluate import weigh, whole_sheets
from seasons_build.pipeline.art import art_of
from seasons_build.pipeline.changed import changed_only
from seasons_build.pipeline.decks import Decks
from seasons_build.pipeline.files import Bindery, Files, Fonts
from seasons_build.pipeline.fitted import fit_report
from seasons_build.pipeline.kept import Press
from seasons_build.pipeline.placing import Placed
from seasons_build.pipeline.printing import Printing, printing_of, with_printing
from seasons_build.pipeline.read import Project
from seasons_build.pipeline.setting import Setting, Tell, jobs_of
from seasons_build.pipeline.themes import Themes, read_papers
from seasons_build.publish import Output, OutputRefused, Product, Published
from seasons_build.sources import Sources

if TYPE_CHECKING:
    from seasons_build.core.balance import BalanceTable

BALANCE = "balance"
T = TypeVar("T")

__all__ = ["Asked", "Built", "KnownCards", "Notes", "Options", "OutputRefused", "Seen", "Wishes", "build", "look_at"]

PRODUCT, CARDS = "product", "cards"


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asked of a build."""

    asked: Asked
    out: Path
    wishes: Wishes = field(default_factory=Wishes)
    forms: tuple[str, ...] = ("pdf",)
    jobs: int = 2
    whole: bool = True
    """Whether this is all that the output folder is to hold: what an earlier build wrote and this one does not make goes away."""
    changed: bool = False
    """Whether only those cards are printed that are not as in the last whole deck."""


@dataclass(frozen=True, slots=True)
class Built:
    """What came of a build. `stale` are the products that keep their old files; `told` is, by name of a file, how its cards lie,
    `fits` gives a line for each card that was set smaller; `passed` counts the cards that nobody had to look at."""

    published: Published = field(default_factory=Published)
    diagnostics: tuple[Diagnostic, ...] = ()
    stale: tuple[str, ...] = ()
    faces: int = 0
    told: Mapping[str, str] = field(default_factory=dict)
    fits: Callable[[], tuple[str, ...]] = tuple
    passed: int = 0

    @property
    def fitted(self) -> tuple[str, ...]:
        """A line for each card that was set smaller, made for who asks."""
        return self.fits()


@dataclass(frozen=True, slots=True)
class Seen:
    """What would be printed: the plans, what became of each job of theirs (None: it is still being typeset), and what makes files of them;
    no plans and no files where nothing is planned."""

    plans: tuple[Plan, ...] = ()
    typeset: Callable[[Printed], Typeset | None] = lambda job: None
    files: Files | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    cards_set: bool = False
    """Whether the last single face has just been typeset, and pages are next, which take their time."""


Show = Callable[[Seen], None]
"""Is shown what there is to see already, whenever it is more."""

KnownCards = Callable[[Library, Sources], Mapping[str, Mapping[Key, str]]]
"""Gives, by deck and entry, the digests of cards that would be composed as they were."""


def build(
    project: Project,
    options: Options,
    typesetter: Press,
    *,
    limits: Limits = DEFAULT,
    tell: Tell = lambda what, done, of: None,
    notes: Notes | None = None,
    known: KnownCards | None = None,
    bindery: Bindery | None = None,
    themes: Themes | None = None,
    decks: Decks | None = None,
    rest: Callable[[], object] = lambda: None,
) -> Built:
    """Builds the products asked for. `known` gives the cards that need not be composed, once all else is read; `bindery` makes files of
    what was typeset, `themes` has what was read of themes, and `decks` the decks of the last build; `rest` is called when all is typeset.
    Raises `OutputRefused` where the output folder is none that may be written into, and `NotKept` where a known card is kept no more."""
    run = _Run(project, options, typesetter, limits, tell, notes, bindery, known, themes, decks)
    return run.build(rest)


def look_at(
    project: Project,
    options: Options,
    typesetter: Press,
    *,
    limits: Limits = DEFAULT,
    tell: Tell = lambda what, done, of: None,
    notes: Notes | None = None,
    bindery: Bindery | None = None,
    themes: Themes | None = None,
    at_hand: Callable[[Printed], Typeset | None] = lambda job: None,
    show: Show = lambda seen: None,
) -> Seen:
    """As `build`, but that nothing is written: for looking. Single faces are typeset first. `at_hand` gives what is known of a job without
    asking the typesetter; `show` is shown what there is, from when it is known what there will be."""
    return _Run(project, options, typesetter, limits, tell, notes, bindery, themes=themes).seen(at_hand, show)


class _Run:
    """The work of one build."""

    def __init__(
        self,
        project: Project,
        options: Options,
        typesetter: Press,
        limits: Limits,
        tell: Tell,
        notes: Notes | None,
        bindery: Bindery | None,
        known: KnownCards | None = None,
        themes: Themes | None = None,
        decks: Decks | None = None,
    ) -> None:
        self._project = project
        self._options = options
        self._typesetter = typesetter
        self._limits = limits
        self._tell = tell
        self._notes = notes
        self._known = known
        self._found: list[Diagnostic] = []
        self._placed = Placed(project)
        self._bindery = bindery or Bindery()
        self._themes = themes or Themes()
        self._decks = decks
        self._fonts = Fonts(self._bindery)
        self._setting = Setting(typesetter, self._bindery, self._fonts, limits, tell, self._placed)

    def build(self, rest: Callable[[], object]) -> Built:
        """What came of it, written."""
        composed = self.compose()
        if composed is None:
            return Built(diagnostics=tuple(self._found))
        plans, lacking, labels, printing = composed
        setting = self._setting
        typeset: dict[str, Typeset] = {}
        with Output(self._options.out, self._project.root) as output:
            files = self._files(typeset, printing)
            found = {plan.label: unfinished for plan in plans if (unfinished := files.unfinished(plan, self._options.out)) is not None}
            setting.unfinished |= found
            done, plans = self._typeset(plans)
            typeset |= done
            for plan in plans:
                if plan.label in found and self._ready(plan, typeset) and not files.finish(plan, found[plan.label]):
                    del setting.unfinished[plan.label]
                    typeset |= setting.all_of(plan, typeset)
            rest()
            stale = [plan.label for plan in plans if plan.label in lacking or not self._ready(plan, typeset)]
            if self._options.changed:
                whole = [plan for plan in plans if plan.label not in stale]
                plans = tuple(changed_only(whole, lambda job: typeset[job.digest], output.made(), printing.deck))
            products = self._products([p for p in plans if p.label not in stale], files)
            gone = partial(self._gone, labels=labels, stale=stale, printing=printing)
            published = output.publish(products, gone, self._bindery.lying)
        self._found += (*files.diagnostics, *published.diagnostics)
        faces = sum(len(plan.faces) for plan in plans)

        def fits() -> tuple[str, ...]:
            return fit_report(plans, lambda job: typeset[job.digest])

        passed = sum(unfinished.passed for unfinished in setting.unfinished.values())
        return Built(published, self._all_found(), tuple(stale), faces, files.told, fits, passed)

    def seen(self, at_hand: Callable[[Printed], Typeset | None], show: Show) -> Seen:
        """What there is to see; nothing is written."""
        composed = self.compose()
        if composed is None:
            return Seen(diagnostics=tuple(self._found))
        plans, _, _, printing = composed
        books = self._notes.books if self._notes is not None else {}
        known = {**books, **{job.digest: result for plan in plans for job, _ in jobs_of(plan) if (result := at_hand(job)) is not None}}
        faces = len({job.digest for plan in plans for job, _ in jobs_of(plan) if not isinstance(job, DocumentJob | BookJob)})

        def so_far(typeset: Mapping[str, Typeset], planned: tuple[Plan, ...] = plans) -> Seen:
            def became(job: Printed) -> Typeset | None:
                return typeset.get(job.digest) or known.get(job.digest)

            files, found = self._files({**known, **typeset}, printing), self._all_found()
            return Seen(planned, became, files, found, cards_set=len(typeset) == faces)

        typeset, plans = self._typeset(plans, lambda done: show(so_far(done)), faces_first=True)
        return so_far(typeset, plans)

    def _files(self, typeset: Mapping[str, Typeset], printing: Printing) -> Files:
        decks = self._decks if not self._options.changed else None
        library, forms = self._project.library, self._options.forms
        return Files(library, lambda job: typeset[job.digest], self._fonts, printing, forms, self._bindery, decks)

    def compose(self) -> tuple[tuple[Plan, ...], frozenset[str], set[str], Printing] | None:
        """The plans of what is asked for, the labels of those with an error, the labels of all, and how they are printed; None where
        nothing can be planned."""
        self._tell("composing", 0, 1)
        papers = self._told(read_papers(self._project.sources, self._limits))
        printing = self._told(printing_of(self._project.sources, self._options.wishes, papers, self._limits))
        if printing is None:
            return None
        themes = self._told(self._themes.of(self._project, self._limits))
        read, balances = self._project, self._balances()
        whole = whole_sheets(read.sheets)
        sound = not errors(self._found)
        art = self._told(art_of(read.library, read.sources))
        asked = with_printing(self._options.asked, printing)
        if self._notes is not None and self._known is not None:
            self._notes.known = self._known(read.library, read.sources)
        composed = compose(read.library, whole, read.lines, balances, themes, papers.cards, asked, art.names, self._notes)
        self._found += composed.diagnostics
        # What is wrong with one product is no reason to leave the others; what was asked for and is not there is.
        if not sound or errors([d for d in composed.diagnostics if d.span is None]):
            return None
        faulty = self._faulty(composed.diagnostics)
        plans = tuple(printing.paged(plan) for plan in self._printed(composed.value, printing))
        for theme in dict.fromkeys(plan.theme for plan in plans):
            with_art = replace(themes[theme].theme, images={**themes[theme].theme.images, **art.images})
            self._typesetter.open(with_art)
            self._fonts.files |= _by_digest(themes[theme].theme.fonts)
        lacking = frozenset(plan.label for plan in plans if plan.product in faulty or art.missing & set(plan.entries))
        return plans, lacking, {plan.label for plan in composed.value}, printing

    def _printed(self, plans: tuple[Plan, ...], printing: Printing) -> tuple[Plan, ...]:
        """The plans that the profile prints: one of a shop prints cards."""
        profile, asked = printing.profile, self._options.asked.products
        if profile.at_home:
            return plans
        for demand in profile.asks:
            hint = f"`seasons verify FILE --profile {profile.id}` says what it lacks"
            self._found.append(Diagnostic("N726", f"`{profile.id}` asks for {demand}, which no file of ours claims to be", None, (hint,)))
        for plan in plans:
            if plan.layout != CARDS and (plan.name in asked or plan.product in asked):
                message = f"the profile `{profile.id}` prints cards, and `{plan.label}` is none: it is left out"
                self._found.append(Diagnostic("W724", message))
        return tuple(plan for plan in plans if plan.layout == CARDS)

    def _told(self, result: Result[T]) -> T:
        """The value of a result, whose diagnostics are kept."""
        self._found += result.diagnostics
        return result.value

    def _faulty(self, found: Iterable[Diagnostic]) -> frozenset[str]:
        """The products in which an error stands."""
        wrong = [d.span for d in found if d.severity == "error" and d.span]
        products = [e for e in self._project.library.entries.values() if e.kind == PRODUCT]
        places = [(e.id, e.document.file, e.span()) for e in products]
        return frozenset(name for name, file, at in places for w in wrong if w.file == file and at.line <= w.line <= at.end_line)

    def _balances(self) -> tuple[BalanceTable, ...]:
        """The games' balances, worked out only where a product that is wanted shows them."""
        packs, asked = self._options.asked.packs, set(self._options.asked.products)
        products = [e for e in self._project.library.entries.values() if e.kind == PRODUCT and e.pack in packs]
        shown = [e for e in products if e.data.get("show") == BALANCE and (not asked or asked & {e.id, e.pack, f"{e.pack}:{e.id}"})]
        if not shown:
            return ()
        weighed = weigh(self._project.library)
        self._found += weighed.diagnostics
        return weighed.value

    def _typeset(
        self, plans: tuple[Plan, ...], show: Callable[[Mapping[str, Typeset]], None] = lambda done: None, *, faces_first: bool = False
    ) -> tuple[Mapping[str, Typeset], tuple[Plan, ...]]:
        done, settled = self._setting.typeset(plans, show, faces_first=faces_first)
        if self._notes is not None:
            books = (plan.document.digest for plan in plans if isinstance(plan.document, BookJob))
            self._notes.books = {name: done[name] for name in books}
        return done, settled

    def _all_found(self) -> tuple[Diagnostic, ...]:
        return tuple(dict.fromkeys((*self._found, *self._placed.told())))

    def _ready(self, plan: Plan, typeset: Mapping[str, Typeset]) -> bool:
        """Whether a product may replace its old file."""
        if plan.broken or plan.pack in self._project.unread:
            return False
        results = [typeset[job.digest] for job, _ in self._setting.wanted(plan)]
        return all((r.face or r.pdf) is not None and not any(f.code.startswith("E") for f in r.findings) for r in results)

    # Files

    def _products(self, plans: Sequence[Plan], files: Files) -> Iterator[Product]:
        for index, plan in enumerate(plans):
            self._tell("writing", index, len(plans))
            yield from files.of(plan)
        self._tell("writing", len(plans), len(plans))

    def _gone(self, name: str, about: Mapping[str, object], labels: Container[str], stale: Sequence[str], printing: Printing) -> bool:
        """Whether nothing makes a file of an earlier build any more: its product is no more, or its entry is not among the pictures. What
        was asked for in another way, on other paper or by the name of another pack, stays."""
        if not self._options.whole:
            return False
        product = about.get("product")
        if not isinstance(product, str):
            return True
        if product not in labels:
            pack, _, _ = product.partition(":")
            return pack in self._options.asked.packs or pack not in self._project.sources.packs
        drawn = not printing.profile.at_home or "png" in self._options.forms
        return drawn and name.endswith(".png") and about.get("variant", "") == printing.pictures and product not in stale


def _by_digest(fonts: Mapping[str, bytes]) -> dict[str, bytes]:
    return {sha_of(data): data for data in fonts.values()}

"""A build as the command line asks for it: a project read, built and told about, with what was kept of the builds before.

In: an `Order` and sources that are open. Out: an exit code. The typesetters are started before anything is read, as many as the change
since the last build seems to need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import click

from seasons_build.cli.stopwatch import Stopwatch
from seasons_build.cli.talk import closing, code_of, colors, of_the_project, shown, tell, told, write, write_safe
from seasons_build.core.diagnostic import Diagnostic, errors
from seasons_build.core.fingerprint import Fingerprints
from seasons_build.core.job import NotKept
from seasons_build.core.names import did_you_mean
from seasons_build.core.profile import Wishes
from seasons_build.core.record import dataclass, field
from seasons_build.core.tools import Tools
from seasons_build.pipeline.again import Again
from seasons_build.pipeline.ahead import known_tools
from seasons_build.pipeline.build import Asked, Built, KnownCards, Notes, Options, OutputRefused, Seen, build, look_at
from seasons_build.pipeline.decks import Decks
from seasons_build.pipeline.files import Bindery
from seasons_build.pipeline.journal import Journal
from seasons_build.pipeline.kept import KeptFonts, KeptPress, KeptReader
from seasons_build.pipeline.read import Project, link_sources, select, work_out
from seasons_build.pipeline.sale import faults_of_sale
from seasons_build.pipeline.sound import SoundFiles
from seasons_build.pipeline.start import SetLast, Typesetter, keep_set_last
from seasons_build.pipeline.themes import Themes
from seasons_build.report import render, summary
from seasons_build.sources import Sources
from seasons_build.store import Store
from seasons_build.unchanged import Inputs, Said

__all__ = ["Begun", "Order", "OutputRefused", "Shop", "carry_out", "never_there"]

T = TypeVar("T")

_MEANT = (OSError, OutputRefused, click.ClickException, click.exceptions.Exit, click.Abort)
"""What ends a build and says why."""
UNKNOWN_PRODUCT = "E701"


@dataclass(frozen=True, slots=True)
class Order:
    """What the command line asks for, as typed."""

    products: tuple[str, ...]
    patterns: tuple[tuple[str, int | None], ...]
    condition: str | None
    out: Path | None
    wishes: Wishes
    forms: tuple[str, ...]
    workers: int
    strict: bool
    timings: bool
    steady: bool = False
    """Whether files that change while they are read are read again."""
    fit_report: bool = False
    for_sale: bool = False
    changed: bool = False

    @property
    def named(self) -> tuple[str, ...]:
        """The packs that are named."""
        return tuple(name.partition(":")[0] for name in (*self.products, *(pattern for pattern, _ in self.patterns)))

    @property
    def whole(self) -> bool:
        """Whether all of a project is asked for, into its own folder."""
        return not self.products and not self.patterns and self.condition is None and self.out is None and not self.changed


@dataclass(slots=True)
class Shop:
    """What reads and typesets, with what was kept of the builds before. It may be used again and again: `last` is then the project as it
    was worked out before."""

    store: Store
    press: KeptPress
    reader: KeptReader
    bindery: Bindery
    decks: Decks | None = None
    journal: Journal | None = None
    """What an earlier program has left, for one build."""
    sound: SoundFiles | None = None
    """And what it has left of reading."""
    last: Project | None = None
    notes: Notes = field(default_factory=Notes)
    again: Again = field(default_factory=Again)
    themes: Themes = field(default_factory=Themes)
    rest: Callable[[], object] = lambda: None
    """Called where a build has nothing more to typeset: what sets type takes up as much room as the rest."""

    def once(self, order: Order, sources: Sources, root: Path, watch: Stopwatch) -> Round | None:
        """One build of open sources; None where the files have changed while they were read. Raises OutputRefused."""
        return self._believing(lambda: self._once(order, sources, root, watch))

    def _once(self, order: Order, sources: Sources, root: Path, watch: Stopwatch) -> Round | None:
        self.notes = self.notes if order.steady else Notes()
        project = self._read(order, sources, root, watch)
        if project is None:
            return None
        options = _options(order, project)
        forbidden = tuple(faults_of_sale(project, options.asked.packs)) if order.for_sale else ()
        if errors(forbidden):
            return Round(project, options, Built(diagnostics=forbidden))
        built = self._built(project, options, watch)
        return Round(project, options, replace(built, diagnostics=(*forbidden, *built.diagnostics)))

    def _built(self, project: Project, options: Options, watch: Stopwatch) -> Built:
        if self.journal is not None:
            try:
                return self._built_by(project, options, watch, self.journal.cards)
            except NotKept:
                self.notes = Notes()  # a face was let go: all are composed
        return self._built_by(project, options, watch, None)

    def _built_by(self, project: Project, options: Options, watch: Stopwatch, known: KnownCards | None) -> Built:
        return build(
            project,
            options,
            self.press,
            tell=watch.tell,
            notes=self.notes,
            known=known,
            bindery=self.bindery,
            themes=self.themes,
            decks=self.decks,
            rest=self.rest,
        )

    def look(
        self, order: Order, sources: Sources, root: Path, watch: Stopwatch, show: Callable[[Project, Seen, float], None]
    ) -> tuple[Project, Seen] | None:
        """As `once`, but that nothing is written; what there is already is shown meanwhile, with the seconds so far."""
        return self._believing(lambda: self._look(order, sources, root, watch, show))

    def _look(
        self, order: Order, sources: Sources, root: Path, watch: Stopwatch, show: Callable[[Project, Seen, float], None]
    ) -> tuple[Project, Seen] | None:
        project = self._read(order, sources, root, watch)
        if project is None:
            return None
        options, notes, themes, at_hand = _options(order, project), self.notes, self.themes, self.press.at_hand

        def so_far(seen: Seen) -> None:
            show(project, seen, watch.seconds())

        return project, look_at(
            project,
            options,
            self.press,
            tell=watch.tell,
            notes=notes,
            bindery=self.bindery,
            themes=themes,
            at_hand=at_hand,
            show=so_far,
        )

    def _believing(self, work: Callable[[], T]) -> T:
        """What comes of work that uses what was kept; where it falls, of the same work without. A cache that somebody forged may hold
        anything, and a bug of ours falls again."""
        try:
            return work()
        except _MEANT:
            raise
        except Exception as error:
            # Python makes something else of an interrupt that comes while a class is made.
            if isinstance(error.__cause__, KeyboardInterrupt) or not self.store.disbelieve():
                raise
            self.press.forget()
            self.reader.forget()
            self.bindery.forget()
            if self.decks is not None:
                self.decks.forget()
            self.last, self.notes, self.again, self.themes, self.journal, self.sound = None, Notes(), Again(), Themes(), None, None
            return work()

    def _read(self, order: Order, sources: Sources, root: Path, watch: Stopwatch) -> Project | None:
        before = {name: sources.stamp(name) for name in sources.names()} if order.steady else {}
        watch.begin("reading")
        project = link_sources(sources, root, order.named, parse=self.reader.load, again=self.again, sound=self.sound)
        if before and any(sources.stamp(name) != stamp for name, stamp in before.items()):
            return None
        watch.begin("working out")
        left_by = self.journal.left if self.journal is not None else None
        remember = order.steady or self.journal is not None
        project = work_out(project, before=self.last, remember=remember, patient=not order.steady, left_by=left_by)
        self.last = project if order.steady else None
        return project


@dataclass(frozen=True, slots=True)
class Round:
    """One build: the project as it was read, what was asked, and what came of it."""

    project: Project
    options: Options
    built: Built

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """All that is to be told."""
        return of_the_project((*self.project.diagnostics, *self.built.diagnostics))


@dataclass(frozen=True, slots=True)
class Begun:
    """A build that has begun: its files as they were, those that have changed since the last one (None where that is not known), what sets
    type as far as that is known, the typesetter that is starting, and what it has been given to begin with."""

    inputs: Inputs
    changed: tuple[str, ...] | None
    tools: Tools
    typesetter: Typesetter
    before: SetLast | None = None


def never_there(project: Project, found: Iterable[Diagnostic]) -> bool:
    """Whether a product is asked for that there is none of, and no file is unread that might yet have it: nothing to wait for."""
    return not project.unread and any(d.code == UNKNOWN_PRODUCT for d in found)


def carry_out(order: Order, sources: Sources, root: Path, store: Store, begun: Begun) -> int:
    """Builds what is asked for and tells about it; gives the exit code."""
    watch = Stopwatch()
    inputs, tools, changed = begun.inputs, begun.tools, begun.changed or ()
    # What is reported of how cards fit is more than a journal has.
    prints = Fingerprints()
    journal = Journal(store, inputs.program(tools), prints) if not order.fit_report else None
    sound = SoundFiles(store, inputs.program(tools), prints, changed)
    press = KeptPress(begun.typesetter, store, tools=tools.digest)
    decks = Decks(store, press.around) if not order.fit_report else None
    shop = Shop(store, press, KeptReader(store, moving=changed), Bindery(KeptFonts(store).parts, press.book), decks, journal, sound)
    shop.rest = begun.typesetter.rest
    try:
        done = shop.once(order, sources, root, watch)
    except OutputRefused as refused:
        write_safe(render([refused.diagnostic], "text", lambda _: None, color=colors()))
        return 1
    begun.typesetter.close()
    assert done is not None, "a single build takes the files as they are"
    watch.begin("ending")
    built = done.built
    tell(done.project, done.found)
    _report(built, done.options, watch.seconds())
    if order.fit_report:
        write("\n".join(built.fitted) or ("every card is set at the largest size" if built.faces else "no card is printed"))
    built = replace(built, fits=tuple)  # what was typeset is let go before more is written
    done = replace(done, built=built)
    closing(done.found)
    code = 1 if built.stale else code_of(done.found, strict=order.strict)
    tools = tools if tools.digest else known_tools(store)
    if shop.sound is not None:
        shop.sound.keep(inputs.program(tools))
    if shop.journal is not None and shop.press.certain:
        _leave(shop.journal, done.project, shop.notes, inputs.program(tools))
    if shop.press.certain and sources.complete and not built.published.diagnostics:
        files = tuple(str(done.options.out / name) for name in sorted((*built.published.written, *built.published.same)))
        said = Said(*told(done.project, done.found), files, built.stale, summary(done.found), code)
        inputs.remember(tools, built.published.stamps, said)
    if (last := shop.press.set_last()) is not None and last != begun.before:
        keep_set_last(store, *last)
    if order.timings:
        faces, parsed = shop.press.made + shop.press.found + built.passed, shop.reader.parsed + shop.reader.found
        watch.report(f"of {faces} faces and documents {shop.press.made} typeset, of {parsed} files {shop.reader.parsed} parsed")
    return code


def _leave(journal: Journal, project: Project, notes: Notes, program: str) -> None:
    """Leaves word for the next program, where all is well with the project: what is at fault is on its way to be mended."""
    if project.memory is not None and not errors(project.diagnostics):
        journal.keep(project.library, project.sources, project.memory, notes, program)


def _options(order: Order, project: Project) -> Options:
    """What to build of a project. Raises what click makes a word on usage of."""
    keep = None
    if order.condition is not None:
        chosen = select(project, order.condition)
        if isinstance(chosen, str):
            raise click.BadParameter(chosen, param_hint="--where")
        keep = chosen
    packs = _packs(project, order.products, order.named)
    if not packs:
        tell(project, of_the_project(project.diagnostics))
        raise click.UsageError(_nothing(project, order.products))
    asked = Asked(packs, order.products, order.patterns, keep)
    return Options(asked, order.out or project.root / "dist", order.wishes, order.forms, order.workers, order.whole, order.changed)


def _packs(project: Project, products: tuple[str, ...], named: tuple[str, ...]) -> tuple[str, ...]:
    packs = project.library.packs
    own = [pack.id for pack in packs.values() if pack.own]
    # Where the project has none of its own, those that the command line brings are meant.
    own = own or [pack for pack in packs if project.sources.packs[pack].added]
    known = [pack for pack in named if pack in packs]
    if products and all(":" in p or p in packs for p in products):
        return tuple(dict.fromkeys(known))
    return tuple(dict.fromkeys([*own, *known]))


def _nothing(project: Project, products: tuple[str, ...]) -> str:
    """What to say where no pack is meant: the project has none, and no shipped game is named."""
    library = project.library
    there = [f"{owner}:{entry.id}" for (owner, kind), group in sorted(library.by_kind.items()) if kind == "product" for entry in group]
    near = [hint for name in products for hint in did_you_mean(name, [*there, *(t.partition(":")[2] for t in there)])]
    listed = ", ".join(there)
    if products:
        return f"there is no product {products[0]!r}; {near[0] if near else f'name one of a shipped game: {listed}'}"
    advice = "make one with `seasons new pack ID --for GAME`, or name a product of a shipped game"
    return f"this project has no packs of its own: {advice}: {listed}"


def _report(built: Built, options: Options, seconds: float) -> None:
    published = built.published
    for name in sorted((*published.written, *published.same)):
        write(shown(options.out / name))
        if name in built.told:
            write(f"  {built.told[name]}", err=True)
    for name in published.removed:
        write(f"removed {shown(options.out / name)}", err=True)
    for name in built.stale:
        write(f"stale: {name} keeps its old file", err=True)
    count = len(published.written) + len(published.same)
    write(f"{count} {'file' if count == 1 else 'files'} ({len(published.written)} new) in {seconds:.1f} s", err=True)

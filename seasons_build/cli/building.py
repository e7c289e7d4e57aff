"""A build as the command line asks for it: a project read, built and told about, with what was kept of the builds before.

In: an `Order` and sources that are open. Out: an exit code. The typesetters are started before anything is read, as many as the change
since the last build seems to need.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import click

from seasons_build.cli.talk import closing, code_of, of_the_project, shown, tell, told, write
from seasons_build.core.names import did_you_mean
from seasons_build.core.profile import Wishes
from seasons_build.pipeline import Project, link_sources, select, work_out
from seasons_build.pipeline.build import Asked, Built, Options, OutputRefused, Typesetter, build
from seasons_build.pipeline.kept import KeptPress, KeptReader, known_tools
from seasons_build.report import summary
from seasons_build.sources import Sources
from seasons_build.store import Store
from seasons_build.unchanged import Inputs, Said

BEYOND_ENTRIES = ("templates/", "schemas/")
"""Where a change is one of many pages, most likely."""
SILENCE = 5
"""Seconds after which a build that is not on a terminal says how far it is."""


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

    @property
    def named(self) -> tuple[str, ...]:
        """The packs that are named."""
        return tuple(name.partition(":")[0] for name in (*self.products, *(pattern for pattern, _ in self.patterns)))

    @property
    def whole(self) -> bool:
        """Whether all of a project is asked for, into its own folder."""
        return not self.products and not self.patterns and self.condition is None and self.out is None


def carry_out(order: Order, sources: Sources, root: Path, store: Store, kind: str) -> int:
    """Builds what is asked for and tells about it; gives the exit code."""
    watch = Stopwatch()
    inputs = Inputs(sources, store)
    early = _early(inputs.changed(store, kind), store, order.workers)
    with Typesetter(workers=order.workers, at_once=early) as typesetter:
        press, reader = KeptPress(typesetter, store), KeptReader(store)
        watch.begin("reading")
        project = link_sources(sources, root, order.named, parse=reader.load)
        watch.begin("working out")
        project = work_out(project)
        options = _options(order, project)
        try:
            built = build(project, options, press, tell=watch.tell)
        except OutputRefused as refused:
            tell(project, [refused.diagnostic])
            return 1
    watch.begin("ending")
    found = of_the_project((*project.diagnostics, *built.diagnostics))
    tell(project, found)
    _report(built, options, watch.seconds())
    closing(found)
    code = 1 if built.stale else code_of(found, strict=order.strict)
    if press.certain and not built.published.diagnostics:
        files = tuple(str(options.out / name) for name in sorted((*built.published.written, *built.published.same)))
        said = Said(*told(project, found), files, built.stale, summary(found), code)
        inputs.remember(store, kind, known_tools(store), built.published.stamps, said)
    if order.timings:
        faces, files_ = press.made + press.found, reader.parsed + reader.found
        kept = f"of {faces} faces and documents {press.made} typeset, of {files_} files {reader.parsed} parsed"
        watch.report(kept)
    return code


def _early(changed: tuple[str, ...] | None, store: Store, workers: int) -> int:
    """How many typesetters to start before it is known what there is to typeset."""
    if not known_tools(store).digest:
        return workers
    if not changed:
        return 0
    return workers if any(part in name for name in changed for part in BEYOND_ENTRIES) else 1


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
    return Options(asked, order.out or project.root / "dist", order.wishes, order.forms, order.workers, order.whole)


def _packs(project: Project, products: tuple[str, ...], named: tuple[str, ...]) -> tuple[str, ...]:
    packs = project.library.packs
    own = [pack.id for pack in packs.values() if pack.own]
    known = [pack for pack in named if pack in packs]
    if products and all(":" in p or p in packs for p in products):
        return tuple(dict.fromkeys(known))
    return tuple(dict.fromkeys([*own, *known]))


def _nothing(project: Project, products: tuple[str, ...]) -> str:
    """What to say where no pack is meant: the project has none, and no shipped game is named."""
    library = project.library
    there = [f"{owner}:{entry.id}" for (owner, kind), group in sorted(library.by_kind.items()) if kind == "product" for entry in group]
    near = [hint for name in products for hint in did_you_mean(name, [*there, *(t.partition(":")[2] for t in there)])]
    said = f"there is no product {products[0]!r}" if products else "this project has no packs of its own"
    listed = ", ".join(there)
    return f"{said}; {near[0] if near else f'name one of a shipped game: {listed}'}"


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


@dataclass(slots=True)
class Stopwatch:
    """What is being done and how long it has taken: told while it goes on, and listed at the end.

    A bar with what is left on a terminal; elsewhere a line now and then, where there is nothing else to see for long.
    """

    parts: dict[str, float] = field(default_factory=dict)
    _started: float = field(default_factory=monotonic)
    _part: str = ""
    _since: float = 0.0
    _heard: float = 0.0

    def begin(self, part: str) -> None:
        """Goes on to another part of the work."""
        now = monotonic()
        if self._part:
            self.parts[self._part] = self.parts.get(self._part, 0.0) + now - self._since
        self._part, self._since, self._heard = part, now, self._heard or now

    def tell(self, what: str, done: int, of: int) -> None:
        """Says how much of a part is done."""
        if what != self._part:
            self.begin(what)
        if sys.stderr.isatty():
            filled = 24 * done // of if of else 24
            end = "\r" if done < of else "\r\x1b[K"
            sys.stderr.write(f"\r\x1b[K{what} [{'#' * filled}{'.' * (24 - filled)}] {done}/{of}{self._left(done, of)}{end}")
            sys.stderr.flush()
        elif done < of and monotonic() - self._heard > SILENCE:
            self._heard = monotonic()
            write(f"{what}: {done} of {of}{self._left(done, of)}", err=True)

    def seconds(self) -> float:
        """How long it has been since the start."""
        return monotonic() - self._started

    def report(self, about: str) -> None:
        """Lists the parts of the work with their seconds."""
        self.begin("")
        write("where the time went", err=True)
        for part, seconds in self.parts.items():
            write(f"  {seconds:7.2f} s  {part}", err=True)
        write(f"  {self.seconds():7.2f} s  in all: {about}", err=True)

    def _left(self, done: int, of: int) -> str:
        spent = monotonic() - self._since
        return f", about {max(1, round(spent / done * (of - done)))} s left" if 0 < done < of and spent > 2 else ""

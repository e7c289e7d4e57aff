"""Products: which entries, in what order, on what (part of compose)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from seasons_build.compose.again import Notes
from seasons_build.compose.jobs import BESIDE, CREDITS, SHRINK, Jobs
from seasons_build.compose.select import Orderer, by_name, matches, unmet
from seasons_build.compose.themes import BASE, ReadTheme
from seasons_build.compose.view import Viewer
from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Key, Library, Pack
from seasons_build.core.job import DocumentJob
from seasons_build.core.names import did_you_mean
from seasons_build.core.paper import CardSize
from seasons_build.core.plan import Plan
from seasons_build.core.profile import Profile
from seasons_build.core.record import dataclass
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Span
from seasons_build.language.phrases import Lines

if TYPE_CHECKING:
    from seasons_build.core.balance import BalanceTable

PRODUCT = "product"
LEFT_OVER = "cards"
EACH = "each"
BOOK = "book"
DEFAULT_CARD = "poker"
SHOWS = "entry.art"
"""What stands in a template that shows the picture of its entry."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asked for. `products` are names as typed, `only` patterns of entries with the copies wanted (None: as the
    entry says), `keep` the entries that `--where` lets through (None: all), `profile` where cards are printed, which may cut them in a
    way of its own, `flat` asks for sheets without fields."""

    packs: tuple[str, ...]
    products: tuple[str, ...] = ()
    only: tuple[tuple[str, int | None], ...] = ()
    keep: frozenset[Key] | None = None
    ink: str = ""
    profile: Profile | None = None
    flat: bool = False


def compose(
    library: Library,
    sheets: Mapping[Key, Sheet],
    lines: Mapping[Key, Lines],
    balances: tuple[BalanceTable, ...],
    themes: Mapping[str, ReadTheme],
    cards: Mapping[str, CardSize],
    asked: Asked,
    art: Mapping[Key, str] = MappingProxyType({}),
    notes: Notes | None = None,
) -> Result[tuple[Plan, ...]]:
    """The plans of all products asked for, by pack and product. `art` has, by entry, the name of its picture among those of a theme;
    `notes` are of the last time, where somebody composes again and again.

    Codes: E701 (an unknown product), E702 (an unknown card size), E703 (an unknown kind), E704 (a pattern that meets no entry),
    E705 (a back that no theme has), W701 (a product without entries).
    """
    found: list[Diagnostic] = []
    plans: list[Plan] = []
    named: set[str] = set()
    if notes is not None:
        library, sheets, lines = notes.begin(library, sheets, lines, themes, art)
    for pack in asked.packs:
        owner = library.packs[pack]
        viewer, theme = Viewer(library, sheets, lines, pack, art), _theme_of(owner, themes)
        named |= {f"{pack}:{product.id}" for each in owner.scope for product in library.by_kind.get((each, PRODUCT), ())}
        jobs = Jobs(library, owner, viewer, sheets, balances, themes, theme, asked.only, asked.ink, asked.profile, asked.flat, notes)
        for job in _Pack(jobs, cards, asked, found, sheets).plans():
            named.add(job.name)
            if _wanted(job, asked):
                plans.append(job)
    found += _unknown(asked, named)
    found += _empty(asked, named, plans)
    found += _placeless(plans, library, themes, art)
    found += unmet(tuple(pattern for pattern, _ in asked.only), library)
    return Result(tuple(plans), tuple(found))


class _Pack:
    """The products of one pack: its own, and those of the packs it builds on for the kinds it has."""

    def __init__(
        self, jobs: Jobs, cards: Mapping[str, CardSize], asked: Asked, found: list[Diagnostic], holds: Mapping[Key, Sheet]
    ) -> None:
        self._jobs = jobs
        self._library = jobs.library
        self._sheets = holds
        self._cards = cards
        self._asked = asked
        self._pack = jobs.pack
        self._found = found

    def plans(self) -> Iterator[Plan]:
        taken: set[Key] = set()
        for owner in self._pack.scope:
            for product in self._library.by_kind.get((owner, PRODUCT), ()):
                entries = self._selected(product, own_only=owner != self._pack.id)
                taken |= {e.key for e in entries}
                if product.broken or EACH not in product.data:
                    own = owner == self._pack.id and product.data.get("layout") != BOOK
                    if entries or own or product.data.get("show") == CREDITS:
                        yield self._part(self._plan(product.id, product, product.data, entries))
                else:
                    taken |= {e.key for e in self._each(product)}
                    yield from self._every(product, entries, own=owner == self._pack.id)
        left = [e for e in self._own() if e.key not in taken and self._prints(e)]
        if left:
            data = {"title": self._pack.title, "layout": "cards", "card": DEFAULT_CARD}
            yield self._part(self._plan(LEFT_OVER, None, data, sorted(left, key=lambda e: (e.kind, *by_name(e)))))

    def _part(self, plan: Plan) -> Plan:
        """The plan as what it is where the command line asked for some entries."""
        return replace(plan, part=True) if self._asked.only or self._asked.keep is not None else plan

    def _own(self) -> Iterator[Entry]:
        for (owner, kind), group in self._library.by_kind.items():
            if owner == self._pack.id and kind != PRODUCT:
                yield from group

    def _prints(self, entry: Entry) -> bool:
        return self._library.kind_of(entry).schema.get("x-print") is not False

    # A file for each entry of a kind

    def _each(self, product: Entry) -> list[Entry]:
        kind = str(product.data[EACH])
        if self._library.find_kind(product.pack, kind) is None:
            if product.pack == self._pack.id:
                known = [k for owner, k in self._library.kinds if owner in self._pack.scope]
                self._found.append(Diagnostic("E703", f"unknown kind `{kind}`", product.span((EACH,)), did_you_mean(kind, known)))
            return []
        own = self._library.by_kind.get((self._pack.id, kind), ())
        return sorted((e for e in own if self._kept(e)), key=by_name)

    def _every(self, product: Entry, entries: list[Entry], *, own: bool) -> Iterator[Plan]:
        """A plan for each entry of a kind: its sheet, or the deck of what it holds."""
        title = str(product.data.get("title") or product.id.replace("-", " ").capitalize())
        if not _is_asked(self._asked, self._pack.id, product.id):
            yield Plan(self._pack.id, product.id, title, str(product.data["layout"]), self._theme)
            return
        about = {"id": product.id, "title": title}
        targets = self._library.targets[product.key]
        beside = [key for path, key in targets.items() if path[0] == BESIDE]
        lacking = tuple(key for key in beside if key not in self._sheets)
        for of in self._each(product):
            if of.broken or of.key not in self._sheets:
                yield Plan(self._pack.id, product.id, title, str(product.data["layout"]), self._theme, broken=(of.key,), of=of.id)
            elif product.data["layout"] == "form" and lacking:
                yield Plan(self._pack.id, product.id, title, "form", self._theme, broken=lacking, of=of.id)
            elif product.data["layout"] == "form":
                document = self._jobs.form(product.id, title, of, about, beside)
                if document is None:
                    hint = f"draw it in `forms/{of.kind}.html.j2` of the theme, or take `layout: pages`, which needs no template"
                    self._found.append(Diagnostic("E707", f"the theme has no sheet for `{of.kind}`", product.span(("layout",)), (hint,)))
                    yield Plan(self._pack.id, product.id, title, "form", self._theme, broken=(of.key,), of=of.id)
                    return
                yield Plan(self._pack.id, product.id, title, "form", self._theme, document=document, entries=(of.key,), of=of.id)
            else:
                held = {o.key for o in self._sheets[of.key].owned}
                chosen = [e for e in entries if e.key in held] if self._holds(product) else entries
                plan = self._plan(product.id, product, {**product.data, "title": f"{of.name} · {title}"}, chosen)
                yield replace(plan, of=of.id)
        kind = self._library.find_kind(product.pack, str(product.data[EACH]))
        if own and kind is not None and product.data.get("blank") is True and product.data["layout"] == "form" and not lacking:
            document = self._jobs.blank(product.id, title, kind, about, beside)
            if document is not None:
                yield Plan(self._pack.id, product.id, title, "form", self._theme, document=document, of="blank")

    def _holds(self, product: Entry) -> bool:
        select = product.data.get("select")
        return isinstance(select, Mapping) and "held_by" in select

    @property
    def _theme(self) -> str:
        return self._jobs.theme.theme.id

    def _selected(self, product: Entry, *, own_only: bool) -> list[Entry]:
        select = product.data.get("select")
        kinds = select.get("kind") if isinstance(select, Mapping) else None
        whole = product.data.get("whole", not own_only)
        owners = self._pack.scope if whole else (self._pack.id,)
        if self._holds(product):
            owners = self._pack.scope
            there = dict.fromkeys(kind for owner, kind in self._library.by_kind if owner in self._pack.scope)
            kinds = kinds or [k for k in there if k != PRODUCT]
        chosen: list[Entry] = []
        for index, kind in enumerate(kinds if isinstance(kinds, list) else [kinds] if kinds else []):
            if self._library.find_kind(product.pack, str(kind)) is None:
                if not own_only:
                    at = ("select", "kind", index) if isinstance(kinds, list) else ("select", "kind")
                    known = [k for owner, k in self._library.kinds if owner in self._pack.scope]
                    self._found.append(Diagnostic("E703", f"unknown kind `{kind}`", product.span(at), did_you_mean(str(kind), known)))
                continue
            group = [e for owner in owners for e in self._library.by_kind.get((owner, str(kind)), ())]
            group = [e for e in group if self._prints(e)] if self._holds(product) else group
            order = Orderer(product, self._library)
            chosen += sorted(group, key=lambda e: (*order.key(e), *by_name(e)))
        return chosen

    def _plan(self, name: str, product: Entry | None, data: Mapping[str, Value], entries: list[Entry]) -> Plan:
        title = str(data.get("title") or name.replace("-", " ").capitalize())
        layout = str(data.get("layout", "cards"))
        about = {"id": name, "title": title}
        kept = entries if EACH in data else [e for e in entries if self._kept(e)]
        whole = [e for e in kept if not e.broken and e.key in self._sheets]
        broken = tuple(e.key for e in kept if e.broken or e.key not in self._sheets)
        keys = tuple(e.key for e in whole)
        if product is not None and product.broken:
            return Plan(self._pack.id, name, title, layout, self._theme, broken=(product.key,))
        if not _is_asked(self._asked, self._pack.id, name):
            return Plan(self._pack.id, name, title, layout, self._theme, entries=keys, broken=broken)
        if layout == "pages":
            document = self._jobs.document(name, title, data, whole, about)
            return Plan(self._pack.id, name, title, layout, self._theme, document=document, entries=keys, broken=broken)
        if layout == BOOK:
            return self._book(name, title, product, data, whole, broken)
        size = self._size(product.span(("card",)) if product is not None else entries[0].key_span(), data)
        back = self._jobs.back(product, name, about, size) if size is not None else None
        if isinstance(back, Diagnostic):
            self._found.append(back)
        if size is None or isinstance(back, Diagnostic):
            return Plan(self._pack.id, name, title, layout, self._theme, broken=(product.key,) if product is not None else keys)
        deck = self._jobs.deck(name, about, size, back, str(data.get("fit", SHRINK)))
        faces = tuple(self._jobs.card(entry, deck) for entry in whole)
        return Plan(self._pack.id, name, title, layout, self._theme, faces, size, None, keys, broken)

    def _book(
        self, name: str, title: str, product: Entry | None, data: Mapping[str, Value], chapters: list[Entry], broken: tuple[Key, ...]
    ) -> Plan:
        from seasons_build.compose.book import is_chapter

        strays = [entry for entry in chapters if not is_chapter(entry)]
        if strays and product is not None:
            message = f"a book is made of chapters, and `{strays[0].kind}/{strays[0].id}` has no long text"
            hint = "bring entries in by a line `![[kind/id]]` in a chapter's text"
            self._found.append(Diagnostic("E658", message, product.span(("select",)), (hint,)))
            return Plan(self._pack.id, name, title, BOOK, self._theme, broken=(product.key,))
        document, blocks, lacking = self._jobs.book(name, title, data, chapters, {"id": name, "title": title})
        keys = (*(entry.key for entry in chapters), *blocks)
        return Plan(self._pack.id, name, title, BOOK, self._theme, document=document, entries=keys, broken=(*broken, *lacking))

    def _size(self, span: Span, data: Mapping[str, Value]) -> CardSize | None:
        """The card of a product, as it is cut where it is printed; `span` is where the product names it."""
        card = str(data.get("card", DEFAULT_CARD))
        if card not in self._cards:
            hints = did_you_mean(card, self._cards) or (f"there are {', '.join(self._cards)}",)
            self._found.append(Diagnostic("E702", f"unknown card size `{card}`", span, hints))
            return None
        size, profile = self._cards[card], self._asked.profile
        cut = size if profile is None else profile.cut(size)
        if cut is None and profile is not None:
            message = f"the profile `{profile.id}` takes no cards of the size `{card}`"
            self._found.append(Diagnostic("E722", message, span, (f"it takes {', '.join(profile.sizes)}",)))
        return cut

    def _kept(self, entry: Entry) -> bool:
        asked = self._asked
        if asked.keep is not None and entry.key not in asked.keep:
            return False
        return not asked.only or any(matches(entry, pattern) for pattern, _ in asked.only)


def _theme_of(pack: Pack, themes: Mapping[str, ReadTheme]) -> ReadTheme:
    named = pack.manifest.get("theme")
    for owner in ((named,) if isinstance(named, str) else ()) + pack.scope:
        if owner in themes:
            return themes[owner]
    return themes[BASE]


def _wanted(plan: Plan, asked: Asked) -> bool:
    if (asked.only or asked.keep is not None) and not (plan.entries or plan.broken):
        return False
    return _is_asked(asked, plan.pack, plan.product)


def _is_asked(asked: Asked, pack: str, product: str) -> bool:
    """Whether a product is among those that the command line names: one that is not is named itself, and no more."""
    return not asked.products or any(name in (f"{pack}:{product}", product, pack) for name in asked.products)


def _unknown(asked: Asked, named: set[str]) -> Iterator[Diagnostic]:
    short = {name.partition(":")[2] for name in named}
    for name in asked.products:
        if name not in named and name not in short and name not in asked.packs:
            known = sorted(named) if len(asked.packs) > 1 else sorted(short)
            hints = did_you_mean(name, [*named, *short]) or ((f"there are {', '.join(known)}",) if named else ())
            yield Diagnostic("E701", f"there is no product `{name}`", None, hints)


def _placeless(plans: list[Plan], library: Library, themes: Mapping[str, ReadTheme], art: Mapping[Key, str]) -> Iterator[Diagnostic]:
    """Pictures for which the face of their entry has no place, each told once."""
    told: set[Key] = set()
    for plan in plans:
        for planned in plan.faces:
            shown = SHOWS in themes[planned.job.theme].text(planned.job.template)
            if planned.entry in art and planned.entry not in told and not shown:
                told.add(planned.entry)
                entry = library.entries[planned.entry]
                yield Diagnostic("N727", f"the theme has no place for the picture of `{entry.id}`: none is printed", entry.span(("art",)))


def _empty(asked: Asked, named: set[str], plans: list[Plan]) -> Iterator[Diagnostic]:
    """Products asked for that print nothing: no entry is there for them, or none that was asked for."""
    full = [p for p in plans if p.entries or p.broken or p.of or (isinstance(p.document, DocumentJob) and p.document.parts)]
    printed = {name for plan in full for name in (plan.name, plan.product, plan.pack)}
    for name in asked.products:
        if name not in printed and (name in named or any(each.endswith(f":{name}") for each in named)):
            yield Diagnostic("W701", f"no entry is there for the product `{name}`: nothing is printed")

"""Products: which entries, in what order, on what (part of compose)."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from seasons_build.compose.themes import BASE, ReadTheme
from seasons_build.compose.view import Viewer
from seasons_build.core.balance import BalanceTable
from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Key, Library, Pack
from seasons_build.core.job import DocumentJob, FaceJob
from seasons_build.core.names import did_you_mean
from seasons_build.core.paper import CardSize
from seasons_build.core.plan import Plan, PlannedFace
from seasons_build.core.sheet import Sheet
from seasons_build.language.phrases import Lines
from seasons_build.language.text import plain

PRODUCT = "product"
LEFT_OVER = "cards"
BALANCE = "balance"
SAY = "say"
DEFAULT_CARD = "poker"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asked for. `products` are names as typed, `only` patterns of entries with the copies wanted (None: as the
    entry says), `keep` the entries that `--where` lets through (None: all)."""

    packs: tuple[str, ...]
    products: tuple[str, ...] = ()
    only: tuple[tuple[str, int | None], ...] = ()
    keep: frozenset[Key] | None = None
    ink: str = ""


def compose(
    library: Library,
    sheets: Mapping[Key, Sheet],
    lines: Mapping[Key, Lines],
    balances: tuple[BalanceTable, ...],
    themes: Mapping[str, ReadTheme],
    cards: Mapping[str, CardSize],
    asked: Asked,
) -> Result[tuple[Plan, ...]]:
    """The plans of all products asked for, by pack and product.

    Codes: E701 (an unknown product), E702 (an unknown card size), E703 (an unknown kind), E704 (a pattern that meets no entry),
    E705 (a back that no theme has), W701 (a product without entries).
    """
    found: list[Diagnostic] = []
    plans: list[Plan] = []
    named: set[str] = set()
    for pack in asked.packs:
        for job in _Pack(library, Viewer(library, sheets, lines, pack), sheets, balances, themes, cards, asked, pack, found).plans():
            named.add(job.name)
            if _wanted(job, asked):
                plans.append(job)
    found += _unknown(asked, named)
    found += _unmet(asked, library)
    return Result(tuple(plans), tuple(found))


class _Pack:
    """The products of one pack: its own, and those of the packs it builds on for the kinds it has."""

    def __init__(
        self,
        library: Library,
        viewer: Viewer,
        sheets: Mapping[Key, Sheet],
        balances: tuple[BalanceTable, ...],
        themes: Mapping[str, ReadTheme],
        cards: Mapping[str, CardSize],
        asked: Asked,
        pack: str,
        found: list[Diagnostic],
    ) -> None:
        self._library = library
        self._sheets = sheets
        self._balances = balances
        self._themes = themes
        self._cards = cards
        self._asked = asked
        self._pack = library.packs[pack]
        self._found = found
        self._viewer = viewer
        self._theme = _theme_of(self._pack, themes)

    def plans(self) -> Iterator[Plan]:
        taken: set[Key] = set()
        for owner in self._pack.scope:
            for product in self._library.by_kind.get((owner, PRODUCT), ()):
                entries = self._selected(product, own_only=owner != self._pack.id)
                taken |= {e.key for e in entries}
                if entries or (owner == self._pack.id and not product.broken):
                    yield self._plan(product.id, product, product.data, entries)
        left = [e for e in self._own() if e.key not in taken and self._prints(e)]
        if left:
            data = {"title": self._pack.title, "layout": "cards", "card": DEFAULT_CARD}
            yield self._plan(LEFT_OVER, None, data, sorted(left, key=lambda e: (e.kind, *_by_name(e))))

    def _own(self) -> Iterator[Entry]:
        for (owner, kind), group in self._library.by_kind.items():
            if owner == self._pack.id and kind != PRODUCT:
                yield from group

    def _prints(self, entry: Entry) -> bool:
        return self._library.kind_of(entry).schema.get("x-print") is not False

    def _selected(self, product: Entry, *, own_only: bool) -> list[Entry]:
        select = product.data.get("select")
        kinds = select.get("kind") if isinstance(select, Mapping) else None
        owners = (self._pack.id,) if own_only and product.data.get("whole") is not True else self._pack.scope
        chosen: list[Entry] = []
        for index, kind in enumerate(kinds if isinstance(kinds, list) else [kinds] if kinds else []):
            if self._library.find_kind(product.pack, str(kind)) is None:
                if not own_only:
                    at = ("select", "kind", index) if isinstance(kinds, list) else ("select", "kind")
                    known = [k for owner, k in self._library.kinds if owner in self._pack.scope]
                    self._found.append(Diagnostic("E703", f"unknown kind `{kind}`", product.span(at), did_you_mean(str(kind), known)))
                continue
            group = [e for owner in owners for e in self._library.by_kind.get((owner, str(kind)), ())]
            chosen += sorted(group, key=lambda e: (*_by_fields(e, product, self._library), *_by_name(e)))
        return chosen

    def _plan(self, name: str, product: Entry | None, data: Mapping[str, Value], entries: list[Entry]) -> Plan:
        title = str(data.get("title") or name.replace("-", " ").capitalize())
        layout = str(data.get("layout", "cards"))
        about = {"id": name, "title": title}
        kept = [e for e in entries if self._kept(e)]
        whole = [e for e in kept if not e.broken and e.key in self._sheets]
        broken = tuple(e.key for e in kept if e.broken or e.key not in self._sheets)
        keys = tuple(e.key for e in whole)
        if product is not None and product.broken:
            return Plan(self._pack.id, name, title, layout, self._theme.theme.id, broken=(product.key,))
        if layout == "pages":
            document = self._document(name, title, data, whole, about)
            return Plan(self._pack.id, name, title, layout, self._theme.theme.id, document=document, entries=keys, broken=broken)
        size = self._size(product, data)
        if size is None:
            assert product is not None, "the default card has a size"
            return Plan(self._pack.id, name, title, layout, self._theme.theme.id, broken=(product.key,))
        back = self._back(product, name, about, size)
        faces = tuple(self._face(entry, name, about, size, back) for entry in whole)
        return Plan(self._pack.id, name, title, layout, self._theme.theme.id, faces, size, None, keys, broken)

    def _size(self, product: Entry | None, data: Mapping[str, Value]) -> CardSize | None:
        card = str(data.get("card", DEFAULT_CARD))
        if card not in self._cards:
            assert product is not None, "the default card has a size"
            self._found.append(Diagnostic("E702", f"unknown card size `{card}`", product.span(("card",)), did_you_mean(card, self._cards)))
            return None
        return self._cards[card]

    def _face(
        self, entry: Entry, product: str, about: Mapping[str, Any], size: CardSize, back: FaceJob | None
    ) -> PlannedFace:
        theme = self._theme
        template = theme.template("cards", entry.kind) or theme.template("cards", "default")
        assert template is not None, "the base theme draws every kind"
        owner = self._owner(template)
        context = self._viewer.context(entry, about, self._asked.ink)
        job = FaceJob(
            key=f"{product}:{entry}",
            theme=theme.theme.id,
            template=template,
            context=context,
            stylesheets=self._sheets_for("cards", template),
            size_mm=(Fraction(size.width), Fraction(size.height)),
            safe_mm=theme.safe_mm,
            fit=owner.fit_of.get(entry.kind, owner.fit),
            steps=owner.steps,
            texts=tuple(self._texts(entry)),
            title=entry.name,
        )
        return PlannedFace(entry.key, job, self._copies(entry), back)

    def _owner(self, template: str) -> ReadTheme:
        """The theme that a template belongs to: a face of the base theme takes the base's own ladders and style sheets."""
        return self._themes.get(template.partition("/")[0], self._theme)

    def _sheets_for(self, layout: str, template: str) -> tuple[str, ...]:
        return self._owner(template).stylesheets.get(layout, ())

    def _texts(self, entry: Entry) -> Iterator[tuple[str, str]]:
        """The texts that must be found on the entry's own page, by the name of their field. What an effect says is a part of its rules
        line, which stands there whole."""
        sheet = self._sheets[entry.key]
        yield from self._viewer.written(entry)
        for prose in entry.announced.prose:
            if prose.path[-1] == SAY:
                continue
            yield ".".join(map(str, prose.path)), plain(sheet.texts.get(prose.path, prose.text), self._viewer.icons)

    def _copies(self, entry: Entry) -> int:
        for pattern, copies in self._asked.only:
            if copies is not None and matches(entry, pattern):
                return copies
        found = entry.data.get("copies", 1)
        return found if isinstance(found, int) else 1

    def _back(self, product: Entry | None, name: str, about: Mapping[str, Any], size: CardSize) -> FaceJob | None:
        wanted = product.data.get("back") if product is not None else None
        if product is None or not isinstance(wanted, str):
            return None
        template = self._theme.template("backs", wanted)
        if template is None:
            known = [t.rpartition("/")[2].removesuffix(".html.j2") for t in self._theme.theme.templates if "/backs/" in t]
            message = f"the theme has no back `{wanted}`"
            self._found.append(Diagnostic("E705", message, product.span(("back",)), did_you_mean(wanted, known)))
            return None
        pack = self._pack
        game = self._library.packs[self._viewer.game(pack.id)]
        context = {
            "game": {"id": game.id, "title": game.title, "version": game.version},
            "pack": {"id": pack.id, "title": pack.title, "version": pack.version},
            "product": dict(about),
            "ink": self._asked.ink,
        }
        sheets = self._sheets_for("cards", template)
        trim = (Fraction(size.width), Fraction(size.height))
        return FaceJob(f"{name}:back", self._theme.theme.id, template, context, sheets, trim, title=str(about["title"]))

    def _document(
        self, name: str, title: str, data: Mapping[str, Value], entries: list[Entry], about: Mapping[str, Any]
    ) -> DocumentJob | None:
        theme = self._theme
        frame = theme.template("frames", "pages")
        parts: list[tuple[str, Mapping[str, Any]]] = []
        if data.get("show") == BALANCE:
            template = theme.template("pages", BALANCE)
            assert template is not None, "the base theme draws a balance"
            parts += [(template, {"balance": self._viewer.balance(t)}) for t in self._balances if t.pack in self._pack.scope]
        for entry in entries:
            template = theme.template("pages", entry.kind) or theme.template("pages", "default")
            assert template is not None, "the base theme draws every kind"
            parts.append((template, self._viewer.context(entry, about, self._asked.ink)))
        game = self._library.packs[self._viewer.game(self._pack.id)]
        around = {
            "product": dict(about),
            "game": {"id": game.id, "title": game.title, "version": game.version},
            "pack": {"id": self._pack.id, "title": self._pack.title, "version": self._pack.version},
            "columns": data.get("columns", 1),
            "ink": self._asked.ink,
            "lang": "en",
        }
        texts = tuple((f"{e.kind}/{e.id}.{field}", text) for e in entries for field, text in self._texts(e))
        return DocumentJob(
            key=f"{name}:pages",
            theme=theme.theme.id,
            parts=tuple(parts),
            stylesheets=theme.stylesheets.get("pages", ()),
            frame=frame,
            frame_context=around,
            texts=texts,
            title=f"{title} · {game.title}",
        )

    def _kept(self, entry: Entry) -> bool:
        asked = self._asked
        if asked.keep is not None and entry.key not in asked.keep:
            return False
        return not asked.only or any(matches(entry, pattern) for pattern, _ in asked.only)


def matches(entry: Entry, pattern: str) -> bool:
    """Whether a pattern of the command line means an entry: `id`, `kind/id` or `pack:kind/id`, with `*` and `?`."""
    names = (entry.id, f"{entry.kind}/{entry.id}", str(entry))
    return any(fnmatch.fnmatchcase(name, pattern) for name in names)


def _theme_of(pack: Pack, themes: Mapping[str, ReadTheme]) -> ReadTheme:
    named = pack.manifest.get("theme")
    for owner in ((named,) if isinstance(named, str) else ()) + pack.scope:
        if owner in themes:
            return themes[owner]
    return themes[BASE]


def _by_name(entry: Entry) -> tuple[str, str]:
    return entry.name.casefold(), entry.id


def _by_fields(entry: Entry, product: Entry, library: Library) -> tuple[tuple[int, Any], ...]:
    order = product.data.get("order")
    keys: list[tuple[int, Any]] = []
    for name in order if isinstance(order, list) else ():
        value = entry.data.get(str(name))
        target = library.targets[entry.key].get((str(name),))
        if target is not None:
            value = library.entries[target].name
        keys.append((0, value) if isinstance(value, int | Fraction) else (1, str(value or "").casefold()))
    return tuple(keys)


def _wanted(plan: Plan, asked: Asked) -> bool:
    if not asked.products:
        return not (asked.only or asked.keep is not None) or bool(plan.entries or plan.broken)
    return any(name in (plan.name, plan.product) for name in asked.products)


def _unknown(asked: Asked, named: set[str]) -> Iterator[Diagnostic]:
    short = {name.partition(":")[2] for name in named}
    for name in asked.products:
        if name not in named and name not in short:
            hints = did_you_mean(name, [*named, *short]) or ((f"there are {', '.join(sorted(named))}",) if named else ())
            yield Diagnostic("E701", f"there is no product `{name}`", None, hints)


def _unmet(asked: Asked, library: Library) -> Iterable[Diagnostic]:
    for pattern, _ in asked.only:
        if not any(matches(entry, pattern) for entry in library.entries.values()):
            hints = did_you_mean(pattern, [e.id for e in library.entries.values()])
            yield Diagnostic("E704", f"no entry is called `{pattern}`", None, hints)

"""What the typesetter is asked for: faces, backs, documents and forms, as jobs (part of compose)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from seasons_build.compose.again import CARD, Notes
from seasons_build.compose.credits import credits_of
from seasons_build.compose.select import matches
from seasons_build.compose.themes import BASE, ReadTheme
from seasons_build.compose.view import LABELS, WHOLE, Viewer, plain_data
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Key, Library, Pack
from seasons_build.core.job import BookJob, DocumentJob, FaceJob, KnownFace, Step
from seasons_build.core.kind import Kind
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.paper import CardSize
from seasons_build.core.plan import PlannedFace
from seasons_build.core.profile import Profile
from seasons_build.core.record import dataclass, field
from seasons_build.core.sealed import Sealed
from seasons_build.core.sheet import Sheet
from seasons_build.language.chapter import LONG
from seasons_build.language.text import plain

if TYPE_CHECKING:
    from seasons_build.compose.book import Chapter
    from seasons_build.core.balance import BalanceTable

BLEED_MM = 3
DEFAULT_BACK, NO_BACK = "default", "none"
SHRINK, UNFITTED, GOES_ON = "shrink", "none", "back"
"""What a product does about a text that is too long: sets it smaller, nothing, or goes on on the back."""
CONTINUED = "continued"
RULES = "rules"
ROLES = {"rules": ("text",), "flavor": ("flavor", "text"), "label": ("label",)}
"""By role of a text, the roles of a theme that say how small it may be, the first that is there."""
CREDITS = "credits"
SAY, BALANCE, BLANK, THINGS, BESIDE = "say", "balance", "blank", "things", "beside"
CHAPTERS_OWN = ("lead", "parts")
"""What of a chapter only its own part of the book is given."""
BOOK_SHEET = "base/book.css"
"""What makes a book of a theme's pages, where the theme lists no sheets for books."""


def _unfitted(ladder: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps of a ladder that set nothing smaller and leave nothing out."""
    return tuple(step for step in ladder if step.size_pt == ladder[0].size_pt and step.drop == ladder[0].drop)


class Deck(NamedTuple):
    """What the cards of a product have in common: the product and what templates see of it, their size and back, what is done about a
    text that is too long; and what stands for all that decides about them beside the theme and what is read."""

    product: str
    about: Mapping[str, Any]
    size: CardSize
    back: FaceJob | None
    fit: str
    digest: str


def _name(deck: Deck, entry: Entry) -> str:
    return f"{deck.product}:{entry}"


@dataclass(frozen=True, slots=True)
class Jobs:
    """Makes the jobs of one pack: `only` are the patterns and copies of the command line, `ink` its wish for little ink, `profile` where
    cards are printed, `flat` its wish for sheets without fields."""

    library: Library
    pack: Pack
    viewer: Viewer
    sheets: Mapping[Key, Sheet]
    balances: tuple[BalanceTable, ...]
    themes: Mapping[str, ReadTheme]
    theme: ReadTheme
    only: tuple[tuple[str, int | None], ...]
    ink: str
    profile: Profile | None
    flat: bool
    notes: Notes | None = None
    """What was made the last time, where somebody composes again and again."""
    _templates: dict[str, str] = field(default_factory=dict)

    def deck(self, product: str, about: Mapping[str, Any], size: CardSize, back: FaceJob | None, fit: str) -> Deck:
        """What the cards of a product have in common; `fit` is what is done about a text that is too long."""
        given = (self.pack.id, product, dict(about), size, back.digest if back else None, fit, self.only, self.ink, self.profile)
        return Deck(product, about, size, back, fit, sha256(repr(given).encode()).hexdigest())

    def card(self, entry: Entry, deck: Deck) -> PlannedFace:
        """The card of an entry; the one of the last time where it is still the same."""
        if self.notes is None:
            return self._face(entry, deck)
        known = self.notes.face(deck.digest, entry.key)
        if known is not None:
            job = KnownFace(_name(deck, entry), self.theme.theme.id, self._card_template(entry.kind), entry.name, known)
            return PlannedFace(entry.key, job, self._copies(entry), deck.back)
        return self.notes.made(CARD, self.pack.id, entry.key, (deck.digest,), lambda: self._face(entry, deck))

    def seen(self, entry: Entry, about: Mapping[str, Any], asked: tuple[str, ...]) -> dict[str, Any]:
        """What a template that asks for such parts sees of an entry; as it was the last time where it is still the same."""
        if self.notes is None:
            return self.viewer.context(entry, about, self.ink, asked)
        given = (dict(about), self.ink, asked)
        return self.notes.made("view", self.pack.id, entry.key, given, lambda: self.viewer.context(entry, about, self.ink, asked))

    def _asked(self, template: str) -> tuple[str, ...]:
        """What of a view that is not made for everybody a template reads: of what it has the word for, which may be more."""
        text = self.theme.text(template)
        return tuple(part for part in WHOLE if part in text)

    def _card_template(self, kind: str) -> str:
        if kind not in self._templates:
            template = self.theme.template("cards", kind) or self.theme.template("cards", "default")
            assert template is not None, "the base theme draws every kind"
            self._templates[kind] = template
        return self._templates[kind]

    def _face(self, entry: Entry, deck: Deck) -> PlannedFace:
        """The card of an entry, composed."""
        theme, size = self.theme, deck.size
        template = self._card_template(entry.kind)
        owner = self._owner(template)
        # A card does not say which deck it is in, so that decks share their faces.
        context = Sealed({**self.viewer.context(entry, deck.about, self.ink, self._asked(template)), "product": {}})
        texts = tuple(self._texts(entry, self._drawn("cards", entry.kind)))
        ladder = owner.fit_of.get(entry.kind, owner.fit)
        job = FaceJob(
            key=_name(deck, entry),
            theme=theme.theme.id,
            template=template,
            context=context,
            stylesheets=self._sheets_for("cards", template),
            size_mm=(Fraction(size.width), Fraction(size.height)),
            bleed_mm=self._bleed,
            safe_mm=self._safe,
            fit=_unfitted(ladder) if deck.fit == UNFITTED else ladder,
            steps=tuple((name, classes[:1]) for name, classes in owner.steps) if deck.fit == UNFITTED else owner.steps,
            texts=texts,
            floors=tuple(self._floors(entry, owner, [name for name, _ in texts])),
            title=entry.name,
            lang=self.library.language,
        )
        return PlannedFace(entry.key, job, self._copies(entry), deck.back, self._rest(job) if deck.fit == GOES_ON else None)

    def _rest(self, job: FaceJob) -> FaceJob:
        """The back of a card for what does not fit in front: at the sizes of the theme, with nothing left out."""
        template = self.theme.template("backs", CONTINUED)
        assert template is not None, "the base theme goes on on a back"
        owner = self._owner(template)
        sizes = {step.size_pt: Step(step.class_name, (), step.size_pt) for step in owner.fit}
        return replace(
            job,
            key=f"{job.key}:back",
            template=template,
            stylesheets=self._sheets_for("cards", template),
            fit=tuple(sizes.values()),
            steps=owner.steps,
            texts=(),
            floors=(),
        )

    @property
    def _bleed(self) -> Fraction:
        return Fraction(self.profile.bleed if self.profile is not None else BLEED_MM)

    @property
    def _safe(self) -> Fraction:
        """How near to the cut text may stand: what the theme says and what the shop does, whichever is more."""
        return max(self.theme.safe_mm, Fraction(self.profile.safe if self.profile is not None else 0))

    def _drawn(self, layout: str, kind: str) -> tuple[str, ...]:
        """The fields of a kind that its own template draws where the game has words for them; the plain one prints the words."""
        own = self.theme.template(layout, kind)
        return self._owner(own).draws.get(kind, ()) if own is not None else ()

    def _owner(self, template: str) -> ReadTheme:
        """The theme whose ladders and style sheets a template takes: a face of the base theme takes the base's own, one of a theme that
        this one extends takes this one's."""
        owner = template.partition("/")[0]
        return self.theme if owner in self.theme.chain and owner != BASE else self.themes.get(owner, self.theme)

    def _sheets_for(self, layout: str, template: str) -> tuple[str, ...]:
        return self._owner(template).stylesheets.get(layout, ())

    def _texts(self, entry: Entry, drawn: Collection[str] = ()) -> Iterator[tuple[str, str]]:
        """The texts that must be found on the entry's own page, by the name of their field. What an effect says is a part of its rules
        line, which stands there whole."""
        sheet = self.sheets[entry.key]
        yield from self.viewer.written(entry, drawn)
        for prose in entry.announced.prose:
            if prose.path[-1] == SAY or prose.role == LONG:
                continue
            yield ".".join(map(str, prose.path)), plain(sheet.texts.get(prose.path, prose.text), self.viewer.icons, self.viewer.said_of)

    def _floors(self, entry: Entry, owner: ReadTheme, fields: Iterable[str]) -> Iterator[tuple[str, Fraction]]:
        """The least size of each text of a card, by what it is for; what is made of effects is rules text."""
        roles = {".".join(map(str, prose.path)): prose.role for prose in entry.announced.prose}
        for name in dict.fromkeys(fields):
            wanted = ROLES.get(roles.get(name, RULES), ROLES[RULES])
            floor = next((owner.floors[role] for role in wanted if role in owner.floors), None)
            if floor is not None:
                yield name, floor

    def _copies(self, entry: Entry) -> int:
        for pattern, copies in self.only:
            if copies is not None and matches(entry, pattern):
                return copies
        found = entry.data.get("copies", 1)
        return found if isinstance(found, int) else 1

    def back(self, product: Entry | None, name: str, about: Mapping[str, Any], size: CardSize) -> FaceJob | Diagnostic | None:
        """The back of a product's cards: the one it names or the theme's usual one; nothing where it is to have none, and what is wrong
        where the theme has no such back."""
        wanted = str(product.data.get("back", DEFAULT_BACK)) if product is not None else DEFAULT_BACK
        if wanted == NO_BACK:
            return None
        template = self.theme.template("backs", wanted)
        if template is None:
            known = [t.rpartition("/")[2].removesuffix(".html.j2") for t in self.theme.theme.templates if "/backs/" in t]
            assert product is not None, "the base theme has the back of decks that name none"
            message = f"the theme has no back `{wanted}`"
            return Diagnostic("E705", message, product.span(("back",)), did_you_mean(wanted, known))
        context = self._around(about)
        sheets = self._sheets_for("cards", template)
        trim = (Fraction(size.width), Fraction(size.height))
        return FaceJob(
            f"{name}:back",
            self.theme.theme.id,
            template,
            context,
            sheets,
            trim,
            bleed_mm=self._bleed,
            safe_mm=self._safe,
            steps=self._owner(template).steps,
            title=str(about["title"]),
            lang=self.library.language,
        )

    def document(self, name: str, title: str, data: Mapping[str, Value], entries: list[Entry], about: Mapping[str, Any]) -> DocumentJob:
        """Pages on which entries flow, a block each; or the game's balance."""
        theme = self.theme
        frame = theme.template("frames", "pages")
        parts: list[tuple[str, Mapping[str, Any]]] = []
        if data.get("show") == BALANCE:
            template = theme.template("pages", BALANCE)
            assert template is not None, "the base theme draws a balance"
            parts += [(template, {"balance": self.viewer.balance(t)}) for t in self.balances if t.pack in self.pack.scope]
        if data.get("show") == CREDITS:
            template = theme.template("pages", CREDITS)
            assert template is not None, "the base theme draws credits"
            parts.append((template, {"credits": credits_of(self.library, self.pack, theme)}))
        for entry in entries:
            block = self._block(entry)
            parts.append((block, self.seen(entry, about, self._asked(block))))
        around = {**self._around(about), "columns": data.get("columns", 1), "lang": self.library.language}
        texts = tuple((f"{e.kind}/{e.id}.{field}", text) for e in entries for field, text in self._texts(e, self._drawn("pages", e.kind)))
        return DocumentJob(
            key=f"{name}:pages",
            theme=theme.theme.id,
            parts=tuple(parts),
            stylesheets=theme.stylesheets.get("pages", ()),
            frame=frame,
            frame_context=around,
            texts=texts,
            title=f"{title} · {around['game']['title']}",
            spoken=self.viewer.spoken(),
            lang=self.library.language,
        )

    def book(
        self, name: str, title: str, data: Mapping[str, Value], chapters: Sequence[Entry], about: Mapping[str, Any]
    ) -> tuple[BookJob, tuple[Key, ...], tuple[Key, ...]]:
        """A book of chapters; with the entries that are set in it, and those that should be and cannot."""
        from seasons_build.compose.book import make_book

        theme = self.theme
        columns = data.get("columns")
        made = make_book(self.library, self.sheets, self.viewer.icons, chapters, columns if isinstance(columns, int) else 1)
        pages = theme.stylesheets.get("pages", ())
        around = self._around(about)
        usual = DocumentJob(
            key=f"{name}:book",
            theme=theme.theme.id,
            parts=(),
            stylesheets=theme.stylesheets.get("books") or (*pages, BOOK_SHEET),
            frame=theme.template("frames", "book"),
            title=f"{title} · {around['game']['title']}",
            lang=self.library.language,
            spoken=self.viewer.spoken(),
        )

        def part(what: str, **seen: Any) -> DocumentJob:
            return replace(usual, frame_context={**around, "part": what, **seen})

        packs = credits_of(self.library, self.pack, theme)["packs"]
        listed = [{name: value for name, value in chapter.seen.items() if name not in CHAPTERS_OWN} for chapter in made.chapters]
        parts = (
            part("title", subtitle=str(data.get("subtitle", "")), packs=packs),
            part("contents", chapters=listed),
            *(self._chapter(part("chapter", chapter=chapter.seen), chapter, about) for chapter in made.chapters),
            *((part("index", index=made.index),) if made.index else ()),
        )
        authors = ", ".join(str(name) for name in plain_data(self.pack.manifest.get("authors", [])))
        job = BookJob(usual.key, usual.theme, parts, usual.title, usual.lang, authors)
        set_in_it = (entry.key for chapter in made.chapters for entry, _ in chapter.blocks)
        return job, tuple(dict.fromkeys(set_in_it)), made.broken

    def _chapter(self, part: DocumentJob, chapter: Chapter, about: Mapping[str, Any]) -> DocumentJob:
        """The part of a book that a chapter is, with what is set in it."""
        drawn_by = [(self._block(e, "books"), e, n) for e, n in chapter.blocks]
        blocks = tuple((block, {**self.seen(e, about, self._asked(block)), "heading": f"h{n}"}) for block, e, n in drawn_by)
        drawn = {e.kind: self._drawn("books", e.kind) or self._drawn("pages", e.kind) for e, _ in chapter.blocks}
        of_blocks = ((f"{e.kind}/{e.id}.{f}", text) for e, _ in chapter.blocks for f, text in self._texts(e, drawn[e.kind]))
        return replace(part, parts=blocks, texts=(*chapter.texts, *of_blocks))

    def _block(self, entry: Entry, *layouts: str) -> str:
        """The template of an entry in a flow of pages; that of another layout before it, where the theme has one."""
        every = (*layouts, "pages")
        wanted = [self.theme.template(layout, name) for name in (entry.kind, "default") for layout in every]
        template = next((found for found in wanted if found), None)
        assert template is not None, "the base theme draws every kind"
        return template

    def form(self, name: str, title: str, entry: Entry, about: Mapping[str, Any], beside: Iterable[Key] = ()) -> DocumentJob | None:
        """The sheet of an entry, which may read what stands `beside` it too; nothing where no theme draws one of its kind."""
        context = self._known(entry, about)
        further = {BLANK: False, THINGS: self.viewer.things(entry), BESIDE: self._beside(beside, about)}
        names = (("name", entry.name),)
        return self._form(name, f"{entry.name} · {title}", entry.kind, {**context, **further}, names, entry.id, made_from(entry))

    def blank(self, name: str, title: str, kind: Kind, about: Mapping[str, Any], beside: Iterable[Key] = ()) -> DocumentJob | None:
        """An empty sheet of a kind."""
        context = self.viewer.blank(kind, about, self.ink)
        further: dict[str, Any] = {BLANK: True, THINGS: [], BESIDE: self._beside(beside, about)}
        return self._form(name, title, kind.id, {**context, **further}, (), BLANK, f"# {self.pack.id}:{kind.id}\n")

    def _beside(self, keys: Iterable[Key], about: Mapping[str, Any]) -> dict[str, Any]:
        """Further entries that a sheet reads, by id."""
        return {key[2]: self._known(self.library.entries[key], about) for key in keys}

    def _known(self, entry: Entry, about: Mapping[str, Any]) -> dict[str, Any]:
        """What a sheet may read of an entry: all but the fields as a default page lists them, since a sheet always has its own template."""
        return self.seen(entry, about, (LABELS,))

    def _form(
        self, name: str, title: str, kind: str, context: Mapping[str, Any], texts: tuple[tuple[str, str], ...], of: str, source: str
    ) -> DocumentJob | None:
        template = self.theme.template("forms", kind)
        if template is None:
            return None
        return DocumentJob(
            key=f"{name}:form:{of}",
            theme=self.theme.theme.id,
            parts=((template, context),),
            stylesheets=self._sheets_for("forms", template),
            texts=texts,
            title=title,
            forms=not self.flat,
            source="" if self.flat else source,
            spoken=self.viewer.spoken(),
            lang=self.library.language,
        )

    def _around(self, about: Mapping[str, Any]) -> dict[str, Any]:
        game = self.library.packs[self.viewer.game(self.pack.id)]
        return {
            "game": {"id": game.id, "title": game.title, "version": game.version},
            "pack": {"id": self.pack.id, "title": self.pack.title, "version": self.pack.version},
            "product": dict(about),
            "ink": self.ink,
        }


def made_from(entry: Entry) -> str:
    """What a sheet was made from, as a file of content that says where it belongs."""
    from seasons_build.language.yaml_text import entry_text

    return f"# {entry.pack}:{entry.kind}/{entry.id}\n{entry_text(entry.kind, entry.id, entry.data)}"

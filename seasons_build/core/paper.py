"""Paper, cards and how the ones lie on the other: plain records, in exact millimetres; and the table of sizes, from plain data.

Millimetres are int or Fraction and count from the lower left corner of the page, as in a PDF.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document, Number
from seasons_build.core.names import ID
from seasons_build.core.record import dataclass

Flip: TypeAlias = Literal["long", "short"]
"""The edge of the sheet about which a printer turns it for the back."""

Fold: TypeAlias = Literal["", "vertical", "horizontal"]
"""Whether a sheet is folded down or across its middle, so that its backs come to lie behind its fronts; not at all where empty."""

Line: TypeAlias = tuple[Number, Number, Number, Number]
"""A straight line: x, y of one end, x, y of the other."""

POINTS = Fraction(720, 254)
"""Points in a millimetre."""

LARGEST_MM = 2000
"""No sheet and no card is longer than this: a slip of the decimal point, not a poster."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet to print on, upright."""

    id: str
    title: str
    width: Number
    height: Number


@dataclass(frozen=True, slots=True)
class CardSize:
    """A card as it is cut, without bleed."""

    id: str
    title: str
    width: Number
    height: Number


@dataclass(frozen=True, slots=True)
class Papers:
    """The sizes there are, by id, and the paper that a build takes where none is asked for."""

    papers: Mapping[str, Paper]
    cards: Mapping[str, CardSize]
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """How cards lie on a page: `columns` by `rows` of them, `gap` apart, the lower left corner of the block at `left`, `bottom`.

    `bleed` is how far paint may reach beyond the block on the left, below, on the right and above (between cards it ends half-way);
    `marks` are the crop marks of the fronts, `guides` the ruler and the ends of a fold. `flip` is the edge that backs are mirrored for,
    `back_offset` moves them (x, y) against a printer's slip, `scale` makes all of a page larger or smaller about its middle. `sheet` is
    whether the page is a sheet to be cut up, whose trim is itself, or one card with its bleed. On a sheet to `fold`, half of the columns
    (or rows) are backs, and `fold_gap` is the white between the halves.
    """

    width: Number
    height: Number
    card_width: Number
    card_height: Number
    columns: int
    rows: int
    gap: Number
    left: Number
    bottom: Number
    bleed: tuple[Number, Number, Number, Number]
    marks: tuple[Line, ...] = ()
    guides: tuple[Line, ...] = ()
    flip: Flip = "long"
    back_offset: tuple[Number, Number] = (0, 0)
    scale: Number = 1
    sheet: bool = True
    fold: Fold = ""
    fold_gap: Number = 0

    @property
    def count(self) -> int:
        """How many cards lie on a page."""
        return self.columns * self.rows // (2 if self.fold else 1)

    @property
    def landscape(self) -> bool:
        return self.width > self.height

    def cell(self, column: int, row: int) -> tuple[Number, Number]:
        """The lower left corner of a card; rows count from the top."""
        x = self.left + column * (self.card_width + self.gap)
        y = self.bottom + (self.rows - 1 - row) * (self.card_height + self.gap)
        if self.fold == "vertical" and column >= self.columns // 2:
            x += self.fold_gap - self.gap
        if self.fold == "horizontal" and row < self.rows // 2:
            y += self.fold_gap - self.gap
        return x, y

    def beside(self, column: int) -> Number:
        """The white between a column and the next one."""
        return self.fold_gap if self.fold == "vertical" and column == self.columns // 2 - 1 else self.gap

    def below(self, row: int) -> Number:
        """The white between a row and the next one."""
        return self.fold_gap if self.fold == "horizontal" and row == self.rows // 2 - 1 else self.gap

    def fronts(self) -> tuple[tuple[int, int], ...]:
        """The places of the fronts, (column, row), as a reader meets them."""
        columns = self.columns // 2 if self.fold == "vertical" else self.columns
        rows = self.rows // 2 if self.fold == "horizontal" else self.rows
        return tuple((column, row) for row in range(rows) for column in range(columns))

    def behind(self, column: int, row: int) -> tuple[int, int, bool]:
        """Where the back of that card lies, on its own page or beyond the fold, and whether it is turned half round: what is cut off
        together belongs together, and a card turned sideways shows its back upright."""
        across = self.fold == "horizontal" if self.fold else self.landscape == (self.flip == "long")
        if across:
            return column, self.rows - 1 - row, True
        return self.columns - 1 - column, row, False


def papers_from(document: Document) -> Result[Papers]:
    """The sizes in a document `paper: {id: {title, width, height}}`, `card:` likewise, `default: id of a paper`; what cannot be used is
    reported and left out (E640)."""
    found: list[Diagnostic] = []
    sizes: dict[str, dict[str, tuple[str, Number, Number]]] = {"paper": {}, "card": {}}
    for kind in document.data:
        if kind == "default":
            continue
        if kind not in sizes:
            found.append(Diagnostic("E640", f"expected `paper`, `card` or `default`, found `{kind}`", document.key_span((kind,))))
            continue
        entries = document.data[kind]
        if not isinstance(entries, Mapping):
            found.append(Diagnostic("E640", f"expected a map of sizes in `{kind}`", document.span((kind,))))
            continue
        for id_ in entries:
            faults, size = _size(document, kind, id_)
            found.extend(faults)
            if size is not None:
                sizes[kind][id_] = size
    papers = {id_: Paper(id_, *size) for id_, size in sizes["paper"].items()}
    default = document.data.get("default")
    if default is not None and (not isinstance(default, str) or default not in papers):
        found.append(Diagnostic("E640", "expected the id of a paper in `default`", document.span(("default",))))
        default = None
    return Result(Papers(papers, {id_: CardSize(id_, *size) for id_, size in sizes["card"].items()}, default), tuple(found))


def _size(document: Document, kind: str, id_: str) -> tuple[list[Diagnostic], tuple[str, Number, Number] | None]:
    path = (kind, id_)
    entry = document.data[kind][id_]
    if not ID.match(id_):
        return [Diagnostic("E640", f"expected an id in small letters and hyphens, found `{id_}`", document.key_span(path))], None
    if not isinstance(entry, Mapping):
        return [Diagnostic("E640", f"expected a map with `title`, `width` and `height` in `{id_}`", document.span(path))], None
    found = [
        Diagnostic("E640", f"expected `title`, `width` or `height`, found `{key}`", document.key_span((*path, key)))
        for key in entry
        if key not in ("title", "width", "height")
    ]
    title = entry.get("title", id_)
    if not isinstance(title, str):
        found.append(Diagnostic("E640", "expected text in `title`", document.span((*path, "title"))))
    lengths: list[Number] = []
    for key in ("width", "height"):
        length = entry.get(key)
        if isinstance(length, int | Fraction) and not isinstance(length, bool) and 1 <= length <= LARGEST_MM:
            lengths.append(length)
        elif key in entry:
            message = f"expected millimetres from 1 to {LARGEST_MM} in `{key}`"
            found.append(Diagnostic("E640", message, document.span((*path, key))))
        else:
            found.append(Diagnostic("E640", f"`{id_}` has no `{key}`", document.key_span(path)))
    return found, None if found else (title, lengths[0], lengths[1])

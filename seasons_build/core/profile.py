"""Profiles: where a deck is printed, as data: at home on sheets, by a shop from pages or pictures, or on a virtual table.

In goes a parsed file of `profiles/`, out comes a `Profile`. Lengths are exact millimetres, sizes of pictures whole pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document, Number
from seasons_build.core.names import did_you_mean
from seasons_build.core.paper import LARGEST_MM, CardSize, Flip
from seasons_build.core.record import dataclass, field

Makes: TypeAlias = Literal["sheets", "pages", "pictures", "table"]
"""What a profile makes of a deck: sheets to cut up, a PDF of a page for each side, a picture of each side, or pictures of many cards with
the deck that a virtual table reads."""

Order: TypeAlias = Literal["back-face", "face-back", "faces-back"]
"""In what order the sides of a deck stand: each back before its face, each face before its back, or all faces and then one back."""

Colors: TypeAlias = Literal["rgb", "cmyk"]

SIDE = "Side"
"""Under this name a picture says which side of which card it is, and of how many: `face 3 of 12`."""

DECK, BACK = "deck.json", "back.png"
"""The files of a deck for a table, and of the back that all cards share."""

TABLE_GRID = (10, 7)
"""The columns and rows of a picture that a table reads at most."""

LARGEST_PIXELS = 20_000
"""No picture is longer than this."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A card as a profile cuts it. Width and height are None where the card keeps its own; `pixels` is the size of a picture with its
    bleed; `grid` is how many columns and rows of cards a picture of many has."""

    width: Number | None = None
    height: Number | None = None
    pixels: tuple[int, int] | None = None
    grid: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """A way to print. `sizes` are the cards that it takes, by preset; a profile of sheets takes all. `asks` are demands of a shop that no
    file of ours is said to meet; `address` is put before the names of pictures in a deck for a table."""

    id: str
    title: str
    makes: Makes
    paper: str | None = None
    gap: Number = 0
    marks: bool = True
    flip: Flip = "long"
    fold: bool = False
    bleed: Number = 3
    safe: Number = 0
    sizes: Mapping[str, Cut] = field(default_factory=dict)
    order: Order = "face-back"
    colors: Colors = "rgb"
    most_ink: Number | None = None
    density: int = 300
    largest: int = 4096
    address: str = ""
    asks: tuple[str, ...] = ()

    @property
    def at_home(self) -> bool:
        """Whether it makes sheets to be printed and cut at home."""
        return self.makes == "sheets"

    def cut(self, card: CardSize) -> CardSize | None:
        """The card as this profile cuts it; None where it takes no such card."""
        if self.at_home:
            return card
        size = self.sizes.get(card.id)
        if size is None:
            return None
        return CardSize(card.id, card.title, size.width or card.width, size.height or card.height)

    def pixels(self, card: CardSize) -> tuple[int, int]:
        """The size of a picture of one of its cards, bleed included. Raises KeyError for a card that it does not take."""
        stated = self.sizes[card.id].pixels
        if stated is not None:
            return stated
        cut = self.cut(card) or card
        wide, high = (round((length + 2 * self.bleed) * self.density / Fraction(254, 10)) for length in (cut.width, cut.height))
        return wide, high


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asked of the printing; None and the like where it asked for nothing. `back_offset` is in millimetres; `flat`
    asks for sheets without fields."""

    paper: str | None = None
    profile: str | None = None
    flip: Flip | None = None
    back_offset: tuple[Number, Number] = (0, 0)
    scale: Number = 1
    ink: str = ""
    flat: bool = False


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "makes": ("sheets", "pages", "pictures", "table"),
    "flip": ("long", "short"),
    "order": ("back-face", "face-back", "faces-back"),
    "colors": ("rgb", "cmyk"),
}
_LENGTHS = {"gap": 50, "bleed": 20, "safe": 20}
_PIXELS = {"density": 2400, "largest": LARGEST_PIXELS}
_TRUTHS = ("marks", "fold")
_TEXTS = ("title", "paper", "address")
_KEYS = (*_CHOICES, *_LENGTHS, *_PIXELS, *_TRUTHS, *_TEXTS, "most-ink", "sizes", "asks")
_SIZE_KEYS = ("width", "height", "pixels", "grid")


def profile_from(id_: str, document: Document) -> Result[Profile | None]:
    """The profile in a document; nothing, and E720 for all that is wrong, where it cannot be used."""
    faults = tuple(_faults(document))
    if faults:
        return Result(None, faults)
    data = dict(document.data)
    sizes = {name: _cut(size) for name, size in data.pop("sizes", {}).items()}
    asks = tuple(data.pop("asks", ()))
    given = {key.replace("-", "_"): value for key, value in data.items()}
    return Result(Profile(id_, given.pop("title", id_), sizes=sizes, asks=asks, **given))


def _cut(size: Mapping[str, Any]) -> Cut:
    pair = {key: (size[key][0], size[key][1]) for key in ("pixels", "grid") if key in size}
    return Cut(size.get("width"), size.get("height"), **pair)


def _faults(document: Document) -> Iterator[Diagnostic]:
    for key, value in document.data.items():
        if key not in _KEYS:
            yield Diagnostic("E720", f"a profile has no `{key}`", document.key_span((key,)), did_you_mean(key, _KEYS))
        elif (expected := _wrong(key, value)) is not None:
            yield Diagnostic("E720", f"expected {expected} in `{key}`", document.span((key,)))
    if "makes" not in document.data:
        listed = ", ".join(f"`{word}`" for word in _CHOICES["makes"])
        yield Diagnostic("E720", f"a profile says what it `makes`: {listed}", document.span())
    sizes = document.data.get("sizes")
    for name, size in sizes.items() if isinstance(sizes, Mapping) else ():
        yield from _size_faults(document, ("sizes", name), size)
    if document.data.get("colors") == "cmyk" and document.data.get("makes") != "pages":
        yield Diagnostic("E720", "only pages can be in `cmyk`: a picture is RGB", document.span(("colors",)))
    if document.data.get("makes") in ("pages", "pictures", "table") and not sizes:
        yield Diagnostic("E720", "a profile that cuts no sheets names the cards that it takes in `sizes`", document.span())


def _wrong(key: str, value: object) -> str | None:
    """What was expected of a key; None where that was given."""
    if key in _CHOICES:
        return None if value in _CHOICES[key] else "one of " + ", ".join(f"`{word}`" for word in _CHOICES[key])
    if key in _LENGTHS:
        return None if _number(value, 0, _LENGTHS[key]) else f"millimetres from 0 to {_LENGTHS[key]}"
    if key == "most-ink":
        return None if _number(value, 1, 400) else "parts of a hundred from 1 to 400"
    if key in _PIXELS:
        return None if _number(value, 1, _PIXELS[key], whole=True) else f"a whole number from 1 to {_PIXELS[key]}"
    if key in _TRUTHS:
        return None if isinstance(value, bool) else "true or false"
    if key == "asks":
        return None if isinstance(value, list) and all(isinstance(item, str) for item in value) else "a list of texts"
    if key == "sizes":
        return None if isinstance(value, Mapping) else "a map of cards"
    return None if isinstance(value, str) else "text"


def _size_faults(document: Document, path: tuple[str, str], size: object) -> Iterator[Diagnostic]:
    if not isinstance(size, Mapping):
        yield Diagnostic("E720", f"expected a map in `{path[1]}`, which may be empty: `{{}}`", document.span(path))
        return
    for key, value in size.items():
        inner = (*path, key)
        if key not in _SIZE_KEYS:
            yield Diagnostic("E720", f"a size has no `{key}`", document.key_span(inner), did_you_mean(key, _SIZE_KEYS))
        elif key in ("width", "height") and not _number(value, 1, LARGEST_MM):
            yield Diagnostic("E720", f"expected millimetres from 1 to {LARGEST_MM} in `{key}`", document.span(inner))
        elif key in ("pixels", "grid") and not _pair(value, LARGEST_PIXELS if key == "pixels" else 10):
            yield Diagnostic("E720", f"expected two whole numbers in `{key}`, as `[7, 5]`", document.span(inner))


def _pair(value: object, most: int) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_number(item, 1, most, whole=True) for item in value)


def _number(value: object, least: int, most: int, *, whole: bool = False) -> bool:
    kinds = int if whole else int | Fraction
    return isinstance(value, kinds) and not isinstance(value, bool) and least <= value <= most

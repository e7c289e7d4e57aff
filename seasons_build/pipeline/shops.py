"""A deck as a shop or a virtual table wants it: a page a side, a picture a side, or pictures of many cards and the deck that reads them.

In: the sides of a deck and a profile. Out: files, each with what its name adds to that of the deck.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from seasons_build.core.face import AnyFace
from seasons_build.core.paper import CardSize
from seasons_build.core.plan import Side
from seasons_build.core.profile import BACK, DECK, TABLE_GRID, Profile
from seasons_build.core.record import dataclass, field
from seasons_build.finish import in_process_inks
from seasons_build.impose import Sheet, one_page
from seasons_build.raster import grid_png, page_png

Linked = Callable[[Sequence[Sheet], str], bytes]
"""Makes a PDF of pages and a title."""


@dataclass(frozen=True, slots=True)
class ShopFile:
    """A file: what its name adds to that of its deck, its bytes and what the manifest says of it."""

    name: str
    data: bytes
    about: Mapping[str, Any] = field(default_factory=dict)


def pages(deck: Sequence[Side], title: str, card: CardSize, profile: Profile, linked: Linked, name: str) -> Iterator[ShopFile]:
    """One PDF, a page for each side, in the order that the shop asks for; each page says which side it is."""
    found: list[Sheet] = []
    last: dict[int, Sheet] = {}
    count = sum(side.copies for side in deck)
    for number, side in enumerate((each for each in deck for _ in range(each.copies)), 1):
        face = one_page(side.face)._replace(side=f"face {number} of {count}")
        back = one_page(side.back)._replace(side=f"back {number} of {count}") if side.back is not None else None
        if profile.order == "faces-back":
            found.append(face)
            if back is not None:
                last.setdefault(id(side.back), back)
        else:
            pair = (face, back) if profile.order == "face-back" else (back, face)
            found += [page for page in pair if page is not None]
    data = linked((*found, *last.values()), title)
    yield ShopFile(".pdf", in_process_inks(data) if profile.colors == "cmyk" else data, {"pages": len(found) + len(last)})


def pictures(deck: Sequence[Side], title: str, card: CardSize, profile: Profile, linked: Linked, name: str) -> Iterator[ShopFile]:
    """A folder with a picture of each side, numbered in the order of the deck; one back where all cards share it."""
    pixels = profile.pixels(card)
    shared = _shared_back(deck)
    backs = "one back" if shared is not None else "own backs" if any(side.back is not None for side in deck) else "no backs"

    def picture(face: AnyFace, of: str, said: str) -> bytes:
        return page_png(linked((one_page(face),), of), dpi=profile.density, pixels=pixels, side=f"{said} of {len(deck)}, {backs}")

    for number, side in enumerate(deck, 1):
        many = f"-x{side.copies}" if side.copies > 1 else ""
        called = f"{number:03}-%s-{side.name}{many}.png"
        yield ShopFile(f"/{called % 'face'}", picture(side.face, side.title, f"face {number}"))
        if side.back is not None and shared is None:
            yield ShopFile(f"/{called % 'back'}", picture(side.back, side.title, f"back {number}"))
    if shared is not None:
        yield ShopFile(f"/{BACK}", picture(shared, title, "back"))


def table(deck: Sequence[Side], title: str, card: CardSize, profile: Profile, linked: Linked, name: str) -> Iterator[ShopFile]:
    """A folder with pictures of many cards each and the deck, as the table reads it. The last place of a picture shows the back: it is what
    others see of a hand. The pictures of all decks may come to lie in one folder, so that each is called by its deck's `name`, too."""
    grid = profile.sizes[card.id].grid or TABLE_GRID
    cell = _cell(card, grid, profile.largest)
    shared = _shared_back(deck)
    uniform = all(side.back is None for side in deck) or shared is not None
    room = grid[0] * grid[1] - 1
    sheets = [deck[start : start + room] for start in range(0, len(deck), room)]
    sizes = []
    for number, part in enumerate(sheets, 1):
        rows = -(-(len(part) + 1) // grid[0])
        sizes.append((grid[0], rows))
        places = dict(enumerate(side.face for side in part))
        if shared is not None:
            places[grid[0] * rows - 1] = shared
        yield ShopFile(f"/{name}-faces-{number}.png", _grid(places, sizes[-1], cell, title, linked))
        if not uniform:
            backs = {place: side.back for place, side in enumerate(part) if side.back is not None}
            yield ShopFile(f"/{name}-backs-{number}.png", _grid(backs, sizes[-1], cell, title, linked))
    if uniform:
        yield ShopFile(f"/{name}-back.png", _grid({0: shared} if shared is not None else {}, (1, 1), cell, title, linked))
    saved = _saved(title, sheets, sizes, f"{profile.address}{name}", unique=not uniform)
    yield ShopFile(f"/{DECK}", json.dumps(saved, indent=2, ensure_ascii=False).encode() + b"\n")


def _cell(card: CardSize, grid: tuple[int, int], largest: int) -> tuple[int, int]:
    """The pixels of a card in a picture of a grid of them, none of whose sides is longer than `largest`."""
    wide, high = largest // grid[0], largest // grid[1]
    return min(wide, int(high * card.width / card.height)), min(high, int(wide * card.height / card.width))


def _grid(places: Mapping[int, AnyFace], grid: tuple[int, int], cell: tuple[int, int], title: str, linked: Linked) -> bytes:
    pdf = linked([one_page(face, bleed=False) for face in places.values()], title) if places else b""
    return grid_png(pdf, tuple(places), grid, cell)


def _shared_back(deck: Sequence[Side]) -> AnyFace | None:
    """The back that all cards of a deck have; None where they differ."""
    first = deck[0].back if deck else None
    return first if all(side.back == first for side in deck) else None


def _saved(title: str, sheets: Sequence[Sequence[Side]], sizes: Sequence[tuple[int, int]], called: str, *, unique: bool) -> dict[str, Any]:
    """The saved object: one deck, or one card where there is no more."""
    drawn = {}
    ids: list[tuple[int, Side]] = []
    for number, (part, (columns, rows)) in enumerate(zip(sheets, sizes, strict=True), 1):
        drawn[str(number)] = {
            "FaceURL": f"{called}-faces-{number}.png",
            "BackURL": f"{called}-backs-{number}.png" if unique else f"{called}-back.png",
            "NumWidth": columns,
            "NumHeight": rows,
            "BackIsHidden": True,
            "UniqueBack": unique,
        }
        ids += [(100 * number + place, side) for place, side in enumerate(part) for _ in range(side.copies)]
    cards = [{"Name": "Card", "Transform": _LYING, "Nickname": side.title, "CardID": id_} for id_, side in ids]
    if len(cards) == 1:
        return {"ObjectStates": [{**cards[0], "CustomDeck": drawn}]}
    whole = {"Name": "DeckCustom", "Transform": _LYING, "Nickname": title, "DeckIDs": [id_ for id_, _ in ids]}
    return {"ObjectStates": [{**whole, "CustomDeck": drawn, "ContainedObjects": cards}]}


_LYING = {"posX": 0, "posY": 1, "posZ": 0, "rotX": 0, "rotY": 180, "rotZ": 180, "scaleX": 1, "scaleY": 1, "scaleZ": 1}
"""A deck in the middle of the table, face down."""

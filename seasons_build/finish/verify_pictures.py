"""Finish: the checks of pictures and of the deck of a virtual table (Pillow). Each fault is a line that names the file and what."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from io import BytesIO
from typing import Any

from PIL import Image

from seasons_build.core.paper import Papers
from seasons_build.core.profile import BACK, DECK, SIDE, TABLE_GRID, Profile
from seasons_build.core.regex import regex

_NAMES = ("DeckCustom", "Deck", "Card", "CardCustom")
"""What the table calls a deck, or a card alone."""
_DENSITY_SLACK = 0.5
_SAID = regex(r"(?P<side>back|(?:face|back) \d+) of (?P<count>\d{1,6})(?:, (?P<backs>one back|own backs|no backs))?\Z")
_NUMBERED = regex(r"(\d{3,})-(face|back)-.+\.png\Z")


def check_pictures(files: Mapping[str, bytes], profile: Profile, papers: Papers, *, folder: bool = True) -> Iterator[str]:
    """A picture of each side: the exact pixels of one of the shop's cards, its colours and its density; of a whole folder, the numbers in
    order and the backs that the pictures say that they have."""
    wanted = {profile.pixels(card): card.id for card in papers.cards.values() if card.id in profile.sizes}
    sizes = set()
    counts: set[int] = set()
    backs: set[str] = set()
    for name, data in files.items():
        picture = _picture(data)
        if picture is None:
            yield f"`{name}`: expected a PNG, found something else"
            continue
        sizes.add(picture.size)
        said = _SAID.match(str(picture.info.get(SIDE, "")))
        if said is not None:
            counts.add(int(said["count"]))
            backs.add(said["backs"] or "")
            if (own := _side(name)) and said["side"] != own:
                yield f"`{name}`: expected the {own}, found what was made as the {said['side']}"
        if picture.size not in wanted:
            listed = " or ".join(f"{wide} x {high}" for wide, high in wanted)
            yield f"`{name}`: expected {listed} pixels, found {picture.size[0]} x {picture.size[1]}"
        if picture.mode != "RGB":
            yield f"`{name}`: expected the colours RGB, found {picture.mode}"
        density = picture.info.get("dpi", (0, 0))
        if any(abs(one - profile.density) > _DENSITY_SLACK for one in density):
            yield f"`{name}`: expected {profile.density} dots an inch, found {round(density[0])}"
    if len(sizes) > 1:
        yield f"expected pictures of one size, found {len(sizes)}"
    if folder:
        yield from _numbers(files, counts)
        if backs == {"one back"} and BACK not in files:
            yield f"expected `{BACK}`, which is the back of all cards, found none"
        if backs == {"own backs"} and not any(name.partition("-")[2].startswith("back-") for name in files):
            yield "expected a back for each face, found none"


def _side(name: str) -> str:
    """Which side the name of a file says it is; empty where it says nothing of it."""
    found = _NUMBERED.match(name)
    return f"{found[2]} {int(found[1])}" if found is not None else "back" if name == BACK else ""


def _numbers(files: Mapping[str, bytes], counts: Collection[int]) -> Iterator[str]:
    """The faces of a folder are numbered without a gap up to the count that they were made as, and each has a back of its own or all have
    the one `back.png`."""
    numbers: dict[str, list[int]] = {"face": [], "back": []}
    for name in files:
        found = _NUMBERED.match(name)
        if found is not None:
            numbers[found[2]].append(int(found[1]))
        elif name != BACK:
            yield f"`{name}`: expected a name as `001-face-...png`, found another: its place in the order is not known"
    count = max((len(numbers["face"]), *counts))
    faces = sorted(numbers["face"])
    if not count or len(faces) != count or faces != list(range(1, len(faces) + 1)):
        missing = next((n for n, face in enumerate(faces, 1) if n != face), len(faces) + 1)
        yield f"expected one face of each number from 001 on, found the order broken at {missing:03}"
    if numbers["back"] and sorted(numbers["back"]) != sorted(numbers["face"]):
        yield "expected a back for each face, found others"
    if numbers["back"] and BACK in files:
        yield "expected either `back.png` or a back for each face, found both"


def check_table(files: Mapping[str, bytes], profile: Profile, papers: Papers, *, folder: bool = True) -> Iterator[str]:
    """The deck of a table and the pictures that it names."""
    if DECK not in files:
        yield f"expected `{DECK}` among the files, found none"
        return
    try:
        (saved,) = json.loads(files[DECK])["ObjectStates"]
        drawn = {str(number): dict(sheet) for number, sheet in saved["CustomDeck"].items()}
        cards = [int(card["CardID"]) for card in saved.get("ContainedObjects", (saved,))]
    except (ValueError, KeyError, TypeError, AttributeError):
        yield f"`{DECK}`: expected a saved deck, found something else"
        return
    if saved.get("Name") not in _NAMES:
        yield f"`{DECK}`: expected an object of the name `{_NAMES[0]}`, found `{saved.get('Name')}`"
    for number, sheet in drawn.items():
        yield from _sheet(files, number, sheet, profile)
    if saved.get("DeckIDs", cards) != cards:
        yield f"`{DECK}`: expected the cards in the order of `DeckIDs`, found another order"
    if cards != sorted(cards):
        yield f"`{DECK}`: expected the cards in the order of the deck, found card {_first_astray(cards)} out of order"
    for card in dict.fromkeys(cards):
        sheet = drawn.get(str(card // 100), {})
        if card % 100 >= sheet.get("NumWidth", 0) * sheet.get("NumHeight", 0) - 1:
            yield f"`{DECK}`: expected a place on a picture for each card, found card {card} beyond"


def _first_astray(cards: list[int]) -> int:
    return next(card for card, before in zip(cards[1:], cards, strict=False) if card < before)


def _sheet(files: Mapping[str, bytes], number: str, sheet: Mapping[str, Any], profile: Profile) -> Iterator[str]:
    columns, rows = sheet.get("NumWidth", 0), sheet.get("NumHeight", 0)
    if not (1 <= columns <= TABLE_GRID[0] and 1 <= rows <= TABLE_GRID[1]):
        yield f"`{DECK}`, picture {number}: expected at most {TABLE_GRID[0]} x {TABLE_GRID[1]} cards, found {columns} x {rows}"
        return
    for key in ("FaceURL", "BackURL"):
        name = str(sheet.get(key, "")).removeprefix(profile.address)
        picture = _picture(files[name]) if name in files else None
        if picture is None:
            yield f"`{DECK}`, picture {number}: expected `{name}` among the files, found no picture of that name"
            continue
        if max(picture.size) > profile.largest:
            yield f"`{name}`: expected at most {profile.largest} pixels a side, found {max(picture.size)}"
        if picture.mode != "RGB":
            yield f"`{name}`: expected the colours RGB, found {picture.mode}"
        whole = key == "FaceURL" or sheet.get("UniqueBack")
        if whole and (picture.size[0] % columns or picture.size[1] % rows):
            yield f"`{name}`: expected {columns} x {rows} cards of whole pixels, found {picture.size[0]} x {picture.size[1]} pixels"


def _picture(data: bytes) -> Image.Image | None:
    try:
        with Image.open(BytesIO(data)) as picture:
            picture.load()
            return picture if picture.format == "PNG" else None
    except (OSError, ValueError):
        return None

"""A project of N cards in the shape of the shipped game, for measuring: weapons, armor, items and adversaries in its own proportions.

In go the shipped files and a number, out comes a folder with `content/`, `schemas/` and `templates/`: the shipped game, its entries of
these kinds given again and again under other ids, with other names, numbers and flavour. They are copied as text, so that each keeps the
form in which an author wrote it. The same number gives the same bytes.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GAME = "frontiers"
FILES = {
    "weapon": "gear/weapons.yaml",
    "armor": "gear/armor.yaml",
    "item": "gear/items.yaml",
    "adversary": "adversaries.yaml",
}
"""The kinds that are printed, and where the game has them."""
PRODUCTS = (f"{GAME}:gear-cards", f"{GAME}:statblock-cards")
"""What prints all of them, each once."""
DECLARED = """product:
  gear-cards: {title: Gear, layout: cards, card: poker, select: {kind: [weapon, armor, item]}, order: [family, demand]}
  statblock-cards: {title: Adversaries, layout: cards, card: poker, select: {kind: adversary}}
"""
"""All that such a project declares to be printed, in the game's own words."""

_ENTRY = re.compile(r"^  ([a-z0-9-]+):\n((?:^(?:    .*)?\n)+)", re.MULTILINE)
_NAME = re.compile(r"^    name: (.*)$", re.MULTILINE)
_FLAVOR = re.compile(r"^    flavor: (.*)$", re.MULTILINE)
_CLAIMS = re.compile(r"^    claims:.*\n", re.MULTILINE)
_COUNT = re.compile(r"^(    (?:slots|range): )(\d+)$", re.MULTILINE)
_SCORE = re.compile(r"^(    (?:vigor|deft|acuity|resolve): )(\d+)$", re.MULTILINE)
_DIE = re.compile(r"\b(\d)d(4|6|8|10|12)\b")
_DICE = (4, 6, 8, 10, 12)
_ROUND = 30
"""After so many others of one entry its numbers come round again: those of counts, scores and dice change by twos, threes and fives."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """The entries of one kind, in order, as they are written; their names and the sentences of their flavour, to make new ones of."""

    kind: str
    entries: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    flavors: tuple[str, ...]


def shipped(root: Path = ROOT) -> tuple[Shipped, ...]:
    """What the game has of each kind."""
    found = []
    for kind, file in FILES.items():
        text = (root / "content" / GAME / file).read_text(encoding="utf-8")
        entries = tuple((match[1], match[2]) for match in _ENTRY.finditer(text))
        names = tuple(name for _, body in entries for name in _NAME.findall(body))
        flavors = tuple(flavor for _, body in entries for flavor in _FLAVOR.findall(body))
        found.append(Shipped(kind, entries, names, flavors))
    return tuple(found)


def shares(count: int, kinds: Sequence[Shipped]) -> dict[str, int]:
    """How many entries of each kind make `count`, in the proportions of the game: the largest remainders get one more."""
    total = sum(len(kind.entries) for kind in kinds)
    made = {kind.kind: count * len(kind.entries) // total for kind in kinds}
    for kind in sorted(kinds, key=lambda k: -(count * len(k.entries) % total))[: count - sum(made.values())]:
        made[kind.kind] += 1
    return made


def entries(kind: Shipped, count: int, *, unlike: bool = False) -> Iterator[tuple[str, str]]:
    """So many entries of a kind, each with its id: those of the game, then others like them. Their numbers come round again, with other
    names and flavour; where they are to be `unlike` each other, no two say the same but for these."""
    for number in range(count):
        again, place = divmod(number, len(kind.entries))
        name, body = kind.entries[place]
        more = f"    copies: {1 + again // _ROUND}\n" if unlike else ""
        yield (name, body + more) if not again else (f"{name}-{again:03}", _other(kind, body, place, again) + more)


def _other(kind: Shipped, body: str, place: int, again: int) -> str:
    """An entry like this one, with another name, other numbers and another flavour."""
    changes: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
        (_CLAIMS, ""),
        (_NAME, lambda _: f"    name: {_new_name(kind.names, place, again)}"),
        (_FLAVOR, lambda _: f"    flavor: {_new_flavor(kind.flavors, place, again)}"),
        (_COUNT, lambda match: f"{match[1]}{int(match[2]) + again % 2}"),
        (_SCORE, lambda match: f"{match[1]}{int(match[2]) + 5 * (again % 3)}"),
        (_DIE, lambda match: f"{match[1]}d{_DICE[(_DICE.index(int(match[2])) + again) % len(_DICE)]}"),
    )
    for pattern, change in changes:
        body = pattern.sub(change, body)
    return body


def _new_name(names: Sequence[str], place: int, again: int) -> str:
    """The first word of one name and the last of another, so that names stay as long as they are."""
    first = names[(place + again) % len(names)].split()[0]
    last = names[(place * 3 + again * 5) % len(names)].split()[-1]
    return first if first == last else f"{first} {last}"


def _new_flavor(flavors: Sequence[str], place: int, again: int) -> str:
    """The first sentence of one flavour and the rest of another."""
    first, _, _ = flavors[(place + again) % len(flavors)].partition(". ")
    _, _, rest = flavors[(place * 7 + again * 3) % len(flavors)].partition(". ")
    return f"{first.rstrip('.')}. {rest}" if rest else f"{first.rstrip('.')}."


def project(folder: Path, count: int, *, a_file: int = 0, unlike: bool = False, root: Path = ROOT) -> Mapping[str, int]:
    """Writes a project of so many cards into an empty folder; gives how many there are of each kind. `a_file` is how many entries stand in
    a file, 0 for all of a kind in the file that the game has them in; `unlike` is as `entries` takes it."""
    for name in ("content", "schemas", "templates"):
        shutil.copytree(root / name, folder / name, ignore=lambda place, _: _strangers(Path(place), root))
    for pattern in ("products*.yaml", "cases*.yaml"):  # its own cases hold for its own numbers
        for file in (folder / "content" / GAME).rglob(pattern):
            file.unlink()
    (folder / "content" / GAME / "products.yaml").write_text(DECLARED, encoding="utf-8")
    kinds = shipped(root)
    wanted = shares(count, kinds)
    for kind in kinds:
        made = [f"  {name}:\n{body}" for name, body in entries(kind, wanted[kind.kind], unlike=unlike)]
        file = folder / "content" / GAME / FILES[kind.kind]
        step = a_file or len(made)
        file.unlink()
        for number, start in enumerate(range(0, len(made), step)):
            place = file.with_stem(f"{file.stem}-{number:03}") if a_file else file
            place.write_text(f"{kind.kind}:\n" + "".join(made[start : start + step]), encoding="utf-8")
    return wanted


def _strangers(place: Path, root: Path) -> list[str]:
    """What of a folder belongs to another game."""
    if place in (root / "content", root / "schemas", root / "templates"):
        return [p.name for p in place.iterdir() if p.name not in (GAME, "base", "core", "fonts", "icons")]
    return []

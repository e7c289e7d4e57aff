"""A deck of which few cards are others goes on from its last file: no other card is looked at, and the file is what it would be if all
were."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from straw import set_with
from test_journal import build, from_nothing
from test_sequences import Life, Paper

from seasons_build.core.finding import Finding
from seasons_build.core.job import Typeset, Wanted
from seasons_build.core.record import dataclass
from seasons_build.pipeline import decks
from seasons_build.pipeline.shelf import Shelf

LOOKED_AT = 3
"""The list of charms, and the two sides of the card."""
LUCK = "c1:\n    name: Charm 1\n    luck: "


@dataclass(slots=True)
class Seen:
    """What a build looked at: how many cards were read from the cache, and how many files were made of all of their cards."""

    read: int = 0
    linked: int = 0


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    noted = Seen()
    get, made = Shelf.get, decks.Decks.made

    def reads(shelf: Shelf, around: str, key: str, *, alone: bool = False) -> object:
        noted.read += 1
        return get(shelf, around, key, alone=alone)

    def links(kept: decks.Decks, *given: object, **more: object) -> object:
        noted.linked += 1
        return made(kept, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Shelf, "get", reads)
    monkeypatch.setattr(decks.Decks, "made", links)
    return noted


@pytest.fixture
def life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Life:
    """A project of cards that was built once."""
    set_with(lambda **_: Paper(), monkeypatch)
    found = Life(tmp_path / "p", random.Random(7))
    build(found)
    return found


def edit(life: Life, luck: int) -> None:
    place = life.root / "content/charms/charms-0.yaml"
    before, _, after = place.read_text(encoding="utf-8").partition(LUCK)
    place.write_text(f"{before}{LUCK}{luck}\n{after.partition(chr(10))[2]}", encoding="utf-8")


def deck(life: Life) -> Path:
    return next(path for path in sorted((life.root / "dist").rglob("*.pdf")) if path.read_bytes().startswith(b"%PDF"))


def test_one_card_is_another(life: Life, seen: Seen) -> None:
    for luck in (30, 31, 32):
        edit(life, luck)
        seen.read = seen.linked = 0
        now = build(life)
        assert seen.read == LOOKED_AT and not seen.linked
        assert now == from_nothing(life)


def test_no_card_is_another(life: Life, seen: Seen) -> None:
    life.write("notes.yaml", "# nothing is said here\n")
    seen.read = seen.linked = 0
    before = life.printed()
    assert build(life) == before
    assert seen.linked == 0


def test_a_file_that_somebody_has_changed_is_made_of_all_cards(life: Life, seen: Seen) -> None:
    file = deck(life)
    file.write_bytes(file.read_bytes() + b"% mine\n")
    edit(life, 40)
    seen.linked = 0
    now = build(life)
    assert seen.linked == 1
    assert now == from_nothing(life)


def test_a_file_that_is_gone_is_made_of_all_cards(life: Life, seen: Seen) -> None:
    deck(life).unlink()
    edit(life, 41)
    seen.linked = 0
    now = build(life)
    assert seen.linked == 1
    assert now == from_nothing(life)


def test_a_title_of_the_deck_is_another(life: Life, seen: Seen) -> None:
    products = life.root / "content/charms/products.yaml"
    products.write_text(products.read_text(encoding="utf-8").replace("layout: cards", "layout: cards, title: Others", 1), encoding="utf-8")
    seen.linked = 0
    now = build(life)
    assert now == from_nothing(life)


@pytest.mark.parametrize("cards", [["kit-1"], ["kit-3"], ["kit-0", "kit-1", "kit-2", "kit-3"]])
def test_no_copy_is_printed_of_a_card(life: Life, cards: list[str]) -> None:
    for card in cards:
        life.change("kits.yaml", lambda text, card=card: text.replace(f"{card}: {{", f"{card}: {{copies: 0, "))  # type: ignore[misc]
    for luck in (60, 61):
        edit(life, luck)
        assert build(life) == from_nothing(life)


def test_what_was_found_of_a_card_that_stays_is_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Noting(Paper):
        def run(self, jobs: Iterable[Wanted]) -> Generator[Typeset, None, None]:
            found = (Finding("W623", text="a.png", file="cards/kit.html.j2"),)
            for result in super().run(jobs):
                yield replace(result, findings=found) if "kit-2" in result.key else result

    set_with(lambda **_: Noting(), monkeypatch)
    life = Life(tmp_path / "p", random.Random(7))
    build(life)
    first = capsys.readouterr()
    assert "W623" in first.out + first.err
    edit(life, 50)
    build(life)
    again = capsys.readouterr()
    assert "W623" in again.out + again.err


def test_a_forged_deck_brings_nothing_down(life: Life) -> None:
    """What was kept is of no form, or leads nowhere: the deck is made of all of its cards."""
    room = life.root / ".seasons-cache" / decks.ROOM
    kept = [path for path in sorted(room.rglob("*")) if path.is_file()]
    assert kept
    for path in kept:
        path.write_bytes(b"forged")
    edit(life, 60)
    assert build(life) == from_nothing(life)

"""A deck in which some faces are others is, byte for byte, the deck that is linked of all of them; or it is said that it must be linked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from test_imposition import A4, POKER, laid

from seasons_build.core.face import STREAM, Face, FontUse, sha_of
from seasons_build.impose import Card, FontParts, font_parts, link, relink, sheets, traced

FONTS = [path.read_bytes() for path in sorted((Path(__file__).parent.parent / "templates" / "fonts").glob("*.ttf"))[:3]]
SHAS = [sha_of(font) for font in FONTS]
PARTS: dict[str, FontParts] = {sha: font_parts(font) for sha, font in zip(SHAS, FONTS, strict=True)}
LAYOUT = laid(POKER, A4)
USES = [{}, {65000: "ffi"}, {65001: "gem"}, {65000: "fi"}]
BOX = (Fraction(0), Fraction(0), Fraction(63) * 72 / Fraction("25.4"), Fraction(88) * 72 / Fraction("25.4"))


def made(data: bytes, *refers: str) -> bytes:
    named = b" ".join(b"/R%d @%s@" % (number, key.encode()) for number, key in enumerate(refers))
    return b"<</Type /XObject/Subtype /Form %s>>" % named + STREAM + data + b"\nendstream"


SHARED = [made(b"picture %d" % number) for number in range(4)]


def face(chance: random.Random, word: bytes, trim: tuple[Fraction, ...] = BOX) -> Face:
    """A face of its own drawing, of inner drawings, shared pictures and fonts."""
    objects: dict[str, bytes] = {}

    def add(blob: bytes) -> str:
        objects[sha_of(blob)] = blob
        return sha_of(blob)

    fonts = chance.sample(SHAS, chance.choice((0, 1, 1, 2)))
    inner = [add(chance.choice(SHARED)) for _ in range(chance.choice((0, 1, 1, 2)))]
    inner += [add(made(b"inner " + word, *chance.sample(fonts, min(1, len(fonts))))) for _ in range(chance.choice((0, 0, 1)))]
    inner += fonts
    chance.shuffle(inner)
    form = add(made(word, *inner, *chance.sample(inner, min(len(inner), chance.choice((0, 0, 1))))))
    return Face(BOX, (trim[0], trim[1], trim[2], trim[3]), form, objects, {sha: FontUse("F", chance.choice(USES)) for sha in fonts})


def like(chance: random.Random, other: Face, word: bytes) -> Face:
    """A face that draws what another does in other words: what an edit of a card most often comes to."""
    old = other.objects[other.form]
    head, _, _ = old.partition(STREAM)
    blob = head + STREAM + word + b"\nendstream"
    objects = {key: data for key, data in other.objects.items() if key != other.form} | {sha_of(blob): blob}
    fonts = {sha: FontUse(use.name, chance.choice((use.texts, use.texts, *USES))) for sha, use in other.fonts.items()}
    return Face(other.box, other.trim, sha_of(blob), objects, fonts)


Deck = list[tuple[Face, Face | None, int]]


def linked(deck: Deck) -> bytes:
    cards = [Card(front, back) for front, back, copies in deck for _ in range(copies)]
    return link(sheets(cards, LAYOUT), PARTS, title="Deck", language="en")


def trace_of(deck: Deck) -> tuple[bytes, relink.Trace]:
    cards = [Card(front, back) for front, back, copies in deck for _ in range(copies)]
    return traced(sheets(cards, LAYOUT), PARTS, [(front, back) for front, back, _ in deck], title="Deck", language="en")


def decks(chance: random.Random) -> Deck:
    back = face(chance, b"back")
    found: Deck = []
    for number in range(chance.randrange(1, 30)):
        front = chance.choice(found)[0] if found and chance.random() < 0.1 else face(chance, b"front %d" % number)
        found.append((front, chance.choice((back, back, None, face(chance, b"back %d" % number))), chance.choice((1, 1, 1, 2, 12))))
    return found


def changed(chance: random.Random, deck: Deck) -> Iterator[tuple[int, int, Face]]:
    """Which side of which card is another one, and how it is."""
    for turn in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.randrange(len(deck))
        side = 0 if deck[at][1] is None or chance.random() < 0.8 else 1
        old = deck[at][side]
        assert isinstance(old, Face)
        word = chance.choice((b"other %d" % turn, b"front 1", b"x" * chance.randrange(4000)))
        edited = [like(chance, old, word) for _ in range(3)]
        new = chance.choice((*edited, face(chance, word), chance.choice(deck)[0]))
        yield at, side, new


@pytest.mark.parametrize("seed", range(12))
def test_it_is_what_is_linked_of_all(seed: int) -> None:
    chance = random.Random(seed)
    went = 0
    for _ in range(60):
        deck = decks(chance)
        pdf, trace = trace_of(deck)
        assert pdf == linked(deck)
        for _ in range(chance.choice((1, 2, 4))):
            now, others = list(deck), {}
            for at, side, new in changed(chance, deck):
                front, back, copies = now[at]
                now[at] = (front, new, copies) if side else (new, back, copies)
            sides = trace.sides()
            for at, (old, card) in enumerate(zip(deck, now, strict=True)):
                others |= {sides[2 * at + side]: new for side in (0, 1) if (new := card[side]) is not old[side] and new is not None}
            again = relink.relink(pdf, trace, others)
            whole = linked(now)
            if again is not None:
                went += bool(others)
                assert again[0] == whole
                deck, (pdf, trace) = now, again
    assert went > 20, "most changes are of this kind"


def test_a_face_in_other_words_goes_in_its_place() -> None:
    chance = random.Random(1)
    deck = [(face(chance, b"front %d" % number), None, 1) for number in range(40)]
    pdf, trace = trace_of(deck)
    for at in range(40):
        old = deck[at][0]
        blob = old.objects[old.form] + b" "
        new = Face(old.box, old.trim, sha_of(blob), {**old.objects, sha_of(blob): blob}, old.fonts)
        now: Deck = [*deck[:at], (new, None, 1), *deck[at + 1 :]]
        again = relink.relink(pdf, trace, {trace.sides()[2 * at]: new})
        assert again is not None and again[0] == linked(now)


def test_nothing_changed_is_the_same_file() -> None:
    pdf, trace = trace_of(decks(random.Random(3)))
    assert relink.relink(pdf, trace, {}) == (pdf, trace)


def test_a_face_of_another_size_is_linked() -> None:
    chance = random.Random(2)
    deck: Deck = [(face(chance, b"front %d" % number), None, 1) for number in range(3)]
    pdf, trace = trace_of(deck)
    old = deck[1][0]
    moved = Face(old.box, (old.trim[0] + Fraction(1, 100), *old.trim[1:]), old.form, old.objects, old.fonts)
    assert relink.relink(pdf, trace, {trace.sides()[2]: moved}) is None

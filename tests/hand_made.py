"""Faces made by hand, that need no typesetter: a ground with its bleed, a trim in another colour, and a word in the middle, in a font that
is not in the file."""

from __future__ import annotations

from fractions import Fraction

from seasons_build.core.document import Number
from seasons_build.core.face import Face, sha_of
from seasons_build.core.paper import POINTS, CardSize

FONT = b"<</Type /Font/Subtype /Type1/BaseFont /Helvetica>>"


def face(card: CardSize, word: str = "", *, bleed: Number = 3, ground: str = "1 1 1", inside: str = "1 1 1") -> Face:
    """A face of the size of `card`; colours are three parts of one each."""
    width, height, more = card.width * POINTS, card.height * POINTS, bleed * POINTS
    outer = (-more, -more, width + more, height + more)
    box = " ".join(f"{float(n):.5f}" for n in outer)
    content = (
        f"{ground} rg {float(outer[0]):.5f} {float(outer[1]):.5f} {float(width + 2 * more):.5f} {float(height + 2 * more):.5f} re f "
        f"{inside} rg 0 0 {float(width):.5f} {float(height):.5f} re f "
    ).encode()
    fonts = b""
    if word:
        content += f"0 g BT /F 12 Tf {float(width / 2) - 20:.3f} {float(height / 2):.3f} Td ({word}) Tj ET".encode()
        fonts = b"/Font <</F " + FONT + b">>"
    head = f"<</Type /XObject/Subtype /Form/BBox [{box}]/Resources <<".encode() + fonts + b">>"
    form = head + b"/Length %d>>\nstream\n%s\nendstream" % (len(content), content)
    trim = (Fraction(0), Fraction(0), Fraction(width), Fraction(height))
    left, bottom, right, top = (Fraction(n) for n in outer)
    return Face((left, bottom, right, top), trim, sha_of(form), {sha_of(form): form}, {})

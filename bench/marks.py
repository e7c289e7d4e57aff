"""Draws the engraving of the Seasons Pass theme as a font: `python bench/marks.py` writes templates/fonts/SPMarks.ttf.

Engraving is many thin lines. A picture of them is heavy, and a drawing is laid out anew wherever it stands; a character of a font is laid
out in no time and stands in the file once, as sharp as the press. Every line is its own outline, filled, and all are wound the same way, so
that crossing lines stay filled. A unit is a hundredth of a millimetre where the type is 10 mm high.

In: nothing. Out: glyphs U+E300 to U+E30B, the bottom left corner of each on the baseline.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

FILE = Path(__file__).parents[1] / "templates" / "fonts" / "SPMarks.ttf"
NAME = "SPMarks"
BIRTH = 3849984000
"""Seconds since 1904: the file says when it was drawn, and the same drawing must be the same file."""
EM = 1000

Point = tuple[float, float]
Curve = Callable[[float], Point]


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring of lace, all lengths in parts of the rosette's radius: `lines` waves round a circle, each `lobes` times out and in, that cross
    each other; the band itself swells twice as often."""

    middle: float
    half: float
    lobes: int
    lines: int


RINGS = (Ring(0.221, 0.110, 6, 10), Ring(0.442, 0.118, 9, 14), Ring(0.673, 0.118, 14, 16), Ring(0.894, 0.106, 20, 16))
SWELL = 0.3
RADIUS = 2530
"""50.6 mm across where the type is 10 mm high: what a poker card has room for inside its frame."""
FINE, BOLD = 10.0, 13.5
"""Widths of the line: on a card, and where the rosette is drawn at little more than half of that size."""


def main() -> None:
    """Writes the font."""
    drawn().save(FILE)


def drawn() -> FontBuilder:
    """The font, ready to be saved."""
    glyphs: dict[str, object] = {".notdef": TTGlyphPen(None).glyph(), "space": TTGlyphPen(None).glyph()}
    widths = {".notdef": EM, "space": EM}
    codes = {32: "space"}
    for code, (name, (width, curves)) in enumerate(_marks().items(), 0xE300):
        pen = TTGlyphPen(None)
        for contour in curves:
            _outline(pen, contour)
        glyphs[name], widths[name], codes[code] = pen.glyph(), width, name
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap(codes)
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({name: (widths[name], _left(builder, name)) for name in glyphs})
    builder.setupHorizontalHeader(ascent=EM, descent=0)
    builder.setupNameTable({"familyName": NAME, "styleName": "Regular", "uniqueFontIdentifier": NAME, "fullName": NAME, "psName": NAME})
    builder.setupOS2(sTypoAscender=EM, sTypoDescender=0, sTypoLineGap=0, usWinAscent=EM, usWinDescent=0, sCapHeight=0, sxHeight=0)
    builder.setupPost()
    builder.updateHead(created=BIRTH, modified=BIRTH)
    builder.font.recalcTimestamp = False
    return builder


def _left(builder: FontBuilder, name: str) -> int:
    glyph = builder.font["glyf"][name]
    return int(getattr(glyph, "xMin", 0) or 0)


def _marks() -> dict[str, tuple[int, list[list[tuple[Point, Point]]]]]:
    """Name, advance and contours of each mark: rings from the inside out, fine and bold; grounds of waves by what they lie under."""
    found: dict[str, tuple[int, list[list[tuple[Point, Point]]]]] = {}
    for weight, width in (("fine", FINE), ("bold", BOLD)):
        for number, ring in enumerate(RINGS, 1):
            found[f"ring{number}.{weight}"] = (2 * RADIUS, [side for line in _lace(ring) for side in _band(line, width, 6 * ring.lobes)])
    for name, right, top in (("stub", 6900, 1160), ("ticket", 18800, 3100)):
        found[f"waves.{name}"] = (right, [_strip(line, 9, right) for line in _waves(right, top)])
    found["waves.back"] = (6900, [_strip(line, 10, 6900) for line in _turned(6900, 9400)])
    return found


# ---- what is drawn


def _lace(ring: Ring) -> Iterator[Curve]:
    for line in range(ring.lines):
        yield _around(ring, math.tau * line / ring.lines)


def _around(ring: Ring, shift: float) -> Curve:
    """A closed wave round the middle, once around while its number runs from 0 to 1."""

    def at(share: float) -> Point:
        angle = math.tau * share
        out = math.sin(ring.lobes * angle + shift) * (1 - SWELL * math.cos(2 * ring.lobes * angle)) / (1 + SWELL)
        far = RADIUS * (ring.middle + ring.half * out)
        return RADIUS + far * math.sin(angle), RADIUS + far * math.cos(angle)

    return at


def _waves(right: float, top: float) -> Iterator[Curve]:
    """Lines from left to right, one above the other, that draw together and apart as they go."""
    count = round(top / 92)
    for line in range(1, count + 1):
        yield _wave(right, line * top / count, line, 1.0)


def _turned(right: float, top: float) -> Iterator[Curve]:
    """Lines of which each has its twin after half a turn, with those near the middle drawn calm, so that the two halves meet."""
    half = 20
    for line in range(half):
        height = (line + 0.5) * top / (2 * half)
        below = _wave(right, height, line, min(1.0, (half - line) / 4))
        yield below
        yield _after_half_a_turn(below, right, top)


def _after_half_a_turn(curve: Curve, right: float, top: float) -> Curve:
    def at(share: float) -> Point:
        x, y = curve(1 - share)
        return right - x, top - y

    return at


def _wave(right: float, height: float, line: int, much: float) -> Curve:
    def at(share: float) -> Point:
        x = right * share
        y = 34 * math.sin(x / 430 + line * 0.55) + 30 * math.sin(x / 715 - line * 0.31 + 1.2) + 46 * math.sin(x / 1530 + line * 0.74)
        return x, height + much * y

    return at


# ---- outlines


def _band(curve: Curve, width: float, pieces: int) -> Iterator[list[tuple[Point, Point]]]:
    """The two sides of a closed line."""
    yield _side(curve, width / 2, [n / pieces for n in range(pieces + 1)])[:-1]
    yield _reversed(_side(curve, -width / 2, [n / pieces for n in range(pieces + 1)]))[:-1]


def _strip(curve: Curve, width: float, right: float) -> list[tuple[Point, Point]]:
    """The outline of an open line."""
    pieces = math.ceil(right / 330)
    shares = [n / pieces for n in range(pieces + 1)]
    return [*_side(curve, width / 2, shares), *_reversed(_side(curve, -width / 2, shares))]


def _side(curve: Curve, off: float, shares: list[float]) -> list[tuple[Point, Point]]:
    """Points beside a line, each with the control point of the piece that follows; the last one's is itself."""
    places = [_beside(curve, share, off) for share in shares]
    found: list[tuple[Point, Point]] = []
    for (point, way), (after, other) in pairwise(places):
        found.append((point, _meeting(point, way, after, other)))
    return [*found, (places[-1][0], places[-1][0])]


def _reversed(side: list[tuple[Point, Point]]) -> list[tuple[Point, Point]]:
    points = [point for point, _ in side][::-1]
    controls = [control for _, control in side[:-1]][::-1]
    return list(zip(points, [*controls, points[-1]], strict=True))


def _beside(curve: Curve, share: float, off: float) -> tuple[Point, Point]:
    """A point at some distance from a line, and the way that the line goes there."""
    step = 1e-5
    (x0, y0), (x1, y1) = curve(share - step), curve(share + step)
    x, y = curve(share)
    length = math.hypot(x1 - x0, y1 - y0)
    way = (x1 - x0) / length, (y1 - y0) / length
    return (x - off * way[1], y + off * way[0]), way


def _meeting(point: Point, way: Point, after: Point, other: Point) -> Point:
    """Where the tangents of two points meet; their middle where they are as good as parallel or meet too far off."""
    middle = (point[0] + after[0]) / 2, (point[1] + after[1]) / 2
    cross = way[0] * other[1] - way[1] * other[0]
    gap = after[0] - point[0], after[1] - point[1]
    if abs(cross) < 0.02:
        return middle
    share = (gap[0] * other[1] - gap[1] * other[0]) / cross
    found = point[0] + share * way[0], point[1] + share * way[1]
    return found if math.dist(found, middle) < math.hypot(*gap) else middle


def _outline(pen: TTGlyphPen, contour: list[tuple[Point, Point]]) -> None:
    rounded = [((round(p[0]), round(p[1])), (round(c[0]), round(c[1]))) for p, c in contour]
    pen.moveTo(rounded[0][0])
    for (point, control), (after, _) in zip(rounded, [*rounded[1:], rounded[0]], strict=True):
        if control == point:
            pen.lineTo(after)
        else:
            pen.qCurveTo(control, after)
    pen.closePath()


if __name__ == "__main__":
    main()

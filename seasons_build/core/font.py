"""A font file, read: what a PDF says about it and how its glyphs are known. Standard library only.

In goes a TrueType file as bytes, from a stranger perhaps: every read is bounded by the file and by the number of its glyphs. Out comes a
`Font`, a pure function of the bytes. What cannot be read raises `FontError`.
"""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256

from seasons_build.core.record import dataclass

_CODE_POINTS = 0x110000
_UNLINKABLE = ("fvar", "CFF ", "CFF2", "SVG ", "COLR", "CBDT", "EBDT", "sbix")
_BEST_CMAPS = ((3, 10), (0, 6), (0, 4), (3, 1), (0, 3), (0, 2), (0, 1), (0, 0))


class FontError(ValueError):
    """The bytes are no font that can be read; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Font:
    """What a PDF needs of a font file. Lengths are thousandths of an em, widths by glyph id.

    `name` is its name ID 6, by which a typeset page tells which file it used. `texts` has the characters of every glyph that a public code
    point leads to. `linkable` is whether the file can be embedded as it stands: TrueType outlines, no variations, no colours.
    """

    sha: str
    name: str
    linkable: bool
    widths: tuple[int, ...]
    texts: Mapping[int, str]
    box: tuple[int, int, int, int]
    ascent: int
    descent: int
    cap_height: int
    italic_angle: float
    fixed_pitch: bool


@lru_cache(maxsize=256)
def read_font(data: bytes) -> Font:
    """The font in these bytes; raises FontError. The last ones read are remembered."""
    try:
        return _read(data)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise FontError("the file ends too early or points outside itself") from error


def postscript_name(data: bytes) -> str:
    """The name ID 6 of a font file, or of the subset of one; raises FontError where it has none."""
    try:
        return _name(_tables(data), data)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise FontError("the file ends too early or points outside itself") from error


def glyphs_of(data: bytes) -> dict[int, int]:
    """The glyph of each code point that a font file has one for; raises FontError."""
    try:
        return {code: glyph for code, glyph in _cmap(data, _tables(data)["cmap"][0]) if glyph}
    except (struct.error, IndexError, KeyError, UnicodeDecodeError) as error:
        raise FontError("the file ends too early or points outside itself") from error


def unicode_map(texts: Mapping[int, str]) -> bytes:
    """The program of a PDF that says which characters each glyph stands for."""
    lines = [
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap",
        "/CIDSystemInfo <</Registry (Adobe)/Ordering (UCS)/Supplement 0>> def",
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange",
    ]
    items = sorted(texts.items())
    for start in range(0, len(items), 100):
        batch = items[start : start + 100]
        lines.append(f"{len(batch)} beginbfchar")
        lines.extend(f"<{glyph:04x}> <{text.encode('utf-16-be').hex()}>" for glyph, text in batch)
        lines.append("endbfchar")
    lines.append("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend")
    return "\n".join(lines).encode("ascii")


def _read(data: bytes) -> Font:
    tables = _tables(data)
    for tag in ("head", "hhea", "hmtx", "maxp", "cmap"):
        if tag not in tables:
            raise FontError(f"it has no table `{tag}`")
    head, hhea = tables["head"][0], tables["hhea"][0]
    (units,) = struct.unpack_from(">H", data, head + 18)
    if not units:
        raise FontError("an em of nothing")
    (count,) = struct.unpack_from(">H", data, tables["maxp"][0] + 4)
    ascent, descent = struct.unpack_from(">hh", data, hhea + 4)
    cap_height, angle, fixed = ascent, 0, 0
    if "OS/2" in tables and struct.unpack_from(">H", data, tables["OS/2"][0])[0] >= 2:
        (cap_height,) = struct.unpack_from(">h", data, tables["OS/2"][0] + 88)
    if "post" in tables:
        (angle,) = struct.unpack_from(">i", data, tables["post"][0] + 4)
        (fixed,) = struct.unpack_from(">I", data, tables["post"][0] + 12)
    left, bottom, right, top = struct.unpack_from(">4h", data, head + 36)
    return Font(
        sha=sha256(data).hexdigest(),
        name=_name(tables, data),
        linkable="glyf" in tables and not any(tag in tables for tag in _UNLINKABLE),
        widths=_widths(data, tables, count, units),
        texts=_texts(data, tables, count),
        box=(_em(left, units), _em(bottom, units), _em(right, units), _em(top, units)),
        ascent=_em(ascent, units),
        descent=_em(descent, units),
        cap_height=_em(cap_height, units),
        italic_angle=angle / 65536,
        fixed_pitch=bool(fixed),
    )


def _em(value: int, units: int) -> int:
    return round(value * 1000 / units)


def _tables(data: bytes) -> dict[str, tuple[int, int]]:
    """Where each table begins, and its length."""
    if data[:4] not in (b"\0\1\0\0", b"true", b"OTTO"):
        raise FontError("it is no TrueType or OpenType file")
    (count,) = struct.unpack_from(">H", data, 4)
    tables = {}
    for index in range(count):
        tag, _, offset, length = struct.unpack_from(">4sIII", data, 12 + 16 * index)
        if offset + length > len(data):
            raise FontError("a table lies outside the file")
        tables[tag.decode("latin-1")] = (offset, length)
    return tables


def _name(tables: Mapping[str, tuple[int, int]], data: bytes) -> str:
    if "name" not in tables:
        raise FontError("it has no names")
    start = tables["name"][0]
    _, count, strings = struct.unpack_from(">HHH", data, start)
    found = ""
    for index in range(count):
        platform, _, _, kind, length, offset = struct.unpack_from(">6H", data, start + 6 + 12 * index)
        if kind != 6:
            continue
        raw = data[start + strings + offset : start + strings + offset + length]
        found = raw.decode("latin-1") if platform == 1 else raw.decode("utf-16-be")
        if platform == 3:
            break
    if not found:
        raise FontError("it has no PostScript name (name ID 6)")
    return found


def _widths(data: bytes, tables: Mapping[str, tuple[int, int]], count: int, units: int) -> tuple[int, ...]:
    (metrics,) = struct.unpack_from(">H", data, tables["hhea"][0] + 34)
    metrics = min(metrics, count)
    if not metrics:
        raise FontError("it has no widths")
    advances = struct.unpack_from(f">{2 * metrics}H", data, tables["hmtx"][0])[::2]
    widths = [_em(advance, units) for advance in advances]
    return tuple(widths + [widths[-1]] * (count - metrics))


def _texts(data: bytes, tables: Mapping[str, tuple[int, int]], glyphs: int) -> dict[int, str]:
    """The text of each glyph: of several code points the smallest. One for private use says nothing to a reader, so it is left to the
    pages, which may have drawn the glyph for a word. A ligature that has a code point of its own is spelt out, to be searched for."""
    smallest: dict[int, int] = {}
    for code, glyph in _cmap(data, tables["cmap"][0]):
        if 0 < glyph < glyphs and not _is_private(code) and code < smallest.get(glyph, _CODE_POINTS):
            smallest[glyph] = code
    return {glyph: _spelt(smallest[glyph]) for glyph in sorted(smallest)}


def _is_private(code: int) -> bool:
    return 0xD800 <= code < 0xF900 or code >= 0xF0000


def _spelt(code: int) -> str:
    return unicodedata.normalize("NFKC", chr(code)) if 0xFB00 <= code <= 0xFB06 else chr(code)


def _cmap(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    (count,) = struct.unpack_from(">H", data, start + 2)
    found = {}
    for index in range(count):
        platform, encoding, offset = struct.unpack_from(">HHI", data, start + 4 + 8 * index)
        found[platform, encoding] = start + offset
    for key in _BEST_CMAPS:
        if key in found:
            (kind,) = struct.unpack_from(">H", data, found[key])
            if kind == 4:
                return _cmap_segments(data, found[key])
            if kind == 12:
                return _cmap_groups(data, found[key])
    return iter(())


def _cmap_segments(data: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Format 4: segments of 16-bit code points."""
    (double,) = struct.unpack_from(">H", data, at + 6)
    count = double // 2
    ends = struct.unpack_from(f">{count}H", data, at + 14)
    starts = struct.unpack_from(f">{count}H", data, at + 16 + double)
    deltas = struct.unpack_from(f">{count}H", data, at + 16 + 2 * double)
    ranges = at + 16 + 3 * double
    steps = 0
    for index in range(count):
        if ends[index] < starts[index]:
            continue
        (distance,) = struct.unpack_from(">H", data, ranges + 2 * index)
        steps += ends[index] - starts[index] + 1
        if steps > 2 * 0x10000:
            raise FontError("its code points overlap without end")
        for code in range(starts[index], min(ends[index], 0xFFFE) + 1):
            if not distance:
                yield code, (code + deltas[index]) & 0xFFFF
                continue
            (glyph,) = struct.unpack_from(">H", data, ranges + 2 * index + distance + 2 * (code - starts[index]))
            yield code, (glyph + deltas[index]) & 0xFFFF if glyph else 0


def _cmap_groups(data: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Format 12: groups of any code points."""
    (count,) = struct.unpack_from(">I", data, at + 12)
    steps = 0
    for index in range(count):
        first, last, glyph = struct.unpack_from(">III", data, at + 16 + 12 * index)
        if last >= _CODE_POINTS or last < first:
            raise FontError("a code point that does not exist")
        steps += last - first + 1
        if steps > _CODE_POINTS:
            raise FontError("its code points overlap without end")
        for code in range(first, last + 1):
            yield code, glyph + code - first

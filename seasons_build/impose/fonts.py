"""Impose: the PDF objects of a font, a pure function of its file. Standard library only.

In goes a font file, which is embedded as it stands; out comes a `FontParts`. What a document adds is only the text of glyphs that no code
point leads to.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby

from seasons_build.core.face import STREAM
from seasons_build.core.font import Font, FontError, read_font, unicode_map
from seasons_build.core.record import dataclass

_COMPRESSION = 9
_SYMBOLIC, _ITALIC, _FIXED_PITCH = 4, 64, 1
_STEM = 80


@dataclass(frozen=True, slots=True)
class FontParts:
    """A font as four objects of a PDF: the program, its descriptor and the font that has it are bytes with `%d` for a number of an object
    (of the program, of the descriptor); the fourth, `unicode`, is made by `to_unicode` where a document adds to it."""

    name: str
    program: bytes
    descriptor: bytes
    descendant: bytes
    unicode: bytes
    texts: Mapping[int, str]


@lru_cache(maxsize=64)
def font_parts(data: bytes) -> FontParts:
    """The objects of the font file `data`; the last ones made are remembered. Raises FontError for a file that cannot be read or embedded
    as it stands."""
    font = read_font(data)
    if not font.linkable:
        raise FontError("it is not a plain TrueType font")
    name = _name(font.name)
    program = zlib.compress(data, _COMPRESSION)
    head = b"<</Filter /FlateDecode/Length %d/Length1 %d>>" % (len(program), len(data))
    return FontParts(
        name=name.decode(),
        program=head + STREAM + program + b"\nendstream",
        descriptor=_descriptor(font, name),
        descendant=_descendant(font, name),
        unicode=_unicode_stream(font.texts),
        texts=font.texts,
    )


def type0(parts: FontParts, descendant: int, to_unicode: int) -> bytes:
    """The font that a page names, from the numbers of its two other objects."""
    return b"<</BaseFont %s/DescendantFonts [%d 0 R]/Encoding /Identity-H/Subtype /Type0/ToUnicode %d 0 R/Type /Font>>" % (
        parts.name.encode(),
        descendant,
        to_unicode,
    )


def to_unicode(parts: FontParts, faces: Iterable[Mapping[int, str]]) -> bytes:
    """The stream that says which characters each glyph stands for: by the font itself, and for the others by what the faces drew with them;
    where they differ the smallest, so that their order is nothing."""
    more: dict[int, str] = {}
    for drawn in faces:
        for glyph, text in drawn.items():
            if glyph not in parts.texts and text and (glyph not in more or text < more[glyph]):
                more[glyph] = text
    return _unicode_stream({**parts.texts, **more}) if more else parts.unicode


def _unicode_stream(texts: Mapping[int, str]) -> bytes:
    data = zlib.compress(unicode_map(texts), _COMPRESSION)
    return b"<</Filter /FlateDecode/Length %d>>" % len(data) + STREAM + data + b"\nendstream"


def _descriptor(font: Font, name: bytes) -> bytes:
    flags = _SYMBOLIC | (_ITALIC if font.italic_angle else 0) | (_FIXED_PITCH if font.fixed_pitch else 0)
    angle = f"{font.italic_angle:.2f}".rstrip("0").rstrip(".")
    return b"<</Ascent %d/CapHeight %d/Descent %d/Flags %d/FontBBox [%d %d %d %d]/FontFile2 %%d 0 R/FontName %s/ItalicAngle %s" % (
        *(font.ascent, font.cap_height, font.descent, flags),
        *font.box,
        name,
        angle.encode(),
    ) + b"/StemV %d/Type /FontDescriptor>>" % (_STEM)


def _descendant(font: Font, name: bytes) -> bytes:
    return (
        b"<</BaseFont %s/CIDSystemInfo <</Ordering (Identity)/Registry (Adobe)/Supplement 0>>/CIDToGIDMap /Identity/DW 0"
        b"/FontDescriptor %%d 0 R/Subtype /CIDFontType2/Type /Font/W [%s]>>"
    ) % (name, b" ".join(_runs(font.widths)))


def _runs(widths: tuple[int, ...]) -> Iterator[bytes]:
    """The widths in stretches, each with its first glyph; a width of nothing is not written."""
    start = 0
    for wide, group in groupby(widths, key=bool):
        run = [b"%d" % width for width in group]
        if wide:
            yield b"%d [%s]" % (start, b" ".join(run))
        start += len(run)


def _name(text: str) -> bytes:
    """A PDF name, with all but letters, digits and a few signs spelt out."""
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+*-"
    return b"/" + b"".join(bytes((c,)) if c in plain else b"#%02X" % c for c in text.encode())

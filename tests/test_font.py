"""Fonts as a PDF needs them, against fontTools as the oracle; and files that are none."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from seasons_build.core.font import FontError, postscript_name, read_font
from seasons_build.impose import font_parts
from seasons_build.impose.fonts import to_unicode
from seasons_build.pipeline.kept import FONTS, KeptFonts
from seasons_build.store import FOLDER, Store

FILES = sorted((Path(__file__).parent.parent / "templates" / "fonts").glob("*.ttf"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_font_is_read_as_the_oracle_reads_it(path: Path) -> None:
    data = path.read_bytes()
    font, oracle = read_font(data), TTFont(BytesIO(data))
    units = oracle["head"].unitsPerEm
    assert font.name == postscript_name(data) == oracle["name"].getDebugName(6)
    assert list(font.widths) == [round(oracle["hmtx"][glyph][0] * 1000 / units) for glyph in oracle.getGlyphOrder()]
    public: dict[int, int] = {}
    for code, glyph in sorted(oracle.getBestCmap().items()):
        if not 0xE000 <= code < 0xF900:
            public.setdefault(oracle.getGlyphID(glyph), code)
    spelt = {0xFB01: "fi", 0xFB02: "fl"}
    assert font.texts == {glyph: spelt.get(code, chr(code)) for glyph, code in public.items() if glyph}
    assert font.ascent == round(oracle["hhea"].ascent * 1000 / units)
    assert font.italic_angle == oracle["post"].italicAngle
    assert font.linkable


def test_every_cut_and_every_wrong_byte_of_a_font_is_read_or_refused() -> None:
    data = FILES[0].read_bytes()
    for end in range(0, len(data), 97):
        with pytest.raises(FontError):
            read_font(data[:end])
    for at in range(1500):
        broken = bytearray(data)
        broken[at] ^= 0xFF
        try:
            read_font(bytes(broken))
        except FontError:
            continue


@pytest.mark.parametrize("data", [b"", b"wOF2" + bytes(100), b"ttcf" + bytes(100), b"OTTO", b"\0\1\0\0" + b"\xff" * 40])
def test_what_is_no_truetype_file_is_refused(data: bytes) -> None:
    with pytest.raises(FontError):
        read_font(data)


def test_code_points_without_end_are_refused() -> None:
    font = TTFont(BytesIO(FILES[0].read_bytes()))
    table = bytearray(b"\0\0\0\1\0\3\0\x0a\0\0\0\x0c" + b"\0\x0c\0\0" + bytes(8) + (9).to_bytes(4, "big"))
    for _ in range(9):
        table += (0).to_bytes(4, "big") + (0x10FFFF).to_bytes(4, "big") + (1).to_bytes(4, "big")
    out = BytesIO()
    font.save(out)
    data = bytearray(out.getvalue())
    count = int.from_bytes(data[4:6], "big")
    for index in range(count):
        at = 12 + 16 * index
        if data[at : at + 4] == b"cmap":
            data[at + 8 : at + 16] = len(data).to_bytes(4, "big") + len(table).to_bytes(4, "big")
    with pytest.raises(FontError, match="without end"):
        read_font(bytes(data + table))


def test_a_text_that_faces_disagree_on_is_the_smallest_whatever_their_order() -> None:
    parts = font_parts(FILES[0].read_bytes())
    glyph = max(parts.texts) + 500
    first, second = {glyph: "ff"}, {glyph: "fi", 3: "never over the font's own"}
    assert to_unicode(parts, [first, second]) == to_unicode(parts, [second, first]) == to_unicode(parts, [first])


def test_a_font_that_was_made_ready_comes_back_as_it_was(tmp_path: Path) -> None:
    data = FILES[0].read_bytes()
    with Store(tmp_path) as store:
        assert KeptFonts(store).parts(data) == font_parts(data)
    (kept,) = (path for path in (tmp_path / FOLDER / FONTS).rglob("*") if path.is_file())
    with Store(tmp_path) as store:
        found = store.get(FONTS, kept.name)
        again = KeptFonts(store).parts(data)
        assert again == font_parts(data)
        assert again is not font_parts(data), "it was read"
        assert found is not None
        for header in ({}, {"name": "x", "texts": 3}, {"name": "x", "texts": {"one": "a"}}):
            store.put(FONTS, kept.name, header, found.blobs)
            assert KeptFonts(store).parts(data) == font_parts(data)
        store.put(FONTS, kept.name, found.header, found.blobs[:1])
        assert KeptFonts(store).parts(data) == font_parts(data)

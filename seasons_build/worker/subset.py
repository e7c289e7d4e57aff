"""Worker: a font cut down to the glyphs that a form uses (fontTools).

In go the file and glyph ids, out comes a file with the same ids, in which all other glyphs are empty. It runs in the worker because the
font may be a stranger's.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

from fontTools import subset
from fontTools.ttLib import TTFont, TTLibError

from seasons_build.core.font import FontError

_KEPT = ("head", "hhea", "hmtx", "maxp", "cmap", "glyf", "loca", "name", "post", "OS/2", "cvt ", "fpgm", "prep", "gasp", "GlyphOrder")


def subset_font(data: bytes, glyphs: Iterable[int]) -> bytes:
    """The font with only these glyphs and those they are made of, each under its own id. The order of `glyphs` is nothing; raises FontError
    for a file that cannot be read."""
    options = subset.Options(
        retain_gids=True,
        notdef_outline=True,
        hinting=True,
        layout_features=[],
        name_IDs=[1, 2, 4, 6],
        recalc_timestamp=False,
        ignore_missing_glyphs=True,
    )
    try:
        with TTFont(BytesIO(data), lazy=True, recalcTimestamp=False) as font:
            options.drop_tables = [tag for tag in sorted(font.keys()) if tag not in _KEPT]
            cutter = subset.Subsetter(options)
            cutter.populate(gids=sorted(set(glyphs)))
            cutter.subset(font)
            out = BytesIO()
            font.save(out)
            return out.getvalue()
    except (TTLibError, KeyError, IndexError, AssertionError) as error:
        raise FontError("it cannot be cut down to its glyphs") from error

"""Which file of a theme draws a character: fonts chosen as a stylesheet asks for them, character by character.

In go the `@font-face` rules of a theme and its font files; out come names of files, glyphs and widths. The typesetter chooses in the same
way, but says nothing of it before the page is written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from seasons_build.core.font import Font, glyphs_of, read_font
from seasons_build.worker.css import FontFace
from seasons_build.worker.subset import subset_font

_NORMAL = 400
SLOPED = ("italic", "oblique")


class Faces:
    """The fonts of a theme by family, weight and slope. `files` are those that can be used."""

    def __init__(self, declared: Iterable[FontFace], files: Mapping[str, bytes]) -> None:
        self.files = files
        self._glyphs = {name: glyphs_of(data) for name, data in files.items()}
        self._slim: dict[tuple[str, tuple[int, ...] | None], bytes] = {}
        self._families: dict[str, list[tuple[bool, int, str]]] = {}
        for face in declared:
            for path in face.files:
                name = path.rpartition("/")[2]
                if name in files:
                    weight, slope, *_ = face.style
                    heavy = int(weight) if weight.isdecimal() else _NORMAL
                    self._families.setdefault(face.family.lower(), []).append((slope in SLOPED, heavy, name))

    def file(self, families: tuple[str, ...], weight: int, italic: bool, character: str) -> str:
        """The file that draws a character in a stack of families: the first that has a glyph for it, else the first."""
        found = [self._nearest(family.lower(), weight, italic) for family in families]
        names = [name for name in found if name]
        return next((name for name in names if ord(character) in self._glyphs[name]), names[0] if names else min(self.files))

    def font(self, file: str) -> Font:
        """What a PDF needs of a file."""
        return read_font(self.files[file])

    def slim(self, file: str, glyphs: Collection[int] | None) -> bytes:
        """A file with these glyphs alone, or with all; without what only typesetting needs. Glyphs keep their numbers."""
        key = (file, None if glyphs is None else tuple(sorted(glyphs)))
        if key not in self._slim:
            self._slim[key] = subset_font(self.files[file], range(len(self.font(file).widths)) if glyphs is None else glyphs)
        return self._slim[key]

    def glyph(self, file: str, character: str) -> int:
        """The glyph of a character in a file; 0 where it has none."""
        return self._glyphs[file].get(ord(character), 0)

    def width(self, file: str, text: str) -> float:
        """The width of a text, in parts of the size."""
        widths = self.font(file).widths
        return sum(widths[self.glyph(file, character)] for character in text) / 1000

    def _nearest(self, family: str, weight: int, italic: bool) -> str:
        """The file of a family that is nearest: of the right slope where there is one, then as CSS matches weights."""
        there = self._families.get(family, [])
        sloped = [face for face in there if face[0] == italic] or there
        if not sloped:
            return ""
        return min(sloped, key=lambda face: _distance(weight, face[1]))[2]


def _distance(wanted: int, there: int) -> tuple[int, int]:
    """How far a weight is from the one that is wanted: beyond the middle the heavier, below it the lighter are looked at first."""
    if wanted == there:
        return 0, 0
    if _NORMAL <= wanted <= 500:
        rank = 1 if wanted < there <= 500 else 2 if there < wanted else 3
    elif wanted < _NORMAL:
        rank = 1 if there < wanted else 2
    else:
        rank = 1 if there > wanted else 2
    return rank, abs(there - wanted)

"""Impose: the objects of a PDF, numbered as they are met (part of impose). Standard library only.

In go objects as faces and parts of books name them, by what they hold, and the parts of fonts; out come numbers. Equal objects have the
same key and are written once.
"""

from __future__ import annotations

from collections.abc import Mapping

from seasons_build.core.face import REFERENCE, STREAM, FontUse
from seasons_build.impose.fonts import FontParts, to_unicode, type0


class Objects:
    """The objects of one file. `blobs` are theirs, from number 1, `numbers` the numbers of those that have a key, and `again` the keys that
    were asked for more than once; `fonts` has the parts of each font file by its hash."""

    def __init__(self, fonts: Mapping[str, FontParts], reserved: int) -> None:
        self.blobs: list[bytes] = [b""] * reserved
        self._fonts = fonts
        self.numbers: dict[str, int] = {}
        self.again: set[bytes] = set()
        self._references: dict[bytes, bytes] = {}
        self._used: dict[int, Mapping[str, FontUse]] = {}
        self._later: list[tuple[str, int, int]] = []

    def add(self, blob: bytes) -> int:
        """The number of a new object."""
        self.blobs.append(blob)
        return len(self.blobs)

    def put(self, number: int, blob: bytes) -> None:
        """What an object is that has its number already."""
        self.blobs[number - 1] = blob

    def use(self, fonts: Mapping[str, FontUse]) -> None:
        """Notes what is drawn from font files; faces may share what they say of them."""
        self._used[id(fonts)] = fonts

    def linked(self, key: str, objects: Mapping[str, bytes]) -> int:
        """The number of an object, with all that it refers to; of a font where the key is of a font file. Raises KeyError for a font that
        is not given."""
        number = self.numbers.get(key)
        if number is not None:
            self.again.add(key.encode())
            return number
        if key not in objects:
            return self._font(key)
        head, rest, data = objects[key].partition(STREAM)
        pieces = REFERENCE.split(head)
        for index in range(1, len(pieces), 2):
            name = pieces[index]
            reference = self._references.get(name)
            if reference is None:
                reference = self._references[name] = b"%d 0 R" % self.linked(name.decode(), objects)
            else:
                self.again.add(name)
            pieces[index] = reference
        self.numbers[key] = number = self.add(b"".join((*pieces, rest, data)))
        return number

    def finish(self) -> None:
        """Writes what is known of the fonts only in the end."""
        for sha, number, other in self._later:
            texts = [fonts[sha].texts for fonts in self._used.values() if sha in fonts]
            self.put(number, to_unicode(self._fonts[sha], texts))
            self.put(other, type0(self._fonts[sha], other - 1, number))

    def _font(self, sha: str) -> int:
        parts = self._fonts[sha]
        program = self.add(parts.program)
        descriptor = self.add(parts.descriptor % program)
        self.add(parts.descendant % descriptor)
        number = self.add(b"")
        self.add(b"")
        self._later.append((sha, number + 1, number))
        self.numbers[sha] = number
        return number

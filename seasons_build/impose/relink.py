"""Impose: a file of sheets in which a few faces are others now (part of impose). Standard library only.

In go the file as it was linked, what is known of it, and the faces that take the place of some of its own. Out come the very bytes that
`link` would make of all of them, without the others being looked at; or nothing, where that takes more than putting objects in the place of
objects: a face that brings more of them or fewer, one of another size, one that draws what another draws too, a glyph that a font has to
tell of.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from seasons_build.core.face import REFERENCE, STREAM, Box, Face, FontUse
from seasons_build.core.named import NamedTuple
from seasons_build.impose.written import with_others

_KEY = 32
_MARK = 16
_WORD, _BYTES = "I", 4
_BEFORE_FONT, _OF_FONT = 3, 5
"""Objects of a font that come before the one that has its key, and in all."""


class Own(NamedTuple):
    """A face as it was linked: the number of the first object that came with it, that of the one that draws it, and itself."""

    first: int
    form: int
    face: Face


class Trace(NamedTuple):
    """What is known of a file, in the order of the numbers of its objects, or of the faces or cards in it: `keys` are those of the objects,
    zeros where one has none, and `again` says of which more than one was asked. Of each face, `faces` has the numbers of its first and its
    last object, and `marks` what stands for its size and for what it draws from fonts. Of each card, `cards` has the numbers of what draws
    its two sides."""

    keys: bytes
    again: bytes
    faces: bytes
    marks: bytes
    cards: bytes

    @classmethod
    def of(
        cls, numbers: Mapping[str, int], again: Iterable[bytes], count: int, own: Sequence[Own], cards: Iterable[tuple[int, int]]
    ) -> Trace:
        """The trace of a file of so many objects, the keys of which have `numbers`. `cards` are the numbers of what draws their sides, 0
        for none."""
        keys, shared = bytearray(_KEY * count), bytearray(count)
        for key, number in numbers.items():
            keys[_KEY * (number - 1) : _KEY * number] = bytes.fromhex(key)
        for name in again:
            shared[numbers[name.decode()] - 1] = 1
        uses: dict[int, bytes] = {}
        sizes: dict[int, bytes] = {}
        marks = []
        for _, _, face in own:
            if id(face.trim) not in sizes:
                sizes[id(face.trim)] = _size(face.trim)
            if id(face.fonts) not in uses:
                uses[id(face.fonts)] = _use(face.fonts)
            marks += [sizes[id(face.trim)], uses[id(face.fonts)]]
        faces = array(_WORD, [number for first, form, _ in own for number in (first, form)])
        lying = array(_WORD, [number for sides in cards for number in sides])
        return cls(bytes(keys), bytes(shared), faces.tobytes(), b"".join(marks), lying.tobytes())

    @property
    def sound(self) -> bool:
        """Whether its parts are of one length."""
        objects, faces = len(self.again), len(self.faces) // (2 * _BYTES)
        lengths = (len(self.keys), len(self.faces), len(self.marks), len(self.cards) % (2 * _BYTES))
        return lengths == (_KEY * objects, 2 * _BYTES * faces, 2 * _MARK * faces, 0)

    def sides(self) -> array[int]:
        """The numbers of what draws the sides of the cards: two of each."""
        return array(_WORD, self.cards)


class _Other(Exception):
    """It takes more than putting objects in the place of objects."""


def relink(pdf: bytes, trace: Trace, others: Mapping[int, Face]) -> tuple[bytes, Trace] | None:
    """The file with other faces, by the number of what draws the one that each takes the place of, and what is known of it then; None where
    it must be linked. Raises ValueError or IndexError where the trace is not that of such a file."""
    work = _Work(trace)
    try:
        for form, face in sorted(others.items()):
            work.put(form, face)
    except _Other:
        return None
    return with_others(pdf, work.blobs), work.trace()


class _Work:
    """A trace being changed; `blobs` are the objects that are others, by number."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._keys, self._again, self._marks = bytearray(trace.keys), bytearray(trace.again), bytearray(trace.marks)
        self._faces = array(_WORD, trace.faces)
        self._forms = self._faces[1::2]
        self.blobs: dict[int, bytes] = {}

    def trace(self) -> Trace:
        return Trace(bytes(self._keys), bytes(self._again), self._trace.faces, bytes(self._marks), self._trace.cards)

    def put(self, form: int, face: Face) -> None:
        """Puts a face in the place of the one that the object of this number draws. Raises `_Other`."""
        place = self._forms.index(form)
        first = self._faces[2 * place]
        if first > form or self._trace.sides().count(form) != 1:
            raise _Other
        self._mark(place, face)
        following = _Following(self, first, form, face)
        if following.linked(face.form) != form or following.next != form + 1:
            raise _Other

    def _mark(self, place: int, face: Face) -> None:
        at = 2 * _MARK * place
        size, use = bytes(self._marks[at : at + _MARK]), bytes(self._marks[at + _MARK : at + 2 * _MARK])
        drawn = _use(face.fonts)
        # What a font tells of its glyphs is told of all faces together: it stays the same where none of their ways to use it comes or goes.
        uses = [bytes(self._marks[start : start + _MARK]) for start in range(_MARK, len(self._marks), 2 * _MARK)] if drawn != use else []
        if size != _size(face.trim) or (drawn != use and (drawn not in uses or uses.count(use) < 2)):
            raise _Other
        self._marks[at + _MARK : at + 2 * _MARK] = drawn

    def number_of(self, key: bytes) -> int:
        """The number of the object with this key; 0 where there is none."""
        at = self._keys.find(key)
        while at % _KEY and at > 0:
            at = self._keys.find(key, at + 1)
        return at // _KEY + 1 if at >= 0 else 0

    def met(self, number: int) -> None:
        """Notes that one more face asks for an object."""
        self._again[number - 1] = 1

    def place(self, number: int, key: bytes, blob: bytes) -> None:
        """Puts an object in the place of another one, that nothing else asks for. Raises `_Other`."""
        row = slice(_KEY * (number - 1), _KEY * number)
        if self._again[number - 1] or not any(self._keys[row]):
            raise _Other
        self._keys[row] = key
        self.blobs[number] = blob


class _Following:
    """The objects of one face, numbered as `Objects` would, from `next` on to what draws the face."""

    def __init__(self, work: _Work, first: int, form: int, face: Face) -> None:
        self._work = work
        self._first = self.next = first
        self._form = form
        self._objects = face.objects
        self._numbers: dict[str, int] = {}

    def linked(self, key: str) -> int:
        """The number of an object. Raises `_Other`."""
        if key in self._numbers:
            self._work.met(self._numbers[key])
            return self._numbers[key]
        name = bytes.fromhex(key)
        known = self._work.number_of(name)
        if 0 < known < self._first:
            self._work.met(known)
            return known
        if key not in self._objects:
            return self._font(key, known)
        head, rest, data = self._objects[key].partition(STREAM)
        pieces = REFERENCE.split(head)
        for index in range(1, len(pieces), 2):
            pieces[index] = b"%d 0 R" % self.linked(pieces[index].decode())
        number, self.next = self.next, self.next + 1
        if number > self._form or known not in (0, number):
            raise _Other
        if not known:
            self._work.place(number, name, b"".join((*pieces, rest, data)))
        self._numbers[key] = number
        return number

    def _font(self, key: str, known: int) -> int:
        """The number of a font that came with this face and still does."""
        number, self.next = self.next + _BEFORE_FONT, self.next + _OF_FONT
        if known != number:
            raise _Other
        self._numbers[key] = number
        return number


def _size(trim: Box) -> bytes:
    return sha256(str(trim).encode()).digest()[:_MARK]


def _use(fonts: Mapping[str, FontUse]) -> bytes:
    told = {sha: sorted(use.texts.items()) for sha, use in fonts.items()}
    return sha256(json.dumps(told, sort_keys=True).encode()).digest()[:_MARK]

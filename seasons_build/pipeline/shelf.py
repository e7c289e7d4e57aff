"""Kept results of the typesetter: each in a file of its own, and the faces that were used together once more in one file.

In: results as messages, by key and by what else they depend on (what is `around` them: the theme, the tools, the limits). Out: the same
again, or nothing. A deck of ten thousand cards is then one file to open and one digest to verify. That file is written anew where much that
was used is not in it; it may be lost, since all that is in it is kept, or can be made, one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from seasons_build.core.named import NamedTuple
from seasons_build.core.wire import Message
from seasons_build.store import Store

FACES = "faces"
GATHERED = "gathered"
FEW, _SHARE = 50, 8
"""As many faces, and one of so many, are missing from a gathered file before it is written anew."""
_MOST = 128 * 1024 * 1024
"""Bytes that are gathered in a file."""


class _Face(NamedTuple):
    """A face of one object: its key as an object, what it has alike with others, and its bytes."""

    form: str
    alike: bytes
    data: bytes


class _Together(NamedTuple):
    """What of a gathered file is `there`, and what was used, `missing` of which was not there."""

    there: Mapping[str, _Face]
    used: dict[str, _Face]
    missing: set[str]


class Shelf:
    """What was kept, for the length of a build, or of several."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._together: dict[str, _Together] = {}
        self._passed: set[str] = set()
        self._least = FEW

    def get(self, around: str, key: str, *, alone: bool = False) -> Message | None:
        """What was put under a key, or None. `alone` it is read without those that it was used together with."""
        if alone and around not in self._together:
            if around not in self._passed:
                self._passed.add(around)
                self._store.has(GATHERED, around)  # it counts as used
            return self._store.get(FACES, key)
        together = self._around(around)
        face = together.there.get(key)
        if face is not None:
            together.used[key] = face
            return Message({"is": "face", "form": face.form, "objects": [face.form], "large": []}, (face.alike, face.data))
        found = self._store.get(FACES, key)
        if found is not None:
            _note(together, key, found.header, found.blobs)
        return found

    def put(self, around: str, key: str, header: Mapping[str, Any], blobs: Sequence[bytes]) -> None:
        """Keeps a result."""
        self._store.put(FACES, key, header, blobs)
        if around in self._together:
            _note(self._together[around], key, header, blobs)

    def gather(self) -> None:
        """Writes the faces that were used together where too many of them were not read so."""
        for around, together in self._together.items():
            size = sum(len(face.data) for face in together.used.values())
            if len(together.missing) >= max(self._least, len(together.used) // _SHARE) and size <= _MOST:
                self._store.put(GATHERED, around, *_written(together.used))
                self._together[around] = _Together(together.used, together.used, set())

    def forget(self) -> None:
        """Drops what it has read, and writes all anew: it was not believed."""
        self._together, self._least = {}, 0

    def _around(self, around: str) -> _Together:
        if around not in self._together:
            self._together[around] = _Together(_read(self._store.get(GATHERED, around)), {}, set())
        return self._together[around]


def _note(together: _Together, key: str, header: Mapping[str, Any], blobs: Sequence[bytes]) -> None:
    """Notes that a face was used, where it is one that can be gathered."""
    if header.get("is") == "face" and header.get("objects") == [header.get("form")] and len(blobs) == 2:
        together.used[key] = _Face(header["form"], *blobs)
        together.missing.add(key)


def _written(faces: Mapping[str, _Face]) -> tuple[dict[str, Any], list[bytes]]:
    alike = {text: number for number, text in enumerate(dict.fromkeys(face.alike for face in faces.values()))}
    header = {
        "keys": list(faces),
        "forms": [face.form for face in faces.values()],
        "alike": [alike[face.alike] for face in faces.values()],
        "sizes": [len(face.data) for face in faces.values()],
    }
    return header, [*alike, b"".join(face.data for face in faces.values())]


def _read(message: Message | None) -> dict[str, _Face]:
    """The faces in a gathered file; none where it is not of that form."""
    if message is None:
        return {}
    try:
        *texts, data = message.blobs
        keys, forms, alike, sizes = (message.header[name] for name in ("keys", "forms", "alike", "sizes"))
        places = pairwise(accumulate(sizes, initial=0))
        faces = (_Face(form, texts[number], data[start:end]) for form, number, (start, end) in zip(forms, alike, places, strict=True))
        return dict(zip(keys, faces, strict=True))
    except (LookupError, TypeError, ValueError):
        return {}

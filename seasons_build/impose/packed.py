"""Impose: objects to a PDF, small ones packed into streams. Standard library only; the same objects give the same bytes.

A book has tens of thousands of elements that are read out, and each is an object of a few dozen bytes: packed, they take a tenth of that.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from hashlib import sha256

from seasons_build.core.face import STREAM

_COMPRESSION = 9
_TOGETHER = 200
"""Objects in one stream."""
_HEAD = b"%PDF-2.0\n%\xe2\xe3\xcf\xd3\n"
_ALONE, _PACKED = 1, 2


def packed(objects: Sequence[bytes], *, catalog: int, info: int) -> bytes:
    """A PDF of these objects, numbered from 1; `catalog` and `info` are the numbers of two of them."""
    pieces = [_HEAD]
    places: dict[int, tuple[int, int, int]] = {}
    digest = sha256()
    position = len(_HEAD)

    def write(number: int, blob: bytes) -> None:
        nonlocal position
        piece = b"%d 0 obj\n%s\nendobj\n" % (number, blob)
        digest.update(piece)
        places[number] = (_ALONE, position, 0)
        pieces.append(piece)
        position += len(piece)

    small = []
    for number, blob in enumerate(objects, 1):
        if STREAM in blob:
            write(number, blob)
        else:
            small.append(number)
    last = len(objects)
    for start in range(0, len(small), _TOGETHER):
        last += 1
        chosen = small[start : start + _TOGETHER]
        places.update((number, (_PACKED, last, index)) for index, number in enumerate(chosen))
        write(last, _together(chosen, objects))
    last += 1
    places[last] = (_ALONE, position, 0)
    table = bytes(8) + b"".join(bytes([kind]) + at.to_bytes(4) + more.to_bytes(3) for _, (kind, at, more) in sorted(places.items()))
    name = digest.hexdigest()[:32].encode()
    head = b"<</Type /XRef/Size %d/W [1 4 3]/Root %d 0 R/Info %d 0 R/ID [<%s> <%s>]" % (last + 1, catalog, info, name, name)
    pieces.append(b"%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (last, _stream(head, table), position))
    return b"".join(pieces)


def _together(numbers: Sequence[int], objects: Sequence[bytes]) -> bytes:
    """A stream of objects."""
    places, position = [], 0
    for number in numbers:
        places.append(b"%d %d" % (number, position))
        position += len(objects[number - 1]) + 1
    first = b" ".join(places) + b"\n"
    head = b"<</Type /ObjStm/N %d/First %d" % (len(numbers), len(first))
    return _stream(head, first + b"\n".join(objects[number - 1] for number in numbers))


def _stream(head: bytes, data: bytes) -> bytes:
    made = zlib.compress(data, _COMPRESSION)
    return head + b"/Filter /FlateDecode/Length %d>>" % len(made) + STREAM + made + b"\nendstream"

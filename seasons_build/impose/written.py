"""Impose: numbered objects to a file, and a file with others of its objects (part of impose). Standard library only.

The objects stand in the order of their numbers, without a byte between them, and the table of their places stands behind them. What names
the file is the hash of its objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate

CATALOG, PAGES, INFO = 1, 2, 3
_HEAD = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
_FREE = b"0000000000 65535 f \n"
_ENTRY = len(_FREE)
_START = b"startxref\n"
_TAIL = 40
"""Bytes at the end of a file within which it says where its table stands."""


def file_of(objects: Sequence[bytes]) -> bytes:
    """One PDF of these objects, the first of which are its catalogue, its pages and what is said of it."""
    # Not joined before the end: a deck of thousands of cards would be in memory several times over.
    pieces = [piece for number, blob in enumerate(objects, 1) for piece in (b"%d 0 obj\n" % number, blob, b"\nendobj\n")]
    *places, end_of_body = accumulate((sum(map(len, pieces[at : at + 3])) for at in range(0, len(pieces), 3)), initial=len(_HEAD))
    return b"".join((_HEAD, *pieces, *_end(pieces, map(_entry, places), len(objects), end_of_body)))


def with_others(pdf: bytes, others: Mapping[int, bytes]) -> bytes:
    """A file that `file_of` made, with other objects under some of its numbers: what `file_of` makes of all of them. Raises ValueError for
    bytes of another form."""
    start = pdf.rindex(_START, len(pdf) - _TAIL) + len(_START)
    end_of_body = int(pdf[start : pdf.index(b"\n", start)])
    count = int(pdf[end_of_body : end_of_body + _TAIL].split(b"\n")[1].split()[1]) - 1
    table = pdf.index(_FREE, end_of_body)
    body = memoryview(pdf)

    def place(number: int) -> int:
        if not 0 < number <= count + 1:
            raise ValueError(f"there is no object {number}")
        return int(pdf[table + _ENTRY * number : table + _ENTRY * number + 10]) if number <= count else end_of_body

    pieces: list[bytes | memoryview] = []
    entries: list[bytes | memoryview] = []
    at, known, moved = len(_HEAD), 1, 0
    for number, blob in (*sorted(others.items()), (count + 1, b"")):
        pieces.append(body[at : place(number)])
        if moved:
            entries += [_entry(place(later) + moved) for later in range(known, min(number, count) + 1)]
        else:
            entries.append(body[table + _ENTRY * known : table + _ENTRY * (min(number, count) + 1)])
        if number > count:
            break
        made = b"%d 0 obj\n%s\nendobj\n" % (number, blob)
        pieces.append(made)
        at, known = place(number + 1), number + 1
        moved += len(made) - (at - place(number))
    return b"".join((_HEAD, *pieces, *_end(pieces, entries, count, end_of_body + moved)))


def _entry(place: int) -> bytes:
    return b"%010d 00000 n \n" % place


def _end(
    body: Iterable[bytes | memoryview], entries: Iterable[bytes | memoryview], count: int, end_of_body: int
) -> tuple[bytes | memoryview, ...]:
    """What stands behind the objects."""
    found = sha256()
    for piece in body:
        found.update(piece)
    name = found.hexdigest()[:32].encode()
    trailer = b"<</Size %d/Root %d 0 R/Info %d 0 R/ID [<%s> <%s>]>>" % (count + 1, CATALOG, INFO, name, name)
    end = b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (trailer, end_of_body)
    return b"xref\n0 %d\n" % (count + 1), _FREE, *entries, end

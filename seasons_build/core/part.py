"""A part of a book, typeset: its pages as PDF objects, ready to be bound with the other parts; and what they say of places. Plain data.

Objects are as those of a face: named by what they hold, with fonts by the hash of their file. All that leads from one page to another
(links, places, headings, the structure that is read out) is data, since its numbers are known only when the book is bound.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from seasons_build.core.face import FontUse, sha_of
from seasons_build.core.record import dataclass

_VERSION = 1
_DEEPEST = 200
"""How deep elements of a structure may stand in one another."""
_MOST = 100_000
"""Pieces of content that a page may have."""

Element: TypeAlias = tuple[str, int, tuple[Any, ...], Mapping[str, Any]]
"""An element that is read out: what it is, the number of its page in the part, what it holds, and what is said of it. It holds numbers of
content on its page, the numbers of links on its page as `(number,)`, and elements."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found out by laying out a part: how many pages it has, the page of each of its places (from 0), the places whose page it
    prints, and those that it leads to."""

    pages: int
    places: Mapping[str, int]
    asks: tuple[str, ...]
    leads_to: tuple[str, ...]


def measured_to(measured: Measured) -> list[Any]:
    """What was measured, as data that JSON can hold."""
    return [measured.pages, dict(measured.places), list(measured.asks), list(measured.leads_to)]


def measured_of(data: Any) -> Measured:
    """What `measured_to` was given; raises ValueError or TypeError for anything else."""
    pages, places, asks, leads_to = data
    if type(pages) is not int or any(type(page) is not int or not 0 <= page < pages for page in places.values()):
        raise ValueError("places of the wrong form")
    return Measured(pages, places, tuple(map(str, asks)), tuple(map(str, leads_to)))


@dataclass(frozen=True, slots=True)
class Link:
    """A link: where on the page it is, and the place or the address that it leads to. Lengths are in points, as they are written."""

    rect: tuple[str, str, str, str]
    to: str
    outside: bool


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page: its boxes by name, the keys of its content and resources, its links."""

    boxes: Mapping[str, tuple[str, str, str, str]]
    content: str
    resources: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the outline: its level, its words, and the place, in points, on the page of that number in the part; `open` says whether
    what is below it is shown at once."""

    level: int
    title: str
    page: int
    at: tuple[str, str]
    open: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A part. `places` has the page and the point of each named place; `structure` is the elements at its top, written by `encode_tree`."""

    leaves: tuple[Leaf, ...]
    places: Mapping[str, tuple[int, str, str]]
    marks: tuple[Mark, ...]
    structure: bytes
    objects: Mapping[str, bytes]
    fonts: Mapping[str, FontUse]


def encode_tree(elements: Sequence[Element]) -> bytes:
    """The structure of a part in one piece."""
    return json.dumps(elements, separators=(",", ":"), ensure_ascii=True).encode()


def decode_tree(data: bytes) -> list[Any]:
    """The elements in what `encode_tree` gave, lists in place of tuples."""
    found: list[Any] = json.loads(data)
    return found


def encode_part(part: Part) -> bytes:
    """The part in one piece, for a pipe or a cache: a line of JSON, then raw bytes."""
    head = {
        "part": _VERSION,
        "leaves": [[leaf.boxes, leaf.content, leaf.resources, [[n.rect, n.to, n.outside] for n in leaf.links]] for leaf in part.leaves],
        "places": part.places,
        "outline": [[mark.level, mark.title, mark.page, mark.at, mark.open] for mark in part.marks],
        "fonts": {sha: [use.name, {str(glyph): text for glyph, text in use.texts.items()}] for sha, use in part.fonts.items()},
        "objects": [[key, len(data)] for key, data in part.objects.items()],
    }
    line = json.dumps(head, separators=(",", ":"), ensure_ascii=True).encode() + b"\n"
    return b"".join((line, *part.objects.values(), part.structure))


def decode_part(data: bytes) -> Part:
    """What `encode_part` was given; raises ValueError for anything else, for an object that is not what its key says, and for a structure
    that names what is not there."""
    line, _, raw = data.partition(b"\n")
    try:
        part = _decoded(json.loads(line), raw)
        _check(part)
    except (LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError("an encoded part of the wrong form") from error
    return part


def _decoded(head: Any, raw: bytes) -> Part:
    if head.get("part") != _VERSION:
        raise ValueError("not an encoded part")
    objects, rest = _cut(head["objects"], raw)
    if any(sha_of(blob) != key for key, blob in objects.items()):
        raise ValueError("an object of an encoded part is not what its key says")
    leaves = (
        Leaf(
            {str(name): _four(box) for name, box in boxes.items()},
            str(content),
            str(resources),
            tuple(Link(_four(rect), str(to), outside is True) for rect, to, outside in links),
        )
        for boxes, content, resources, links in head["leaves"]
    )
    fonts = {str(sha): FontUse(name, {int(glyph): text for glyph, text in texts.items()}) for sha, (name, texts) in head["fonts"].items()}
    return Part(
        leaves=tuple(leaves),
        places={str(name): (int(page), _length(x), _length(y)) for name, (page, x, y) in head["places"].items()},
        marks=tuple(Mark(int(n), str(title), int(p), (_length(x), _length(y)), o is True) for n, title, p, (x, y), o in head["outline"]),
        structure=rest,
        objects=objects,
        fonts=fonts,
    )


def _cut(sizes: Sequence[tuple[str, int]], raw: bytes) -> tuple[dict[str, bytes], bytes]:
    found, start = {}, 0
    for key, length in sizes:
        if length < 0 or start + length > len(raw):
            raise ValueError("an encoded part of the wrong length")
        found[key] = raw[start : start + length]
        start += length
    return found, raw[start:]


def _four(lengths: Sequence[str]) -> tuple[str, str, str, str]:
    one, two, three, four = map(_length, lengths)
    return one, two, three, four


def _length(text: str) -> str:
    """A length as a PDF may have it."""
    float(text)
    if not set(text) <= set("-.0123456789"):
        raise ValueError("a length of the wrong form")
    return text


def _check(part: Part) -> None:
    """Raises ValueError or LookupError where a part names a page, an object or a link that it has not."""
    pages = range(len(part.leaves))
    named = (*(page for page, _, _ in part.places.values()), *(mark.page for mark in part.marks))
    if any(page not in pages for page in named) or any(mark.level < 1 for mark in part.marks):
        raise ValueError("a place on a page that is not there")
    for leaf in part.leaves:
        part.objects[leaf.content], part.objects[leaf.resources]
    waiting = [(element, 0) for element in decode_tree(part.structure)]
    while waiting:
        (what, page, held, said), depth = waiting.pop()
        if depth > _DEEPEST or not what.isalnum() or type(page) is not int or page not in pages:
            raise ValueError("an element of the wrong form")
        for name, value in said.items():
            _said(name, value)
        for one in held:
            if isinstance(one, list) and len(one) != 1:
                waiting.append((one, depth + 1))
                continue
            (number,) = one if isinstance(one, list) else (one,)
            if type(number) is not int or not 0 <= number < _MOST:
                raise ValueError("content or a link of no number")
            if isinstance(one, list):
                part.leaves[page].links[number]


def _said(name: str, value: Any) -> None:
    """Raises ValueError or TypeError for what no element says of itself."""
    if name == "BBox":
        _four(value)
    elif name in ("ColSpan", "RowSpan"):
        if type(value) is not int:
            raise ValueError("a span of no number")
    elif name not in ("Alt", "ActualText", "ID", "Headers") or not all(isinstance(text, str) for text in value):
        raise ValueError("an element that says what none does")
    elif isinstance(value, str) == (name == "Headers"):
        raise ValueError("words of the wrong form")

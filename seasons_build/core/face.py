"""A face: one typeset side of a card as PDF objects, ready to be linked into any sheet; and the record of one that cannot be. Plain data.

An object is its bytes as they stand in a PDF, between `obj` and `endobj`, but for its references, which are `@` + the SHA-256 of what they
lead to + `@`, in the head of the object only (the part before `STREAM`). What they lead to is another object of the face, or a font file:
equal objects of different faces are therefore equal bytes and meet by their hash.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeAlias

from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex

STREAM = b"\nstream\n"
"""Ends the head of an object that has a stream."""

REFERENCE = regex(rb"@([0-9a-f]{64})@")
"""What leads to another object, in the head of one."""

_VERSION = 1
_LENGTH = regex(r"-?\d{1,20}(?:/[1-9]\d{0,19})?\Z", re.ASCII)
"""A length as it is written in a head; more figures than that would be work for whoever reads it."""

Box: TypeAlias = tuple[Fraction, Fraction, Fraction, Fraction]
"""Left, bottom, right, top, in points, as a PDF has it: y goes up."""


@dataclass(frozen=True, slots=True)
class FontUse:
    """What a face draws from one font file. `name` is its name ID 6; `texts` are the characters of glyphs that no public code point of the
    font leads to (ligatures, alternates, icons)."""

    name: str
    texts: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Face:
    """One face. `box` is all that may be painted, bleed included; `trim` is where the card is cut. `form` is the key of the object that
    draws it, a Form XObject in the coordinates of `trim`; `fonts` are keyed by the SHA-256 of their file."""

    box: Box
    trim: Box
    form: str
    objects: Mapping[str, bytes]
    fonts: Mapping[str, FontUse]


class Reason(StrEnum):
    """Why a face is not linked. The first two are faults of what was typeset; the others only mean that it goes the long way."""

    FONT = "font"
    GLYPH = "glyph"
    FIELDS = "fields"
    TAGS = "tags"
    CONSTRUCT = "construct"


@dataclass(frozen=True, slots=True)
class WholeFace:
    """A face that keeps its own one-page PDF, since its objects cannot be shared. `detail` names what stood in the way: the PostScript name
    of a font that is none of ours (FONT), the characters that no font has (GLYPH), or what the linker does not know."""

    box: Box
    trim: Box
    reason: Reason
    detail: str
    pdf: bytes


AnyFace: TypeAlias = Face | WholeFace


def sha_of(data: bytes) -> str:
    """The key of an object or of a font file."""
    return sha256(data).hexdigest()


def look_of(face: AnyFace, said: Callable[[Box], str] = str) -> str:
    """Stands for what a face shows: the same for the same. `said` gives a box as `str` does, perhaps from memory."""
    return sha_of(f"{face.form} {said(face.trim)}".encode()) if isinstance(face, Face) else sha_of(face.pdf)


def encode(face: AnyFace) -> bytes:
    """The face in one piece, for a pipe or a cache: a line of JSON, then raw bytes."""
    if isinstance(face, WholeFace):
        head = {**_boxes(face), "whole": [face.reason.value, face.detail, len(face.pdf)]}
        return _line(head) + face.pdf
    return b"".join((_line(header(face)), *face.objects.values()))


def decode(data: bytes) -> AnyFace:
    """What `encode` was given; raises ValueError for anything else, and for an object that is not what its key says."""
    line, _, raw = data.partition(b"\n")
    try:
        return _decoded(json.loads(line), raw)
    except (LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError("an encoded face of the wrong form") from error


def _decoded(head: Any, raw: bytes) -> AnyFace:
    if head.get("face") != _VERSION:
        raise ValueError("not an encoded face")
    if "whole" in head:
        reason, detail, length = head["whole"]
        if length != len(raw):
            raise ValueError("an encoded face of the wrong length")
        return WholeFace(*_boxes_of(head), Reason(reason), detail, raw)
    objects = dict(_cut(head["objects"], raw))
    if any(sha_of(blob) != sha for sha, blob in objects.items()):
        raise ValueError("an object of an encoded face is not what its key says")
    box, trim, fonts = outline_of(head)
    return Face(box, trim, head["form"], objects, fonts)


def header(face: Face) -> dict[str, Any]:
    """All of a face but the bytes of its objects, as data that JSON can hold. `objects` in it lists keys and lengths."""
    return {**outline(face), "form": face.form, "objects": [[k, len(v)] for k, v in face.objects.items()]}


def outline(face: Face) -> dict[str, Any]:
    """What many faces have alike, as data that JSON can hold: their boxes and what they draw from fonts."""
    fonts = {sha: [use.name, {str(glyph): text for glyph, text in use.texts.items()}] for sha, use in face.fonts.items()}
    return {**_boxes(face), "fonts": fonts}


def outline_of(head: Mapping[str, Any]) -> tuple[Box, Box, Mapping[str, FontUse]]:
    """The two boxes and the fonts of faces from their `outline`; raises what `decode` makes a ValueError for anything else."""
    fonts = {sha: FontUse(name, {int(glyph): text for glyph, text in texts.items()}) for sha, (name, texts) in head["fonts"].items()}
    return *_boxes_of(head), fonts


def _cut(sizes: list[tuple[str, int]], raw: bytes) -> Iterator[tuple[str, bytes]]:
    if sum(length for _, length in sizes) != len(raw):
        raise ValueError("an encoded face of the wrong length")
    start = 0
    for sha, length in sizes:
        yield sha, raw[start : start + length]
        start += length


def _line(head: Mapping[str, Any]) -> bytes:
    return json.dumps(head, separators=(",", ":"), ensure_ascii=True).encode() + b"\n"


def _boxes(face: AnyFace) -> dict[str, Any]:
    return {"face": _VERSION, "box": [str(n) for n in face.box], "trim": [str(n) for n in face.trim]}


def _boxes_of(head: Mapping[str, Any]) -> tuple[Box, Box]:
    return _box(head["box"]), _box(head["trim"])


def _box(numbers: list[str]) -> Box:
    if not all(isinstance(number, str) for number in numbers):
        raise ValueError("a box of the wrong form")
    return _four(*numbers)


@lru_cache(maxsize=256)
def _four(*numbers: str) -> Box:
    """Four lengths; faces of one size share them."""
    if not all(map(_LENGTH.match, numbers)):
        raise ValueError("a box of the wrong form")
    left, bottom, right, top = map(Fraction, numbers)
    return left, bottom, right, top

"""Impose: sheets to a PDF, by plain concatenation and relocation. Standard library only; the same sheets give the same bytes.

Objects are found by following what the sheets show, in order, and numbered as they are found; equal ones have the same key and are written
once, which is all there is to sharing fonts, images and copies. Nothing in the file depends on when or in what order faces were typeset.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from fractions import Fraction

from seasons_build.core.document import Number
from seasons_build.core.face import STREAM, AnyFace, Face
from seasons_build.impose.fonts import FontParts
from seasons_build.impose.objects import Objects
from seasons_build.impose.relink import Own, Trace
from seasons_build.impose.sheets import Matrix, Sheet, Spot
from seasons_build.impose.written import CATALOG, INFO, PAGES, file_of

_COMPRESSION = 6
_MARK_WIDTH = Fraction(1, 4)


def link(sheets: Sequence[Sheet], fonts: Mapping[str, FontParts], *, title: str, language: str = "") -> bytes:
    """One PDF of all sheets. `fonts` has, by the hash of each font file in use, its parts. A face that cannot be linked leaves its place
    empty: see `whole.link_whole`. Raises KeyError for a font that is not given."""
    return _Writer(fonts).write(sheets, title, language)


def traced(
    sheets: Sequence[Sheet], fonts: Mapping[str, FontParts], deck: Sequence[tuple[Face, Face | None]], *, title: str, language: str = ""
) -> tuple[bytes, Trace]:
    """As `link`, with what `relink` needs to know of the file. `deck` are the two sides of each card on the sheets."""
    writer = _Writer(fonts)
    return writer.write(sheets, title, language), writer.trace(deck)


class _Writer:
    def __init__(self, fonts: Mapping[str, FontParts]) -> None:
        self._objects = Objects(fonts, INFO)
        self._forms: dict[int, int] = {}
        self._own: list[Own] = []
        self._frames: dict[tuple[int, int, int], tuple[bytes, bytes]] = {}
        self._streams: dict[bytes, bytes] = {}
        self._spots: dict[int, bytes] = {}
        self._marks: dict[int, int] = {}

    def write(self, sheets: Sequence[Sheet], title: str, language: str) -> bytes:
        pages = [self._page(sheet) for sheet in sheets]
        self._objects.finish()
        kids = b" ".join(b"%d 0 R" % number for number in pages)
        spoken = b"/Lang " + text_string(language) if language else b""
        preferences = b"<</DisplayDocTitle true/PrintScaling /None>>"
        self._objects.put(CATALOG, b"<</Type /Catalog/Pages %d 0 R%s/ViewerPreferences %s>>" % (PAGES, spoken, preferences))
        self._objects.put(PAGES, b"<</Type /Pages/Count %d/Kids [%s]>>" % (len(pages), kids))
        self._objects.put(INFO, b"<</Producer (Seasons Build)/Title %s>>" % text_string(title))
        return file_of(self._objects.blobs)

    def trace(self, deck: Sequence[tuple[Face, Face | None]]) -> Trace:
        """What there is to know of a file that was written."""
        cards = ((self._forms.get(id(front), 0), self._forms.get(id(back), 0)) for front, back in deck)
        return Trace.of(self._objects.numbers, self._objects.again, len(self._objects.blobs), self._own, cards)

    def _page(self, sheet: Sheet) -> int:
        names: dict[int, bytes] = {}
        content = [] if sheet.matrix is None else [_matrix(sheet.matrix)]
        for placement in sheet.placements:
            number = self._form(placement.face)
            name = names.setdefault(number, b"/C%d" % len(names))
            content.append(b"q %s %s Do Q" % (self._spot(placement.spot), name))
        if sheet.marks:
            number = self._cut_lines(sheet)
            content.append(names.setdefault(number, b"/M") + b" Do")
        stream = self._objects.add(self._stream(b"\n".join(content)))
        media, trim = self._frame(sheet)
        forms = b"".join([b"%s %d 0 R" % (name, number) for number, name in names.items()])
        side = b"/SBLD_Side (%s)" % sheet.side.encode("ascii") if sheet.side else b""
        return self._objects.add(
            b"<</Type /Page/Parent %d 0 R/MediaBox %s/BleedBox %s/TrimBox %s/Contents %d 0 R/Resources <</XObject <<%s>>>>%s>>"
            % (PAGES, media, media, trim, stream, forms, side)
        )

    def _stream(self, content: bytes) -> bytes:
        """The content of a page: many pages draw other faces in the same places."""
        if content not in self._streams:
            data = zlib.compress(content, _COMPRESSION)
            self._streams[content] = b"<</Filter /FlateDecode/Length %d>>" % len(data) + STREAM + data + b"\nendstream"
        return self._streams[content]

    def _frame(self, sheet: Sheet) -> tuple[bytes, bytes]:
        """The boxes of a page, once for all sheets of a layout, which share them."""
        place = (id(sheet.width), id(sheet.height), id(sheet.trim))
        if place not in self._frames:
            media = b"[0 0 %s %s]" % (_number(sheet.width), _number(sheet.height))
            self._frames[place] = media, b"[%s]" % b" ".join(_number(n) for n in sheet.trim)
        return self._frames[place]

    def _form(self, face: AnyFace) -> int:
        number = self._forms.get(id(face))
        if number is not None:
            return number
        if isinstance(face, Face):
            self._objects.use(face.fonts)
            first = len(self._objects.blobs) + 1
            number = self._objects.linked(face.form, face.objects)
            self._own.append(Own(first, number, face))
        else:
            box = b" ".join(_number(n) for n in face.box)
            number = self._objects.add(b"<</Type /XObject/Subtype /Form/BBox [%s]/Length 0>>" % box + STREAM + b"\nendstream")
        self._forms[id(face)] = number
        return number

    def _spot(self, spot: Spot) -> bytes:
        if id(spot) not in self._spots:
            self._spots[id(spot)] = b"%s re W n %s" % (b" ".join(_number(n) for n in spot.clip), _matrix(spot.matrix))
        return self._spots[id(spot)]

    def _cut_lines(self, sheet: Sheet) -> int:
        """The crop marks, once for all sheets of a layout, which share them."""
        if id(sheet.marks) not in self._marks:
            lines = (b"%s %s m %s %s l" % tuple(_number(n) for n in mark) for mark in sheet.marks)
            content = b"0 G %s w\n%s\nS" % (_number(_MARK_WIDTH), b"\n".join(lines))
            data = zlib.compress(content, _COMPRESSION)
            box = b"0 0 %s %s" % (_number(sheet.width), _number(sheet.height))
            head = b"<</Type /XObject/Subtype /Form/BBox [%s]/Resources <<>>/Filter /FlateDecode/Length %d>>" % (box, len(data))
            self._marks[id(sheet.marks)] = self._objects.add(head + STREAM + data + b"\nendstream")
        return self._marks[id(sheet.marks)]


def _matrix(matrix: Matrix) -> bytes:
    return b" ".join(_number(n) for n in matrix) + b" cm"


def _number(value: Number) -> bytes:
    """A length in points to a hundred-thousandth, as short as it goes."""
    units = round(value * 100_000)
    sign, units = ("-", -units) if units < 0 else ("", units)
    whole, rest = divmod(units, 100_000)
    return f"{sign}{whole}.{rest:05d}".rstrip("0").rstrip(".").encode()


def text_string(text: str) -> bytes:
    """A text string: UTF-16 with its mark, in hexadecimal, so that no sign of it needs care."""
    return b"<feff" + text.encode("utf-16-be").hex().encode() + b">"

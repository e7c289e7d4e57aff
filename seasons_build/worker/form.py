"""A form put on a finished PDF: fields with values and appearances, in the order of the page.

In go a PDF whose inputs the typesetter has put in place, and the `Field`s that they stand for; the PDF is changed to one that
shows the same in every viewer and can be filled in. Fonts that somebody may write with are embedded with all their glyphs, since nobody
knows what will be typed, and once: what the typesetter cut down for the page is led to them. Those that only draw what cannot be changed
hold what is drawn. Fields of one name are one field with several places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from seasons_build.core.font import FontError, postscript_name, unicode_map
from seasons_build.worker.faces import Faces
from seasons_build.worker.fields import Colour, Field, Letters, Piece

_READ_ONLY, _MANY_LINES, _PRINT = 1, 1 << 12, 4
_PLAIN, _ITALIC, _FIXED = 32, 64, 1
_MINUS = 129
"""A code that no letter of the encoding has, for the true minus sign."""
_ON, _OFF = Name("/On"), Name("/Off")
_HALF = 0.5


def put(document: pikepdf.Pdf, fields: Sequence[Field], faces: Faces, source: str) -> None:
    """Puts a form on a document. `source` is what the sheet was made from, kept in the file as `entry.yaml`; nothing where it is empty."""
    _Form(document, faces).write(fields)
    if source:
        _keep(document, source)


def _keep(document: pikepdf.Pdf, source: str) -> None:
    file = document.make_stream(source.encode(), Type=Name.EmbeddedFile, Subtype=Name("/application/yaml"))
    spec = document.make_indirect(
        Dictionary(Type=Name.Filespec, F="entry.yaml", UF="entry.yaml", AFRelationship=Name.Source, EF=Dictionary(F=file, UF=file))
    )
    names = document.Root.get(Name.Names)
    if names is None:
        names = document.Root.Names = document.make_indirect(Dictionary())
    names[Name.EmbeddedFiles] = Dictionary(Names=Array([String("entry.yaml"), spec]))
    document.Root.AF = Array([spec])


class _Form:
    """The form of one document, being written."""

    def __init__(self, document: pikepdf.Pdf, faces: Faces) -> None:
        self._document = document
        self._faces = faces
        self._programs: dict[str, Any] = {}
        self._written: dict[str, None] = {}
        self._used: dict[str, set[int]] = {}
        self._typed: dict[str, tuple[Name, Any]] = {}
        self._drawn: dict[str, tuple[Name, Any]] = {}
        self._looks: dict[tuple[str, str, str], Any] = {}

    def write(self, fields: Sequence[Field]) -> None:
        """Puts the fields in place of the inputs, which the typesetter numbered in their order."""
        root = self._document.Root
        self._written = dict.fromkeys(f.letters.font for f in fields if f.letters is not None and not f.tick and not f.derived)
        for letters, text in (each for field in fields for each in _lettering(field)):
            self._used.setdefault(letters.font, set()).update(self._faces.glyph(letters.font, character) for character in text)
        inputs = {int(str(each.T)): each for each in root.get(Name.AcroForm, Dictionary(Fields=Array())).Fields}
        named: dict[str, list[Any]] = {}
        for number, field in enumerate(fields):
            widget = inputs[number]
            self._widget(widget, field)
            named.setdefault(field.name, []).append(widget)
        firsts = {field.name: field for field in reversed(fields)}
        listed = Array([self._one(firsts[name], places) for name, places in named.items()])
        fonts = {str(name): font for name, font in self._typed.values()}
        root.AcroForm = self._document.make_indirect(
            Dictionary(Fields=listed, DR=Dictionary(Font=Dictionary(fonts)), DA=String("0 g"))
        )
        self._share()

    def _one(self, field: Field, places: Sequence[Any]) -> Any:
        """The field of one place, or over several."""
        kind = Name.Btn if field.tick else Name.Tx
        about: dict[Any, Any] = {Name.T: String(field.name), Name.TU: String(field.tip or field.name), Name.FT: kind}
        flags = (_READ_ONLY if field.derived else 0) | (_MANY_LINES if field.many else 0)
        if flags:
            about[Name.Ff] = flags
        about[Name.V] = (_ON if field.on else _OFF) if field.tick else String(field.value)
        about[Name.DV] = about[Name.V]
        if len(places) == 1:
            for key, value in about.items():
                places[0][key] = value
            return places[0]
        parent = self._document.make_indirect(Dictionary(Kids=Array(places)))
        for key, value in about.items():
            parent[key] = value
        for place in places:
            place.Parent = parent
        return parent

    def _widget(self, widget: Any, field: Field) -> None:
        kept = {key: widget[key] for key in ("/P", "/StructParent") if key in widget}
        for key in list(widget.keys()):
            del widget[key]
        for key, value in {**kept, "/Type": Name.Annot, "/Subtype": Name.Widget, "/F": _PRINT}.items():
            widget[key] = value
        left, low, right, high = field.rect
        widget.Rect = Array([_number(n) for n in (left, low, right, high)])
        widget.BS = Dictionary(W=0)
        size = (right - left, high - low)
        if field.tick:
            widget.AS = _ON if field.on else _OFF
            widget.AP = Dictionary(N=Dictionary({"/On": self._ticked(field, size), "/Off": self._stream("", size, ())}))
            return
        assert field.letters is not None, "only a box to tick has no letters"
        font = field.letters.font if field.letters.font in self._written else next(iter(self._written), field.letters.font)
        widget.DA = String(f"{self._font(font)} {_short(field.letters.size)} Tf {_rgb(field.letters.colour)} rg")
        if field.align:
            widget.Q = field.align
        widget.AP = Dictionary(N=self._shown(field, size))

    def _shown(self, field: Field, size: tuple[float, float]) -> Any:
        """What a field of text looks like: the letters where they were laid out."""
        left, low = field.rect[:2]
        drawn = "".join(self._piece(piece, left, low, piece.letters.colour) for piece in field.pieces)
        clip = f"0 0 {_short(size[0])} {_short(size[1])} re W n " if drawn else ""
        body = f"/Tx BMC q {clip}{f'BT {drawn}ET ' if drawn else ''}Q EMC"
        return self._stream(body, size, [piece.letters.font for piece in field.pieces])

    def _ticked(self, field: Field, size: tuple[float, float]) -> Any:
        """What a ticked box looks like: its mark, or filled with its number left out."""
        left, low = field.rect[:2]
        if field.mark:
            assert field.letters is not None, "a mark has letters"
            piece = self._mark(field, field.letters, size)
            return self._stream(f"q BT {self._piece(piece, 0, 0, field.letters.colour)}ET Q", size, [field.letters.font])
        drawn = "".join(self._piece(piece, left, low, field.paper) for piece in field.pieces)
        fill = f"{_rgb(field.fill)} rg 0 0 {_short(size[0])} {_short(size[1])} re f "
        return self._stream(f"q {fill}{f'BT {drawn}ET ' if drawn else ''}Q", size, [piece.letters.font for piece in field.pieces])

    def _mark(self, field: Field, letters: Letters, size: tuple[float, float]) -> Piece:
        """The mark where the letter of the empty box stands, else in its middle."""
        if field.pieces:
            first = field.pieces[0]
            return Piece(field.mark, letters, first.x - field.rect[0], first.y - field.rect[1], 0)
        wide = self._faces.width(letters.font, field.mark) * letters.size
        tall = self._faces.font(letters.font).cap_height / 1000 * letters.size
        return Piece(field.mark, letters, (size[0] - wide) * _HALF, (size[1] - tall) * _HALF, 0)

    def _piece(self, piece: Piece, left: float, low: float, colour: Colour) -> str:
        name = self._drawing(piece.letters.font)
        glyphs = "".join(f"{self._faces.glyph(piece.letters.font, character):04x}" for character in piece.text)
        place = f"1 0 0 1 {_short(piece.x - left)} {_short(piece.y - low)} Tm"
        return f"{_rgb(colour)} rg {name} {_short(piece.letters.size)} Tf {_short(piece.spread)} Tc {place} <{glyphs}> Tj "

    def _stream(self, body: str, size: tuple[float, float], fonts: Sequence[str]) -> Any:
        """An appearance; what looks alike is one."""
        key = (body, _short(size[0]), _short(size[1]))
        if key not in self._looks:
            stream = self._document.make_stream(body.encode("ascii"), Type=Name.XObject, Subtype=Name.Form)
            stream.BBox = Array([0, 0, _number(size[0]), _number(size[1])])
            used = {str(self._drawn[font][0]): self._drawn[font][1] for font in dict.fromkeys(fonts)}
            stream.Resources = Dictionary(Font=Dictionary(used)) if used else Dictionary()
            self._looks[key] = stream
        return self._looks[key]

    # Fonts: one program, and two ways to write with it

    def _font(self, name: str) -> Name:
        """The font in which a viewer writes what is typed: a byte a letter."""
        if name not in self._typed:
            font, descriptor = self._faces.font(name), self._program(name)
            there = [self._coded(name, code) for code in range(32, 256)]
            made = Dictionary(Type=Name.Font, Subtype=Name.TrueType, BaseFont=descriptor.FontName, FontDescriptor=descriptor)
            made.FirstChar, made.LastChar = 32, 255
            made.Widths = Array([font.widths[glyph] if glyph else 0 for glyph in there])
            made.Encoding = Dictionary(
                Type=Name.Encoding, BaseEncoding=Name.WinAnsiEncoding, Differences=Array([_MINUS, Name("/minus")])
            )
            self._typed[name] = Name(f"/T{len(self._typed)}"), self._document.make_indirect(made)
        return self._typed[name][0]

    def _coded(self, font: str, code: int) -> int:
        if code == _MINUS:
            return self._faces.glyph(font, "\u2212")
        return self._faces.glyph(font, bytes((code,)).decode("cp1252", "replace"))

    def _drawing(self, name: str) -> Name:
        """The font that appearances are drawn with: by glyph, so that signs can be drawn that no encoding has."""
        if name not in self._drawn:
            font, descriptor = self._faces.font(name), self._program(name)
            below = Dictionary(Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=descriptor.FontName, FontDescriptor=descriptor)
            below.CIDSystemInfo = Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0)
            below.CIDToGIDMap, below.DW = Name.Identity, 0
            below.W = Array([0, Array(list(font.widths))])
            made = Dictionary(Type=Name.Font, Subtype=Name.Type0, BaseFont=descriptor.FontName, Encoding=Name("/Identity-H"))
            made.DescendantFonts = Array([self._document.make_indirect(below)])
            made.ToUnicode = self._document.make_stream(unicode_map(font.texts))
            self._drawn[name] = Name(f"/D{len(self._drawn)}"), self._document.make_indirect(made)
        return self._drawn[name][0]

    def _program(self, name: str) -> Any:
        if name not in self._programs:
            font = self._faces.font(name)
            data = self._faces.slim(name, None if name in self._written else self._used[name])
            made = Dictionary(Type=Name.FontDescriptor, FontName=Name("/" + font.name.replace(" ", "-")))
            made.Flags = _PLAIN | (_ITALIC if font.italic_angle else 0) | (_FIXED if font.fixed_pitch else 0)
            made.FontBBox, made.ItalicAngle, made.StemV = Array(list(font.box)), round(font.italic_angle), 80
            made.Ascent, made.Descent, made.CapHeight = font.ascent, font.descent, font.cap_height
            made.FontFile2 = self._document.make_stream(data, Length1=len(data))
            self._programs[name] = self._document.make_indirect(made)
        return self._programs[name]

    def _share(self) -> None:
        """Leads the fonts of the pages to the whole programs, where they are cut down from one of those: glyphs keep their numbers."""
        whole = {self._faces.font(name).name: made.FontFile2 for name, made in self._programs.items() if name in self._written}
        for each in self._document.objects:
            if isinstance(each, Dictionary) and each.get(Name.Type) == Name.FontDescriptor and Name.FontFile2 in each:
                try:
                    name = postscript_name(each.FontFile2.read_bytes())
                except FontError:
                    continue
                if name in whole:
                    each.FontFile2 = whole[name]


def _lettering(field: Field) -> Iterator[tuple[Letters, str]]:
    """All that a field is drawn with."""
    yield from ((piece.letters, piece.text) for piece in field.pieces)
    if field.letters is not None and field.mark:
        yield field.letters, field.mark


def _rgb(colour: Colour) -> str:
    return " ".join(_short(part) for part in colour)


def _short(number: float) -> str:
    text = f"{number:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _number(number: float) -> Any:
    return pikepdf.Object.parse(_short(number).encode())

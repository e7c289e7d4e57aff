"""Worker: one typeset page to a face (pikepdf).

In goes the one-page PDF that WeasyPrint wrote without compression, and the font files that it could use. Out comes a `Face`, whose objects
are named by what they hold, or a `WholeFace` that says why not. A face is a function of the page alone: names that the typesetter numbers
(`/x3 Do`, `/p0 scn`, fonts) are renumbered by first use in each stream, what is not used is left out, streams are compressed here once, and
fonts are not copied but named by the hash of their file.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from io import BytesIO

import pikepdf

from seasons_build.core.face import STREAM, Box, Face, FontUse, Reason, WholeFace, sha_of
from seasons_build.core.font import Font, FontError, postscript_name, read_font
from seasons_build.core.regex import regex

_COMPRESSION = 9
_NAME = regex(rb"/([^\s()<>\[\]{}/%]+)((?:\s+[-+.\d]+)*)\s+(Do|gs|sh|Tf|scn|SCN|cs|CS)(?=\s|$)")
_MARK = regex(rb"/\w+\s+(?:(<<\s*/MCID\s+\d+\s*>>)\s*BDC|BMC)(?=\s|$)")
"""Where a piece of marked content begins, with its number where it has one."""
_INLINE_IMAGE = regex(rb"(?:^|\s)BI\s")
_RESOURCE = {
    b"Do": ("/XObject", b"X"),
    b"gs": ("/ExtGState", b"G"),
    b"sh": ("/Shading", b"S"),
    b"Tf": ("/Font", b"F"),
    b"scn": ("/Pattern", b"P"),
    b"SCN": ("/Pattern", b"P"),
    b"cs": ("/ColorSpace", b"C"),
    b"CS": ("/ColorSpace", b"C"),
}
_BUILT_IN = (b"DeviceGray", b"DeviceRGB", b"DeviceCMYK", b"Pattern")
_GLYPH_TEXT = regex(rb"<([0-9a-fA-F]{4})>\s*<([0-9a-fA-F]*)>")
_PLAIN_NAME = regex(r"[A-Za-z0-9_.+*-]+\Z")


class CannotLink(Exception):
    """A page uses something that the linker does not know."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def extract(pdf: bytes, fonts: Mapping[str, bytes]) -> Face | WholeFace:
    """The face on the page of `pdf`. `fonts` are the files that the typesetter was given, under any names; which one a font of the PDF is,
    is told by its name ID 6. Raises ValueError unless there is exactly one page, and FontError for a file that cannot be read."""
    with pikepdf.open(BytesIO(pdf)) as document:
        if len(document.pages) != 1:
            raise ValueError(f"a face is one page, and this is {len(document.pages)}")
        page = document.pages[0].obj
        box, trim = _box(page.MediaBox), _box(page.get("/TrimBox", page.MediaBox))
        extraction = Extraction(fonts)
        try:
            form = extraction.page(document, page)
        except CannotLink as why:
            return WholeFace(box, trim, why.reason, why.detail, pdf)
        except RecursionError:
            return WholeFace(box, trim, Reason.CONSTRUCT, "groups too deep inside each other", pdf)
        return Face(box, trim, form, extraction.objects, extraction.uses())


def _by_name(fonts: Mapping[str, bytes]) -> dict[str, Font | None]:
    """The fonts by name ID 6; None stands for a name that two different files claim."""
    found: dict[str, Font | None] = {}
    for data in fonts.values():
        font = read_font(data)
        known = found.get(font.name, font)
        found[font.name] = font if known is not None and known.sha == font.sha else None
    return found


class Extraction:
    """Pages being taken apart. `objects` fills with what has been written, what is referred to before what refers. `tagged` is whether
    content may be marked, as that of pages that are read out is."""

    def __init__(self, fonts: Mapping[str, bytes], *, tagged: bool = False) -> None:
        self.objects: dict[str, bytes] = {}
        self._fonts = _by_name(fonts)
        self._tagged = tagged
        self._keys: dict[tuple[int, int], str] = {}
        self._open: set[tuple[int, int]] = set()
        self._used: dict[str, tuple[Font, dict[int, str]]] = {}
        self._font_keys: dict[tuple[int, int], str] = {}
        self._tag: str | None = None

    def page(self, document: pikepdf.Pdf, page: pikepdf.Object) -> str:
        """The key of the form that draws the page."""
        if "/StructTreeRoot" in document.Root:
            raise CannotLink(Reason.TAGS, "a tagged page")
        if any(str(note.get("/Subtype")) == "/Widget" for note in page.get("/Annots", [])):
            raise CannotLink(Reason.FIELDS, "form fields")
        for key in ("/Rotate", "/UserUnit"):
            if key in page:
                raise CannotLink(Reason.CONSTRUCT, f"a page with `{key}`")
        contents = page.Contents
        if not isinstance(contents, pikepdf.Stream):
            raise CannotLink(Reason.CONSTRUCT, "a page in several streams")
        head = {"/Type": b"/XObject", "/Subtype": b"/Form", "/BBox": self._write(page.MediaBox)}
        if "/Group" in page:
            head["/Group"] = self._write(page.Group)
        return self._keep(self._painted(contents, page.get("/Resources"), head))

    def content(self, page: pikepdf.Object) -> tuple[str, str]:
        """What stands on a page, by the keys of its stream and of its resources."""
        contents = page.Contents
        assert isinstance(contents, pikepdf.Stream), "a page as it was typeset is one stream"
        data, resources = self._canonical(contents, page.get("/Resources"))
        return self._keep(_pack({}, data)), self._keep(resources)

    def uses(self) -> dict[str, FontUse]:
        """What was drawn from each font file, by its hash."""
        found = {}
        for sha in sorted(self._used):
            font, texts = self._used[sha]
            others = {glyph: texts[glyph] for glyph in sorted(texts) if glyph not in font.texts and texts[glyph]}
            found[sha] = FontUse(font.name, others)
        return found

    def _keep(self, blob: bytes) -> str:
        key = sha_of(blob)
        self.objects[key] = blob
        return key

    # Objects in general

    def _write(self, value: object) -> bytes:
        """A value as it stands inside an object: an indirect one as a reference, in one spelling whatever the original's."""
        if isinstance(value, pikepdf.Object) and value.is_indirect:
            return b"@" + self._key(value).encode() + b"@"
        return self._direct(value)

    def _key(self, value: pikepdf.Object) -> str:
        number = value.objgen
        if number not in self._keys:
            if number in self._open:
                raise CannotLink(Reason.CONSTRUCT, "an object that contains itself")
            self._open.add(number)
            self._keys[number] = self._keep(self._direct(value))
            self._open.remove(number)
        return self._keys[number]

    def _direct(self, value: object) -> bytes:
        match value:
            case None:
                return b"null"
            case bool():
                return b"true" if value else b"false"
            case int():
                return str(value).encode()
            case Decimal() | float():
                return _number(value)
            case pikepdf.Name():
                return _name(str(value))
            case pikepdf.String():
                return b"<" + bytes(value).hex().encode() + b">"
            case pikepdf.Array():
                return b"[" + b" ".join(self._write(item) for item in value) + b"]"
            case pikepdf.Stream():
                return self._stream(value)
            case pikepdf.Dictionary():
                return _dictionary({key: self._entry(key, value[key]) for key in sorted(value.keys())})
            case _:
                raise CannotLink(Reason.CONSTRUCT, f"an object of a kind `{type(value).__name__}`")

    def _entry(self, key: str, value: object) -> bytes:
        """A font that travels with its face is called by a tag of its own bytes, so that no two subsets share a name."""
        if self._tag and key in ("/BaseFont", "/FontName") and isinstance(value, pikepdf.Name):
            return _name(f"/{self._tag}+{str(value).lstrip('/').split('+')[-1]}")
        return self._write(value)

    def _stream(self, stream: pikepdf.Stream) -> bytes:
        kept = (key for key in sorted(stream.keys()) if key not in ("/Length", "/Filter", "/DecodeParms", "/Resources"))
        head = {key: self._write(stream[key]) for key in kept}
        if str(stream.get("/Subtype")) == "/Form" or stream.get("/PatternType") == 1:
            return self._painted(stream, stream.get("/Resources"), head)
        data = stream.read_raw_bytes()
        if "/Filter" not in stream:
            return _pack(head, data)
        for key in ("/Filter", "/DecodeParms"):
            if key in stream:
                head[key] = self._write(stream[key])
        return _dictionary({**head, "/Length": str(len(data)).encode()}) + STREAM + data + b"\nendstream"

    # What paints: a page, a form, a pattern

    def _painted(self, stream: pikepdf.Stream, resources: object, head: dict[str, bytes]) -> bytes:
        """A stream of painting operators, with its resources."""
        data, head["/Resources"] = self._canonical(stream, resources)
        return _pack(head, data)

    def _canonical(self, stream: pikepdf.Stream, resources: object) -> tuple[bytes, bytes]:
        """Painting operators and their resources, which are named by first use and kept only where they are used."""
        data = stream.read_bytes()
        if b"(" in data or b"%" in data or (b"BI" in data and _INLINE_IMAGE.search(data)):
            raise CannotLink(Reason.CONSTRUCT, "a stream with text in brackets, a comment or an inline image")
        names: dict[tuple[str, bytes], bytes] = {}
        found: dict[str, dict[str, bytes]] = {}

        def renamed(match: re.Match[bytes]) -> bytes:
            old, operands, operator = match.groups()
            kind, letter = _RESOURCE[operator]
            if kind == "/ColorSpace" and old in _BUILT_IN:
                return match.group()
            if (kind, old) not in names:
                entries = found.setdefault(kind, {})
                names[kind, old] = letter + str(len(entries)).encode()
                entries[f"/{names[kind, old].decode()}"] = self._resource(resources, kind, old)
            return b"/" + names[kind, old] + operands + b" " + operator

        canonical, count = _NAME.subn(renamed, data)
        marks = sum(2 if mark[1] else 1 for mark in _MARK.finditer(data)) if self._tagged else 0
        if count + marks != data.count(b"/"):
            raise CannotLink(Reason.CONSTRUCT, "a stream with a name that no operator takes")
        return canonical, _dictionary({kind: _dictionary(entries) for kind, entries in found.items()})

    def _resource(self, resources: object, kind: str, name: bytes) -> bytes:
        missing = CannotLink(Reason.CONSTRUCT, f"a stream that names no {kind[1:]} it has")
        if not isinstance(resources, pikepdf.Dictionary) or not isinstance(table := resources.get(kind), pikepdf.Dictionary):
            raise missing
        key = "/" + re.sub(rb"#([0-9a-fA-F]{2})", lambda m: bytes.fromhex(m[1].decode()), name).decode("utf-8", "replace")
        if key not in table:
            raise missing
        return self._font(table[key]) if kind == "/Font" else self._write(table[key])

    # Fonts

    def _font(self, font: pikepdf.Object) -> bytes:
        if not font.is_indirect or font.objgen not in self._font_keys:
            key = self._font_key(font)
            if not font.is_indirect:
                return b"@" + key.encode() + b"@"
            self._font_keys[font.objgen] = key
        return b"@" + self._font_keys[font.objgen].encode() + b"@"

    def _font_key(self, font: pikepdf.Object) -> str:
        """The hash of the font file that this is; or, for a kind of file that cannot be embedded as it stands, of the font as written."""
        called = str(font.get("/BaseFont", "/?"))[1:]
        if str(font.get("/Subtype")) != "/Type0":
            raise CannotLink(Reason.CONSTRUCT, f"a font of pictures, `{called}`")
        descriptor = font.DescendantFonts[0].FontDescriptor
        program = descriptor.get("/FontFile2", descriptor.get("/FontFile3"))
        if not isinstance(program, pikepdf.Stream):
            raise CannotLink(Reason.CONSTRUCT, f"a font that is not embedded, `{called}`")
        data = program.read_bytes()
        try:
            name = postscript_name(data)
        except FontError:
            raise CannotLink(Reason.FONT, called) from None
        ours = self._fonts.get(name)
        if ours is None:
            raise CannotLink(Reason.FONT, name)
        texts = _texts(font)
        if str(font.Encoding) != "/Identity-H":
            lost = sorted(text for glyph, text in texts.items() if glyph >= len(ours.widths))
            raise CannotLink(Reason.GLYPH, "".join(lost))
        if ours.linkable:
            self._used.setdefault(ours.sha, (ours, {}))[1].update(_smaller(texts, self._used[ours.sha][1]))
            return ours.sha
        digest = sha_of(data)
        self._tag = "".join(chr(65 + int(digest[2 * i : 2 * i + 2], 16) % 26) for i in range(6))
        key = self._keep(self._direct(font))
        self._tag = None
        return key


def _texts(font: pikepdf.Object) -> dict[int, str]:
    """The characters of each glyph that the page shows, as the typesetter noted them."""
    table = font.ToUnicode.read_bytes().partition(b"endcodespacerange")[2]
    return {int(glyph, 16): bytes.fromhex(text.decode()).decode("utf-16-be", "replace") for glyph, text in _GLYPH_TEXT.findall(table)}


def _smaller(texts: Mapping[int, str], known: Mapping[int, str]) -> dict[int, str]:
    """Of two texts for one glyph, which one file under two styles may have, the smaller; but any before none."""
    return {glyph: min(filter(None, (text, known.get(glyph, ""))), default="") for glyph, text in texts.items()}


def _pack(head: Mapping[str, bytes], data: bytes) -> bytes:
    """A stream object, compressed where that is smaller."""
    packed = zlib.compress(data, _COMPRESSION)
    if len(packed) + len(b"/Filter/FlateDecode") < len(data):
        head = {**head, "/Filter": b"/FlateDecode"}
        data = packed
    return _dictionary({**head, "/Length": str(len(data)).encode()}) + STREAM + data + b"\nendstream"


def _dictionary(entries: Mapping[str, bytes]) -> bytes:
    return b"<<" + b"".join(_name(key) + b" " + entries[key] for key in sorted(entries)) + b">>"


def _name(name: str) -> bytes:
    if _PLAIN_NAME.match(name, 1):
        return name.encode()
    escaped = (bytes((c,)).decode() if _PLAIN_NAME.match(chr(c)) else f"#{c:02X}" for c in name[1:].encode())
    return ("/" + "".join(escaped)).encode()


def _number(value: Decimal | float) -> bytes:
    text = f"{value:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).encode()


def _box(box: pikepdf.Object) -> Box:
    left, bottom, right, top = (Fraction(str(n)) for n in box)
    return left, bottom, right, top

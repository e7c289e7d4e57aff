"""Load: bytes to text. In goes a file as read, out comes its text with `\\n` line breaks, without byte order mark and control characters.

UTF-8 alone is read; what cannot be is named with line and column, not with a byte offset.
"""

from __future__ import annotations

import unicodedata
from codecs import BOM_UTF8

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.limits import Limits
from seasons_build.core.regex import regex
from seasons_build.core.span import Span

_PLAIN_BYTES = bytes(byte for byte in range(256) if byte in b"\t\n\r" or 0x20 <= byte < 0x7F or byte >= 0x80)
_MAYBE_REFUSED = (b"\xc2", b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xef\xbb\xbf", b"\xef\xbf")
REFUSED = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Control characters, line breaks that editors do not count, marks and non-characters: no text of a game may hold them."""

STAND_IN = "\ufffd"
"""Stands in the text that goes on where a refused character was, so that columns and line breaks stay as they are."""

_MOST_NAMED = 100
_BYTE_ORDER_MARK = "\ufeff"
_WIDE = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_OTHER = (
    (b"{\\rtf", "formatted text (RTF), as TextEdit and WordPad save it"),
    (b"pk\3\4", "a document of a word processor, or an archive"),
    (b"\xd0\xcf\x11\xe0", "a document of an older word processor"),
    (b"%pdf-", "a PDF"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
)
"""What else is called `.yaml` by mistake, by how it begins."""
_LEAD = 64
_AS_UTF_8 = "save the file as UTF-8; Notepad has that under *Encoding* when it saves"
_AS_TEXT = "save it as plain text, in UTF-8: in TextEdit by *Format > Make Plain Text*, on Windows with Notepad"


def decode(file: str, raw: bytes, limits: Limits) -> tuple[str | None, list[Diagnostic]]:
    """The text of a file, or None where it cannot be read as text, and what is wrong with its bytes."""
    if len(raw) > limits.file_bytes:
        message = f"the file has {len(raw)} bytes; at most {limits.file_bytes} are read"
        return None, [Diagnostic("E102", message, _point(file, 0, 0), ("spread the entries over several files",))]
    other = next((what for mark, what in _OTHER if raw[:_LEAD].removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(mark)), "")
    if other:
        return None, [Diagnostic("E103", f"expected plain text, found {other}", _point(file, 0, 0), (_AS_TEXT,))]
    wide = _wide(raw)
    if wide:
        message = f"expected UTF-8 text, found {wide}"
        return None, [Diagnostic("E103", message, _point(file, 0, 0), (_AS_UTF_8,))]
    try:
        text = as_text(raw)
    except UnicodeDecodeError as error:
        return None, [_bad_byte(file, raw, error.start)]
    raw = raw.removeprefix(BOM_UTF8)
    if not raw.translate(None, _PLAIN_BYTES) and not any(part in raw for part in _MAYBE_REFUSED):
        return text, []
    if "\0" in text:
        return None, [_not_text(file, text)]
    return REFUSED.sub(STAND_IN, text), _refused(file, text)


def as_text(raw: bytes) -> str:
    """The text in bytes that are UTF-8: without a byte order mark, its lines ended in one way."""
    text = raw.decode("utf-8").removeprefix(_BYTE_ORDER_MARK)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 0, of a character of the text."""
    return text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1)


def named(character: str) -> str:
    """A character that may not be visible, in words: `U+202E` (right-to-left override)."""
    name = unicodedata.name(character, "")
    return f"`U+{ord(character):04X}`" + (f" ({name.lower()})" if name else "")


def _wide(raw: bytes) -> str | None:
    for mark, name in _WIDE:
        if raw.startswith(mark):
            return name
    even, odd = raw[:64:2], raw[1:64:2]
    zeros_on_one_side = (0 not in even and not any(odd)) or (0 not in odd and not any(even))
    return "UTF-16" if len(raw) >= 4 and zeros_on_one_side else None


def _bad_byte(file: str, raw: bytes, at: int) -> Diagnostic:
    before = raw[:at].decode("utf-8").removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    if REFUSED.search(before):
        return _not_text(file, before)
    line, column = position(before, len(before))
    hint = "save the file as UTF-8"
    older = raw[at : at + 1].decode("cp1252", "ignore")
    if older.isprintable() and older:
        hint += f"; in an older encoding this byte is `{older}`"
    return Diagnostic("E103", f"expected UTF-8 text, found the byte `0x{raw[at]:02X}`", _point(file, line, column), (hint,))


def _not_text(file: str, text: str) -> Diagnostic:
    found = REFUSED.search(text)
    line, column = position(text, found.start() if found else 0)
    what = named(found.group()) if found else "something else"
    return Diagnostic("E103", f"expected a text file, found {what}", _point(file, line, column))


def _refused(file: str, text: str) -> list[Diagnostic]:
    diagnostics = []
    for found in REFUSED.finditer(text):
        line, column = position(text, found.start())
        message = f"{named(found.group())} cannot stand in a file"
        diagnostics.append(Diagnostic("E104", message, _point(file, line, column), ("delete this character, which may not be visible",)))
        if len(diagnostics) == _MOST_NAMED:
            break
    return diagnostics


def _point(file: str, line: int, column: int) -> Span:
    return Span(file, line + 1, column + 1, line + 1, column + 2)

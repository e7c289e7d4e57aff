"""Filled sheets: what stands in the fields of a PDF.

In go the bytes of a PDF, a stranger's perhaps; out comes a `FilledSheet`, or a `NoSheet` that says why there is none. Nothing in the file
is followed or executed: fields are read as text, within bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pikepdf

from seasons_build.core.filled import FilledField, FilledSheet

LARGEST = 32 << 20
"""The most bytes of a sheet."""
MOST_FIELDS = 5_000
LONGEST = 20_000
"""The most characters that are read of one field."""
_SOURCE = "entry.yaml"
_DEPTH = 8


class NoSheet(Exception):
    """The file is no sheet that can be read; the text says why."""


def read_filled(raw: bytes) -> FilledSheet:
    """The fields of a PDF. Raises NoSheet."""
    if len(raw) > LARGEST:
        raise NoSheet(f"it has more than {LARGEST >> 20} MB")
    try:
        with pikepdf.open(BytesIO(raw)) as document:
            form = document.Root.get("/AcroForm")
            found = dict(_fields(form)) if isinstance(form, pikepdf.Dictionary) else {}
            return FilledSheet(found, _source(document))
    except pikepdf.PasswordError as error:
        raise NoSheet("it asks for a password") from error
    except (pikepdf.PdfError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise NoSheet("it is no PDF that can be read") from error


def _fields(form: Any) -> Iterator[tuple[str, FilledField]]:
    count = 0
    waiting = [(each, "", 0) for each in reversed(list(form.get("/Fields", ())))]
    while waiting:
        each, above, depth = waiting.pop()
        count += 1
        if count > MOST_FIELDS or depth > _DEPTH:
            raise NoSheet(f"it has more than {MOST_FIELDS} fields")
        name = ".".join(part for part in (above, str(each.get("/T", ""))) if part)
        if "/FT" in each:
            yield name, _field(each)
            continue
        waiting += [(kid, name, depth + 1) for kid in reversed(list(each.get("/Kids", ())))]


def _field(each: Any) -> FilledField:
    tick = str(each.FT) == "/Btn"
    now, before = (_value(each.get(key), tick=tick) for key in ("/V", "/DV"))
    return FilledField(now, before, tick, bool(int(each.get("/Ff", 0)) & 1))


def _value(value: Any, *, tick: bool) -> str:
    if value is None:
        return ""
    if tick:
        return "" if str(value) in ("/Off", "Off", "") else "on"
    text = value.read_bytes().decode("utf-8", "replace") if isinstance(value, pikepdf.Stream) else str(value)
    return " ".join(text[:LONGEST].replace("\u2212", "-").split())


def _source(document: pikepdf.Pdf) -> str:
    if _SOURCE not in document.attachments:
        return ""
    return document.attachments[_SOURCE].get_file().read_bytes()[:LARGEST].decode("utf-8", "replace")

"""The reader of filled sheets, a program of its own: a PDF comes in on one pipe, what stands in its fields goes out on another, as JSON.

A PDF is a stranger's file, and what it unpacks to is bounded by nothing but the walls around this process: it is started by file, with an
empty environment, and has so much memory and so much processor time. Nothing in the file is followed or executed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.append(str(Path(__file__).resolve().parents[2]))

import pikepdf

from seasons_build.core.limits import DEFAULT
from seasons_build.core.walls import leave_network, set_limit

LARGEST = 32 << 20
"""The most bytes of a sheet."""
MOST_FIELDS = 5_000
LONGEST = 20_000
"""The most characters that are read of one field."""
_SOURCE = "entry.yaml"
_DEPTH = 8
_SMALL = 64 * 1024 * 1024
"""Bytes of memory that are kept for saying that there was no more."""


class Unreadable(Exception):
    """The file is no sheet that can be read; the text says why."""


def main() -> None:
    """Reads one sheet."""
    set_limit("RLIMIT_AS", DEFAULT.worker_memory)
    set_limit("RLIMIT_CPU", DEFAULT.face_seconds)
    set_limit("RLIMIT_FSIZE", 0)
    set_limit("RLIMIT_CORE", 0)
    leave_network()
    raw = sys.stdin.buffer.read(LARGEST + 1)
    spare: bytearray | None = bytearray(_SMALL)
    try:
        answer = read_fields(raw)
    except Unreadable as error:
        answer = {"no": str(error)}
    except MemoryError:
        spare = None
        answer = {"no": "it needs more memory than a sheet may"}
    del spare
    sys.stdout.buffer.write(json.dumps(answer).encode())


def read_fields(raw: bytes) -> dict[str, Any]:
    """The fields of a PDF by name, each with what stands in it now, what stood in it before, whether it is a box to tick and whether it is
    for reading only; and the text that the sheet was printed from. Raises Unreadable, and MemoryError."""
    if len(raw) > LARGEST:
        raise Unreadable(f"it has more than {LARGEST >> 20} MB")
    try:
        with pikepdf.open(BytesIO(raw)) as document:
            form = document.Root.get("/AcroForm")
            found = dict(_fields(form)) if isinstance(form, pikepdf.Dictionary) else {}
            return {"fields": found, "source": _source(document)}
    except pikepdf.PasswordError as error:
        raise Unreadable("it asks for a password") from error
    except (pikepdf.PdfError, ValueError, TypeError, AttributeError, KeyError, RuntimeError) as error:
        raise Unreadable("it is no PDF that can be read") from error


def _fields(form: Any) -> Iterator[tuple[str, tuple[str, str, bool, bool]]]:
    count = 0
    waiting = [(each, "", 0) for each in reversed(list(form.get("/Fields", ())))]
    while waiting:
        each, above, depth = waiting.pop()
        count += 1
        if count > MOST_FIELDS or depth > _DEPTH:
            raise Unreadable(f"it has more than {MOST_FIELDS} fields")
        name = ".".join(part for part in (above, str(each.get("/T", ""))[:LONGEST]) if part)
        if "/FT" in each:
            yield name, _field(each)
            continue
        waiting += [(kid, name, depth + 1) for kid in reversed(list(each.get("/Kids", ())))]


def _field(each: Any) -> tuple[str, str, bool, bool]:
    tick = str(each.FT) == "/Btn"
    now, before = (_value(each.get(key), tick=tick) for key in ("/V", "/DV"))
    return now, before, tick, bool(int(each.get("/Ff", 0)) & 1)


def _value(value: Any, *, tick: bool) -> str:
    if value is None:
        return ""
    if tick:
        return "" if str(value) in ("/Off", "Off", "") else "on"
    text = value.read_bytes()[: 4 * LONGEST].decode("utf-8", "replace") if isinstance(value, pikepdf.Stream) else str(value)
    return " ".join(text[:LONGEST].replace("\u2212", "-").split())


def _source(document: pikepdf.Pdf) -> str:
    if _SOURCE not in document.attachments:
        return ""
    return document.attachments[_SOURCE].get_file().read_bytes()[:LARGEST].decode("utf-8", "replace")


if __name__ == "__main__":
    main()

"""Filled sheets: what stands in the fields of a PDF.

In go the bytes of a PDF, a stranger's perhaps; out comes a `FilledSheet`, or a `NoSheet` that says why there is none. It is read by a
program of its own (`worker/sheet.py`), within limits on memory and time: a file of a few bytes may unpack to more than a machine has.
"""

from __future__ import annotations

import json
from pathlib import Path

from seasons_build.core.beside import ask_beside
from seasons_build.core.filled import FilledField, FilledSheet
from seasons_build.core.limits import DEFAULT

_PROGRAM = Path(__file__).parent / "worker" / "sheet.py"
_MOST = 256 << 20
"""Bytes of an answer that are read."""


class NoSheet(Exception):
    """The file is no sheet that can be read; the text says why."""


def read_filled(raw: bytes) -> FilledSheet:
    """The fields of a PDF. Raises NoSheet."""
    try:
        answer = json.loads(ask_beside(_PROGRAM, raw, DEFAULT.face_seconds, _MOST))
        if "no" in answer:
            raise NoSheet(str(answer["no"]))
        return FilledSheet({str(name): _field(*about) for name, about in answer["fields"].items()}, str(answer["source"]))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise NoSheet("it takes more time or memory than a sheet may") from None


def _field(now: str, before: str, tick: bool, fixed: bool) -> FilledField:
    return FilledField(str(now), str(before), tick is True, fixed is True)

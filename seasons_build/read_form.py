"""Filled sheets: what stands in the fields of a PDF.

In go the bytes of a PDF, a stranger's perhaps; out comes a `FilledSheet`, or a `NoSheet` that says why there is none. It is read by a
program of its own (`worker/sheet.py`), within limits on memory and time: a file of a few bytes may unpack to more than a machine has.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

from seasons_build.core.filled import FilledField, FilledSheet
from seasons_build.core.limits import DEFAULT

_PROGRAM = Path(__file__).parent / "worker" / "sheet.py"
_WALL = 3
"""Seconds by the clock that it may take for each of processor time: the machine may be busy."""
_MOST = 256 << 20
"""Bytes of an answer that are read."""
_PASSED_ON = ("SYSTEMROOT",)
"""What Windows needs to start a program at all."""


class NoSheet(Exception):
    """The file is no sheet that can be read; the text says why."""


def read_filled(raw: bytes) -> FilledSheet:
    """The fields of a PDF. Raises NoSheet."""
    try:
        answer = json.loads(_answer(raw))
        if "no" in answer:
            raise NoSheet(str(answer["no"]))
        return FilledSheet({str(name): _field(*about) for name, about in answer["fields"].items()}, str(answer["source"]))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise NoSheet("it takes more time or memory than a sheet may") from None


def _field(now: str, before: str, tick: bool, fixed: bool) -> FilledField:
    return FilledField(str(now), str(before), tick is True, fixed is True)


def _answer(raw: bytes) -> bytes:
    """What the program says of the bytes: nothing where it came to no end."""
    with subprocess.Popen(
        [sys.executable, "-s", "-P", "-X", "utf8", str(_PROGRAM)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=_PROGRAM.parent,
        env={"PATH": "/nonexistent", **{name: os.environ[name] for name in _PASSED_ON if name in os.environ}},
        start_new_session=True,
    ) as process:
        clock = threading.Timer(_WALL * DEFAULT.face_seconds, process.kill)
        clock.start()
        try:
            assert process.stdin is not None and process.stdout is not None
            with contextlib.suppress(OSError):
                process.stdin.write(raw)
                process.stdin.close()
            return process.stdout.read(_MOST)
        finally:
            clock.cancel()
            process.kill()

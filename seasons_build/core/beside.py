"""A program of ours that is started for one file of a stranger: what such a file does to who reads it, it does to that program alone.

In: the program, and the bytes that it reads from one pipe. Out: the bytes that it wrote to another before it ended or was ended. It gets an
empty environment, no module of the folder that we are in, and so much time by the clock; its own walls are its own business.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

_WALL = 3
"""Seconds by the clock that it may take for each of processor time: the machine may be busy."""
_PASSED_ON = ("SYSTEMROOT",)
"""What Windows needs to start a program at all."""


def ask_beside(program: Path, raw: bytes, seconds: int, most: int) -> bytes:
    """What a program answers to these bytes, `most` of it at most: cut short or nothing where it came to no end in so many seconds of
    processor time."""
    with subprocess.Popen(
        [sys.executable, "-s", "-P", "-X", "utf8", str(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=program.parent,
        env={"PATH": "/nonexistent", **{name: os.environ[name] for name in _PASSED_ON if name in os.environ}},
        start_new_session=True,
    ) as process:
        clock = threading.Timer(_WALL * seconds, process.kill)
        clock.start()
        try:
            assert process.stdin is not None and process.stdout is not None
            with contextlib.suppress(OSError):
                process.stdin.write(raw)
                process.stdin.close()
            return process.stdout.read(most)
        finally:
            clock.cancel()
            process.kill()

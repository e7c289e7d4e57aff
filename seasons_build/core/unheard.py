"""What is said into a pipe at whose end nobody listens any more: `seasons build | head -1`. In goes a standard stream, out comes one that
may be written to all the same.

How a command ends is about what it did, not about how much of its talk was heard, nor about which of both was quicker. So what nobody
hears is dropped, and all goes on; what would go on for ever asks with `is_unheard` and ends.
"""

from __future__ import annotations

import errno
import io
import os
from typing import Any, TextIO

_GONE = (errno.EPIPE, errno.EINVAL)
"""What the systems answer where the reader of a pipe is gone."""


class _Pipe(io.FileIO):
    """A pipe that may be written to when its reader is gone."""

    unheard = False

    def write(self, data: Any, /) -> int:
        """Writes, or drops."""
        try:
            return super().write(data) or 0
        except OSError as error:
            if error.errno not in _GONE:
                raise
            self.unheard = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return memoryview(data).nbytes


def kept_going(stream: TextIO) -> TextIO:
    """For a stream that is a pipe, one that does not mind when its reader goes away."""
    pipe = io.BufferedWriter(_Pipe(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(pipe, stream.encoding, stream.errors, line_buffering=bool(stream.line_buffering))


def is_unheard(stream: TextIO) -> bool:
    """Whether something was said that nobody heard."""
    return getattr(getattr(getattr(stream, "buffer", None), "raw", None), "unheard", False)

"""How a run is told to end: by Ctrl-C, or by a signal of the system, which counts as one. In: nothing. Out: an interrupt where the work is,
and afterwards the exit code that says what it was."""

from __future__ import annotations

import signal
from types import FrameType

_told: list[int] = []


def heed() -> None:
    """Lets the signals that ask a program to end interrupt it, where nobody has seen to them otherwise."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)


def exit_code() -> int:
    """The exit code of a run that was interrupted, as shells have it: 130 for Ctrl-C, 143 where it was told to end."""
    return 128 + (_told[-1] if _told else signal.SIGINT)


def is_ctrl_c() -> bool:
    """Whether an interrupt came from the one who typed the command, and from nobody else."""
    return not _told


def _interrupt(number: int, frame: FrameType | None) -> None:
    del frame
    _told.append(number)
    raise KeyboardInterrupt

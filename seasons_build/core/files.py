"""Files as they are opened: regular ones, no larger than expected, and never through a link that leads where nobody meant to go.

In: a path. Out: bytes, or an open file; OSError for everything else, at once, whatever a folder may hold in place of a file (a pipe waits
for ever, a device never ends). What is written is there whole or not at all. Why the system refuses is said in one way.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import IO

CACHE = ".seasons-cache"
"""The folder of a project that holds what builds keep for each other, and nothing else."""

_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_STEP = 1024 * 1024

REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk is full",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EIO: "the disk is broken",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
    errno.ENOMEM: "there is not enough memory",
}
"""Why the system refuses, in plain words."""


def reason_of(error: OSError) -> str:
    """Why the system refuses, in plain words where there are any for it."""
    return REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()


def read_regular(path: Path, most: int) -> bytes:
    """At most so many bytes of a regular file. A link to one is followed: whether it may be is for the caller to know."""
    descriptor = os.open(path, os.O_RDONLY | _AT_ONCE)
    try:
        size = _sized(path, descriptor)
        data = os.read(descriptor, min(size + 1, most))  # one more than there is shows in one go that this was all
        while data and len(data) < most and (more := os.read(descriptor, min(most - len(data), _STEP))):
            data += more
        return data
    finally:
        os.close(descriptor)


def read_inside(folder: Path, name: str, most: int) -> bytes:
    """The same of a file of a folder, where no link on the way to it leads out of that."""
    if not is_inside(folder / name, folder):
        raise OSError(errno.ELOOP, "a link leads out of the folder", str(folder / name))
    return read_regular(folder / name, most)


def open_regular(path: Path) -> IO[bytes]:
    """A regular file to read from; of a link to one as above."""
    return _regular(path, os.open(path, os.O_RDONLY | _AT_ONCE), "rb")


def open_own(path: Path) -> IO[bytes]:
    """A file of ours to write on, made where it is missing; a link in its place is none."""
    return _regular(path, os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINK | _AT_ONCE, 0o666), "r+b")


def put(place: Path, draft: Path, data: bytes, mode: int | None = None) -> None:
    """Puts a file in its place, or leaves what is there as it was: it is written as `draft` in the same folder, flushed and renamed. `mode`
    are its rights, where they are to be others than those of a new file."""
    try:
        with open(draft, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            draft.chmod(mode)
        os.replace(draft, place)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def is_inside(path: Path | str, folder: Path | str) -> bool:
    """Whether a path, with all links on the way followed, is a folder or lies in it."""
    real, root = os.path.realpath(path), os.path.realpath(folder)
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


def _regular(path: Path, descriptor: int, mode: str) -> IO[bytes]:
    try:
        _sized(path, descriptor)
    except OSError:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, mode)


def _sized(path: Path, descriptor: int) -> int:
    """How many bytes an open file has, if it is a regular one."""
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    return found.st_size

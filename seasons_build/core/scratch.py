"""A folder for temporary files that does not outlive its owner, whatever becomes of him.

The folder is held by a lock on a file in it, which the system lets go when the process ends; who comes later sweeps what nobody holds.
Where the system has no such locks (Windows), a folder is removed by its owner alone.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

try:
    import fcntl
except ImportError:
    _HAS_LOCKS = False
else:
    _HAS_LOCKS = True

_PREFIX = "seasons-scratch-"
_LOCK, _TAKING = "lock", "taking"


class Scratch:
    """One such folder, inside `parent` (None: where the system keeps temporary files). Sweeps those of the dead first."""

    def __init__(self, parent: Path | None = None) -> None:
        place = parent if parent is not None else Path(tempfile.gettempdir())
        place.mkdir(parents=True, exist_ok=True)
        _sweep(place)
        self._count = 0
        while True:
            self.root = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place)).resolve()
            try:
                self._lock = _held(self.root)
                return
            except FileNotFoundError:
                continue  # somebody swept it before it was held
            except BaseException:
                self.clear(self.root)
                raise

    def folder(self) -> Path:
        """A new empty folder."""
        self._count += 1
        path = self.root / str(self._count)
        path.mkdir()
        return path

    def remove(self) -> None:
        """Removes everything; the lock last, so that what an interrupt leaves is swept by who comes later."""
        for path in self.root.iterdir() if self.root.is_dir() else ():
            if path.name != _LOCK:
                self.clear(path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        self.clear(self.root)

    @staticmethod
    def clear(path: Path) -> None:
        """Removes a folder and what is in it, as far as possible."""
        shutil.rmtree(path, ignore_errors=True)


def _held(root: Path) -> int | None:
    """The open lock file of a new folder. It is locked under another name first: a folder is never seen with a lock that nobody holds,
    unless its owner is dead."""
    if not _HAS_LOCKS:
        return None
    file = root / _TAKING
    lock = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    file.rename(root / _LOCK)
    return lock


def _opened(file: Path) -> int | None:
    try:
        return os.open(file, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return None


def _sweep(place: Path) -> None:
    if not _HAS_LOCKS:
        return
    for path in sorted(place.glob(f"{_PREFIX}*")):
        if path.is_symlink() or not path.is_dir():
            continue
        found = (_opened(path / name) for name in (_LOCK, _TAKING))
        lock = next((opened for opened in found if opened is not None), None)
        if lock is None:
            # Its owner died before he held it, or is about to: then he makes another.
            with contextlib.suppress(OSError):
                path.rmdir()
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            Scratch.clear(path)
        except OSError:
            continue  # somebody is using it
        finally:
            os.close(lock)

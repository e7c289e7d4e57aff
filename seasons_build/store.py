"""What was made before, kept by the digest of what it was made of: parsed files, typeset faces and documents.

In: a project's folder. Out: `Store`, which gives back what it was given, or nothing. It is a folder inside the project that may be deleted
at any time. What is read is verified by its hash, and whatever is damaged, missing or foreign is simply not there; what cannot be written
is not kept. Several builds may use it at once: a file is written beside its place and renamed.

Nothing asks a clock. Each build leaves the list of what it used; when the folder grows beyond its bound, what no list names goes first,
then what only older lists name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import Any

from seasons_build.core.files import CACHE
from seasons_build.core.wire import Message, WireError, message_in, message_parts

FOLDER = CACHE
TAG = "CACHEDIR.TAG"
"""The mark by which backups and other tools know a cache; for us, that the folder is ours."""

_TAG_TEXT = "Signature: 8a477f597d28d172789f06886806bc55\n# What seasons build keeps for the next time. It may be deleted at any time.\n"
_IGNORE = ".gitignore"
_MAGIC = b"seasons-kept 1\n"
_DRAFTS = "drafts"
_TURNS = "builds-before"
_KEPT_TURNS = 6
_LARGEST_FILE = 256 * 1024 * 1024
_TO_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
LARGEST = 1024 * 1024 * 1024
"""Bytes that the folder may hold before what was not used lately is let go."""


class Store:
    """The cache of one project, for the length of a build. `folder` is made with the first thing that is put into it."""

    def __init__(self, root: Path, largest: int = LARGEST) -> None:
        self._folder = root / FOLDER
        self._path = os.path.join(self._folder, "")
        self._largest = largest
        self._usable = _ours(self._folder) and not _leads_away(self._folder)
        self._ready = False
        self._count = 0
        self._added = 0
        self._used: dict[str, None] = {}
        self._missed: set[str] = set()
        self._believed = True

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, room: str, key: str) -> Message | None:
        """What was put under a key, or None. `key` is a hexadecimal digest."""
        if not self._usable or not self._believed:
            return None
        name = _name(room, key)
        found = _read(self._path, name)
        if found is not None:
            self._used[name] = None
        else:
            self._missed.add(name)
        return found

    def put(self, room: str, key: str, header: Mapping[str, Any], blobs: Sequence[bytes] = ()) -> None:
        """Keeps plain data and raw bytes under a key, in place of what was there."""
        if not self._usable:
            return
        name = _name(room, key)
        size = self._write(name, header, blobs)
        if size:
            self._missed.discard(name)
            self._used[name] = None
            self._added += size

    def moment(self) -> int:
        """What time it is by the clock that stamps files, in nanoseconds; 0 where nothing can be written."""
        self._count += 1
        draft = self._folder / _DRAFTS / f"{os.getpid()}-{self._count}"
        if not self._usable:
            return 0
        try:
            self._make_ready(draft.parent)
            draft.write_bytes(b"")
            return draft.stat().st_mtime_ns
        except OSError:
            return 0
        finally:
            _remove(draft)

    def has(self, room: str, key: str) -> bool:
        """Whether something is there under a key, unread, and has not been asked for in vain; if so, it counts as used."""
        name = _name(room, key)
        if not self._usable or not self._believed or name in self._missed or not os.path.isfile(self._folder / name):
            return False
        self._used[name] = None
        return True

    def disbelieve(self) -> bool:
        """From here on nothing is given back, and what is put takes the place of what was there. Whether anything had been given."""
        believed, self._believed = self._believed and bool(self._used), False
        return believed

    def close(self) -> None:
        """Notes what this build has used, and lets go of what is too much."""
        if not self._usable or not self._used:
            return
        turns = self._turns()
        before = _read(self._path, turns[-1]) if turns else None
        used = sorted(self._used)
        size = before.header.get("size") if before is not None else 0
        total = (size if type(size) is int else 0) + self._added
        if before is not None and not self._added and before.header.get("used") == used:
            return
        self._sweep()
        if total > self._largest:
            total = self._prune(turns)
        number = int(turns[-1].rpartition("/")[2]) + 1 if turns else 1
        self._write(f"{_TURNS}/{number:08}", {"size": total, "used": used}, ())
        self._added = 0
        for turn in turns[: -_KEPT_TURNS + 1]:
            _remove(self._folder / turn)

    def _turns(self) -> list[str]:
        return [f"{_TURNS}/{name}" for name, _ in _files(self._folder / _TURNS) if name.isascii() and name.isdigit()]

    def _sweep(self) -> None:
        """Removes what builds that were ended have left half written. One that is still writing loses a draft, and keeps nothing of it."""
        for name, _ in _files(self._folder / _DRAFTS):
            _remove(self._folder / _DRAFTS / name)

    def _prune(self, turns: Sequence[str]) -> int:
        """Lets go of what was not used lately until the rest is within its bound; gives the bytes that are left."""
        last = dict.fromkeys(self._used, -1)
        for age, turn in enumerate(reversed(turns)):
            found = _read(self._path, turn)
            names = found.header.get("used") if found is not None else ()
            for name in names if isinstance(names, list) else ():
                if isinstance(name, str):
                    last.setdefault(name, age)
        sizes = dict(_entries(self._folder))
        total = sum(sizes.values())
        unused = len(turns)
        for name in sorted((n for n in sizes if last.get(n, unused) >= 0), key=lambda n: (-last.get(n, unused), n)):
            if total <= self._largest:
                break
            _remove(self._folder / name)
            total -= sizes[name]
        return total

    def _write(self, name: str, header: Mapping[str, Any], blobs: Sequence[bytes]) -> int:
        """Writes a file of ours; gives its size, 0 where it could not be written."""
        body = message_parts(header, blobs)
        parts = (_MAGIC, _seal(name, *body), *body)
        self._count += 1
        draft = self._folder / _DRAFTS / f"{os.getpid()}-{self._count}"
        target = self._folder / name
        try:
            self._make_ready(target.parent)
            with open(draft, "xb") as file:
                file.writelines(parts)
            os.replace(draft, target)
        except FileNotFoundError:
            self._ready = False  # somebody has cleaned meanwhile
            return 0
        except OSError:
            _remove(draft)
            return 0
        except BaseException:
            _remove(draft)
            raise
        return sum(map(len, parts))

    def _make_ready(self, folder: Path) -> None:
        if not self._ready:
            # The mark comes first: a build that ends before it leaves an empty folder, which is ours to take.
            self._folder.mkdir(parents=True, exist_ok=True)
            for mark, text in ((TAG, _TAG_TEXT), (_IGNORE, "*\n")):
                if not (self._folder / mark).exists():
                    (self._folder / mark).write_text(text, encoding="ascii")
            (self._folder / _DRAFTS).mkdir(exist_ok=True)
            self._ready = True
        folder.mkdir(parents=True, exist_ok=True)


def remove(root: Path) -> Path | None:
    """Removes the cache of a project, where it is ours; gives its folder, if that is gone."""
    import shutil  # slow to import, and wanted by no build

    folder = root / FOLDER
    if not folder.is_dir() or not _ours(folder):
        return None
    shutil.rmtree(folder, ignore_errors=True)
    return None if folder.exists() else folder


def _ours(folder: Path) -> bool:
    """Whether we may keep things in a folder: it is not there yet, or empty, or has our mark, and it is no link to somewhere else."""
    if folder.is_symlink():
        return False
    if not folder.exists():
        return True
    try:
        return folder.is_dir() and ((folder / TAG).is_file() or not any(folder.iterdir()))
    except OSError:
        return False


def _leads_away(folder: Path) -> bool:
    """Whether a link takes the place of one of the folders in it, or of a mark: what is written and swept there would be somewhere else."""
    try:
        entries = list(os.scandir(folder))
        rooms = (entry for entry in entries if entry.is_dir(follow_symlinks=False))
        return any(entry.is_symlink() for entry in (*entries, *(part for room in rooms for part in os.scandir(room))))
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _name(room: str, key: str) -> str:
    return f"{room}/{key[:2]}/{key}"


def _seal(name: str, *body: bytes | memoryview) -> bytes:
    """The digest by which a file is known to be whole, and to be the one of its name."""
    found = sha256(name.encode())
    for part in body:
        found.update(part)
    return found.digest()


def _read(folder: str, name: str) -> Message | None:
    """What a file of ours holds, in a folder whose path ends as one does; None where it is not there or not as it was written."""
    try:
        descriptor = os.open(folder + name, _TO_READ)
        try:
            found = os.fstat(descriptor)
            if not S_ISREG(found.st_mode) or found.st_size > _LARGEST_FILE:
                return None
            data = os.read(descriptor, found.st_size)
            while len(data) < found.st_size and (more := os.read(descriptor, found.st_size)):
                data += more
        finally:
            os.close(descriptor)
    except OSError:
        return None
    start = len(_MAGIC) + 32
    if not data.startswith(_MAGIC) or _seal(name, memoryview(data)[start:]) != data[len(_MAGIC) : start]:
        return None
    try:
        return message_in(data, start)
    except WireError:
        return None


def _entries(folder: Path) -> Iterator[tuple[str, int]]:
    """All that is kept under digests, with its size."""
    for room in (name for name in _folders(folder) if name not in (_TURNS, _DRAFTS)):
        for part in _folders(folder / room):
            yield from ((f"{room}/{part}/{name}", size) for name, size in _files(folder / room / part))


def _folders(folder: Path) -> list[str]:
    """The folders in a folder, in order; none where it cannot be looked into."""
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _files(folder: Path) -> list[tuple[str, int]]:
    """The files in a folder with their sizes, in order; none where it cannot be looked into."""
    try:
        return sorted((entry.name, entry.stat(follow_symlinks=False).st_size) for entry in os.scandir(folder) if not entry.is_dir())
    except OSError:
        return []


def _remove(path: Path) -> None:
    try:
        os.unlink(path)
    except OSError:
        return

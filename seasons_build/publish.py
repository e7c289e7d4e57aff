"""Stage: finished files reach the output folder, whole or not at all.

In: files by their name below the output folder, in the order of a build. Out: what was written, and what could not be. Each file is
written beside its place, flushed and renamed, under a lock; `manifest.json` is last. A crash, a full disk, an interrupt or a second build
at the same time leaves each file as it was or as it should be, and the next build needs no repair.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.files import CACHE, is_inside, open_own, put, read_regular, reason_of
from seasons_build.core.named import NamedTuple
from seasons_build.core.record import dataclass, field
from seasons_build.core.tools import stamp, stamps

MANIFEST = "manifest.json"
MARK = ".seasons-output"
LOCK = ".seasons-lock"
DRAFT = ".tmp-"
_MANIFEST_BYTES = 16 * 1024 * 1024
KEPT = ("README.md",)
"""What may lie in an output folder that we have not written, besides our own marks."""
_SOURCES = "the sources are"
_TAKEN = {**dict.fromkeys(("content", "schemas", "templates", "profiles", ".git"), _SOURCES), CACHE: "builds keep what they have made"}
"""Folders of a project that hold something else, and what that is."""


@dataclass(frozen=True, slots=True)
class Product:
    """A file to publish: its name below the output folder, its bytes, and what the manifest says of it. A `lasting` one is held by who made
    it, and may come again. `sha` is the SHA-256 of its bytes, where that is known already."""

    name: str
    data: bytes
    about: Mapping[str, Any]
    lasting: bool = False
    sha: str = ""


class Lying(NamedTuple):
    """A lasting product that lies in the output folder: what the manifest says of it, and what the system said when it was left."""

    product: Product
    told: Mapping[str, Any]
    stamp: list[int]


@dataclass(frozen=True, slots=True)
class Published:
    """What came of it: names written anew, names that were already so, and names taken away because nothing makes them any more (one that
    somebody has changed is left, and is none of ours from then on)."""

    written: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    stamps: Mapping[str, list[int]] = field(default_factory=dict)
    """What the system says of the files and of the manifest as they were left, by path."""
    diagnostics: tuple[Diagnostic, ...] = ()


class OutputRefused(Exception):
    """The output folder is none that we may write into; `diagnostic` says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Output:
    """An output folder, locked while it is open."""

    def __init__(self, folder: Path, project: Path) -> None:
        self._folder = folder
        self._project = project
        self._lock: IO[bytes] | None = None
        self._known = False
        """Whether a build has written into the folder before: only then its manifest says what is ours."""

    def __enter__(self) -> Output:
        refused = self._refused()
        if refused is not None:
            raise OutputRefused(refused)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self._folder / LOCK)
            self._known = self.marked
            if self._known:
                self._sweep()
            else:
                with open_own(self._folder / MARK) as mark:
                    mark.write(b"Files here were written by seasons build; seasons clean removes them.\n")
        except OSError as error:
            self.__exit__()
            raise OutputRefused(_failed(self._folder, error)) from error
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @property
    def marked(self) -> bool:
        """Whether the folder says that a build has written into it."""
        return os.path.isfile(self._folder / MARK)

    def publish(
        self, products: Iterable[Product], gone: Callable[[str, Mapping[str, Any]], bool], lying: dict[str, Lying] | None = None
    ) -> Published:
        """Writes the files in order, then the manifest. `gone` says of a file that an earlier build wrote and this one has not, by its name
        and what the manifest says of it, whether nothing makes it any more: it is removed. `lying` are lasting products that were published
        before, by name: one that comes again and is as it was left is not looked into; afterwards it has those of this time.

        Codes: E801 (a file cannot be written).
        """
        before = self._manifest()
        files: dict[str, Any] = dict(before)
        written: list[str] = []
        same: list[str] = []
        found: list[Diagnostic] = []
        lasting: dict[str, Lying] = {}
        for product in products:
            left = (lying or {}).get(product.name)
            if left is not None and left.product is product and stamp(str(self._folder / product.name)) == left.stamp:
                same.append(product.name)
                files[product.name], lasting[product.name] = left.told, left
                continue
            try:
                changed = self._write(product.name, product.data)
            except OSError as error:
                found.append(_failed(self._folder / product.name, error))
                if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
                    break
                continue
            (written if changed else same).append(product.name)
            sha = product.sha or hashlib.sha256(product.data).hexdigest()
            files[product.name] = {**product.about, "sha256": sha, "bytes": len(product.data)}
            if product.lasting:
                lasting[product.name] = Lying(product, files[product.name], stamp(str(self._folder / product.name)))
        made = {*written, *same}
        removed: list[str] = []
        for name, about in before.items():
            if found or name in made or not gone(name, about):
                continue
            left_so = self._as_left(name, about.get("sha256"))
            if left_so and not self._removed(name):
                continue  # it stays ours, and the next build tries again
            removed += [name] if left_so else []
            del files[name]
        try:
            self._write(MANIFEST, _told(files))
            self._known = True
        except OSError as error:
            found.append(_failed(self._folder / MANIFEST, error))
        if lying is not None:
            lying.clear()
            lying.update(lasting)
        stamped = stamps(str(self._folder / name) for name in (*written, *same, MANIFEST))
        return Published(tuple(written), tuple(same), tuple(removed), stamped, tuple(found))

    def made(self) -> Mapping[str, Any]:
        """What the manifest says of the files that builds have made, by name."""
        return self._manifest()

    def clean(self) -> tuple[str, ...]:
        """Removes what builds wrote and nobody has changed since, and nothing else; gives the names."""
        gone = [name for name, about in self._manifest().items() if self._as_left(name, about.get("sha256")) and self._removed(name)]
        for own in (MANIFEST, MARK, LOCK):
            with contextlib.suppress(OSError):
                (self._folder / own).unlink()
                gone += [own] if own == MANIFEST else []
        return tuple(gone)

    def _sweep(self) -> None:
        """Removes what a build that was stopped has left."""
        for draft in sorted(self._folder.rglob(f"{DRAFT}[0-9]*-*")):
            if draft.is_symlink() or draft.is_file():
                draft.unlink()

    def _refused(self) -> Diagnostic | None:
        folder, project = os.path.realpath(self._folder), os.path.realpath(self._project)
        if os.path.lexists(self._folder) and not os.path.isdir(folder):
            return Diagnostic("E802", f"`{self._folder}` is no folder", None, ("name another one with --out",))
        if folder == project or project.startswith(folder + os.sep):
            message = f"the output cannot be written over the project itself (`{self._folder}`)"
            return Diagnostic("E802", message, None, ("name a folder in it",))
        if folder.startswith(project + os.sep):
            inside = os.path.relpath(folder, project).split(os.sep)[0]
            if inside in _TAKEN:
                hint = ("name another folder with --out",)
                return Diagnostic("E802", f"the output cannot be written into `{inside}`, where {_TAKEN[inside]}", None, hint)
            return None
        if not os.path.isdir(folder) or os.path.exists(os.path.join(folder, MARK)) or not os.listdir(folder):
            if self._folder.is_symlink() or os.path.islink(self._folder.parent):
                hint = ("name the folder itself with --out",)
                return Diagnostic("E802", f"`{self._folder}` leads out of the project through a link", None, hint)
            return None
        advice = "name an empty folder, or one inside the project"
        return Diagnostic("E802", f"`{self._folder}` lies outside the project and holds files that no build wrote", None, (advice,))

    def _manifest(self) -> dict[str, Any]:
        if not self._known:
            return {}
        try:
            data = json.loads(read_regular(self._folder / MANIFEST, _MANIFEST_BYTES))
            files = data["files"]
            return {n: about for n, about in files.items() if isinstance(about, dict) and _own(n)} if isinstance(files, dict) else {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return {}

    def _write(self, name: str, data: bytes) -> bool:
        target = self._folder / name
        try:
            if not target.is_symlink() and target.stat().st_size == len(data) and read_regular(target, len(data)) == data:
                return False
        except OSError:
            pass
        if not is_inside(target.parent, self._folder):
            raise OSError(errno.ELOOP, "a link leads out of the output folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        put(target, target.parent / f"{DRAFT}{os.getpid()}-{target.name}", data)
        _flush_folder(target.parent)
        return True

    def _as_left(self, name: str, sha256: object) -> bool:
        """Whether a file is there as a build left it."""
        target = self._folder / name
        try:
            return not target.is_symlink() and is_inside(target.parent, self._folder) and _sha_of(target) == sha256
        except OSError:
            return False

    def _removed(self, name: str) -> bool:
        """Removes a file, and the folders that are empty then; whether the system let it go."""
        target = self._folder / name
        try:
            target.unlink()
        except OSError:
            return False
        for folder in target.parents:
            if folder == self._folder:
                break
            with contextlib.suppress(OSError):
                folder.rmdir()
        return True


def _own(name: str) -> bool:
    """Whether a name of a manifest is one that a file can have, and stays in the output folder."""
    parts = name.replace("\\", "/").split("/")
    return ".." not in parts and not name.startswith(("/", "\\")) and ":" not in name and name.isprintable() and name not in KEPT


def _sha_of(path: Path) -> str:
    return hashlib.sha256(read_regular(path, path.stat().st_size)).hexdigest()


def _told(files: Mapping[str, Any]) -> bytes:
    """The manifest, a line for each file."""
    lines = (f"  {json.dumps(name)}: {json.dumps(about)}" for name, about in sorted(files.items()))
    return ('{"format": 1, "files": {\n' + ",\n".join(lines) + "\n}}\n").encode()


def _failed(path: Path, error: OSError) -> Diagnostic:
    reason = "a link leads out of the output folder" if error.errno == errno.ELOOP else reason_of(error)
    return Diagnostic("E801", f"`{path}` cannot be written: {reason}", None, ("the files of the last build are still whole",))


def _flush_folder(folder: Path) -> None:
    """Makes a rename last through a power cut, where the system can: not every one flushes folders."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _locked(path: Path) -> IO[bytes]:
    """The lock file, held: another build waits here until this one is done."""
    while True:
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(open_own(path))
            _hold(file)
            with contextlib.suppress(OSError):
                # Somebody may have cleaned the folder while we waited: a lock on a file that is gone holds nobody.
                if os.fstat(file.fileno()).st_ino == os.stat(path).st_ino:
                    stack.pop_all()
                    return file


def _hold(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        while True:
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                return
            except OSError as error:
                if error.errno != errno.EDEADLK:  # what it says after ten seconds of waiting
                    raise
    else:
        with contextlib.suppress(ImportError):  # a system that has no such locks
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX)


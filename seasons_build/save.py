"""Stage: files of a writer are made or changed, each whole or not at all.

In: texts by their name below a folder. Out: what could not be written. A file is written beside its place, flushed and renamed, so that an
interrupt or a full disk leaves it as it was.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.files import is_inside, put, reason_of

DRAFT = ".seasons-draft-"


def save(root: Path, files: Mapping[str, bytes], *, new: bool) -> tuple[Diagnostic, ...]:
    """Writes files below a folder, in the order of their names. What is `new` takes no other's place. A link is followed to a file of the
    folder, and never out of it.

    Codes: E760 (there is such a file), E761 (a file cannot be written).
    """
    there = [name for name in sorted(files) if new and os.path.lexists(root / name)]
    if there:
        hint = "give it another name, or move that file away"
        return tuple(Diagnostic("E760", f"`{name}` is there already", None, (hint,)) for name in there)
    for name, data in sorted(files.items()):
        try:
            _write(root, root / name, data)
        except OSError as error:
            return (Diagnostic("E761", f"`{name}` cannot be written: {reason_of(error)}", None, ("what stood there is as it was",)),)
    return ()


def _write(root: Path, target: Path, data: bytes) -> None:
    if not is_inside(target, root):
        raise OSError(errno.ELOOP, "a link leads out of the folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    place = Path(os.path.realpath(target))
    mode = place.stat().st_mode & 0o777 if place.exists() else None
    put(place, place.parent / f"{DRAFT}{os.getpid()}-{place.name}", data, mode)

"""Stage: a pack as one archive, and the lock that says which packs a project was made with.

In: the files of a pack, or what is known of several. Out: bytes that are the same on every machine: an archive is stored, not deflated, and
has no time; its SHA-256 is what the lock keeps of a pack, whether that lies in a folder, an archive or a Python package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from io import BytesIO
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.document import Document
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex

LOCK = "seasons.lock"
"""The lock's file, in the project's folder."""
REFRESH = "if that is meant: `seasons pack lock`"
_HEAD = "# The packs from elsewhere that this project was made with. `seasons pack lock` writes it, `seasons pack check` compares.\n"
_UNIX = 3
_SHA = regex(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True, slots=True)
class Pinned:
    """What a lock keeps of a pack."""

    version: str
    sha256: str


def bundle(files: Mapping[str, bytes]) -> bytes:
    """One archive with these files, in the order of their names."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_STORED) as archive:
        for name, data in sorted(files.items()):
            info = ZipInfo(name)
            info.create_system = _UNIX
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data)
    return made.getvalue()


def pinned(version: str, archive: bytes) -> Pinned:
    """What a lock keeps of a pack with this archive."""
    return Pinned(version, sha256(archive).hexdigest())


def archive_name(pack: str, version: str) -> str:
    """What the file of a pack's archive is called."""
    safe = re.sub(r"[^A-Za-z0-9.+-]+", "-", version).strip(".-")
    return f"{pack}-{safe}.zip" if safe else f"{pack}.zip"


def written(packs: Mapping[str, Pinned]) -> bytes:
    """A lock as its file has it."""
    lines = [f'  {pack}: {{version: "{p.version}", sha256: "{p.sha256}"}}\n' for pack, p in sorted(packs.items())]
    return (_HEAD + ("packs:\n" + "".join(lines) if lines else "packs: {}\n")).encode()


def compared(document: Document, now: Mapping[str, Pinned]) -> Iterator[Diagnostic]:
    """Where the packs that are here are not those of the lock.

    Codes: E321 (another version, or other bytes), E322 (a pack that is not in the lock), E323 (a line of the lock that says nothing), W320
    (a pack that is no longer used).
    """
    listed = document.data.get("packs")
    kept = listed if isinstance(listed, Mapping) else {}
    if not isinstance(listed, Mapping):
        yield Diagnostic("E323", "the lock has no `packs`", document.span(), (REFRESH,))
    for pack, typed in kept.items():
        place = document.key_span(("packs", pack))
        version, digest = (typed.get("version"), typed.get("sha256")) if isinstance(typed, Mapping) else (None, None)
        if not isinstance(version, str) or not isinstance(digest, str) or not _SHA.match(digest):
            yield Diagnostic("E323", f"the lock does not say which version of `{pack}`, and with which SHA-256", place, (REFRESH,))
        elif pack not in now:
            yield Diagnostic("W320", f"the lock has `{pack}`, and the project no longer uses it", place, (REFRESH,))
        elif now[pack].version != version:
            message = f"`{pack}` is here in version {now[pack].version}, and the lock has {version}"
            yield Diagnostic("E321", message, place, (REFRESH,))
        elif now[pack].sha256 != digest:
            trace = Trace(f"its SHA-256 is {now[pack].sha256}")
            yield Diagnostic("E321", f"`{pack}` {version} is not what it was: its files have changed", place, (REFRESH,), (trace,))
    for pack in sorted(now.keys() - kept.keys()):
        yield Diagnostic("E322", f"the lock does not have the pack `{pack}`", document.span(), (REFRESH,))

"""A pack in a zip archive, read where it lies: nothing is ever unpacked onto the disk (part of sources).

In: the archive's path. Out: `ArchiveTree`, a tree of its files, or in plain words why it is not used. A pack is a stranger's file: whatever
a reader and a machine could see differently (links, names that differ in case alone, an entry twice), what leads out of the pack, belongs
to a tool or grows beyond what a pack may hold is refused, all of the archive with it.
"""

from __future__ import annotations

import re
import stat
import unicodedata
import zlib
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from seasons_build.core.files import open_regular
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.regex import regex
from seasons_build.core.tools import stamp
from seasons_build.sources.naming import bad_name
from seasons_build.sources.trees import CannotRead, why_of

MANIFEST = "pack.yaml"
_ID = regex(rb"^id:[ \t]*[\"']?([A-Za-z0-9_.-]+)", re.MULTILINE)
_DAMAGE = (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError, RuntimeError, KeyError, IndexError)
"""What the standard library raises over archives that are damaged, or are none."""
_ENCRYPTED, _UTF8 = 0x1, 0x800
_HEAD = 30
"""Bytes of what stands in front of a file in an archive, up to its name."""
_SMALL = 1024 * 1024
"""Bytes below which it does not matter how well a file was packed."""


class ArchiveTree:
    """The files of an archive, below the folder that holds its `pack.yaml`."""

    def __init__(self, path: Path, limits: Limits = DEFAULT) -> None:
        self._path = path
        self._limits = limits
        self._infos: dict[str, ZipInfo] = {}
        self._refusal = ""
        try:
            with open_regular(path) as file:
                listed = _listed(file)
        except OSError as error:
            self._refusal = why_of(error)
            return
        self._refusal = _why(listed, limits)
        if not self._refusal and listed is not None:
            self._infos = _files(listed)

    def names(self) -> tuple[str, ...]:
        """The files in it, in order."""
        return tuple(sorted(self._infos))

    def read(self, name: str) -> bytes:
        """The bytes of one of them; raises `CannotRead`."""
        info = self._infos[name]
        try:
            with open_regular(self._path) as file:
                data = _unpacked(file, info)
        except OSError as error:
            raise CannotRead(name, why_of(error)) from error
        if data is None:
            raise CannotRead(name, "the archive is damaged")
        return data

    def stamp(self, name: str) -> list[int]:
        """What the system tells of the archive."""
        del name
        return stamp(str(self._path))

    def shut(self) -> Mapping[str, str]:
        """No folder of an archive is shut."""
        return {}

    def refusal(self) -> str:
        """Why nothing of it is used; empty where it is."""
        return self._refusal

    def called(self) -> str:
        """The id that its manifest gives, before anything is parsed: the archive itself may be called anything."""
        try:
            found = _ID.search(self.read(MANIFEST)) if MANIFEST in self._infos else None
        except CannotRead:
            return ""
        return found[1].decode() if found else ""


def refusal_of(archive: bytes, limits: Limits = DEFAULT) -> str:
    """Why an archive would not be used; empty where it would."""
    return _why(_listed(BytesIO(archive)), limits)


def _why(listed: Sequence[ZipInfo] | None, limits: Limits) -> str:
    if listed is None:
        return "it is damaged, or no zip archive"
    found = next(_faults(listed, limits), "")
    return found or ("" if MANIFEST in _files(listed) else "there is no `pack.yaml` in it")


def _files(listed: Sequence[ZipInfo]) -> dict[str, ZipInfo]:
    """The files by their name below the folder in which all of them lie, as archives of repositories have it."""
    files = {info.filename: info for info in listed if not info.is_dir()}
    tops = {name.partition("/")[0] for name in files}
    top = f"{tops.pop()}/" if len(tops) == 1 and all("/" in name for name in files) else ""
    return {name.removeprefix(top): info for name, info in files.items()}


def _listed(file: IO[bytes]) -> list[ZipInfo] | None:
    """What an archive says that it holds; None where it is damaged, or none."""
    try:
        with ZipFile(file) as archive:
            return archive.infolist()
    except _DAMAGE:
        return None


def _unpacked(file: IO[bytes], info: ZipInfo) -> bytes | None:
    """The bytes of one file; None where they are not what the archive says of them."""
    try:
        file.seek(info.header_offset)
        head = file.read(_HEAD)
        name_bytes, extra_bytes = int.from_bytes(head[26:28], "little"), int.from_bytes(head[28:30], "little")
        name = file.read(name_bytes).decode("utf-8" if info.flag_bits & _UTF8 else "cp437", "replace")
        if head[:4] != b"PK\x03\x04" or name != info.orig_filename:
            return None
        file.seek(extra_bytes, 1)
        packed = file.read(info.compress_size)
        stored = info.compress_type == ZIP_STORED
        data = packed if stored else zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, info.file_size + 1)
    except (OSError, ValueError, zlib.error):
        return None
    return data if len(data) == info.file_size and zlib.crc32(data) == info.CRC else None


def _faults(listed: Sequence[ZipInfo], limits: Limits) -> Iterator[str]:
    """Why an archive is not used: the reasons, from what is read of it without unpacking anything."""
    if len(listed) > limits.pack_files:
        yield f"it holds {len(listed):,} files, more than {limits.pack_files:,}"
        return
    seen: dict[str, str] = {}
    folders: dict[str, str] = {}
    for info in listed:
        yield from _bad_name(info, limits)
        name = info.filename.rstrip("/")
        folded = unicodedata.normalize("NFC", name).casefold()
        if folded in seen and not (info.is_dir() and seen[folded] == info.filename):
            same = "stands in it twice" if seen[folded].rstrip("/") == name else f"and `{seen[folded]}` are one name on some machines"
            yield f"`{name}` {same}"
        seen[folded] = info.filename
        parts = name.split("/")
        for depth in range(1, len(parts)):
            folder = "/".join(parts[:depth])
            known = folders.setdefault(unicodedata.normalize("NFC", folder).casefold(), folder)
            if known != folder:
                yield f"`{folder}` and `{known}` are one name on some machines"
    yield from (f"`{seen[folded]}` is a file and a folder" for folded in folders if folded in seen and not seen[folded].endswith("/"))
    yield from _bad_sizes(listed, limits)


def _bad_name(info: ZipInfo, limits: Limits) -> Iterator[str]:
    name = info.filename
    kind = stat.S_IFMT(info.external_attr >> 16)
    if name != info.orig_filename:
        yield f"the name `{info.orig_filename}` has characters that no file of a pack may have"
    elif bad := bad_name(name, limits):
        yield bad
    elif kind and kind not in (stat.S_IFREG, stat.S_IFDIR):
        yield f"`{name}` is a link or a device, and no file"
    elif info.flag_bits & _ENCRYPTED:
        yield f"`{name}` is locked with a password"
    elif info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        yield f"`{name}` is packed in a way that is not read here; `stored` and `deflated` are"


def _bad_sizes(listed: Sequence[ZipInfo], limits: Limits) -> Iterator[str]:
    for info in listed:
        if info.file_size > limits.pack_file_bytes:
            yield f"`{info.filename}` has {info.file_size:,} bytes, more than {limits.pack_file_bytes:,}"
        if info.file_size > _SMALL and info.file_size > info.compress_size * limits.pack_ratio:
            yield f"`{info.filename}` grows to more than {limits.pack_ratio} times its size"
    total = sum(info.file_size for info in listed)
    if total > limits.pack_bytes:
        yield f"its files have {total:,} bytes together, more than {limits.pack_bytes:,}"

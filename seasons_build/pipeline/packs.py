"""Packs locked, bundled and compared, of a project that was read.

In: a `Project` and names of packs. Out: results: archives by file name, or what a lock keeps; and what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.files import read_inside
from seasons_build.core.limits import DEFAULT
from seasons_build.core.span import Span
from seasons_build.load import load
from seasons_build.packs import LOCK, Pinned, archive_name, bundle, compared, pinned, written
from seasons_build.pipeline.read import Project
from seasons_build.save import save
from seasons_build.sources import CannotRead, refusal

__all__ = ["LOCK", "compare_packs", "from_elsewhere", "lock_packs", "locked", "save_archives"]


def from_elsewhere(project: Project) -> tuple[str, ...]:
    """The packs that are used and are none of the project's own, by id."""
    return tuple(sorted(pack.id for pack in project.library.packs.values() if not pack.own))


def save_archives(project: Project, packs: Iterable[str], folder: str) -> Result[tuple[str, ...]]:
    """Writes an archive of each pack into a folder below the project's own; gives the names of the files.

    Codes: E100 (a file cannot be read), E320 (a pack that no archive can hold), E761 (the archive cannot be written).
    """
    made: dict[str, bytes] = {}
    found: list[Diagnostic] = []
    for pack in packs:
        result = _archive(project, pack)
        found += result.diagnostics
        if result.value is not None:
            made[f"{folder}{archive_name(pack, project.library.packs[pack].version)}"] = result.value
    if not found:
        found += save(project.root, made, new=False)
    return Result(() if found else tuple(made), tuple(found))


def lock_packs(project: Project) -> tuple[Diagnostic, ...]:
    """Writes the lock. Codes: E100, E320, E761."""
    now = _now(project)
    return now.diagnostics or save(project.root, {LOCK: written(now.value)}, new=False)


def locked(project: Project) -> bytes | None:
    """The lock as it was typed; None where there is none in the project that can be read."""
    try:
        return read_inside(project.root, LOCK, DEFAULT.file_bytes + 1)
    except OSError:
        return None


def compare_packs(project: Project) -> tuple[Diagnostic, ...]:
    """Where the packs that are here are not those of the lock. Codes: E321 to E324, W320."""
    raw = locked(project)
    if raw is None:
        hint = "`seasons pack lock` writes it"
        return (Diagnostic("E324", f"there is no `{LOCK}` to compare with", Span(LOCK, 1, 1, 1, 1), (hint,)),)
    read = load(LOCK, raw)
    now = _now(project)
    if read.value is None or now.diagnostics:
        return (*read.diagnostics, *now.diagnostics)
    return (*read.diagnostics, *compared(read.value, now.value))


def _now(project: Project) -> Result[Mapping[str, Pinned]]:
    found: list[Diagnostic] = []
    made: dict[str, Pinned] = {}
    for pack in from_elsewhere(project):
        result = _archive(project, pack)
        found += result.diagnostics
        if result.value is not None:
            made[pack] = pinned(project.library.packs[pack].version, result.value)
    return Result(made, tuple(found))


def _archive(project: Project, pack: str) -> Result[bytes | None]:
    sources = project.sources
    files: dict[str, bytes] = {}
    for inner, name in sources.inside(pack):
        if inner in files:
            message = f"`{pack}` has two files for `{inner}`: in the project's folder, and in its own"
            return Result(None, (Diagnostic("E320", message, Span(name, 1, 1, 1, 1), ("take one of the two away",)),))
        try:
            files[inner] = sources.read(name)
        except CannotRead as error:
            return Result(None, (Diagnostic("E100", f"`{name}` cannot be read: {error.why}", Span(name, 1, 1, 1, 1)),))
    data = bundle(files)
    why = refusal(data)
    if why:
        message = f"no archive can hold the pack `{pack}`: {why}"
        return Result(None, (Diagnostic("E320", message, Span(f"{sources.packs[pack].folder}pack.yaml", 1, 1, 1, 1)),))
    return Result(data)

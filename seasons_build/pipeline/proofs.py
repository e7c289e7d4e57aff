"""What is done beside a build with what is printed: written files held against a profile, and a page to measure a printer by.

In: folders and files as named on the command line. Out: diagnostics, or the bytes of a PDF; nothing here prints.
"""

from __future__ import annotations

from pathlib import Path

from seasons_build.core.diagnostic import Diagnostic, Result, errors
from seasons_build.core.files import read_regular, reason_of
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.profile import Wishes
from seasons_build.finish import verify_apart
from seasons_build.impose import link
from seasons_build.impose.align import alignment
from seasons_build.pipeline.printing import printing_of
from seasons_build.pipeline.themes import read_papers, read_profile
from seasons_build.sources import open_sources

LARGEST = 512 * 1024 * 1024
"""Bytes of the files that are looked at."""


def verify_file(
    project: Path | None, extra: tuple[Path, ...], path: Path, profile: str, limits: Limits = DEFAULT
) -> tuple[Diagnostic, ...]:
    """What is not as the profile says in a file, or in a folder of files that belong together."""
    sources, _ = open_sources(project, extra)
    papers, read = read_papers(sources, limits), read_profile(sources, profile, limits)
    told = (*papers.diagnostics, *read.diagnostics)
    if read.value is None or errors(told):
        return told
    paths = sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith(".")) if path.is_dir() else [path]
    if not paths:
        return (*told, Diagnostic("E725", f"expected files in `{path.name}`, found none"))
    if read.value.makes == "table" and not path.is_dir():
        paths = sorted(p for p in path.parent.iterdir() if p.suffix in (".png", ".json"))
    files: dict[str, bytes] = {}
    left = LARGEST
    for each in paths:
        try:
            files[each.name] = read_regular(each, left + 1)
        except OSError as error:
            return (*told, Diagnostic("E725", f"`{each.name}` cannot be read: {reason_of(error)}"))
        left -= len(files[each.name])
        if left < 0:
            return (*told, Diagnostic("E725", f"`{path.name}` has more than {LARGEST >> 20} MB, and nothing larger is looked at"))
    return (*told, *verify_apart(files, path.is_dir(), read.value, papers.value, limits))


def alignment_page(project: Path | None, extra: tuple[Path, ...], wishes: Wishes, limits: Limits = DEFAULT) -> Result[bytes | None]:
    """A PDF of two pages, front and back, that shows by how much a printer misses on this paper."""
    sources, _ = open_sources(project, extra)
    papers = read_papers(sources, limits)
    printing = printing_of(sources, wishes, papers.value, limits)
    if printing.value is None:
        return Result(None, printing.diagnostics)
    pages = alignment(printing.value.paper, wishes.flip or "long", wishes.back_offset)
    return Result(link(pages, {}, title="Alignment"), printing.diagnostics)

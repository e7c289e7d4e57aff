"""Files that a command was asked to write as its answer: pictures of odds, tables, a page to measure a printer by.

In: where, and the bytes. Out: what was in the way. What a project is made of is never written over.
"""

from __future__ import annotations

import os
from pathlib import Path

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.save import save
from seasons_build.sources import AREAS, open_sources


def answer(project: Path | None, packs: tuple[Path, ...], out: Path, data: bytes) -> tuple[Diagnostic, ...]:
    """Writes a file, whole or not at all.

    Codes: E761 (it cannot be written, or stands where the files of a project do).
    """
    place = Path(os.path.realpath(out))
    root = open_sources(project, packs)[1]
    for area in (*(root / area for area in AREAS), *packs):
        if place.is_relative_to(os.path.realpath(area)):
            hint = "choose a place outside of it"
            return (Diagnostic("E761", f"`{out}` is not written: `{area.name}` holds what the project is made of", None, (hint,)),)
    return save(out.parent, {out.name: data}, new=False)

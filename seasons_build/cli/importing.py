"""What takes in filled sheets: a part of import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from seasons_build.cli.talk import code_of, write, write_safe
from seasons_build.pipeline.author import Desk
from seasons_build.report import render

Where = tuple[Path | None, tuple[Path, ...]]


def _sheet(where: Where, raw: bytes, kind: str) -> int:
    from seasons_build.pipeline.imports import import_sheet

    imported = import_sheet(Desk(*where), raw, kind)
    if imported.text:
        write(imported.text.rstrip("\n"))
    if imported.diagnostics:
        write_safe(render(imported.diagnostics, "text", lambda name: None))
    return code_of(imported.diagnostics)


READERS: Mapping[str, Callable[[Where, bytes, str], int]] = {".pdf": _sheet}
"""What reads a file of one entry, by its ending."""

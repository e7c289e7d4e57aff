"""Fonts left uncut in the PDF of a face: what is taken of it is their names and glyphs, never their files.

In goes a set of font files; while a document is written inside, those that are among them are not cut down to the glyphs in use.

This replaces one method of WeasyPrint 70.0, `Font.subset`; a test takes the same face apart with it and without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from weasyprint.pdf.fonts import Font

_uncut: list[Collection[bytes]] = []
_cut = Font.subset


@contextmanager
def uncut(files: Collection[bytes]) -> Iterator[None]:
    """Around the writing of one document."""
    _uncut.append(files)
    try:
        yield
    finally:
        _uncut.pop()


def _subset(font: Any, to_unicode: Any, hinting: Any) -> None:
    if not _uncut or font.file_content not in _uncut[-1]:
        _cut(font, to_unicode, hinting)


Font.subset = _subset

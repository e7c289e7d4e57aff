"""Where something stands in a file that a writer edits."""

from __future__ import annotations

from typing import TypeAlias

from seasons_build.core.named import NamedTuple

Path: TypeAlias = tuple[str | int, ...]
"""The way to a value inside a document: keys of maps and positions in lists."""


class Span(NamedTuple):
    """A stretch of a file. Lines and columns start at 1 and count characters; the end is just past the last one."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

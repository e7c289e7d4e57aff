"""Stage: what was typed elsewhere becomes entries: the rows of a spreadsheet.

In: a file's name and bytes, the kind of its entries. Out: a document like that of a YAML file, whose places lead into the file that was
read, so that a fault is told at row and column. The ending of the file's name says who reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from seasons_build.core.diagnostic import Result
from seasons_build.core.document import Document
from seasons_build.core.kind import Kind
from seasons_build.intake.spreadsheet import read_rows
from seasons_build.language.cells import Plain

Reader: TypeAlias = Callable[[str, bytes, Kind, Plain], Result[Document | None]]

READERS: Mapping[str, Reader] = {".csv": read_rows, ".tsv": read_rows}
"""Who reads a file, by the ending of its name."""

"""The files of a project, parsed one after the other as they are asked for, and what is gathered meanwhile (part of read).

In: sources, and what parses a file. Out: documents, the texts that diagnostics may point into, and what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from seasons_build.core.diagnostic import Diagnostic, Result, errors
from seasons_build.core.document import Document
from seasons_build.core.limits import DEFAULT
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Span
from seasons_build.pipeline.again import Again
from seasons_build.sources import CannotRead, Sources

Parse: TypeAlias = Callable[[str, bytes], Result[Document | None]]
"""Makes a document of the name and the bytes of a file."""


LACKING = ("E206", "E210")
"""What may be said wrongly of a file that was not read to its end."""


@dataclass(slots=True)
class Reading:
    """What is gathered while files are read."""

    sources: Sources
    parse: Parse
    again: Again
    found: list[Diagnostic] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    most: int = DEFAULT.project_bytes
    size: int = 0

    def document(self, name: str) -> tuple[Document | None, bool]:
        """A file parsed, and whether it is without an error."""
        try:
            raw = self.sources.read(name)
        except CannotRead as error:
            self.found.append(Diagnostic("E100", f"`{name}` cannot be read: {error.why}", Span(name, 1, 1, 1, 1)))
            return None, False
        self.size += len(raw)
        if self.size > self.most:
            if self.size - len(raw) <= self.most:
                message = f"with this file, the project has more than {self.most // 2**20} MiB of content, and nothing more is read"
                self.found.append(Diagnostic("E681", message, Span(name, 1, 1, 1, 1), ("leave packs out that are not needed",)))
            return None, False
        text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
        result = self.parse(name, raw)
        known = result.value.source if result.value is not None else None
        shown = "" if "\0" in text else text  # of what is no text, no line is shown
        self.texts[name] = known if known == shown else shown  # what is the same is held once
        self.found += result.diagnostics
        return result.value, not errors(result.diagnostics)


def certain(file: str | None, faults: Iterable[Diagnostic], found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Of the faults in a file that was not read well, those that come of nothing else: nothing is said to be missing in it, and nothing of
    what stands where it went wrong."""
    wrong = [d.span.line for d in found if d.span and d.span.file == file and d.severity == "error"]
    for fault in faults:
        span = fault.span
        if fault.code not in LACKING and not (span and any(span.line <= line <= span.end_line for line in wrong)):
            yield fault

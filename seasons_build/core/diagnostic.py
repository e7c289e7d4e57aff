"""What a stage has to say to an author: the record, and nothing about how it is printed."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Generic, Literal, TypeAlias, TypeVar

from seasons_build.core.record import dataclass
from seasons_build.core.span import Span

Severity: TypeAlias = Literal["error", "warning", "note"]
T_co = TypeVar("T_co", covariant=True)

_SEVERITY: dict[str, Severity] = {"E": "error", "W": "warning", "N": "note"}


@dataclass(frozen=True, slots=True)
class Trace:
    """A second place that belongs to a diagnostic, with what is to be seen there."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `code` is a letter (E, W or N: error, warning, note) and three digits; each code has a page in `pages/`.

    The message is lower case, has no full stop, says what was expected and what was found, with names in backticks. Advice stands in
    `hints` alone. `span` is None only where no file is at fault (a missing program, a full disk).
    """

    code: str
    message: str
    span: Span | None = None
    hints: tuple[str, ...] = ()
    trace: tuple[Trace, ...] = ()
    rests_on: tuple[tuple[str, str, str], ...] = ()
    """The entries (pack, kind and id) that it rests on: where one of them is at fault itself, this follows from that and is not told."""

    @property
    def severity(self) -> Severity:
        return _SEVERITY[self.code[0]]


@dataclass(frozen=True, slots=True)
class Result(Generic[T_co]):
    """What a stage gives: its value and what it has to say. The value is usable even where there are errors."""

    value: T_co
    diagnostics: tuple[Diagnostic, ...] = ()


def apart_from(diagnostics: Iterable[Diagnostic], faulty: Container[tuple[str, str, str]]) -> list[Diagnostic]:
    """The diagnostics without those that follow from a fault in an entry, which is told there."""
    return [d for d in diagnostics if not any(key in faulty for key in d.rests_on)]


def errors(diagnostics: tuple[Diagnostic, ...] | list[Diagnostic]) -> bool:
    """Whether any of them is an error."""
    return any(d.severity == "error" for d in diagnostics)

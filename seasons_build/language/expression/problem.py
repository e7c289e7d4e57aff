"""What is wrong with an expression, placed by offsets into its text (library: expression)."""

from __future__ import annotations

from typing import Generic, NoReturn, TypeVar

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document
from seasons_build.core.named import NamedTuple
from seasons_build.core.record import dataclass
from seasons_build.core.span import Path

T_co = TypeVar("T_co", covariant=True)

_QUOTED = 60


class Problem(NamedTuple):
    """One finding. `start` and `end` count characters of the expression's text from 0; the rest is as in a Diagnostic."""

    code: str
    message: str
    start: int
    end: int
    hints: tuple[str, ...] = ()

    def located(self, document: Document, path: Path, shift: int = 0) -> Diagnostic:
        """The same finding in the file: the expression is the text at `path`, from its character `shift` on."""
        return Diagnostic(self.code, self.message, document.inside(path, shift + self.start, shift + self.end), self.hints)


@dataclass(frozen=True, slots=True)
class Found(Generic[T_co]):
    """What came out, None where an error stands in the way, and every problem in the order of the text."""

    value: T_co | None
    problems: tuple[Problem, ...] = ()


class Failure(Exception):
    """Carries a problem out of the middle of the work to the one place that returns it; leaves this package nowhere."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def quoted(text: str) -> str:
    """A writer's words in backticks, cut where they are long."""
    return f"`{text if len(text) <= _QUOTED else text[: _QUOTED - 1] + '…'}`"


def refuse(code: str, message: str, start: int, end: int, *hints: str) -> NoReturn:
    """Leaves the work with a problem; hints that are empty are dropped."""
    raise Failure(Problem(code, message, start, end, tuple(hint for hint in hints if hint)))

"""What is wrong with a roll, placed by its path below `rolls:` (language library: dice)."""

from __future__ import annotations

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path


class RollProblem(NamedTuple):
    """One finding. `path` leads from `rolls:` down, so that its first step is the id of a roll. What is wrong with an argument that
    somebody gave has an empty path, and the name of the argument.

    `start` and `end` count characters of the text there, from 0; without them the whole value is meant, or its key where `key` is set.
    """

    code: str
    message: str
    path: Path
    start: int | None = None
    end: int | None = None
    hints: tuple[str, ...] = ()
    key: bool = False
    argument: str = ""

    def located(self, document: Document, rolls: Path = ("rules", "rolls")) -> Diagnostic:
        """The same finding in the file in which the roll stands; `rolls` leads there to the map of rolls."""
        path = (*rolls, *self.path)
        if self.start is not None and self.end is not None:
            span = document.inside(path, self.start, self.end)
        else:
            span = document.key_span(path) if self.key else document.span(path)
        return Diagnostic(self.code, self.message, span, self.hints)


class Refused(Exception):
    """A roll that cannot be worked out with these arguments: the problem says why, and where the cause stands."""

    def __init__(self, problem: RollProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem

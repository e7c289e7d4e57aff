"""Text to something that runs (library: expression): every name resolved and every type checked before anything is worked out."""

from __future__ import annotations

from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.named import NamedTuple
from seasons_build.language.expression.arithmetic import Run
from seasons_build.language.expression.calls import CallChecker
from seasons_build.language.expression.checks import Use
from seasons_build.language.expression.problem import Failure, Found, Problem
from seasons_build.language.expression.syntax import parse
from seasons_build.language.expression.tree import Node
from seasons_build.language.expression.types import Env, Scope, Type, Value


class Compiled(NamedTuple):
    """An expression ready to run. `reads` are the names it reads, as written; `uses` are all its other dependencies, in the order of the
    text; `steps` is what it costs before what it reads of each entry."""

    text: str
    type: Type
    tree: Node
    reads: frozenset[str]
    uses: tuple[Use, ...]
    steps: int
    closure: Run
    spare: int

    def run(self, env: Env) -> Value | Problem:
        """The value for what `env` holds, or the problem met on the way. Exceptions of the Env itself pass through."""
        try:
            return self.closure(env, [self.spare])
        except Failure as failure:
            return failure.problem


def compile_expression(text: str, scope: Scope, want: Type | None = None, limits: Limits = DEFAULT) -> Found[Compiled]:
    """A checked expression of the wanted type; without one, of whatever type it has. Numbers are taken where dice are wanted.

    Warnings come with a value, errors without one.
    """
    parsed = parse(text, limits)
    if parsed.value is None:
        return Found(None, parsed.problems)
    problems: list[Problem] = []
    checker = CallChecker(text, scope, limits, problems)
    piece = checker.wanted(parsed.value, want)
    if piece.steps > limits.expression_steps:
        problems.append(Problem("E433", f"the expression takes more than {limits.expression_steps:,} steps", 0, len(text)))
    ordered = tuple(sorted(problems, key=lambda problem: (problem.start, problem.end, problem.code)))
    if any(problem.code.startswith("E") for problem in ordered):
        return Found(None, ordered)
    spare = limits.expression_steps - piece.steps
    reads, uses = frozenset(checker.reads), tuple(checker.uses)
    return Found(Compiled(text, piece.type, parsed.value, reads, uses, piece.steps, piece.run, spare), ordered)

"""Whether a condition stays true once it is true (library: expression).

What decides a grant may itself be changed by grants. Worked out to a fixed point, the result does not depend on any order as long as no
condition turns false when more is taken. `monotone` proves that by form: each part of the condition may only rise, or only fall, or not
change at all, as more entries are taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from seasons_build.language.expression import tree
from seasons_build.language.expression.compile import Compiled
from seasons_build.language.expression.problem import Problem, quoted
from seasons_build.language.expression.tree import Node

Way: TypeAlias = Literal["rises", "falls"]

_OTHER: dict[Way, Way] = {"rises": "falls", "falls": "rises"}

_UPPER = ("<", "<=")
_LOWER = (">", ">=")


def monotone(compiled: Compiled, grows: Callable[[str], bool] = lambda name: name.rpartition(".")[2] == "taken") -> tuple[Problem, ...]:
    """The places where a condition could turn from true to false when more is taken; none where it cannot.

    `grows` says of a name that it rises with what is taken; all other names are held not to change with it.
    """
    problems: list[Problem] = []
    _Judge(compiled.text, grows, problems).holds(compiled.tree, "rises")
    return tuple(sorted(problems, key=lambda problem: (problem.start, problem.end)))


class _Judge:
    """Looks at each node with the way in which it may move, and reports the highest one that may move otherwise."""

    __slots__ = ("_grows", "_problems", "_text")

    def __init__(self, text: str, grows: Callable[[str], bool], problems: list[Problem]) -> None:
        self._text, self._grows, self._problems = text, grows, problems

    def _still(self, node: Node) -> bool:
        """Whether nothing in it depends on what is taken."""
        return not any(
            (isinstance(part, tree.Call) and part.function in _GROWING) or (isinstance(part, tree.Name) and self._grows(part.name))
            for part in tree.walk(node)
        )

    def holds(self, node: Node, way: Way) -> None:
        """A node that may move only this way."""
        if self._still(node):
            return
        match node:
            case tree.Not() | tree.Negative():
                self._turned(node, way)
            case tree.Both() | tree.Either():
                for part in node.parts:
                    self.holds(part, way)
            case tree.Compare():
                self._compare(node, way)
            case tree.Choice() if self._still(node.condition):
                self.holds(node.value, way)
                self.holds(node.otherwise, way)
            case tree.Chain():
                self._chain(node, way)
            case tree.Call():
                self._call(node, way)
            case tree.Name() if way == "rises":
                return
            case _:
                self._report(node)

    def _turned(self, node: tree.Not | tree.Negative, way: Way) -> None:
        if way == "rises" and _grows_plainly(node.operand):
            self._report(node)
        else:
            self.holds(node.operand, _OTHER[way])

    def _compare(self, node: tree.Compare, way: Way) -> None:
        if node.operator not in (*_UPPER, *_LOWER):
            self._report(node)
            return
        left: Way = way if node.operator in _LOWER else _OTHER[way]
        before = len(self._problems)
        self.holds(node.left, left)
        self.holds(node.right, _OTHER[left])
        if len(self._problems) > before:
            del self._problems[before:]
            self._report(node)

    def _chain(self, node: tree.Chain, way: Way) -> None:
        if node.steps[0].operator in "+-":
            self.holds(node.first, way)
            for step in node.steps:
                self.holds(step.operand, way if step.operator == "+" else _OTHER[way])
            return
        if any(step.operator == "%" or (step.operator != "*" and not self._still(step.operand)) for step in node.steps):
            self._report(node)
            return
        factors = (node.first, *(step.operand for step in node.steps))
        moving = [factor for factor in factors if not self._still(factor)]
        signs = [_sign(factor) for factor in factors if self._still(factor)]
        if None in signs or (len(moving) > 1 and (signs.count(-1) or any(_sign(factor) != 1 for factor in moving))):
            self._report(node)
            return
        turned = signs.count(-1) % 2 == 1
        for factor in moving:
            self.holds(factor, _OTHER[way] if turned else way)

    def _call(self, node: tree.Call, way: Way) -> None:
        match node.function:
            case "min" | "max" | "floor" | "ceil" | "trunc" | "half":
                for argument in node.arguments:
                    self.holds(argument, way)
            case "abs" if _sign(node.arguments[0]) == 1:
                self.holds(node.arguments[0], way)
            case "has" | "taken" | "highest" if way == "rises" and all(self._still(argument) for argument in node.arguments):
                return
            case "count" if way == "rises":
                for argument in node.arguments[1:]:
                    self.holds(argument, way)
            case "sum" if way == "rises" and _sign(node.arguments[1]) == 1:
                for argument in node.arguments[1:]:
                    self.holds(argument, way)
            case _:
                self._report(node)

    def _report(self, node: Node) -> None:
        text = quoted(self._text[node.start : node.end])
        hint = "ask only for what is there: `has(...)`, `taken(...) >= n`, `count(...) >= n`, joined with `and` and `or`"
        self._problems.append(Problem("E441", f"{text} can turn false again when more is taken", node.start, node.end, (hint,)))


_GROWING = frozenset({"has", "taken", "count", "sum", "highest"})


def _grows_plainly(node: Node) -> bool:
    return isinstance(node, tree.Call) and node.function in _GROWING


def _sign(node: Node) -> int | None:
    """1 for what is never below 0, -1 for what is never above it, by its form; None where neither is sure."""
    match node:
        case tree.Figure():
            return 1
        case tree.Negative():
            inside = _sign(node.operand)
            return None if inside is None else -inside
        case tree.Name() if node.name.rpartition(".")[2] == "taken":
            return 1
        case tree.Call():
            return _call_sign(node)
        case tree.Chain():
            parts = [node.first, *(step.operand for step in node.steps)]
            if all(step.operator in ("+", "*", "/", "//") for step in node.steps) and all(_sign(part) == 1 for part in parts):
                return 1
        case tree.Choice():
            value, otherwise = _sign(node.value), _sign(node.otherwise)
            return value if value == otherwise else None
    return None


def _call_sign(node: tree.Call) -> int | None:
    signs = [_sign(argument) for argument in node.arguments]
    match node.function:
        case "taken" | "count" | "highest" | "size" | "abs":
            return 1
        case "max":
            return 1 if 1 in signs else None
        case "min":
            return 1 if all(sign == 1 for sign in signs) else None
        case "floor" | "ceil" | "trunc" | "half":
            return signs[0]
        case "sum":
            return signs[1]
    return None

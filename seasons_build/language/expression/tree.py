"""The tree of an expression, and its text again (library: expression).

Nodes compare by what they mean; `start` and `end` (offsets into the text, the end just past the last character) do not count. A chain of
operators of one rank is one node, however long, so the depth of a tree is never more than the depth its writer nested.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from seasons_build.core.dice_amount import figure
from seasons_build.core.document import Number
from seasons_build.core.record import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as typed, exact, never negative."""

    value: Number
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Truth:
    """`true` or `false`."""

    value: bool
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Word:
    """A word in quotes."""

    value: str
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice with both their numbers: `2d6`."""

    count: int
    faces: int
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A name, its dots included."""

    name: str
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Negative:
    """`-` before a number."""

    operand: Node
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """`not` before a condition."""

    operand: Node
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Step:
    """One operator of a chain and what stands right of it; `at` is where the operator stands."""

    operator: str
    operand: Node
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Chain:
    """`+` and `-`, or `*`, `/`, `//` and `%`, worked out from left to right."""

    first: Node
    steps: tuple[Step, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """One comparison; `at` is where its operator stands."""

    operator: str
    left: Node
    right: Node
    at: int = field(default=0, compare=False)
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Both:
    """Two or more conditions joined by `and`."""

    parts: tuple[Node, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Either:
    """Two or more conditions joined by `or`."""

    parts: tuple[Node, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """`value if condition else otherwise`."""

    value: Node
    condition: Node
    otherwise: Node
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A function and its arguments; the name is the first characters of its text."""

    function: str
    arguments: tuple[Node, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


Node: TypeAlias = Figure | Truth | Word | Throw | Name | Negative | Not | Chain | Compare | Both | Either | Choice | Call

RANK = {"if": 0, "or": 1, "and": 2, "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4, "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6}
"""How strongly an operator binds; `not` binds as 3 and `-` before a number as 7."""

NOT, COMPARISON, SUM, SIGN, ATOM = 3, 4, 5, 7, 8


def children(node: Node) -> tuple[Node, ...]:
    """The nodes right below one, in the order of the text."""
    match node:
        case Negative() | Not():
            return (node.operand,)
        case Chain():
            return (node.first, *(step.operand for step in node.steps))
        case Compare():
            return (node.left, node.right)
        case Both() | Either():
            return node.parts
        case Choice():
            return (node.value, node.condition, node.otherwise)
        case Call():
            return node.arguments
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it, in the order of the text but for a chain's own place, which is before its parts."""
    pending = [node]
    while pending:
        found = pending.pop()
        yield found
        pending.extend(reversed(children(found)))


def text_of(node: Node) -> str:
    """An expression that reads back as the same tree, with no parentheses that it does not need."""
    return _text(node, 0)


def _text(node: Node, least: int) -> str:
    text, rank = _bare_text(node)
    return f"({text})" if rank < least else text


def _bare_text(node: Node) -> tuple[str, int]:
    match node:
        case Figure():
            return figure(node.value), ATOM
        case Truth():
            return ("true" if node.value else "false"), ATOM
        case Word():
            return (f'"{node.value}"' if "'" in node.value else f"'{node.value}'"), ATOM
        case Throw():
            return f"{node.count}d{node.faces}", ATOM
        case Name():
            return node.name, ATOM
        case Negative():
            return f"-{_text(node.operand, SIGN)}", SIGN
        case Not():
            return f"not {_text(node.operand, NOT)}", NOT
        case Chain():
            rank = RANK[node.steps[0].operator]
            steps = "".join(f" {step.operator} {_text(step.operand, rank + 1)}" for step in node.steps)
            return _text(node.first, rank + 1) + steps, rank
        case Compare():
            return f"{_text(node.left, SUM)} {node.operator} {_text(node.right, SUM)}", COMPARISON
        case Both():
            return " and ".join(_text(part, RANK["and"] + 1) for part in node.parts), RANK["and"]
        case Either():
            return " or ".join(_text(part, RANK["or"] + 1) for part in node.parts), RANK["or"]
        case Choice():
            value, condition = _text(node.value, RANK["or"]), _text(node.condition, RANK["or"])
            return f"{value} if {condition} else {_text(node.otherwise, 0)}", 0
        case Call():
            return f"{node.function}({', '.join(_text(argument, 0) for argument in node.arguments)})", ATOM

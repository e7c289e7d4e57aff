"""Nodes to pieces (library: expression): types checked, closures put together, problems gathered.

This half knows operators; `calls` adds the functions. What holds no name is worked out at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import cast

from seasons_build.core.dice_amount import throw
from seasons_build.core.limits import Limits
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean, in_expressions
from seasons_build.core.regex import regex
from seasons_build.language.expression import amounts, arithmetic, tree
from seasons_build.language.expression.arithmetic import Meter, Run
from seasons_build.language.expression.dice_slips import without_count
from seasons_build.language.expression.functions import FUNCTIONS
from seasons_build.language.expression.problem import Failure, Problem, quoted
from seasons_build.language.expression.tree import Node
from seasons_build.language.expression.types import DICE, NUMBER, TRUTH, UNKNOWN, WORD, Env, Scope, Sort, Type, Value, one_of

_HYPHENATED = regex(r"[a-z0-9_.]*(?:-[a-z][a-z0-9_.]*)+")
_LISTED = 8
_NOBODY = cast(Env, None)


class Use(NamedTuple):
    """Something other than a plain name that an expression reads: a call of `table`, `has`, `taken`, `count`, `sum`, `highest`, `stat`.

    `of` is what is asked for: the table, the kinds, or the ids or stats that the word can be; None where that is known only when it is run.
    `reads` and `uses` are what is read in each entry. `start` and `end` are the offsets of the first argument.
    """

    function: str
    of: tuple[str, ...] | None
    start: int
    end: int
    reads: frozenset[str] = frozenset()
    uses: tuple[Use, ...] = ()


class Piece(NamedTuple):
    """A node, compiled. `known` says that it is `value` always."""

    type: Type
    run: Run
    steps: int = 1
    known: bool = False
    value: Value = None


_SAY_TYPE = "its schema has to say of which one `type` it is"


def never(env: Env, meter: Meter) -> Value:
    raise AssertionError("an expression with an error in it was run")


WRONG = Piece(UNKNOWN, never)


class Checker(ABC):
    """Turns the nodes of one expression into pieces, against one scope; what is read of each entry has a checker of its own."""

    __slots__ = ("limits", "problems", "reads", "scope", "text", "uses")

    def __init__(self, text: str, scope: Scope, limits: Limits, problems: list[Problem]) -> None:
        self.text, self.scope, self.limits, self.problems = text, scope, limits, problems
        self.reads: set[str] = set()
        self.uses: list[Use] = []

    def wanted(self, node: Node, want: Type | None) -> Piece:
        """A node where a type is wanted."""
        piece = self.piece(node)
        if want is None or "unknown" in (want.sort, piece.type.sort):
            return piece
        if want.sort == "dice" and piece.type.sort == "number":
            return self.amount(piece)
        if self.fits(piece, node, want.sort) and want.words is not None and piece.type.words is not None:
            self._all_among(piece.type.words, want.words, node)
        return piece

    @abstractmethod
    def call(self, node: tree.Call) -> Piece:
        """A function, called."""

    # Types

    def problem(self, code: str, message: str, start: int, end: int, *hints: str) -> Piece:
        """Reports a problem; what comes back stands in the place of the piece that could not be made. Empty hints are dropped."""
        self.problems.append(Problem(code, message, start, end, tuple(hint for hint in hints if hint)))
        return WRONG

    def fits(self, piece: Piece, node: Node, *sorts: Sort) -> bool:
        """Whether a piece is of one of the sorts; reported where it is not."""
        found = piece.type.sort
        if found in sorts or found == "unknown":
            return True
        wanted = " or ".join(str(Type(sort)) for sort in sorts)
        hint = _SAY_TYPE if found == "anything" else ""
        if found == "dice":
            hint = "dice have no number before they are thrown"
        elif sorts == ("truth",) and found == "number":
            hint = f"compare it: `{tree.text_of(node)} > 0`" if isinstance(node, tree.Name) else "compare it, as in `> 0`"
        elif "number" in sorts and found == "truth":
            hint = "write `1 if condition else 0`"
        self.problem("E416", f"expected {wanted}, found {piece.type}", node.start, node.end, hint)
        return False

    def _all_among(self, words: Iterable[str], allowed: frozenset[str], node: Node) -> None:
        for word in sorted(words):
            if word not in allowed:
                message = f"expected {listed(allowed)}, found {quoted(word)}"
                self.problem("E417", message, node.start, node.end, *did_you_mean(word, allowed))

    def made(self, of: Type, run: Run, *parts: Piece) -> Piece:
        """A piece made of others; worked out now where nothing in it can change."""
        steps = 1 + sum(part.steps for part in parts)
        if any(part.type.sort == "unknown" for part in parts):
            return Piece(of, never, steps)
        if not all(part.known for part in parts):
            return Piece(of, run, steps)
        try:
            value = run(_NOBODY, [self.limits.expression_steps])
        except Failure as failure:
            self.problems.append(failure.problem)
            return WRONG
        return Piece(of, arithmetic.constant(value), steps, True, value)

    def amount(self, piece: Piece) -> Piece:
        """A number as an amount; an amount as it is."""
        return piece if piece.type.sort == "dice" else self.made(DICE, amounts.as_amount(piece.run), piece)

    # Nodes

    def piece(self, node: Node) -> Piece:
        """A node, compiled."""
        match node:
            case tree.Name():
                return self._name(node)
            case tree.Figure():
                return Piece(NUMBER, arithmetic.constant(node.value), 1, True, node.value)
            case tree.Call():
                return self.call(node)
            case tree.Chain():
                return self._chain(node)
            case tree.Compare():
                return self._compare(node)
            case tree.Choice():
                return self._choice(node)
            case tree.Both() | tree.Either():
                parts = [self.condition(part) for part in node.parts]
                join = arithmetic.both if isinstance(node, tree.Both) else arithmetic.either
                return self.made(TRUTH, join([part.run for part in parts]), *parts)
            case tree.Not():
                part = self.condition(node.operand)
                return self.made(TRUTH, arithmetic.opposite(part.run), part)
            case tree.Negative():
                return self._negative(node)
            case tree.Word():
                return Piece(one_of((node.value,)), arithmetic.constant(node.value), 1, True, node.value)
            case tree.Throw():
                thrown = throw(node.count, node.faces)
                return Piece(DICE, arithmetic.constant(thrown), 1, True, thrown)
            case tree.Truth():
                return Piece(TRUTH, arithmetic.constant(node.value), 1, True, node.value)

    def _name(self, node: tree.Name) -> Piece:
        found = self.scope.type_of(node.name)
        if found is None:
            return self.problem("E411", f"unknown name {quoted(node.name)}", node.start, node.end, *self._meant(node))
        self.reads.add(node.name)
        return Piece(found, arithmetic.named(node.name))

    def _meant(self, node: tree.Name) -> tuple[str, ...]:
        name = node.name
        if self.scope.table(name) is not None:
            return (f"`{name}` is a table: `table({name}, key)`",)
        if name in written(self.scope.kinds()):
            return (f"`{name}` is a kind: `count({name})`",)
        if dice := without_count(name):
            return (dice,)
        hyphenated = _HYPHENATED.match(self.text, node.start)
        if hyphenated and self.scope.type_of(whole := in_expressions(hyphenated[0])) is not None:
            return (f"`-` is minus: write `{whole}`",)
        near = did_you_mean(name, self.scope.names())
        if not near and name in FUNCTIONS:
            return (f"`{name}` is a function: `{FUNCTIONS[name].signature}`",)
        return near

    def condition(self, node: Node) -> Piece:
        """A node where true or false is wanted."""
        piece = self.piece(node)
        return piece if self.fits(piece, node, "truth") else WRONG

    def number(self, node: Node) -> Piece:
        """A node where a number is wanted."""
        piece = self.piece(node)
        return piece if self.fits(piece, node, "number") else WRONG

    def _numeric(self, node: Node) -> Piece:
        piece = self.piece(node)
        return piece if self.fits(piece, node, "number", "dice") else WRONG

    def _negative(self, node: tree.Negative) -> Piece:
        part = self._numeric(node.operand)
        make = amounts.negative_amount if part.type.sort == "dice" else arithmetic.negative
        return self.made(part.type, make(part.run), part)

    def _chain(self, node: tree.Chain) -> Piece:
        first = self._numeric(node.first)
        parts = [self._numeric(step.operand) if step.operator in "+-*" else self.number(step.operand) for step in node.steps]
        dice = first.type.sort == "dice"
        for step, part in zip(node.steps, parts, strict=True):
            if step.operator in ("/", "//", "%") and part.known and part.value == 0:
                self.problem("E431", "this divides by zero", step.at, step.at + len(step.operator))
                return WRONG
            if step.operator in ("//", "%") and dice:
                hint = "write `floor(dice / number)`" if step.operator == "//" else ""
                message = f"expected a number left of `{step.operator}`, found dice"
                return self.problem("E416", message, step.at, step.at + len(step.operator), hint)
            dice = dice or part.type.sort == "dice"
        if not dice:
            steps = [(step.operator, part.run, step.at) for step, part in zip(node.steps, parts, strict=True)]
            return self.made(NUMBER, arithmetic.chained(first.run, steps, self.limits.number), first, *parts)
        first, *parts = (self.amount(part) for part in (first, *parts))
        steps = [(step.operator, part.run, step.at) for step, part in zip(node.steps, parts, strict=True)]
        return self.made(DICE, amounts.chained_amounts(first.run, steps, self.limits), first, *parts)

    def _compare(self, node: tree.Compare) -> Piece:
        if (unquoted := self._unquoted(node.left, node.right) or self._unquoted(node.right, node.left)) is not None:
            return unquoted
        left, right = self.piece(node.left), self.piece(node.right)
        a, b = left.type, right.type
        if "dice" in (a.sort, b.sort):
            side = node.left if a.sort == "dice" else node.right
            hint = "dice are thrown anew each time they are named: give the throw a name, as a die of the roll, and compare that"
            return self.problem("E418", "expected a number to compare, found dice", side.start, side.end, hint)
        if "unknown" in (a.sort, b.sort):
            return Piece(TRUTH, never)
        if a.sort != b.sort or a.sort in ("list", "anything"):
            hint = _SAY_TYPE if "anything" in (a.sort, b.sort) else ""
            return self.problem("E416", f"expected two values that can be compared, found {a} and {b}", node.start, node.end, hint)
        if a.sort != "number" and node.operator not in ("==", "!="):
            message = f"expected numbers around `{node.operator}`, found {a} and {b}"
            return self.problem("E416", message, node.at, node.at + len(node.operator), "words are compared with `==` and `!=`")
        if not (left.known and right.known):
            left, right = self.among(left, node.left, b), self.among(right, node.right, a)
        piece = self.made(TRUTH, arithmetic.compared(node.operator, left.run, right.run), left, right)
        if piece.known:
            message = f"this comparison is always {'true' if piece.value else 'false'}"
            self.problem("W421", message, node.start, node.end)
        return piece

    def _unquoted(self, side: Node, other: Node) -> Piece | None:
        """A word that stands in a comparison without its quotes."""
        if not isinstance(side, tree.Name) or not isinstance(other, tree.Name) or self.scope.type_of(side.name) is not None:
            return None
        compared = self.scope.type_of(other.name)
        if compared is None or compared.sort != "word":
            return None
        hint = f"words stand in quotes: `'{side.name}'`"
        return self.problem("E411", f"unknown name {quoted(side.name)}", side.start, side.end, hint)

    def among(self, piece: Piece, node: Node, other: Type) -> Piece:
        """A word in quotes that is compared with one of a closed set: it has to be in it; an id may be written with `_`."""
        if not isinstance(node, tree.Word) or other.words is None or node.value in other.words:
            return piece
        for word in sorted(other.words):
            if in_expressions(word) == node.value:
                return Piece(one_of((word,)), arithmetic.constant(word), 1, True, word)
        self._all_among((node.value,), other.words, node)
        return WRONG

    def _choice(self, node: tree.Choice) -> Piece:
        value, condition, otherwise = self.piece(node.value), self.condition(node.condition), self.piece(node.otherwise)
        a, b = value.type, otherwise.type
        if {a.sort, b.sort} == {"number", "dice"}:
            value, otherwise = self.amount(value), self.amount(otherwise)
        elif "unknown" not in (a.sort, b.sort) and a.sort != b.sort:
            message = f"expected one sort of value on both sides of `if ... else`, found {a} and {b}"
            return self.problem("E416", message, node.start, node.end)
        of = value.type if b.sort == "unknown" else otherwise.type
        if of.sort == "word" and a.sort == b.sort:
            of = WORD if a.words is None or b.words is None else one_of(a.words | b.words)
        return self.made(of, arithmetic.choice(value.run, condition.run, otherwise.run), condition, value, otherwise)


def written(kinds: Iterable[str]) -> dict[str, str]:
    """The ids of kinds by how they are written in an expression."""
    return {in_expressions(kind): kind for kind in kinds}


def listed(words: Iterable[str]) -> str:
    ordered = sorted(words)
    shown = ", ".join(quoted(word) for word in ordered[:_LISTED])
    return f"one of {shown}{', ...' if len(ordered) > _LISTED else ''}" if len(ordered) > 1 else shown or "no word"

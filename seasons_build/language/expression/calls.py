"""Calls to pieces (library: expression): each function's arguments checked against the table of functions, and its closure."""

from __future__ import annotations

from collections.abc import Callable

from seasons_build.core.limits import Limits
from seasons_build.core.names import did_you_mean, in_expressions
from seasons_build.language.expression import amounts, arithmetic, tree
from seasons_build.language.expression.arithmetic import Run
from seasons_build.language.expression.checks import WRONG, Checker, Piece, Use, never, written
from seasons_build.language.expression.functions import FUNCTIONS, Function
from seasons_build.language.expression.problem import quoted
from seasons_build.language.expression.tree import Node
from seasons_build.language.expression.types import DICE, NUMBER, TRUTH, Sort, Type, one_of


class CallChecker(Checker):
    """Compiles all nodes of one expression."""

    __slots__ = ()

    def call(self, node: tree.Call) -> Piece:
        """A function, called."""
        function = FUNCTIONS.get(node.function)
        end = node.start + len(node.function)
        if function is None:
            hints = did_you_mean(node.function, FUNCTIONS)
            if self.scope.type_of(node.function) is not None:
                hints = (f"`{node.function}` is a value, not a function: an operator is missing after it",)
            for argument in node.arguments:
                if not isinstance(argument, tree.Name):
                    self.piece(argument)
            return self.problem("E412", f"unknown function {quoted(node.function)}", node.start, end, *hints)
        found = len(node.arguments)
        if found < function.fewest or (function.most is not None and found > function.most):
            return self._wrong_count(function, node)
        special = _SPECIAL.get(function.name)
        return special(self, node) if special else self._plain_call(function, node)

    def _wrong_count(self, function: Function, node: tree.Call) -> Piece:
        fewest, most, found = function.fewest, function.most, len(node.arguments)
        wanted = str(fewest) if most == fewest else f"{fewest} or more" if most is None else f"{fewest} to {most}"
        message = f"`{function.name}` takes {wanted} {'argument' if wanted == '1' else 'arguments'}, found {found}"
        self.problem("E415", message, node.start, node.start + len(function.name), f"write `{function.signature}`")
        return WRONG

    def _plain_call(self, function: Function, node: tree.Call) -> Piece:
        """A function that reads nothing but its arguments."""
        parts = []
        for index, argument in enumerate(node.arguments):
            takes = function.parameters[min(index, len(function.parameters) - 1)].takes
            piece = self.piece(argument)
            sorts: tuple[Sort, ...] = ("number", "dice") if takes == "amount" else (_SORTS[takes],)
            parts.append(piece if self.fits(piece, argument, *sorts) else WRONG)
        start, end = node.start, node.start + len(function.name)
        dice = any(part.type.sort == "dice" for part in parts)
        if function.gives == "amount" and dice:
            parts = [self.amount(part) for part in parts]
        runs = [part.run for part in parts]
        of = DICE if function.gives == "dice" or dice else NUMBER
        return self.made(of, _closure(function.name, runs, of is DICE, self.limits, start, end), *parts)

    def _table(self, node: tree.Call) -> Piece:
        name, *keys = node.arguments
        if not isinstance(name, tree.Name):
            message = f"expected the name of a table, found {quoted(self.text[name.start : name.end])}"
            return self.problem("E413", message, name.start, name.end, "a table's name stands without quotes")
        found = self.scope.table(name.name)
        if found is None:
            hints = did_you_mean(name.name, self.scope.tables())
            return self.problem("E413", f"unknown table {quoted(name.name)}", name.start, name.end, *hints)
        wanted = len(found.keys)
        if len(keys) != wanted:
            message = f"table {quoted(name.name)} is read with {wanted} {'key' if wanted == 1 else 'keys'}, found {len(keys)}"
            return self.problem("E415", message, name.start, name.end)
        parts = [self._key(key, of) for key, of in zip(keys, found.keys, strict=True)]
        self.uses.append(Use("table", (name.name,), name.start, name.end))
        return self._asked(found.gives, arithmetic.looked_up(name.name, [part.run for part in parts], name.start, node.end), parts)

    def _key(self, node: Node, of: Type) -> Piece:
        piece = self.piece(node)
        if of.sort == "word" and of.words is not None:
            return self.among(piece, node, of) if self.fits(piece, node, "word") else WRONG
        return piece if self.fits(piece, node, of.sort) else WRONG

    def _asked(self, of: Type, run: Run, parts: list[Piece]) -> Piece:
        """A piece that reads the Env itself, so that it is never known beforehand."""
        return Piece(of, never if any(part.type.sort == "unknown" for part in parts) else run, 1 + sum(part.steps for part in parts))

    def _word(self, node: tree.Call, identifier: bool) -> tuple[Piece, Use]:
        """The word that `has`, `taken` or `stat` asks for; an id in quotes may be written with `_`."""
        (argument,) = node.arguments
        if isinstance(argument, tree.Name) and self.scope.type_of(argument.name) is None:
            hint = f"an id stands in quotes: `{node.function}('{argument.name}')`"
            message = f"unknown name {quoted(argument.name)}"
            hints = did_you_mean(argument.name, self.scope.names()) or (hint,)
            return self.problem("E411", message, argument.start, argument.end, *hints), Use(node.function, None, 0, 0)
        piece = self.piece(argument)
        if not self.fits(piece, argument, "word"):
            piece = WRONG
        elif identifier and isinstance(argument, tree.Word):
            word = argument.value.replace("_", "-")
            piece = Piece(one_of((word,)), arithmetic.constant(word), 1, True, word)
        words = piece.type.words
        return piece, Use(node.function, None if words is None else tuple(sorted(words)), argument.start, argument.end)

    def _has(self, node: tree.Call) -> Piece:
        piece, use = self._word(node, identifier=True)
        self.uses.append(use)
        return self._asked(TRUTH, arithmetic.present(piece.run), [piece])

    def _taken(self, node: tree.Call) -> Piece:
        piece, use = self._word(node, identifier=True)
        self.uses.append(use)
        return self._asked(NUMBER, arithmetic.times_taken(piece.run), [piece])

    def _stat(self, node: tree.Call) -> Piece:
        piece, use = self._word(node, identifier=False)
        self.uses.append(use)
        return self._asked(NUMBER, arithmetic.stat(piece.run, use.start, use.end), [piece])

    def _kind(self, node: Node) -> str | None:
        kinds = written(self.scope.kinds())
        if isinstance(node, tree.Name) and node.name in kinds:
            return kinds[node.name]
        text = self.text[node.start : node.end]
        hints = did_you_mean(text, kinds)
        if in_expressions(meant := text.strip("'\"")) in kinds:
            hints = (f"write `{in_expressions(meant)}`, without quotes and with `_`",)
        self.problem("E414", f"unknown kind {quoted(text)}", node.start, node.end, *hints)
        return None

    def _highest(self, node: tree.Call) -> Piece:
        kinds = tuple(self._kind(argument) or "" for argument in node.arguments)
        self.uses.append(Use("highest", kinds, node.arguments[0].start, node.arguments[-1].end))
        return Piece(NUMBER, arithmetic.most_taken(kinds))

    def _count(self, node: tree.Call) -> Piece:
        return self._each(node, None, node.arguments[1] if len(node.arguments) > 1 else None)

    def _sum(self, node: tree.Call) -> Piece:
        return self._each(node, node.arguments[1], node.arguments[2] if len(node.arguments) > 2 else None)

    def _each(self, node: tree.Call, number: Node | None, condition: Node | None) -> Piece:
        """`count` and `sum`: what stands behind the kind is read in each of its entries."""
        first = node.arguments[0]
        kind = self._kind(first)
        if kind is None:
            return WRONG
        scope = self.scope.inside(kind)
        if scope is None:
            if len(node.arguments) > 1:
                return self.problem("E414", f"nothing can be read in the entries of {quoted(kind)}", first.start, first.end)
            scope = self.scope
        inner = CallChecker(self.text, scope, self.limits, self.problems)
        adds = inner.number(number) if number is not None else None
        holds = inner.condition(condition) if condition is not None else None
        self.uses.append(Use(node.function, (kind,), first.start, first.end, frozenset(inner.reads), tuple(inner.uses)))
        parts = [part for part in (adds, holds) if part is not None]
        steps = 1 + sum(part.steps for part in parts)
        end = node.start + len(node.function)
        which = holds.run if holds else None
        if adds is None:
            run = arithmetic.counted(kind, which, steps, node.start, end)
        else:
            run = arithmetic.totalled(kind, adds.run, which, steps, self.limits.number, node.start, end)
        return self._asked(NUMBER, run, parts)


_SPECIAL: dict[str, Callable[[CallChecker, tree.Call], Piece]] = {
    "table": CallChecker._table,
    "has": CallChecker._has,
    "taken": CallChecker._taken,
    "count": CallChecker._count,
    "sum": CallChecker._sum,
    "highest": CallChecker._highest,
    "stat": CallChecker._stat,
}

_SORTS: dict[str, Sort] = {"number": "number", "dice": "dice", "list": "list", "word": "word"}


def _closure(name: str, runs: list[Run], dice: bool, limits: Limits, start: int, end: int) -> Run:
    """The closure of a function that reads nothing but its arguments."""
    match name:
        case "dice":
            return amounts.thrown(runs[0], runs[1], limits, start, end)
        case "bare":
            return amounts.bare(runs[0], start, end)
        case "size":
            return arithmetic.size(runs[0])
        case "half":
            return amounts.half_amount(runs[0], limits, start, end) if dice else arithmetic.half(runs[0], limits.number, start, end)
        case "min" | "max" | "floor" | "ceil" | "trunc" | "abs":
            return amounts.applied_amount(name, runs, limits, start, end) if dice else arithmetic.applied(name, runs)
    raise AssertionError(name)

"""The exact mean of a value that only adds dice up, however far they explode (language library: dice).

In: the tree of the value, its roll, what is known before the throw, and the means of its dice. Out: the mean, by adding up means; None for
a value that does more than that with a die.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from seasons_build.language.dice.closure import Frame
from seasons_build.language.dice.model import Model
from seasons_build.language.expression import tree
from seasons_build.language.expression.tree import Node

_SIGNS = {"+": 1, "-": -1}


def added_mean(node: Node, model: Model, frame: Frame, die: Callable[[str], Fraction | None]) -> Fraction | None:
    """The mean of `node`; `die` gives that of a die, or None where nobody knows it."""
    total = Fraction(0)
    waiting: list[tuple[Node, int]] = [(node, 1)]
    while waiting:
        part, sign = waiting.pop()
        match part:
            case tree.Chain() if all(step.operator in _SIGNS for step in part.steps):
                waiting.append((part.first, sign))
                waiting += [(step.operand, sign * _SIGNS[step.operator]) for step in part.steps]
            case tree.Negative():
                waiting.append((part.operand, -sign))
            case tree.Name(name=name) if name in model.thrown and (formula := model.thrown[name].formula) is not None:
                waiting.append((formula.node, sign))
            case _:
                mean = _single(part, model, frame, die)
                if mean is None:
                    return None
                total += sign * mean
    return total


def _single(node: Node, model: Model, frame: Frame, die: Callable[[str], Fraction | None]) -> Fraction | None:
    match node:
        case tree.Figure(value=number):
            return Fraction(number)
        case tree.Name(name=name) if name in model.dice:
            return die(name)
        case tree.Name(name=name) if name in model.parameters or name in model.static:
            known = frame[name]
            return Fraction(known) if isinstance(known, int | Fraction) else None
    return None

"""What holds of every expression, tried on generated ones."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

from expression_world import World, amount, is_plain, typed
from hypothesis import example, given, settings
from hypothesis import strategies as st

from seasons_build.core.dice_amount import Amount, Dice, add, apply, fixed, throw, times
from seasons_build.language import expression as ex
from seasons_build.language.expression import tree

_small = settings(derandomize=True, max_examples=300, deadline=None, database=None)

_names = st.sampled_from(["a", "b.c", "level", "pick.taken", "self", "d20", "half", "stated"])
_figures = st.builds(lambda n, k: tree.Figure(_plain(Fraction(n, 10**k))), st.integers(0, 10**6), st.integers(0, 4))
_words = st.builds(tree.Word, st.text("abc-_'é ", max_size=5))
_leaves = st.one_of(
    _figures,
    st.builds(tree.Name, _names),
    _words,
    st.builds(tree.Truth, st.booleans()),
    st.builds(tree.Throw, st.integers(1, 20), st.integers(1, 100)),
)


def _plain(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _larger(inner: st.SearchStrategy[tree.Node]) -> st.SearchStrategy[tree.Node]:
    def steps(operators: list[str]) -> st.SearchStrategy[tuple[tree.Step, ...]]:
        return st.lists(st.builds(tree.Step, st.sampled_from(operators), inner), min_size=1, max_size=4).map(tuple)

    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(tree.Chain, inner, steps(["+", "-"])),
        st.builds(tree.Chain, inner, steps(["*", "/", "//", "%"])),
        st.builds(tree.Compare, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), inner, inner),
        st.builds(tree.Both, several),
        st.builds(tree.Either, several),
        st.builds(tree.Not, inner),
        st.builds(tree.Negative, inner),
        st.builds(tree.Choice, inner, inner, inner),
        st.builds(tree.Call, st.sampled_from(["min", "table", "nonsense"]), st.lists(inner, max_size=3).map(tuple)),
    )


@_small
@given(st.recursive(_leaves, _larger, max_leaves=12))
def test_a_printed_tree_reads_back(node: tree.Node) -> None:
    text = ex.text_of(node)
    found = ex.parse(text)
    assert found.problems == ()
    assert found.value == node
    assert ex.text_of(found.value) == text


@_small
@given(st.recursive(_leaves, _larger, max_leaves=12))
def test_a_node_marks_its_own_text(node: tree.Node) -> None:
    text = ex.text_of(node)
    whole = ex.parse(text).value
    assert whole is not None
    for part in ex.walk(whole):
        assert ex.parse(text[part.start : part.end]).value == part


_GIVEN = {"a": 7, "b": -3, "c": {"number": "5/2"}, "zero": 0, "yes": True, "no": False}
_WORLD = World({name: typed(value) for name, value in _GIVEN.items()})

_PIECES = ["a", "b", "c", "zero", "yes", "no", "1", "2.5", "2d6", "'w'", "+", "-", "*", "/", "//", "%", "<", "==", "and", "or", "not"]
_PIECES += ["if", "else", "(", ")", ",", "min", "floor", "has", "table", "count", "dice", " ", ".", "**", "[", "'", "\u202e", "é", "9" * 20]

_texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(_PIECES), max_size=25).map(" ".join),
    st.lists(st.sampled_from(_PIECES)).map("".join),
)


@_small
@given(_texts)
@example("(" * 1999)
@example("-" * 2000)
@example("not " * 500)
@example("1+" * 999 + "1")
@example("1 if yes else " * 140 + "1")
@example("min(" * 400)
@example("\ud800")
def test_no_text_raises(text: str) -> None:
    found = ex.compile_expression(text, _WORLD, ex.NUMBER)
    problems = list(found.problems)
    if found.value is None:
        assert any(problem.code.startswith("E") for problem in problems)
    else:
        assert found.value.steps <= 2 * len(text) + 2
        result = found.value.run(_WORLD)
        assert isinstance(result, ex.Problem) or is_plain(result)
        problems += [result] if isinstance(result, ex.Problem) else []
    for problem in problems:
        assert 0 <= problem.start < problem.end <= max(1, len(text))
        assert problem.message.isprintable()
        assert not problem.message.endswith(".")


_numbers: st.SearchStrategy[tree.Node] = st.one_of(
    st.builds(tree.Figure, st.integers(0, 6)), st.builds(tree.Name, st.sampled_from(["a", "b", "c", "zero"]))
)


def _numeric(inner: st.SearchStrategy[tree.Node]) -> st.SearchStrategy[tree.Node]:
    def steps(operators: list[str]) -> st.SearchStrategy[tuple[tree.Step, ...]]:
        return st.lists(st.builds(tree.Step, st.sampled_from(operators), inner), min_size=1, max_size=5).map(tuple)

    compared = st.builds(tree.Compare, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), inner, inner)
    simple = st.one_of(compared, st.builds(tree.Name, st.sampled_from(["yes", "no"])))
    pair = st.lists(simple, min_size=2, max_size=4).map(tuple)
    condition = st.one_of(simple, st.builds(tree.Both, pair), st.builds(tree.Either, pair), st.builds(tree.Not, simple))
    return st.one_of(
        st.builds(tree.Chain, inner, steps(["+", "-"])),
        st.builds(tree.Chain, inner, steps(["*", "/", "//", "%"])),
        st.builds(tree.Negative, inner),
        st.builds(tree.Choice, inner, condition, inner),
        st.builds(tree.Call, st.sampled_from(["min", "max"]), st.lists(inner, min_size=2, max_size=4).map(tuple)),
        st.builds(tree.Call, st.sampled_from(["floor", "ceil", "trunc", "half", "abs"]), st.tuples(inner)),
    )


@settings(_small, max_examples=500)
@given(st.recursive(_numbers, _numeric, max_leaves=14))
def test_values_are_those_of_a_slow_reading_from_the_right(node: tree.Node) -> None:
    found = ex.compile_expression(ex.text_of(node), _WORLD, ex.NUMBER)
    if found.value is None:
        assert {problem.code for problem in found.problems} <= {"E431", "E432", "W421"}
        return
    result = found.value.run(_WORLD)
    if isinstance(result, ex.Problem):
        assert result.code in ("E431", "E432")
        if result.code == "E431":
            try:
                _slow(node)
            except ZeroDivisionError:
                return
            raise AssertionError("the slow reading divides by no zero")
        return
    assert is_plain(result)
    assert result == _slow(node)
    assert found.value.run(_WORLD) == result


_OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: Fraction(math.floor(a / b)),
    "%": lambda a, b: a - b * math.floor(a / b),
}

_FUNCTIONS: dict[str, Callable[[list[Fraction]], Fraction]] = {
    "min": min,
    "max": max,
    "floor": lambda n: Fraction(math.floor(n[0])),
    "ceil": lambda n: Fraction(-math.floor(-n[0])),
    "trunc": lambda n: Fraction(math.floor(n[0]) if n[0] > 0 else -math.floor(-n[0])),
    "half": lambda n: n[0] / 2,
    "abs": lambda n: n[0] if n[0] > 0 else -n[0],
}


_COMPARISONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def _slow(node: tree.Node) -> Fraction:
    match node:
        case tree.Figure():
            return Fraction(node.value)
        case tree.Name():
            return Fraction(_WORLD.value(node.name))
        case tree.Negative():
            return -_slow(node.operand)
        case tree.Chain():
            operands = [_slow(part) for part in reversed(tree.children(node))][::-1]
            value = operands[0]
            for step, operand in zip(node.steps, operands[1:], strict=True):
                value = _OPERATIONS[step.operator](value, operand)
            return value
        case tree.Call():
            return _FUNCTIONS[node.function]([_slow(part) for part in reversed(node.arguments)][::-1])
        case tree.Choice():
            return _slow(node.value) if _slowly_holds(node.condition) else _slow(node.otherwise)
    raise AssertionError(node)


def _slowly_holds(node: tree.Node) -> bool:
    match node:
        case tree.Name():
            return bool(_WORLD.value(node.name))
        case tree.Not():
            return not _slowly_holds(node.operand)
        case tree.Both():
            return all(_slowly_holds(part) for part in node.parts)
        case tree.Either():
            return any(_slowly_holds(part) for part in node.parts)
        case tree.Compare():
            right, left = _slow(node.right), _slow(node.left)
            return _COMPARISONS[node.operator](left, right)
    raise AssertionError(node)


_amounts = st.recursive(
    st.one_of(
        st.builds(throw, st.integers(1, 3), st.sampled_from([4, 6, 8])),
        st.builds(lambda n, d: fixed(_plain(Fraction(n, d))), st.integers(-9, 9), st.integers(1, 4)),
    ),
    lambda inner: st.one_of(
        st.builds(add, inner, inner),
        st.builds(times, inner, inner),
        st.builds(lambda a, b: apply("max", (a, b)), inner, inner),
        st.builds(lambda a: apply("ceil", (a,)), inner),
    ),
    max_leaves=8,
)


@_small
@given(_amounts)
def test_an_amount_reads_back_from_its_text(value: Amount) -> None:
    assert amount(str(value)) == value
    assert hash(amount(str(value))) == hash(value)


_formal = st.lists(st.builds(throw, st.integers(1, 3), st.sampled_from([4, 6, 8])), max_size=4).map(lambda dice: sum(dice, Dice()))


@_small
@given(_formal, _formal, st.fractions(-3, 3, max_denominator=4))
def test_dice_add_up_in_any_order(a: Dice, b: Dice, number: Fraction) -> None:
    assert a + b == b + a
    assert add(a, b) == a + b
    assert a + number - number == a
    assert (a + b) * number == a * number + b * number
    assert (a + b).thrown == a.thrown + b.thrown
    assert (a + 3).bare() == a
    assert a - b == -b + a
    assert 1 - a == -(a - 1)
    assert a / 2 == a * Fraction(1, 2)

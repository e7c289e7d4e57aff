"""What callers rely on beside values: dependencies, budgets, places in files, the table of functions."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator

import pytest
from expression_world import World, typed, world

from seasons_build.core.document import Document
from seasons_build.core.limits import DEFAULT
from seasons_build.language import expression as ex

_WORLD = world(
    {
        "names": {"level": 3, "vigor.rank": 2, "family": "x", "which": {"word": "level", "of": ["level", "vigor.rank"]}},
        "tables": {"energy_max": {"keys": ["number"], "rows": {1: 3}}},
        "kinds": {
            "weapon": {"fields": {"drain": 1, "family": "x", "taken": 1, "loud": False}, "entries": [{}, {"drain": 4}]},
            "general-ability": {"fields": {"taken": 1}, "entries": []},
        },
        "groups": {"gear": ["weapon"]},
    }
)


def _compiled(text: str, want: ex.Type | None = None) -> ex.Compiled:
    found = ex.compile_expression(text, _WORLD, want)
    assert found.value is not None, found.problems
    return found.value


def test_names_and_all_other_dependencies_are_listed() -> None:
    text = "level + sum(gear, drain * taken(family), has('shield_wall')) + table(energy_max, vigor.rank) + stat(which)"
    compiled = _compiled(text, ex.NUMBER)
    assert compiled.reads == {"level", "vigor.rank", "which"}
    assert [(use.function, use.of, text[use.start : use.end]) for use in compiled.uses] == [
        ("sum", ("gear",), "gear"),
        ("table", ("energy_max",), "energy_max"),
        ("stat", ("level", "vigor.rank"), "which"),
    ]
    inside = compiled.uses[0]
    assert inside.reads == {"drain", "family"}
    assert [(use.function, use.of, text[use.start : use.end]) for use in inside.uses] == [
        ("taken", None, "family"),
        ("has", ("shield-wall",), "'shield_wall'"),
    ]


def test_kinds_are_given_by_their_ids() -> None:
    (use,) = _compiled("highest(weapon, general_ability)").uses
    assert (use.function, use.of) == ("highest", ("weapon", "general-ability"))


def test_a_problem_is_placed_in_the_file() -> None:
    document = Document("a.yaml", 'base: "1 + vigr"\n', {"base": "1 + vigr"}, ((0, 0, 1, 0), {"base": ((0, 0, 0, 4), (0, 6, 0, 16))}))
    (problem,) = ex.compile_expression("1 + vigr", _WORLD).problems
    found = problem.located(document, ("base",))
    assert (found.code, str(found.span), found.severity) == ("E411", "a.yaml:1:12", "error")
    assert found.span is not None
    assert found.span.end_column == 16


class _Many(Collection[World]):
    """More entries than anybody may read, which tell when they are."""

    def __init__(self, length: int) -> None:
        self.length, self.read = length, 0

    def __len__(self) -> int:
        return self.length

    def __contains__(self, entry: object) -> bool:
        raise AssertionError

    def __iter__(self) -> Iterator[World]:
        for _ in range(self.length):
            self.read += 1
            yield World({"drain": typed(1), "family": typed("x"), "taken": typed(1), "loud": typed(False)})


@pytest.mark.parametrize("text", ["sum(weapon, drain)", "count(weapon, drain > 0)", "sum(weapon, drain * 2, not loud)"])
def test_work_is_refused_before_it_is_done(text: str) -> None:
    entries = _Many(10**9)
    there = World(_WORLD.values, entries={"weapon": entries}, fields=_WORLD.fields)
    result = _compiled(text).run(there)
    assert isinstance(result, ex.Problem)
    assert (result.code, text[result.start : result.end], entries.read) == ("E433", text.partition("(")[0], 0)


def test_counting_alone_reads_no_entry() -> None:
    entries = _Many(10**9)
    assert _compiled("count(weapon)").run(World(entries={"weapon": entries})) == 10**9
    assert entries.read == 0


def test_steps_are_the_same_every_time() -> None:
    entries = _Many(2_400)
    there = World(_WORLD.values, entries={"weapon": entries}, fields=_WORLD.fields)
    compiled = _compiled("sum(weapon, drain * 2)")
    assert [compiled.run(there) for _ in range(3)] == [4_800] * 3
    entries.length = 2_500
    assert isinstance(compiled.run(there), ex.Problem)


def test_an_expression_longer_than_its_budget_is_refused() -> None:
    found = ex.compile_expression("1 + 1 + 1 + 1", _WORLD, None, DEFAULT._replace(expression_steps=4))
    assert [problem.code for problem in found.problems] == ["E433"]


def test_length_and_depth() -> None:
    assert ex.parse("1" + " " * 1_999).problems == ()
    (problem,) = ex.parse("1" + " " * 2_000).problems
    assert (problem.code, problem.start, problem.end) == ("E403", 2_000, 2_001)
    assert ex.parse("(" * 49 + "1" + ")" * 49).problems == ()
    (problem,) = ex.parse("(" * 50 + "1" + ")" * 50).problems
    assert (problem.code, problem.start, problem.end) == ("E404", 50, 51)
    assert ex.parse("((1))", DEFAULT._replace(expression_depth=2)).problems[0].code == "E404"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+".join(["level"] * 330), 990),
        ("*".join(["1"] * 990), 1),
        (" and ".join(["level > 2"] * 140), True),
        ("-" * 48 + "level", 3),
        ("abs(" * 48 + "level" + ")" * 48, 3),
        ("level if level < 1 else " * 48 + "5", 5),
        ("(1+level*" * 16 + "0" + ")" * 16, (3**16 - 1) // 2),
    ],
)
def test_what_may_be_written_runs_with_a_small_stack(text: str, value: object) -> None:
    found = ex.compile_expression(text, _WORLD)
    assert found.value is not None, found.problems
    assert found.value.run(_WORLD) == value
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 260)
    try:
        found.value.run(_WORLD)
    finally:
        sys.setrecursionlimit(limit)


def test_what_an_env_raises_passes_through() -> None:
    class Refusing(World):
        def value(self, name: str) -> ex.Value:
            raise LookupError(name)

    with pytest.raises(LookupError):
        _compiled("1 + level").run(Refusing())


def test_a_kind_with_nothing_to_read_can_be_counted() -> None:
    class Closed(World):
        def inside(self, kind: str) -> ex.Scope | None:
            return None

    closed = Closed(fields=_WORLD.fields, entries=_WORLD.entries)
    found = ex.compile_expression("count(weapon)", closed)
    assert found.value is not None
    assert found.value.run(closed) == 2
    (problem,) = ex.compile_expression("count(weapon, drain > 1)", closed).problems
    assert (problem.code, problem.start, problem.end) == ("E414", 6, 12)


def test_amounts_are_nested_no_deeper_than_expressions() -> None:
    compiled = _compiled("abs(1d6 - level)", ex.DICE)
    amount = compiled.run(_WORLD)
    for _ in range(60):
        there = World({"x": (ex.DICE, amount)})
        found = ex.compile_expression("max(0, x)", there)
        assert found.value is not None
        amount = found.value.run(there)
        if isinstance(amount, ex.Problem):
            break
    assert isinstance(amount, ex.Problem)
    assert amount.code == "E435"


def test_a_text_is_parsed_once() -> None:
    assert ex.parse("level + 98765").value is ex.parse("level + 98765").value


def test_functions_tell_what_they_take() -> None:
    signatures = [function.signature for function in ex.FUNCTIONS.values()]
    assert signatures == [
        "min(amount, amount, ...)",
        "max(amount, amount, ...)",
        "floor(amount)",
        "ceil(amount)",
        "trunc(amount)",
        "half(amount)",
        "abs(amount)",
        "table(table, key, ...)",
        "has(word)",
        "taken(word)",
        "count(kind, [condition on each])",
        "sum(kind, number of each, [condition on each])",
        "highest(kind, ...)",
        "stat(word)",
        "dice(number, number)",
        "bare(dice)",
        "size(list)",
    ]
    for name, function in ex.FUNCTIONS.items():
        assert name == function.name
        assert function.description[0].islower()
        assert "\n" not in function.description


def test_types_speak_plainly() -> None:
    types = (ex.NUMBER, ex.TRUTH, ex.WORD, ex.DICE, ex.LIST)
    assert [str(one) for one in types] == ["a number", "true or false", "a word", "dice", "a list"]


@pytest.mark.parametrize(
    "text",
    (
        *("held + 1", "-held", "held", "1 if held > 2 else 3", "1 if held == held else 2"),
        *("min(held, 1)", "level if held else 2", "taken(held)"),
    ),
)
def test_what_may_be_anything_is_not_worked_with(text: str) -> None:
    """A field whose schema names no type, or several: told where it is worked with, and never run."""
    scope = World({"held": (ex.ANYTHING, [1]), "level": (ex.NUMBER, 3)})
    found = ex.compile_expression(text, scope, ex.NUMBER)
    assert found.value is None
    assert {problem.code for problem in found.problems} == {"E416"}
    assert all("its schema has to say of which one `type` it is" in problem.hints for problem in found.problems)


def test_what_may_be_anything_is_read_as_it_is() -> None:
    scope = World({"held": (ex.ANYTHING, [1])})
    found = ex.compile_expression("held", scope)
    assert found.value is not None and found.value.run(scope) == [1]

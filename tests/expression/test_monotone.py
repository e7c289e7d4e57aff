"""Which conditions can only turn from false to true as more is taken."""

from __future__ import annotations

import pytest
from expression_world import World, world

from seasons_build.language import expression as ex

_WORLD = world(
    {
        "names": {"level": 3, "armed": True, "family": "x", "total": 4, "pick.taken": 1, "state": {"word": "a", "of": ["a", "b"]}},
        "tables": {"steps": {"keys": ["number"], "rows": {0: 1}}},
        "kinds": {"talent": {"fields": {"taken": 1, "demand": 2, "loud": False}, "entries": []}},
    }
)

_RISING = """
has('x')
true
level > 3
not armed
not (level > 3 and armed)
state == 'a'
has('x') and has('y') or has(family)
taken('x') >= 3
taken('x') > level
3 <= taken('x')
0 < taken('x') - 2
count(talent) >= 2
count(talent, demand < 3) >= 2
count(talent, taken > 1 and not loud) >= 2
count(talent, has('x')) >= 2
sum(talent, taken) >= 5
sum(talent, max(0, demand), not loud) >= 5
highest(talent) >= 2
max(taken('x'), taken('y')) >= 2
floor(taken('x') / 2) + half(count(talent)) >= level
2 * taken('x') + 3 * taken('y') >= 5
taken('x') * count(talent) >= 4
taken('x') // 2 >= 1
-taken('x') * -1 >= 1
10 - taken('x') <= 5
not taken('x') < 2
not not has('x')
abs(taken('x')) >= 2
has('x') if armed else taken('y') >= 2
taken('x') >= (1 if level > 2 else 2)
pick.taken >= 2
table(steps, level) <= taken('x')
level == 3 and has('x')
min(3, taken('x')) >= 2
sum(talent, min(taken, 3)) >= 2
sum(talent, floor(taken) + half(taken) + abs(demand)) >= 2
sum(talent, taken if loud else 2 * taken) >= 2
(taken('x') + 1) * sum(talent, taken) >= 2
(2 if armed else 3) * taken('x') >= 2
""".strip().splitlines()

_FALLING = {
    "not has('x')": "not has('x')",
    "level > 2 and not has('x')": "not has('x')",
    "has('y') or not (has('x') and armed)": "has('x')",
    "taken('x') < 3": "taken('x') < 3",
    "taken('x') == 1": "taken('x') == 1",
    "taken('x') != 1": "taken('x') != 1",
    "count(talent) <= 2": "count(talent) <= 2",
    "level >= count(talent)": "level >= count(talent)",
    "count(talent, taken < 2) >= 1": "count(talent, taken < 2) >= 1",
    "count(talent, not has('x')) >= 1": "count(talent, not has('x')) >= 1",
    "sum(talent, demand) >= 4": "sum(talent, demand) >= 4",
    "sum(talent, -taken) >= 4": "sum(talent, -taken) >= 4",
    "10 - taken('x') >= 4": "10 - taken('x') >= 4",
    "-taken('x') >= -2": "-taken('x') >= -2",
    "taken('x') * level >= 4": "taken('x') * level >= 4",
    "taken('x') * -1 >= -4": "taken('x') * -1 >= -4",
    "taken('x') * (taken('y') - 2) > 0": "taken('x') * (taken('y') - 2) > 0",
    "taken('x') * (level if armed else 1) >= 4": "taken('x') * (level if armed else 1) >= 4",
    "taken('x') * stat('level') >= 4": "taken('x') * stat('level') >= 4",
    "taken('x') % 2 == 1": "taken('x') % 2 == 1",
    "taken('x') % 2 >= 1": "taken('x') % 2 >= 1",
    "6 / taken('x') >= 2": "6 / taken('x') >= 2",
    "abs(taken('x') - 2) >= 1": "abs(taken('x') - 2) >= 1",
    "armed if has('x') else true": "armed if has('x') else true",
    "table(steps, taken('x')) >= 2": "table(steps, taken('x')) >= 2",
    "has('x') == armed": "has('x') == armed",
    "has('y' if has('x') else 'z')": "has('y' if has('x') else 'z')",
    "pick.taken < 2": "pick.taken < 2",
}


def _compiled(text: str) -> ex.Compiled:
    found = ex.compile_expression(text, _WORLD, ex.TRUTH)
    assert found.value is not None, found.problems
    return found.value


@pytest.mark.parametrize("text", _RISING)
def test_stays_true(text: str) -> None:
    assert ex.monotone(_compiled(text)) == ()


@pytest.mark.parametrize(("text", "marked"), _FALLING.items())
def test_may_turn_false(text: str, marked: str) -> None:
    (problem,) = ex.monotone(_compiled(text))
    assert problem.code == "E441"
    assert text[problem.start : problem.end] == marked
    assert problem.message == f"`{marked}` can turn false again when more is taken"


def test_all_places_are_named() -> None:
    text = "not has('x') and (taken('y') < 2 or has('z'))"
    assert [text[p.start : p.end] for p in ex.monotone(_compiled(text))] == ["not has('x')", "taken('y') < 2"]


def test_names_that_grow() -> None:
    compiled = _compiled("total >= 4 and not total < 2 and level < 3")
    assert ex.monotone(compiled, lambda name: name == "total") == ()
    (problem,) = ex.monotone(compiled, lambda name: name == "level")
    assert "level < 3" in problem.message


def test_a_judged_condition_never_turns_false() -> None:
    """Brute force: what is judged to rise is run on every growing row of sheets."""
    for text in _RISING:
        compiled = _compiled(text)
        if compiled.uses and not any(use.function in ("count", "sum", "highest", "table") for use in compiled.uses):
            for x in range(4):
                seen = False
                for y in range(5):
                    grown = World(_WORLD.values, takings={"x": max(x, y), "y": y, "z": y} if y else {})
                    now = compiled.run(grown)
                    assert now or not seen
                    seen = bool(now)

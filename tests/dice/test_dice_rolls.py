"""What rolls take over from each other, what they cost, and which outcomes never come."""

from __future__ import annotations

import time
from fractions import Fraction as F
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from dice_games import compiled, facts, rolls, written

from seasons_build.language.dice import Facts, Refused, compile_rolls
from seasons_build.language.dice.throw import Tray
from seasons_build.load import load


def test_what_a_roll_takes() -> None:
    takes = rolls("d100")["attack"].takes
    assert {name: (one.kind, one.default) for name, one in takes.items() if not one.required} == {
        "favor": ("number", 0),
        "disfavor": ("number", 0),
        "on_units": ("number", 0),
        "positive_to": ("number", 1),
        "read_as": ("word", "rolled"),
        "defense": ("number", 0),
        "circumstance": ("number", 0),
        "bonus": ("number", 0),
        "fatigue_held": ("number", 0),
    }
    assert [name for name, one in takes.items() if one.required] == ["attribute", "damage"]
    assert takes["attribute"].family == "attribute"
    assert [name for name in rolls("d100")["contest"].takes if name.startswith("theirs.")][:2] == ["theirs.target", "theirs.favor"]
    assert rolls("pool")["team"].takes["team"].kind == "list"
    assert rolls("d100")["attack"].words == ("miss", "critical", "graze", "hit")


def test_like_merges_maps_and_replaces_the_rest() -> None:
    data: dict[str, Any] = {
        "base": {
            "takes": {"n": 1, "mode": ["near", "far"]},
            "let": {"total": "d + e"},
            "dice": {"d": {"faces": 6, "score": "face + n"}, "e": {"faces": [1, 2, 3]}},
            "outcomes": [{"up": "total > 5"}, {"down": "else"}],
        },
        "other": {"like": "base", "takes": {"mode": ["far"]}, "dice": {"d": {"faces": 5}, "e": {"faces": [0]}}},
        "settled": {"like": "other", "let": {"n": "10 if mode == 'far' else 0"}, "outcomes": [{"high": "total > 12"}, {"low": "else"}]},
    }
    for order in (["base", "other", "settled"], ["settled", "other", "base"]):
        found = compiled("pool", {name: data[name] for name in order})
        assert found["base"].odds({}).outcomes["up"] == F(sum(d + 1 + e > 5 for d in range(1, 7) for e in (1, 2, 3)), 18)
        assert found["other"].odds({}).outcomes["up"] == F(1, 5)
        assert found["other"].takes["mode"].words == ("far",)
        assert found["settled"].odds({}).outcomes == {"high": F(3, 5), "low": F(2, 5)}
        assert list(found["settled"].takes) == ["mode"]


def test_rolls_that_throw_the_same_share_the_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    thrown: list[str] = []
    real = Tray._thrown
    monkeypatch.setattr(Tray, "_thrown", lambda self, model, *rest: (thrown.append(model.id), real(self, model, *rest))[1])
    data = {
        "base": {"takes": {"n": 2}, "dice": {"d": {"faces": 6, "count": "n"}}, "outcomes": [{"up": "d > 7"}, {"down": "else"}]},
        "mean": {"like": "base", "value": "d"},
        "flat": {"like": "base", "dice": {"d": {"score": "1"}}},
    }
    found = compile_rolls(data, Facts()).rolls
    assert found["base"].odds({}).outcomes["up"] == F(15, 36)
    mean = found["mean"].odds({}).value
    assert mean is not None
    assert mean.mean == 7
    assert found["flat"].odds({}).outcomes["up"] == 0
    assert thrown == ["base", "flat"]
    assert found["mean"].odds({"n": 3}).outcomes["up"] == F(sum(sum(three) > 7 for three in product(range(1, 7), repeat=3)), 216)


def test_the_mean_of_dice_that_explode_for_ever_is_exact() -> None:
    score = "1 if face >= 6 else -1 if face == 1 and throw == 1 else 0"
    power = {"faces": 10, "count": "n", "again": "face == 10 and (chain or throw == 1)", "score": score}
    base = {"takes": {"n": 1, "chain": True}, "dice": {"d": power, "e": {"faces": 6}}}
    data = {
        "one": {**base, "value": "d"},
        "sum": {**base, "let": {"both": "d - e"}, "outcomes": [{"up": "both > 0"}, {"down": "else"}], "value": "3 + n - both"},
        "more": {**base, "value": "max(d, e)"},
        "again": {**base, "outcomes": [{"up": {"when": "d > 0", "reroll": True}}, {"down": "else"}], "value": "d"},
    }
    found = compile_rolls(data, Facts()).rolls

    def mean(roll: str, **values: Any) -> F | None:
        value = found[roll].odds(values).value
        assert value is not None
        return value.mean

    assert (mean("one"), mean("one", chain=False)) == (F(41, 90), F(9, 20))
    assert mean("sum", n=4) == 7 - 4 * F(41, 90) + F(7, 2)
    assert mean("more") is None
    assert mean("again") == -F(1, 5)


def test_a_fault_that_is_taken_over_is_told_once() -> None:
    data = {"base": {"dice": {"d": {"faces": 6}}, "value": "d + e"}, "one": {"like": "base"}, "two": {"like": "one"}}
    found = compile_rolls(data, Facts())
    assert [(problem.code, problem.path) for problem in found.problems] == [("E411", ("base", "value"))]
    assert not found.rolls


def test_an_outcome_that_never_comes() -> None:
    sound = rolls("pool")["pool"]
    cases = [{"attribute": power, "group": skill, "difficulty": 2} for power in range(4) for skill in range(4)]
    assert sound.unreachable(cases) == () and sound.unreachable([]) == ()
    swapped = [*written("pool")["rolls"]["pool"]["outcomes"]]
    swapped[1], swapped[2] = swapped[2], swapped[1]
    found = compiled("pool", {**written("pool")["rolls"], "swapped": {"like": "pool", "outcomes": swapped}})["swapped"]
    (warning,) = found.unreachable(cases)
    assert (warning.code, warning.path) == ("W450", ("swapped", "outcomes", 2, "critical-success"))


def test_words_may_be_written_with_underscores() -> None:
    data = {
        "inner": {"dice": {"d": {"faces": 6}}, "outcomes": [{"low-enough": "d < 3"}, {"high": "else"}]},
        "outer": {"dice": {"a": {"roll": "inner"}}, "outcomes": [{"yes-it-is": "a.outcome == 'low_enough'"}, {"other": "else"}]},
    }
    assert compiled("pool", data)["outer"].odds({}).outcomes["yes-it-is"] == F(1, 3)


def test_rolls_that_are_counted_are_added_up() -> None:
    data = {
        "inner": {
            "takes": {"n": 0},
            "dice": {"d": {"faces": 2}},
            "let": {"score": "d + n"},
            "outcomes": [{"up": "d > 1"}, {"down": "else"}],
        },
        "outer": {
            "takes": {"how_many": 2, "twice": True},
            "dice": {"a": {"roll": "inner", "count": "how_many", "score": "score * 2 if twice and outcome == 'up' else score"}},
            "value": "a",
        },
    }
    roll = compiled("pool", data)["outer"]
    assert list(roll.takes) == ["how_many", "twice", "a.n"]
    found = roll.odds({"how_many": 2, "a": {"n": 1}}).value
    assert found is not None and found.chances == {4: F(1, 4), 8: F(1, 2), 12: F(1, 4)}
    none = roll.odds({"how_many": 0}).value
    assert none is not None and none.chances == {0: F(1)}


def test_a_roll_in_place_of_another_inside_a_third() -> None:
    data = {
        "coin": {
            "takes": {"n": 3},
            "dice": {"d": {"faces": 2}},
            "let": {"total": "d * n"},
            "outcomes": [{"up": "d > 1"}, {"down": "else"}],
        },
        "main": {
            "takes": {"n": 0},
            "instead": {"when": "n > 5", "roll": "coin"},
            "dice": {"d": {"faces": 6}},
            "let": {"total": "d + n"},
            "outcomes": [{"up": "total > 3"}, {"down": "else"}],
        },
        "outer": {"dice": {"a": {"roll": "main"}}, "outcomes": [{"high": "a.total + a.n > 8 and a.outcome == 'up'"}, {"low": "else"}]},
    }
    roll = compiled("pool", data)["outer"]
    assert roll.odds({"a": {"n": 2}}).outcomes["high"] == F(2, 6)
    assert roll.odds({"a": {"n": 6}}).outcomes["high"] == F(1, 2)


def test_the_cost_is_told_beforehand() -> None:
    pool = rolls("pool")["pool"]
    costs = [pool.cost({"attribute": n, "group": n}) for n in (1, 5, 10, 20)]
    assert costs == sorted(costs) and costs[-1] < 1_500_000
    assert rolls("d100")["resolution"].cost({"target": 30, "favor": 3}) < 2_000
    assert pool.cost({}) < 1_000


def test_twenty_and_twenty_dice() -> None:
    pool = compiled("pool", written("pool")["rolls"])["pool"]
    began = time.process_time()
    found = pool.odds({"attribute": 20, "group": 20})
    assert time.process_time() - began < 1
    assert found.tail == 0
    began = time.process_time()
    for difficulty in range(2, 12):
        pool.odds({"attribute": 20, "group": 20, "difficulty": difficulty})
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("faces", ["999d999", "1000d1000", "500d1000"])
def test_too_much_is_refused_at_once(faces: str) -> None:
    began = time.process_time()
    with pytest.raises(Refused):
        rolls("d20")["attack"].odds({"dc": 10, "damage": faces})
    assert time.process_time() - began < 0.2


def test_two_hundred_dice_of_two_hundred_faces() -> None:
    found = rolls("d20")["save"].odds({"dc": 10, "damage": "200d200"})
    assert found.value is not None and found.values["failed"].mean == 20_100


def test_rolls_within_rolls_cannot_multiply() -> None:
    """Each roll throws the one before ten times over: told to be too much, at once."""
    data: dict[str, Any] = {"r0": {"dice": {"d": {"faces": 6}}, "value": "d"}}
    for level in range(1, 8):
        dice = {f"x{i}": {"roll": f"r{level - 1}", "count": 10, "score": "d" if level == 1 else "x0"} for i in range(10)}
        data[f"r{level}"] = {"dice": dice, "value": " + ".join(dice)}
    began = time.process_time()
    found = compile_rolls(data, Facts())
    assert time.process_time() - began < 4
    assert {problem.code for problem in found.problems} == {"E458"}
    wide: dict[str, Any] = {"r0": {"takes": {f"p{i}": 0 for i in range(30)}, "dice": {"d": {"faces": 6}}, "value": "d"}}
    for level in range(1, 8):
        wide[f"r{level}"] = {"dice": {f"x{i}": {"roll": f"r{level - 1}"} for i in range(10)}, "value": "1"}
    assert {problem.code for problem in compile_rolls(wide, Facts()).problems} == {"E458"}
    chain: dict[str, Any] = {"r0": data["r0"]}
    for level in range(1, 12):
        chain[f"r{level}"] = {"dice": {"x": {"roll": f"r{level - 1}", "count": 1, "score": "d" if level == 1 else "x"}}, "value": "x"}
    assert [(problem.code, problem.path) for problem in compile_rolls(chain, Facts()).problems] == [("E453", ("r8",))]


def test_a_long_row_of_likes() -> None:
    data: dict[str, Any] = {"r0": {"dice": {"d": {"faces": 6}}, "value": "d"}}
    data.update({f"r{i}": {"like": f"r{i - 1}"} for i in range(1, 3000)})
    assert len(compile_rolls(data, Facts()).rolls) == 3000
    wide = {"base": {"takes": {f"p{i}": 0 for i in range(900)}, "value": "1"}, **{f"r{i}": {"like": "base"} for i in range(50)}}
    assert {problem.code for problem in compile_rolls(wide, Facts()).problems} == {"E458"}


PAGES = sorted((Path(__file__).parents[2] / "seasons_build" / "pages").glob("?45?.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages(page: Path) -> None:
    """The bad example has the code, the good one has no problem."""
    _, bad, good = page.read_text(encoding="utf-8").split("```yaml\n")
    for text, expected in ((bad, True), (good, False)):
        there = load("page.yaml", text.split("```")[0].encode())
        assert there.value is not None and not there.diagnostics
        compiled_page = compile_rolls(there.value.data["rules"]["rolls"], facts("d100"))
        found = [problem.code for problem in compiled_page.problems]
        if page.stem == "W450":
            cases = [{"bonus": bonus} for bonus in range(3)]
            found += [problem.code for roll in compiled_page.rolls.values() for problem in roll.unreachable(cases)]
        elif page.stem == "E452" and expected:
            assert set(found) == {"E452"}
        assert (page.stem in found) is expected and (expected or not found)


def test_every_code_has_a_page() -> None:
    source = "".join(file.read_text(encoding="utf-8") for file in Path(str(compile_rolls.__code__.co_filename)).parent.glob("*.py"))
    codes = {f"{letter}45{digit}" for letter in "EW" for digit in range(10) if f'"{letter}45{digit}"' in source}
    assert codes == {page.stem for page in PAGES}

"""What is refused: in the files of `refusals/`, with code, column and words of the message as comments; and arguments that do not fit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from dice_games import odds, rolls

from seasons_build.core.dice_amount import throw
from seasons_build.core.document import Document
from seasons_build.language.dice import Facts, Family, FamilyValue, Refused, Table, compile_rolls
from seasons_build.language.expression import DICE, NUMBER, TableType
from seasons_build.load import load

REFUSALS = sorted((Path(__file__).parent / "refusals").glob("*.yaml"))
EXPECTED = re.compile(r"#! (?P<code>[EWN]\d{3})(?::(?P<column>\d+))?(?: (?P<words>.*?))?\s*(?=#!|$)")
FACTS = Facts({"ability": Family(("str", "dex"), {"mod": "floor((self - 10) / 2)"})})


def document(file: Path) -> Document:
    """The file, which has to be readable."""
    found = load(file.name, file.read_bytes())
    assert found.value is not None and not found.diagnostics
    return found.value


@pytest.mark.parametrize("file", REFUSALS, ids=lambda file: file.stem)
def test_file(file: Path) -> None:
    there = document(file)
    left = [problem.located(there) for problem in compile_rolls(there.data["rules"]["rolls"], FACTS).problems]
    missing = []
    for number, line in enumerate(there.source.split("\n"), 1):
        for wanted in EXPECTED.finditer(line):
            met = [
                d
                for d in left
                if d.span is not None
                and (d.span.line, d.code) == (number, wanted["code"])
                and (not wanted["column"] or d.span.column == int(wanted["column"]))
                and (wanted["words"] or "") in " | ".join([d.message, *d.hints])
            ]
            if met:
                left.remove(met[0])
            else:
                missing.append(f"line {number}: {wanted[0]}")
    unexpected = [f"{d.span}: {d.code} {d.message} {d.hints}" for d in left]
    assert not missing and not unexpected, "\n".join(["missing:", *missing, "unexpected:", *unexpected])


def test_sound_rolls_stay_beside_broken_ones() -> None:
    there = next(document(file) for file in REFUSALS if file.stem == "shapes")
    assert set(compile_rolls(there.data["rules"]["rolls"], FACTS).rolls) == {"told", "fine"}


@pytest.mark.parametrize(
    ("game", "roll", "arguments", "argument", "words"),
    [
        ("d100", "resolution", {}, "target", "the roll `resolution` needs `target`"),
        ("d100", "resolution", {"target": 30, "favour": 1}, "favour", "takes no `favour`"),
        ("d100", "resolution", {"target": True}, "target", "expected a number for `target`"),
        ("d100", "resolution", {"target": "thirty"}, "target", "expected a number for `target`, found `thirty`"),
        ("d100", "resolution", {"target": 30, "read_as": "postive"}, "read_as", "expected one of `rolled`, `positive`"),
        ("d100", "attack", {"attribute": "deft", "damage": "1d6"}, "attribute", "expected the value of one `attribute`"),
        ("d100", "attack", {"attribute": 50, "damage": "1d"}, "damage", "expected dice or a number"),
        ("d100", "contest", {"mine": {"target": 30}}, "theirs.target", "needs `theirs.target`"),
        ("d100", "contest", {"mine": {"trget": 30}}, "mine.trget", "takes no `mine.trget`"),
        ("pool", "opposed", {"difficulty": 3}, "difficulty", "takes no `difficulty`"),
        ("pool", "pool", {"chain": 1}, "chain", "expected true or false"),
        ("pool", "team", {"team": 3}, "team", "expected a list"),
        ("pool", "team", {"team": [3]}, "team", "expected a map for each"),
        ("pool", "team", {"team": [{"atribute": 3}]}, "team", "the roll `pool` takes no `atribute`"),
        ("pool", "team", {"team": [{"attribute": "x"}]}, "attribute", "expected a number"),
    ],
)
def test_arguments(game: str, roll: str, arguments: dict[str, Any], argument: str, words: str) -> None:
    with pytest.raises(Refused) as refused:
        rolls(game)[roll].odds(arguments)
    problem = refused.value.problem
    assert (problem.code, problem.argument, problem.path) == ("E452", argument, ()) and words in problem.message


def test_the_nearest_argument_is_named() -> None:
    with pytest.raises(Refused) as refused:
        odds("d100", "resolution", target=30, favour=1)
    assert refused.value.problem.hints == ("did you mean `favor`?",)
    with pytest.raises(Refused) as refused:
        odds("d100", "resolution", target=30, read_as="postive")
    assert refused.value.problem.hints == ("did you mean `positive`?",)


@pytest.mark.parametrize(
    ("game", "roll", "arguments", "code", "path"),
    [
        ("d20", "attack", {"bonus": 0, "dc": 10, "damage": "500d999"}, "E458", ("attack", "outcomes", 0, "critical", "value")),
        ("d20", "attack", {"bonus": 0, "dc": 10, "damage": "ceil(1d6 / 2)"}, "E437", ("attack", "outcomes", 0, "critical", "value")),
        ("d20", "check", {"dc": 10, "bless": "1 / 2"}, "E455", ("check", "dice", "blessing", "count")),
        ("d20", "check", {"dc": 10, "bless": -1}, "E455", ("check", "dice", "blessing", "count")),
        ("pool", "pool", {"attribute": 500}, "E458", ("pool", "dice", "power", "count")),
        ("pool", "duel", {"mine": {"attribute": 30}, "theirs": {"attribute": 30}}, "E458", ("duel",)),
    ],
)
def test_what_only_the_arguments_make_wrong(game: str, roll: str, arguments: dict[str, Any], code: str, path: tuple[Any, ...]) -> None:
    for ask in (rolls(game)[roll].odds, rolls(game)[roll].cost):
        with pytest.raises(Refused) as refused:
            ask(arguments)
        assert (refused.value.problem.code, refused.value.problem.path) == (code, path)


def test_a_family_value_brings_its_derived_values() -> None:
    assert odds("d100", "attack", attribute=60, damage=3).outcomes == odds(
        "d100", "attack", attribute=FamilyValue(60, {"challenging": 30}), damage=3
    ).outcomes
    rough = odds("d100", "attack", attribute=FamilyValue(60, {"challenging": 20}), damage=3).outcomes
    assert rough["miss"] == 1 - odds("d100", "resolution", target=20).outcomes["success"]


def test_derived_values_that_need_a_sheet_have_to_be_given() -> None:
    facts = Facts({"ability": Family(("str",), {"mod": "floor((self - 10) / 2) + level"})})
    data = {"check": {"takes": {"skill": "ability"}, "dice": {"d": {"faces": 20}}, "value": "d + skill.mod"}}
    (roll,) = compile_rolls(data, facts).rolls.values()
    with pytest.raises(Refused):
        roll.odds({"skill": 12})
    found = roll.odds({"skill": FamilyValue(12, {"mod": 4})}).value
    assert found is not None and found.chances.keys() == set(range(5, 25))


def test_tables() -> None:
    steps = {0: 2, 5: 3}
    tables = {
        "steps": Table(TableType((NUMBER,)), lambda keys: next((v for k, v in sorted(steps.items(), reverse=True) if keys[0] >= k), None)),
        "darts": Table(TableType((NUMBER,), DICE), lambda keys: {1: throw(1, 4)}.get(keys[0])),
    }
    data = {
        "check": {"takes": {"level": 0}, "dice": {"d": {"faces": 6, "count": "table(steps, level)"}}, "value": "d + table(steps, d)"},
        "dart": {"takes": {"level": 0}, "value": "table(darts, level) + 1"},
    }
    found = compile_rolls(data, Facts(tables=tables))
    assert not found.problems
    high = found.rolls["check"].odds({"level": 7}).value
    assert high is not None and max(high.chances) == 21 and min(high.chances) == 5
    with pytest.raises(Refused) as refused:
        found.rolls["check"].odds({"level": -1})
    assert refused.value.problem.code == "E434" and refused.value.problem.path == ("check", "dice", "d", "count")
    thrown = found.rolls["dart"].odds({"level": 1}).value
    assert thrown is not None and thrown.chances.keys() == {2, 3, 4, 5}


def test_numbers_and_amounts_stay_within_bounds() -> None:
    """A value times itself, again and again, would fill all memory."""
    for first, code, name in (("d", "E432", "v0"), ("1d6", "E435", "v1")):
        lets = {f"v{i}": " * ".join([f"v{i - 1}" if i else first] * 200) for i in range(6)}
        (roll,) = compile_rolls({"roll": {"dice": {"d": {"faces": 6}}, "let": lets, "value": "v5"}}, Facts()).rolls.values()
        with pytest.raises(Refused) as refused:
            roll.odds({})
        problem = refused.value.problem
        assert (problem.code, problem.path) == (code, ("roll", "let", name)) and problem.start is not None

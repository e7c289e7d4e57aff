"""The hostile expressions of `tests/adversarial/expr`: each ends as its manifest says, at an offset inside the text."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
import yaml
from expression_world import World, shown

from seasons_build.core.dice_amount import Dice
from seasons_build.core.limits import DEFAULT
from seasons_build.language import expression as ex

_FOLDER = Path(__file__).parents[1] / "adversarial" / "expr"


def _rows(suffix: str) -> list[Any]:
    with (_FOLDER / "manifest.csv").open(encoding="utf-8", newline="") as file:
        return [pytest.param(row, id=row["file"]) for row in csv.DictReader(file) if row["file"].endswith(suffix)]


@pytest.mark.parametrize("row", _rows(".expr"))
def test_expression(row: dict[str, str]) -> None:
    text = (_FOLDER / row["file"]).read_text(encoding="utf-8").removesuffix("\n")
    found = ex.compile_expression(text, World(), ex.NUMBER)
    result = found.value.run(World()) if found.value else None
    problems = [*found.problems, *([result] if isinstance(result, ex.Problem) else [])]
    if row["exit"] == "reject":
        assert problems
    if row["exit"] == "accept":
        assert not problems
    for problem in problems:
        assert 0 <= problem.start < problem.end <= len(text)
        assert len(problem.message) < 200
        assert problem.message.isprintable()


def test_decimals_do_not_drift() -> None:
    found = ex.compile_expression((_FOLDER / "e13-float-drift.expr").read_text(encoding="utf-8"), World(), ex.NUMBER)
    assert found.value is not None
    assert shown(found.value.run(World())) == "0.3"


def test_many_dice_are_an_amount() -> None:
    found = ex.compile_expression("200d200", World(), ex.DICE)
    assert found.value is not None
    assert found.value.run(World()) == Dice(((1, 200, 200),))


def test_overflow_is_found_at_its_operator() -> None:
    text = (_FOLDER / "e06-factorial-product.expr").read_text(encoding="utf-8").strip()[:1187]
    assert len(text) < DEFAULT.expression_characters
    (problem,) = ex.compile_expression(text, World(), ex.NUMBER).problems
    assert (problem.code, text[problem.start : problem.end], problem.start) == ("E432", "*", 11)


class _Graph(World):
    """Values as they are worked out, in whatever order the reads of the formulas allow."""

    known: dict[str, ex.Value]

    def type_of(self, name: str) -> ex.Type | None:
        return ex.NUMBER if name.startswith("f") else None

    def value(self, name: str) -> ex.Value:
        return self.known[name]


@pytest.mark.parametrize(("file", "expected"), [("r03-exponential-dag.yaml", 2**40), ("r04-long-chain.yaml", 5000)])
def test_graph_of_formulas(file: str, expected: int) -> None:
    lines = (_FOLDER / file).read_text(encoding="utf-8").splitlines()
    formulas = {name: str(yaml.safe_load(rest)["formula"]) for name, _, rest in (line.partition(": ") for line in lines if line)}
    there = _Graph()
    known: dict[str, ex.Value] = {}
    object.__setattr__(there, "known", known)
    waiting = ["f0"]
    compiled: dict[str, ex.Compiled] = {}
    while waiting:
        name = waiting[-1]
        if name not in compiled:
            found = ex.compile_expression(formulas[name], there, ex.NUMBER)
            assert found.value is not None, found.problems
            compiled[name] = found.value
        missing = sorted(compiled[name].reads - known.keys())
        if missing:
            waiting.extend(missing)
        else:
            known[name] = compiled[name].run(there)
            waiting.pop()
    assert known["f0"] == expected

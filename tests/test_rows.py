"""Rows that set a number, read rolls and say sentences; kinds that have the sheet of another kind."""

from __future__ import annotations

from typing import Any

import pytest
from test_evaluation import RULES, codes, project, sheet_of

ROLLS = {
    "throw": {
        "takes": {"target": "number", "tired": 0},
        "let": {
            "aim": "max(1, target - 5 * tired)",
            "lands": [{"well": "die <= 2"}, {"ill": "die >= 9"}, {"plainly": "else"}],
            "both": "die + other",
        },
        "dice": {"die": {"faces": 10}, "other": {"faces": 4}},
        "outcomes": [{"success": "die <= aim"}, {"failure": "else"}],
    }
}


def rows_of(rows: Any, ann: Any = None, **rules: Any) -> Any:
    found = project({"folk": {"ann": ann or {}}}, {**RULES, **rules, "rows": {"list": {"for": "folk", **rows}}})
    assert codes(found) == []
    return sheet_of(found).rows["list"]


def test_a_row_named_like_a_stat_is_worked_out_with_it() -> None:
    found = rows_of({"each": [1, 4], "as": "might", "give": {"speed": "speed", "might": "might"}})
    assert found == ({"id": 1, "speed": 2, "might": 1}, {"id": 4, "speed": 8, "might": 4})


def test_a_row_sets_several_stats_past_what_may_be_typed() -> None:
    stats = {"might": {"base": 3, "input": {"min": 1, "max": 5}}, "wit": {"base": 2}, "all": {"base": "might + wit"}}
    found = rows_of({"each": [9], "as": ["might", "wit"], "give": {"all": "all"}}, stats=stats)
    assert found == ({"id": 9, "all": 18},)


def test_what_a_row_sets_is_its_own_affair() -> None:
    rows = {"list": {"for": "folk", "each": [9], "as": "might", "give": {"speed": "speed"}}}
    found = project({"folk": {"ann": {}}}, {**RULES, "rows": rows})
    assert sheet_of(found).stats["speed"] == 10


def test_effects_hold_on_what_a_row_sets() -> None:
    entries: dict[str, Any] = {"thing": {"rope": {"effects": {"add": {"might": 1}}}}, "folk": {"ann": {"has": ["rope"]}}}
    found = project(entries, {**RULES, "rows": {"list": {"for": "folk", "each": [3], "as": "might", "give": {"speed": "speed"}}}})
    assert sheet_of(found).rows["list"] == ({"id": 3, "speed": 8},)


def test_what_a_roll_reads() -> None:
    reads = {
        "aim": {"roll": "throw", "of": "aim", "with": {"target": 50, "tired": "n"}},
        "lands": {"roll": "throw", "of": "lands", "with": {"target": 1}, "dice": {"die": "n"}},
    }
    found = rows_of({"each": [1, 3, 9], "as": "n", "reads": reads}, rolls=ROLLS)
    assert [(row["aim"], row["lands"]) for row in found] == [(45, "well"), (35, "plainly"), (5, "ill")]


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        ({"of": "goal", "with": {"target": 1}}, "reads no `goal`"),
        ({"of": "both", "with": {"target": 1}, "dice": {"die": 1}}, "`both` depends on `other`"),
        ({"of": "aim"}, "needs `target`"),
    ],
)
def test_what_a_roll_cannot_read_is_told(reading: Any, words: str) -> None:
    rows = {"list": {"for": "folk", "each": [1], "reads": {"it": {"roll": "throw", **reading}}}}
    found = project({"folk": {"ann": {}}}, {**RULES, "rolls": ROLLS, "rows": rows})
    assert codes(found) == ["E452"]
    assert words in found.diagnostics[0].message


def test_a_row_says_its_values() -> None:
    reads = {"aim": {"roll": "throw", "of": "aim", "with": {"target": 50, "tired": 1}}}
    say = {"toll": "each takes {50 - aim} off", "much": "{double} of {might}", "none": "{worth} of it"}
    found = rows_of({"each": [2], "as": "n", "give": {"double": "n * 2"}, "reads": reads, "say": say}, rolls=ROLLS)
    assert found[0]["toll"] == "each takes 5 off"
    assert found[0]["much"] == "4 of 5"
    assert "none" not in found[0]


def test_a_kind_with_the_sheet_of_another() -> None:
    rules = {
        **RULES,
        "kinds": {**RULES["kinds"], "thing": {"sheet": "folk"}},
        "stats": {**RULES["stats"], "only": {"for": "folk", "base": "might + 1"}},
        "limits": {"weak": {"check": "might > 5", "say": "is weak"}},
    }
    found = project({"thing": {"page": {"rules": "A strong one has {only} of it."}}, "folk": {}}, rules)
    assert codes(found) == []
    sheet = found.sheets["demo", "thing", "page"] if ("demo", "thing", "page") in found.sheets else next(iter(found.sheets.values()))
    assert sheet.stats["only"] == 6
    assert sheet.texts["rules",] == "A strong one has 6 of it."

"""Numbers: the one fixed order, whatever the order of files, entries and effects; and what each rule does to them.

The oracle at the top folds effects in the plainest way there is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
import yaml
from game import project_of
from hypothesis import given, settings
from hypothesis import strategies as st

from seasons_build.core.sheet import Sheet
from seasons_build.pipeline.read import Project

SCHEMA: dict[str, Any] = {
    "title": "Thing",
    "description": "Anything.",
    "allOf": [{"$ref": "core/entry"}],
    "properties": {
        "has": {
            "type": "array",
            "title": "Has",
            "description": "Things.",
            "items": {"type": "string", "x-ref": "thing", "title": "T", "description": "T."},
        },
        "keeps": {
            "type": "array",
            "title": "Keeps",
            "description": "Things.",
            "items": {"type": "string", "x-ref": "thing", "title": "T", "description": "T."},
        },
        "next": {"type": "string", "x-ref": "thing|folk", "title": "Next", "description": "Another."},
        "level": {"type": "integer", "title": "Level", "description": "A number."},
        "worth": {"type": ["integer", "string"], "x-expr": "number", "title": "Worth", "description": "A number."},
        "lines": {
            "type": "array",
            "title": "Lines",
            "description": "Rows.",
            "items": {
                "type": "object",
                "title": "Line",
                "description": "A row.",
                "properties": {
                    "label": {"type": "string", "title": "L", "description": "L."},
                    "much": {"type": "integer", "title": "M", "description": "M."},
                },
            },
        },
    },
}
RULES: dict[str, Any] = {
    "kinds": {"folk": {"sheet": True, "owns": {"has": "out", "keeps": "in"}}},
    "states": {"out": "out", "in": "in"},
    "stacking": {"best": "highest", "worst": "lowest", "total": "sum", "single": "once"},
    "stats": {
        "might": {"base": 5, "min": 0, "sets": "highest"},
        "speed": {"base": "might * 2", "max": 40, "round": "floor", "sets": "lowest"},
        "reach": {"base": "speed / 3", "min": -9, "max": 30, "round": "ceil", "sets": "highest"},
    },
}
STATS = ("might", "speed", "reach")


def project(
    entries: Mapping[str, Mapping[str, Any]],
    rules: Mapping[str, Any] = RULES,
    files: Sequence[Sequence[str]] = (),
    names: Sequence[str] = (),
) -> Project:
    """A game with these things and folk; `files` says which of them, as `kind/id`, stand in which file."""
    listed = [f"{kind}/{name}" for kind, group in entries.items() for name in group]
    made: dict[str, str] = {
        "content/game/pack.yaml": 'id: game\ntitle: Game\nversion: "1"\n',
        "content/game/rules.yaml": yaml.safe_dump({"rules": dict(rules)}, sort_keys=False),
        "schemas/game/thing.json": json.dumps(SCHEMA),
        "schemas/game/folk.json": json.dumps(SCHEMA),
    }
    for number, group in enumerate(files or [listed]):
        content: dict[str, dict[str, Any]] = {}
        for item in group:
            kind, _, name = item.partition("/")
            content.setdefault(kind, {})[name] = {"name": name, **entries[kind][name]}
        file = names[number] if names else f"f{number}"
        made[f"content/game/{file}.yaml"] = yaml.safe_dump(content, sort_keys=False)
    return project_of(made)


def sheet_of(found: Project, name: str = "ann") -> Sheet:
    return found.sheets["game", "folk", name]


def codes(found: Project) -> list[str]:
    return [d.code for d in found.diagnostics]


# The fixed order, against an oracle


def folded(stat: str, base: Fraction, effects: list[dict[str, Any]]) -> Fraction:
    """What effects make of a base value: set, add by type, times, at least, at most, min, max, round."""
    rule = RULES["stats"][stat]
    mine = {
        verb: [(e[verb][stat], e.get("type")) for e in effects if stat in e.get(verb, {})]
        for verb in ("set", "add", "times", "atleast", "atmost")
    }
    value = base
    if mine["set"]:
        value = Fraction((max if rule["sets"] == "highest" else min)(n for n, _ in mine["set"]))
    for kind in {t for _, t in mine["add"]}:
        for some in ([n for n, t in mine["add"] if t == kind and n >= 0], [n for n, t in mine["add"] if t == kind and n < 0]):
            if some:
                value += {None: sum, "total": sum, "best": strongest, "worst": weakest}[kind](some)
    value = math.prod((Fraction(n) for n, _ in mine["times"]), start=value)
    value = max([value, *(Fraction(n) for n, _ in mine["atleast"])])
    value = min([value, *(Fraction(n) for n, _ in mine["atmost"])])
    value = max(value, Fraction(rule.get("min", value)))
    value = min(value, Fraction(rule.get("max", value)))
    return Fraction({"floor": math.floor, "ceil": math.ceil, None: lambda n: n}[rule.get("round")](value))


def strongest(amounts: list[int]) -> int:
    return max(amounts, key=abs)


def weakest(amounts: list[int]) -> int:
    return min(amounts, key=abs)


EFFECT = st.builds(
    lambda verb, stat, amount, kind: {verb: {stat: amount}, **({"type": kind} if verb == "add" and kind else {})},
    st.sampled_from(["set", "add", "add", "add", "times", "atleast", "atmost"]),
    st.sampled_from(STATS),
    st.integers(-4, 12),
    st.sampled_from([None, None, "best", "worst", "total"]),
)
THINGS = st.dictionaries(st.sampled_from(["rope", "lamp", "boot", "sail"]), st.lists(EFFECT, max_size=5), min_size=1)
QUICK = settings(max_examples=20, deadline=None, derandomize=True, database=None)


@given(THINGS, st.lists(EFFECT, max_size=3))
@QUICK
def test_numbers_are_those_of_the_oracle(things: dict[str, list[dict[str, Any]]], own: list[dict[str, Any]]) -> None:
    found = project({"thing": {n: {"effects": e} for n, e in things.items()}, "folk": {"ann": {"has": sorted(things), "effects": own}}})
    assert codes(found) == []
    effects = [*own, *(e for name in sorted(things) for e in things[name])]
    might = folded("might", Fraction(5), effects)
    speed = folded("speed", might * 2, effects)
    reach = folded("reach", speed / 3, effects)
    assert dict(sheet_of(found).stats) == {"might": might, "speed": speed, "reach": reach}


@given(THINGS, st.lists(EFFECT, max_size=3), st.randoms(use_true_random=False))
@QUICK
def test_no_order_changes_a_number(things: dict[str, list[dict[str, Any]]], own: list[dict[str, Any]], chance: Any) -> None:
    first = {"thing": {n: {"effects": e} for n, e in things.items()}, "folk": {"ann": {"has": sorted(things), "effects": own}, "bob": {}}}

    def mixed(items: Sequence[Any]) -> list[Any]:
        return chance.sample(list(items), len(items))

    other = {
        "folk": {"bob": {}, "ann": {"effects": mixed(own), "has": mixed(sorted(things))}},
        "thing": {name: {"effects": mixed(things[name])} for name in mixed(sorted(things))},
    }
    listed = mixed([f"{kind}/{name}" for kind in other for name in other[kind]])
    cut = chance.randint(0, len(listed))
    again = project(other, files=[listed[:cut], listed[cut:]], names=mixed(["a/b/c", "z"]))
    plain = project(first)
    assert codes(plain) == codes(again) == []
    assert {k: dict(s.stats) for k, s in plain.sheets.items()} == {k: dict(s.stats) for k, s in again.sheets.items()}


@given(THINGS)
@QUICK
def test_the_steps_lead_to_the_value(things: dict[str, list[dict[str, Any]]]) -> None:
    found = sheet_of(project({"thing": {n: {"effects": e} for n, e in things.items()}, "folk": {"ann": {"has": sorted(things)}}}))
    for name, value in found.stats.items():
        assert found.steps[name][-1].total == value or found.steps[name][-1].move == "unused"
        order = ["base", "set", "add", "times", "atleast", "atmost", "min", "max", "round"]
        moves = [order.index(step.move) for step in found.steps[name] if step.move != "unused"]
        assert moves == sorted(moves)


# Rules one by one


def test_only_one_of_a_kind_that_counts_once() -> None:
    things = {n: {"effects": {"add": {"might": 2}, "type": "single"}} for n in ("rope", "lamp")}
    found = sheet_of(project({"thing": things, "folk": {"ann": {"has": ["rope", "lamp"]}}}))
    assert found.stats["might"] == 7
    assert [step.move for step in found.steps["might"]] == ["base", "add", "unused"]
    assert "only one counts" in found.steps["might"][2].note


def test_a_bonus_and_a_malus_of_one_kind_do_not_meet() -> None:
    things = {n: {"effects": {"add": {"might": amount}, "type": "best"}} for n, amount in (("rope", 3), ("lamp", -2), ("sail", -1))}
    assert sheet_of(project({"thing": things, "folk": {"ann": {"has": list(things)}}})).stats["might"] == 5 + 3 - 2


def test_the_same_value_set_twice_is_no_quarrel() -> None:
    rules = {**RULES, "stats": {"might": {"base": 5}}}
    things = {n: {"effects": {"set": {"might": 9}}} for n in ("rope", "lamp")}
    found = project({"thing": things, "folk": {"ann": {"has": ["rope", "lamp"]}}}, rules)
    assert codes(found) == []
    assert sheet_of(found).stats["might"] == 9


def test_two_values_set_are_shown_at_both_ends() -> None:
    rules = {**RULES, "stats": {"might": {"base": 5}, "speed": {"base": "might"}}}
    things = {n: {"effects": {"set": {"might": amount}}} for n, amount in (("rope", 3), ("lamp", 4))}
    found = project({"thing": things, "folk": {"ann": {"has": ["rope", "lamp"]}}}, rules)
    assert codes(found) == ["E506"]
    assert {t.message for t in found.diagnostics[0].trace} == {"`rope` sets it to 3", "`lamp` sets it to 4"}
    assert sheet_of(found).stats == {}


@pytest.mark.parametrize(
    ("effect", "owner", "expected"),
    [
        ({"add": {"might": 1}, "state": "out"}, {"has": ["rope"]}, 6),
        ({"add": {"might": 1}, "state": "out"}, {"keeps": ["rope"]}, 5),
        ({"add": {"might": 1}, "state": "in"}, {"keeps": ["rope"]}, 6),
        ({"add": {"might": 1}}, {"keeps": ["rope"]}, 6),
        ({"add": {"might": 1}, "when": "rank > 3"}, {"has": ["rope"], "level": 3}, 5),
        ({"add": {"might": "rank * 2"}, "when": "rank >= 3"}, {"has": ["rope"], "level": 3}, 11),
        ({"add": {"might": "level * 2"}}, {"has": ["rope"], "level": 3}, 5 + 2 * 99),
        ({"add": {"might": "1 / 2"}}, {"has": ["rope", "rope"]}, 6),
        ({"add": {"might": 1}, "until": {"say": "dawn"}}, {"has": ["rope"]}, 5),
        ({"add": {"might": 1}, "to": "target"}, {"has": ["rope"]}, 5),
        ([{"add": {"might": 1}}, {"times": {"might": 2}}, {"atmost": {"might": 11}}], {"has": ["rope"]}, 11),
    ],
)
def test_which_effects_a_sheet_works_out(effect: Any, owner: dict[str, Any], expected: int) -> None:
    rules = {**RULES, "stats": {**RULES["stats"], "rank": {"base": "level"}}}
    found = project({"thing": {"rope": {"effects": effect, "level": 99}}, "folk": {"ann": {"level": 1, **owner}}}, rules)
    assert codes(found) == []
    assert sheet_of(found).stats["might"] == expected


def test_a_fraction_stays_exact_until_it_is_rounded() -> None:
    stats = {
        "third": {"base": "1 / 3"},
        "whole": {"base": "third * 3"},
        "up": {"base": "third", "round": "ceil"},
        "down": {"base": "-third", "round": "trunc"},
    }
    found = sheet_of(project({"folk": {"ann": {}}}, {**RULES, "stats": stats}))
    assert dict(found.stats) == {"third": Fraction(1, 3), "whole": 1, "up": 1, "down": 0}


def test_a_table_gives_the_row_below() -> None:
    rules = {
        **RULES,
        "tables": {
            "pay": {1: 10, 3: 25, 5: 60},
            "exact": {"at": "exact", "rows": {1: 10, 3: 25}},
            "by-word": {"rows": {"calm": {1: 1}, "wild": {1: 2}}},
        },
        "stats": {"a": {"base": "table(pay, level)"}, "b": {"base": "table(exact, level)"}},
    }
    for level, expected in ((1, 10), (2, 10), (3, 25), (4, 25), (99, 60)):
        found = project({"folk": {"ann": {"level": level}}}, rules)
        assert sheet_of(found).stats["a"] == expected
        assert codes(found) == ([] if level in (1, 3) else ["E434"])


def test_a_family_over_the_entries_of_a_kind() -> None:
    stats = {"skill": {"each": {"kind": "thing"}, "base": 2, "derive": {"double": "self * 2"}}}
    entries = {"thing": {"deep-sea": {}, "rope": {"effects": {"add": {"deep_sea": 3}}}}, "folk": {"ann": {"has": ["rope"]}}}
    found = project(entries, {**RULES, "stats": stats})
    assert codes(found) == []
    assert dict(sheet_of(found).stats) == {"deep_sea": 5, "deep_sea.double": 10, "rope": 2, "rope.double": 4}


def test_rows_of_a_list_and_of_numbers() -> None:
    rules = {
        **RULES,
        "rows": {
            "each": {"for": "folk", "each": "lines", "when": "much > 1", "give": {"total": "much + might", "word": "label"}},
            "steps": {"for": "folk", "each": [1, 2, 3, 4], "as": "n", "most": 2, "when": "n > 1", "give": {"twice": "n * 2"}},
        },
    }
    lines = [{"label": "a", "much": 1}, {"label": "b", "much": 2}, {"label": "c"}]
    found = project({"folk": {"ann": {"lines": lines}}}, rules)
    assert codes(found) == []
    assert sheet_of(found).rows == {"each": ({"id": 1, "total": 7, "word": "b"},), "steps": ({"id": 2, "twice": 4}, {"id": 3, "twice": 6})}


LIMIT = {"check": "might < 6", "say": "is too strong by {might - 5}", "remedy": "rest"}


@pytest.mark.parametrize(
    ("limit", "ann", "expected"),
    [
        ({}, {}, []),
        ({}, {"effects": {"add": {"might": 2}}}, [("E510", "`ann`: is too strong by 2", ("rest",))]),
        ({"level": "warning"}, {"effects": {"add": {"might": 2}}}, [("W510", "`ann`: is too strong by 2", ("rest",))]),
        ({"level": "note"}, {"effects": {"add": {"might": 2}}}, [("N510", "`ann`: is too strong by 2", ("rest",))]),
        (
            {},
            {"effects": {"add": {"might": 2}}, "waive": {"strong": "a giant"}},
            [("N511", "waived for `ann`: is too strong by 2 (a giant)", ())],
        ),
        ({}, {"waive": {"strong": "a giant"}}, []),
        ({"for": "thing"}, {"effects": {"add": {"might": 2}}}, []),
    ],
)
def test_limits(limit: dict[str, Any], ann: dict[str, Any], expected: list[Any]) -> None:
    rules = {**RULES, "limits": {"strong": {**LIMIT, **limit}}}
    found = project({"folk": {"ann": ann}}, rules)
    assert [(d.code, d.message, d.hints) for d in found.diagnostics] == expected


def test_claims_are_compared_and_the_derived_value_holds() -> None:
    found = project({"folk": {"ann": {"claims": {"might": 5, "speed": 11}}}})
    assert [(d.code, d.message) for d in found.diagnostics] == [("N501", "`ann` was printed with `speed` 11, and the rules give 10")]
    assert sheet_of(found).stats["speed"] == 10


# What has no value


def test_a_circle_of_fields_is_told_once() -> None:
    ring = {name: {"worth": "next.worth + 1", "next": after} for name, after in (("rope", "lamp"), ("lamp", "sail"), ("sail", "rope"))}
    ring["boot"] = {"worth": "next.worth", "next": "rope"}
    found = project({"thing": ring})
    assert [(d.code, d.message) for d in found.diagnostics] == [
        (
            "E501",
            "values are made from each other in a circle: "
            "`thing/lamp.worth` -> `thing/sail.worth` -> `thing/rope.worth` -> `thing/lamp.worth`",
        )
    ]


def test_what_a_broken_number_leads_to_is_told_once() -> None:
    stats = {"a": {"base": "1 / level"}, "b": {"base": "a"}, "c": {"base": "a + b"}}
    found = project({"folk": {"ann": {"level": 0}, "bob": {"level": 2}}}, {**RULES, "stats": stats})
    assert codes(found) == ["E431"]
    assert dict(sheet_of(found).stats) == {}
    assert dict(sheet_of(found, "bob").stats) == {"a": Fraction(1, 2), "b": Fraction(1, 2), "c": 1}


@pytest.mark.parametrize(("length", "told"), [(40, []), (3000, ["E507"])])
def test_chains_of_fields_end_somewhere(length: int, told: list[str]) -> None:
    things: dict[str, dict[str, Any]] = {f"t{i}": {"worth": "next.worth + 1", "next": f"t{i + 1}"} for i in range(min(length, 200))}
    found = project({"thing": {**things, f"t{len(things)}": {"worth": 1}}})
    assert codes(found) == told
    last = found.sheets["game", "thing", f"t{len(things) - 10}"]
    assert last.formulas[("worth",)] == 11


def test_every_value_is_worked_out_once() -> None:
    things: dict[str, dict[str, Any]] = {f"t{i}": {"worth": "next.worth + next.worth", "next": f"t{i + 1}"} for i in range(40)}
    found = project({"thing": {**things, "t40": {"worth": 1}}})
    assert codes(found) == []
    assert found.sheets["game", "thing", "t0"].formulas[("worth",)] == 2**40


def test_a_chain_of_nested_formulas_is_no_fault_of_ours() -> None:
    nested = "next.worth"
    for _ in range(12):
        nested = f"min(999, -(0 - {nested}))"
    things: dict[str, dict[str, Any]] = {f"t{i}": {"worth": nested, "next": f"t{i + 1}"} for i in range(55)}
    found = project({"thing": {**things, "t55": {"worth": 7}}})
    assert codes(found) == []
    assert found.sheets["game", "thing", "t0"].formulas[("worth",)] == 7


def test_a_long_ladder_of_stats() -> None:
    stats: dict[str, Any] = {f"s{i}": {"base": f"s{i + 1} + 1"} for i in range(2000)}
    found = project({"folk": {"ann": {}}}, {**RULES, "stats": {**stats, "s2000": {"base": 0}}})
    assert codes(found) == []
    assert sheet_of(found).stats["s0"] == 2000


def test_a_long_circle_of_stats() -> None:
    stats = {f"s{i}": {"base": f"s{(i + 1) % 500}"} for i in range(500)}
    found = project({"folk": {"ann": {}}}, {**RULES, "stats": stats})
    assert codes(found) == ["E501"]

"""The second game: pools of two dice, as data alone. It is checked, its own cases hold, its odds are those of a dumb oracle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import icepool
import pytest
from game import project_of
from well_formed import faults_of

from seasons_build.cli.gallery import Gallery
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry
from seasons_build.evaluate import Tried, rolls_in
from seasons_build.language.dice import Odds, Rolls
from seasons_build.language.phrases import Book, compile_book, flat
from seasons_build.pipeline.build import Seen
from seasons_build.pipeline.read import Project, try_games
from seasons_build.sources import DiskTree

ROOT = Path(__file__).parent.parent
PACK = "seasons-pass"
ONE_LINE = "        chain: true "
SUCCEEDS = ("success", "exceptional", "critical-success")
EXAMPLE = [(5, 1), (4, 1), (2, 1), (6, 1), (9, 1), (7, 1), (10, 1), (6, 2), (1, 1)]
START = "{strength: 3, agility: 3, endurance: 3, psyche: 2, insight: 2, willpower: 2}"


@cache
def files() -> Mapping[str, bytes]:
    tree = DiskTree(ROOT, (f"content/{PACK}", f"schemas/{PACK}"))
    return {name: tree.read(name) for name in tree.names()}


@cache
def game() -> Project:
    return project_of(files())


@cache
def tried() -> Tried:
    return try_games(game())


@cache
def book() -> Book:
    return compile_book({noun: {id: n.data for id, n in ids.items()} for noun, ids in game().library.rules[PACK].items()})


def entries(kind: str) -> dict[str, Entry]:
    return {entry.id: entry for entry in game().library.of_kind(PACK, kind)}


def with_character(text: str) -> list[Diagnostic]:
    """What is wrong with the game and one character more, given as its `start` and `record`."""
    slow = ("/odds.yaml", "/products-look.yaml")  # odds take long, and what prints them goes with them
    rest = {name: data for name, data in files().items() if not name.endswith(slow) and "/book/" not in name}
    found = project_of({**rest, f"content/{PACK}/more.yaml": f"character:\n  case:\n    name: Case\n{text}"})
    return [d for d in found.diagnostics if d.severity == "error"]


# ---- the whole


def test_it_is_data_alone() -> None:
    assert {Path(name).suffix for name in files()} == {".yaml", ".json"}


def test_nothing_is_wrong_with_it() -> None:
    assert not [str(d) for d in game().diagnostics]


def test_its_cases_hold_and_touch_all() -> None:
    assert not [str(fault) for case in tried().cases for fault in case.failures]
    assert not tried().untouched[PACK]


def test_it_has_what_it_should() -> None:
    least = {"skill-group": 12, "race": 4, "equipment": 12, "sense": 18, "npc": 6, "character": 3, "sense-group": 5}
    assert {kind: n for kind, n in least.items() if len(entries(kind)) < n} == {}
    assert len(entries("trait")) + len(entries("power")) >= 12
    assert all(len(group.data["specialties"]) == 3 for group in entries("skill-group").values())


def test_each_specialty_belongs_to_one_group() -> None:
    listed = [name for group in entries("skill-group").values() for name in group.data["specialties"]]
    assert sorted(listed) == sorted(entries("specialty"))


def test_pools_are_of_one_group() -> None:
    groups = {id: set(group.data["specialties"]) for id, group in entries("skill-group").items()}
    pools = [pool for kind, field in (("npc", "tries"), ("character", "pools")) for e in entries(kind).values() for pool in e.data[field]]
    pools += [roll for kind in ("power", "equipment") for entry in entries(kind).values() for roll in _rolls(entry.data)]
    assert len(pools) >= 30
    assert [pool for pool in pools if pool["specialty"] not in groups[pool["group"]]] == []


def _rolls(data: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(data, Mapping):
        if "specialty" in data:
            yield data
        for value in data.values():
            yield from _rolls(value)


def test_senses_stand_in_their_columns() -> None:
    columns = {name: group.data["place"] for name, group in entries("sense-group").items()}
    assert sorted(columns.values()) == [1, 2, 3, 4, 5]
    held = {name: [s.data["place"] for s in entries("sense").values() if s.data["group"] == name] for name in columns}
    assert [sorted(held[name]) for name in sorted(columns, key=lambda c: columns[c])] == [[*range(1, n + 1)] for n in (5, 5, 0, 4, 4)]


def test_what_is_provisional_is_there() -> None:
    for kind in ("race", "trait", "power", "quality", "equipment", "cyberware", "sense", "skill-group", "npc", "clause"):
        for entry in entries(kind).values():
            assert set(entry.data.get("provisional", ())) <= set(entry.data), entry.id


def test_lines_are_sentences() -> None:
    for key, lines in game().lines.items():
        if key[1] != "character":
            assert not lines.problems
            assert not faults_of(book(), lines), key


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "race/changeling",
            "Your maximum Strength is 4 and your maximum Insight is 6. You have Borrowed Face. "
            "Once per scene, when someone takes you for another person, regain 1 Essence.",
        ),
        ("trait/magery", "You have Counterspell and can buy Powers of this Trait up to your level in it."),
        ("cyberware/ox-frame", "+3 Mass and +1 maximum Strength. −1 Skill die on rolls to swim or climb."),
        ("sense/sonar", "You can make out shapes and movement within 30 meters, and ignore penalties from darkness and smoke."),
        ("skill-group/guns", "Specialties: Pistols, Rifles and Heavy Weapons."),
    ],
)  # fmt: skip
def test_cards_say_what_they_do(name: str, said: str) -> None:
    kind, _, id = name.partition("/")
    assert flat(book(), kind, game().lines[PACK, kind, id]) == [said]


def test_a_counterspell_is_an_interrupt_or_an_action() -> None:
    assert flat(book(), "power", game().lines[PACK, "power", "counterspell"]) == [
        "**Cut Short** (Interrupt Attack): Trigger: Someone you can sense uses a Supernatural power. "
        "Roll Psyche + Propriety [Concentration] against their Mental Defense. On a success, that power ends.",
        "**Unpick** (Normal Action): Roll Psyche + Propriety [Concentration] against the Mental Defense of someone sustaining a "
        "Supernatural power you can sense. On a success, that power ends.",
    ]


def test_a_ledger_says_what_was_earned_and_spent() -> None:
    lines = flat(book(), "character", game().lines[PACK, "character", "tolliver-crane"])
    assert lines[:4] == ["Creation: +60 XP, 60 left.", "Cyborg.", "Load Rating 1: 10 XP, 50 left.", "Ox Frame: 4 XP, 46 left."]
    assert lines[-3:] == ["Session 2.", "Award: +7 XP, 15 left.", "Guns 3: 6 XP, 9 left."]


def test_an_npc_of_3_2_2_shows_3_5_7() -> None:
    row = game().sheets[PACK, "npc", "contract-rifle"].rows["tries"][0]
    assert [row[name] for name in ("attribute_dots", "group_dots", "specialty_dots")] == [3, 2, 2]
    assert [row[name] for name in ("passive", "ready", "alerted")] == [3, 5, 7]
    lines = flat(book(), "npc", game().lines[PACK, "npc", "contract-rifle"])
    assert lines[0] == "**Outshoot.** Agility + Guns [Rifles]: Passive 3, Ready 5, Alerted 7."


# ---- dice, against an oracle that lists what one die can do and adds up

Sum = dict[int, Fraction]
SKILL: Sum = {0: Fraction(2, 3), 1: Fraction(1, 3)}
DEPTH = 24
"""Explosions that the oracle follows: below a Difficulty of so many, its chances are exact."""


def one_power(chain: bool) -> Sum:
    made: Sum = {-1: Fraction(1, 10), 0: Fraction(4, 10), 1: Fraction(4, 10)}
    going = Fraction(1, 10)
    for so_far in range(1, DEPTH if chain else 2):
        made[so_far] = made.get(so_far, Fraction(0)) + going / 2
        made[so_far + 1] = made.get(so_far + 1, Fraction(0)) + going * Fraction(4 if chain else 5, 10)
        going /= 10
    return made


def added(one: Sum, other: Sum) -> Sum:
    made: Sum = {}
    for a, p in one.items():
        for b, q in other.items():
            made[a + b] = made.get(a + b, Fraction(0)) + p * q
    return made


@cache
def pool(power: int, skill: int, chain: bool = True) -> Sum:
    if power + skill == 0:
        return {0: Fraction(1)}
    rest, die = (pool(power, skill - 1, chain), SKILL) if skill else (pool(power - 1, 0, chain), one_power(chain))
    return {n: p for n, p in added(rest, die).items() if n < DEPTH}


def at_least(made: Sum, least: int) -> Fraction:
    return 1 - sum((p for n, p in made.items() if n < least), start=Fraction(0))


@cache
def rolls() -> Rolls:
    return rolls_in(game().library, PACK)


def odds(roll: str, project: Project | None = None, **given: Any) -> Odds:
    return (rolls_in(project.library, PACK) if project else rolls()).rolls[roll].odds(given)


def succeeds(found: Odds) -> Fraction:
    return sum((found.outcomes[name] for name in SUCCEEDS), start=Fraction(0))


@pytest.mark.parametrize("power", [0, 1, 3, 10])
@pytest.mark.parametrize("skill", [0, 2, 8])
@pytest.mark.parametrize("chain", [True, False])
def test_pools(power: int, skill: int, chain: bool) -> None:
    if power + skill == 0:
        return
    made = pool(power, skill, chain)
    for difficulty in range(1, 10):
        found = odds("pool", attribute=power, group=skill, difficulty=difficulty, chain=chain)
        assert found.tail == 0
        assert succeeds(found) == at_least(made, difficulty)
        assert found.outcomes["exceptional"] == at_least(made, difficulty + 3) - at_least(made, difficulty + 6)
        assert found.outcomes["critical-success"] == at_least(made, difficulty + 6)
        assert found.outcomes["critical-failure"] == 1 - at_least(made, 0)


@pytest.mark.parametrize(("power", "skill"), [(4, 2), (10, 8), (20, 20)])
def test_pools_as_another_program_has_them(power: int, skill: int) -> None:
    again: icepool.Die[int] = icepool.Die([0])
    for _ in range(DEPTH + power):
        again = icepool.Die([0] * 5 + [1] * 4 + [again + 1])
    one = icepool.Die([-1] + [0] * 4 + [1] * 4 + [again + 1])
    made = power @ one + skill @ icepool.Die([0, 0, 1])
    for difficulty in (1, 3, 6, 9):
        found = odds("pool", attribute=power, group=skill, difficulty=difficulty)
        assert found.tail < Fraction(1, 10**30)
        assert abs(succeeds(found) - made.probability(">=", difficulty)) <= found.tail
        assert abs(found.outcomes["critical-failure"] - made.probability("<", 0)) <= found.tail


@pytest.mark.parametrize("skill", range(1, 9))
def test_without_power_dice_nobody_fails_critically(skill: int) -> None:
    assert all(odds("pool", group=skill, difficulty=d).outcomes["critical-failure"] == 0 for d in range(1, 10))


@pytest.mark.parametrize(("awareness", "said"), [("passive", "59.8"), ("ready", "19.2"), ("alerted", "2.4")])
def test_an_equal_pool(awareness: str, said: str) -> None:
    found = odds("opposed", attribute=3, group=2, specialty=2, awareness=awareness, their_attribute=3, their_group=2, their_specialty=2)
    assert succeeds(found) == at_least(pool(5, 2), {"passive": 3, "ready": 5, "alerted": 7}[awareness])
    assert f"{float(100 * succeeds(found)):.1f}" == said


@pytest.mark.parametrize("members", [[(1, 0), (0, 1)], [(2, 0), (0, 3)], [(3, 0), (1, 2)], [(4, 2), (4, 2), (2, 1)]])
def test_a_member_below_zero_takes_twice_as_much_off(members: list[tuple[int, int]]) -> None:
    total: Sum = {0: Fraction(1)}
    for power, skill in members:
        total = added(total, {n if n >= 0 else 2 * n: p for n, p in pool(power, skill).items()})
    found = odds("team", difficulty=3, team=[{"attribute": power, "group": skill} for power, skill in members])
    need = 3 + 2 * (len(members) - 1)
    assert found.outcomes["critical-failure"] == sum((p for n, p in total.items() if n < 0), start=Fraction(0))
    assert abs(succeeds(found) - (1 - sum((p for n, p in total.items() if n < need), start=Fraction(0)))) < Fraction(1, 10**15)


def test_odds_in_print() -> None:
    for entry in entries("odds-table").values():
        for row in game().sheets[entry.key].rows["odds"]:
            made = pool(int(row["power"]), entry.data["skill"])
            assert [row[f"at_{d}"] for d in range(1, 10)] == [at_least(made, d) for d in range(1, 10)]
    row = game().sheets[PACK, "character", "tolliver-crane"].rows["pools"][0]
    assert row["at_three"] == at_least(pool(4, 3), 3)
    assert abs(row["mean"] - (4 * Fraction(41, 90) + 1)) < Fraction(1, 10**20)


def test_explosions_are_one_line() -> None:
    rules = files()[f"content/{PACK}/rules/rolls.yaml"].decode()
    assert rules.count(ONE_LINE) == 1
    once = project_of({**files(), f"content/{PACK}/rules/rolls.yaml": rules.replace(ONE_LINE, ONE_LINE.replace("true", "false"))})
    assert succeeds(odds("pool", once, attribute=2, difficulty=3)) == at_least(pool(2, 0, chain=False), 3)
    assert odds("pool", once, attribute=1, difficulty=3).outcomes["success"] == 0
    assert odds("pool", attribute=1, difficulty=3).outcomes["success"] > 0
    given = {"attribute": 3, "group": 2, "specialty": 2, "their_attribute": 3, "their_group": 2}
    assert succeeds(odds("opposed", once, **given)) == at_least(pool(5, 2, chain=False), 5)
    printed = [p.sheets[PACK, "odds-table", "none"].rows["odds"][0] for p in (game(), once)]
    assert [row["at_3"] for row in printed] == [Fraction(1, 200), 0]
    team = [{"attribute": 2}, {"attribute": 2}]
    assert succeeds(odds("team", once, difficulty=3, team=team)) < succeeds(odds("team", difficulty=3, team=team))


def test_the_example_roll_is_4() -> None:
    """5, 4, 2, 6, 9, 7, 10 and 1, the 10 thrown again for a 6. The rules of the die are read as Python reads them."""
    die = game().library.rules[PACK]["rolls"]["pool"].data["dice"]["power"]
    thrown = [{"face": face, "throw": throw, "chain": True} for face, throw in EXAMPLE]
    assert sum(eval(die["score"], {}, names) for names in thrown) == 4
    assert [names["face"] for names in thrown if eval(die["again"], {}, names)] == [10]


# ---- what is not allowed: one diagnostic each, with rule and remedy


@pytest.mark.parametrize(
    ("record", "code", "message", "remedy"),
    [
        (
            "{race: changeling}, {attribute: strength}, {attribute: strength}",
            "E524",
            "`attribute` is not open to strength: it stands at 4, and 4 is the most that its race and body allow",
            "choose another Attribute, or wait until body and account allow this one",
        ),
        (
            "{race: human}, {trait: magery}, {trait: magery}, {trait: magery}, {trait: magery}",
            "E525",
            "`trait` costs 32 of `xp`, and 12 are left",
            "choose another Trait, or wait for the next award",
        ),
        (
            "{race: human}, {power: lamplight}",
            "E524",
            "`power` is not open to lamplight: Lamplight asks for Magery 1 and has no level above 1; on file are Magery 0 and Lamplight 0",
            "buy its Trait first as far as the Power asks for it, or wait for the next award",
        ),
        (
            "{race: human}, " + ", ".join(["{skill: rifles}"] * 6),
            "E524",
            "`skill` is not open to rifles: Rifles stands at 5, and 5 is the most for a Group or a Specialty",
            "choose another Group or Specialty, or wait for the next award",
        ),
    ],
    ids=["a race's maximum", "more spent than earned", "a power without its trait", "a specialty above its limit"],
)
def test_one_fault_with_rule_and_remedy(record: str, code: str, message: str, remedy: str) -> None:
    found = with_character(f"    start: {START}\n    record: [{{create: [{record}]}}]\n")
    assert [(d.code, d.message, d.hints) for d in found] == [(code, message, (remedy,))]
    assert found[0].span is not None and found[0].span.line == 5


def test_a_start_above_the_maximum() -> None:
    start = "{strength: 5, agility: 2, endurance: 2, psyche: 2, insight: 2, willpower: 2}"
    (fault,) = with_character(f"    start: {start}\n    record: [{{create: [{{race: changeling}}]}}]\n")
    assert (fault.code, fault.message) == ("E510", "`case`: Strength begins at 5, outside 1 to 4")
    assert fault.hints == ("set it within what the race allows, under `start`",)


def test_a_waived_choice_is_a_note() -> None:
    record = "[{create: [{race: human}, {power: lamplight, waive: taught by her aunt}]}]"
    assert with_character(f"    start: {START}\n    record: {record}\n") == []


# ---- the document


def test_the_document_names_what_is_there() -> None:
    text = (ROOT / "docs" / "seasons-pass.md").read_text(encoding="utf-8")
    rules = game().library.rules[PACK]
    named = re.findall(r"`([a-z_]+)\.([a-z0-9_-]+)`", text)
    assert len(named) >= 50
    assert [f"{noun}.{name}" for noun, name in named if noun in rules and name not in rules[noun]] == []
    assert {noun for noun, _ in named} - set(rules) <= {"takes", "dice", "let", "noun"}
    listed = {f"{e.kind}/{e.id}" for e in game().library.entries.values() if e.pack == PACK}
    places = {name for name in re.findall(r"`([a-z-]+/[a-z-]+)`", text) if not name.startswith(("content/", "schemas/", "kind/"))}
    assert places <= listed


def test_the_preview_works_one_row_out() -> None:
    gallery = Gallery()
    gallery.show(game(), Seen(), 0.0)

    def odds(**values: str) -> Any:
        answered = gallery.answer("/odds", {"roll": f"{PACK}:pool", **values})
        assert answered is not None
        return json.loads(answered.body)

    assert odds(attribute="5", group="3")["outcomes"]
    assert odds(attribute="1..50", group="1..40") == {
        "fault": "expected one value for `attribute`, found `1..50`",
        "hints": ["`seasons odds` works out a range"],
    }

"""The examples of play in the Frontiers rulebook: what is typed of them agrees with the people who throw and with what the cases hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
import yaml
from bare_press import Bare
from game import project_of

from seasons_build.core.entry import Entry
from seasons_build.core.job import DocumentJob
from seasons_build.export import entry_data, listed
from seasons_build.pipeline.build import Asked, Options, look_at
from seasons_build.pipeline.read import Project, read_sources
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root

PACK = "frontiers"
HERE = Path(__file__).parent.parent / "content" / PACK
THROWS: Mapping[str, Mapping[str, Any]] = yaml.safe_load((HERE / "book" / "plays.yaml").read_text(encoding="utf-8"))["throw"]


@pytest.fixture(scope="module")
def shipped() -> Project:
    return read_sources(Sources(MemoryTree({}), DiskTree(shipped_root())), Path("/nowhere"), (PACK,))


def _shown(project: Project, kind: str, id: str) -> dict[str, Any]:
    entry = project.library.entries[PACK, kind, id]
    return entry_data(project.library, project.sheets, project.lines, entry)


@pytest.mark.parametrize("id", [id for id, throw in THROWS.items() if "of" in throw])
def test_a_target_is_that_of_whoever_throws(id: str, shipped: Project) -> None:
    throw = THROWS[id]
    stats = _shown(shipped, "character", throw["of"])["stats"]
    assert throw["base"] == stats[f"{throw['score']}.{throw['tier']}"]


def test_favor_leaves_a_die_that_is_no_better(shipped: Project) -> None:
    for id, throw in THROWS.items():
        if "spare" in throw:
            better = 1 if throw.get("favor", 0) > throw.get("disfavor", 0) else -1
            assert better * (throw["spare"] - throw["tens"]) >= 0, id


def test_how_a_throw_comes_out(shipped: Project) -> None:
    (row,) = _shown(shipped, "throw", "fight-tough-2")["rows"]["played"]
    assert (row["target"], row["reading"], row["reads"], row["under"]) == (22, 8, "Negative", "14")
    (row,) = _shown(shipped, "throw", "marit-braced")["rows"]["played"]
    assert (row["target"], row["reading"], row["reads"], row["plain"]) == (34, 14, "Standard", "0.34")


def test_rounds_are_those_that_the_cases_hold() -> None:
    cases = yaml.safe_load((HERE / "rules" / "balance.yaml").read_text(encoding="utf-8"))["rules"]["cases"]
    text = (HERE / "book" / "15-running.yaml").read_text(encoding="utf-8")
    names = {"average-lasts-two-rounds": "Average", "elite-lasts-three-rounds": "Elite", "boss-lasts-five-rounds": "Boss"}
    for case, band in names.items():
        found = re.search(rf"{band}[a-z ]*for (\d\.\d) to (\d\.\d)", text)
        assert found
        rounds = [float(held) for held in cases[case]["expect"].values()]
        assert abs(float(found[1]) - min(rounds)) <= 0.05 and abs(float(found[2]) - max(rounds)) <= 0.05, band


def test_what_is_left_in_the_fight_is_what_the_throws_took(shipped: Project) -> None:
    text = (HERE / "book" / "17-a-fight.yaml").read_text(encoding="utf-8")
    rows = _shown(shipped, "character", "marit-oyelaran")["rows"]["in_hand"]
    extra = next(row["extra"] for row in rows if row["id"] == "service-rifle")
    dice = re.search(r"Two dice, (\d) and (\d), and once her", text)
    assert dice
    took = {id.removeprefix("fight-"): throw["damage"] for id, throw in THROWS.items() if id.startswith("fight-") and "damage" in throw}
    critical = int(dice[1]) + int(dice[2]) + extra
    of_the_boarder = [took["marit-2"] + extra, -(-(took["marit-3"] + extra) // 2), critical, took["kestrel-1"], took["marit-5"] + extra]
    assert [int(n) for n in re.findall(r"band_hp, 'average', 1\) - (\d+)", text)] == list(accumulate(of_the_boarder))
    band = shipped.library.entries[PACK, "band", "average"].data["damage"]
    assert set(re.findall(r"marit-oyelaran: max_hp - (\d+)", text)) == {str(took["boarder-3"] + band)}
    assert set(re.findall(r"noor-halloran: max_hp - (\d+)", text)) == {str(took["tough-1"] - (-took["tough-2"] // 2))}


def test_every_card_of_the_game_stands_in_the_book(shipped: Project) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((HERE / "book").glob("*.yaml")))
    missing = [entry for entry in listed(shipped.library) if _is_a_card(entry) and not _brought_in(entry, text)]
    assert missing == []


def _is_a_card(entry: Entry) -> bool:
    return entry.kind in (
        "ability",
        "general-ability",
        "chassis",
        "background",
        "calibration",
        "weapon",
        "armor",
        "item",
        "adversary",
        "skill",
    )


def _brought_in(entry: Entry, text: str) -> bool:
    """Whether a line `![[kind/*]]` brings it in: without a condition, or with one on a field that the entry has at that value."""
    for where in re.findall(rf"!\[\[{entry.kind}/\*([^\]]*)\]\]", text):
        found = re.search(r"where (\w+) == '?([\w-]+)'?", where)
        if found is None or str(entry.data.get(found[1])) == found[2]:
            return True
    return False


def test_the_balance_is_worked_out_where_all_of_the_game_is_asked_for(shipped: Project, tmp_path: Path) -> None:
    press = Bare()
    look_at(shipped, Options(Asked((PACK,), (PACK,)), tmp_path), press)
    (job,) = (job for job in press.jobs if job.key == "balance:pages")
    assert isinstance(job, DocumentJob)
    assert job.parts


def test_the_balance_is_not_worked_out_for_a_pack_that_shows_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes longer than all the rest of a small pack."""
    monkeypatch.setattr("seasons_build.pipeline.build.weigh", lambda library: pytest.fail("weighed"))
    manifest = f'id: crew\ntitle: Crew\nversion: "1"\nformat: 1\nrequires: {{{PACK}: "*"}}\n'
    gear = "item:\n  rope: {name: Rope, slots: 1, flavor: It holds.}\nproduct:\n  gear: {layout: cards, select: {kind: item}}\n"
    project = project_of({"content/crew/pack.yaml": manifest, "content/crew/gear.yaml": gear})
    press = Bare()
    look_at(project, Options(Asked(("crew",)), tmp_path), press)
    assert press.jobs

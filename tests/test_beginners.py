"""What beginners type, each told once and with what to type instead."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest
from game import CASE, game_files, project_of, with_case
from running import runner
from small_project import make

from seasons_build.cli.main import seasons
from seasons_build.core.names import nearest
from seasons_build.pipeline.read import read

ROOT = Path(__file__).parent.parent
GUN = """\
weapon:
  rivet-gun:
    name: Rivet Gun
    family: ballistics
    demand: 2
    slots: 2
    range: 6
    actions:
      fire:
        name: Fire
        use: action
        attributes: [deft, acuity]
        roll: {attack: {defense: physical_defense, damage: 1d8}}
        hit: {harm: value}
    flavor: It fastens.
"""


@pytest.mark.parametrize(
    ("text", "code", "line", "hint"),
    [
        ("blade:\nknife:\n  name: Knife\n", "E203", 1, "what belongs to `blade` stands further right, as `  knife:`"),
        ("blade:\nname: Knife\nfamily: steel\n", "E201", 1, "write `  knife:` below `blade:`, and move these four blanks"),
        ("kind: blade\nid: saw\nname: Saw\n", "E201", 1, "write `blade:` and `  saw:` above, and move these four blanks"),
        ("name: Cape\nrules: It is warm.\n", "E201", 1, "write its kind and `  cape:` above"),
        ("coat:\n  cape: {name: Cape, weight: 8 stone}\n", "E205", 2, "the number alone: 8"),
        ("coat:\n  cape: {name: Cape, weight: 8;}\n", "E205", 2, "the number alone: 8"),
        ("coat:\n  cape: {name: Cape, weight: two}\n", "E205", 2, "in figures: 2"),
        ("coat:\n  cape: {name: 1.10}\n", "E205", 2, 'quote it to make it text: "1.10"'),
        ("blade:\n  knife: {name: Knife, family: soup}\n", "E301", 2, "one of `leather`, `steel`"),
    ],
)
def test_it_is_told_once_and_says_what_to_type(text: str, code: str, line: int, hint: str) -> None:
    (found,) = (d for d in with_case(text).diagnostics if d.severity == "error")
    assert (found.code, found.span and found.span.line) == (code, line)
    assert hint in found.hints[0]


def test_a_number_is_told_as_it_was_typed() -> None:
    (found,) = with_case("coat:\n  cape: {name: 1.0}\n").diagnostics
    assert found.message == "expected text for `name`, found the number `1.0`"


def test_a_file_that_lies_in_no_pack() -> None:
    files = {**game_files(), "content/knives.yaml": "blade:\n  knife: {name: Knife, family: steel}\n"}
    assert [(d.code, str(d.span)) for d in project_of(files).diagnostics] == [("W790", "content/knives.yaml:1:1")]


def test_a_file_beside_the_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    root = make(tmp_path / "p")
    monkeypatch.chdir(root)
    (root / "more.yaml").write_text("charm:\n  spark: {name: Spark}\n", encoding="utf-8")
    (root / "compose.yml").write_text("services: {}\n", encoding="utf-8")
    ran = runner(monkeypatch, capsys)("check")
    assert "warning[W790]: `more.yaml` is not read: it lies in no pack" in ran.out
    assert "compose.yml" not in ran.out


def test_a_file_in_utf_16_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    root = make(tmp_path / "p")
    monkeypatch.chdir(root)
    (root / "content/charms/all.yaml").write_bytes("charm:\n  spark: {name: Spark}\n".encode("utf-16"))
    ran = runner(monkeypatch, capsys)("check")
    assert "error[E103]: expected UTF-8 text, found UTF-16" in ran.out
    assert "x00" not in ran.out and "charm:" not in ran.out


def test_the_words_there_are_stand_in_the_order_of_the_game() -> None:
    (found,) = (d for d in with_case("blade:\n  saw: {name: Saw, family: steel, actions: {a: {name: A, attributes: [dex]}}}\n").diagnostics)
    assert found.code == "E304"
    there = list(dict.fromkeys(re.findall(r"`(\w+)`", found.hints[0])))
    assert there and there != sorted(there)


@pytest.mark.parametrize(
    ("word", "there", "meant"),
    [
        ("flying", ("dying", "leaving"), None),
        ("range", ("name",), None),
        ("nmae", ("name",), "name"),
        ("amge", ("mage",), "mage"),
        ("balistics", ("ballistics",), "ballistics"),
        ("balstics", ("ballistics",), "ballistics"),
        ("hp", ("hq", "xp"), "hq"),
    ],
)
def test_what_is_hardly_alike_is_not_meant(word: str, there: tuple[str, ...], meant: str | None) -> None:
    assert nearest(word, there) == meant


def test_an_id_twice_once_as_a_copy() -> None:
    first = "blade:\n  knife: {name: Knife, family: steel}\n  saw: {name: Saw, like: knife}\n"
    files = {**game_files(), CASE: first, "content/suite/z.yaml": "blade:\n  saw: {name: Saw, family: steel}\n"}
    assert [d.code for d in project_of(files).diagnostics if d.severity == "error"] == ["E302"]


def test_a_word_of_the_game_with_a_blank_in_it(tmp_path: Path) -> None:
    copied = copytree(ROOT / "content" / "frontiers", tmp_path / "content" / "frontiers")
    copytree(ROOT / "schemas" / "frontiers", tmp_path / "schemas" / "frontiers")
    file = copied / "gear" / "weapons.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("defense: physical_defense", "defense: physical defense", 1), encoding="utf-8")
    found = [d for d in read(tmp_path).diagnostics if d.severity == "error"]
    assert [(d.code, d.hints) for d in found] == [("E561", ("did you mean `physical_defense`?",))]


@pytest.mark.parametrize(
    ("was", "now", "word", "meant"),
    [
        ("hit: {harm: value}", "hit: {harn: value}", "harn", "harm"),
        ("hit: {harm: value}", "hit: {harm: value}\n        critical: {pervent: leaving, to: target}", "pervent", "prevent"),
        ("hit: {harm: value}", "hit: {prevent: leaving, too: target, until: next-turn}", "too", "to"),
        ("hit: {harm: value}", "hit: {prevent: leaving, to: target, untill: next-turn}", "untill", "until"),
        ("hit: {harm: value}", "hit: {harm: value}\n        effects: {sya: It is loud.}", "sya", "say"),
    ],
)
def test_a_verb_or_a_rider_that_is_none(was: str, now: str, word: str, meant: str) -> None:
    """It would be left out of the sentence, and nobody would see it."""
    manifest = 'id: crew\ntitle: Crew\nversion: "1"\nformat: 1\nrequires: {frontiers: ">=1"}\n'
    text = GUN.replace(was, now)
    found = project_of({"content/crew/pack.yaml": manifest, "content/crew/gun.yaml": text}).diagnostics
    told = next(d for d in found if d.code == "E304")
    assert told.message == f"`{word}` is no verb and no rider, and no sentence of the game speaks of it"
    assert told.hints == (f"did you mean `{meant}`?",)
    assert told.span is not None
    assert text.splitlines()[told.span.line - 1][told.span.column - 1 :].startswith(word)
    assert [d.code for d in found if d.severity == "error"] == ["E304"]


def test_what_stands_below_a_misspelt_field_is_not_judged() -> None:
    manifest = 'id: crew\ntitle: Crew\nversion: "1"\nformat: 1\nrequires: {frontiers: ">=1"}\n'
    text = GUN.replace("roll: {attack: {", "rolll: {contest: {")
    found = project_of({"content/crew/pack.yaml": manifest, "content/crew/gun.yaml": text}).diagnostics
    assert [(d.code, d.hints) for d in found if d.severity == "error"] == [("E304", ("did you mean `roll`?",))]


def test_a_figure_that_a_noun_in_place_speaks_of() -> None:
    manifest = 'id: crew\ntitle: Crew\nversion: "1"\nformat: 1\nrequires: {frontiers: ">=1"}\n'
    more = "critical: {prevent: leaving, to: target, until: {say: 'the end of its turn {turns-left}'}, turns-left: 3}"
    text = GUN.replace("hit: {harm: value}", f"hit: {{harm: value}}\n        {more}")
    found = project_of({"content/crew/pack.yaml": manifest, "content/crew/gun.yaml": text}).diagnostics
    assert [d.code for d in found if d.severity == "error"] == []


@pytest.mark.parametrize("line", ["        hit: {harm: 1d8}\n", ""])
def test_the_damage_of_a_roll_is_used_by_an_outcome(tmp_path: Path, line: str) -> None:
    pack = tmp_path / "content" / "home"
    pack.mkdir(parents=True)
    (pack / "pack.yaml").write_text('id: home\ntitle: Home\nversion: "1"\nformat: 1\nrequires: {frontiers: ">=0"}\n', encoding="utf-8")
    (pack / "gun.yaml").write_text(GUN.replace("        hit: {harm: value}\n", line), encoding="utf-8")
    (found,) = (d for d in read(tmp_path).diagnostics if d.span and not d.span.file.startswith("seasons:"))
    assert found.code == "E562"
    assert found.hints == ("no outcome of the roll uses it: name it there by `value`, as in `{harm: value}`, or leave it out",)


def test_where_there_is_no_pack_of_ones_own_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "content").mkdir()
    assert seasons.main(["--project", str(tmp_path), "check"], standalone_mode=False) == 0
    assert "there is no pack of your own here" in capsys.readouterr().err

"""The command line: answers on stdout and talk on stderr, the documented forms, exit codes, nearest names, and a safe terminal.

All in this process, through `main` as the shell calls it; builds use a typesetter of straw but where the page itself matters.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from game import GAME
from running import Ran, Run
from straw import Straw, set_with

from seasons_build.cli import inspect as inspect_module
from seasons_build.core.escapes import UNSAFE

CONTENT = """\
product:
  coats: {layout: pages, select: {kind: coat}}
  blades: {layout: pages, select: {kind: blade}}
coat:
  cape: {name: Cape, weight: 2, effects: {add: {guard: 3}}, provisional: [weight]}
  cloak: {name: "Cloak of “Night”", weight: 5, price: "weight * 2 + 1 / 2", rules: "Weighs {weight}."}
blade:
  knife: {name: Knife, family: steel, weight: 1, damage: 1d4}
hero:
  ann: {name: Ann, brawn: 3, wit: 5, wears: [cape], claims: {guard: 14}}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The suite's game on disk, as the current folder."""
    shutil.copytree(GAME, tmp_path / "game")
    (tmp_path / "game" / "content" / "suite" / "things.yaml").write_text(CONTENT, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "game")
    return tmp_path / "game"


def add(home: Path, text: str | bytes, name: str = "more.yaml") -> None:
    raw = text.encode() if isinstance(text, str) else text
    (home / "content" / "suite" / name).write_bytes(raw)


# check


FAULTS = "blade:\n  fork: {name: Fork, family: steal}\n"


def test_check_without_faults(home: Path, run: Run) -> None:
    (home / "content" / "suite" / "things.yaml").write_text(CONTENT.replace(", claims: {guard: 14}", ""), encoding="utf-8")
    assert run("check") == (0, "", "no faults\n")


def test_notes_fail_nothing(home: Path, run: Run) -> None:
    found = run("check", "--strict")
    assert found.code == 0
    assert found.out.startswith("note[N501]: `ann` was printed with `guard` 14, and the rules give 15\n")
    assert "^^ an erratum of the source, kept on purpose: the figure of the rules prints\n" in found.out
    assert found.err == "no faults, 1 note\n"


def test_check_in_text(home: Path, run: Run) -> None:
    add(home, FAULTS)
    found = run("check")
    assert found.code == 1
    assert found.out.startswith(
        "error[E301]: unknown family `steal`\n"
        " --> content/suite/more.yaml:2:30\n"
        "  |\n"
        "2 |   fork: {name: Fork, family: steal}\n"
        "  |                              ^^^^^ did you mean `steel`?\n"
    )
    assert found.err == "1 error, 1 note\n"


def test_check_in_lines(home: Path, run: Run) -> None:
    add(home, FAULTS)
    found = run("check", "--format", "line")
    assert found.out.split("\n")[0] == "content/suite/more.yaml:2:30: error[E301]: unknown family `steal`"


def test_check_in_json(home: Path, run: Run) -> None:
    add(home, FAULTS)
    found = run("check", "--format", "json")
    assert found.code == 1
    assert found.err == ""
    assert json.loads(found.out)[0] == {
        "code": "E301",
        "severity": "error",
        "file": "content/suite/more.yaml",
        "line": 2,
        "column": 30,
        "message": "unknown family `steal`",
        "hints": ["did you mean `steel`?"],
    }


def test_check_in_json_without_faults(home: Path, run: Run) -> None:
    (home / "content" / "suite" / "things.yaml").unlink()
    assert run("check", "--format", "json") == (0, "[]\n", "")


def test_check_for_a_service(home: Path, run: Run) -> None:
    add(home, FAULTS)
    found = run("check", "--format", "github")
    assert found.out.split("\n")[0] == (
        "::error file=content/suite/more.yaml,line=2,col=30,title=E301::unknown family `steal`. did you mean `steel`?"
    )


def test_check_of_one_file(home: Path, run: Run) -> None:
    add(home, FAULTS)
    assert run("check", "content/suite/things.yaml").code == 0
    assert run("check", "content/suite/more.yaml").code == 1
    assert run("check", "content").code == 1
    assert run("check", "schemas") == (0, "", "no faults\n")


def test_check_of_a_path_that_is_not_there(home: Path, run: Run) -> None:
    found = run("check", "content/suite/mroe.yaml")
    assert found.code == 2
    assert "content/suite/mroe.yaml" in found.err


def test_about_fifty_are_shown_and_the_rest_counted(home: Path, run: Run) -> None:
    add(home, "blade:\n" + "".join(f"  b{i}: {{name: B, family: steal}}\n" for i in range(80)))
    found = run("check", "--format", "line")
    assert len(found.out.strip().split("\n")) == 51
    assert found.out.strip().endswith("... and 31 more")
    assert found.err == "80 errors, 1 note\n"
    assert len(json.loads(run("check", "--format", "json").out)) == 81


# list


def test_list_in_json(home: Path, run: Run) -> None:
    found = run("list", "--format", "json")
    assert found.code == 0
    assert json.loads(found.out) == [
        {"id": "knife", "kind": "blade", "pack": "suite", "version": "1.0", "name": "Knife"},
        {"id": "cape", "kind": "coat", "pack": "suite", "version": "1.0", "name": "Cape"},
        {"id": "cloak", "kind": "coat", "pack": "suite", "version": "1.0", "name": "Cloak of “Night”"},
        {"id": "leather", "kind": "family", "pack": "suite", "version": "1.0", "name": "Leather"},
        {"id": "steel", "kind": "family", "pack": "suite", "version": "1.0", "name": "Steel"},
        {"id": "ann", "kind": "hero", "pack": "suite", "version": "1.0", "name": "Ann"},
    ]


def test_list_in_text(home: Path, run: Run) -> None:
    assert run("list", "coat") == (0, "suite:coat/cape  Cape\nsuite:coat/cloak  Cloak of “Night”\n", "2 entries\n")
    assert run("list", "suite:blade") == (0, "suite:blade/knife  Knife\n", "1 entry\n")
    assert run("list", "guest") == (0, "", "0 entries\n")


def test_list_of_a_project_names_its_own_and_counts_those_of_games(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "pack", "mine", "--for", "frontiers")
    found = run("list")
    first, *others = found.out.splitlines()
    assert first == "mine:weapon/first-weapon  First Weapon"
    assert others
    assert all(line.startswith("frontiers:") and line.endswith((" entries", " entry")) for line in others)
    assert "; `seasons list frontiers:" in found.err
    assert len(run("list", "frontiers:weapon").out.splitlines()) == int(next(x for x in others if ":weapon " in x).split()[1])


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (["--where", "weight > 1"], ["cape", "cloak"]),
        (["--where", "weight >= 1 and weight < 5"], ["knife", "cape"]),
        (["--where", "price > 10"], ["cloak"]),
        (["--where", "guard == 15"], ["ann"]),
        (["--where", "brawn < wit"], ["ann"]),
        (["--where", "has('cape')"], ["ann"]),
        (["--where", "weight > 99"], []),
        (["--where", "family.name == 'Steel'"], ["knife"]),
        (["coat", "--where", "weight > 2"], ["cloak"]),
        (["--text", "night"], ["cloak"]),
        (["--text", "no such words"], []),
        (["--provisional"], ["cape"]),
    ],
)
def test_list_of_some(home: Path, run: Run, words: list[str], ids: list[str]) -> None:
    found = run("list", *words, "--format", "json")
    assert (found.code, [entry["id"] for entry in json.loads(found.out)]) == (0, ids)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["list", "blad"], "unknown kind `blad`: did you mean `blade`?"),
        (["show", "nife"], "unknown entry `nife`: did you mean `knife`?"),
        (["show", "blade/nife"], "unknown entry `blade/nife`: did you mean `knife`?"),
        (["explain", "nobody-at-all"], "unknown entry `nobody-at-all`"),
        (["explain", "ann", "gaurd"], "unknown stat `gaurd`: did you mean `guard`?"),
        (["explain", "E999"], "unknown code `E999`"),
        (["list", "--where", "wieght > 1"], "unknown name `wieght`: did you mean `weight`?"),
        (["list", "--where", "weight >"], "expected a value"),
        (["list", "--where", "weight"], "expected true or false"),
        (["build", "--where", "wieght > 1"], "unknown name `wieght`"),
        (["build", "--format", "svg"], "'svg' is none of pdf, png"),
        (["build", "--format", ""], "is none of pdf, png"),
        (["build", "--only", "cape=0"], "expected a number of copies"),
        (["build", "--only", "cape=many"], "expected a number of copies"),
        (["chekc"], "there is no command 'chekc' (did you mean `check`?)"),
        (["check", "--fromat", "json"], "No such option"),
        (["--project", "nowhere", "check"], "nowhere"),
        (["show"], "Missing argument"),
    ],
)
def test_usage(home: Path, run: Run, words: list[str], said: str) -> None:
    found = run(*words)
    assert found.code == 2
    assert found.out == ""
    assert said in found.err
    assert "Traceback" not in found.err


# show and explain


def test_show_in_json(home: Path, run: Run) -> None:
    found = run("show", "coat/cloak", "--format", "json")
    assert found.code == 0
    shown = json.loads(found.out)
    assert list(shown)[:6] == ["id", "kind", "pack", "name", "data", "stats"]
    assert shown["data"] == {"name": "Cloak of “Night”", "weight": 5, "price": "10.5", "rules": "Weighs 5."}
    assert shown["stats"] == {}


def test_show_has_the_actions_as_they_are_typed(home: Path, run: Run) -> None:
    add(home, "blade:\n  pike: {name: Pike, family: steel, tags: [long], actions: {jab: {name: Jab, use: act}, lean: {name: Lean}}}\n")
    assert run("show", "pike").out.split("\n")[:9] == [
        "Pike  (suite:blade/pike)",
        "  family: steel",
        "  tags: [long]",
        "  actions:",
        "    jab:",
        "      name: Jab",
        "      use: act",
        "    lean:",
        "      name: Lean",
    ]


def test_show_has_exact_stats(home: Path, run: Run) -> None:
    shown = json.loads(run("show", "ann", "--format", "json").out)
    assert shown["stats"] == {"breath": 3, "brawn": 3, "brawn.half": 1, "wit": 5, "wit.half": 2, "guard": 15, "load": 2}
    assert (shown["id"], shown["kind"], shown["pack"], shown["name"]) == ("ann", "hero", "suite", "Ann")
    assert shown["data"]["wears"] == ["cape"]


@pytest.mark.parametrize("name", ["knife", "blade/knife", "suite:blade/knife", "suite:knife"])
def test_the_ways_to_name_an_entry(home: Path, run: Run, name: str) -> None:
    found = run("show", name)
    assert found.code == 0
    assert found.out.startswith("Knife  (suite:blade/knife)\n")


def test_a_name_that_means_two_entries(home: Path, run: Run) -> None:
    add(home, "coat:\n  knife: {name: Coat of Knives}\n")
    found = run("show", "knife")
    assert found.code == 2
    assert "`suite:blade/knife`, `suite:coat/knife`: say which" in found.err


def test_show_of_a_broken_entry(home: Path, run: Run) -> None:
    add(home, FAULTS)
    found = run("show", "fork")
    assert found.code == 1
    assert "Fork" in found.out
    assert "E301" in found.err


def test_explain_a_number(home: Path, run: Run) -> None:
    found = run("explain", "ann", "guard")
    assert found.code == 0
    assert found.out.startswith("guard 15\n")
    words = " ".join(found.out.split())
    assert "12 -> 12 base 10 + wit.half content/suite/rules.yaml" in words
    assert "+3 -> 15 Cape content/suite/things.yaml:5:" in words


def test_explain_all_numbers(home: Path, run: Run) -> None:
    found = run("explain", "ann")
    assert [line for line in found.out.split("\n") if line and line[0] != " "] == [
        "breath 3", "brawn 3", "brawn.half 1", "wit 5", "wit.half 2", "guard 15", "load 2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("stat", "said"),
    [("bh", "did you mean `brawn.half`?"), ("xyz", "one of `breath`, `brawn`, `wit`, `guard`, `load`, `brawn.half`, `wit.half`")],
)
def test_explain_no_stat_says_which_there_are(home: Path, run: Run, stat: str, said: str) -> None:
    found = run("explain", "ann", stat)
    assert (found.code, found.err) == (2, f"unknown stat `{stat}`: {said}\n")


def test_odds_of_nothing_are_the_rolls_that_there_are(home: Path, run: Run) -> None:
    found = run("odds")
    assert (found.code, found.out) == (0, "suite:strike  defense damage boost\n")
    assert found.err == "`seasons odds ROLL` says what a roll takes\n"


@pytest.mark.parametrize(
    ("dice", "code", "said"),
    [
        ("2d6", 0, "7    16.7 %  1/6\n"),
        ("d4+1", 0, "mean  7/2\n"),
        ("max(1d6, 1d8)", 0, "mean  251/48\n"),
        ("1d0", 2, "`1d0` cannot be thrown"),
        ("400d999", 2, "more than 5,000,000 steps"),
        ("2d6x", 2, "there is no roll `2d6x`"),
    ],
)
def test_odds_of_dice(home: Path, run: Run, dice: str, code: int, said: str) -> None:
    found = run("odds", dice)
    assert found.code == code
    assert said in found.out + found.err


def test_new_asks_for_the_id(home: Path, run: Run) -> None:
    found = run("new", "coat")
    assert found.code == 2
    assert "say how the new coat is called, as `seasons new coat my-coat`" in found.err


def test_explain_a_code(home: Path, run: Run) -> None:
    found = run("explain", "e301")
    assert found.code == 0
    assert found.out.startswith("# E301: a name that leads nowhere\n")
    assert "## Bad" in found.out


def test_explain_a_broken_entry(home: Path, run: Run) -> None:
    add(home, FAULTS)
    found = run("explain", "fork")
    assert found.code == 1
    assert "E301" in found.err


# build


@pytest.fixture
def straw(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    set_with(Straw, monkeypatch)
    (home / "content" / "suite" / "things.yaml").write_text(CONTENT + "  bob: {name: Bob, brawn: 3, wit: 5}\n", encoding="utf-8")
    for kind in ("hero", "family"):
        schema = home / "schemas" / "suite" / f"{kind}.json"
        schema.write_text(json.dumps({**json.loads(schema.read_text(encoding="utf-8")), "x-print": False}), encoding="utf-8")
    return home


def written(home: Path, folder: str = "dist") -> list[str]:
    return sorted(p.relative_to(home).as_posix() for p in (home / folder).rglob("*.pdf"))


def test_build_lists_what_it_wrote(straw: Path, run: Run) -> None:
    found = run("build")
    assert (found.code, found.out) == (0, "dist/suite/blades.pdf\ndist/suite/coats.pdf\n")
    assert "2 files (2 new) in " in found.err
    assert "2 files (0 new): nothing has changed" in run("build").err


def test_build_of_one_product(straw: Path, run: Run) -> None:
    assert run("build", "coats").out == "dist/suite/coats.pdf\n"
    assert run("build", "suite:blades").out == "dist/suite/blades.pdf\n"
    assert written(straw) == ["dist/suite/blades.pdf", "dist/suite/coats.pdf"]


def test_build_of_a_pack_by_its_id(straw: Path, run: Run) -> None:
    assert run("build", "suite").out == "dist/suite/blades.pdf\ndist/suite/coats.pdf\n"


def test_build_of_a_product_without_entries(straw: Path, run: Run) -> None:
    found = run("build", "blades", "--only", "cape")
    assert (found.code, found.out) == (0, "")
    assert "W701" in found.err


def test_build_of_an_unknown_product(straw: Path, run: Run) -> None:
    found = run("build", "coast")
    assert found.code == 1
    assert "E701" in found.err
    assert "did you mean `coats`?" in found.err
    assert not (straw / "dist").exists()


def test_a_form_without_a_template_is_told_once(straw: Path, run: Run) -> None:
    add(straw, "product:\n  forms: {layout: form, each: hero}\n")
    found = run("build", "forms")
    assert found.code == 1
    assert "error[E707]: the theme has no sheet for `hero`" in found.err
    assert "draw it in `forms/hero.html.j2` of the theme" in found.err
    assert "W701" not in found.err


def test_build_only(straw: Path, run: Run) -> None:
    assert run("build", "--only", "c*").out == "dist/suite/coats~only.pdf\n"
    assert b"Cape" in (straw / "dist/suite/coats~only.pdf").read_bytes()
    assert run("build", "--only", "cloak", "--only", "blade/*").out == "dist/suite/blades~only.pdf\ndist/suite/coats~only.pdf\n"
    assert b"Cape" not in (straw / "dist/suite/coats~only.pdf").read_bytes()


def test_a_part_of_a_deck_takes_nothing_from_the_whole(straw: Path, run: Run) -> None:
    run("build")
    whole = (straw / "dist/suite/coats.pdf").read_bytes()
    assert run("build", "--only", "cloak", "--paper", "letter").out == "dist/suite/coats-letter~only.pdf\n"
    assert (straw / "dist/suite/coats.pdf").read_bytes() == whole
    manifest = json.loads((straw / "dist/manifest.json").read_text(encoding="utf-8"))
    assert manifest["files"]["suite/coats-letter~only.pdf"]["product"] == "suite:coats~only"
    with (straw / "content/suite/things.yaml").open("a", encoding="utf-8") as file:
        file.write("# a line\n")
    run("build")
    assert sorted(path.name for path in (straw / "dist/suite").glob("coats*")) == ["coats.pdf"], "a build of all clears it away"


def test_build_only_of_nothing(straw: Path, run: Run) -> None:
    found = run("build", "--only", "cpae")
    assert found.code == 1
    assert "error[E704]: no entry is called `cpae`" in found.err
    assert "did you mean `cape`?" in found.err


def test_build_where(straw: Path, run: Run) -> None:
    assert run("build", "--where", "weight > 2").out == "dist/suite/coats~only.pdf\n"
    assert b"Cape" not in (straw / "dist/suite/coats~only.pdf").read_bytes()


def test_build_on_unknown_paper(straw: Path, run: Run) -> None:
    found = run("build", "--paper", "a44")
    assert found.code == 1
    assert "error[E706]: unknown paper `a44`" in found.err


def test_build_out_of_the_project(straw: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run("build", "--out", str(tmp_path / "empty")).code == 0
    assert (tmp_path / "empty" / "suite" / "coats.pdf").is_file()
    assert run("build", "--out", str(tmp_path / "empty")).code == 0


@pytest.mark.parametrize("folder", [".", "..", "content", "content/suite", "schemas/x", "../full"])
def test_build_never_writes_over_what_is_not_ours(straw: Path, run: Run, tmp_path: Path, folder: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear", encoding="utf-8")
    before = sorted(p for p in tmp_path.rglob("*"))
    found = run("build", "--out", folder)
    assert found.code == 1
    assert "error[E802]" in found.err
    assert sorted(p for p in tmp_path.rglob("*") if ".seasons-cache" not in p.parts) == before


def test_a_product_with_a_broken_entry_keeps_its_old_file(straw: Path, run: Run) -> None:
    run("build")
    old = (straw / "dist/suite/blades.pdf").read_bytes()
    add(straw, FAULTS + "coat:\n  shawl: {name: Shawl}\n")
    found = run("build")
    assert found.code == 1
    assert "stale: suite:blades keeps its old file" in found.err
    assert (straw / "dist/suite/blades.pdf").read_bytes() == old
    assert b"Shawl" in (straw / "dist/suite/coats.pdf").read_bytes()


def test_a_product_at_fault_takes_no_other_with_it(straw: Path, run: Run) -> None:
    wrong = ["card: pokre, select: {kind: coat}", "select: {kind: [coat, caot]}", "back: bakc, select: {kind: coat}"]
    add(straw, "product:\n" + "".join(f"  wrong-{n}: {{layout: cards, {rest}}}\n" for n, rest in enumerate(wrong)))
    found = run("build")
    assert (found.code, found.out) == (1, "dist/suite/blades.pdf\ndist/suite/coats.pdf\n")
    for n, code in enumerate(("E702", "E703", "E705")):
        assert f"error[{code}]" in found.err
        assert f"stale: suite:wrong-{n} keeps its old file" in found.err


def test_a_size_of_cards_that_is_like_none_is_answered_with_those_there_are(straw: Path, run: Run) -> None:
    add(straw, "product:\n  wrong: {layout: cards, card: letter, select: {kind: coat}}\n")
    assert "there are poker, poker-us, bridge" in run("build", "wrong").err


def test_a_file_that_cannot_be_read_keeps_everything(straw: Path, run: Run) -> None:
    run("build")
    before = {p: p.read_bytes() for p in (straw / "dist").rglob("*") if p.is_file()}
    add(straw, "coat:\n\tshawl: {name: Shawl}\n")
    found = run("build")
    assert found.code == 1
    assert {p: p.read_bytes() for p in (straw / "dist").rglob("*") if p.is_file()} == before


def test_what_nothing_makes_any_more_goes_away(straw: Path, run: Run) -> None:
    run("build")
    less = CONTENT.replace("  blades: {layout: pages, select: {kind: blade}}\n", "")
    (straw / "content/suite/things.yaml").write_text(less, encoding="utf-8")
    schema = straw / "schemas" / "suite" / "blade.json"
    schema.write_text(json.dumps({**json.loads(schema.read_text(encoding="utf-8")), "x-print": False}), encoding="utf-8")
    found = run("build")
    assert written(straw) == ["dist/suite/coats.pdf"]
    assert "removed dist/suite/blades.pdf" in found.err


def test_what_was_asked_for_of_another_pack_stays(straw: Path, run: Run) -> None:
    assert run("build", "frontiers:credits").code == 0
    found = run("build")
    assert written(straw) == ["dist/frontiers/credits.pdf", "dist/suite/blades.pdf", "dist/suite/coats.pdf"]
    assert "removed" not in found.err
    run("clean")
    assert written(straw) == []


def test_clean_removes_what_builds_wrote_and_nothing_else(straw: Path, run: Run) -> None:
    run("build")
    (straw / "dist" / "suite" / "mine.txt").write_text("mine", encoding="utf-8")
    assert (straw / ".seasons-cache").is_dir()
    found = run("clean")
    assert found.code == 0
    assert "removed dist/suite/coats.pdf" in found.out
    assert sorted(p.name for p in (straw / "dist").rglob("*")) == ["mine.txt", "suite"]
    assert not (straw / ".seasons-cache").exists()
    assert run("clean") == (0, "", "there is nothing that a build has left\n")
    (straw / "dist" / "suite" / "mine.txt").unlink()
    (straw / "dist" / "suite").rmdir()
    run("build")
    assert "removed dist\n" in run("clean").out
    assert not (straw / "dist").exists()


def test_warnings_fail_where_asked(straw: Path, run: Run) -> None:
    add(straw, "guest:\n  eve: {name: Eve, favor: 45}\n")
    assert run("check").code == 0
    assert run("check", "--strict").code == 1


# The other exits


def test_a_fault_of_ours_is_one_line(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("a \x1b[31mmess\nof lines")

    monkeypatch.setattr(inspect_module, "read", broken)
    found = run("check")
    assert found.code == 70
    assert found.out == ""
    assert found.err.count("\n") == 1
    assert found.err.startswith("a fault of ours, not yours (test_cli.py:")
    assert "please report it: https://" in found.err
    assert "\x1b" not in found.err


def test_an_interrupt(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(inspect_module, "read", stopped)
    found = run("check")
    assert found == (130, "", "\ninterrupted: the files of the last build are still whole\n")


def test_an_interrupt_while_a_class_is_made(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 raises it as something else."""

    class Stopped:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    def stopped(*_: object, **__: object) -> None:
        type("Made", (), {"field": Stopped()})

    monkeypatch.setattr(inspect_module, "read", stopped)
    found = run("check")
    assert found.code == 130
    assert found.err.strip() == "interrupted: the files of the last build are still whole"


def test_help_names_every_command(run: Run) -> None:
    found = run("--help")
    assert found.code == 0
    for command in ("build", "check", "list", "show", "explain", "doctor", "clean"):
        assert f"\n  {command} " in found.out


def test_a_project_with_no_content(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("list", "--format", "json")
    assert found.code == 0
    assert {entry["pack"] for entry in json.loads(found.out)} >= {"frontiers"}


# A safe terminal


BAD = "\u202e\u2066\u200b\u200e"
HOSTILE = f"""\
coat:
  odd:
    name: "Odd {BAD} coat\\nof two lines"
    notes: "x {BAD} y"
    code: "{BAD}"
    lining: "See {{weihgt}} {BAD}"
  "bad{BAD}key": {{name: Bad}}
hero:
  eve: {{name: "Eve{BAD}", brawn: 3, wit: 5, wears: [odd, "x{BAD}"], motto: "{BAD}"}}
guest:
  gus: {{name: "Gus{BAD}", favor: 10}}
"""


@pytest.mark.parametrize("raw", ["\x1b[31m", "\x07", "\x9b2J", "\x00", "\r", "\x85"])
def test_control_characters_of_a_file_never_reach_the_terminal(straw: Path, run: Run, raw: str) -> None:
    add(straw, f"coat:\n  odd: {{name: Odd{raw}coat, x{raw}y: 1}}\n")
    for form in ("text", "line", "json", "github"):
        assert_safe(run("check", "--format", form))
    for command in (["list"], ["list", "--format", "json"], ["show", "odd"], ["build"]):
        assert_safe(run(*command))


@pytest.mark.parametrize(
    "words",
    [
        *(["check", "--format", form] for form in ("text", "line", "json", "github")),
        *(["list", "--format", form] for form in ("text", "json")),
        *(["show", name, "--format", form] for name in ("odd", "gus", "eve") for form in ("text", "json")),
        ["explain", "gus"],
        ["explain", "eve"],
        ["list", f"k{BAD}"],
        ["show", f"k{BAD}"],
        ["explain", "gus", f"k{BAD}"],
        ["list", "--where", f"k{BAD} > 1"],
    ],
)
def test_characters_that_turn_or_hide_text_never_reach_the_terminal(home: Path, run: Run, words: list[str]) -> None:
    add(home, HOSTILE)
    assert_safe(run(*words))


def test_names_of_files_are_shown_safely(home: Path, run: Run) -> None:
    add(home, FAULTS, "a\x1b[31m\u202e.yaml")
    for form in ("text", "line", "json", "github"):
        found = run("check", "--format", form)
        assert found.code == 1
        assert_safe(found)


def test_json_keeps_what_it_escapes(home: Path, run: Run) -> None:
    add(home, 'coat:\n  odd: {name: "Odd \u202e – coat"}\n')
    found = run("list", "coat", "--format", "json")
    assert "–" in found.out
    assert {e["id"]: e["name"] for e in json.loads(found.out)}["odd"] == "Odd \u202e – coat"


def assert_safe(found: Ran) -> None:
    for text in (found.out, found.err):
        assert not UNSAFE.search(text.replace("\n", "")), ascii(text)
    assert "Traceback" not in found.err
    assert found.code != 70


# The real thing


def test_the_number_of_a_real_adversary(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("explain", "frontiers:adversary/breacher", "physical_defense")
    assert found.code == 0
    lines = found.out.strip().split("\n")
    assert lines[0] == "physical_defense 12"
    assert [line.split()[0] for line in lines[1:]] == ["3", "+9"]
    assert "Hardsuit" in lines[2]

"""What goes wrong at a writer's desk, on a copy of the shipped game: the right place, one finding, no traceback, and old files whole.

Then the hostile files of `tests/adversarial`, through the command itself, in little time and memory.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from game import CASE, GAME, with_case
from small_project import files
from straw import Straw, set_with

from seasons_build.cli.main import main
from seasons_build.sources import shipped_root

GEAR = "content/frontiers/gear/weapons.yaml"
ABILITIES = "content/frontiers/abilities/general.yaml"
STATS = "content/frontiers/rules/stats.yaml"
HERE = "«"
"""Stands in a text where the finding must point, and is taken out."""

Edit = Callable[[str], str]


def instead(old: str, new: str) -> Edit:
    """Puts one text in place of the first such one."""

    def edit(text: str) -> str:
        assert old in text, f"the game has no `{old}` any more"
        return text.replace(old, new, 1)

    return edit


def both(*edits: Edit) -> Edit:
    """One edit after the other."""

    def edit(text: str) -> str:
        for one in edits:
            text = one(text)
        return text

    return edit


class Bad(NamedTuple):
    """A mistake: the file, what is done to it, and what must be told."""

    file: str
    edit: Edit
    code: str
    words: str


GENERAL = "    name: Stabilize\n"
NAME, LINE = "    name: Shock Baton\n", "    family: kinetics\n"
BAD = {
    "a tab": Bad(GEAR, instead(LINE, f"{HERE}\tfamily: kinetics\n"), "E120", "found a tab"),
    "a duplicate key": Bad(GEAR, instead(LINE, f"{LINE}    {HERE}family: kinetics\n"), "E101", "stands twice"),
    "an unknown key": Bad(GEAR, instead(LINE, f"{LINE}    {HERE}rnage: 2\n"), "E204", "did you mean `range`?"),
    "an unknown calibration": Bad(GEAR, instead(LINE, f"    family: {HERE}kinetisc\n"), "E301", "did you mean `kinetics`?"),
    "a misspelt stat in when": Bad(
        GEAR,
        instead(LINE, f'{LINE}    effects: {{add: {{initiative: 1}}, when: "{HERE}vigour > 50"}}\n'),
        "E411",
        "did you mean `vigor`?",
    ),
    "a circle of derived values": Bad(
        STATS,
        both(
            instead('movement: {base: "5 + deft.rank"', f'movement: {{base: {HERE}"5 + initiative"'),
            instead('initiative: {base: "10 + deft.rank"', 'initiative: {base: "10 + movement"'),
        ),
        "E501",
        "`movement` -> `initiative` -> `movement`",
    ),
    "a broken expression": Bad(
        STATS, instead('movement: {base: "5 + deft.rank"', f'movement: {{base: "5 {HERE}+"'), "E402", "expected a value"
    ),
    "bytes that are no UTF-8": Bad(GEAR, instead(NAME, f"    name: Sch{HERE}\udcfcock Baton\n"), "E103", "UTF-8"),
    "a name that begins a block": Bad(GEAR, instead(NAME, f"    name: {HERE}> ping.local\n"), "E121", 'name: "> ping.local"'),
}


class Ran(NamedTuple):
    """What a command gave."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped game as a project of its own, with one real card built."""
    root = tmp_path_factory.mktemp("copy")
    for area in ("content", "schemas", "templates"):
        shutil.copytree(shipped_root() / area / "frontiers", root / area / "frontiers")
    return root


@pytest.fixture
def run(copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def command(*words: str) -> Ran:
        monkeypatch.chdir(copy)
        monkeypatch.setattr(sys, "argv", ["seasons", *words])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Ran(int(left.value.code or 0), captured.out, captured.err)

    return command


def place(text: str) -> tuple[int, int, str]:
    """Line and column of the mark, and the text without it."""
    before = text[: text.index(HERE)]
    return before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1, text.replace(HERE, "", 1)


BUILD = ("build", "gear-cards", "--only", "shock-baton", "--jobs", "1")


def test_the_copy_is_sound_and_a_card_of_it_is_built(run: Callable[..., Ran], copy: Path) -> None:
    found = run(*BUILD)
    assert (found.code, found.out) == (0, "dist/frontiers/gear-cards~only.pdf\n"), found.err
    assert "error[" not in found.err
    assert run("build", "general-abilities", "--only", "stabilize").code == 0


@pytest.mark.parametrize("mistake", BAD)
def test_a_mistake(run: Callable[..., Ran], copy: Path, monkeypatch: pytest.MonkeyPatch, mistake: str) -> None:
    bad = BAD[mistake]
    old = files(copy / "dist")
    good = (copy / bad.file).read_text(encoding="utf-8")
    line, column, text = place(bad.edit(good))
    (copy / bad.file).write_text(text, encoding="utf-8", errors="surrogateescape")
    try:
        checked = run("check", "--format", "json")
        set_with(Straw, monkeypatch)
        built = run(*BUILD)
    finally:
        (copy / bad.file).write_text(good, encoding="utf-8")
    found = [d for d in json.loads(checked.out) if d["severity"] != "note"]
    assert [(d["code"], d["file"], d["line"], d["column"]) for d in found] == [(bad.code, bad.file, line, column)]
    assert bad.words in " ".join([found[0]["message"], *found[0]["hints"]])
    assert (checked.code, built.code) == (1, 1)
    assert f"error[{bad.code}]" in built.err
    assert files(copy / "dist") == old


@pytest.mark.parametrize(
    ("file", "name", "product", "entry"),
    [(ABILITIES, GENERAL, "general-abilities", "stabilize"), (GEAR, NAME, "gear-cards", "shock-baton")],
)
def test_a_text_of_600_words(run: Callable[..., Ran], copy: Path, file: str, name: str, product: str, entry: str) -> None:
    """It is the text that is at fault, and not what stands below it in the same box."""
    old = files(copy / "dist")
    good = (copy / file).read_text(encoding="utf-8")
    words = " ".join(["The baton hums before it lands and nobody wants to hear it twice."] * 46)
    line, column, text = place(instead(name, f"{name}    rules: {HERE}{words}\n")(good))
    (copy / file).write_text(text, encoding="utf-8")
    try:
        checked, built = run("check"), run("build", product, "--only", entry)
    finally:
        (copy / file).write_text(good, encoding="utf-8")
    assert checked.code == 0
    assert built.code == 1
    told = built.err[built.err.index("error[") :].split("\n")
    assert re.match(r"error\[E60[13]\]: .* by [0-9.]+ mm", told[0])
    assert told[1].strip() == f"--> {file}:{line}:{column}"
    assert f"stale: frontiers:{product} keeps its old file" in built.err
    assert files(copy / "dist") == old


# Hostile files, through the command


ADVERSARIAL = Path(__file__).parent / "adversarial"
ROWS = list(csv.DictReader((ADVERSARIAL / "yaml" / "manifest.csv").read_text(encoding="utf-8").splitlines()))
MEGABYTES = 400


class Cost(NamedTuple):
    """What a command gave, with the seconds of processor time and the megabytes it took beyond those of the tests it was forked from."""

    code: int
    out: str
    err: str
    seconds: float
    megabytes: float


def measured(root: Path, *words: str) -> Cost:
    """A command in a process of its own: a fork of this one, which has imported everything already."""
    out, err = root.parent / "out", root.parent / "err"
    before = held()
    child = os.fork()
    if child == 0:
        try:
            for stream, target in ((1, out), (2, err)):
                os.dup2(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
            sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
            sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8")
            sys.argv = ["seasons", *words]
            os.chdir(root)
            main()
        except SystemExit as left:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(int(left.code or 0))
        finally:
            os._exit(99)
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    grown = usage.ru_maxrss / 1024 - before
    return Cost(os.waitstatus_to_exitcode(status), out.read_bytes().decode(), err.read_bytes().decode(), seconds, grown)


def held() -> float:
    """The megabytes that this process holds now, where the system says so."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20 if status.exists() else 0.0


@pytest.fixture
def game(tmp_path: Path) -> Path:
    shutil.copytree(GAME, tmp_path / "game")
    return tmp_path / "game"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks to measure")
@pytest.mark.parametrize("row", ROWS, ids=[row["file"].rpartition("/")[2] for row in ROWS])
def test_a_hostile_file(game: Path, row: dict[str, str]) -> None:
    shutil.copy(ADVERSARIAL / row["file"], game / "content" / "suite" / "adv.yaml")
    found = measured(game, "check", "--format", "json")
    assert found.code in (0, 1), found.err
    assert found.err == ""
    assert found.seconds < float(row["max_seconds"]) + 2
    assert found.megabytes < MEGABYTES
    told = [d for d in json.loads(found.out) if d["file"] == "content/suite/adv.yaml"]
    assert told == json.loads(found.out), "a bad file is no fault elsewhere"
    if row["exit"] == "reject":
        assert found.code == 1
        assert told
    for diagnostic in told:
        assert diagnostic["line"] >= 1
        assert diagnostic["column"] >= 1
        assert len(diagnostic["message"]) < 250


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks to measure")
@pytest.mark.parametrize("form", ["text", "line"])
@pytest.mark.parametrize("name", ["y03-billion-laughs", "y34-binary-garbage", "y41-huge-key", "y42-many-errors"])
def test_a_hostile_file_fills_no_terminal(game: Path, name: str, form: str) -> None:
    shutil.copy(ADVERSARIAL / "yaml" / f"{name}.yaml", game / "content" / "suite" / "adv.yaml")
    found = measured(game, "check", "--format", form)
    assert found.code == 1
    assert len(found.out) < 60_000
    assert max(map(len, found.out.split("\n"))) < 600
    assert found.out.count("error[") <= 51


FORMULAS = list(csv.DictReader((ADVERSARIAL / "expr" / "manifest.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("row", [r for r in FORMULAS if r["file"].endswith(".expr")], ids=lambda row: row["file"])
def test_a_hostile_formula_in_a_field(row: dict[str, str]) -> None:
    formula = (ADVERSARIAL / "expr" / row["file"]).read_text(encoding="utf-8").removesuffix("\n")
    before = time.process_time()
    found = with_case(f"coat:\n  odd: {{name: Odd, price: {json.dumps(formula, ensure_ascii=False)}}}\n").diagnostics
    assert time.process_time() - before < 5
    if row["exit"] == "reject":
        assert [d for d in found if d.severity == "error"]
    for diagnostic in found:
        assert diagnostic.span
        assert (diagnostic.span.file, diagnostic.span.line) == (CASE, 2)
        assert diagnostic.span.column > 20
        assert len(diagnostic.message) < 250


@pytest.mark.parametrize(("file", "value"), [("r03-exponential-dag.yaml", 2**40), ("r04-long-chain.yaml", 5000)])
def test_a_hostile_web_of_formulas(file: str, value: int) -> None:
    data = yaml.load((ADVERSARIAL / "expr" / file).read_text(encoding="utf-8"), getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    stats = "".join(f"    {name}: {{for: hero, base: {json.dumps(body['formula'])}}}\n" for name, body in data.items())
    before = time.process_time()
    project = with_case(f"rules:\n  stats:\n{stats}hero:\n  ann: {{name: Ann, brawn: 3, wit: 4}}\n")
    assert time.process_time() - before < 10
    assert project.diagnostics == ()
    assert project.sheets["suite", "hero", "ann"].stats["f0"] == value

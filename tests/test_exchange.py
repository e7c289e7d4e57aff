"""Entries from a spreadsheet and to other programs: faults at row and column, and the way back is the way there."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from game import GAME
from running import Run

THINGS = """\
coat:
  cape:
    {name: "=Cape", weight: 2, effects: {add: {guard: 3}}, art: {credit: Ann}, marks: [one, "two; three"],
     notes: "Two lines,\\n\\"quoted\\""}
  cloak: {name: "Cloak, of “Night”", weight: 5, price: "weight * 2 + 1 / 2", flavor: "'-", tags: ["1", x]}
  shawl: {name: "12", price: 3, lining: "", pockets: {left: 2}}
blade:
  knife: {name: Knife, family: steel, damage: 1d4, actions: {cut: {name: Cut}}}
hero:
  ann: {name: Ann, brawn: 3, wit: 5, wears: [cape], lines: [{label: a, much: "1"}, {label: b, much: 2}]}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The suite's game on disk, as the current folder."""
    shutil.copytree(GAME, tmp_path / "game")
    (tmp_path / "game/content/suite/things.yaml").write_text(THINGS, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "game")
    return tmp_path / "game"


def test_a_sheet_of_gear(home: Path, run: Run) -> None:
    (home / "Möbius gear.csv").write_bytes(
        "\ufeffname;family;weight;marks;art.credit;rules\r\n"
        'Long Coat;leather;4;a; b;;"Says ""no""; twice.\r\nAnd again."\r\n'.replace("a; b", '"a; b"').encode()
        + b"Felt Hat;;1;;Bo;\r\n;;;;;\r\n"
    )
    made = run("import", "Möbius gear.csv", "--kind", "coat")
    assert (made.code, made.out) == (0, "content/suite/coat/mobius-gear.yaml\n")
    assert (home / "content/suite/coat/mobius-gear.yaml").read_text(encoding="utf-8") == (
        "coat:\n"
        "  long-coat:\n"
        "    name: Long Coat\n"
        "    family: leather\n"
        "    weight: 4\n"
        "    marks: [a, b]\n"
        '    rules: "Says \\"no\\"; twice.\\nAnd again."\n'
        "  felt-hat:\n"
        "    name: Felt Hat\n"
        "    weight: 1\n"
        "    art:\n"
        "      credit: Bo\n"
    )
    assert run("check", "content/suite/coat").code == 0


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("name,family\nHat,lether\n", "2:5", "unknown family `lether`"),
        ("name,wieght\nHat,1\n", "1:6", "unknown field `wieght`"),
        ("name,weight\nHat,heavy\n", "2:5", "expected a whole number for `weight`, found the text `heavy`"),
        ('id,name,price\nhat,"Hat, felt",weight *\n', "2:24", "expected a value"),
        ("name,weight\nHat,1\nhat,2\n", "3:1", "`hat` stands in two rows"),
        ("name,weight\nHat,1,2\n", "2:7", "this cell stands under no column name"),
        ('name,weight\nHat,"1\n', "2:5", "a quote opens here that nothing closes"),
        ("weight\n1\n", "1:1", "no column is called `id` or `name`"),
        ("id,name\ncape,Cape\n", "2:1", "the coat `cape` stands twice"),
        ("id,name\nBig Hat,Hat\n", "2:1", "`Big Hat` cannot be an id"),
        ("id,name\n", "1:1", "no row of it is an entry"),
        ("name\n帽子\n", "2:1", "this row has no id, and no name to make one of"),
        ("id,name,name.de\nhat,Hat,Hut\n", "2:9", "`name.de` is a part of `name`, which this row has whole"),
        ("name\nHat\a\n", "2:1", "this cell holds a sign that nobody can see (U+0007)"),
    ],
)
def test_faults_at_row_and_column(home: Path, run: Run, text: str, place: str, message: str) -> None:
    (home / "hats.csv").write_text(text, encoding="utf-8")
    found = run("import", "hats.csv", "--kind", "coat")
    assert (found.code, found.out) == (1, "")
    assert f"hats.csv:{place}\n" in found.err or f"({'hats.csv'}:{place})" in found.err, found.err
    assert message in found.err
    assert not (home / "content/suite/coat").exists()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_sheet_as_excel_saves_unicode_text(home: Path, run: Run, encoding: str) -> None:
    mark = b"" if encoding == "utf-16" else "\ufeff".encode(encoding)  # the first has its own
    (home / "gear.tsv").write_bytes(mark + "name\tweight\r\nGroßer Hut\t1\r\n".encode(encoding))
    made = run("import", "gear.tsv", "--kind", "coat")
    assert (made.code, made.err.count("W760")) == (0, 0)
    assert "name: Großer Hut" in (home / "content/suite/coat/gear.yaml").read_text(encoding="utf-8")


def test_rows_of_what_is_there_already(home: Path, run: Run) -> None:
    run("export", "csv", "coat", "--out", "coat.csv")
    found = run("import", "coat.csv", "--kind", "coat")
    assert found.code == 1
    assert "the coat `cape` stands twice" in found.err
    assert "nothing that is there is changed: take the row out, give it another id" in found.err


def test_rows_are_told_whatever_the_order_of_files(home: Path, run: Run) -> None:
    """The file that is written would come before the one that has the coat."""
    (home / "hats.csv").write_text("id,name\nshawl,Shawl\n", encoding="utf-8")
    found = run("import", "hats.csv", "--kind", "coat", "--name", "a")
    assert found.err.startswith("error[E302]: the coat `shawl` stands twice\n --> hats.csv:2:1\n")
    assert "`shawl` is first here (content/suite/things.yaml:6:3)" in found.err


def test_a_file_of_the_name_is_there_already(home: Path, run: Run) -> None:
    for name in ("Hat", "Cap"):
        (home / "hats.csv").write_text(f"name\n{name}\n", encoding="utf-8")
        found = run("import", "hats.csv", "--kind", "coat")
    assert found.err.startswith("error[E760]: `content/suite/coat/hats.yaml` is there already\n")
    assert "give the new one another name with --name" in found.err


def test_there_and_back(home: Path, run: Run) -> None:
    before = {kind: json.loads(run("export", "json", kind).out)["entries"] for kind in ("coat", "blade", "hero")}
    for kind in before:
        assert run("export", "csv", kind, "--out", f"{kind}.csv").out == f"{kind}.csv\n"
    (home / "content/suite/things.yaml").unlink()
    for kind in before:
        assert run("import", f"{kind}.csv", "--kind", kind).code == 0, kind
    for kind, entries in before.items():
        assert json.loads(run("export", "json", kind).out)["entries"] == entries
    rows = list(csv.DictReader(io.StringIO((home / "coat.csv").read_text(encoding="utf-8"))))
    assert [row["name"] for row in rows] == ["'=Cape", "Cloak, of “Night”", "12"]
    assert rows[0]["art.credit"] == "Ann"
    for kind in before:
        assert run("export", "csv", kind).out == (home / f"{kind}.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(("game", "kinds"), [("frontiers", ("weapon", "ability")), ("seasons-pass", ("equipment",))])
def test_a_shipped_game_there_and_back(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, game: str, kinds: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "pack", "mine", "--for", game)
    for kind in kinds:
        whole = run("export", "csv", kind, "--pack", game).out
        (tmp_path / "all.csv").write_text(whole, encoding="utf-8")
        assert run("import", "all.csv", "--kind", kind).code == 0
        first = (tmp_path / f"content/mine/{kind}/first-{kind}.yaml")
        if first.exists():
            first.unlink()
        assert run("export", "csv", kind, "--pack", "mine").out == whole


def test_the_document(home: Path, run: Run) -> None:
    found = json.loads(run("export", "json").out)
    assert list(found) == ["format", "packs", "entries"]
    assert found["packs"] == [
        {"id": "suite", "title": "Suite", "version": "1.0", "licence": "Apache-2.0", "authors": [], "requires": []}
    ]
    assert list(found["entries"][0])[:6] == ["id", "kind", "pack", "name", "data", "stats"]
    ann = next(entry for entry in found["entries"] if entry["id"] == "ann")
    assert ann["stats"]["guard"] == 15


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["import", "hats.txt", "--kind", "coat"], "'hats.txt' is of no kind that can be read; there are .csv"),
        (["import", "hats.csv", "--kind", "coot"], "there is no kind 'coot'; did you mean `coat`?"),
        (["import", "nowhere.csv", "--kind", "coat"], "nowhere.csv"),
        (["import", "hats.csv", "--kind", "xyz"], "there is no kind 'xyz'; one of `blade`, `chapter`, `coat`, "),
        (["export", "csv"], "say of which kind"),
        (["export", "csv", "coot"], "there is no kind 'coot'; did you mean `coat`?"),
        (["export", "json", "--pack", "siute"], "there is no pack 'siute'; did you mean `suite`?"),
    ],
)
def test_what_cannot_be_exchanged(home: Path, run: Run, words: list[str], said: str) -> None:
    for name in ("hats.csv", "hats.txt"):
        (home / name).write_text("name\nHat\n", encoding="utf-8")
    found = run(*words)
    assert (found.code, found.out) == (2, "")
    assert said in found.err


@pytest.mark.parametrize(
    "words",
    [("export", "csv", "coat", "--out"), ("align", "--out"), ("odds", "frontiers:resolution", "target=30", "--plot")],
    ids=["export", "align", "odds"],
)
def test_an_answer_never_lies_on_what_a_project_is_made_of(home: Path, run: Run, words: tuple[str, ...]) -> None:
    place = home / "content/suite/pack.yaml"
    before = place.read_bytes()
    found = run(*words, "content/suite/pack.yaml")
    assert found.code == 1
    assert "error[E761]: `content/suite/pack.yaml` is not written: `content` holds what the project is made of" in found.err
    assert place.read_bytes() == before
    assert run(*words, "made/for/it").code == 0
    assert (home / "made/for/it").read_bytes()

"""What writers typed stands on paper, in order, on the entry's own card, in its own block or in its own file: read by `bench/words.py`,
which has nothing of the compiler's, with another YAML parser and PDFium. The fonts of the files are the project's own."""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pikepdf
import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "bench" / "words.py"
Change = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Printed:
    """Everything that this repository prints, and what the build said about what was made to fit."""

    dist: Path
    report: str


@pytest.fixture(scope="module")
def words() -> ModuleType:
    pytest.importorskip("ruamel.yaml")
    spec = importlib.util.spec_from_file_location("words", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["words"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    out = tmp_path_factory.mktemp("words") / "dist"
    command = [sys.executable, "-m", "seasons_build", "build", "--fit-report", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return Printed(out, done.stdout)


def test_the_script_has_nothing_of_the_compiler() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    modules = [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    modules += [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    assert not [m for m in modules if m.partition(".")[0] in ("seasons_build", "yaml")]


@pytest.mark.slow
def test_every_text_stands_on_its_own_page(printed: Printed, tmp_path: Path) -> None:
    """All texts of all packs; what is missing was left out from a full card, and the report says so."""
    report = tmp_path / "report.txt"
    report.write_text(printed.report, encoding="utf-8")
    done = subprocess.run([sys.executable, SCRIPT, ROOT, printed.dist, report], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    lost, _, table = done.stdout.partition("\n\n")
    assert all(re.match(r"left out: \S+-?cards: [\w/-]+: flavor: ", line) for line in lost.splitlines()) and len(lost.splitlines()) <= 12
    assert int(re.findall(r"\d+", table.splitlines()[-1])[0]) > 2500
    assert {line.split()[0].partition(":")[0] for line in table.splitlines()[1:-1]} == {"frontiers", "seasons-pass", "slow-freight"}


def lost_after(words: ModuleType, printed: Printed, root: Path, changes: Iterable[Change], *products: str) -> list[tuple[str, str]]:
    """The entry and the field of what is missing from the papers when the content says something else: in a file, one text for another."""
    for folder in ("content", "schemas", "templates"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("fonts"))
    for name, typed, instead in changes:
        file = root / "content" / name
        text = file.read_text(encoding="utf-8")
        assert typed in text
        file.write_text(text.replace(typed, instead), encoding="utf-8")
    tallies = words.Search(root, printed.dist, printed.report).run(set(products))
    return sorted((one.entry, one.field) for tally in tallies for one in tally.missing if not one.left_out)


@pytest.mark.slow
def test_other_words_are_missed(words: ModuleType, printed: Printed, tmp_path: Path) -> None:
    """Two words changed about on a card; a text that stands under another entry: on a card, in a block of a page, on a form."""
    weapons = (ROOT / "content/frontiers/gear/weapons.yaml").read_text(encoding="utf-8")
    first, second = re.findall(r"flavor: (.*)", weapons)[:2]
    swapped = " ".join([first.split()[1], first.split()[0], *first.split()[2:]])
    cards = [("frontiers/gear/weapons.yaml", first, swapped), ("frontiers/gear/weapons.yaml", second, first)]
    entries = [entry for entry, _ in lost_after(words, printed, tmp_path / "cards", cards, "frontiers:gear-cards")]
    assert len(entries) == 2 and all(entry.startswith("weapon/") for entry in entries)

    other = "Paid to be first through. Has never once used the handle."
    blocks = [("frontiers/adversaries.yaml", "Better kit than pay. Would much rather write you up than shoot you.", other)]
    both = ("frontiers:statblocks", "frontiers:half-statblocks")
    assert lost_after(words, printed, tmp_path / "blocks", blocks, *both) == [("adversary/station-guard", "flavor")] * 2

    files = [("seasons-pass/characters.yaml", "Going through it", "Nobody agrees")]
    both = ("seasons-pass:files", "seasons-pass:sheets")
    assert lost_after(words, printed, tmp_path / "files", files, *both) == [("character/tolliver-crane", "known_for")] * 2

    odds = [("seasons-pass/odds.yaml", "With 4 Skill Dice", "With 2 Skill Dies")]
    assert lost_after(words, printed, tmp_path / "odds", odds, "seasons-pass:odds") == [("odds-table/four", "name")]


@pytest.mark.slow
def test_what_is_left_out_is_told_or_missing(words: ModuleType, printed: Printed) -> None:
    """Without the report's word a text that is not there is missing; what the report says was left out must not be there."""
    untold = words.Search(ROOT, printed.dist, "").run({"frontiers:statblock-cards"})
    assert untold[0].missing and not untold[0].left_out
    report = "frontiers:gear-cards weapon/service-rifle: text from 9 pt to 8 pt; without `flavor`"
    [one] = words.Search(ROOT, printed.dist, report).run({"frontiers:gear-cards"})[0].missing
    assert str(one).startswith("SAID TO BE LEFT OUT, AND STANDS: frontiers:gear-cards: weapon/service-rifle: flavor: ")


def typeset(words: ModuleType, *lines: tuple[str, int, float, float, float]) -> list[Any]:
    """Characters of lines, each a text, its page, where it begins, its height on the page, and its size."""
    paper = (600.0, 800.0)
    letters = [(c, page, x + at * size / 2, y, size) for text, page, x, y, size in lines for at, c in enumerate(text + " ")]
    return [words.Character(*letter, paper) for letter in letters]


def test_blocks_may_stand_side_by_side(words: ModuleType) -> None:
    """Where titles share a line there are columns, whatever the product says; text belongs to the title above it in its own."""
    heads = ("Ash", 0, 40, 90, 14), ("Oak", 0, 320, 90, 14), ("Yew", 0, 40, 200, 14)
    found = typeset(words, *heads, ("grey", 0, 40, 110, 9), ("red", 0, 320, 110, 9))
    names = {("tree", name.casefold()): name for name in ("Ash", "Oak", "Yew")}
    texts = {id: text.strip() for (_, id), [text] in words.blocks(found, names, 1).items()}
    assert texts == {"ash": "ash grey", "oak": "oak red", "yew": "yew"}


def test_a_title_is_no_part_of_another(words: ModuleType) -> None:
    """The card of Ash is not the one on which Ash Grove is set larger."""
    grove, ash = ("Ash Grove", 0, 60, 60, 16), ("Ash", 0, 60 + words.CARD[0], 60, 12)
    found = typeset(words, grove, ("many", 0, 60, 90, 9), ash, ("one", 0, 60 + words.CARD[0], 90, 9))
    own = words.faces(found, {("tree", "ash"): "Ash", ("tree", "ash-grove"): "Ash Grove"})
    assert [text.split() for text in own["tree", "ash"]] == [["ash", "one"]]
    assert [text.split() for text in own["tree", "ash-grove"]] == [["ash", "grove", "many"]]


def test_a_report_is_read(words: ModuleType) -> None:
    told = "a:cards tree/ash: text from 9 pt to 7 pt; without `flavor`; goes on on its back"
    lines = ("dist/a.pdf", told, "a:cards tree/oak: text from 9 pt to 8 pt")
    assert words.left_out("\n".join(lines)) == {("a:cards", "tree/ash", "flavor")}


CHAPTER = """
A line that
runs on. {figure} [[kind/id|a link]]

## A heading

> [!aside] A title
> In a box.

1. A point

| Head | Two |
|------|----:|
| a \\| b | c |

![[kind/*]]
| Name   | What |
|--------|------|
| {link} | said of each |

After it.
"""


def test_a_chapter_is_read_piece_by_piece(words: ModuleType) -> None:
    found = [piece.strip() for piece in words.passages(CHAPTER)]
    assert found[:4] == ["A line that runs on. {figure} [[kind/id|a link]]", "A heading", "A title In a box.", "A point"]
    assert found[4:] == ["Head", "Two", "a \\| b", "c", "Name", "What", "After it."]


@pytest.mark.slow
def test_other_words_are_missed_in_a_book(words: ModuleType, printed: Printed, tmp_path: Path) -> None:
    said = "Somebody has to be able to pick you up"
    change = ("frontiers/book/05-harm.yaml", said, "Somebody has to able be to pick you up")
    assert lost_after(words, printed, tmp_path, [change], "frontiers:rulebook") == [("chapter/harm-and-energy", "text")]


@pytest.mark.slow
def test_fonts_are_ours(printed: Printed) -> None:
    """Every font is in the file, and of a family of templates/fonts or named so by a stylesheet's `@font-face`."""
    css = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "templates").rglob("*.css")))
    ours = {re.sub(r"\W", "", name).casefold() for name in re.findall(r"@font-face\s*\{[^}]*?font-family:\s*[\"']?([\w -]+)", css)}
    ours |= {re.sub(r"-\d+.*|-(?:Regular|Bold|Semi).*|\W", "", path.stem).casefold() for path in (ROOT / "templates/fonts").glob("*.ttf")}
    ours |= {re.sub(r"\W", "", re.sub(r"-\d+.*", "", path.stem)).casefold() for path in (ROOT / "templates/fonts").glob("*.ttf")}
    seen = 0
    for path in sorted(printed.dist.rglob("*.pdf")):
        with pikepdf.open(path) as pdf:
            for thing in pdf.objects:
                if isinstance(thing, pikepdf.Dictionary) and thing.get("/Type") == "/Font" and "/DescendantFonts" not in thing:
                    name = re.sub(r"^[A-Z]{6}\+", "", str(thing.BaseFont)[1:])
                    assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(thing.FontDescriptor.keys()), name
                    assert any(re.sub(r"\W", "", name).casefold().startswith(family) for family in ours), name
                    seen += 1
    assert seen

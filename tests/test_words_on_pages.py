"""What writers typed stands on paper, in order, on the entry's own card or in its own block: read by `bench/words.py`, which has nothing of
the compiler's, with another YAML parser and PDFium. The fonts of the files are the project's own."""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pikepdf
import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "bench" / "words.py"
PRODUCTS = ("frontiers:gear-cards", "frontiers:statblock-cards", "frontiers:statblocks")
BOOKS = ("frontiers:rulebook", "seasons-pass:rulebook")


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
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _built(PRODUCTS, tmp_path_factory.mktemp("words") / "dist")


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _built(BOOKS, tmp_path_factory.mktemp("books") / "dist")


def _built(products: tuple[str, ...], out: Path) -> Path:
    command = [sys.executable, "-m", "seasons_build", "build", *products, "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    files = {f"{path.parent.name}:{path.stem}" for path in out.rglob("*.pdf")}
    assert files == set(products), done.stdout + done.stderr
    return out


def test_the_script_has_nothing_of_the_compiler() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    modules = [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    modules += [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    assert not [m for m in modules if m.partition(".")[0] in ("seasons_build", "yaml")]


@pytest.mark.slow
def test_every_text_stands_on_its_own_page(words: ModuleType, dist: Path) -> None:
    count, missing = words.lost(ROOT, dist, set(PRODUCTS))
    assert count > 250
    assert not [str(one) for one in missing if not one.left_out]
    full = {one.entry for one in missing}
    assert all(one.field == "flavor" and one.product.endswith("-cards") for one in missing) and len(full) <= 4


@pytest.mark.slow
def test_other_words_are_missed(words: ModuleType, dist: Path, tmp_path: Path) -> None:
    """The same papers against texts of which one has two words changed about, and one stands under another entry."""
    for folder in ("content", "schemas", "templates"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("fonts"))
    file = tmp_path / "content/frontiers/gear/weapons.yaml"
    text = file.read_text(encoding="utf-8")
    first, second = re.findall(r"flavor: (.*)", text)[:2]
    swapped = " ".join([first.split()[1], first.split()[0], *first.split()[2:]])
    file.write_text(text.replace(first, swapped).replace(second, first), encoding="utf-8")
    _, missing = words.lost(tmp_path, dist, {PRODUCTS[0]})
    assert sorted(one.words for one in missing) == sorted([swapped, first])


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
def test_every_passage_stands_in_its_book(words: ModuleType, books: Path, tmp_path: Path) -> None:
    count, missing = words.lost(ROOT, books, set(BOOKS))
    assert count > 1000
    assert not [str(one) for one in missing]
    for folder in ("content", "schemas", "templates"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("fonts"))
    file = tmp_path / "content/frontiers/book/05-harm.yaml"
    said = "Somebody has to be able to pick you up"
    file.write_text(file.read_text(encoding="utf-8").replace(said, "Somebody has to able be to pick you up"), encoding="utf-8")
    _, missing = words.lost(tmp_path, books, {BOOKS[0]})
    assert [one.entry for one in missing] == ["chapter/harm-and-energy"]


@pytest.mark.slow
def test_fonts_are_ours(dist: Path) -> None:
    """Every font is in the file, and of a family of templates/fonts or named so by a stylesheet's `@font-face`."""
    css = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "templates").rglob("*.css")))
    ours = {re.sub(r"\W", "", name).casefold() for name in re.findall(r"@font-face\s*\{[^}]*?font-family:\s*[\"']?([\w -]+)", css)}
    ours |= {re.sub(r"-\d+.*|-(?:Regular|Bold|Semi).*|\W", "", path.stem).casefold() for path in (ROOT / "templates/fonts").glob("*.ttf")}
    ours |= {re.sub(r"\W", "", re.sub(r"-\d+.*", "", path.stem)).casefold() for path in (ROOT / "templates/fonts").glob("*.ttf")}
    seen = 0
    for path in sorted(dist.rglob("*.pdf")):
        with pikepdf.open(path) as pdf:
            for thing in pdf.objects:
                if isinstance(thing, pikepdf.Dictionary) and thing.get("/Type") == "/Font" and "/DescendantFonts" not in thing:
                    name = re.sub(r"^[A-Z]{6}\+", "", str(thing.BaseFont)[1:])
                    assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(thing.FontDescriptor.keys()), name
                    assert any(re.sub(r"\W", "", name).casefold().startswith(family) for family in ours), name
                    seen += 1
    assert seen

"""The pages of codes: each code of the package has one, and its examples hold: the bad one gives the code, the good one does not.

A fence says what it holds: ```yaml` is a file of content beside the suite's game, ```yaml pack` its `pack.yaml`, ```yaml theme` its
`theme.yaml`, ```yaml a/path.yaml` any other file, ```json schema NAME` a schema, and ```sh` commands. The pages of typesetting and of
sentences are held by tests of their own, beside what they need.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

import pytest
from game import CASE, game_files
from straw import Straw

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.paper import papers_from
from seasons_build.impose import lay_out
from seasons_build.load import load
from seasons_build.pipeline.build import Asked, Options, OutputRefused, Wishes, build
from seasons_build.pipeline.read import Project, read_sources, try_games
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root

PACKAGE = Path(__file__).parent.parent / "seasons_build"
PAGES = PACKAGE / "pages"
CODE = re.compile(r"[EWN]\d{3}\Z")
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELSEWHERE = re.compile(r"E1|E681|E270|N271|[EW]3[23]|W1|E6[012]|W6|E56|W569|W57|E64|E7[678]|[WN]7[678]|E8[5-9]|W450|E725|N726|[EW]73|E742")
"""Pages whose examples other tests hold, or this one in another way."""

OTHER = 'id: other\ntitle: Other\nversion: "1.4"\n'


def codes_of_the_package() -> set[str]:
    """Every code that stands in the package as a whole text."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.match(node.value):
                found.add(node.value)
    return found


def example(code: str, part: str) -> list[tuple[str, str]]:
    """The fences of one part of a page: what each says it is, and its text."""
    sections = (PAGES / f"{code}.md").read_text(encoding="utf-8").split("\n## ")
    body = next(s for s in sections[1:] if s.startswith(part))
    return [(found[1].strip(), found[2]) for found in FENCE.finditer(body)]


WRITTEN = sorted(page.stem for page in PAGES.glob("*.md"))
HERE = [code for code in WRITTEN if not ELSEWHERE.match(code)]


def test_each_code_has_a_page_and_each_page_a_code() -> None:
    assert sorted(codes_of_the_package()) == WRITTEN


@pytest.mark.parametrize("code", WRITTEN)
def test_form(code: str) -> None:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    title, paragraph, *_ = text.split("\n")
    assert re.fullmatch(rf"# {code}: [^A-Z\n][^\n]*[^.\n]", title), title
    assert len(paragraph) > 40
    assert paragraph.endswith((".", "`."))
    for word in ("mapping", "scalar", "sequence", "null", "boolean", "string", "integer", "token"):
        assert word not in paragraph.replace("`", " ").split(), f"{code}: a programmer's word, `{word}`"


def files_of(fences: Iterable[tuple[str, str]]) -> dict[str, str | bytes]:
    """The suite's game with what the fences hold."""
    files: dict[str, str | bytes] = {**game_files(), "content/other/pack.yaml": OTHER}
    for info, text in fences:
        match info.split():
            case ["yaml"]:
                files[CASE] = text
            case ["yaml", "pack"]:
                files["content/suite/pack.yaml"] = text
            case ["yaml", "theme"]:
                files["templates/suite/theme.yaml"] = text
            case ["yaml", path]:
                files[path] = text
            case ["json", "schema", name]:
                files[f"schemas/suite/{name}.json"] = text
    return files


def opened(files: dict[str, str | bytes], root: Path, extra: tuple[str, ...] = ()) -> Project:
    raw = {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}
    more = {folder: MemoryTree({"pack.yaml": raw["content/suite/pack.yaml"]}) for folder in extra}
    return read_sources(Sources(MemoryTree(raw), DiskTree(shipped_root()), more), root)


def built(project: Project, root: Path, words: list[str]) -> tuple[Diagnostic, ...]:
    """What a build with these words of a command line says."""
    products: list[str] = []
    only: list[tuple[str, int | None]] = []
    paper, profile, out = None, None, "dist"
    left = iter(words)
    for word in left:
        match word:
            case "--only":
                only.append((next(left), None))
            case "--paper":
                paper = next(left)
            case "--profile":
                profile = next(left)
            case "--out":
                out = next(left)
            case _:
                products.append(word)
    options = Options(Asked(("suite",), tuple(products), tuple(only)), root / out, Wishes(paper, profile))
    try:
        return build(project, options, Straw()).diagnostics
    except OutputRefused as refused:
        return (refused.diagnostic,)


def told(fences: list[tuple[str, str]], root: Path) -> set[str]:
    """All codes that an example gives, by whatever it says is done with it."""
    files = files_of(fences)
    commands = [shlex.split(line) for info, text in fences if info == "sh" for line in text.strip().split("\n")]
    if not commands and ("templates/suite/theme.yaml" in files or "product:" in str(files.get(CASE))):
        commands = [["seasons", "build"]]
    (root / "content").mkdir()
    project = opened(files, root)
    found = set(project.diagnostics)
    for command in commands:
        match command:
            case ["mkdir", path]:
                (root / path).mkdir()
            case ["touch", path]:
                (root / path).touch()
            case ["seasons", "--pack", path, "check"]:
                found |= set(opened(files, root, (path,)).diagnostics)
            case ["seasons", "build", *words]:
                found |= set(built(project, root, words))
            case ["seasons", "test"]:
                found |= {fault for case in try_games(project).cases for fault in case.failures}
            case ["seasons", "check"]:
                pass
            case _:
                raise AssertionError(f"an example that no test can run: {command}")
    return {d.code for d in found}


@pytest.mark.parametrize("code", HERE)
def test_the_bad_example_gives_the_code(code: str, tmp_path: Path) -> None:
    assert code in told(example(code, "Bad"), tmp_path)


@pytest.mark.parametrize("code", HERE)
def test_the_good_example_does_not(code: str, tmp_path: Path) -> None:
    found = told(example(code, "Good"), tmp_path)
    assert code not in found
    assert not {c for c in found if c.startswith("E")}


@pytest.mark.parametrize("part", ["Bad", "Good"])
@pytest.mark.parametrize("code", ["E640", "E641"])
def test_sizes(code: str, part: str) -> None:
    ((_, text),) = example(code, part)
    document = load("papers.yaml", text.encode()).value
    assert document is not None
    found = papers_from(document)
    codes = {d.code for d in found.diagnostics}
    if code == "E641":
        for card in found.value.cards.values():
            for paper in found.value.papers.values():
                codes |= {d.code for d in lay_out(card, paper).diagnostics}
    assert codes == ({code} if part == "Bad" else set())

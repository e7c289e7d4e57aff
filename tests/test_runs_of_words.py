"""No run of eight words of the printed sources stands in what the games say, in their books or in the docs: `bench/runs.py`.

What stands under `rules` is left out: its sentences are made of a game's terms (a span, a range, a trigger), and *is targeted by an attack
you can see* is anybody's.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
GAMES = ("frontiers", "seasons-pass")
CONTENT = [path for game in GAMES for path in sorted((ROOT / "content" / game).rglob("*.yaml"))]
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("runs", ROOT / "bench" / "runs.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["runs"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def known(bench: ModuleType) -> frozenset[bytes]:
    found: frozenset[bytes] = bench.kept((ROOT / "tests" / "source-runs.bin").read_bytes())
    assert len(found) > 20_000
    return found


def test_a_run_is_found_whatever_stands_between_its_words(bench: ModuleType) -> None:
    known = frozenset(map(bench.hashed, bench.runs("One two three, four; five six -- seven (eight).")))
    assert bench.stolen(["*One* two :hp: three {max_hp} four\nfive [[six]] five six Seven eight"], known) == []
    assert bench.stolen(["Zero. *One* two :hp: three {max_hp} four\nfive six [[chapter/x|Seven]] eight, nine"], known) == [
        "one two three four five six seven eight"
    ]


@pytest.mark.parametrize("path", CONTENT, ids=lambda path: path.relative_to(ROOT / "content").as_posix())
def test_content_is_in_our_own_words(path: Path, bench: ModuleType, known: frozenset[bytes]) -> None:
    data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader) or {}
    assert bench.stolen(_texts({key: value for key, value in data.items() if key != "rules"}), known) == []


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_docs_are_in_our_own_words(path: Path, bench: ModuleType, known: frozenset[bytes]) -> None:
    assert bench.stolen([path.read_text(encoding="utf-8")], known) == []


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _texts(inner)

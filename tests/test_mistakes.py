"""Mistakes as writers make them, one at a time: each is found, in its file, on its line, in one message, and the hint mends it. The table
that `bench/mutate.py` prints, held for a small game at every run, and for all shipped content where there is time."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
GAME = ROOT / "tests" / "projects" / "third-game"


@pytest.fixture(scope="module")
def mutate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutate", ROOT / "bench" / "mutate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutate"] = module
    spec.loader.exec_module(module)
    return module


def table(mutate: ModuleType, root: Path, folder: Path, seed: int, count: int) -> None:
    bench = mutate.Bench(root, folder)
    total, poor = mutate.Tally(), []
    for mutation in bench.mutations(seed, count):
        verdict = bench.judged(mutation)
        total.add(verdict.tally)
        poor += [] if verdict.good else [str(verdict)]
    told = "\n".join(poor)
    assert (total.found, total.file) == (count, count), told
    assert total.line * 100 >= count * 98, told
    assert total.one * 100 >= count * 95, told
    assert total.mended * 100 >= total.hinted * 80, told


def test_two_dozen_mistakes(mutate: ModuleType, tmp_path: Path) -> None:
    table(mutate, GAME, tmp_path, seed=3, count=24)


@pytest.mark.slow
def test_mistakes_over_all_shipped_content(mutate: ModuleType, tmp_path: Path) -> None:
    table(mutate, ROOT, tmp_path, seed=1, count=120)

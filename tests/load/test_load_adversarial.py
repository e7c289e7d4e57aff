"""Hostile files end as the manifest says, and harmless ones are accepted; with libyaml and without it."""

from __future__ import annotations

import csv
import time
from pathlib import Path

import pytest

from seasons_build.core.diagnostic import errors
from seasons_build.load import load

ROOT = Path(__file__).parents[1] / "adversarial"
ROWS = list(csv.DictReader((ROOT / "yaml" / "manifest.csv").read_text(encoding="utf-8").splitlines()))
LATER = {"yaml/y42-many-errors.yaml"}
"""Fine as files: what is wrong with their entries, a schema says."""

DATA = {
    "yaml/y17-norway-key.yaml": {"on": {"hit": 1}, "no": 2, "1": "a"},
    "yaml/y19-date-object.yaml": {"born": "2024-01-01"},
    "control/c01-small-alias.yaml": {"base": {"hp": 10}, "goblin": {"stats": {"hp": 10}}, "orc": {"stats": {"hp": 10}}},
    "control/c03-rtl-and-cjk-text.yaml": {"name": "שלום العربية 火球 🐉"},
    "control/c04-zwj-emoji.yaml": {"name": "🧙\u200d♂️ wizard"},
    "control/c06-quoted-norway.yaml": {"country": "no", "ratio": "1:30"},
    "control/c07-crlf-bom.yaml": {"name": "x", "hp": 10},
    "control/c08-block-scalars.yaml": {"a": "line one\nline two\n", "b": "folded text"},
}


def test_every_file_has_a_row() -> None:
    files = {f"{path.parent.name}/{path.name}" for part in ("yaml", "control") for path in (ROOT / part).glob("*.yaml")}
    assert files == {row["file"] for row in ROWS}


@pytest.mark.parametrize("row", ROWS, ids=[row["file"].rpartition("/")[2] for row in ROWS])
def test_it_ends_as_the_manifest_says(row: dict[str, str]) -> None:
    raw = (ROOT / row["file"]).read_bytes()
    before = time.process_time()
    result = load("content/adv.yaml", raw)
    assert time.process_time() - before < float(row["max_seconds"])
    assert load("content/adv.yaml", raw, pure=True) == result
    found = "; ".join(f"{d.code} {d.span.line}:{d.span.column}" for d in result.diagnostics if d.span)
    assert found == row["found"]
    assert errors(result.diagnostics) == (row["exit"] == "reject" and row["file"] not in LATER)
    for diagnostic in result.diagnostics:
        for text in (diagnostic.message, *diagnostic.hints):
            assert text.isprintable() and len(text) < 200
    if row["file"] in DATA:
        assert result.value is not None
        assert result.value.data == DATA[row["file"]]

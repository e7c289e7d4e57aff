"""The reference pages say what the schemas and the tables of the language say, and their links lead somewhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from seasons_build.core import vocabulary
from seasons_build.language.expression import FUNCTIONS

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "reference"


@cache
def made() -> Mapping[str, str]:
    sys.path.insert(0, str(ROOT))
    from bench.reference import pages

    return pages()


def test_the_pages_are_fresh() -> None:
    """If this fails: `make reference`."""
    kept = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    assert kept.keys() == made().keys()
    assert not [name for name, text in made().items() if kept[name] != text]


def test_every_word_is_in_them() -> None:
    text = "\n".join(made().values())
    missing = [word for word in vocabulary.words() | FUNCTIONS.keys() if f"`{word}" not in text and word not in vocabulary.CHANGES]
    assert not missing


@pytest.mark.parametrize("kind", sorted((ROOT / "schemas").glob("*/*.json")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_kind_is_in_them(kind: Path) -> None:
    if kind.parent.name != "core":
        assert f"\n## {kind.stem}\n" in made()[f"kinds-{kind.parent.name}.md"]


def test_links_lead_somewhere() -> None:
    anchors = {name: {anchor(head) for head in re.findall(r"^#+ (.*)$", text, re.MULTILINE)} for name, text in made().items()}
    for name, text in made().items():
        for file, at in re.findall(r"\]\(([\w.-]*)(?:#([\w-]+))?\)", text):
            assert not file or file in anchors, f"{name}: {file}"
            assert not at or at in anchors[file or name], f"{name}: {file}#{at}"


def anchor(head: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")

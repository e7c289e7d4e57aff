"""The pages of the codes of sentences: the bad example gives the code, the good one does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import seasons_build
from seasons_build.language.phrases import compile_book, write

PAGES = Path(seasons_build.__file__).parent / "pages"
CODES = ("E560", "E561", "E562", "E563", "E564", "E565", "E566", "E567", "W569", "W570", "W571")


def codes(example: str) -> set[str]:
    data = yaml.load(example, Loader=yaml.CSafeLoader)
    book = compile_book(data["rules"])
    found = {problem.code for problem in book.problems}
    for entry in data["card"].values():
        found |= {problem.code for problem in write(book, "card", entry).problems}
    return found


@pytest.mark.parametrize("code", CODES)
def test_examples(code: str) -> None:
    page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    bad, good = re.findall(r"## (?:Bad|Good)\n```yaml\n(.*?)```", page, re.DOTALL)
    assert page.startswith(f"# {code}: ")
    assert code in codes(bad)
    assert not codes(good)

"""Every case of every file in `conformance/`: a text, and the value that it gives or the problems that it has.

A problem is written `CODE: "OFFSET MARKED"`: where the mark begins and the characters that are marked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from expression_world import is_plain, shown, world

from seasons_build.language import expression as ex

_FILES = sorted((Path(__file__).parent / "conformance").glob("*.yaml"))
_WANTED = {"number": ex.NUMBER, "truth": ex.TRUTH, "word": ex.WORD, "dice": ex.DICE}


def _cases() -> list[Any]:
    found = []
    for file in _FILES:
        document = yaml.safe_load(file.read_text(encoding="utf-8"))
        for case in document["cases"]:
            found.append(pytest.param(document.get("given", {}), case, id=f"{file.stem}: {case['text'][:60]}"))
    return found


@pytest.mark.parametrize(("given", "case"), _cases())
def test_case(given: dict[str, Any], case: dict[str, Any]) -> None:
    there = world({**given, **case.get("given", {})})
    text = case["text"]
    want = case.get("want")
    found = ex.compile_expression(text, there, ex.one_of(want) if isinstance(want, list) else _WANTED.get(want or ""))
    problems = list(found.problems)
    value = None
    if found.value is not None:
        value = found.value.run(there)
        if isinstance(value, ex.Problem):
            problems.append(value)
    marked = [{problem.code: f"{problem.start} {text[problem.start : problem.end]}".rstrip()} for problem in problems]
    expected = case.get("wrong", [])
    assert marked == (expected if isinstance(expected, list) else [expected]), problems
    if "hint" in case:
        assert case["hint"] in [hint for problem in problems for hint in problem.hints]
    if "message" in case:
        assert case["message"] in [problem.message for problem in problems]
    if "gives" in case:
        assert shown(value) == shown(case["gives"])
        assert is_plain(value)
    else:
        assert "wrong" in case
    if "reads" in case:
        assert found.value is not None
        assert sorted(found.value.reads) == case["reads"]


def test_there_are_files() -> None:
    assert len(_FILES) >= 8

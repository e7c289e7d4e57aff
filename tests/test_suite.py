"""The suites: files in the product's own language, each with what it must be told as a comment at the line.

A diagnostic that is not expected fails a case, and so does one that is missing.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from game import CASE, expectations, with_case

CASES = sorted((Path(__file__).parent / "suite" / "cases").rglob("*.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(case: Path) -> None:
    raw = case.read_bytes()
    text = raw.decode("utf-8", "replace")
    told = [d for d in with_case(raw).diagnostics if d.span and d.span.file == CASE]
    left = list(told)
    missing = []
    for line, code, column, words in sorted(expectations(text), key=str):
        met = [
            d
            for d in left
            if d.span and d.span.line == line and d.code == code and (column is None or d.span.column == int(column))
            and (words is None or words in " | ".join([d.message, *d.hints]))
        ]
        if met:
            left.remove(met[0])
        else:
            missing.append(f"line {line}: {code}{f':{column}' if column else ''} {words or ''}")
    unexpected = [f"{d.span}: {d.code} {d.message} {d.hints}" for d in left]
    assert not missing and not unexpected, "\n".join(["missing:", *missing, "unexpected:", *unexpected])


def test_the_game_is_sound() -> None:
    assert not with_case("").diagnostics

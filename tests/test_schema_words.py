"""Words of a kind's schema whose values mean nothing: each is told at its place, and the kind waits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from game import game_files, project_of

FILE = "schemas/suite/cart.json"


def told(**words: Any) -> list[tuple[str, str, tuple[str, ...]]]:
    """What is told of a kind with one field that has these words."""
    schema = {
        "title": "Cart",
        "description": "A cart.",
        "allOf": [{"$ref": "core/entry"}],
        "properties": {"load": {"type": "string", "title": "Load", "description": "What is on it."} | words},
    }
    project = project_of({**game_files(), FILE: json.dumps(schema, indent=2), "content/suite/carts.yaml": "cart:\n  one: {name: One}\n"})
    assert all(d.span is not None and d.span.file == FILE for d in project.diagnostics)
    return [(d.code, d.message, d.hints) for d in project.diagnostics]


@pytest.mark.parametrize(
    ("words", "code", "message", "hint"),
    [
        ({"title": [1]}, "E250", "expected text, found a list", ""),
        ({"description": " "}, "E250", "expected text, found a text of blanks alone", ""),
        ({"x-noun": "spanz"}, "E250", "expected a noun of the rules, found the text `spanz`", "did you mean `spans`?"),
        ({"x-keys": 3}, "E250", "expected a noun of the rules, found the number `3`", ""),
        ({"x-part": ["a"]}, "E250", "expected a word, found a list", ""),
        ({"x-print": "no"}, "E250", "expected true or false, found the text `no`", ""),
        ({"x-ref": "nokind"}, "E201", "unknown kind `nokind`", ""),
        ({"x-ref": "coat|blaed"}, "E201", "unknown kind `blaed`", "did you mean `blade`?"),
        ({"x-ref": "gera"}, "E201", "unknown kind `gera`", "did you mean `gear`?"),
    ],
)
def test_a_word_that_means_nothing(words: dict[str, Any], code: str, message: str, hint: str) -> None:
    ((found, said, hints),) = told(**words)
    assert (found, said) == (code, message)
    assert not hint or hint in hints


@pytest.mark.parametrize("words", [{"x-ref": "gear"}, {"x-ref": "coat|blade"}, {"x-ref": "*"}, {"x-noun": "spans"}, {}])
def test_a_word_that_means_something(words: dict[str, Any]) -> None:
    assert told(**words) == []

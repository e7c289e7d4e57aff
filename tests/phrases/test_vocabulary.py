"""The table of the language's words: whole, described, and what the schemas of the language say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seasons_build.core import vocabulary

SCHEMAS = Path(__file__).parents[2] / "schemas" / "core"


def block(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


def properties(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for name, inner in schema.get("properties", {}).items():
            yield name
            yield from properties(inner)
        for word in ("items", "additionalProperties"):
            yield from properties(schema.get(word))


@pytest.mark.parametrize("name", ["effects", "frame", "entry", "rules"])
def test_schemas_have_no_word_that_the_table_has_not(name: str) -> None:
    missing = set(properties(block(name))) - vocabulary.words()
    assert not missing, f"add to core/vocabulary.py: {sorted(missing)}"


def test_every_verb_is_a_property_of_effects() -> None:
    assert set(vocabulary.VERB) <= set(block("effects")["properties"])


def test_verbs_have_the_words_of_their_schemas() -> None:
    for verb, schema in block("effects")["properties"].items():
        if verb in vocabulary.VERB and "properties" in schema:
            assert set(schema["properties"]) <= {word.name for word in vocabulary.VERB[verb].words}


def test_every_word_is_described_once_in_its_table() -> None:
    tables = (
        vocabulary.RIDERS,
        vocabulary.NESTING,
        vocabulary.FRAME,
        vocabulary.ENTRY,
        vocabulary.PHRASES,
        vocabulary.ROLLS,
        vocabulary.ADVANCES,
        vocabulary.LIMITS,
        *(verb.words for verb in vocabulary.VERBS),
        *((*noun.said, *noun.plain) for noun in vocabulary.NOUNS),
    )
    for table in tables:
        names = [word.name for word in table]
        assert len(names) == len(set(names)), names
        assert all(word.says and not word.says.endswith(".") for word in table)
    assert all(verb.says and verb.shape and verb.riders for verb in vocabulary.VERBS)
    assert all(noun.says for noun in vocabulary.NOUNS)


def test_no_word_is_a_truth_value_of_yaml() -> None:
    assert not vocabulary.words() & {"on", "off", "yes", "no", "y", "n", "true", "false", "null"}


def test_one_use_of_a_word_for_a_verb() -> None:
    assert len(vocabulary.VERB) == len(vocabulary.VERBS)
    assert not set(vocabulary.VERB) & set(vocabulary.RIDER)

"""The language's schemas and its table of words agree: every word is there, and described; where verbs may stand, all of them may."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seasons_build.core import vocabulary

CORE = sorted((Path(__file__).parents[2] / "schemas" / "core").glob("*.json"))
VERBS, RIDERS = set(vocabulary.VERB), set(vocabulary.RIDER)
NESTING = {word.name for word in vocabulary.NESTING}
FRAME = {word.name for word in vocabulary.FRAME}
VARIANT = {"as", "remove"}
"""Words of a variant: of an action alone."""
LADDERS = {"steps", "taken"}
OF_ART = {"file", "focus", "credit", "licence", "placeholder"}
OF_CHANGES = {"like", "patch", "extend", "expects"}
"""Words that are gone when an entry is checked: it is then what they made of it."""


def block(name: str) -> Any:
    return json.loads(next(path for path in CORE if path.stem == name).read_text(encoding="utf-8"))


def properties(name: str) -> set[str]:
    return set(block(name)["properties"])


def test_effects_have_every_verb_and_rider() -> None:
    assert properties("effects") == VERBS | RIDERS | NESTING


@pytest.mark.parametrize(
    ("name", "lacks", "more"),
    [
        ("frame", VARIANT, {"per"} | LADDERS),
        ("action", set(), {"name", "attributes", "with"} | LADDERS),
        ("option", VARIANT | {"options"}, {"name"} | LADDERS),
        ("usable", VARIANT | {"rules"}, LADDERS),
    ],
)
def test_a_use_has_every_word(name: str, lacks: set[str], more: set[str]) -> None:
    verbs = set() if name == "frame" else VERBS | RIDERS | NESTING
    assert properties(name) == (FRAME | verbs) - lacks | more


def test_where_verbs_stand_they_are_the_same() -> None:
    """A verb or a rider takes the same in an action or an option as in a map of effects; in a variant some take paths."""
    effects = block("effects")["properties"]
    for name in ("action", "option", "usable"):
        here = block(name)["properties"]
        for word in (VERBS | RIDERS) - {"set", "add", "times"} - FRAME:
            assert here[word] == effects[word], f"{name}: {word}"


def test_entries_have_every_word() -> None:
    assert properties("entry") == {word.name for word in vocabulary.ENTRY} - LADDERS - OF_ART - OF_CHANGES | {"effects"}
    assert set(block("entry")["properties"]["art"]["properties"]) == OF_ART


def test_changes_have_every_word() -> None:
    assert properties("changes") == {"expects", *vocabulary.CHANGES}


def test_rules_have_every_noun() -> None:
    assert properties("rules") == {noun.name for noun in vocabulary.NOUNS}


@pytest.mark.parametrize("noun", vocabulary.NOUNS, ids=lambda noun: noun.name)
def test_a_noun_has_the_words_of_its_schema(noun: vocabulary.Noun) -> None:
    inner = block("rules")["properties"][noun.name].get("additionalProperties", {})
    more = {"limits": vocabulary.LIMITS, "advances": vocabulary.ADVANCES}.get(noun.name, ())
    described = {word.name for word in (*noun.said, *noun.plain, *more)}
    assert set(inner.get("properties", {}) if isinstance(inner, dict) else ()) <= described


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.stem)
def test_everything_is_described(path: Path) -> None:
    silent = [place for place, body in bodies(json.loads(path.read_text(encoding="utf-8")), path.stem) if not said(body)]
    assert not silent


def said(body: Any) -> bool:
    """Whether a property says what it is, or leaves it to the block that it includes."""
    if "$ref" in body and "description" not in body:
        return True
    title, description = body.get("title"), body.get("description")
    return isinstance(title, str) and bool(title) and isinstance(description, str) and description.endswith((".", ")"))


def bodies(schema: Any, place: str) -> Iterator[tuple[str, Any]]:
    yield place, schema
    for name, inner in schema.get("properties", {}).items():
        yield from bodies(inner, f"{place}.{name}")
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield from bodies(schema[word], f"{place}.{word}")


def test_everything_in_the_table_is_described() -> None:
    tables = (
        *(vocabulary.RIDERS, vocabulary.NESTING, vocabulary.FRAME, vocabulary.ENTRY, vocabulary.PHRASES, vocabulary.ROLLS),
        *(vocabulary.ADVANCES, vocabulary.LIMITS, vocabulary.CASES, vocabulary.AMOUNTS),
        *((*noun.said, *noun.plain) for noun in vocabulary.NOUNS),
        *(verb.words for verb in vocabulary.VERBS),
    )
    for table in tables:
        assert all(word.says for word in table)
    assert all(verb.says and verb.shape for verb in vocabulary.VERBS)
    assert all(noun.says for noun in vocabulary.NOUNS)

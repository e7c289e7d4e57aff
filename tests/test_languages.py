"""Packs printed in another language: names, texts and sentences from `lang/`, what is missing stays as it was typed and is listed."""

from __future__ import annotations

from typing import Any

import pytest
from game import game_files, project_of

from seasons_build.pipeline.read import Project

GAME = """blade:
  spear:
    name: Spear
    family: steel
    flavor: Long.
    actions:
      stab: {name: Stab, use: act, range: 1, rules: It hurts.}
      far: {name: Far, as: stab}
"""
GERMAN = """blade:
  spear:
    name: Speer
    flavor: Lang.
    actions: {stab: {name: Stich, rules: Es schmerzt.}, far: {name: Weiter}}
rules:
  uses: {act: {say: Handlung}}
"""
MANIFEST = 'id: de\ntitle: Deutsch\nversion: "1"\nrequires: {suite: ""}\nlanguage: de\n'


def german(text: str = GERMAN, **more: str) -> Project:
    files: dict[str, Any] = {**game_files(), "content/suite/a.yaml": GAME, "content/de/pack.yaml": MANIFEST}
    files["content/de/lang/de.yaml"] = text
    return project_of({**files, **{name.replace("__", "/").replace("_", "."): data for name, data in more.items()}})


def told(project: Project) -> list[str]:
    return [d.code for d in project.diagnostics if d.code != "N281" and not (d.code == "N280" and "`spear`" not in d.message)]


def test_texts_are_in_the_language_and_say_where_they_stand() -> None:
    project = german()
    assert told(project) == []
    spear = project.library.entries["suite", "blade", "spear"]
    assert (spear.name, spear.data["flavor"], spear.data["family"]) == ("Speer", "Lang.", "steel")
    assert (spear.data["actions"]["stab"]["rules"], spear.data["actions"]["far"]["name"]) == ("Es schmerzt.", "Weiter")
    assert str(spear.span(("flavor",))) == "content/de/lang/de.yaml:4:13"
    assert project.library.rules["suite"]["uses"]["act"].data["say"] == "Handlung"
    assert project.library.rules["suite"]["uses"]["act"].data["cost"] == {"breath": 1}
    assert project.library.language == "de"


def test_without_the_pack_all_is_as_it_was() -> None:
    project = project_of({**game_files(), "content/suite/a.yaml": GAME, "content/suite/lang/de.yaml": GERMAN})
    assert project.library.entries["suite", "blade", "spear"].name == "Spear"
    assert project.library.language == "en"


def test_what_is_missing_is_listed_and_stays() -> None:
    project = german("blade:\n  spear: {name: Speer}\nrules:\n  who: {friend: ein Freund}\n")
    notes = {d.code: d.message for d in project.diagnostics if "`spear`" in d.message or d.code == "N281"}
    assert "`spear` (flavor, actions.stab.name, actions.stab.rules, actions.far.name)" in notes["N280"]
    assert {d.span.file for d in project.diagnostics if d.span} == {"content/de/lang/de.yaml"}
    assert notes["N280"].startswith("`blade`: 1 of 1 are not all in `de`: ")
    assert "words of the rules are not in `de`" in notes["N281"]
    assert project.library.entries["suite", "blade", "spear"].data["flavor"] == "Long."


def test_a_pack_may_bring_its_own_translation() -> None:
    own = 'id: suite\ntitle: Suite\nversion: "1.0"\nlanguage: de\n'
    files = {**game_files(), "content/suite/a.yaml": GAME, "content/suite/pack.yaml": own, "content/suite/lang/de.yaml": GERMAN}
    assert project_of(files).library.entries["suite", "blade", "spear"].name == "Speer"


def test_what_is_like_another_takes_its_texts_over() -> None:
    project = german(content__de__b_yaml="blade:\n  lance: {name: Lanze, like: spear}\n")
    lance = project.library.entries["de", "blade", "lance"]
    assert (lance.name, lance.data["flavor"]) == ("Lanze", "Lang.")


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("blade:\n  speer: {name: Speer}\n", "E280", "did you mean `spear`?"),
        ("blade:\n  spear: {flavour: Lang.}\n", "E280", "did you mean `flavor`?"),
        ("blade:\n  spear: {actions: {stap: {name: Stich}}}\n", "E280", "did you mean `stab`?"),
        ("rules:\n  who: {freund: ein Freund}\n", "E280", "did you mean `friend`?"),
        ("blade:\n  spear: {family: leather}\n", "E281", ""),
        ("blade:\n  spear: {name: 3}\n", "E281", ""),
        ("blade:\n  spear: {actions: {stab: {range: 2}}}\n", "E281", ""),
    ],
)
def test_faults_of_a_translation(text: str, code: str, hint: str) -> None:
    found = [d for d in german(text).diagnostics if d.severity != "note"]
    assert [d.code for d in found] == [code]
    assert found[0].span is not None
    assert found[0].span.file == "content/de/lang/de.yaml"
    assert hint in " | ".join(found[0].hints)


def test_a_pack_that_is_typed_in_the_language_is_not_told_so() -> None:
    files = {**game_files(), "content/de/pack.yaml": MANIFEST, "content/de/lang/de.yaml": "family:\n  steel: {name: Stahl}\n"}
    own = {"content/de/blades.yaml": "blade:\n  dolch: {name: Dolch, family: steel, flavor: Kurz.}\n"}
    assert [d.code for d in project_of({**files, "content/suite/a.yaml": GAME, **own}).diagnostics if "`blade`" in d.message] == ["N280"]
    assert not [d for d in project_of({**files, "content/suite/a.yaml": GAME, **own}).diagnostics if "dolch" in d.message]


def test_a_kind_without_a_word_in_the_language_is_told_in_short() -> None:
    many = "blade:\n" + "".join(f"  b-{n}: {{name: B, family: steel}}\n" for n in range(7))
    project = german("family:\n  steel: {name: Stahl}\n", content__suite__a_yaml=many)
    found = [d.message for d in project.diagnostics if "`blade`" in d.message]
    assert found == ["nothing of these kinds is in `de`: `blade` (7)"]


def test_kinds_without_a_word_in_the_language_are_told_together() -> None:
    many = f"{GAME}coat:\n  cape: {{name: Cape}}\n"
    notes = [d for d in german("rules:\n  who: {friend: ein Freund}\n", content__suite__a_yaml=many).diagnostics if d.code == "N280"]
    places = [d.span for d in notes]
    assert len(set(places)) == len(places)
    assert [d.message for d in notes if "`blade` (1), `coat` (1)" in d.message]


def test_two_languages_are_one_too_many() -> None:
    project = german(content__fr__pack_yaml='id: fr\ntitle: F\nversion: "1"\nlanguage: fr\n')
    assert [d.code for d in project.diagnostics if d.severity == "error"] == ["E282"]

"""Texts that a comment cuts short: told where people read the text, and nowhere else."""

from __future__ import annotations

import tracemalloc

import pytest
from game import game_files, project_of, with_case

HEAD = "blade:\n  knife:\n    family: steel\n"


def told(text: str) -> list[tuple[int, int, str, str]]:
    """Line, column, code and first hint of what is told of a file of content."""
    found = with_case(text).diagnostics
    return [(d.span.line, d.span.column, d.code, d.hints[0]) for d in found if d.span and d.span.file.endswith("case.yaml")]


@pytest.mark.parametrize(
    ("line", "column", "hint"),
    [
        ("name: Knife # 3", 17, 'to print it, write `"Knife # 3"`'),
        ("name: Knife # 3 # 4", 17, 'to print it, write `"Knife # 3 # 4"`'),
        ("name: Knife\n    flavor: Cold # and old\n", 18, 'to print it, write `"Cold # and old"`'),
        ("name: Knife\n    flavor: Cold, and\n     old # too\n", 10, "to print it, quote the text"),
        ("name: Knife\n    rules: Cuts # deep\n", 17, 'to print it, write `"Cuts # deep"`'),
    ],
)
def test_a_text_that_is_cut(line: str, column: int, hint: str) -> None:
    text = f"{HEAD}    {line}\n"
    number = next(number for number, row in enumerate(text.split("\n"), 1) if " # " in row)
    assert told(text) == [(number, column, "W213", hint)]


@pytest.mark.parametrize(
    "line",
    [
        "name: Knife  # 3",
        'name: "Knife" # 3',
        'name: "Knife # 3"',
        "name: Knife # 3".replace(" # ", "\n    # "),
        "name: Knife\n    damage: 1d4 # a number",
        "name: Knife\n    flavor: | # below\n      Cold # and old\n",
        "name: Knife\n    tags: # none\n      []",
    ],
)
def test_a_comment(line: str) -> None:
    assert told(f"{HEAD}    {line}\n") == []


def test_a_text_of_the_rules_and_of_a_pack() -> None:
    files = dict(game_files())
    files["content/suite/more.yaml"] = 'rules:\n  limits:\n    heavy: {check: "1 == 1",\n      say: too heavy # by far\n    }\n'
    manifest = files["content/suite/pack.yaml"].decode()
    title = next(row for row in manifest.split("\n") if row.startswith("title:"))
    files["content/suite/pack.yaml"] = manifest.replace(title, "title: The Suite # 2").encode()
    found = [(d.span.file, d.span.line, d.code) for d in project_of(files).diagnostics if d.span and d.code == "W213"]
    line = manifest.split("\n").index(title) + 1
    assert found == [("content/suite/pack.yaml", line, "W213"), ("content/suite/more.yaml", 4, "W213")]


def test_a_text_that_a_copy_and_a_patch_bring() -> None:
    text = f"""{HEAD}    name: Knife
  saw:
    like: knife
    set:
      name: Saw # 2
patch:
  blade/knife:
    set:
      name: Cutter # 3
"""
    other = 'id: other\ntitle: Other\nversion: "1.0"\nrequires: {suite: ">=0"}\n'
    mine, _, patch = text.partition("patch:\n")
    files = {**game_files(), "content/suite/case.yaml": mine, "content/other/pack.yaml": other, "content/other/a.yaml": f"patch:\n{patch}"}
    found = [(d.span.file, d.span.line, d.code) for d in project_of(files).diagnostics if d.span]
    assert found == [("content/other/a.yaml", 4, "W213"), ("content/suite/case.yaml", 8, "W213")]


def test_a_minus_alone_is_the_sign_of_print() -> None:
    blade = 'blade:\n  {id}: {{name: {name}, family: steel, actions: {{a: {{name: "-", rules: No.}}, b: {{name: "-1", rules: Yes.}}}}}}\n'
    files = {**game_files(), **{f"content/suite/{at}.yaml": blade.format(id=at, name=at) for at in ("one", "two")}}
    sheets = project_of(files).sheets
    for name in ("one", "two"):
        texts = sheets["suite", "blade", name].texts
        assert (texts["actions", "a", "name"], texts["actions", "b", "name"]) == ("\N{MINUS SIGN}", "-1")


def test_a_text_full_of_signs_costs_no_more_than_its_length() -> None:
    tracemalloc.start()
    try:
        assert not [d for d in with_case(f'{HEAD}    name: "{"# " * 20_000}"\n').diagnostics if d.code == "W213"]
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()


def test_many_comments_in_a_long_file() -> None:
    knives = "".join(f"  k{number}: {{family: steel, name: K # {number}\n    }}\n" for number in range(300))
    assert sum(d.code == "W213" for d in with_case(f"blade:\n{knives}").diagnostics) == 300

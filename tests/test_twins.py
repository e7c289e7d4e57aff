"""Entries that say the same: what is worked out of one holds for the others, and nobody can tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seasons_build.evaluate.twins import Twins
from seasons_build.pipeline.read import Project, link_sources, work_out
from seasons_build.sources import DiskTree, MemoryTree, Sources

ROOT = Path(__file__).parent.parent
ENTRY = re.compile(r"^  ([a-z0-9-]+):\n((?:^(?:    .*)?\n)+)", re.MULTILINE)


def read(files: dict[str, bytes]) -> Project:
    tree = MemoryTree(files)
    return link_sources(Sources(tree, tree, project_is_shipped=True), ROOT)


def shipped(game: str) -> dict[str, bytes]:
    tree = DiskTree(ROOT)
    folders = (f"content/{game}/", "schemas/core/", f"schemas/{game}/", "templates/")
    return {name: tree.read(name) for name in tree.names() if name.startswith(folders)}


def doubled(files: dict[str, bytes], name: str) -> tuple[dict[str, bytes], int]:
    """The files with each entry of one of them a second time, with another name and another flavor; how many there are."""
    text = re.sub(r"^    claims:.*", "    # none", files[name].decode(), flags=re.MULTILINE)
    head = re.findall(r"^[a-z-]+:$", text, re.MULTILINE)[-1]
    again = []
    for key, body in ENTRY.findall(text):
        other = re.sub(r"^    (name|flavor): .*$", rf"    \1: Other {key}", body, flags=re.MULTILINE)
        again.append(f"  {key}-other:\n{other}")
    return {**files, name: text.encode(), name.replace(".yaml", "-again.yaml"): f"{head}\n{''.join(again)}".encode()}, len(again)


@pytest.mark.parametrize(
    ("game", "file"), [("frontiers", "gear/weapons.yaml"), ("frontiers", "adversaries.yaml"), ("seasons-pass", "clauses.yaml")]
)
def test_nobody_can_tell_a_twin(game: str, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = shipped(game)
    more, count = doubled(files, f"content/{game}/{file}")
    assert count > 5
    found: list[bool] = []
    of = Twins.of
    monkeypatch.setattr(Twins, "of", lambda self, entry: found.append((made := of(self, entry)) is not None) or made)
    with_twins = work_out(read(more), remember=True)
    assert any(found), "what is there twice is worked out once"
    monkeypatch.setattr(Twins, "of", lambda self, entry: None)
    without = work_out(read(more), remember=True)
    assert dict(with_twins.sheets) == dict(without.sheets)
    assert dict(with_twins.lines) == dict(without.lines)
    assert with_twins.diagnostics == without.diagnostics
    assert with_twins.memory is not None and without.memory is not None
    assert {pack: {key: made.reads for key, made in all_.items()} for pack, all_ in with_twins.memory.made.items()} == {
        pack: {key: made.reads for key, made in all_.items()} for pack, all_ in without.memory.made.items()
    }


NAMED = {
    "content/toy/pack.yaml": b'id: toy\ntitle: Toys\nversion: "1"\nformat: 1\n',
    "content/toy/toys.yaml": b"toy:\n  fox: {name: Fox, flavor: Red., tail: 2}\n  owl: {name: Owl, flavor: Red., tail: 2}\n",
    "schemas/toy/toy.json": b"""{"title": "Toy", "description": "A toy.", "allOf": [{"$ref": "core/entry"}], "properties": {
        "tail": {"type": "integer", "title": "Tail", "description": "How long."}}}""",
}


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("  stats:\n    red: {base: \"1 if flavor == 'Red.' else 0\"}\n", {"fox": 1, "owl": 0}),
        ("  stats:\n    red: {base: tail}\n  limits:\n    a: {check: \"name != 'Fox' or tail > 5\", say: no}\n", {"fox": 2, "owl": 2}),
    ],
)
def test_a_text_that_rules_read_counts(rules: str, said: dict[str, int]) -> None:
    files = dict(NAMED)
    core = {name: DiskTree(ROOT).read(name) for name in DiskTree(ROOT).names() if name.startswith("schemas/core/")}
    files["content/toy/rules.yaml"] = f"rules:\n  kinds:\n    toy: {{sheet: true}}\n{rules}".encode()
    files["content/toy/toys.yaml"] = files["content/toy/toys.yaml"].replace(b"Owl, flavor: Red.", b"Owl, flavor: Blue.")
    project = work_out(read({**files, **core}))
    assert {key[2]: sheet.stats["red"] for key, sheet in project.sheets.items()} == said
    assert {d.code for d in project.diagnostics if d.severity == "error"} == ({"E510"} if "limits" in rules else set())

"""Work that is gone on from: after any change, what is taken over and what is made anew is together what is made from nothing."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from seasons_build.pipeline.again import Again
from seasons_build.pipeline.kept import KeptReader
from seasons_build.pipeline.read import Project, link_sources, work_out
from seasons_build.sources import DiskTree, MemoryTree, Sources
from seasons_build.store import Store

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def shipped() -> dict[str, bytes]:
    tree = DiskTree(ROOT)
    return {name: tree.read(name) for name in tree.names() if "seasons-pass" not in name}


def read(files: dict[str, bytes], reader: KeptReader, again: Again | None = None) -> Project:
    tree = MemoryTree(files)
    return link_sources(Sources(tree, tree, project_is_shipped=True), ROOT, parse=reader.load, again=again)


def changes(files: dict[str, bytes], chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Files with one number changed, or one name of a field so that no such field is left."""
    names = [name for name in files if name.startswith("content/") and name.endswith(".yaml")]
    while True:
        name = chance.choice(names)
        text = files[name].decode()
        number = chance.random() < 0.7
        places = list(re.finditer(r"(?<=[: {\[])\d+(?=[,}\]\n])" if number else r"(?<=\n    )[a-z]{4,}(?=: )", text))
        if not places:
            continue
        at = chance.choice(places)
        now = str(chance.randrange(1, 9)) if number else f"{at[0]}x"
        yield name, (text[: at.start()] + now + text[at.end() :]).encode()


def same(one: Project, other: Project) -> None:
    assert dict(one.library.entries) == dict(other.library.entries)
    assert dict(one.library.targets) == dict(other.library.targets)
    assert dict(one.sheets) == dict(other.sheets)
    assert dict(one.lines) == dict(other.lines)
    assert set(one.diagnostics) == set(other.diagnostics)


@pytest.mark.slow
def test_after_any_change_it_is_as_from_nothing(shipped: dict[str, bytes], tmp_path: Path) -> None:
    chance, files = random.Random(1), dict(shipped)
    reader = KeptReader(Store(tmp_path))
    kept = Again()
    project = work_out(read(files, reader, kept), remember=True)
    same(project, work_out(read(files, reader)))
    after = work_out(read(files, reader, kept), before=project, remember=True)
    same(after, project)
    assert all(after.sheets[key] is sheet for key, sheet in project.sheets.items()), "nothing was worked out again"
    for _, (name, data) in zip(range(40), changes(files, chance), strict=False):
        before, files[name] = files[name], data
        project = work_out(read(files, reader, kept), before=project, remember=True)
        same(project, work_out(read(files, reader)))
        if chance.random() < 0.5:
            files[name] = before


def test_a_change_of_one_entry_leaves_the_others(shipped: dict[str, bytes], tmp_path: Path) -> None:
    reader = KeptReader(Store(tmp_path))
    kept = Again()
    project = work_out(read(shipped, reader, kept), remember=True)
    name = next(n for n in shipped if n.endswith("gear/weapons.yaml"))
    text = shipped[name].decode()
    at = text.index("damage: 1d10")
    changed = {**shipped, name: (text[:at] + "damage: 1d12" + text[at + 12 :]).encode()}
    after = work_out(read(changed, reader, kept), before=project, remember=True)
    others = [entry for key, entry in after.library.entries.items() if key[1] != "weapon" and not entry.brought]
    left = [str(entry) for entry in others if project.library.entries[entry.key] is not entry]
    assert not left, "what stands in other files is taken over"
    anew = [key for key, sheet in after.sheets.items() if project.sheets.get(key) is not sheet]
    assert 1 <= len(anew) < len(after.sheets) / 4
    same(after, work_out(read(changed, reader)))


def test_a_former_name_that_goes(tmp_path: Path) -> None:
    """Two formulas ask for an entry by a name that it had: when that goes, both are told, though neither was edited."""
    worth = {"type": "string", "x-expr": "truth", "title": "Worth", "description": "Whether it is worth it."}
    kit = {"title": "Kit", "description": "A kit.", "allOf": [{"$ref": "core/entry"}], "properties": {"worth": worth}}
    files = {
        "content/kits/pack.yaml": b'id: kits\ntitle: Kits\nversion: "1"\nformat: 1\n',
        "content/kits/a.yaml": b"kit:\n  a: {name: A, worth: \"has('old')\"}\n  b: {name: B, worth: \"has('old')\"}\n",
        "content/kits/c.yaml": b"kit:\n  c:\n    name: C\n    formerly: [old]\n",
        "schemas/kits/kit.json": json.dumps(kit).encode(),
    }
    base = {name: data for name, data in _shipped_base().items() if name not in files}
    reader = KeptReader(Store(tmp_path))
    project = work_out(read({**base, **files}, reader), remember=True)
    assert not project.diagnostics
    files["content/kits/c.yaml"] = b"kit:\n  c:\n    name: C\n    formerly: [odd]\n"
    after = work_out(read({**base, **files}, reader), before=project, remember=True)
    assert [d.code for d in after.diagnostics] == ["E411", "E411"]
    same(after, work_out(read({**base, **files}, reader)))


def _shipped_base() -> dict[str, bytes]:
    """What the language itself brings: its schemas and its theme."""
    tree = DiskTree(ROOT)
    return {name: tree.read(name) for name in tree.names() if name.startswith(("schemas/core/", "templates/base/", "templates/fonts/"))}


def test_chapters_that_list_a_kind_follow_its_entries(shipped: dict[str, bytes], tmp_path: Path) -> None:
    """A chapter is filled in again where an entry changes that it lists, and no other is."""
    reader, kept = KeptReader(Store(tmp_path)), Again()
    project = work_out(read(shipped, reader, kept), remember=True)
    name = next(n for n in shipped if n.endswith("gear/weapons.yaml"))
    changed = {**shipped, name: shipped[name].replace(b"    demand: 3\n", b"    demand: 4\n", 1)}
    after = work_out(read(changed, reader, kept), before=project, remember=True)
    chapters = [key for key in project.sheets if key[1] == "chapter"]
    anew = [key for key in chapters if after.sheets[key] is not project.sheets[key]]
    assert 0 < len(anew) < len(chapters) / 2
    same(after, work_out(read(changed, reader)))

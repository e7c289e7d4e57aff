"""Packs beside each other: what is required, what is missing, and that one that is bad takes no good one with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from game import project_of
from straw import Straw

from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import Project, read_sources
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root

GOOD = {
    "content/base-game/pack.yaml": 'id: base-game\ntitle: Base\nversion: "1.4"\nformat: 1\n',
    "content/base-game/rules.yaml": """
rules:
  kinds: {ship: {sheet: true}}
  stats: {hull: {base: "size * 10"}}
""",
    "content/base-game/ships.yaml": "ship:\n  cutter: {name: Cutter, size: 2}\n",
    "schemas/base-game/ship.json": json.dumps(
        {
            "title": "Ship",
            "description": "A ship.",
            "allOf": [{"$ref": "core/entry"}],
            "properties": {
                "size": {"type": "integer", "title": "Size", "description": "How large."},
                "sister": {"type": "string", "x-ref": "ship", "title": "Sister", "description": "Another one."},
            },
        }
    ),
}
MORE = {
    "content/more/pack.yaml": 'id: more\ntitle: More\nversion: "0.1"\nformat: 1\nrequires: {base-game: ">=1.0,<2"}\n',
    "content/more/ships.yaml": "ship:\n  brig: {name: Brig, size: 3, sister: cutter}\n",
}


def told(project: Project) -> list[tuple[str, str]]:
    """Code and place of each finding."""
    return [(d.code, str(d.span)) for d in project.diagnostics]


def hull(project: Project, pack: str, ship: str) -> object:
    sheet = project.sheets.get((pack, "ship", ship))
    return sheet.stats.get("hull") if sheet else None


def test_a_pack_uses_what_it_requires() -> None:
    project = project_of({**GOOD, **MORE})
    assert told(project) == []
    assert hull(project, "more", "brig") == 30
    assert hull(project, "base-game", "cutter") == 20
    assert project.library.targets["more", "ship", "brig"] == {("sister",): ("base-game", "ship", "cutter")}


@pytest.mark.parametrize(("whole", "of_the_game", "of_its_own"), [("", 1, 2), (", whole: false", 1, 1), (", whole: true", 2, 2)])
def test_whose_entries_a_product_takes(whole: str, of_the_game: int, of_its_own: int, tmp_path: Path) -> None:
    """A product of the game and one of the pack, both as the pack prints them."""
    fleet = f"product:\n  {{0}}: {{{{layout: cards, card: poker, select: {{{{kind: ship}}}}{whole}}}}}\n"
    products = {f"content/{pack}/z.yaml": fleet.format(name) for pack, name in (("base-game", "fleet"), ("more", "convoy"))}
    project = project_of({**GOOD, **MORE, **products})
    faces = [build(project, Options(Asked(("more",), (name,)), tmp_path / name), Straw()).faces for name in ("fleet", "convoy")]
    assert faces == [of_the_game, of_its_own]


def test_an_entry_of_another_pack_is_named_by_pack() -> None:
    text = """
ship:
  brig: {name: Brig, size: 3, sister: 'base-game:ship/cutter'}
  sloop: {name: S, size: 1, sister: 'base:ship/cutter'}
"""
    project = project_of({**GOOD, **MORE, "content/more/ships.yaml": text})
    assert told(project) == [("E301", "content/more/ships.yaml:4:37")]


def test_the_own_entry_comes_before_that_of_a_required_pack() -> None:
    text = "ship:\n  cutter: {name: Mine, size: 1}\n  brig: {name: Brig, size: 3, sister: cutter}\n"
    project = project_of({**GOOD, **MORE, "content/more/ships.yaml": text})
    assert told(project) == []
    assert project.library.targets["more", "ship", "brig"] == {("sister",): ("more", "ship", "cutter")}


def test_an_entry_found_in_two_required_packs_is_shown_at_both() -> None:
    other = {
        "content/other/pack.yaml": 'id: other\ntitle: Other\nversion: "1"\nrequires: {base-game: ""}\n',
        "content/other/ships.yaml": "ship:\n  cutter: {name: Other Cutter, size: 1}\n",
    }
    more = {**MORE, "content/more/pack.yaml": 'id: more\ntitle: More\nversion: "1"\nrequires: {base-game: "", other: ""}\n'}
    project = project_of({**GOOD, **other, **more})
    (found,) = project.diagnostics
    assert (found.code, str(found.span)) == ("E303", "content/more/ships.yaml:2:39")
    assert {str(t.span) for t in found.trace} == {"content/base-game/ships.yaml:2:3", "content/other/ships.yaml:2:3"}
    assert found.hints[0].startswith("say which: `")


def test_an_id_twice_in_one_pack_is_shown_at_both() -> None:
    project = project_of({**GOOD, "content/base-game/more/ships.yaml": "ship:\n  cutter: {name: Again, size: 1}\n"})
    (found,) = project.diagnostics
    assert found.code == "E302"
    assert {str(found.span), str(found.trace[0].span)} == {"content/base-game/ships.yaml:2:3", "content/base-game/more/ships.yaml:2:3"}


def test_a_pack_without_a_manifest() -> None:
    files = {name: text for name, text in {**GOOD, **MORE}.items() if name != "content/more/pack.yaml"}
    project = project_of(files)
    assert told(project) == [("E313", "content/more/pack.yaml:1:1")]
    assert hull(project, "base-game", "cutter") == 20


def test_a_pack_whose_folder_has_another_name() -> None:
    project = project_of({**GOOD, "content/base-game/pack.yaml": 'id: base\ntitle: Base\nversion: "1"\n'})
    assert told(project) == [("E314", "content/base-game/pack.yaml:1:5")]


@pytest.mark.parametrize(
    ("wanted", "codes"),
    [
        ('">=1.0,<2"', []),
        ('"~=1.2"', []),
        ('">1.4"', ["E312"]),
        ('"<1.4"', ["E312"]),
        ('""', []),
        ('"one or two"', ["E312"]),
        ("2", ["E205"]),
    ],
)
def test_ranges_of_versions(wanted: str, codes: list[str]) -> None:
    manifest = f'id: more\ntitle: More\nversion: "0.1"\nrequires:\n  base-game: {wanted}\n'
    project = project_of({**GOOD, **MORE, "content/more/pack.yaml": manifest})
    assert told(project) == [(code, "content/more/pack.yaml:5:14") for code in codes]


@pytest.mark.parametrize("typed", ["base-game", "[base-game]"])
def test_requirements_typed_in_another_form(typed: str) -> None:
    project = project_of({**GOOD, **MORE, "content/more/pack.yaml": f'id: more\ntitle: More\nversion: "0.1"\nrequires: {typed}\n'})
    assert told(project) == [("E205", "content/more/pack.yaml:4:11")]
    assert project.diagnostics[0].hints == ('each pack with the versions that will do, as `requires: {base-game: ">=1.0,<2"}`',)


def test_a_missing_requirement_is_told_once() -> None:
    manifest = 'id: more\ntitle: More\nversion: "0.1"\nrequires: {base-gam: ">=1.0"}\n'
    project = project_of({**GOOD, **MORE, "content/more/pack.yaml": manifest})
    assert told(project) == [("E310", "content/more/pack.yaml:4:12")]
    assert project.diagnostics[0].hints == ("did you mean `base-game`?",)
    assert hull(project, "base-game", "cutter") == 20


def test_a_misspelt_game_that_comes_with_the_program_and_that_nothing_else_requires() -> None:
    project = project_of({"content/more/pack.yaml": 'id: more\ntitle: More\nversion: "0.1"\nrequires: {fronteirs: ">=1.0"}\n'})
    assert told(project) == [("E310", "content/more/pack.yaml:4:12")]
    assert project.diagnostics[0].hints == ("did you mean `frontiers`?",)


def test_a_pack_that_does_not_say_what_it_adds_to_is_told_once() -> None:
    files = {f"content/more/{n}.yaml": f"weapon:\n  gun-{n}: {{name: Gun {n}, family: ballistics}}\n" for n in range(16)}
    patch = "patch:\n  armor/hardsuit: {set: {slots: 2}}\n"
    project = project_of({"content/more/pack.yaml": 'id: more\ntitle: More\nversion: "0.1"\n', **files, "content/more/z.yaml": patch})
    assert told(project) == [("E317", "content/more/pack.yaml:1:1")]
    assert project.diagnostics[0].message == "`weapon`, `armor` are kinds of `frontiers`, which this pack does not require"
    assert project.diagnostics[0].hints == ('say here what it adds to, as `requires: {frontiers: ">=1.0,<2"}`',)


def test_packs_that_have_a_kind_alike_are_all_named() -> None:
    manifest = 'id: more\ntitle: More\nversion: "0.1"\nrequires: {own: ""}\n'
    files = {"content/more/pack.yaml": manifest, "content/own/pack.yaml": 'id: own\ntitle: Own\nversion: "1.0"\n'}
    project = project_of({**files, "content/more/a.yaml": "reference: {}\n"})
    assert told(project) == [("N271", "content/own/pack.yaml:1:1"), ("E317", "content/more/pack.yaml:4:1")]
    (hint,) = project.diagnostics[1].hints
    lines = [f'`requires: {{own: ">=1.0,<2", {game}: ">=1.0,<2"}}`' for game in ("frontiers", "seasons-pass")]
    assert hint == f"say here what it adds to, as {lines[0]}, or {lines[1]}"


def test_a_pack_with_kinds_of_its_own_is_a_game() -> None:
    files = {**GOOD, "content/base-game/more.yaml": "weapon:\n  gun: {name: Gun}\n"}
    assert told(project_of(files)) == [("E201", "content/base-game/more.yaml:1:1")]


def test_a_patch_that_leaves_a_character_of_the_game_against_the_rules_is_told_at_the_patch() -> None:
    manifest = 'id: more\ntitle: More\nversion: "0.1"\nrequires: {frontiers: ">=1.0,<2"}\n'
    patch = "patch:\n  weapon/service-rifle:\n    set: {demand: 7}\n"
    project = project_of({"content/more/pack.yaml": manifest, "content/more/a.yaml": patch})
    (found,) = [d for d in project.diagnostics if d.severity != "note"]
    assert (found.code, str(found.span)) == ("W512", "content/more/a.yaml:3:11")
    assert str(found.trace[0].span).startswith("seasons:content/frontiers/characters.yaml:")


def test_packs_that_require_each_other() -> None:
    manifest = 'id: base-game\ntitle: Base\nversion: "1.4"\nrequires: {more: ""}\n'
    project = project_of({**GOOD, **MORE, "content/base-game/pack.yaml": manifest})
    (found,) = project.diagnostics
    assert found.code == "E311"
    assert found.message.endswith("`base-game` -> `more` -> `base-game`")
    assert str(found.span) == "content/base-game/pack.yaml:4:11"


def test_a_pack_that_requires_itself() -> None:
    manifest = 'id: base-game\ntitle: Base\nversion: "1.4"\nrequires: {base-game: ""}\n'
    assert told(project_of({**GOOD, "content/base-game/pack.yaml": manifest})) == [("E311", "content/base-game/pack.yaml:4:11")]


def test_a_pack_of_a_newer_format_is_left_alone() -> None:
    manifest = 'id: more\ntitle: More\nversion: "9"\nformat: 99\nrequires: {base-game: ""}\n'
    new = {
        "content/more/pack.yaml": manifest,
        "content/more/new.yaml": "starbase: [what, is: this]\n",
        "schemas/more/new.json": '{"x-new": 1}',
    }
    project = project_of({**GOOD, **MORE, **new})
    assert told(project) == [("E315", "content/more/pack.yaml:4:9")]
    assert hull(project, "base-game", "cutter") == 20


BROKEN = {
    "a tab": ("content/more/ships.yaml", "ship:\n\tbrig: {name: Brig}\n"),
    "bytes": ("content/more/ships.yaml", b"ship:\n  brig: {name: Br\xff}\n"),
    "a list": ("content/more/ships.yaml", "- ship\n"),
    "a manifest with a tab": ("content/more/pack.yaml", "id: more\n\ttitle: More\n"),
    "a manifest without a version": ("content/more/pack.yaml", 'id: more\ntitle: More\nrequires: {base-game: ""}\n'),
    "a manifest with a list": ("content/more/pack.yaml", 'id: more\ntitle: More\nversion: "1"\nrequires: [base-game]\n'),
    "a schema that is no JSON": ("schemas/more/crew.json", "{ title: [ }"),
    "a schema with a word of its own": ("schemas/more/crew.json", '{"titel": "Crew"}'),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_bad_file_is_told_once_and_takes_no_other_pack_with_it(fault: str) -> None:
    name, text = BROKEN[fault]
    more = {**MORE, "schemas/more/crew.json": GOOD["schemas/base-game/ship.json"], "content/more/crew.yaml": "crew:\n  ann: {name: Ann}\n"}
    third = {
        "content/third/pack.yaml": 'id: third\ntitle: Third\nversion: "1"\nrequires: {more: "", base-game: ""}\n',
        "content/third/all.yaml": "crew:\n  bob: {name: Bob}\nship:\n  hulk: {name: Hulk, size: 9, sister: brig}\n",
    }
    project = project_of({**GOOD, **more, **third, name: text})
    assert len(project.diagnostics) == 1, told(project)
    span = project.diagnostics[0].span
    assert span and span.file == name
    assert hull(project, "base-game", "cutter") == 20
    assert project.unread == {"more", "third"}


def test_a_real_fault_beside_a_bad_file_is_told_too() -> None:
    bad = {"content/more/ships.yaml": "ship:\n\tx: {}\n", "content/base-game/ships.yaml": "ship:\n  cutter: {name: C, sise: 1}\n"}
    files = {**GOOD, **MORE, **bad}
    assert told(project_of(files)) == [("E204", "content/base-game/ships.yaml:2:21"), ("E120", "content/more/ships.yaml:2:1")]


def test_the_same_pack_from_two_places() -> None:
    project = {name: text.encode() for name, text in {**GOOD, **MORE}.items()}
    extra = {"pack.yaml": MORE["content/more/pack.yaml"].encode(), "ships.yaml": b"ship:\n  junk: {name: Junk, size: 1}\n"}
    sources = Sources(MemoryTree(project), DiskTree(shipped_root()), {"elsewhere/more": MemoryTree(extra)})
    found = read_sources(sources, Path("/nowhere"))
    assert told(found) == [("E316", "elsewhere/more/pack.yaml:1:1")]
    assert ("more", "ship", "brig") in found.library.entries
    assert ("more", "ship", "junk") not in found.library.entries


def test_a_pack_named_on_the_command_line() -> None:
    project = {name: text.encode() for name, text in GOOD.items()}
    extra = {
        "pack.yaml": MORE["content/more/pack.yaml"].encode(),
        "deep/down/ships.yaml": b"ship:\n  junk: {name: Junk, size: 1, sister: cutter}\n",
        "schemas/raft.json": GOOD["schemas/base-game/ship.json"].encode(),
        "rafts.yaml": b"raft:\n  log: {name: Log, sister: cutler}\n",
    }
    sources = Sources(MemoryTree(project), DiskTree(shipped_root()), {"elsewhere/more": MemoryTree(extra)})
    found = read_sources(sources, Path("/nowhere"))
    assert told(found) == [("E301", "elsewhere/more/rafts.yaml:2:28")]
    assert hull(found, "more", "junk") == 10


def test_three_bad_entries_in_three_files_are_three_errors() -> None:
    bad = {f"content/more/{n}.yaml": f"ship:\n  s{n}: {{name: S, size: many}}\n" for n in (1, 2, 3)}
    project = project_of({**GOOD, **MORE, **bad})
    assert told(project) == [("E205", f"content/more/{n}.yaml:2:23") for n in (1, 2, 3)]
    assert hull(project, "more", "brig") == 30


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("gear.yaml.txt", "gear.yaml"),
        ("more/Gear.YML", "Gear.yml"),
        ("gear.yaml.docx", "gear.yaml"),
        ("notes.txt", ""),
        ("gear.yaml", ""),
        ("gear.yaml.orig", ""),
    ],
)
def test_what_hides_behind_another_ending_is_told(name: str, meant: str) -> None:
    found = [d for d in project_of({**GOOD, f"content/base-game/{name}": ""}).diagnostics if d.code == "W790"]
    assert [d.hints[0].partition(";")[0] for d in found] == ([f"call it `{meant}`"] if meant else [])


def test_a_manifest_and_nothing_else() -> None:
    files = {name: text for name, text in {**GOOD, **MORE}.items() if name != "content/more/ships.yaml"}
    project = project_of(files)
    assert told(project) == [("N271", "content/more/pack.yaml:1:1")]
    assert project.diagnostics[0].message == "there is nothing in the pack `more` yet"


SAVED = 'id: saved\ntitle: Saved\nversion: "1"\nrequires: {base-game: "WANTED"}\n'


@pytest.mark.parametrize(
    ("wanted", "ships", "codes"),
    [
        ("", "  clipper: {name: Clipper, size: 2, formerly: [cutter]}\n", []),
        ("", "  cutters: {name: Cutters, size: 2}\n", ["E301"]),
        ("<2", "  clipper: {name: Clipper, size: 2, formerly: [cutter]}\n", ["E312"]),
    ],
)
def test_what_was_made_with_version_1_beside_version_2(wanted: str, ships: str, codes: list[str]) -> None:
    """Old names lead on; what is gone is told with what is near; a version that will not do is told, and nothing besides."""
    made = {
        "content/saved/pack.yaml": SAVED.replace("WANTED", wanted),
        "content/saved/a.yaml": "ship:\n  mine: {name: Mine, size: 1, sister: cutter}\n",
    }
    manifest = GOOD["content/base-game/pack.yaml"].replace("1.4", "2.0")
    second = {"content/base-game/pack.yaml": manifest, "content/base-game/ships.yaml": f"ship:\n{ships}"}
    project = project_of({**GOOD, **second, **made})
    assert [d.code for d in project.diagnostics] == codes
    if not codes:
        assert project.library.targets["saved", "ship", "mine"]["sister",] == ("base-game", "ship", "clipper")


def test_order_of_files_does_not_matter() -> None:
    files = {**GOOD, **MORE, "content/more/a.yaml": "ship:\n  x: {name: X, sister: nobody}\n"}
    one, other = project_of(files), project_of(dict(reversed(files.items())))
    assert told(one) == told(other)
    assert one.sheets == other.sheets

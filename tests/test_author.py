"""Files to begin with: what `new` and `copy` make passes `check`, is the writer's to edit, and takes no other file's place."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from game import GAME, project_of
from hypothesis import given, settings
from hypothesis import strategies as st
from running import Run

from seasons_build.core.names import ID, slug
from seasons_build.language.yaml_text import field
from seasons_build.load import load
from seasons_build.pipeline.author import Desk
from seasons_build.pipeline.read import Project
from seasons_build.scaffold import drafts, new_pack

THINGS = """\
blade:
  # The first one.
  knife: {name: Knife, family: steel, weight: 1}   # short
  sabre:
    name: Sabre   # curved
    family: steel
    # how much it weighs
    weight: 3

  # The last one.
  saw: {name: Saw, family: steel}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The suite's game on disk, as the current folder."""
    shutil.copytree(GAME, tmp_path / "game")
    (tmp_path / "game/content/suite/things.yaml").write_text(THINGS, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "game")
    return tmp_path / "game"


def test_a_pack_from_nothing(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = run("new", "pack", "rust-and-rail", "--for", "frontiers")
    assert made.code == 0
    assert made.out == "content/rust-and-rail/pack.yaml\ncontent/rust-and-rail/weapon/first-weapon.yaml\n"
    assert run("check", "--strict") == (0, "", "no faults\n")
    assert run("list", "weapon", "--text", "first weapon").out == "rust-and-rail:weapon/first-weapon  First Weapon\n"
    assert run("new", "weapon", "rivet-gun").out == "content/rust-and-rail/weapon/rivet-gun.yaml\n"
    assert run("copy", "frontiers:adversary/breacher", "bigger-breacher").code == 0
    assert run("check", "--strict").code == 0


def test_a_game_of_ones_own(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "project", "Möbius Décks (copy)").code == 0
    monkeypatch.chdir(tmp_path / "Möbius Décks (copy)")
    assert run("check", "--strict") == (0, "", "no faults\n")
    assert run("new", "trinket", "tin-bird").code == 0
    assert run("new", "product", "all").code == 0
    assert run("check", "--strict").code == 0
    assert "tin-bird" in run("list", "trinket").out


def test_a_project_for_a_game(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = run("new", "project", "night shift", "--for", "seasons-pass")
    assert made.code == 0
    assert 'cd "night shift"' in made.err
    assert run("--project", "night shift", "check", "--strict").code == 0


def test_a_project_where_one_stands(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "night").mkdir()
    monkeypatch.chdir(tmp_path / "night")
    made = run("new", "project", ".", "--for", "seasons-pass")
    assert made.code == 0
    assert "next: `seasons check`, then `seasons build`" in made.err


@pytest.mark.parametrize("game", ["frontiers", "seasons-pass"])
def test_a_new_entry_of_every_kind_is_sound(game: str) -> None:
    begun = project_of({}, (game,))
    manifest = dict(new_pack("more", begun.library.packs[game]))
    project = project_of(manifest)
    kinds = {kind.id: kind for (owner, _), kind in project.library.kinds.items() if owner == game}
    texts = {kind: list(drafts(project.library, "more", of, f"new-{kind}")) for kind, of in kinds.items()}
    files = {f"content/more/{kind}.yaml": found[0] for kind, found in texts.items()}
    faulty = {d.span.file for d in _told(project_of({**manifest, **files})) if d.span}
    again = {name: texts[name.removeprefix("content/more/").removesuffix(".yaml")][1] for name in faulty}
    assert not _told(project_of({**manifest, **files, **again}))
    assert len(again) < len(kinds) / 4, "the schema alone says too little"
    described = [f.description for kind in kinds.values() for f in kind.fields if f.own and f.id != "name"]
    written = " ".join(" ".join(text.replace("#", " ").split()) for text in [*files.values()])
    assert [text for text in described if " ".join(text.replace("#", " ").split()) not in written] == []


def _told(project: Project) -> list[object]:
    return [d for d in project.diagnostics if d.severity != "note" and d.span and d.span.file.startswith("content/")]


def test_what_is_offered_may_be_used(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "pack", "mine", "--for", "frontiers")
    file = tmp_path / "content/mine/weapon/first-weapon.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("    # copies: 1 ", "    copies: 1 "), encoding="utf-8")
    assert run("check", "--strict").code == 0


def test_a_new_entry_begins_as_one_that_there_is(home: Path, run: Run) -> None:
    things = "blade:\n" + "".join(
        f"  {name}: {{name: X, family: {family}, weight: {weight}, flavor: Mine., effects: {{add: {{guard: 1}}}}}}\n"
        for name, family, weight in (("axe", "leather", 7), ("bow", "steel", 5))
    )
    (home / "content/suite/things.yaml").write_text(things + "  stub: {name: Stub, family: steel}\n", encoding="utf-8")
    run("new", "blade", "oar")
    made = load("oar.yaml", (home / "content/suite/blade/oar.yaml").read_bytes()).value
    assert made is not None
    assert made.data["blade"]["oar"] == {
        "name": "Oar",
        "family": "leather",
        "weight": 7,
        "effects": {"add": {"guard": 1}},
        "flavor": "A line of your own, that no rule depends on.",
    }
    assert "# It begins with the values of suite:blade/axe: make them yours." in made.source


def test_a_copy_keeps_comments(home: Path, run: Run) -> None:
    assert run("copy", "sabre", "long-sabre").code == 0
    assert (home / "content/suite/blade/long-sabre.yaml").read_text(encoding="utf-8") == (
        "blade:\n"
        "  long-sabre:\n"
        "    name: Long Sabre   # curved\n"
        "    family: steel\n"
        "    # how much it weighs\n"
        "    weight: 3\n"
    )
    assert run("copy", "knife", "fork").code == 0
    assert (home / "content/suite/blade/fork.yaml").read_text(encoding="utf-8") == (
        "blade:\n  fork: {name: Fork, family: steel, weight: 1}\n"
    )
    assert (home / "content/suite/things.yaml").read_text(encoding="utf-8") == THINGS
    assert run("check", "--strict").code == 0


OF_ONE = """\
blade:
  knife:
    name: Knife
    family: steel
    provisional: [weight]   # to be tried
    claims: {guard: 1}
    # how much
    weight: 1
    formerly:
      - dagger

  saw: {name: Saw, family: steel, provisional: [name]}
"""


def test_a_copy_leaves_what_is_of_the_first_alone(home: Path, run: Run) -> None:
    (home / "content/suite/things.yaml").write_text(OF_ONE, encoding="utf-8")
    assert run("copy", "knife", "fork").code == 0
    assert (home / "content/suite/blade/fork.yaml").read_text(encoding="utf-8") == (
        "blade:\n  fork:\n    name: Fork\n    family: steel\n    # how much\n    weight: 1\n"
    )
    assert run("copy", "saw", "file").code == 0
    assert "provisional" not in (home / "content/suite/blade/file.yaml").read_text(encoding="utf-8")


def test_a_copy_of_what_is_pointed_to(home: Path, run: Run) -> None:
    more = "coat:\n  cape: {name: Cape, tags: &t [silent], formerly: [cope]}\n  cloak: {name: Cloak, tags: *t}\n"
    (home / "content/suite/more.yaml").write_text(more, encoding="utf-8")
    for name in ("cape", "cloak"):
        assert run("copy", name, f"{name}-2").code == 0
        made = (home / f"content/suite/coat/{name}-2.yaml").read_text(encoding="utf-8")
        assert "tags: [silent]" in made
        assert "formerly" not in made


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["new", "coot", "shawl"], "there is no kind 'coot'; did you mean `coat`?"),
        (["new", "coat", "Long Shawl"], "'Long Shawl' cannot be an id: small letters, figures and hyphens, as 'long-shawl'"),
        (["new", "blade", "knife"], "the blade 'knife' is there already, in content/suite/things.yaml"),
        (["new", "coat", "shawl", "--pack", "siute"], "the project has no pack 'siute'; did you mean `suite`?"),
        (["new", "coat", "shawl", "--for", "frontiers"], "--for goes with"),
        (["new", "pack", "more"], "say with --for which game it adds to; there are frontiers, seasons-pass, suite"),
        (["new", "pack", "more", "--for", "frontierz"], "there is no game 'frontierz'; did you mean `frontiers`?"),
        (["new", "pack", "suite", "--for", "frontiers"], "there is a pack 'suite' already"),
        (["new", "project", "."], "is a project already"),
        (["new", "project", "base"], "no pack can be called 'base': that is a word of the language itself; give the folder another name"),
        (["new", "pack", "fonts", "--for", "frontiers"], "no pack can be called 'fonts'"),
        (["new", "coat", "nul"], "no file can be called 'nul' on Windows: choose another id, as 'the-nul'"),
        (["new", "pack", "com1", "--for", "frontiers"], "on Windows"),
        (["new", "project", "aux"], "no folder can be called 'aux' on Windows"),
        (["copy", "knife", "con"], "no file can be called 'con' on Windows"),
        (["new", "project", "???"], "has no letter or figure"),
        (["copy", "nife", "fork"], "unknown entry `nife`: did you mean `knife`?"),
        (["copy", "knife", "saw"], "the blade 'saw' is there already"),
    ],
)
def test_what_cannot_be_made(home: Path, run: Run, words: list[str], said: str) -> None:
    before = sorted(home.rglob("*"))
    found = run(*words)
    assert (found.code, found.out) == (2, "")
    assert said in found.err
    assert sorted(home.rglob("*")) == before


def test_a_project_where_none_can_be(home: Path, run: Run) -> None:
    (home / "file").write_text("", encoding="utf-8")
    for words in (["new", "project", "file/p"], ["new", "project", "file/p", "--for", "frontiers"]):
        found = run(*words)
        assert (found.code, found.out) == (1, ""), words
        assert "next:" not in found.err


@pytest.mark.parametrize(("name", "made"), [("Möbius Décks (copy)", "mobius-decks-copy"), ("ÆØ", ""), ("A_b  C", "a-b-c"), ("..", "")])
def test_slugs(name: str, made: str) -> None:
    assert slug(name) == made
    assert not made or ID.match(made)


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Co", "Cn"]), max_size=30)
NUMBERS = st.integers(-(10**6), 10**6) | st.integers(-9999, 9999).map(lambda n: Fraction(n, 100))
DATA = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True), inner, max_size=4),
    max_leaves=12,
)


@given(DATA, st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_what_is_written_reads_back(data: object, deep: int) -> None:
    text = "\n".join(field("it", data, 0, deep)) + "\n"
    found = load("it.yaml", text.encode())
    letters = "E115"  # of two alphabets: no quotes help, nor should they
    assert [d for d in found.diagnostics if d.severity == "error" and d.code != letters] == [], text
    assert found.value is not None
    assert found.value.data == {"it": data}, text


def test_a_desk_reads_what_is_not_written(home: Path) -> None:
    project = Desk(home).reread({"content/suite/x.yaml": b"coat:\n  shawl: {name: Shawl}\n"})
    assert ("suite", "coat", "shawl") in project.library.entries
    assert not (home / "content/suite/x.yaml").exists()

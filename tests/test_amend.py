"""`like`, `patch` and `formerly`: entries that start from others, and packs that change what another pack has. Order decides nothing, what
is changed is guarded, and each fault is shown where it was typed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from game import game_files, project_of
from hypothesis import given, settings
from hypothesis import strategies as st
from renaming import dumped

from seasons_build.cli.main import seasons
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry
from seasons_build.export import place_of
from seasons_build.pipeline.read import Project

KNIFE = """blade:
  knife:
    name: Knife
    family: steel
    weight: 2
    tags: [sharp]
    claims: {}
    actions:
      stab: {name: Stab, use: act, range: 1, roll: {strike: {defense: guard, damage: 1d6}}, hit: {harm: value}}
      long: {name: Long stab, as: stab, set: {range: 2}}
"""
FILE = "content/more/more.yaml"
STAB = "actions.stab.roll.strike.damage"


def manifest(pack: str, *needs: str) -> str:
    return f'id: {pack}\ntitle: {pack}\nversion: "1.2"\nrequires: {{{", ".join(f"{n}: {chr(34)}{chr(34)}" for n in needs)}}}\n'


def packs(**texts: str) -> dict[str, str | bytes]:
    """The suite's game with a knife, and packs that build on it, each with one file."""
    files: dict[str, str | bytes] = {**game_files(), "content/suite/knife.yaml": KNIFE}
    for pack, text in texts.items():
        files[f"content/{pack}/pack.yaml"] = manifest(pack, "suite")
        files[f"content/{pack}/{pack}.yaml"] = text
    return files


def with_packs(**texts: str) -> Project:
    return project_of(packs(**texts))


def entry(project: Project, name: str = "knife", pack: str = "suite", kind: str = "blade") -> Entry:
    return project.library.entries[pack, kind, name]


def at(found: Entry, path: str) -> Any:
    data: Any = found.data
    for step in path.split("."):
        data = data[step]
    return data


def told(project: Project) -> list[tuple[str, str]]:
    return [(d.code, str(d.span)) for d in project.diagnostics]


def under(project: Project, found: Diagnostic) -> str:
    """What a diagnostic points at."""
    assert found.span is not None
    return project.texts[found.span.file].splitlines()[found.span.line - 1][found.span.column - 1 : found.span.end_column - 1]


# ---- like


def test_an_entry_starts_from_another() -> None:
    text = f"blade:\n  dagger:\n    name: Dagger\n    like: knife\n    weight: 1\n    add: {{{STAB}: 2}}\n    extend: {{tags: [hidden]}}\n"
    project = with_packs(more=text)
    dagger = entry(project, "dagger", "more")
    assert told(project) == []
    assert (dagger.name, dagger.data["weight"], dagger.data["tags"], at(dagger, STAB)) == ("Dagger", 1, ["sharp", "hidden"], "1d6 + 2")
    assert at(dagger, "actions.long.roll.strike.damage") == "1d6 + 2", "a variant follows the action that it is like"
    assert dagger.like == ("suite", "blade", "knife")
    assert "claims" not in dagger.data
    assert str(dagger.span(("family",))) == "content/suite/knife.yaml:4:13"
    assert str(dagger.span(("tags", 1))) == f"{FILE}:7:21"
    assert at(entry(project), STAB) == "1d6"


def test_an_entry_that_starts_from_another_has_its_own_name() -> None:
    assert told(with_packs(more="blade:\n  dagger: {like: knife}\n")) == [("E206", f"{FILE}:2:3")]


def test_like_goes_on() -> None:
    text = """blade:
  third: {name: Third, like: second, times: {weight: 2}}
  second: {name: Second, like: suite:blade/knife, set: {weight: 5}}
"""
    project = with_packs(more=text)
    assert told(project) == []
    assert [entry(project, name, "more").data["weight"] for name in ("second", "third")] == [5, 10]


def test_what_is_like_another_follows_its_patches() -> None:
    project = with_packs(more="blade:\n  dagger: {name: Dagger, like: knife}\n", other="patch:\n  blade/knife: {set: {weight: 7}}\n")
    assert told(project) == []
    assert entry(project, "dagger", "more").data["weight"] == 7


@pytest.mark.parametrize(
    ("line", "code", "shown", "hint"),
    [
        ("like: knive", "E261", "knive", "did you mean `knife`?"),
        ("like: coat/knife", "E261", "coat/knife", ""),
        ("like: 3", "E261", "3", "write the id of another blade"),
        ("like: 'sute:knife'", "E261", "'sute:knife'", "did you mean `suite`?"),
        ("like: knife, set: {wieght: 2}", "E204", "wieght", "did you mean `weight`?"),
        ("like: knife, set: {actions.stap.range: 2}", "E262", "actions.stap.range", "did you mean `stab`?"),
        ("like: knife, add: {family: [steel]}", "E263", "family", ""),
        ("like: knife, add: {wieght: 1}", "E262", "wieght", "did you mean `weight`?"),
        ("like: knife, remove: [tags.blunt]", "E262", "tags.blunt", ""),
        ("like: knife, set: {weight: heavy}", "E205", "heavy", ""),
        ("like: knife, set: [weight]", "E205", "[weight]", ""),
        ("like: knife, expects: {weight: 3}", "E265", "weight", "see whether"),
        ("like: knife, remove: [family]", "E206", "family", "add a line `family: ...`"),
    ],
)
def test_faults_of_an_entry_that_starts_from_another(line: str, code: str, shown: str, hint: str) -> None:
    project = with_packs(more=f"blade:\n  dagger: {{name: D, {line}}}\n")
    (found,) = project.diagnostics
    assert (found.code, under(project, found)) == (code, shown)
    assert hint in " | ".join(found.hints)


def test_entries_that_are_like_each_other() -> None:
    project = with_packs(more="blade:\n  b: {name: B, like: c}\n  c: {name: C, like: b}\n  d: {name: D, like: d}\n")
    assert [(d.code, d.message.partition(": ")[2]) for d in project.diagnostics] == [
        ("E266", "`b` is like `c` is like `b`"),
        ("E266", "`d` is like `d`"),
    ]


def test_a_fault_of_the_other_entry_is_told_once_and_there() -> None:
    files = packs(more="blade:\n  dagger: {name: D, like: knife}\n")
    files["content/suite/knife.yaml"] = KNIFE.replace("weight: 2", "weight: much")
    assert told(project_of(files)) == [("E205", "content/suite/knife.yaml:5:13")]


def test_names_in_what_was_taken_mean_what_they_meant() -> None:
    project = with_packs(more="family:\n  steel: {name: Another steel}\nblade:\n  dagger: {name: D, like: knife}\n")
    assert told(project) == []
    assert project.library.targets["more", "blade", "dagger"]["family",] == ("suite", "family", "steel")


# ---- patch


def test_a_patch_changes_an_entry_of_another_pack() -> None:
    text = f"""patch:
  blade/knife:
    expects: {{weight: 2}}
    set: {{actions.long.{STAB[13:]}: 1d10, actions.stab.range: 3}}
    times: {{weight: 3}}
    extend: {{tags: [long], effects: [{{add: {{guard: 1}}}}]}}
    remove: [tags.sharp]
"""
    project = with_packs(more=text)
    knife = entry(project)
    assert told(project) == []
    assert (knife.data["weight"], knife.data["tags"], at(knife, STAB)) == (6, ["long"], "1d6")
    assert (at(knife, "actions.long.roll.strike.damage"), at(knife, "actions.long.range")) == ("1d10", 2)
    assert str(knife.span(("tags", 0))) == f"{FILE}:6:21"
    assert str(knife.span(("actions", "long", "roll", "strike", "damage"))) == f"{FILE}:4:44"


def test_a_patch_names_what_its_own_pack_has() -> None:
    project = with_packs(more="family:\n  tin: {name: Tin}\npatch:\n  blade/knife: {set: {family: tin}}\n")
    assert told(project) == []
    assert project.library.targets["suite", "blade", "knife"]["family",] == ("more", "family", "tin")


def test_an_effect_of_a_patch_counts_and_shows_its_line() -> None:
    hero = "hero:\n  ann: {name: Ann, brawn: 3, wit: 4, packs: [knife], wears: [cap]}\ncoat:\n  cap: {name: Cap, family: leather}\n"
    files = {**packs(more="patch:\n  coat/cap:\n    extend: {effects: [{add: {guard: 2}}]}\n"), "content/suite/hero.yaml": hero}
    with_it, without = project_of(files), project_of({n: t for n, t in files.items() if "/more/" not in n})
    key = ("suite", "hero", "ann")
    assert with_it.sheets[key].stats["guard"] == 2 + without.sheets[key].stats["guard"]
    steps = [step for step in with_it.sheets[key].steps["guard"] if step.source]
    assert [str(place_of(with_it.library, key, step)) for step in steps] == [f"{FILE}:3:38"]


@pytest.mark.parametrize(
    ("text", "code", "shown", "hint"),
    [
        ("blade/knive: {set: {weight: 3}}", "E260", "blade/knive", "did you mean `knife`?"),
        ("blaed/knife: {set: {weight: 3}}", "E260", "blaed/knife", "did you mean `blade`?"),
        ("suit:blade/knife: {set: {weight: 3}}", "E260", "suit:blade/knife", "did you mean `suite`?"),
        ("knife: {set: {weight: 3}}", "E306", "knife", "`kind/id`"),
        ("blade/knife: {set: {weight: heavy}}", "E205", "heavy", ""),
        ("blade/knife: {set: {wieght: 2}}", "E204", "wieght", "did you mean `weight`?"),
        ("blade/knife: {set: {family: steal}}", "E301", "steal", "did you mean `steel`?"),
        ("blade/knife: {extend: {tags: soft}}", "E205", "soft", "as a list: [soft]"),
        ("blade/knife: {extend: {weight: [1]}}", "E263", "weight", ""),
        ("blade/knife: {put: {weight: 2}}", "E204", "put", "one of `set`"),
        ("blade/knife: [weight]", "E205", "[weight]", ""),
        ("blade/knife: {remove: [name]}", "E206", "name", ""),
        ("blade/knife: {remove: [weigth]}", "E262", "weigth", "did you mean `weight`?"),
        ("blade/knife: {expects: {weight: 3}, set: {weight: 4}}", "E265", "weight", "see whether"),
        (f"blade/knife: {{set: {{{STAB}: 1d}}}}", "E401", "1d", ""),
        ("blade/knife: {set: {actions.long.roll.strik.damage: 1d4}}", "E304", "actions.long.roll.strik.damage", "did you mean `strike`?"),
    ],
)
def test_faults_of_a_patch(text: str, code: str, shown: str, hint: str) -> None:
    project = with_packs(more=f"patch:\n  {text}\n")
    (found,) = project.diagnostics
    assert (found.code, under(project, found)) == (code, shown)
    assert found.span is not None and found.span.file == FILE
    assert hint in " | ".join(found.hints)


def test_a_patch_of_an_own_entry() -> None:
    files = packs()
    files["content/suite/patch.yaml"] = "patch:\n  blade/knife: {set: {weight: 3}}\n"
    (found,) = project_of(files).diagnostics
    assert (found.code, str(found.trace[0].span)) == ("E267", "content/suite/knife.yaml:2:3")


def test_removal_restores() -> None:
    patched = packs(more="patch:\n  blade/knife: {set: {weight: 3}}\n")
    assert entry(project_of(patched)).data["weight"] == 3
    del patched[FILE]
    assert entry(project_of(patched)).data["weight"] == 2


# ---- Several packs


@pytest.mark.parametrize("names", [("early", "late"), ("late", "early")])
def test_set_and_add_from_two_packs_in_both_orders(names: tuple[str, str]) -> None:
    texts = dict(zip(names, ("patch:\n  blade/knife: {set: {weight: 10}}\n", "patch:\n  blade/knife: {add: {weight: 3}}\n"), strict=True))
    project = with_packs(**texts)
    assert told(project) == []
    assert entry(project).data["weight"] == 13


def test_expectations_are_of_what_stands_under_all_patches() -> None:
    project = with_packs(
        early="patch:\n  blade/knife: {set: {weight: 10}}\n", late="patch:\n  blade/knife: {expects: {weight: 2}, add: {weight: 3}}\n"
    )
    assert told(project) == []


@pytest.mark.parametrize("names", [("early", "late"), ("late", "early")])
@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("set: {weight: 10}", "set: {weight: 11}"),
        ("remove: [weight]", "set: {weight: 11}"),
        ("remove: [actions.stab]", "set: {actions.stab.range: 2}"),
        ("remove: [actions.stab.range]", "add: {actions.stab.range: 2}"),
        ("set: {actions.stab.roll: {strike: {defense: guard, damage: 1d8}}}", f"set: {{{STAB}: 1d10}}"),
    ],
)
def test_two_packs_that_disagree_are_shown_at_both_ends(names: tuple[str, str], one: str, two: str) -> None:
    texts = {name: f"patch:\n  blade/knife:\n    {line}\n" for name, line in zip(names, (one, two), strict=True)}
    project = with_packs(**texts)
    (found,) = project.diagnostics
    assert found.code == "E264"
    assert {str(span).partition(":")[0] for span in (found.span, found.trace[0].span)} == {f"content/{n}/{n}.yaml" for n in names}
    assert entry(project).broken


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("set: {weight: 10}", "set: {weight: 10}"),
        ("remove: [weight]", "remove: [weight]"),
        ("remove: [actions.long]", "remove: [actions.long.range]"),
        ("set: {actions.stab.roll: {strike: {defense: guard, damage: 1d8}}}", f"set: {{{STAB}: 1d8}}"),
        ("extend: {tags: [a]}", "extend: {tags: [b]}"),
        ("add: {weight: 1}", "times: {weight: 2}"),
    ],
)
def test_two_packs_that_agree(one: str, two: str) -> None:
    made = []
    for names in (("early", "late"), ("late", "early")):
        project = with_packs(**{n: f"patch:\n  blade/knife:\n    {line}\n" for n, line in zip(names, (one, two), strict=True)})
        assert told(project) == []
        made.append({**entry(project).data, "tags": sorted(entry(project).data.get("tags", ()))})
    assert made[0] == made[1]


def test_two_packs_of_one_patch_in_files_of_any_name() -> None:
    """Where lines stand decides nothing: dealt to files and packs by chance, they make the same entry."""
    lines: list[Mapping[str, Any]] = [
        {"set": {"weight": 6}},
        {"add": {"weight": 2, STAB: 1}},
        {"times": {"weight": 3}},
        {"add": {STAB: "1d4"}},
        {"extend": {"tags": ["new"]}},
        {"remove": ["actions.long"]},
        {"set": {"actions.stab.name": "Prick"}},
        {"expects": {"weight": 2}},
    ]
    seen = set()
    for seed in range(12):
        random = Random(seed)
        files = packs(alpha="", beta="")
        for number, line in enumerate(random.sample(lines, len(lines))):
            name = f"content/{'beta' if line is lines[3] else 'alpha'}/{random.choice('abcxyz')}-{number}.yaml"
            files[name] = dumped({"patch": {"blade/knife": line}})
        project = project_of(dict(random.sample(sorted(files.items()), len(files))))
        assert told(project) == []
        seen.add(json.dumps(entry(project).data, default=str))
    assert len(seen) == 1
    assert '"weight": 24' in seen.pop()


def test_a_patch_in_a_pack_of_which_a_file_is_broken_says_nothing_of_what_may_be_there() -> None:
    files = packs(more="blade:\n  x: {name: X, like: lost}\n")
    files["content/more/bad.yaml"] = "blade:\n\tlost: {}\n"
    assert [code for code, _ in told(project_of(files))] == ["E120"]


# ---- formerly


def test_old_names_lead_on_for_like_and_patch() -> None:
    files = packs(more="blade:\n  x: {name: X, like: shiv}\npatch:\n  blade/shiv: {set: {weight: 4}}\n")
    files["content/suite/knife.yaml"] = KNIFE.replace("weight: 2", "weight: 2\n    formerly: [shiv]")
    project = project_of(files)
    assert told(project) == []
    assert entry(project, "x", "more").data["weight"] == 4
    assert "formerly" not in entry(project, "x", "more").data


@pytest.mark.parametrize("other", ["  shiv: {name: Shiv, family: steel}\n", "  spike: {name: Spike, family: steel, formerly: [shiv]}\n"])
def test_an_old_name_that_means_two(other: str) -> None:
    files = packs()
    files["content/suite/knife.yaml"] = KNIFE.replace("weight: 2", "weight: 2\n    formerly: [shiv]") + other
    (found,) = project_of(files).diagnostics
    assert found.code == "E268"
    assert {str(found.span).partition(":")[0], str(found.trace[0].span).partition(":")[0]} == {"content/suite/knife.yaml"}


# ---- What follows from another fault


@pytest.mark.parametrize("patch", ["expects: {weight: 2}", "add: {weight: 1}", "set: {actions.stab.range: 3}"])
@pytest.mark.parametrize("wrong", ["weight:", "actions:", "blade:"])
def test_a_patch_of_a_faulty_entry_is_no_second_fault(patch: str, wrong: str) -> None:
    files = packs(more=f"patch:\n  blade/knife: {{{patch}}}\n")
    files["content/suite/knife.yaml"] = KNIFE.replace(wrong, wrong.replace("a", "aa", 1).replace("ei", "ie", 1))
    (found,) = project_of(files).diagnostics
    assert found.span is not None and found.span.file == "content/suite/knife.yaml"


@pytest.mark.parametrize("wrong", ["weight:", "family:", "blade:"])
def test_what_is_like_a_faulty_entry_is_no_second_fault(wrong: str) -> None:
    files = packs(more="blade:\n  dagger: {name: Dagger, like: knife, set: {weight: 3}}\n")
    files["content/suite/knife.yaml"] = KNIFE.replace(wrong, f"{wrong[:-1]}x:")
    (found,) = project_of(files).diagnostics
    assert found.span is not None and found.span.file == "content/suite/knife.yaml"


def test_a_fault_beside_a_patch_that_cannot_be_made_is_told() -> None:
    files = packs(more="patch:\n  blade/knife: {expects: {weight: 3}}\n  blade/knive: {set: {weight: 3}}\n")
    assert sorted(d.code for d in project_of(files).diagnostics) == ["E260", "E265"]


# ---- What is said of it


def test_explain_and_show_say_who_changed_what(tmp_path: Any) -> None:
    text = "blade:\n  dagger: {name: Dagger, like: knife, add: {weight: 1}}\npatch:\n  blade/knife: {set: {weight: 7}}\n"
    for name, raw in packs(more=text).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    run = CliRunner()
    said = run.invoke(seasons, ["--project", str(tmp_path), "explain", "blade/knife"]).stdout
    assert said.splitlines() == [f"more 1.2: set weight   2 -> 7   {FILE}:4:23"]
    said = run.invoke(seasons, ["--project", str(tmp_path), "explain", "dagger"]).stdout
    assert said.splitlines() == [f"like suite:blade/knife   {FILE}:2:32", f"more 1.2: add weight   7 -> 8   {FILE}:2:45"]
    data = json.loads(run.invoke(seasons, ["--project", str(tmp_path), "show", "dagger", "--format", "json"]).stdout)
    assert data["like"] == "suite:blade/knife"
    (change,) = data["changes"]
    assert change == {
        "pack": "more",
        "version": "1.2",
        "word": "add",
        "path": "weight",
        "before": 7,
        "after": 8,
        "at": f"{FILE}:2:45",
    }


CHANGES = st.one_of(
    st.builds(lambda n: f"set: {{weight: {n}}}", st.integers(1, 3)),
    st.builds(lambda n: f"add: {{weight: {n}}}", st.integers(-2, 3)),
    st.builds(lambda n: f"times: {{weight: {n}}}", st.integers(0, 3)),
    st.builds(lambda word: f"extend: {{tags: [{word}]}}", st.sampled_from(("sharp", "heavy"))),
    st.sampled_from(("remove: [tags]", "remove: [weight]", "expects: {weight: 2}", "expects: {weight: 9}")),
)


@settings(derandomize=True, max_examples=25, deadline=None, database=None)
@given(st.lists(CHANGES, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_which_pack_brings_a_change_decides_nothing(changes: list[str], chance: Random) -> None:
    """Packs lie over each other alike, however they are called and in whatever order they are read."""

    def laid(ordered: list[str]) -> tuple[object, Counter[str], Counter[str]]:
        found = with_packs(**{f"pack-{n}": f"patch:\n  blade/knife: {{{change}}}\n" for n, change in enumerate(ordered)})
        data = entry(found).data
        return data.get("weight"), Counter(data.get("tags", ())), Counter(d.code for d in found.diagnostics)

    other = list(changes)
    chance.shuffle(other)
    assert laid(changes) == laid(other)


BASE = "blade:\n  spear: {name: Spear, family: steel, weight: 2, actions: {stab: {name: Stab, rules: It hurts.}}}\n"
COPY = "blade:\n  lance:\n    name: Lance\n    like: spear\n    add: {weight: 1}\n    set: {actions.stab.name: Thrust}\n"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("weight: 2", "weight: two", "E205"),
        ("name: Spear, family: steel", "name: Spear, family: steel: hard", "E122"),
        ("{stab: {name", "{stab: {name: {name", "E125"),
    ],
)
def test_what_follows_from_a_fault_in_what_one_is_like_is_not_told(old: str, new: str, code: str) -> None:
    files = {**game_files(), "content/suite/a.yaml": BASE.replace(old, new), "content/suite/b.yaml": COPY}
    assert [d.code for d in project_of(files).diagnostics if d.severity == "error"] == [code]

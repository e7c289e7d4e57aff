"""Every verb with every rider that it allows, as an entry of each game, through the whole compiler: it is sound, its number is worked out
and explained, it prints a line; without it, the number and the text are as before.

The values stand in nouns that a test adds to the game; the sentences are the game's own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from renaming import dumped, parsed
from test_renaming import PLACES, files_of, project
from well_formed import faults_of

from seasons_build.core import vocabulary
from seasons_build.core.entry import Entry, Key
from seasons_build.core.sheet import Sheet
from seasons_build.evaluate.effects import AT_THE_TABLE
from seasons_build.export import explained
from seasons_build.language.phrases import Book, compile_book, flat
from seasons_build.language.phrases.gaps import UNTEMPLATED
from seasons_build.pipeline.read import Project

EFFECTS = json.loads((Path(__file__).parents[2] / "schemas" / "core" / "effects.json").read_text(encoding="utf-8"))["properties"]
STATS = ("add", "times", "set", "atleast", "atmost")
DECIDED = {"when", "type", "label"}
"""Riders that a sheet decides; `if` too, where the situation has a check. With any other the table decides, and no number changes."""

NOUNS = """
tags: {zz-tag: weathered}
states: {zz-state: {say: tilted, while: while tilted}}
conditions: {zz-condition: {say: weary}}
events: {zz-event: {is: startled}}
causes: {zz-rain: rain, zz-mist: mist}
readings:
  zz-reading:
    say: the omen
    words: {zz-good: a good sign, zz-bad: a bad sign}
    pair: "{from} as {into}"
    read: "{~who} {who:reads|read} {pairs}"
dice: {zz-die: the spare die}
doings: {zz-doing: "{who:sings|sing}"}
ways: {zz-way: without a word}
spans: {zz-span: {say: until dawn, after: at dawn, before: before dawn}}
periods: {zz-period: {say: "{n} {n:time|times} a year", first-time: the first time each year}}
times: {zz-time: "{n} {n:heartbeat|heartbeats}"}
situations: {zz-situation: {lead: if nobody objects}, zz-decided: {lead: if the moon is up, check: OTHER >= 1}}
uses: {zz-use: {say: slow deed, lead: as a slow deed}}
stacking: {zz-type: highest}
words: {zz-type: lucky bonus}
who: {zz-vial: {say: the vial, as: it}}
"""


@dataclass(frozen=True)
class Specimen:
    """A verb with some riders, as an entry."""

    id: str
    verb: str
    riders: tuple[str, ...]
    effects: Mapping[str, Any]


@dataclass(frozen=True)
class World:
    """A game with an entry for each specimen, and one that has none of them."""

    project: Project
    pack: str
    kind: str
    stat: str
    book: Book
    specimens: tuple[Specimen, ...]

    def key(self, id: str) -> Key:
        return self.pack, self.kind, id

    def sheet(self, id: str) -> Sheet:
        return self.project.sheets[self.key(id)]

    def text(self, id: str) -> list[str]:
        return flat(self.book, self.kind, self.project.lines[self.key(id)])


def model(found: Project, pack: str) -> Entry:
    """An entry that has a sheet and no record: what the specimens are like."""
    rules = found.library.rules[pack]["kinds"]
    kinds = [kind for kind, noun in rules.items() if noun.data.get("sheet") is True]
    entries = [entry for kind in kinds for entry in found.library.of_kind(pack, kind)]
    return next(entry for entry in entries if not {"record", "start"} & set(entry.data))


def plain_stats(found: Project, entry: Entry) -> Iterator[str]:
    """Stats of its sheet that have a name, no sentence of their own, and room above and below."""
    nouns = found.library.rules[entry.pack]["stats"]
    own = {"add", "set", "times", "atleast", "atmost", "more", "input", "sets"}
    for name, value in found.sheets[entry.key].stats.items():
        data = nouns[name].data if name in nouns else None
        if isinstance(data, Mapping) and "say" in data and not own & set(data) and value >= 3:
            steps = found.sheets[entry.key].steps[name]
            if not any(step.move in STATS for step in steps):
                yield name


def verb_values(stat: str, value: int, track: str, refs: list[str]) -> dict[str, Any]:
    return {
        "add": {stat: 2},
        "times": {stat: 2},
        "set": {stat: value + 3},
        "atleast": {stat: value + 4},
        "atmost": {stat: value - 1},
        "grant": refs[0],
        "choose": {"as": "zz-choice", "count": 1, "from": refs},
        "tag": "zz-tag",
        "harm": "2d6",
        "mend": 3,
        "change": {track: 2},
        "apply": "zz-condition",
        "end": "zz-condition",
        "prevent": "zz-event",
        "allow": "zz-event",
        "redirect": "zz-event",
        "ignore": ["zz-rain", "zz-mist"],
        "read": {"zz-reading": {"zz-good": "zz-bad"}},
        "reroll": {"die": "zz-die"},
        "act": {"what": "zz-doing"},
        "move": {"far": 6},
        "put": {"state": "zz-state"},
        "consume": "zz-vial",
        "field": {"actor": {"say": "a helper"}},
        "say": "it hums to itself.",
    }


def rider_values(other: str) -> dict[str, Any]:
    return {
        "when": f"{other} >= 1",
        "if": "zz-situation",
        "needs": {"say": "a steady hand"},
        "state": "zz-state",
        "to": {"say": "the stranger", "the": "the stranger"},
        "against": {"say": "their captain"},
        "from": {"say": "their captain"},
        "way": "zz-way",
        "until": "zz-span",
        "limit": {"zz-period": 2},
        "first": "zz-period",
        "time": {"zz-time": 4},
        "trigger": {"event": "zz-event", "who": {"say": "their captain"}},
        "use": "zz-use",
        "type": "zz-type",
        "label": "this-one",
    }


def specimens(verbs: Mapping[str, Any], riders: Mapping[str, Any]) -> Iterator[Specimen]:
    for verb, value in verbs.items():
        yield Specimen(f"zz-{verb}", verb, (), {verb: value})
        for rider in vocabulary.VERB[verb].riders:
            yield Specimen(f"zz-{verb}-{rider}", verb, (rider,), {rider: riders[rider], verb: value})
    yield Specimen("zz-add-decided", "add", ("decided",), {"if": "zz-decided", "add": verbs["add"]})


@cache
def world(pack: str) -> World:
    files = files_of(pack)
    found = project(files)
    like = model(found, pack)
    stat, other = list(plain_stats(found, like))[:2]
    tracks = found.library.rules[pack]["tracks"]
    track = next(id for id, noun in tracks.items() if isinstance(noun.data, Mapping) and {"more", "less", "say"} <= set(noun.data))
    others = [entry for entry in found.library.entries.values() if entry.pack == pack and entry.kind not in ("product", like.kind)]
    refs = [f"{entry.kind}/{entry.id}" for entry in others[:2]]
    value = int(found.sheets[like.key].stats[stat])
    sentences = found.library.rules[pack]["phrases"]["verbs"].data
    verbs = {verb: said for verb, said in verb_values(stat, value, track, refs).items() if verb in sentences or verb in UNTEMPLATED}
    made = tuple(specimens(verbs, rider_values(other)))
    written = next(file for name, file in _files_with(files, like) if name)
    bare = {key: value for key, value in written.items() if key not in ("effects", "actions", "claims", "flavor", "rules")}
    needed = found.library.kind_of(like).schema.get("required", ())
    bare |= {"actions": {"zz-wait": {"name": "Wait", "rules": "It waits."}}} if "actions" in needed else {}
    entries = {"zz-bare": bare, **{s.id: {**bare, "effects": s.effects} for s in made}}
    nouns = yaml.safe_load(NOUNS.replace("OTHER", other))
    text = {"rules": nouns, like.kind: entries}
    project_with = project({**files, f"content/{pack}/zz.yaml": dumped(text)})
    nouns_of = {noun: {id: n.data for id, n in ids.items()} for noun, ids in project_with.library.rules[pack].items()}
    return World(project_with, pack, like.kind, stat, compile_book(nouns_of), made)


def _files_with(files: Mapping[str, bytes], entry: Entry) -> Iterator[tuple[str, Any]]:
    for name, raw in files.items():
        if name.startswith("content/") and name.endswith(".yaml") and not name.endswith("pack.yaml"):
            found = parsed(raw).get(entry.kind, {}).get(entry.id)
            if found is not None:
                yield name, found


@pytest.mark.parametrize("pack", PLACES)
def test_all_of_them_are_sound(pack: str) -> None:
    faults = [d for d in world(pack).project.diagnostics if d.span and d.span.file.endswith("/zz.yaml")]
    assert not faults, "\n".join(f"{d.code} {d.message} {d.span} {d.hints}" for d in faults[:20])


@pytest.mark.parametrize("pack", PLACES)
def test_a_sheet_has_what_it_decides_and_nothing_else(pack: str) -> None:
    found = world(pack)
    bare = found.sheet("zz-bare").stats
    for specimen in found.specimens:
        stats = found.sheet(specimen.id).stats
        if specimen.verb in STATS and set(specimen.riders) <= {*DECIDED, "decided"}:
            assert stats[found.stat] != bare[found.stat], specimen
        else:
            assert stats == bare, specimen


@pytest.mark.parametrize("pack", PLACES)
def test_it_is_explained(pack: str) -> None:
    found = world(pack)
    for specimen in found.specimens:
        sheet = found.sheet(specimen.id)
        lines = list(explained(found.project.library, sheet, sheet.stats))
        own = [line for line in lines if "/zz.yaml" in line and "as typed" not in line]
        decided = specimen.verb in STATS and set(specimen.riders) <= {*DECIDED, "decided"}
        assert len(own) == (1 if decided else 0), (specimen, own)


@pytest.mark.parametrize("pack", PLACES)
def test_it_prints_a_line(pack: str) -> None:
    found = world(pack)
    before = found.text("zz-bare")
    for specimen in found.specimens:
        lines = found.project.lines[found.key(specimen.id)]
        more = list(found.text(specimen.id))
        for line in before:
            more.remove(line)
        assert more or specimen.verb == "put", specimen
        assert not faults_of(found.book, lines), specimen
        assert not lines.problems, specimen


@pytest.mark.parametrize("pack", PLACES)
def test_each_figure_is_there_once(pack: str) -> None:
    """The figures of these values, in the lines that have them."""
    found = world(pack)
    for specimen in found.specimens:
        text = " ".join(found.text(specimen.id))
        if specimen.verb in ("harm", "mend", "move"):
            figure = {"harm": "2d6", "mend": "3", "move": "6"}[specimen.verb]
            assert len(re.findall(rf"(?<![\d+]){figure}(?!\d)", text)) == 1, (specimen, text)
        if "time" in specimen.riders:
            assert text.count("4 heartbeats") == 1, (specimen, text)
        if "limit" in specimen.riders:
            assert text.lower().count("2 times a year") == 1, (specimen, text)


@pytest.mark.parametrize("pack", PLACES)
def test_without_it_all_is_as_before(pack: str) -> None:
    """The same entries with their effects taken out again."""
    found = world(pack)
    raw = found.project.sources.read(f"content/{pack}/zz.yaml")
    data = parsed(raw)
    data[found.kind] = {id: {k: v for k, v in entry.items() if k != "effects"} for id, entry in data[found.kind].items()}
    again = project({**files_of(pack), f"content/{pack}/zz.yaml": dumped(data)})
    bare = found.sheet("zz-bare")
    for specimen in found.specimens:
        sheet = again.sheets[found.key(specimen.id)]
        assert (sheet.stats, sheet.texts) == (bare.stats, bare.texts)
        assert flat(found.book, found.kind, again.lines[found.key(specimen.id)]) == found.text("zz-bare")


def test_every_verb_and_rider_of_the_schema_is_tried() -> None:
    """What the schema lists is a verb, a rider or a word that holds effects; of each verb and rider there is a specimen in some game."""
    tried = [specimen for pack in PLACES for specimen in world(pack).specimens]
    for verb in vocabulary.VERBS:
        riders = {specimen.riders for specimen in tried if specimen.verb == verb.name}
        assert riders >= {(), *((rider,) for rider in verb.riders)}, verb.name
    nesting = {word.name for word in vocabulary.NESTING}
    assert set(EFFECTS) - nesting == set(vocabulary.VERB) | set(vocabulary.RIDER)
    assert set(verb_values("x", 3, "y", ["a", "b"])) == set(vocabulary.VERB)
    assert set(rider_values("x")) == set(vocabulary.RIDER)
    assert set(vocabulary.RIDER) - AT_THE_TABLE == {*DECIDED, "if", "state"}

"""Every verb with every rider that it allows, alone and with every other rider, in each game: a line that is a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import pytest
from printed_cards import book, rules
from well_formed import faults_of

from seasons_build.core import vocabulary
from seasons_build.language.phrases import flat, write

GAMES = ("frontiers", "seasons", "d20")
SOMEBODY = {"say": "the stranger", "the": "the stranger"}
GIVEN = {"who", "to", "n", "stat", "self", "whom", "e", "pairs", "into"}
ANOTHER = {"say": "their captain"}


def picked(game: str, group: str, *forms: str) -> str:
    """The first noun of a group that has all the forms; its words ask for nothing that a plain map does not give."""
    found = book(game)
    for id, noun in found.nouns[group].items():
        said = [t for form in forms for t in found.templates(noun.get(form))]
        if all(form in noun for form in forms) and all(t.slots <= GIVEN for t in said):
            return id
    raise AssertionError(f"{game} has no noun in {group} with {forms}")


def plain_stat(game: str) -> str:
    own = {"add", "set", "times", "atleast", "atmost", "more"}
    return next(id for id, noun in book(game).nouns["stats"].items() if "say" in noun and not own & set(noun))


def verb_values(game: str) -> dict[str, Any]:
    stat, track = plain_stat(game), picked(game, "tracks", "more", "less")
    reading = picked(game, "readings", "read")
    words = book(game).nouns["readings"][reading]["words"]
    first = next((id for id, word in words.items() if "bare" in word), next(iter(words)))
    second = next(id for id in words if id != first)
    event = picked(game, "events", "is")
    condition = picked(game, "conditions", "say")
    return {
        "add": {stat: 2},
        "times": {stat: 2},
        "set": {stat: 7},
        "atleast": {stat: 2},
        "atmost": {stat: 9},
        "grant": "gift",
        "choose": {"count": 2, "from": ["gift", "other-gift"]},
        "tag": picked(game, "tags", "say"),
        "harm": "2d6",
        "mend": 3,
        "change": {track: 2},
        "apply": condition,
        "end": condition,
        "prevent": event,
        "allow": event,
        "redirect": event,
        "ignore": list(book(game).nouns["causes"])[:2],
        "read": {reading: {first: second}},
        "reroll": {"die": picked(game, "dice", "say")},
        "act": {"what": picked(game, "doings", "say")},
        "move": {"far": 6},
        "put": {"state": picked(game, "states", "say")},
        "consume": SOMEBODY,
        "field": {"actor": {"say": "a helper"}},
        "say": "it hums to itself.",
    }


def rider_values(game: str) -> dict[str, Any]:
    return {
        "when": f"{plain_stat(game)} >= 5",
        "if": {"lead": "if nobody objects"},
        "needs": {"say": "a steady hand"},
        "state": next(id for id, noun in book(game).nouns["states"].items() if "while" in noun),
        "to": SOMEBODY,
        "against": ANOTHER,
        "from": ANOTHER,
        "way": picked(game, "ways", "say"),
        "until": picked(game, "spans", "say"),
        "limit": {picked(game, "periods", "say"): 2},
        "first": picked(game, "periods", "first-time"),
        "time": {picked(game, "times", "say"): 4},
        "trigger": {"event": picked(game, "events", "is"), "who": ANOTHER},
        "use": next(iter(book(game).nouns["uses"])),
        "type": next(iter(rules(game)["stacking"])),
        "label": "this-one",
    }


def written(game: str, effects: Mapping[str, Any]) -> tuple[list[str], list[str], tuple[Any, ...]]:
    made = book(game)
    names = {"gift": "Gift", "other-gift": "Other Gift"}
    lines = write(made, "nothing", {"name": "Card", "effects": effects}, names=names.get)
    return flat(made, "nothing", lines), faults_of(made, lines), lines.problems


def alone_and_in_pairs(verb: str) -> Iterator[tuple[str, ...]]:
    riders = vocabulary.VERB[verb].riders
    yield ()
    yield from ((rider,) for rider in riders)
    # `first` and `limit` both say how often; a span and a time both how long.
    yield from (pair for pair in combinations(riders, 2) if set(pair) != {"first", "limit"})


@pytest.mark.parametrize("verb", list(vocabulary.VERB))
@pytest.mark.parametrize("game", GAMES)
def test_every_verb_with_every_rider(game: str, verb: str) -> None:
    value, riders = verb_values(game)[verb], rider_values(game)
    for chosen in alone_and_in_pairs(verb):
        effects = {**{rider: riders[rider] for rider in chosen}, verb: value}
        lines, faults, problems = written(game, effects)
        assert lines, effects
        assert not problems, (effects, lines)
        assert not faults, effects
        for rider in chosen:
            assert "captain" in lines[0] or rider not in ("against", "from"), (effects, lines)
            assert "stranger" in lines[0] or rider != "to", (effects, lines)
            assert "objects" in lines[0] or rider != "if", (effects, lines)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("verb", ["add", "harm", "mend", "move", "apply", "change"])
def test_words_that_hold_effects(game: str, verb: str) -> None:
    value, count = verb_values(game)[verb], next(iter(book(game).nouns["counts"]))
    span, before = picked(game, "spans", "after"), picked(game, "spans", "before")
    for effects in ({"per": {count: {verb: value}}}, {"after": {span: {verb: value}}}, {"before": {before: {verb: value}}}):
        lines, faults, problems = written(game, effects)
        assert lines
        assert not problems, (effects, lines)
        assert not faults


def test_samples_hold_every_word() -> None:
    for game in GAMES:
        assert set(verb_values(game)) == set(vocabulary.VERB)
        assert set(rider_values(game)) == set(vocabulary.RIDER)


def test_every_rider_of_a_verb_is_a_rider() -> None:
    for verb in vocabulary.VERBS:
        assert set(verb.riders) <= set(vocabulary.RIDER)

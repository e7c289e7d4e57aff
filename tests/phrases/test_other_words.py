"""Nothing of English and nothing of a game is in the writer: another language, other ids, other phrases for a place or a kind."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from printed_cards import FILES, cards, names, rules
from test_words import RULES

from seasons_build.core import vocabulary
from seasons_build.language.phrases import Part, compile_book, flat, write

CZECH: dict[str, Any] = {
    # Three verb forms: one, several, the reader; three forms of nouns: 1, 2 to 4, 5 and more. The reader is not named.
    "outcomes": {"zasah": "při zásahu"},
    "who": {
        "self": {"say": "ty", "as": "ty", "reader": True, "many": 2},
        "target": {"say": "cíl", "the": "cíl", "them": "cíl", "as": "on"},
        "druh": {"say": "spojenec", "the": "spojenec", "as": "on"},
        "straze": {"say": "stráže", "many": True, "as": "oni"},
    },
    "spans": {"tah": "do konce tahu"},
    "tracks": {"sila": {"say": "{n:bod|body|bodů} síly", "more": "{who:získá|získají|získáš}", "less": "{who:ztratí|ztratí|ztratíš}"}},
    "rolls": {"utok": {"say": "{~agent} {agent:hází|hází|hoď} na útok, {target.dative} vzdorovat", "amount": "{zraneni}"}},
    "phrases": {
        "and": [", ", " a "],
        "or": [", ", " nebo "],
        "clauses": [", ", " a "],
        "plural": {1: 0, 2: 1, 3: 1, 4: 1, "else": 2},
        "pronoun": "on",
        "pronouns": {
            "ty": {"say": "ty", "many": 2},
            "on": {"say": "on", "them": "ho", "dative": "mu"},
            "oni": {"say": "oni", "them": "je", "dative": "jim", "many": True},
        },
        "figures": {"distance": "{n} {n:pole|pole|polí}"},
        "verbs": {
            "change": "{~who} {verb} {n} {track}",
            "harm": ["{to} {to:utrpí|utrpí|utrpíš} {n} zranění", "{~agent} {agent:způsobí|způsobí|způsobíš} {n} zranění"],
            "move": [
                "{?push}{~self} {self:odsune|odsunou|odsuneš} {whom.them} o {far}",
                "{~who} {who:popojde|popojdou|popojdeš} až o {far}",
            ],
        },
    },
}


@pytest.mark.parametrize(
    ("effects", "line"),
    [
        ({"change": {"sila": 1}}, "Získáš 1 bod síly."),
        ({"change": {"sila": 3}, "to": "druh"}, "Spojenec získá 3 body síly."),
        ({"change": {"sila": -7}, "to": "straze"}, "Stráže ztratí 7 bodů síly."),
        ({"move": {"far": 5}, "change": {"sila": 2}, "until": "tah"}, "Do konce tahu, popojdeš až o 5 polí a získáš 2 body síly."),
        (
            [{"harm": "1d6", "to": "druh"}, {"move": {"far": 2, "push": True}, "to": "druh"}],
            "Spojenec utrpí 1d6 zranění. Odsuneš ho o 2 pole.",
        ),
    ],
)
def test_another_language(effects: Any, line: str) -> None:
    made = write(compile_book(CZECH), "karta", {"effects": effects})
    assert not made.problems
    assert made.lines == (line,)


def test_an_outcome_in_another_language() -> None:
    entry = {"roll": {"utok": {"zraneni": "2d6"}}, "zasah": {"harm": "value", "move": {"far": 1, "push": True}}}
    book = compile_book(
        {**CZECH, "rolls": {"utok": {"say": "{~agent} {agent:hází|hází|hoď} na útok na {target.them}", "amount": "{zraneni}"}}}
    )
    made = write(book, "karta", entry)
    assert not made.problems
    assert made.lines == ("Hoď na útok na cíl. Při zásahu, způsobíš 2d6 zranění a odsuneš ho o 1 pole.",)


def test_other_phrases_for_a_kind() -> None:
    book = compile_book({**RULES, "phrases": {**RULES["phrases"], "kinds": {"note": {"verbs": {"harm": "ouch: {n}"}}}}})
    assert write(book, "note", {"effects": {"harm": 2}}).lines == ("Ouch: 2.",)
    assert write(book, "card", {"effects": {"harm": 2}}).lines == ("Deal 2 damage.",)


def test_other_nouns_and_phrases_for_a_place() -> None:
    places = {"sheet": {"stats": {"pace": {"say": "Pc"}}, "phrases": {"verbs": {"set": "{stat}: {n}"}}}}
    game = {**RULES, "phrases": {**RULES["phrases"], "places": places}}
    entry = {"effects": {"set": {"pace": 3}}}
    assert write(compile_book(game), "card", entry).lines == ("Your Pace is 3.",)
    assert write(compile_book(game, "sheet"), "card", entry).lines == ("Pc: 3.",)
    assert write(compile_book(game, "poster"), "card", entry).lines == ("Your Pace is 3.",)


def test_what_a_face_shows_is_said_by_no_sentence() -> None:
    shown = {
        "who": {**RULES["who"], "near": {"say": "a foe< within {range}>"}},
        "phrases": {**RULES["phrases"], "shown": {"card": ["range"]}},
    }
    made = write(compile_book({**RULES, **shown}), "card", {"range": 6, "effects": {"harm": 1, "to": "near"}})
    assert not made.problems
    assert made.lines == ("A foe takes 1 damage.",)


def test_effects_that_a_face_shows_are_its_own_and_not_those_of_its_actions() -> None:
    game = {**RULES, "phrases": {**RULES["phrases"], "shown": {"card": ["effects"]}}}
    made = write(compile_book(game), "card", {"effects": {"set": {"pace": 3}}, "actions": {"hit": {"effects": {"harm": 1}}}})
    assert not made.problems
    assert (made.lines, made.actions[0].lines) == ((), ("Deal 1 damage.",))


def test_a_voice_by_kind() -> None:
    game = {**RULES, "voices": {"beast": {"self": "dog"}}}
    assert write(compile_book(game), "beast", {"effects": [{"move": {"far": 3}}, {"harm": 1, "to": "self"}]}).lines == (
        "A dog moves 3 steps. It takes 1 damage.",
    )


@pytest.mark.parametrize("card", cards()[::2], ids=lambda card: card.name)
def test_ids_are_only_ids(card: Any) -> None:
    """Every id that a game alone declares is renamed, in its nouns and its cards: the lines are the same."""
    game = FILES[card.file]
    other = renaming(game)
    book = compile_book(renamed(rules(game), other), card.given.get("place", ""))
    made = write(
        book,
        card.kind,
        renamed(card.entry, other),
        names=lambda ref: names(game).get(ref),
        values={other.get(key, key): value for key, value in card.given.get("values", {}).items()},
        settled={
            tuple(int(s) if s.isdigit() else other.get(s, s) for s in path.split(".")): value
            for path, value in card.given.get("settled", {}).items()
        },
        rows=renamed(card.given.get("rows"), other),
        chosen=card.given.get("chosen"),
    )
    assert not made.problems
    assert flat(book, card.kind, made) == flat(card.book, card.kind, card.write())


def renaming(game: str) -> dict[str, str]:
    """A new id for each that the game declares, in the same order; those that could be a word of a text keep theirs."""
    declared = {
        id for group, nouns in rules(game).items() if isinstance(nouns, Mapping) and group not in ("phrases", "voices") for id in nouns
    }
    slots = set(re.findall(r"[a-z_-]+", " ".join(re.findall(r"\{[~?]?([^}:]+)", json.dumps(rules(game))))))
    unlike_words = {id for id in declared if "-" in id or "_" in id}
    return {id: f"zq-{number}" for number, id in enumerate(sorted(unlike_words - vocabulary.words() - slots))}


def renamed(data: Any, other: Mapping[str, str]) -> Any:
    if isinstance(data, Mapping):
        return {other.get(key, key): renamed(value, other) for key, value in data.items()}
    if isinstance(data, list):
        return [renamed(item, other) for item in data]
    if isinstance(data, str) and data.startswith("-"):
        return f"-{other.get(data[1:], data[1:])}"
    return other.get(data, data) if isinstance(data, str) else data


def test_the_writer_has_no_words_of_its_own() -> None:
    """A book of nonsense gives nonsense alone."""
    game = {
        "who": {"self": {"say": "zu", "as": "zu", "reader": True}, "target": {"say": "ta"}},
        "spans": {"x": "ux"},
        "periods": {"p": "{n} pe"},
        "phrases": {
            "stop": "!",
            "lead": "; ",
            "pronouns": {"zu": {"say": "zu"}},
            "verbs": {"harm": ["{to} ha {n}", "ha {n}"], "mend": "me {n}"},
            "clauses": [" + ", " & "],
        },
    }
    made = write(compile_book(game), "k", {"effects": {"limit": {"p": 2}, "harm": 3, "mend": 4, "until": "x"}})
    assert made.lines == ("2 pe; ha 3 & me 4 ux!",)


def test_parts_are_given_apart() -> None:
    card = next(card for card in cards() if card.name == "weapon/coil-carbine")
    fire, brace, vent = card.write().actions
    assert isinstance(fire, Part)
    assert (fire.id, fire.name, fire.strip, fire.trigger) == ("fire", "Fire", ("1 :ap: AP Action",), "")
    assert brace.strip == ("2 :ap: AP Action",)
    assert [option.id for option in vent.options] == ["heat", "smoke"]
    assert vent.options[1].strip == ("1 :ap: AP and 2 :energy: Energy", "Once per Encounter")

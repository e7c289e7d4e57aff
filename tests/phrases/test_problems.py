"""What a writer is told, and where; and that no data, however wrong, stops the writer of lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from printed_cards import cards, rules
from test_words import BOOK, RULES, lines

from seasons_build.core import vocabulary
from seasons_build.language.phrases import Problem, compile_book, flat, gaps, words_of, write

JUNK: tuple[Any, ...] = (None, -1, "x-y", "Some text", "", [], ["q"], {}, {"a": {"b": 1}}, True, [[1]], {"who": 3}, "2d6 +", "1d6 * x", "{")


def told(entry: dict[str, Any]) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(problem.code, problem.path) for problem in lines(entry).problems]


def test_unknown_nouns_stand_at_their_place() -> None:
    assert told({"effects": [{"move": {"far": 2}}, {"harm": 1, "to": "gard"}]}) == [("E561", ("effects", 1, "to"))]
    assert told({"effects": {"set": {"pase": 2}}}) == [("E561", ("effects", "set", "pase"))]
    assert told({"effects": {"move": {"far": 2}, "until": "dusk"}}) == [("E561", ("effects", "until"))]


def test_the_nearest_noun_is_the_hint() -> None:
    (problem,) = (p for p in lines({"effects": {"move": {"far": 2}, "until": "dawm"}}).problems)
    assert problem.message == "the game has no `dawm` among its `spans`"
    assert problem.hints == ("did you mean `dawn`?",)


def test_a_figure_that_is_lost_has_its_path() -> None:
    assert told({"actions": {"hit": {"name": "Hit", "effects": {"harm": 2, "near": 3}}}}) == [
        ("E562", ("actions", "hit", "effects", "near"))
    ]
    assert told({"effects": {"harm": 2}, "weight": 9, "notes": "3"}) == []


def test_a_figure_printed_twice_has_its_path() -> None:
    book = compile_book(
        {**RULES, "who": {**RULES["who"], "near": {"say": "a foe within {range}"}, "far": {"say": "a friend within {range}"}}}
    )
    entry = {"range": 4, "effects": [{"harm": 1, "to": "near"}, {"harm": 2, "to": "far"}]}
    assert [(p.code, p.path) for p in write(book, "card", entry).problems] == [("E563", ("range",))]


def test_a_field_that_every_action_takes_from_its_entry_is_printed_by_each() -> None:
    more = {
        "who": {**RULES["who"], "near": {"say": "a foe within {range}"}},
        "phrases": {**RULES["phrases"], "inherit": ["range"], "action": "{name}: {text}"},
    }
    book = compile_book({**RULES, **more})
    action = {"name": "Hit", "effects": {"harm": "1d4", "to": "near"}}
    made = write(book, "card", {"range": 4, "actions": {"one": action, "two": action}})
    assert not made.problems
    assert [part.line for part in made.actions] == ["Hit: A foe within 4 steps takes 1d4 damage."] * 2


def test_prose_holds_no_figure() -> None:
    assert told({"effects": {"say": "It burns for 3 Rounds."}}) == [("E564", ("effects", "say"))]
    assert told({"effects": {"say": "It costs {cost.ap} :d20: and [[rule/2]]."}}) == []


def test_hand_written_text_is_checked_the_other_way_round() -> None:
    assert told({"rules": "Deal 4 damage.", "effects": {"harm": 4, "near": 2}}) == []
    assert told({"rules": "Deal 5 damage.", "effects": {"harm": 4}}) == [("W571", ("rules",))]
    assert told({"rules": "Deal 5 damage.", "effects": {"harm": 5, "to": "nobody-known"}}) == []
    made = lines({"rules": "Deal {effects.harm} damage.", "effects": {"harm": 4}}, settled={("rules",): "Deal 4 damage."})
    assert made.lines == ("Deal 4 damage.",)


def test_an_amount_that_is_more_than_a_sum_needs_words() -> None:
    (problem,) = (p for p in lines({"effects": {"harm": "2d6 * 2"}}).problems if p.code == "E560")
    assert problem.path == ("effects", "harm")
    assert "quantities" in problem.hints[0]


def test_an_outcome_needs_a_roll_to_speak_of_its_value() -> None:
    assert told({"win": {"harm": "value"}}) == [("E560", ("win", "harm"))]


def test_faults_of_templates_stand_in_the_rules() -> None:
    book = compile_book({"spans": {"dawn": "until {dawn"}, "phrases": {"verbs": {"harm": ["ok", "{n:one}"]}}})
    assert [(p.path, p.rules, p.code) for p in book.problems] == [
        (("spans", "dawn", "say"), True, "E566"),
        (("phrases", "verbs", "harm", 1), True, "E566"),
    ]


def test_a_noun_that_says_itself_ends() -> None:
    book = compile_book({**RULES, "who": {**RULES["who"], "ring": {"say": "{to} and {to}"}}})
    assert "E567" in [p.code for p in write(book, "card", {"effects": {"harm": 1, "to": "ring"}}).problems]


def test_nouns_that_say_each_other_end() -> None:
    data = {f"{letter}{n}": {"say": f"{{p{n + 1}}}{{q{n + 1}}}"} for n in range(30) for letter in "pq"}
    data |= {"p30": {"say": "x"}, "q30": {"say": "y"}}
    book = compile_book({**RULES, "ways": {"far": "far"}, "phrases": {**RULES["phrases"], "riders": {"way": "{p0}"}}})
    made = write(book, "card", {"effects": {"harm": 1, "way": "far", **data}})
    assert "E567" in [p.code for p in made.problems]


def test_messages_are_for_writers() -> None:
    forbidden = ("mapping", "scalar", "sequence", "schema", "None", "null", "boolean", "string", "integer", "token", "parse")
    for problem in _all_problems():
        assert problem.message[:1] == problem.message[:1].lower()
        assert not problem.message.endswith(".")
        assert not any(word in text for word in forbidden for text in (problem.message.replace("x-y", ""), *problem.hints)), problem


@pytest.mark.parametrize("card", cards()[::4], ids=lambda card: card.name)
def test_no_entry_stops_the_writer(card: Any) -> None:
    for path in paths(card.entry):
        for junk in JUNK:
            flat(card.book, card.kind, card.write(replaced(card.entry, path, junk)))


def test_no_rules_stop_the_writer() -> None:
    for number, path in enumerate(paths(RULES)):
        book = compile_book(replaced(RULES, path, JUNK[number % len(JUNK)]))
        gaps(book)
        for effects in ({"harm": 1, "to": "dog", "until": "dawn"}, {"set": {"shade": 0}}, {"limit": {"day": 2}, "apply": "cursed"}):
            flat(book, "card", write(book, "card", {"effects": effects}))


def test_gaps_name_the_phrase_and_who_needs_it() -> None:
    found = {str(gap): gap.words for gap in gaps(BOOK)}
    assert found["phrases.verbs.tag"] == ("tag",)
    assert found["phrases.riders.way"] == ("way",)
    assert "phrases.verbs.harm" not in found
    assert "phrases.verbs.prevent" not in found
    assert not [gap for gap in gaps(BOOK, {"harm", "set", "limit"}) if gap.words != ("",)]
    assert [str(gap) for gap in gaps(BOOK, words_of({"effects": {"tag": "x", "way": "y"}}))] == ["phrases.riders.way", "phrases.verbs.tag"]


def test_a_game_without_phrases_is_told_of_all() -> None:
    book = compile_book({})
    assert {gap.path for gap in gaps(book)} >= {("verbs", verb) for verb in vocabulary.VERB} - {
        ("verbs", v) for v in ("prevent", "allow", "redirect", "read", "say")
    }
    assert [p.code for p in write(book, "card", {"effects": {"harm": 1}}).problems] == ["E560"]


def _all_problems() -> Iterator[Problem]:
    for card in cards()[::9]:
        for path in paths(card.entry):
            yield from card.write(replaced(card.entry, path, "x-y")).problems
    yield from compile_book({**rules("d20"), "ways": {"a": "{", "b": "{n:one}"}}).problems


def paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, Mapping | list):
        for key, value in data.items() if isinstance(data, Mapping) else enumerate(data):
            yield (*path, key)
            yield from paths(value, (*path, key))


def replaced(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    if isinstance(data, Mapping):
        return {key: replaced(inner, path[1:], value) if key == path[0] else inner for key, inner in data.items()}
    return [replaced(inner, path[1:], value) if at == path[0] else inner for at, inner in enumerate(data)]

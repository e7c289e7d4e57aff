"""How figures, persons and lists are put into words; a small game of its own, so that each rule stands alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from seasons_build.core.dice_amount import fixed, throw
from seasons_build.language.phrases import Lines, compile_book, write

RULES: dict[str, Any] = {
    "outcomes": {"win": "if you win"},
    "who": {
        "self": {"say": "you", "as": "you", "many": True, "reader": True},
        "target": {"say": "a guard", "the": "the guard"},
        "dog": {"say": "a dog", "as": "it"},
        "crowd": {"say": "the crowd", "many": True},
    },
    "stats": {
        "pace": {"say": "Pace"},
        "grit": {"say": "Grit"},
        "wit": {"say": "Wit", "more": "{n:Wit|{n} Wit}"},
        "level": {"say": "Level"},
        "power": {"say": "power", "more": "{n} power"},
        "shade": {"say": "shade", "set": {0: "you cast no shade", "else": "you cast {n} shade"}},
    },
    "families": {"both": {"of": ["pace", "grit"], "all": "Pace and Grit"}},
    "tracks": {"blood": {"say": "{n:drop|drops}", "more": "{who:gains|gain}", "less": "{who:loses|lose}", "say-n": "{n} {stat}"}},
    "quantities": {"half-pace": {"say": "half {who.their} Pace"}, "sum": {"takes": ["a", "b"], "say": "{a} and {b}"}},
    "spans": {"dawn": "until dawn", "their-turn": "until {who.their} turn ends", "hours": "for {n} {n:hour|hours}"},
    "conditions": {"awake": "awake", "cursed": {"say": "cursed", "apply": "{~self} {self:curses|curse} {whom.them}", "note": "it itches"}},
    "events": {"falls": {"does": "{who:falls|fall}"}, "pushed": {"is": "pushed"}, "odd": {"say": "it is odd"}},
    "rolls": {"test": {"say": "{~agent} {agent:rolls|roll} against {target.of_defense}", "amount": "{damage}"}},
    "periods": {"day": "{n.times} a day"},
    "phrases": {
        "and": [", ", " and "],
        "or": [", ", " or "],
        "clauses": [", ", ", and "],
        "share": ["has", "have"],
        "pronoun": "they",
        "pronouns": {
            "you": {"say": "you", "them": "you", "their": "your", "many": True},
            "they": {"say": "they", "them": "them", "their": "their", "many": True},
            "it": {"say": "it", "them": "it", "their": "its"},
        },
        "own": "{x}'s",
        "own-stat": "{who.their} {stat}",
        "of": ["{their} {thing}", "the {thing} of {x}"],
        "figures": {
            "distance": "{n} {n:step|steps}",
            "word": {1: "one", 2: "two"},
            "times": {1: "once", "else": "{n} times"},
            "factor": {"1/2": "halved"},
        },
        "scale": "{n.first}< from {n.from}><, then {n.rise}>",
        "scale-from": "{by_what} {at}",
        "scale-step": "{n} from {by_what} {at}",
        "item": {"more": "{n.sign} {stat}", "all": "{n.sign} {stat}", "equal": "{stat} equal to {n}"},
        "event": {
            "happens": {"does": "{who} {e}", "is": "{who} {who:is|are} {e}"},
            "would": {"does": "{who} would {e.bare}", "is": "{who} would be {e}"},
            "cannot": {"does": "{who} cannot {e.bare}", "is": "{who} cannot be {e}"},
            "not": {"does": "{who} {who:does|do} not {e.bare}", "is": "{who} {who:is|are} not {e}"},
        },
        "when-event": "when {event}",
        "verbs": {
            "add": ["{to} {to:has|have} {items}", "{items}"],
            "set": "{who.their} {stat} {stat:is|are} {n}",
            "times": "{who.their} {stat} {stat:is|are} {n.factor}",
            "harm": ["{to} {to:takes|take} {n} damage", "{~agent} {agent:deals|deal} {n} damage"],
            "change": "{~who} {verb} {n} {track}",
            "apply": "{~who} {who:becomes|become} {condition}",
            "move": ["{?push}{~self} {self:pushes|push} {whom.them} {far}", "{~who} {who:moves|move} {far}"],
        },
    },
}
BOOK = compile_book(RULES)


def lines(entry: dict[str, Any], **given: Any) -> Lines:
    return write(BOOK, "card", entry, **given)


def said(effects: Any, **given: Any) -> str:
    made = lines({"effects": effects}, **given)
    assert not made.problems
    return " ".join(made.lines)


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (3, "+3 Pace."),
        (-2, "−2 Pace."),
        (Fraction(1, 2), "+1/2 Pace."),
        ("1/2", "+1/2 Pace."),
        ("1d6", "+1d6 Pace."),
        ("-1d6", "−1d6 Pace."),
        ("2d6 + 4", "+2d6 + 4 Pace."),
        ("2d6-1", "+2d6 − 1 Pace."),
        ("1d6 + grit", "+1d6 + your Grit Pace."),
        ("half-pace", "Pace equal to half your Pace."),
        ("grit", "Pace equal to your Grit."),
    ],
)
def test_amounts(amount: Any, text: str) -> None:
    assert said({"add": {"pace": amount}}) == text


def test_quantities_take_figures() -> None:
    assert said({"add": {"pace": {"sum": {"a": 2, "b": "1d4"}}}}) == "Pace equal to 2 and 1d4."


def test_a_ladder_prints_its_rungs() -> None:
    ladder = {"scale": {1: "1d4", 3: "1d6", 5: "1d8"}, "by": "level"}
    assert said({"harm": ladder}) == "Deal 1d4, then 1d6 from Level 3 and 1d8 from Level 5 damage."
    assert said({"harm": {"scale": {2: 1, 4: 2}, "by": "level"}}) == "Deal 1 from Level 2, then 2 from Level 4 damage."
    assert said({"harm": ladder}, values={"level": 4}) == "Deal 1d6 damage."


def test_what_was_worked_out_replaces_what_was_typed() -> None:
    path = ("effects", "harm")
    assert said({"harm": "1d6 + extra"}, settled={path: "1d6 + 2"}) == "Deal 1d6 + 2 damage."
    assert said({"harm": "with.damage"}, settled={path: throw(2, 6) + fixed(3)}) == "Deal 2d6 + 3 damage."
    assert said({"move": {"far": "half-pace"}}, settled={("effects", "move", "far"): 1}) == "Move 1 step."


def test_a_singular_noun_says_one() -> None:
    assert said({"add": {"wit": 1}}) == "Wit."
    assert said({"add": {"wit": 2}}) == "2 Wit."


def test_a_form_by_value_says_its_figure() -> None:
    assert said({"set": {"shade": 0}}) == "You cast no shade."
    assert said({"set": {"shade": 3}}) == "You cast 3 shade."
    assert said({"times": {"pace": "1/2"}}) == "Your Pace is halved."


def test_equal_amounts_of_a_family_are_one() -> None:
    assert said({"add": {"pace": 3, "grit": 3}}) == "+3 Pace and Grit."
    assert said({"add": {"pace": 3, "grit": 4}}) == "+3 Pace and +4 Grit."


def test_who_was_named_last_is_a_pronoun() -> None:
    assert said([{"change": {"blood": 1}, "to": "target"}, {"harm": 2, "to": "target"}]) == "A guard gains 1 drop. They take 2 damage."
    assert said([{"change": {"blood": 2}, "to": "dog"}, {"harm": 1, "to": "dog"}]) == "A dog gains 2 drops. It takes 1 damage."


def test_when_another_came_between_the_noun_stands_again() -> None:
    effects = [{"harm": 1, "to": "target"}, {"harm": 2, "to": "dog"}, {"harm": 3, "to": "target"}]
    assert said(effects) == "A guard takes 1 damage. A dog takes 2 damage. The guard takes 3 damage."


def test_the_reader_is_never_between() -> None:
    effects = [{"harm": 1, "to": "target"}, {"move": {"far": 2}}, {"harm": 3, "to": "target"}]
    assert said(effects) == "A guard takes 1 damage. Move 2 steps. They take 3 damage."


def test_verbs_agree_with_the_word_that_is_printed() -> None:
    assert said([{"harm": 1, "to": "crowd"}, {"harm": 2, "to": "crowd"}]) == "The crowd take 1 damage. They take 2 damage."


def test_neighbours_share_a_subject() -> None:
    assert said({"change": {"blood": 2}, "harm": 1, "to": "dog"}) == "A dog gains 2 drops and takes 1 damage."
    assert said({"add": {"pace": 1}, "harm": 2, "to": "dog"}) == "A dog has +1 Pace and takes 2 damage."
    assert said({"move": {"far": 2}, "apply": "awake"}) == "Move 2 steps and become awake."


def test_a_shared_word_is_not_repeated() -> None:
    both = {"set": {"shade": 0}, "add": {"pace": 1}, "to": "dog", "change": {"blood": 3}}
    assert said(both) == "You cast no shade, and a dog has +1 Pace and gains 3 drops."


def test_possessives() -> None:
    assert said({"set": {"pace": 3}, "to": "target"}) == "A guard's Pace is 3."
    assert said([{"harm": 1, "to": "target"}, {"set": {"pace": 3}, "to": "target"}]) == "A guard takes 1 damage. Their Pace is 3."


def test_until_stands_in_front_of_several_clauses() -> None:
    assert said({"move": {"far": 2}, "set": {"pace": 4}, "until": "dawn"}) == "Until dawn, move 2 steps, and your Pace is 4."
    assert said({"set": {"pace": 4}, "until": {"hours": 1}}) == "Your Pace is 4 for 1 hour."


def test_until_that_speaks_of_somebody_stays_behind() -> None:
    text = said({"add": {"pace": 1}, "harm": 2, "to": "dog", "until": "their-turn"})
    assert text == "A dog has +1 Pace and takes 2 damage until its turn ends."


def test_maps_with_one_until_are_one_sentence() -> None:
    effects = [{"add": {"pace": 1}, "to": "dog", "until": "dawn"}, {"add": {"pace": 2}, "to": "crowd", "until": "dawn"}]
    assert said(effects) == "Until dawn, a dog has +1 Pace, and the crowd have +2 Pace."


def test_a_note_follows_its_sentence() -> None:
    assert said({"apply": "cursed", "to": "target", "until": "dawn"}) == "Curse a guard until dawn. It itches."


def test_an_outcome_speaks_of_the_roll() -> None:
    entry = {"use": "x", "roll": {"test": {"defense": "grit", "damage": "1d6"}}, "win": {"harm": "value", "move": {"far": 1, "push": True}}}
    made = lines({key: value for key, value in entry.items() if key != "use"})
    assert made.lines == ("Roll against the Grit of a guard. If you win, deal 1d6 damage and push them 1 step.",)
    assert not made.problems


def test_an_event_that_is_answered_does_not_happen() -> None:
    answer = {"trigger": {"would": "falls", "who": "dog"}, "prevent": "falls", "to": "dog"}
    assert said(answer) == "When a dog would fall, it does not fall."
    assert said({**answer, "to": "crowd"}) == "When a dog would fall, the crowd cannot fall."
    assert said({"trigger": {"event": ["pushed", "falls"]}, "move": {"far": 1}}) == "When you are pushed or fall, move 1 step."


def test_limits_are_counted_in_words() -> None:
    assert said({"limit": {"day": 1}, "move": {"far": 2}}) == "Once a day, move 2 steps."
    assert said({"limit": {"day": 4}, "move": {"far": 2}}) == "4 times a day, move 2 steps."


def test_prose_stands_alone_and_in_its_place() -> None:
    assert said({"move": {"far": 2}, "say": "Nobody minds."}) == "Move 2 steps. Nobody minds."
    assert said({"say": "Look up.", "move": {"far": 2}}) == "Look up. Move 2 steps."
    assert said({"limit": {"day": 1}, "say": "nobody minds"}) == "Once a day, nobody minds."

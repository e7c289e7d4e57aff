"""The grammar of templates: what is read, what is refused, and that nothing else can happen."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seasons_build.language.phrases.template import Either, Slot, Template, TemplateFault, parse


def test_text_slots_forms_and_choices() -> None:
    assert parse("up to {far}").parts == ("up to ", Slot("far"))
    assert parse("{who.their} will").parts == (Slot("who", "their"), " will")
    assert parse("{target.of_defense}").parts == (Slot("target", "of_defense"),)
    (slot,) = parse("{n:hour|{n} hours}").parts
    assert isinstance(slot, Slot)
    assert [choice.source for choice in slot.choices] == ["hour", "{n} hours"]
    assert slot.choices[1].parts == (Slot("n"), " hours")


def test_more_than_two_forms() -> None:
    (slot,) = parse("{n:one|few|many}").parts
    assert isinstance(slot, Slot)
    assert len(slot.choices) == 3


def test_optional_and_either() -> None:
    assert parse("a< b {c}>").parts == ("a", Either((Template((" b ", Slot("c")), " b {c}"),)))
    (either,) = parse("<{a}|{b}|neither>").parts
    assert isinstance(either, Either)
    assert [alternative.source for alternative in either.alternatives] == ["{a}", "{b}", "neither"]


def test_asks_and_unspoken() -> None:
    template = parse("{?until|lead}{?plain}{~who} {who:takes|take}")
    assert [slot.asks for slot in template.asks] == [("until", "lead"), ("plain",)]
    assert template.subject == Slot("who", unspoken=True)
    assert [type(part) for part in template.predicate.parts] == [str, Slot]
    assert template.slots == {"who"}


def test_a_template_that_begins_with_a_choice_or_text_has_no_subject() -> None:
    assert parse("{n:one|two}").subject is None
    assert parse("this uses up {item}").subject is None


def test_names_of_all_slots() -> None:
    assert parse("{a}< {b}|{c:{d}|e}>{?f}").slots == {"a", "b", "c", "d"}


@pytest.mark.parametrize(
    ("text", "plain"),
    [("\\{n\\}", "{n}"), ("a \\< b", "a < b"), ("\\[x\\]", "[x]"), ("a|b > c", "a|b > c"), ("c:\\x", "c:\\x"), ("\\\\", "\\")],
)
def test_plain_signs(text: str, plain: str) -> None:
    assert "".join(str(part) for part in parse(text).parts) == plain


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("move {far", 5, "is not closed by `}`"),
        ("move <far", 5, "is not closed by `>`"),
        ("{}", 0, "the name of a slot"),
        ("{Who}", 0, "the name of a slot"),
        ("{n:one}", 0, "one|many"),
        ("a } b", 2, "without a `{`"),
        ("{who.}", 0, "the name of a slot"),
    ],
)
def test_faults(text: str, at: int, words: str) -> None:
    with pytest.raises(TemplateFault, match=re.escape(words)) as fault:
        parse(text)
    assert fault.value.at == at


def test_depth_is_bounded() -> None:
    with pytest.raises(TemplateFault, match="too deep"):
        parse("<" * 10_000)


@settings(derandomize=True, database=None, deadline=None, max_examples=300)
@given(st.text(alphabet="ab n.{}<>|:~?\\[]_-:", max_size=40))
def test_every_text_is_a_template_or_a_fault(text: str) -> None:
    try:
        template = parse(text)
    except TemplateFault as fault:
        assert 0 <= fault.at <= len(text)
    else:
        assert template.source == text

"""What must stay on one line of a card's text: no-break spaces in the markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seasons_build.language import text
from seasons_build.language.text import to_html


@pytest.mark.parametrize(
    ("typed", "tied"),
    [
        ("Everyone within 1 meter.", "Everyone within 1~meter."),
        ("Regain 2 Essence, −1 Skill die.", "Regain 2~Essence, −1~Skill die."),
        ("Gain 2 :hp: HP.", "Gain 2~✚~HP."),
        ("At level 3. Then 4, or 5 of 6", "At level 3. Then 4, or 5~of 6"),
    ],
)
def test_a_number_stays_with_what_it_counts(typed: str, tied: str) -> None:
    assert to_html(typed, {"hp": "✚"}, str, block=False) == tied.replace("~", "\u00a0")


def test_a_long_text_breaks_where_it_likes() -> None:
    assert to_html("In 3 days.", {}, str, long=True) == "<p>In 3 days.</p>"


@given(st.text(alphabet="a1 -+.)*_&<>\"'\\#>|=`~[](\u00a0\u2003é\n\t:", max_size=12))
def test_a_line_without_marks_is_what_a_reader_of_markdown_makes_of_it(typed: str) -> None:
    if text.PLAIN.match(typed):
        assert text._rendered(typed, block=True, long=False) == text._markdown().render(typed).strip()
        assert text._rendered(typed, block=False, long=False) == text._markdown().renderInline(typed).strip()


@given(st.lists(st.text(alphabet="a1 -+.)_&<>\"'#>=~\u00a0\u2003", max_size=8), min_size=2, max_size=4))
def test_paragraphs_without_marks_are_what_a_reader_of_markdown_makes_of_them(typed: list[str]) -> None:
    joined = "\n\n".join(typed)
    assert text._rendered(joined, block=True, long=False) == text._markdown().render(joined).strip()
    assert text._rendered(joined, block=False, long=False) == text._markdown().renderInline(joined).strip()


@pytest.mark.parametrize("typed", ["- a", "+ a", "1. a", "2) a", "*a*", "_a_", "a\nb", " a", "a ", "a\\*b", ""])
def test_what_may_be_a_mark_goes_to_the_reader(typed: str) -> None:
    assert not text.PLAIN.match(typed)

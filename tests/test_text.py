"""What must stay on one line of a card's text: no-break spaces in the markup."""

from __future__ import annotations

import pytest

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

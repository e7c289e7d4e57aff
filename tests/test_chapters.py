"""The long texts of chapters: what they name, what stands in them once their values are filled in, and every fault at its line."""

from __future__ import annotations

import pytest
from game import with_case

from seasons_build.language.chapter import Box, Embed, Heading, Passage, link_of, outline, sought

BLADES = """
blade:
  knife: {name: Knife, family: steel, damage: 1d4}
  saw: {name: Saw, family: steel, damage: 1d8}
  rapier: {name: Rapier, family: steel, damage: 1d8}
"""


def filled(text: str, more: str = BLADES, lead: str = "") -> str:
    """The text of a chapter as the book gets it."""
    project = with_case(chapter(text, lead) + more)
    assert not [d for d in project.diagnostics if d.severity == "error"]
    return project.sheets["suite", "chapter", "blades"].texts["text",]


def chapter(text: str, lead: str = "") -> str:
    body = "\n".join(f"      {line}".rstrip() for line in text.strip("\n").split("\n"))
    return f"chapter:\n  blades:\n    name: Blades\n{lead}    text: |\n{body}\n"


def faults(text: str, more: str = BLADES) -> list[tuple[str, int, str]]:
    """The faults of a text: code, line of the text from 1, and what is underlined."""
    whole = chapter(text) + more
    first = chapter(text)[: chapter(text).index("|\n")].count("\n") + 1
    lines = whole.split("\n")
    spans = [(d.code, d.span) for d in with_case(whole).diagnostics if d.severity == "error"]
    return [(code, s.line - first, lines[s.line - 1][s.column - 1 : s.end_column - 1]) for code, s in spans if s is not None]


def test_the_parts_of_a_text() -> None:
    cut = outline("One.\n\n## Two\n\n> [!aside] Three\n> Four.\n>\n> - five\n\n![[a/*]]\n| A |\n|---|\n| {name} |\n\nSix.\n> seven\n")
    assert not cut.faults
    assert [type(part) for part in cut.parts] == [Passage, Heading, Box, Embed, Passage]
    heading, box, embed = cut.parts[1:4]
    assert isinstance(heading, Heading)
    assert (heading.level, heading.text, heading.anchor) == (2, "Two", "two")
    assert isinstance(box, Box)
    assert (box.look, box.title, box.text) == ("aside", "Three", "Four.\n\n- five")
    assert isinstance(embed, Embed)
    assert (embed.what, embed.of, embed.columns and embed.columns.row) == ("kind", "a", "| {name} |")


def test_headings_of_one_name_are_told_apart() -> None:
    assert [h.anchor for h in outline("## At 0 HP\n\n## At 0 HP\n").headings] == ["at-0-hp", "at-0-hp-2"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("level + 1", ("", "", "", "level + 1")),
        ("blade/knife: damage", ("blade/knife", "", "", "damage")),
        ("suite:blade/knife: damage", ("suite:blade/knife", "", "", "damage")),
        ("#scores/60: rank", ("", "scores", "60", "rank")),
        ("hero/ada#scores: 'a' if x else 'b'", ("hero/ada", "scores", "", "'a' if x else 'b'")),
    ],
)
def test_what_a_value_asks_for(text: str, parts: tuple[str, str, str, str]) -> None:
    asked = sought(text)
    assert (asked.of, asked.rows, asked.row, asked.expression) == parts
    assert text[asked.start :] == asked.expression


def test_links() -> None:
    assert link_of("blade/knife|the knife").words == "the knife"
    assert (link_of("chapter/blades#at-0-hp").target, link_of("#at-0-hp").section) == ("chapter/blades", "at-0-hp")
    assert link_of("^ Harm > at  0 HP").term == "Harm > at 0 HP"


def test_values_come_from_other_entries() -> None:
    assert filled("A knife does {blade/knife: damage}, two do {blade/knife: 2 * damage}.") == "A knife does 1d4, two do 2 * 1d4.\n"


def test_a_row_for_each_of_a_kind() -> None:
    text = "![[blade/* where family == 'steel' by damage, name]]\n| Blade | Damage |\n|---|---:|\n| {link} | {damage} |"
    assert filled(text).rstrip("\n").split("\n") == [
        "| Blade | Damage |",
        "|---|---:|",
        "|[[=suite:blade/knife]] [[suite:blade/knife]] | 1d4 |",
        "|[[=suite:blade/rapier]] [[suite:blade/rapier]] | 1d8 |",
        "|[[=suite:blade/saw]] [[suite:blade/saw]] | 1d8 |",
    ]


def test_all_of_a_kind_one_after_the_other() -> None:
    assert filled("![[blade/*]]").split() == ["![[suite:blade/knife]]", "![[suite:blade/rapier]]", "![[suite:blade/saw]]"]


def test_a_table_in_a_box_stays_in_it() -> None:
    text = "> [!summary] All\n> ![[blade/*]]\n> | Blade |\n> |---|\n> | {name} |\n>\n> And no more."
    assert [line[:2] for line in filled(text).rstrip("\n").split("\n")] == ["> "] * 6 + [">", "> "]


def test_a_table_of_the_rules() -> None:
    more = "rules:\n  tables:\n    hardness: {1: 4, 3: 6}\n    heat: {keys: [family, level], rows: {steel: {1: 2, 2: 3}}}\n"
    assert filled("![[rules/tables/hardness]]", more).split("\n")[2:4] == ["| 1 | 4 |", "| 3 | 6 |"]
    assert filled("![[rules/tables/heat]]", more).split("\n")[0::2][:2] == ["| Family | 1 | 2 |", "| Steel | 2 | 3 |"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Fine.\n\n#### Deep", [("E652", 3, "####")]),
        ("# Mine", [("E652", 1, "#")]),
        ("> [!exmaple] A\n> B", [("E650", 1, "exmaple")]),
        ("Look: ![[blade/knife]]", [("E654", 1, "![[blade/knife]]")]),
        ("## The {level}", [("E654", 1, "The {level}")]),
        ("One.\n\nSee [[blade/knive]].", [("E301", 3, "[[blade/knive]]")]),
        ("See [[#harm]].", [("E655", 1, "[[#harm]]")]),
        ("{blade/knive: damage}", [("E301", 1, "{blade/knive: damage}")]),
        ("{blade/knife: damge}", [("E411", 1, "damge")]),
        ("{#scores: rank}", [("E656", 1, "{#scores: rank}")]),
        ("![[blade]]", [("E651", 1, "blade")]),
        ("![[coat/*]]", [("E651", 1, "![[coat/*]]")]),
        ("![[blade/* where damge > 3]]", [("E411", 1, "damge")]),
        ("![[rules/tables/hard]]", [("E653", 1, "![[rules/tables/hard]]")]),
        ("![[blade/knife#edges]]", [("E653", 1, "![[blade/knife#edges]]")]),
        ("![[blade/*]]\n| A |\n|---|\n| {damge} |", [("E411", 4, "damge")]),
        ("![[blade/*]]\n| A |\n|---|", [("E657", 2, "| A |")]),
    ],
)
def test_faults_stand_at_their_line(text: str, found: list[tuple[str, int, str]]) -> None:
    assert [(code, line, words) for code, line, words in faults(text)] == found


LINKED = "chapter:\n  first:\n    name: First\n    text: |\n      See [[chapter/second#deep]].\n"


@pytest.mark.parametrize(
    ("second", "codes"),
    [
        ("name: Second\n    text: |\n      ## Shallow\n", ["E655"]),
        ("name: Second\n    txet: |\n      ## Deep\n", ["E204"]),
        ("name: > Second\n    text: |\n      ## Deep\n", ["E121"]),
        ("name: Second\n    raeds: coat/one\n    text: |\n      ## Deep\n\n      {#scores: rank}\n", ["E204"]),
    ],
)
def test_a_section_of_a_chapter_at_fault_is_no_second_fault(second: str, codes: list[str]) -> None:
    found = with_case(f"{LINKED}  second:\n    {second}").diagnostics
    assert [d.code for d in found if d.severity == "error"] == codes

"""Where things stand: every key and value, and characters inside text, whatever the quoting."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seasons_build.core.document import Document
from seasons_build.core.span import Path, Span
from seasons_build.load import load

TEXT = """\
# a comment
weapon:
  service-rifle:
    name: Service Rifle # its name
    "quoted key": 'it''s'
    flavor: >
      General issue,
      gas-operated.

    notes:
      first line
      second line

    actions:
      fire:  {name: Fire, roll: {damage: 1d6}, tags: [deft, "two words"]}
    list:
    - a
    - b: 1
      c: 2
    𝄞 key: 火 🐉 dragon
    again: &kept {hp: 10}
    copy: *kept
    word: &w heavy
    empty:
    braces: {}
"""


def document(text: str, *, pure: bool = False) -> Document:
    result = load("content/a.yaml", text.encode(), pure=pure)
    assert result.value is not None
    return result.value


def cut(text: str, span: Span) -> str:
    """What a span marks in a text."""
    rows = text.split("\n")[span.line - 1 : span.end_line]
    rows[-1] = rows[-1][: span.end_column - 1]
    rows[0] = rows[0][span.column - 1 :]
    return "\n".join(rows)


RIFLE: Path = ("weapon", "service-rifle")
VALUES: list[tuple[Path, str]] = [
    (("name",), "Service Rifle"),
    (("quoted key",), "'it''s'"),
    (("flavor",), ">\n      General issue,\n      gas-operated."),
    (("notes",), "first line\n      second line"),
    (("actions",), 'fire:  {name: Fire, roll: {damage: 1d6}, tags: [deft, "two words"]}'),
    (("actions", "fire"), '{name: Fire, roll: {damage: 1d6}, tags: [deft, "two words"]}'),
    (("actions", "fire", "roll", "damage"), "1d6"),
    (("actions", "fire", "tags"), '[deft, "two words"]'),
    (("actions", "fire", "tags", 1), '"two words"'),
    (("list",), "- a\n    - b: 1\n      c: 2"),
    (("list", 1), "b: 1\n      c: 2"),
    (("list", 1, "c"), "2"),
    (("𝄞 key",), "火 🐉 dragon"),
    (("again",), "{hp: 10}"),
    (("copy",), "*kept"),
    (("copy", "hp"), "10"),
    (("word",), "heavy"),
    (("empty",), ""),
    (("braces",), "{}"),
]


@pytest.mark.parametrize("pure", [False, True], ids=["libyaml", "pure"])
@pytest.mark.parametrize(("path", "expected"), VALUES, ids=[".".join(map(str, path)) for path, _ in VALUES])
def test_values(path: Path, expected: str, pure: bool) -> None:
    assert cut(TEXT, document(TEXT, pure=pure).span((*RIFLE, *path))) == expected


def test_keys() -> None:
    made = document(TEXT)
    for path, _ in VALUES:
        last = path[-1]
        if isinstance(last, str):
            assert cut(TEXT, made.key_span((*RIFLE, *path))).strip('"') == last
    assert cut(TEXT, made.key_span((*RIFLE, "list", 0))) == "a"
    assert cut(TEXT, made.key_span(("weapon",))) == "weapon"


def test_the_nearest_thing_above_where_there_is_nothing() -> None:
    made = document(TEXT)
    for path in ((*RIFLE, "name", "x"), (*RIFLE, "name", 3)):
        assert made.span(path) == made.span((*RIFLE, "name"))
    for path in ((*RIFLE, "list", 9), (*RIFLE, "list", -1), (*RIFLE, "list", "x")):
        assert made.span(path) == made.span((*RIFLE, "list"))
    assert made.span((*RIFLE, "nothing")) == made.span(RIFLE)
    assert made.key_span((*RIFLE, "nothing")) == made.key_span(RIFLE)
    assert made.span(("nothing",)) == made.span()
    assert cut(TEXT, made.span()).startswith("weapon:") and cut(TEXT, made.span()).endswith("braces: {}")


def test_an_empty_file() -> None:
    for text in ("", "\n", "# only a comment\n", "---\n", "\ufeff"):
        made = document(text)
        assert made.data == {}
        assert made.span(("a", "b")) == made.key_span(("a",)) == made.inside(("a",), 0, 3) == Span("content/a.yaml", 1, 1, 1, 1)


def test_lines_and_columns_behind_a_mark_and_windows_breaks() -> None:
    plain = document(TEXT)
    for text in ("\ufeff" + TEXT, TEXT.replace("\n", "\r\n"), TEXT.replace("\n", "\r"), TEXT.rstrip("\n")):
        made = document(text)
        assert made.data == plain.data and made.places == plain.places


QUOTINGS = {
    "plain": "{text}",
    "double": '"{text}"',
    "single": "'{text}'",
    "two lines": "{first}\n    {second}",
    "two lines in quotes": '"{first}\n  {second}"',
    "folded": ">\n    {first}\n    {second}",
    "kept": "|\n    {first}\n    {second}\n",
    "own line": "\n    {text}",
    "stripped": ">-\n    {first}\n\n    {second}",
}


@pytest.mark.parametrize("quoting", QUOTINGS)
def test_inside_text(quoting: str) -> None:
    first, second = "Roll {a + 𝄞b} for", "every {weapon} of yours"
    text = "x: 1\ny:\n  z: " + QUOTINGS[quoting].format(text=f"{first} {second}", first=first, second=second) + "\nw: 2\n"
    made = document(text)
    value = made.data["y"]["z"]
    for word in ("Roll", "{a + 𝄞b}", "𝄞b", "every", "{weapon}", "yours"):
        at = value.index(word)
        assert cut(text, made.inside(("y", "z"), at, at + len(word))) == word
    both = made.inside(("y", "z"), value.index("for"), value.index("every") + len("every"))
    assert cut(text, both).split() == ["for", "every"]
    end = made.inside(("y", "z"), len(value), len(value) + 5)
    assert (end.line, end.column) == (end.end_line, end.end_column)
    assert made.inside(("y", "z"), 0, len(value.strip())).column > 2


@pytest.mark.parametrize("value", ["'it''s here'", '"a\\tb here"', '"a \\\n  b here"', "&n b here", "*n"])
def test_inside_text_that_the_file_does_not_hold(value: str) -> None:
    text = f"n: &n here\nx: {value}\n" if "*" in value else f"x: {value}\n"
    made = document(text)
    span = made.inside(("x",), made.data["x"].index("here"), len(made.data["x"]))
    assert span == made.span(("x",)) or cut(text, span) == "here"


def test_inside_what_is_no_text() -> None:
    made = document("x: 12\ny: {a: 1}\n")
    assert made.inside(("x",), 0, 1) == made.span(("x",))
    assert made.inside(("y",), 0, 1) == made.span(("y",))
    assert made.inside(("x", "no"), 0, 1) == made.span(("x",))


def walk(value: Any, place: Any, path: Path) -> list[Path]:
    """Checks that places have the shape of the data; gives the path of every value."""
    paths = [path]
    if isinstance(value, dict):
        assert list(value) == list(place[1])
        for key, inner in value.items():
            mark, spot = place[1][key]
            assert len(mark) == 4
            paths += walk(inner, spot, (*path, key))
    elif isinstance(value, list):
        assert len(value) == len(place[1])
        for index, inner in enumerate(value):
            paths += walk(inner, place[1][index], (*path, index))
    else:
        assert len(place) == 4 and all(isinstance(number, int) for number in place)
    return paths


def test_places_have_the_shape_of_the_data() -> None:
    made = document(TEXT)
    paths = walk(made.data, made.places, ())
    spans = [made.span(path) for path in paths]
    assert all((s.line, s.column) <= (s.end_line, s.end_column) for s in spans)
    assert len(paths) > 20


@given(st.text(alphabet="ab {}:'\"\\\n\t-#𝄞é", min_size=1, max_size=40), st.integers(0, 40), st.integers(0, 40))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_inside_never_leaves_the_value(text: str, start: int, length: int) -> None:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    for source in (f'x: "{escaped}"\n', "x: '" + text.replace("'", "''").replace("\n", " ").replace("\t", " ") + "'\n"):
        made = document(source)
        whole, part = made.span(("x",)), made.inside(("x",), start, start + length)
        assert (
            (whole.line, whole.column) <= (part.line, part.column) <= (part.end_line, part.end_column) <= (whole.end_line, whole.end_column)
        )

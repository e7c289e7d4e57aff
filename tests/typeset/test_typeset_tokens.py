"""A sheet that is cut into tokens once, for our reading and the typesetter's, says to both what it says to each alone."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tinycss2 import ast
from tinycss2.tokenizer import parse_component_value_list

from seasons_build.worker import css, tokens

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # a machine without fonts is told about at import, and is what we want
    from weasyprint import CSS

SHEETS = {f"{path.parent.name}-{path.stem}": path for path in sorted((Path(__file__).parents[2] / "templates").rglob("*.css"))}
TEXTS = {
    **{name: path.read_text(encoding="utf-8") for name, path in SHEETS.items()},
    "comments": "/* a */ p/* b */{/* c */color/* d */:/* e */red/* f */!important;/* g */}/* h */ @page/* i */{margin:1mm/* j */}",
    "nested": "p{color:red;& b{color:blue;/* k */i{color:green}}} @media print{p{top:0}} @page a:first{@top-left{content:'x'/* l */}}",
    "broken": "p{color:;colour:red} } q{ {a:b} & > > c{top:1mm} @page :nowhere{} <!-- a{top:0} -->",
}

WHERE = re.compile(r" at 0x\w+")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing that was read before is there."""
    monkeypatch.setattr(css, "_tokens", {})
    yield


def said(text: str, caplog: pytest.LogCaptureFixture) -> list[Any]:
    """All that the typesetter takes from a sheet, and what it says of it."""
    caplog.clear()
    read = CSS(string=text, base_url="theme:///")
    rules = {name: WHERE.sub("", repr(found)) for name, found in vars(read.matcher).items()}
    pages = [rule[1:] for rule in read.page_rules]
    return [rules, WHERE.sub("", repr(pages)), read.layers, [record.getMessage() for record in caplog.records]]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_the_typesetter_reads_what_it_would_have_read(text: str, caplog: pytest.LogCaptureFixture) -> None:
    fresh = said(text, caplog)
    sheet = css.read_sheet("a.css", text, frozenset(), frozenset())
    assert set(css._tokens) == {text}
    assert said(text, caplog) == fresh
    assert css._tokens == {}
    assert css.read_sheet("a.css", text, frozenset(), frozenset()) == sheet


BITS = """
- -- --> a B é K K url( url(\t URL(x) URL(x\n) u+1? U+ ( ) [ ] { } "a" 'b\\27 c' ' " \\ \\26 \n \t 1 1.5 +2 -3e4 e % px . # #1 #- @ @- @im
/* */ / * <!-- < ! ~= | || = $ : ; , > "\\\n" \x7f \x01 \0 \r
"""


def told(tokens: Any) -> Any:
    """All that is known of tokens."""
    if isinstance(tokens, list):
        return [told(token) for token in tokens]
    if not isinstance(tokens, ast.Node):
        return tokens
    names = chain.from_iterable(getattr(kind, "__slots__", ()) for kind in type(tokens).__mro__)
    return [type(tokens), *((name, told(getattr(tokens, name))) for name in names)]


@pytest.mark.parametrize("seed", range(20))
def test_any_text_is_cut_as_tinycss2_cuts_it(seed: int) -> None:
    draw, bits, quick = Random(seed), [*BITS.split(" "), " ", "\n"], 0
    for _ in range(500):
        text = "".join(draw.choices(bits, k=draw.randint(1, 12)))
        assert told(tokens.cut(text)) == told(parse_component_value_list(text)), repr(text)
        quick += tokens._cut(text) is not None
    assert 50 < quick < 450


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_a_sheet_is_cut_as_tinycss2_cuts_it(text: str) -> None:
    assert told(tokens.cut(text)) == told(parse_component_value_list(text))


def test_what_is_usual_is_not_left_to_it() -> None:
    assert [name for name, text in TEXTS.items() if tokens._cut(text) is None] == ["broken"]


@pytest.mark.usefixtures("alone")
def test_comments_say_nothing_of_a_font() -> None:
    faces = "@font-face{font-family:A;src:url(fonts/a);font-weight:%s}"
    (plain,) = css.read_sheet("a.css", faces % "700", frozenset(("fonts/a",)), frozenset()).faces
    (said,) = css.read_sheet("a.css", faces % "/* b */700/* c */", frozenset(("fonts/a",)), frozenset()).faces
    assert said == plain and plain.style[0] == "700"


@pytest.mark.usefixtures("alone")
def test_a_sheet_that_the_typesetter_may_not_see_is_not_kept_for_it() -> None:
    assert not css.read_sheet("a.css", "a{" * 40, frozenset(), frozenset()).usable
    assert css._tokens == {}

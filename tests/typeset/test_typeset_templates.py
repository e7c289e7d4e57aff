"""Templates in their box: what they may hold, what they print, and how a fault is told."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from seasons_build.core.finding import Finding, diagnostic
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.worker.render import Renderer, TemplateFault, markup_hook

CASES = Path(__file__).parents[1] / "adversarial" / "template"
TEMPLATES = {path.name: path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*.j2"))}
ROWS = list(csv.DictReader((CASES / "manifest.csv").read_text(encoding="utf-8").splitlines()))
DATA = """{"monster": {"hp": 3}, "x": true, "colour": "red;background:url(http://127.0.0.1:9/x)", "url": "javascript:alert(1)",
"page": {"path": "p"}, "project": {"root": "r"}, "source": "s", "m": {"items": [1, 2], "keys": "k"}, "list": ["a", "b", "c"],
"html": {"$html": "<b>bold</b>"}, "text": "a < b", "nothing": null, "many": %s}"""
CONTEXT = json.loads(DATA % list(range(1000)), object_hook=markup_hook)


def render(source: str, parts: Mapping[str, str] | None = None, limits: Limits = DEFAULT) -> str:
    return Renderer({"main": source, **(parts or {})}, {"hp": "✚"}, limits).render("main", CONTEXT)


def fault(source: str, parts: Mapping[str, str] | None = None, limits: Limits = DEFAULT) -> Finding:
    with pytest.raises(TemplateFault) as caught:
        render(source, parts, limits)
    return caught.value.finding


@pytest.mark.parametrize("row", ROWS, ids=lambda row: Path(row["file"]).name)
def test_hostile_templates_are_refused_at_their_line_and_at_once(row: dict[str, str]) -> None:
    name = Path(row["file"]).name
    before = time.perf_counter()
    try:
        Renderer(TEMPLATES, {}, DEFAULT).render(name, CONTEXT)
        finding = None
    except TemplateFault as caught:
        finding = caught.finding
    assert time.perf_counter() - before < 1
    assert not Path("/tmp/adv-pwned").exists()
    if row["exit"] == "reject":
        assert finding is not None
        assert finding.file == name
        assert finding.line == (2 if name.startswith("t22") else 1)
        assert "Error" not in diagnostic(finding).message
    else:
        assert finding is None, "values in styles and links are the page's affair"


def test_a_misspelt_field_is_answered_with_the_nearest() -> None:
    finding = fault("one\n{{ monster.hq }}")
    assert (finding.code, finding.file, finding.line) == ("E612", "main", 2)
    assert diagnostic(finding).hints == ("did you mean `hp`?",)


PARTS = {
    "parts": "{% macro band(x) %}{{ x }}{% endmacro %}{% set rule = 'r' %}",
    "more": "{% from 'parts' import band, rule %}{% set band = band %}{% set rule = rule %}",
}


@pytest.mark.parametrize(
    ("source", "line", "name", "hint"),
    [
        ("\n{% from 'parts' import bandd %}\n{{ band(text) }}", 2, "bandd", "did you mean `band`?"),
        ("\n{% from 'parts' import bandd %}\n{{ bandd(text) }}", 2, "bandd", "did you mean `band`?"),
        ("\n{% from 'parts' import bandd as bar %}\n{{ bar(text) }}", 2, "bandd", "did you mean `band`?"),
        ("\n{% from 'parts' import band %}\n\n{{ bandd(text) }}", 4, "bandd", "did you mean `band`?"),
        ("{% from 'more' import band, rulle %}", 1, "rulle", "did you mean `rule`?"),
        ("\n{% from 'parts' import headline %}", 2, "headline", "one of `band`, `rule`"),
    ],
)
def test_a_misspelt_import_is_told_where_it_is_imported(source: str, line: int, name: str, hint: str) -> None:
    finding = fault(source, PARTS)
    assert (finding.code, finding.file, finding.line, finding.text) == ("E612", "main", line, name)
    assert diagnostic(finding).hints == (hint,)


def test_what_a_template_gives_may_be_imported() -> None:
    assert render("{% from 'more' import band, rule %}{{ band('a') }}{{ rule }}", PARTS) == "ar"


REFUSED = {
    "{{ 1 + 1 }}": "E611",
    "{{ 2 * 3 }}": "E611",
    "{{ -monster.hp }}": "E611",
    "{{ monster.hp ** 9 }}": "E611",
    "{{ 9 // 2 }}{{ 9 % 2 }}": "E611",
    "{{ monster._hp }}": "E611",
    "{{ monster['__class__'] }}": "E611",
    "{{ 'a'.upper() }}": "E611",
    "{{ 'a'.upper }}": "E611",
    "{{ text.upper() }}": "E611",
    "{{ [1][0] }}": "E611",
    "{{ list[1:] }}": "E611",
    "{{ url | safe }}": "E612",
    "{{ url | attr('x') }}": "E612",
    "{{ list | map('upper') }}": "E612",
    "{{ many | random }}": "E612",
    "{{ 'x' | center(900000000) }}": "E612",
    "{{ many | batch(900000000, 'x') }}": "E612",
    "{{ 'x' | replace('x', 'y') }}": "E612",
    "{{ range(3) }}": "E612",
    "{{ dict(a=1) }}": "E612",
    "{{ joiner() }}": "E612",
    "{{ monster.hp.bit_length() }}": "E611",
    "{{ self.a() }}": "E611",
    "{{ m(*list) }}{% macro m() %}{% endmacro %}": "E611",
    "{% autoescape false %}{{ text }}{% endautoescape %}": "E611",
    "{% for a in list recursive %}{{ a }}{% endfor %}": "E611",
    "{% include text %}": "E611",
    "{% include ['a', 'b'] %}": "E611",
    "{% extends text ~ '.html' %}": "E611",
    "{% set _x = 1 %}": "E611",
    "{% macro _m() %}{% endmacro %}": "E611",
    "{{ list | select('callable') | list }}": "E610",
    "{{ none }}": "E611",
    "{{ nothing }}": "E610",
    "{{ true }}": "E611",
    "{{ x }}": "E610",
    "{{ list }}": "E610",
    "{{ m }}": "E610",
    "{{ 'a' ~ nothing }}": "E610",
    "{{ list | join(nothing) }}": "E610",
    "{{ monster.hp is divisibleby 3 }}": "E612",
    "{{ 1.5 }}": "E611",
    "{{ y }}": "E612",
    "{% if y %}{% endif %}": "E612",
    "{{ monster.y.z }}": "E612",
    "{% for a in monster.y %}{% endfor %}": "E612",
    "{{ text.y }}": "E612",
    "{{ list[9] }}": "E612",
    "{{ 'mp' | icon }}": "E612",
    "{{ text | sign }}": "E610",
    "{{ 5 | pad(99) }}": "E610",
    "{{ text | halves('a', 2) }}": "E610",
    "{{ text | halves }}": "E610",
    "{% for i in boxes(100000) %}{% endfor %}": "E613",
    "{% for i in boxes(text) %}{% endfor %}": "E613",
    "{% if 'a' < 1 %}{% endif %}": "E610",
    "{% do list.append(1) %}": "E610",
    "{{ 'a' 'b' }": "E610",
}


@pytest.mark.parametrize("source", REFUSED)
def test_refused(source: str) -> None:
    finding = fault(source)
    assert (finding.code, finding.file, finding.line) == (REFUSED[source], "main", 1)
    message = diagnostic(finding).message
    assert message[0] not in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert not message.endswith(".")
    assert "token" not in message


PRINTED = {
    "{{ text }}{{ html }}": "a &lt; b<b>bold</b>",
    "{{ text ~ html }}": "a &lt; b<b>bold</b>",
    "{{ m.items | join('<') }} {{ m.keys }}": "1&lt;2 k",
    "{{ 'hp' | icon }}": '<span class="i">✚</span>',
    "{{ 3 | sign }} {{ '-1/2' | sign }} {{ 0 | sign }}": "+3 −1/2 +0",
    "{{ 5 | pad }}{{ 12 | pad(3) }}": "05012",
    "{{ 'You Were Going to Tell Me' | halves(18, 22) }}": "You\u00a0Were\u00a0Going to\u00a0Tell\u00a0Me",
    "{{ 'Say That Again' | halves(18, 22) }} {{ 'Everybody Else' | halves(9, 9) }}": "Say That Again Everybody Else",
    "{{ 'Nobody at All in the Whole Yard' | halves(9, 12) }}": "Nobody at All in the Whole Yard",
    "{{ '1d6' | dice }}": '<span class="dice nw">1d6</span>',
    "{% for b in boxes(monster.hp) %}{{ b }}{% if b <= 2 %}x{% endif %}{% endfor %}": "1x2x3",
    "{% for a in list %}{{ a }}{{ loop.index }}{{ loop.cycle('-', '+') }}{% if loop.last %}!{% endif %}{% endfor %}": "a1-b2+c3-!",
    "{% for k, v in monster | items %}{{ k }}={{ v }}{% endfor %}": "hp=3",
    "{% if 'b' in list and not monster.mp %}yes{% endif %}": "yes",
    "{{ monster.mp | default('none') }}{{ 'a' if monster.mp is defined else 'b' }}": "noneb",
    "<i class=\"x {{ 'y' if monster.mp }}\">": '<i class="x ">',
    "{% macro m(a, b='B') %}[{{ a }}{{ b }}{{ caller() if caller }}]{% endmacro %}{{ m('A') }}": "[AB]",
    "{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}in{% endcall %}": "[in]",
    "{% set a = 'x' %}{% set b %}<{{ a }}>{% endset %}{{ b }}": "<x>",
    "{% if monster.hp > -1 %}more{% endif %}": "more",
    "{% with a = text %}{{ a | upper }}{% endwith %}": "A &lt; B",
    "{{ [3, 1, 2] | sort | join }}{{ list | first }}{{ list | length }}": "123a3",
    "{% filter upper %}a{{ text }}{% endfilter %}": "AA &LT; B",
}


@pytest.mark.parametrize("source", PRINTED)
def test_printed(source: str) -> None:
    assert render(source) == PRINTED[source]


def test_templates_reach_templates() -> None:
    parts = {
        "macros": "{% macro big(t) %}<b>{{ t }}</b>{% endmacro %}",
        "frame": "<{% block inside %}nothing{% endblock %}>",
        "part": "part of {{ monster.hp }}",
    }
    assert render("{% from 'macros' import big as b %}{{ b(text) }}", parts) == "<b>a &lt; b</b>"
    assert render("{% import 'macros' as m %}{{ m.big('x') }}", parts) == "<b>x</b>"
    assert render("{% extends 'frame' %}{% block inside %}{{ super() }}!{% endblock %}", parts) == "<nothing!>"
    assert render("{% include 'part' %}", parts) == "part of 3"


def test_a_fault_in_a_part_is_told_where_it_stands() -> None:
    finding = fault("\n{% include 'part' %}", {"part": "a\nb\n{{ monster.mp }}"})
    assert (finding.file, finding.line) == ("part", 3)
    finding = fault("\n{% include 'port' %}", {"part": ""})
    assert (finding.code, finding.file, finding.line, diagnostic(finding).hints) == ("E612", "main", 2, ("did you mean `part`?",))
    finding = fault("{% from 'part' import m %}\n{{ m() }}", {"part": "{% macro m() %}\n{{ y }}{% endmacro %}"})
    assert (finding.file, finding.line, finding.text) == ("part", 2, "y")


def test_templates_do_not_lead_round_in_a_circle() -> None:
    finding = fault("{% include 'a' %}", {"a": "\n{% include 'b' %}", "b": "{% include 'a' %}"})
    assert (finding.code, finding.file, finding.line) == ("E613", "b", 1)
    chain = {f"n{n}": f"{{% include 'n{n + 1}' %}}" for n in range(30)} | {"n30": ""}
    assert fault("{% include 'n0' %}", chain).code == "E613"


def test_work_is_counted_in_steps() -> None:
    nested = "{% for a in many %}{% for b in many %}{% for c in many %}x{% endfor %}{% endfor %}{% endfor %}"
    assert fault(nested).code == "E613"
    split = "{% macro m(l) %}{% if l > 0 %}{% for a in list %}{{ m(l) }}{% endfor %}{% endif %}{% endmacro %}{{ m(1) }}"
    assert fault(split).code == "E613"
    limits = Limits(template_steps=5000)
    assert render("{% for a in many %}{% for b in list %}x{% endfor %}{% endfor %}", limits=limits) == "x" * 3000
    assert fault("{% for a in many %}{% for b in many %}x{% endfor %}{% endfor %}", limits=limits).code == "E613"


def test_output_is_bounded() -> None:
    finding = fault("{% for a in many %}0123456789{% endfor %}", limits=Limits(template_output=5000))
    assert (finding.code, finding.detail) == ("E613", "a template prints more than a page can hold")


def test_nothing_of_one_page_is_left_for_the_next() -> None:
    renderer = Renderer({"a": "{% set x = entry %}{{ x }}", "b": "{{ x }}"}, {}, Limits(template_steps=50))
    for number in range(100):
        assert renderer.render("a", {"entry": number}) == str(number)
    with pytest.raises(TemplateFault):
        renderer.render("b", {"entry": 1})

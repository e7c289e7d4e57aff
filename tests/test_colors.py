"""The colours of themes: contrast that is declared, and families that everybody tells apart."""

from __future__ import annotations

from fractions import Fraction
from time import process_time
from typing import Any

import pytest
import yaml

from seasons_build.compose.colors import color_faults
from seasons_build.core.document import Document
from seasons_build.core.limits import DEFAULT


def exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    return Fraction(str(value)) if isinstance(value, float) else value


def faults(manifest: str, css: str) -> list[str]:
    document = Document("theme.yaml", manifest, exact(yaml.safe_load(manifest)), (0, 0, 0, 0))
    return [d.message for d in color_faults(document, {"a.css": css}, DEFAULT)]


def test_contrast_is_looked_at_under_every_class_that_sets_a_colour() -> None:
    css = ":root{--ink:#000000; --paper:#FFFFFF; /* --ink:#FFFFFF */ --hue:#333333}"
    css += "\n.h-a{--hue:#777777}.h-b{--paper:#888888}.c{--x:#111111}"
    assert faults("contrast: [[ink, paper, 21]]", css) == ["`ink` on `paper` under `.h-b` has a contrast of 5.92, and the theme says 21"]
    assert faults("contrast: [[hue, paper, 4.5]]", css) == [
        "`hue` on `paper` under `.h-a` has a contrast of 4.48, and the theme says 4.5",
        "`hue` on `paper` under `.h-b` has a contrast of 3.56, and the theme says 4.5",
    ]
    assert faults("contrast: [[hue, paper, 3]]", css) == []
    assert faults("contrast: [[inc, paper, 3], [ink, paper]]", css) == [
        "no style sheet has the colour `inc`",
        "expected two colours and the least contrast between them, as `[ink, paper, 7]`",
    ]


@pytest.mark.parametrize(
    ("one", "other", "eyes"),
    [
        ("#000000", "#FFFFFF", None),
        ("#A03A1C", "#A03A1C", "to the red-blind and to the green-blind and to the blue-blind and in grey"),
        ("#B00000", "#005F00", "in grey"),
        ("#C8A000", "#8FB400", "to the red-blind"),
    ],
)
def test_families_that_somebody_cannot_tell_apart_are_named(one: str, other: str, eyes: str | None) -> None:
    css = f".a{{--hue:{one}}}.b{{--hue:{other}}}"
    found = faults("families: {color: hue, mark: mark}", css)
    assert len(found) == (eyes is not None)
    if eyes is not None:
        assert eyes in found[0]
    marked = css.replace("}.b{", ";--mark:'1'}.b{--mark:'2';")
    assert faults("families: {color: hue, mark: mark}", marked) == []
    assert faults("families: {color: hue, also: its shape}", css) == []


def test_families_without_a_colour_are_a_slip() -> None:
    assert faults("families: {color: hew}", ".a{--hue:#000000}") == ["no class of a style sheet sets the colour `hew`"]


HOSTILE = ("/*" * 100_000, "<!--" * 60_000, "{" * 200_000, "-" * 200_000, "--a " * 60_000, "p{" + "--a" + " " * 200_000)


@pytest.mark.parametrize("css", HOSTILE, ids=range(len(HOSTILE)))
def test_what_a_style_sheet_is_made_of_costs_no_more_than_its_length(css: str) -> None:
    before = process_time()
    assert faults("contrast: [[ink, paper, 3]]", css) == ["no style sheet has the colour `ink`"]
    assert process_time() - before < 2


def test_so_many_colours_are_compared() -> None:
    css = "".join(f".c{number}{{--hue:#{number:06x}}}" for number in range(10_000)) + ":root{--ink:#000000}"
    assert faults("families: {color: hue}", css) == ["expected at most 100 classes that set the colour `hue`, found 10000"]
    assert faults("contrast: [" + "[ink, ink, 1]," * 200 + "]", css) == ["expected at most 100 pairs, found 200"]
    properties = "".join(f"--p{number}:1;" for number in range(10_000))
    assert faults("contrast: [[ink, ink, 1]]", f":root{{{properties}}}{css}") == []

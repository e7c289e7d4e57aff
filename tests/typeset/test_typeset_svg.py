"""Drawings: what may stand in them, and what is told of the rest."""

from __future__ import annotations

from time import process_time

import pytest

from seasons_build.core.finding import Finding
from seasons_build.core.limits import Limits
from seasons_build.worker.svg import DEEPEST, MOST, fault
from seasons_build.worker.theme import picture_type

SVG = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink' viewBox='0 0 9 9'>{}</svg>"
GOOD = (
    "<path d='M0 0h9v9z' style='fill:url(#a)'/>",
    "<defs><linearGradient id='a'><stop offset='0'/></linearGradient><g id='b'/></defs><use x:href='#b'/><rect fill=\"url( '#a' )\"/>",
    "<style>path{{fill:url(#a);color:red}}</style><text x='1'>on a path</text>",
    "<g>" * (DEEPEST - 2) + "</g>" * (DEEPEST - 2),
)
BAD = {
    "<script>1</script>": "`script`",
    "<foreignObject/>": "`foreignObject`",
    "<x:script/>": "`script`",
    "<image href='#a'/>": "`image`",
    "<svg/>": "`svg`",
    "<path onclick='x'/>": "`onclick`",
    "<use href='a.svg#b'/>": "`href`",
    "<use x:href='data:,x'/>": "`href`",
    "<path fill='url(http://x)'/>": "`fill`",
    "<path style='fill:url(\"a.png\")'/>": "`style`",
    "<path style='fill:u\\72l(a)'/>": "`style`",
    "<style>@import 'a.css'</style>": "style",
    "<style>path{{fill:u</style><style>rl(a.png)}}</style>": "style",
    "<style>path{{fill:<desc>url(a)</desc>}}</style>": "style",
    "<g>" * DEEPEST + "</g>" * DEEPEST: "at most",
    "<g/>" * MOST: "at most",
    "<?xml-stylesheet href='a'?>": "instruction",
    "<g>": "broken",
    "\0": "broken",
}


@pytest.mark.parametrize("inside", GOOD)
def test_a_drawing(inside: str) -> None:
    assert fault(SVG.format(inside).encode()) is None


@pytest.mark.parametrize("inside", BAD, ids=lambda inside: inside[:24])
def test_what_a_drawing_may_not_hold(inside: str) -> None:
    assert BAD[inside] in (fault(SVG.format(inside).encode()) or "")


def test_no_document_type_and_no_strange_encoding() -> None:
    assert "document type" in (fault(b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>") or "")
    assert "broken" in (fault(b"<?xml version='1.0' encoding='utf-7'?><svg/>") or "")
    assert fault("<?xml version='1.0' encoding='utf-16'?><svg/>".encode("utf-16")) is None
    assert "`script`" in (fault("<?xml version='1.0' encoding='utf-16'?><svg><script/></svg>".encode("utf-16")) or "")


def test_a_drawing_has_its_bound() -> None:
    data = SVG.format("<g/>").encode()
    assert picture_type("a.svg", data, Limits(drawing_bytes=len(data))) == "image/svg+xml"
    refused = picture_type("a.svg", data.replace(b"<g/>", b"<g></g>" * 300), Limits(drawing_bytes=2048))
    assert isinstance(refused, Finding)
    assert (refused.code, refused.detail) == ("E619", "expected a drawing of at most 2 kB")


def test_a_style_of_many_lines_is_put_together_once() -> None:
    before = process_time()
    assert fault(SVG.format("<style>" + "a\n" * 400_000 + "</style>").encode()) is None
    assert process_time() - before < 5

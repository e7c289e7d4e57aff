"""A drawing (SVG), looked at before the typesetter draws it: shapes and text, and nothing that leads anywhere.

In go bytes, out comes what is wrong with them in words, or None. Nothing is cleaned away: what is not on the list is a fault.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from seasons_build.core.regex import regex

MOST = 20_000
DEEPEST = 60
_ELEMENTS = frozenset(
    (
        *("svg", "g", "defs", "symbol", "use", "title", "desc", "metadata", "style"),
        *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath"),
        *("linearGradient", "radialGradient", "stop", "pattern", "clipPath", "mask", "marker"),
    )
)
_LEADS_OUT = regex(r"url\s*+\(\s*+[\"']?+\s*+(?!#)|@import|\\|image-set|src\s*\(", re.IGNORECASE)
_SPACE = " "
"""Stands between the space of a name and the name; neither may hold one."""


class _Refused(Exception):
    """What a drawing may not hold."""


def fault(data: bytes) -> str | None:
    """Why a drawing is not used, or None."""
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=_SPACE)
    parser.StartDoctypeDeclHandler = _no_document_type
    parser.ProcessingInstructionHandler = _no_instruction
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(data, True)
    except _Refused as refused:
        return str(refused)
    except (expat.ExpatError, ValueError, LookupError):
        return "the drawing is broken: it is no XML"
    return None


class _Reader:
    """One drawing being read."""

    def __init__(self) -> None:
        self._count = 0
        self._open: list[str] = []
        self._style: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        element = name.rpartition(_SPACE)[2]
        self._count += 1
        self._open.append(element)
        if element not in _ELEMENTS or (len(self._open) == 1) != (element == "svg"):
            raise _Refused(f"an SVG may not hold `{element[:40]}` here")
        if self._count > MOST or len(self._open) > DEEPEST:
            raise _Refused(f"expected an SVG of at most {MOST} elements, no more than {DEEPEST} in each other")
        for full, value in attributes.items():
            attribute = full.rpartition(_SPACE)[2].lower()
            if attribute.startswith("on") or (attribute == "href" and not value.startswith("#")) or _LEADS_OUT.search(value):
                raise _Refused(f"an SVG may not hold `{attribute[:40]}` that leads out of it")

    def end(self, name: str) -> None:
        """An element ends."""
        del name
        if self._open.pop() == "style" and _LEADS_OUT.search("".join(self._style)):
            raise _Refused("the style of an SVG may not lead out of it")

    def text(self, text: str) -> None:
        """Text, which may be a stylesheet."""
        if "style" in self._open:
            self._style.append(text)


def _no_document_type(*_: object) -> None:
    raise _Refused("an SVG may not hold a document type")


def _no_instruction(*_: object) -> None:
    raise _Refused("an SVG may not hold an instruction (`<?...?>`)")

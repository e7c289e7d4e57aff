"""The fields of a sheet: elements that a template marks as to be filled in, found where they were laid out.

In goes a document of WeasyPrint 70.0 before it is written; out come `Field`s in the order of the page, each with its place, its value and
how it is lettered. What stands in them is taken out of the page, since the field itself draws it, and each is made known to the typesetter
as an input, so that the structure of the document has it at its place.

An element is a field by `data-field`, a box to tick by `data-tick`, which name it; `title` says what it is. `data-derived` marks a value
that the rules work out: who fills the sheet in cannot change it, unless it is empty. `data-lines` is for a field of more than one line. A
box is ticked where it has `data-on`; `data-mark` is the letter that ticks it, without one it is filled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from weasyprint.formatting_structure.boxes import InlineBox, ParentBox, TextBox

from seasons_build.core.finding import Finding
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex
from seasons_build.core.spoken import spoken as speak
from seasons_build.worker.boxes import Rect
from seasons_build.worker.faces import SLOPED
from seasons_build.worker.theme import LoadedTheme

FIELD, TICK, DERIVED, MANY, ON, MARK = "data-field", "data-tick", "data-derived", "data-lines", "data-on", "data-mark"
_NAME = regex(r"[\w+:-]+(?:/[\w+:-]+)*\Z", re.ASCII)
POINTS = 0.75
"""Points in a pixel."""
_LEAST = 3.0
"""Points that a field has at least, across and up: less is no place to write or to tick."""
_SLACK = 1.0
"""Pixels by which a field may reach over what cuts it off."""

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Letters:
    """How something is lettered: the file of its font, its size in points, its colour."""

    font: str
    size: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Piece:
    """Letters at a place: the left end of their base line, in points from the lower left corner of the page; `spread` comes after each."""

    text: str
    letters: Letters
    x: float
    y: float
    spread: float


@dataclass(frozen=True, slots=True)
class Field:
    """A field. `rect` is in points from the lower left corner of the page; `tick` says that it is a box to tick, `on` that it is ticked;
    `fill` is what a box without a mark is filled with, and `paper` what stands in it then."""

    name: str
    tip: str
    page: int
    rect: Rect
    value: str
    pieces: tuple[Piece, ...]
    letters: Letters | None
    align: int
    many: bool
    derived: bool
    tick: bool
    on: bool
    mark: str
    fill: Colour
    paper: Colour


def ticked(root: Element) -> frozenset[int]:
    """The boxes of a page that are ticked, by identity. They lose their `data-on`, so that the page shows them empty."""
    found = [element for element in root.iter() if element.get(TICK) is not None and element.get(ON) is not None]
    for element in found:
        del element.attrib[ON]
    return frozenset(id(element) for element in found)


def take_fields(document: Any, on: frozenset[int], spoken: Mapping[str, str], theme: LoadedTheme) -> tuple[Field, ...]:
    """The fields of a document, in order; `on` are the boxes that are ticked, `spoken` what an icon is called. The document is changed."""
    fields: list[Field] = []
    for number, page in enumerate(document.pages):
        for box in list(_marked(page._page_box, set(), None)):
            field = _Reading(box, page.height, spoken, theme).field(number, on)
            box.element.set("type", "checkbox")
            box.element.set("name", str(len(fields)))
            page.forms[None].append((box, (0, 0, 1, 1)))
            fields.append(field)
    return tuple(fields)


def field_faults(fields: Sequence[Field], template: str) -> tuple[Finding, ...]:
    """What is wrong with the names of fields, and with the room that they have; `template` is named as the place."""
    found: list[Finding] = []
    ticks = {field.name: field.tick for field in reversed(fields)}
    for field in fields:
        if not _NAME.match(field.name):
            detail = "expected letters, figures, `_`, `-`, `+` and `:`, in parts with `/` between them"
            found.append(Finding("E783", text=field.name, file=template, detail=detail))
        elif ticks[field.name] != field.tick:
            found.append(Finding("E783", text=field.name, file=template, detail="one is a text and another a box to tick"))
        left, low, right, high = field.rect
        if min(right - left, high - low) < _LEAST:
            found.append(Finding("E767", text=field.name, file=template, detail=f"{right - left:.0f} x {high - low:.0f}"))
    return tuple(dict.fromkeys(found))


def said(element: Element, spoken: Mapping[str, str]) -> str:
    """The text of an element as it is read out: icons by their names, no more than one blank."""
    return speak(" ".join(_texts(element)), spoken)


def _texts(element: Element) -> Iterator[str]:
    """The texts of an element, with what runs on in a line in one piece."""
    line = element.text or ""
    for child in element:
        if child.tag in ("br", "p", "div", "li"):
            yield line
            line = ""
        if child.get("aria-hidden") != "true":
            *before, last = _texts(child) if len(child) else [child.text or ""]
            if before:
                yield from (line + before[0], *before[1:])
                line = ""
            line += last
        line += child.tail or ""
    yield line


def _marked(box: Any, seen: set[int], clip: Rect | None) -> Iterator[Any]:
    """The boxes of marked elements, in order; of an element that was broken the first, and none that is cut off."""
    box = getattr(box, "_box", box)
    if not isinstance(box, ParentBox):
        return
    element = box.element
    if element is not None and "::" not in str(box.element_tag) and id(element) not in seen and (element.get(FIELD) or element.get(TICK)):
        seen.add(id(element))
        if _inside(box, clip):
            yield box
        return
    if box.style["overflow"] != "visible" and hasattr(box, "padding_box_x") and not box.is_for_root_element:
        left, top = box.padding_box_x(), box.padding_box_y()
        clip = (left, top, left + box.padding_width(), top + box.padding_height())
    for child in box.all_children():
        yield from _marked(child, seen, clip)


def _inside(box: Any, clip: Rect | None) -> bool:
    left, top, width, height = box.hit_area()
    return clip is None or (
        left >= clip[0] - _SLACK and top >= clip[1] - _SLACK and left + width <= clip[2] + _SLACK and top + height <= clip[3] + _SLACK
    )


class _Reading:
    """One field, being read off its box."""

    def __init__(self, box: Any, height: float, spoken: Mapping[str, str], theme: LoadedTheme) -> None:
        self._box = box
        self._height = height
        self._spoken = spoken
        self._faces = theme.faces()
        self._style = box.style

    def field(self, page: int, on: frozenset[int]) -> Field:
        """The field; what it holds is taken out of the page."""
        box, element = self._box, self._box.element
        tick = element.get(FIELD) is None
        pieces = tuple(piece for text in self._taken(box, keep=tick) for piece in self._pieces(text))
        value = said(element, self._spoken)
        rect = self._rect()
        aligned = self._style["text_align_all"]
        return Field(
            name=element.get(TICK) if tick else element.get(FIELD),
            tip=speak(element.get("title") or "", self._spoken),
            page=page,
            rect=rect,
            value=value,
            pieces=pieces,
            letters=self._letters(self._style, (element.get(MARK) or "")[:1] or "0") if not tick or element.get(MARK) else None,
            align={"center": 1, "right": 2, "end": 2}.get(aligned, 0),
            many=element.get(MANY) is not None or len({piece.y for piece in pieces}) > 1,
            derived=element.get(DERIVED) is not None and (tick or bool(value)),
            tick=tick,
            on=id(element) in on,
            mark=element.get(MARK) or "",
            fill=_colour(box.style["border_top_color"]),
            paper=_colour(box.style["background_color"], box.style),
        )

    def _rect(self) -> Rect:
        """Inside the border; of a box to tick with it, since it is filled whole."""
        box = self._box
        if isinstance(box, InlineBox):
            left, top, width, height = box.hit_area()
        elif box.element.get(FIELD) is None:
            left, top, width, height = box.border_box_x(), box.border_box_y(), box.border_width(), box.border_height()
        else:
            left, top, width, height = box.padding_box_x(), box.padding_box_y(), box.padding_width(), box.padding_height()
        low = (self._height - top - height) * POINTS
        return left * POINTS, low, (left + width) * POINTS, low + height * POINTS

    def _taken(self, box: Any, *, keep: bool) -> Iterator[Any]:
        """The texts in a box, in order, and the style of the first, or of where it would stand. Unless kept they leave the page."""
        inner = getattr(box, "_box", box)
        if not isinstance(inner, ParentBox):
            return
        texts = [child for child in inner.children if isinstance(child, TextBox)]
        self._style = inner.style
        for child in inner.children:
            if isinstance(child, TextBox):
                yield child
            else:
                yield from self._taken(child, keep=keep)
        if texts and not keep:
            inner.children = [child for child in inner.children if not isinstance(child, TextBox)]
        if texts:
            self._style = texts[0].style

    def _pieces(self, text: Any) -> Iterator[Piece]:
        """A text in stretches of one font."""
        style = text.style
        if style["visibility"] != "visible" or not text.text.strip():
            return
        stretches: list[tuple[str, Letters]] = []
        for character in text.text:
            letters = self._letters(style, character)
            if stretches and stretches[-1][1] == letters:
                stretches[-1] = (stretches[-1][0] + character, letters)
            else:
                stretches.append((character, letters))
        natural = sum(self._faces.width(letters.font, part) * letters.size for part, letters in stretches)
        spread = (text.width * POINTS - natural) / len(text.text)
        x = text.position_x * POINTS
        y = (self._height - text.position_y - text.baseline) * POINTS
        for part, letters in stretches:
            yield Piece(part, letters, x, y, spread)
            x += self._faces.width(letters.font, part) * letters.size + spread * len(part)

    def _letters(self, style: Any, character: str) -> Letters:
        font = self._faces.file(tuple(style["font_family"]), int(style["font_weight"]), style["font_style"] in SLOPED, character)
        return Letters(font, float(style["font_size"]) * POINTS, _colour(style["color"]))


def _colour(colour: Any, style: Any = None) -> Colour:
    """A colour as parts of red, green and blue; white where it is none."""
    if colour == "currentcolor":
        colour = style["color"] if style else None
    if colour is None or getattr(colour, "alpha", 1) == 0:
        return 1.0, 1.0, 1.0
    red, green, blue = colour.to("srgb").coordinates
    return float(red), float(green), float(blue)

"""What the typesetter laid out, text by text: the one place that looks into its boxes.

In goes a page of WeasyPrint 70.0, out come `Run`s: each stretch of text with its fonts, its size, where it stands and what it stands in.
The tree of boxes is the typesetter's own affair (`Page._page_box`); a test states all that is assumed of it, and the version is pinned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from weasyprint.formatting_structure.boxes import InlineBox, MarginBox, ReplacedBox, TextBox
from weasyprint.images import RasterImage
from weasyprint.layout.replaced import replacedbox_layout

from seasons_build.core.named import NamedTuple
from seasons_build.core.regex import regex

Rect: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom, in CSS pixels from the top left corner of the trim."""

Capitals: TypeAlias = Callable[[tuple[str, ...]], float]
"""Gives the height of the capitals in a stack of fonts, in parts of the size."""

_SIDE = 0.6
"""Pixels of white beside the letters of a text."""
_DESCENT = 0.22
"""Parts of the size that letters with a tail reach below the line."""
_BELOW = regex("[gjpqyQçþ,;()\\[\\]{}|@/§]")
_GENERATED = ("before", "after", "marker", "footnote-call", "footnote-marker")


class Run(NamedTuple):
    """A line, or part of one, in one style. `families` is the stack of fonts it asks for; `size` is in pixels; `element` is the identity of
    the element it stands in; `generated` says that a stylesheet wrote it, `margin` that it stands in the margin of the page, where texts
    are repeated; `rect` is where its letters are, from the top of its capitals to the line they stand on, `tail` how far some of them reach
    below it; `clip` is what cuts it off, where anything does."""

    text: str
    families: tuple[str, ...]
    size: float
    element: int
    generated: bool
    margin: bool
    rect: Rect
    tail: float
    clip: Rect | None


class Laid(NamedTuple):
    """A page, laid out. `parts` gives the texts of each element whose id begins with `fit:`, `in:` or `line:`; `lines` are those of them
    that are no blocks but run in a line, so that their own edges say nothing of their height."""

    runs: tuple[Run, ...]
    parts: dict[str, list[Run]]
    lines: frozenset[str]


class Picture(NamedTuple):
    """A picture of pixels on a page: the address that the template gave, how many pixels it has, and how large it is drawn, in CSS
    pixels."""

    address: str
    pixels: tuple[int, int]
    drawn: tuple[float, float]


def pictures_on(page: Any) -> tuple[Picture, ...]:
    """The pictures that elements of a page show, in the order of its boxes; those of a stylesheet and drawings are none."""
    return tuple(_pictures(page._page_box))


def _pictures(box: Any) -> Iterator[Picture]:
    if isinstance(box, ReplacedBox):
        if isinstance(box.replacement, RasterImage) and box.element is not None:
            image = box.replacement
            wide, high, _, _ = replacedbox_layout(box)
            yield Picture(str(box.element.get("src", "")), (image.width, image.height), (float(wide), float(high)))
        return
    for child in () if isinstance(box, TextBox) else box.all_children():
        yield from _pictures(child)


def laid_out(page: Any, capitals: Capitals) -> Laid:
    """The texts of a page, in the order of its boxes."""
    parts: dict[str, list[Run]] = {}
    lines: set[str] = set()
    runs = []
    for run, around in _runs(page._page_box, _Around((), None, None, False), lines, capitals):
        runs.append(run)
        for name in around.names:
            parts.setdefault(name, []).append(run)
    return Laid(tuple(runs), parts, frozenset(lines))


class _Around(NamedTuple):
    """What a box stands in: marked elements, turns, a box that cuts it off, the margin of the page."""

    names: tuple[str, ...]
    matrix: Any
    clip: Rect | None
    margin: bool


def _runs(box: Any, around: _Around, lines: set[str], capitals: Capitals) -> Iterator[tuple[Run, _Around]]:
    style = box.style
    if isinstance(box, TextBox):
        if style["visibility"] == "visible":
            yield _run(box, around, capitals), around
        return
    names, matrix, clip = around.names, around.matrix, around.clip
    if box.transformation_matrix is not None:
        matrix = box.transformation_matrix @ matrix if matrix else box.transformation_matrix
        clip = None
    anchor = style["anchor"]
    if anchor and anchor.startswith(("fit:", "in:", "line:")):
        names = (*names, anchor)
        if isinstance(box, InlineBox):
            lines.add(anchor)
    if style["overflow"] != "visible" and hasattr(box, "padding_box_x") and not box.is_for_root_element:
        clip = _clipped(box, matrix, clip)
    inside = _Around(names, matrix, clip, around.margin or isinstance(box, MarginBox))
    for child in box.all_children():
        yield from _runs(child, inside, lines, capitals)


def _run(box: Any, around: _Around, capitals: Capitals) -> Run:
    families, size = tuple(box.style["font_family"]), float(box.style["font_size"])
    baseline = box.position_y + box.baseline
    letters = (box.position_x + _SIDE, baseline - capitals(families) * size, box.position_x + box.width - _SIDE, baseline)
    tail = _DESCENT * size if _BELOW.search(box.text) else 0
    generated = box.element is None or str(box.element_tag).rpartition("::")[2] in _GENERATED
    return Run(box.text, families, size, id(box.element), generated, around.margin, _placed(letters, around.matrix), tail, around.clip)


def _clipped(box: Any, matrix: Any, clip: Rect | None) -> Rect:
    left, top = box.padding_box_x(), box.padding_box_y()
    own = _placed((left, top, left + box.padding_width(), top + box.padding_height()), matrix)
    if clip is None:
        return own
    return max(own[0], clip[0]), max(own[1], clip[1]), min(own[2], clip[2]), min(own[3], clip[3])


def _placed(rect: Rect, matrix: Any) -> Rect:
    if not matrix:
        return rect
    left, top, right, bottom = rect
    points = [matrix.transform_point(x, y) for x in (left, right) for y in (top, bottom)]
    across, down = [point[0] for point in points], [point[1] for point in points]
    return min(across), min(down), max(across), max(down)


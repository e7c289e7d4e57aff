"""What the typesetter laid out, text by text: the one place that looks into its boxes.

In goes a page of WeasyPrint 70.0, out come `Run`s: each stretch of text with its fonts, its size, where it stands and what it stands in.
The tree of boxes is the typesetter's own affair (`Page._page_box`); a test states all that is assumed of it, and the version is pinned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from weasyprint.formatting_structure.boxes import TextBox

Rect: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom, in CSS pixels from the top left corner of the trim."""

_GENERATED = ("before", "after", "marker", "footnote-call", "footnote-marker")


@dataclass(frozen=True, slots=True)
class Run:
    """A line, or part of one, in one style. `families` is the stack of fonts it asks for; `size` is in pixels; `element` is the identity of
    the element it stands in; `generated` says that a stylesheet wrote it; `clip` is what cuts it off, where anything does."""

    text: str
    families: tuple[str, ...]
    size: float
    element: int
    generated: bool
    rect: Rect
    clip: Rect | None


@dataclass(frozen=True, slots=True)
class Laid:
    """A page, laid out. `extents` gives, for each element whose id begins with `fit:` or `in:`, how far its texts reach."""

    runs: tuple[Run, ...]
    extents: dict[str, Rect]


def laid_out(page: Any) -> Laid:
    """The texts of a page, in the order of its boxes."""
    extents: dict[str, Rect] = {}
    runs = []
    for run, names in _runs(page._page_box, (), None, None):
        runs.append(run)
        for name in names:
            extents[name] = _hull(extents[name], run.rect) if name in extents else run.rect
    return Laid(tuple(runs), extents)


def _runs(box: Any, names: tuple[str, ...], matrix: Any, clip: Rect | None) -> Iterator[tuple[Run, tuple[str, ...]]]:
    style = box.style
    if isinstance(box, TextBox):
        if style["visibility"] == "visible":
            yield _run(box, matrix, clip), names
        return
    if box.transformation_matrix is not None:
        matrix = box.transformation_matrix @ matrix if matrix else box.transformation_matrix
        clip = None
    anchor = style["anchor"]
    if anchor and anchor.startswith(("fit:", "in:")):
        names = (*names, anchor)
    if style["overflow"] != "visible" and hasattr(box, "padding_box_x") and not box.is_for_root_element:
        clip = _clipped(box, matrix, clip)
    for child in box.all_children():
        yield from _runs(child, names, matrix, clip)


def _run(box: Any, matrix: Any, clip: Rect | None) -> Run:
    style = box.style
    rect = _placed((box.position_x, box.position_y, box.position_x + box.width, box.position_y + box.height), matrix)
    tag = str(box.element_tag)
    generated = tag.startswith("@") or tag.rpartition("::")[2] in _GENERATED
    return Run(box.text, tuple(style["font_family"]), style["font_size"], id(box.element), generated, rect, clip)


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


def _hull(one: Rect, other: Rect) -> Rect:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])

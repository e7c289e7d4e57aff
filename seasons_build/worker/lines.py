"""Lines of text, broken and measured once: the same text in the same style, with the same room, breaks where it did before.

The typesetter asks for most lines more than once: how wide a box would like to be, how narrow it can be, then the line itself, and all of
that again at the next step of a fit ladder and on the next face that has the same label. What it is told hangs on the text, the room and
the style alone; so where the style is one that pages share, it is kept beside it.

This replaces three functions of WeasyPrint 70.0 where its layout calls them; a test sets the same pages with it and without it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from weasyprint.layout import inline, preferred
from weasyprint.text import line_break
from weasyprint.text.line_break import Layout

from seasons_build.worker.kept import KEPT

_MOST = 10_000
"""Lines that are kept at most; then they are let go of and gathered anew."""
_BREAK = line_break.split_first_line
_STRUT = line_break.strut
_may_break = lru_cache(maxsize=_MOST)(line_break.can_break_text)


def _first_line(
    text: str, style: Any, context: Any, max_width: Any, justification_spacing: Any, is_line_start: bool = True, minimum: bool = False
) -> tuple[Any, ...]:
    """As the typesetter's own: a layout of the first line, where it ends, and its measures."""
    if type(style) not in KEPT:
        return tuple(_BREAK(text, style, context, max_width, justification_spacing, is_line_start, minimum))
    lines, key = style.shared.lines, (id(style), text, max_width, justification_spacing, is_line_start, minimum)
    if key not in lines:
        if len(lines) >= _MOST:
            lines.clear()
        lines[key] = _BREAK(text, style, context, max_width, justification_spacing, is_line_start, minimum)
    layout, *measures = lines[key]
    return _copy(layout), *measures


def _copy(layout: Any) -> Any:
    """A layout that is not at work is what it says of itself."""
    made = Layout.__new__(Layout)
    made.__dict__.update(layout.__dict__)
    return made


def _strut(style: Any) -> tuple[Any, ...]:
    """As the typesetter's own: the height of a line without text, and where its letters stand."""
    if type(style) not in KEPT:
        return tuple(_STRUT(style))
    struts: dict[int, tuple[Any, ...]] = style.shared.struts
    if id(style) not in struts:
        struts[id(style)] = _STRUT(style)
    return struts[id(style)]


inline.split_first_line = preferred.split_first_line = _first_line
inline.can_break_text = preferred.can_break_text = _may_break
inline.strut = _strut

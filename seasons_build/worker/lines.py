"""Lines of text and measures of boxes, worked out once: the same text in the same style, with the same room, breaks where it did before.

The typesetter asks for most lines more than once: how wide a box would like to be, how narrow it can be, then the line itself, and all of
that again at the next step of a fit ladder and on the next face that has the same label. What it is told hangs on the text, the room and
the style alone; so where the style is one that pages share, it is kept beside it. So are the margins and sizes of a box, which hang on its
style and on the box around it.

This replaces four functions of WeasyPrint 70.0 where its layout calls them, and how a line gets its font; a test sets the same pages with
it and without it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from weasyprint.css.properties import INITIAL_VALUES
from weasyprint.formatting_structure.boxes import Box, PageBox
from weasyprint.layout import absolute, block, inline, percent, preferred
from weasyprint.layout import float as floats
from weasyprint.text import line_break
from weasyprint.text.constants import PANGO_DIRECTION
from weasyprint.text.ffi import ffi, gobject, pango, unicode_to_char_p
from weasyprint.text.fonts import font_features, get_font_description
from weasyprint.text.line_break import Layout

from seasons_build.worker.kept import KEPT

_MOST = 10_000
"""Lines that are kept at most; then they are let go of and gathered anew."""
_BREAK = line_break.split_first_line
_STRUT = line_break.strut
_SET_UP = Layout.setup
_FEATURES = (
    "font_kerning",
    "font_variant_ligatures",
    "font_variant_position",
    "font_variant_caps",
    "font_variant_numeric",
    "font_variant_alternates",
    "font_variant_east_asian",
    "font_feature_settings",
)
_RESOLVE = percent.resolve_percentages
_RESOLVED = (
    *(name.format(side) for name in ("margin_{}", "padding_{}", "border_{}_width") for side in ("top", "right", "bottom", "left")),
    *(f"{which}{side}" for which in ("", "min_", "max_") for side in ("width", "height")),
)
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


def _set_up(self: Any, style: Any) -> None:
    """As the typesetter's own: makes a layout ready for text in a style."""
    if type(style) not in KEPT:
        _SET_UP(self, style)
        return
    voices: dict[int, tuple[Any, ...] | None] = style.shared.voices
    if id(style) not in voices:
        voices[id(style)] = _voice(style)
    if (voice := voices[id(style)]) is None:
        _SET_UP(self, style)
        return
    context, self.language, font = voice
    self.style, self.first_line_direction = style, 0
    self.ascent = self.underline_position = self.strikethrough_position = None
    self.layout = ffi.gc(pango.pango_layout_new(context), gobject.g_object_unref)
    pango.pango_layout_set_auto_dir(self.layout, False)
    pango.pango_layout_set_font_description(self.layout, font)


def _voice(style: Any) -> tuple[Any, ...] | None:
    """What all layouts in a style have in common: where they are, their language, their font. None where they have more than that."""
    if any(style[name] != INITIAL_VALUES[name] for name in ("text_decoration_line", "font_language_override")):
        return None
    if font_features(*(style[name] for name in _FEATURES)):
        return None
    context = ffi.gc(pango.pango_font_map_create_context(style.font_config.font_map), gobject.g_object_unref)
    pango.pango_context_set_round_glyph_positions(context, False)
    pango.pango_context_set_base_dir(context, PANGO_DIRECTION[style["direction"]])
    language = pango.pango_language_get_default()
    if style["lang"]:
        code, held = unicode_to_char_p(style["lang"])
        language = pango.pango_language_from_string(code)
        pango.pango_context_set_language(context, language)
        del held
    return context, language, get_font_description(style)


def _strut(style: Any) -> tuple[Any, ...]:
    """As the typesetter's own: the height of a line without text, and where its letters stand."""
    if type(style) not in KEPT:
        return tuple(_STRUT(style))
    struts: dict[int, tuple[Any, ...]] = style.shared.struts
    if id(style) not in struts:
        struts[id(style)] = _STRUT(style)
    return struts[id(style)]


def _resolve(box: Any, around: Any) -> None:
    """As the typesetter's own: gives a box its margins, borders and sizes in pixels."""
    style = box.style
    if type(style) not in KEPT or style["border_collapse"] == "collapse" or isinstance(box, PageBox):
        _RESOLVE(box, around)
        return
    wide, high = (around.width, around.height) if isinstance(around, Box) else around
    measures, key = style.shared.measures, (id(style), wide, high)
    if key in measures:
        box.__dict__.update(measures[key])
        return
    if len(measures) >= _MOST:
        measures.clear()
    _RESOLVE(box, around)
    measures[key] = {name: box.__dict__[name] for name in _RESOLVED}


inline.split_first_line = preferred.split_first_line = _first_line
inline.can_break_text = preferred.can_break_text = _may_break
inline.strut = _strut
Layout.setup = _set_up
for _module in (absolute, block, floats, inline):
    _module.resolve_percentages = _resolve

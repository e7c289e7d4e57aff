"""Computed styles, worked out once for all faces of a theme that look alike: what cost a quarter of each face.

In goes a page as the typesetter styles it, element by element; an element whose rules and whose parent's rules were met before begins with
the values that were computed then. They are a function of those rules alone, so a face comes out the same whatever was set before it. Each
page has styles of its own, which layout may change: only values are shared, and those of a `Shared` are never laid out.

This replaces one method of WeasyPrint 70.0, `StyleFor.set_computed_styles`; a test sets the same pages with it and without it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeAlias

from weasyprint import css
from weasyprint.css import AnonymousStyle, ComputedStyle, InitialStyle, StyleFor

_LOGGER = logging.getLogger("weasyprint")
_MOST = 20_000
"""Styles that are remembered at most."""
_OF_ELEMENTS = (css.declaration_precedence("author", False), css.declaration_precedence("author", True))
"""The weights of what an element declares itself: our pages have no sheets of their own."""

_Rules: TypeAlias = tuple[Any, ...]


class _Known:
    """The rules of one element under those of its parent. `values` has what was computed from them."""

    __slots__ = ("inner", "values")

    def __init__(self, values: Any) -> None:
        self.values = values
        self.inner: dict[_Rules, _Known] = {}


class Shared:
    """What was computed for the pages of one theme, by the stylesheets that they were set with."""

    def __init__(self) -> None:
        self.page: list[Any] = []
        """The styles of the page that is being set."""
        self.ended = False
        """Whether nothing is shared any more: the typesetter has something to say about a value, and says it to every page."""
        self._roots: dict[tuple[int, ...], tuple[_Known, list[Any]]] = {}
        self._count = 0

    def root(self, sheets: list[Any]) -> _Known:
        """Where the styles of a page with these sheets begin. The sheets are kept, so that no others come to be where they are."""
        return self._roots.setdefault(tuple(id(sheet) for sheet, _, _ in sheets), (_Known(None), sheets))[0]

    def known(self, outer: _Known, rules: _Rules, style: Any) -> _Known | None:
        """What is known of an element like this one; None where nothing can be. `style` is its own, with nothing computed yet."""
        try:
            found = outer.inner.get(rules)
        except TypeError:
            return None
        if found is None and self._count < _MOST:
            self._count += 1
            found = outer.inner[rules] = _Known(_aside(style, outer.values))
        return found

    def remember(self) -> None:
        """After a page: what it asked for and was not known is computed, aside."""
        def note(record: logging.LogRecord) -> bool:
            del record
            self.ended = True
            return False

        _LOGGER.addFilter(note)
        try:
            for style in self.page:
                values = style.known.values
                _compute(style, values)
                if "anonymous_style" in style.__dict__:
                    _compute(style.anonymous_style, values.anonymous_style)
        finally:
            _LOGGER.removeFilter(note)
            self.page = []


def _aside(style: Any, parent: Any) -> Any:
    """A style with the same rules for values alone."""
    top = InitialStyle(style.font_config) if parent is None else parent.top
    made = ComputedStyle(
        parent, dict(style.cascaded), style.pseudo_type, top, style.base_url, style.font_config, style.initial_page_sizes
    )
    made.top = made if parent is None else parent.top
    return made


def _compute(style: Mapping[str, Any], values: Any) -> None:
    if len(style) > len(values):
        for name in style:
            values[name]


def _anonymous(style: Any) -> Any:
    made = AnonymousStyle(style)
    made.update(style.known.values.anonymous_style)
    return made


_SharedStyle: Any = type("SharedStyle", (ComputedStyle,), {"known": None, "anonymous_style": cached_property(_anonymous)})
_current: list[Shared] = []


@contextmanager
def sharing(shared: Shared) -> Iterator[None]:
    """Around the setting of one page of a theme."""
    if shared.ended:
        yield
        return
    _current.append(shared)
    shared.page = []
    try:
        yield
        shared.remember()
    finally:
        _current.pop()


def _set_computed_styles(
    self: Any, element: Any, parent: Any, root: Any = None, pseudo_type: Any = None, base_url: Any = None, target_collector: Any = None
) -> None:
    """As the typesetter's own, but that a style begins with what is known."""
    if not _current:
        StyleFor.set_computed_styles(self, element, parent, root, pseudo_type, base_url, target_collector)
        return
    shared, styles = _current[-1], self._computed_styles
    first = element == root and pseudo_type is None
    outer = None if first else styles[parent, None]
    top = InitialStyle(self.font_config) if first else styles[root, None]
    cascaded = self._cascaded_styles.get((element, pseudo_type), {})
    given = (outer, cascaded, pseudo_type, top, base_url, self.font_config, self.initial_page_sizes)
    style = _SharedStyle(*given)
    above = shared.root(self._sheets) if outer is None else outer.known if isinstance(outer, _SharedStyle) else None
    known = shared.known(above, _rules(pseudo_type, cascaded), style) if above is not None else None
    if known is None:
        style = ComputedStyle(*given)
    else:
        style.known = known
        style.update(known.values)
        style.specified.update(known.values.specified)
        shared.page.append(style)
    styles[element, pseudo_type] = style
    if target_collector and style["anchor"]:
        target_collector.collect_anchor(style["anchor"])


def _rules(pseudo_type: Any, cascaded: Mapping[str, tuple[Any, tuple[Any, ...]]]) -> _Rules:
    """What an element is computed from, beside its parent: declarations of sheets by their identity, which lasts as long as the sheet, and
    those of the element itself as they are."""
    rules = [pseudo_type]
    for name, (value, weight) in cascaded.items():
        rules += (name, value if weight[0] in _OF_ELEMENTS else id(value))
    return tuple(rules)


css.StyleFor = type("SharingStyleFor", (StyleFor,), {"set_computed_styles": _set_computed_styles})

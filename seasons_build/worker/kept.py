"""Computed styles that many pages share.

In goes how a page is set, out comes the page. Its shared styles work out values as they are asked for and keep them. Whatever changes one
of them while it lays out a page is stopped before it does: the page is set again, and from then on each page has a copy of that style.
Where a value hangs on the page, or the typesetter has something to say about it, nothing is shared from then on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from types import SimpleNamespace
from typing import Any, TypeVar

from weasyprint.css import AnonymousStyle, ComputedStyle, StyleFor
from weasyprint.css.computed_values import PHYSICAL_FUNCTIONS
from weasyprint.css.functions import check_math
from weasyprint.css.properties import INHERITED, INITIAL_NOT_COMPUTED, INITIAL_VALUES

T = TypeVar("T")
_TRIES = 20
"""How often a page is set while it finds out what cannot be shared."""
_LOGGER = logging.getLogger("weasyprint")


class _ChangedError(Exception):
    """Layout was about to change a style that others use; it has been noted as one that each page has a copy of."""


class Look:
    """The styles of elements for which the same is declared, by pseudo-element, and of those inside them, by what is declared there. `kept`
    says that many pages have them, `own` that each has copies."""

    __slots__ = ("inner", "kept", "own", "styles")

    def __init__(self, *, kept: bool) -> None:
        self.styles: dict[str | None, Any] = {}
        self.inner: dict[tuple[Any, ...], Look] = {}
        self.kept = kept
        self.own = False


class Shared:
    """What was computed for the pages of one theme, by the stylesheets that they were set with."""

    def __init__(self) -> None:
        self.ended = False
        """Whether nothing is shared any more: what a value comes to, or what is said of it, hangs on the page."""
        self.looks = 0
        """How many there are of them."""
        self.families = 0
        """How many families of elements are known."""
        self.trees: dict[tuple[int, ...], Any] = {}
        """What is known of pages, by their stylesheets."""
        self.lines: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        """Lines of text in shared styles, as they were broken."""
        self.struts: dict[int, tuple[Any, ...]] = {}
        """How high a line is in a shared style, and where its letters stand."""
        self.voices: dict[int, tuple[Any, ...] | None] = {}
        """What lines in a shared style have in common."""
        self.measures: dict[tuple[Any, ...], dict[str, Any]] = {}
        """Margins, borders and sizes of boxes with shared styles, by the size of what is around them."""
        self._copies: list[tuple[Any, Any]] = []

    def rendered(self, render: Callable[[], T]) -> T:
        """What `render` gives: one page of the theme, set. It is called again where it found out what cannot be shared."""
        for _ in range(_TRIES):
            if self.ended:
                break
            self._copies = []
            _current.append(self)
            try:
                page = render()
                self._remember()
            except _ChangedError:
                continue
            finally:
                _current.pop()
            return page
        self.ended = True
        return render()

    def copy(self, kept: Any) -> Any:
        """A shared style as one that this page may change."""
        given = (kept.parent_style, kept.cascaded, kept.pseudo_type, kept.root_style, kept.base_url, kept.font_config)
        made = _CopiedStyle(*given, kept.initial_page_sizes)
        made.update(kept)
        made.specified.update(kept.specified)
        made.kept = kept
        self._copies.append((made, kept))
        return made

    def _remember(self) -> None:
        """After a page: what its own styles were asked for is computed for the next page, too."""
        _LOGGER.addFilter(_silent)
        try:
            for copy, kept in self._copies:
                _compute(copy, kept)
                if "anonymous_style" in copy.__dict__:
                    _compute(copy.anonymous_style, kept.anonymous_style)
        finally:
            _LOGGER.removeFilter(_silent)


class Sizes(dict[str, Any]):
    """The sizes of the first page. A value that hangs on them is of its page alone."""

    def __init__(self, shared: Shared) -> None:
        super().__init__()
        self._shared = shared

    def __getitem__(self, name: str) -> Any:
        self._shared.ended = True
        return super().__getitem__(name)


_current: list[Shared] = []
_working: list[Shared] = []


def current() -> Shared | None:
    """What the page that is being set shares with others; None where nothing is shared."""
    return _current[-1] if _current else None


@contextmanager
def watched(shared: Shared) -> Iterator[None]:
    """Around what is worked out for many pages: what the typesetter says of it, it would say to one page alone."""
    _working.append(shared)
    try:
        yield
    finally:
        _working.pop()


def _noted(record: logging.LogRecord) -> bool:
    del record
    for shared in _working[-1:]:
        shared.ended = True
    return True


def _silent(record: logging.LogRecord) -> bool:
    del record
    return False


_LOGGER.addFilter(_noted)


def settled(style: Any, look: Look, shared: Shared) -> Any:
    """A kept style, one of a look; with what the typesetter changes of each style that it gives."""
    style.look, style.shared = look, shared
    style["anchor"]  # one in which nothing is computed is taken for none
    if any(part.startswith("table") for part in style["display"]):  # the typesetter changes nothing of any other
        style.working = True
        StyleFor.__call__(SimpleNamespace(_computed_styles={(None, None): style}), None)
        style.working = False
    return style


_UNLIKE = {"float", "display", "position", "page", *(name for name in INITIAL_VALUES if name.startswith("text_decoration_"))}
_PLAIN = frozenset(INITIAL_VALUES.keys() - INITIAL_NOT_COMPUTED - _UNLIKE)
"""What is the parent's or what it is at first, where nothing is declared of it, and nothing that stands for it."""
_ALSO = {name: frozenset(also(block="ttb", inline=side) for side in ("ltr", "rtl")) for name, also in PHYSICAL_FUNCTIONS.items()}
"""What stands for a margin, a size and the like, in whichever direction a line is read."""


def _undeclared(self: Any, name: str) -> Any:
    """As the typesetter's own works a value out; where nothing is declared, without its many questions."""
    declared = self.cascaded
    if name in _PLAIN and name not in declared and declared.keys().isdisjoint(_ALSO.get(name, ())):
        above = self.parent_style
        value = INITIAL_VALUES[name] if above is None or name not in INHERITED else above[name]
        if not check_math(value):
            dict.__setitem__(self, name, value)
            return value
    return _MISSING(self, name)


def _missing(base: Any) -> Callable[[Any, str], Any]:
    def missing(self: Any, name: str) -> Any:
        was, self.working = self.working, True
        _working.append(self.shared)
        try:
            return base.__missing__(self, name)
        finally:
            _working.pop()
            self.working = was

    return missing


def _set(self: Any, name: str, value: Any) -> None:
    if self.working:
        dict.__setitem__(self, name, value)
    elif name not in self or self[name] != value:
        self.look.own = True
        raise _ChangedError


def _kept_type(base: Any, **more: Any) -> Any:
    own = {"__missing__": _missing(base), "__setitem__": _set, "working": False, "look": None, "shared": None}
    return type(f"Kept{base.__name__}", (base,), {**own, **more})


def _kept_anonymous(self: Any) -> Any:
    made = _KeptAnonymous(self)
    made.look, made.shared = self.look, self.shared
    return made


def _copied_anonymous(self: Any) -> Any:
    made = AnonymousStyle(self)
    made.update(self.kept.anonymous_style)
    return made


_KeptAnonymous = _kept_type(AnonymousStyle, anonymous_style=cached_property(_kept_anonymous))
_MISSING = _missing(ComputedStyle)
KeptStyle = _kept_type(ComputedStyle, anonymous_style=cached_property(_kept_anonymous), __missing__=_undeclared)
"""A style of WeasyPrint's that many pages share."""
KEPT = frozenset({KeptStyle, _KeptAnonymous})
_CopiedStyle: Any = type("CopiedStyle", (ComputedStyle,), {"kept": None, "anonymous_style": cached_property(_copied_anonymous)})


def _compute(copy: Mapping[str, Any], kept: Any) -> None:
    if len(copy) > len(kept):
        for name in copy:
            kept[name]

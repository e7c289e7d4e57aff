"""Documents that begin at another page than the first: parts of a book.

While a document is laid out inside, its first page has a number of its own: it counts from there, stands on the left or on the right as
that number does, and only the first page of a book is one to a stylesheet (`@page :first`, `:nth()`).

This replaces two names of WeasyPrint 70.0 where its layout looks for them, `PageType` and `initialize_page_maker`; a test states what
comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from weasyprint import layout
from weasyprint.layout import page

_before: list[int] = []
"""How many pages come before the one that is laid out now."""
_TYPE = page.PageType
_START = layout.initialize_page_maker


@contextmanager
def beginning(first: int) -> Iterator[None]:
    """Around the layout of one document; `first` is the number of its first page, from 1."""
    _before.append(first - 1)
    try:
        yield
    finally:
        _before.pop()


def _page_type(side: str, blank: bool, name: str, index: int, groups: Any) -> Any:
    """As the typesetter's own: what a stylesheet may ask of a page."""
    return _TYPE(side, blank, name, index + (_before[-1] if _before else 0), groups)


def _start(context: Any, root_box: Any) -> None:
    """As the typesetter's own: makes a layout ready for its first page."""
    _START(context, root_box)
    before = _before[-1] if _before else 0
    if before:
        resume_at, next_page, right, (quotes, counters, scopes, groups), remake = context.page_maker[0]
        state = (quotes, {**counters, "page": [before]}, [{*scopes[0], "page"}, *scopes[1:]], groups)
        context.page_maker[0] = resume_at, next_page, right ^ (before % 2 == 1), state, remake


page.PageType = _page_type
layout.initialize_page_maker = _start

"""The typesetter's own stylesheets, which it read anew at each start of a worker: an eighth of what a start took.

While the typesetter is imported, the texts that `agent` was made of are not read; once it is there, its sheets get what they were read as.
Other texts, those of another version, are read as ever. Its sheet for attributes as `bgcolor` is not read at all: we never ask it to heed
them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from typing import Any

import tinycss2

from seasons_build.worker import selectors

_HINTS = "Presentational hints"
"""How the sheet begins that is of no use."""
_HEAD = 40


@contextmanager
def beforehand() -> Iterator[None]:
    """Around the import of the typesetter."""
    read: Callable[..., list[Any]] = tinycss2.parse_stylesheet
    unread: list[str] = []

    def parse_stylesheet(text: str, *given: Any, **named: Any) -> list[Any]:
        if _HINTS in text[:_HEAD]:
            return []
        if digest(text) not in _agent():
            return read(text, *given, **named)
        unread.append(text)
        return []

    tinycss2.parse_stylesheet = parse_stylesheet
    try:
        yield
    finally:
        tinycss2.parse_stylesheet = read
    if unread:
        html = import_module("weasyprint.html")
        for text, sheet in ((html.UA, html.UA_STYLESHEET), (html.UA_FORM, html.UA_FORM_STYLESHEET)):
            if text in unread:
                _give(sheet, html.UA_COUNTER_STYLE, *_agent()[digest(text)])


def _give(sheet: Any, counters: Any, rules: Any, pages: Any, styles: Any) -> None:
    """Gives a sheet that is empty what it would have been read as."""
    for declared, found in rules:
        payload = _declarations(declared), None
        for selector in found:
            whole = of_tag(selector) if isinstance(selector, str) else selector
            sheet.matcher.add_selector(selectors.made_ready(*whole), payload)
    any_page = import_module("weasyprint.css").PageSelectorType(None, None, None, None, None)
    sheet.page_rules += [(None, [([0, 0, 0], box, any_page)], _declarations(declared)) for box, declared in pages]
    counters.update(styles)


def _declarations(declared: Any) -> list[tuple[str, Any, bool]]:
    return [(name, value, False) for name, value in declared]


def digest(text: str) -> str:
    """What a sheet is known by: its text, and the versions of all that reads it."""
    versions = (sys.modules["weasyprint"].VERSION, tinycss2.VERSION, selectors.VERSION)
    return sha256("\0".join((*versions, text)).encode()).hexdigest()


def of_tag(tag: str) -> tuple[str, tuple[int, int, int], None, str]:
    """The selector that asks for elements of one name and nothing else, as `agent` has the others."""
    return f"lambda el: el.local_name == {tag!r}", (0, 0, 1), None, tag


def _agent() -> dict[str, tuple[Any, ...]]:
    """What there is of sheets; its values are some of the typesetter's own kinds."""
    sheets: dict[str, tuple[Any, ...]] = import_module("seasons_build.worker.agent").SHEETS
    return sheets

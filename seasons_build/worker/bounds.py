"""HTML read within bounds. What reads it for the typesetter compares each attribute of an element with all before it, and looks through all
open elements at each tag, so that a file of a few hundred kilobytes would cost minutes: it is stopped where a page is at fault already.

In goes a whole document as text, out comes WeasyPrint's `HTML`, or `OutOfBounds` with the finding.

This replaces two methods of tinyhtml5 2.1.0, `HTMLTokenizer.attribute_name_state` and `emit_current_token`; a test states what comes of it.
"""

from __future__ import annotations

from typing import Any

from tinyhtml5.tokenizer import HTMLTokenizer
from weasyprint import HTML

from seasons_build.core.finding import Finding
from seasons_build.worker.markup import DEPTH, too_deep

_most: list[int] = []
"""How many attributes an element may have, while a page is read."""


class OutOfBounds(Exception):
    """A page has too much of something; `finding` says of what, without the file."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.detail)
        self.finding = finding


def read_html(text: str, base: str, fetcher: Any, most: int) -> HTML:
    """A document as the typesetter reads it. `most` is how many attributes an element may have. Raises OutOfBounds."""
    _most.append(most)
    try:
        return HTML(string=text, base_url=base, url_fetcher=fetcher)
    finally:
        _most.pop()


def _attribute_name(self: Any) -> Any:
    """As the tokenizer's own, but that it ends at one attribute too many."""
    token = self.current_token
    if _most and len(token["data"]) > _most[-1]:
        detail = f"more than {_most[-1]} attributes in one element, here in"
        hint = "what an element is goes into its classes, and how that looks into the stylesheet"
        raise OutOfBounds(Finding("E614", text=token["name"], choices=(hint,), detail=detail))
    return _ATTRIBUTE_NAME(self)


def _emit(self: Any) -> None:
    """As the tokenizer's own, but that it ends inside too many elements."""
    inside = self.parser.tree.open_elements
    if len(inside) > DEPTH + 1:
        raise OutOfBounds(too_deep(inside[-1].name))
    _EMIT(self)


_ATTRIBUTE_NAME = HTMLTokenizer.attribute_name_state
_EMIT = HTMLTokenizer.emit_current_token
HTMLTokenizer.attribute_name_state = _attribute_name
HTMLTokenizer.emit_current_token = _emit

"""Selectors that are made ready when an element is first asked of: most of those that a worker reads in its life never are.

In goes what `cssselect2` wrote for a selector, as source; out comes a function that compiles it at its first call. A long one is compiled
at once, since only such a one can be too deep for Python, and that is to be said of its sheet.

This replaces the name `eval` where `cssselect2` compiles selectors; a test states that it finds it there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cssselect2 import compiler

_BRACKETS = 50
"""So many, and no source is too deep: Python allows two hundred inside one another, and a hundred blocks."""


def _ready_later(source: str, names: dict[str, Any], local: Mapping[str, Any]) -> Callable[[Any], Any]:
    if source.count("(") > _BRACKETS:
        return _made(source, names, local)
    test: Callable[[Any], Any] | None = None

    def asked(element: Any) -> Any:
        nonlocal test
        if test is None:
            test = _made(source, names, local)
        return test(element)

    return asked


def _made(source: str, names: dict[str, Any], local: Mapping[str, Any]) -> Callable[[Any], Any]:
    made: Callable[[Any], Any] = eval(source, names, local)
    return made


vars(compiler)["eval"] = _ready_later

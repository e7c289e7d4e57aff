"""Selectors that are made ready when an element is first asked of: most of those that a worker reads in its life never are.

In goes what `cssselect2` wrote for a selector, as source; out comes a function that compiles it at its first call. A long one is compiled
at once, since only such a one can be too deep for Python, and that is to be said of its sheet.

This replaces the name `eval` where `cssselect2` compiles selectors; a test states that it finds it there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import CodeType
from typing import Any

from cssselect2 import compiler

_BRACKETS = 50
"""So many, and no source is too deep: Python allows two hundred inside one another, and a hundred blocks."""
_SOURCE = "source"


def asks(test: Callable[[Any], Any], names: Collection[str]) -> bool:
    """Whether the function of a selector asks an element for something that is called so."""
    source = vars(test).get(_SOURCE)
    return _has(test.__code__, names) if source is None else any(f".{name}" in source for name in names)


def _has(code: CodeType, names: Collection[str]) -> bool:
    return any(n in code.co_names for n in names) or any(_has(part, names) for part in code.co_consts if isinstance(part, CodeType))


def _ready_later(source: str, names: dict[str, Any], local: Mapping[str, Any]) -> Callable[[Any], Any]:
    if source.count("(") > _BRACKETS:
        return _made(source, names, local)
    test: Callable[[Any], Any] | None = None

    def asked(element: Any) -> Any:
        nonlocal test
        if test is None:
            test = _made(source, names, local)
        return test(element)

    vars(asked)[_SOURCE] = source
    return asked


def _made(source: str, names: dict[str, Any], local: Mapping[str, Any]) -> Callable[[Any], Any]:
    made: Callable[[Any], Any] = eval(source, names, local)
    return made


vars(compiler)["eval"] = _ready_later

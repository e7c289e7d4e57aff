"""Selectors that are made ready when an element is first asked of: most of those that a worker reads in its life never are.

In goes what `cssselect2` wrote for a selector, as source; out comes a function that compiles it at its first call. A long one is compiled
at once, since only such a one can be too deep for Python, and that is to be said of its sheet.

This replaces the name `eval` where `cssselect2` compiles selectors; a test states that it finds it there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import CodeType
from typing import Any

from cssselect2 import VERSION as VERSION
from cssselect2 import compiler

_BRACKETS = 50
"""So many, and no source is too deep: Python allows two hundred inside one another, and a hundred blocks."""
_SOURCE = "source"
_NEVER = "lambda el: 0"


def asks(test: Callable[[Any], Any], names: Collection[str]) -> bool:
    """Whether the function of a selector asks an element for something that is called so."""
    source = vars(test).get(_SOURCE)
    return _has(test.__code__, names) if source is None else any(f".{name}" in source for name in names)


def made_ready(source: str, specificity: tuple[int, ...], pseudo_element: str | None, local_name: str | None) -> Any:
    """A selector of which all is known that `cssselect2` finds out, for one of elements of some name, or of all."""
    selector = object.__new__(compiler.CompiledSelector)
    lower = None if local_name is None else compiler.ascii_lower(local_name)
    vars(selector).update(
        test=_asked_later(source, vars(compiler), {}),
        never_matches=source == _NEVER,
        specificity=specificity,
        pseudo_element=pseudo_element,
        id=None,
        class_name=None,
        local_name=local_name,
        lower_local_name=lower,
        namespace=None,
        requires_lang_attr=False,
    )
    return selector


def _has(code: CodeType, names: Collection[str]) -> bool:
    return any(n in code.co_names for n in names) or any(_has(part, names) for part in code.co_consts if isinstance(part, CodeType))


def _ready_later(source: str, names: dict[str, Any], local: Mapping[str, Any]) -> Callable[[Any], Any]:
    return _made(source, names, local) if source.count("(") > _BRACKETS else _asked_later(source, names, local)


def _asked_later(source: str, names: dict[str, Any], local: Mapping[str, Any]) -> Callable[[Any], Any]:
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

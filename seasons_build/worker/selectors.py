"""Selectors that are made ready when an element is first asked of: most of those that a worker reads in its life never are. Nearly all are
of names, classes and places among others, and no source is compiled for those.

In goes what `cssselect2` wrote for a selector, as source; out comes a function that is made at its first call. A long one is compiled at
once, since only such a one can be too deep for Python, and that is to be said of its sheet.

This replaces the names `eval` and `CompiledSelector` where `cssselect2` compiles selectors; a test compares what matches with it and
without it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import CodeType
from typing import Any

from cssselect2 import VERSION as VERSION
from cssselect2 import compiler, parser

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
    selector = object.__new__(_SELECTOR)
    lower = None if local_name is None else compiler.ascii_lower(local_name)
    tree = parser.LocalNameSelector((local_name, lower)) if source == f"lambda el: el.local_name == {local_name!r}" else None
    vars(selector).update(
        test=_asked_later(source, vars(compiler), {}, tree),
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
    tree = _parsed[-1] if _parsed else None
    return _made(source, names, local) if source.count("(") > _BRACKETS else _asked_later(source, names, local, tree)


def _asked_later(source: str, names: dict[str, Any], local: Mapping[str, Any], tree: Any = None) -> Callable[[Any], Any]:
    test: Callable[[Any], Any] | None = None

    def asked(element: Any) -> Any:
        nonlocal test
        if test is None:
            test = _plain(tree) or _made(source, names, local)
        return test(element)

    vars(asked)[_SOURCE] = source
    return asked


def _made(source: str, names: dict[str, Any], local: Mapping[str, Any]) -> Callable[[Any], Any]:
    made: Callable[[Any], Any] = eval(source, names, local)
    return made


def _plain(selector: Any) -> Callable[[Any], Any] | None:
    """The function of a selector of names, classes and places; None for any other."""
    match selector:
        case parser.ClassSelector(class_name=name):
            return lambda element: name in element.classes
        case parser.LocalNameSelector(local_name=name, lower_local_name=lower) if name == lower:
            return lambda element: element.local_name == name
        case parser.IDSelector(ident=name):
            return lambda element: element.id == name
        case parser.PseudoClassSelector(name="first-child"):
            return lambda element: element.index == 0
        case parser.PseudoClassSelector(name="last-child"):
            return lambda element: element.index + 1 == len(element.etree_siblings)
        case parser.CompoundSelector(simple_selectors=[]):
            return lambda _: True
        case parser.CompoundSelector(simple_selectors=[single]):
            return _plain(single)
        case parser.CompoundSelector(simple_selectors=[first, *rest]):
            return _both(_plain(first), _plain(parser.CompoundSelector(rest)))
        case parser.CombinedSelector(left=left, combinator=combinator, right=right):
            return _both(_plain(right), _beside(combinator, _plain(left)))
    return None


def _both(first: Callable[[Any], Any] | None, second: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    return None if first is None or second is None else lambda element: first(element) and second(element)


def _beside(combinator: str, test: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    """Whether some element above or before passes a test."""
    match combinator, test:
        case _, None:
            return None
        case " ", _:
            return lambda element: any(map(test, element.ancestors))
        case "~", _:
            return lambda element: any(map(test, element.previous_siblings))
        case ">", _:
            return lambda element: element.parent is not None and test(element.parent)
        case "+", _:
            return lambda element: element.previous is not None and test(element.previous)
    return None


def _selector(parsed: Any) -> Any:
    """As cssselect2's own; what it is made of is known meanwhile."""
    _parsed.append(parsed.parsed_tree)
    try:
        return _SELECTOR(parsed)
    finally:
        _parsed.pop()


_parsed: list[Any] = []
_SELECTOR = compiler.CompiledSelector
vars(compiler)["eval"] = _ready_later
vars(compiler)["CompiledSelector"] = _selector

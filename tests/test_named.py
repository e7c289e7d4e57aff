"""A named tuple of ours does what one of Python's does."""

from __future__ import annotations

import copy
import typing
from collections.abc import Callable
from inspect import signature
from typing import Any, Generic, TypeVar, get_type_hints

import pytest

from seasons_build.core import named

T = TypeVar("T")


def made_by(base: Any) -> dict[str, Any]:
    """The same classes, made in either way."""

    class Plain(base):  # type: ignore[misc]
        """What it says."""

        one: int
        two: str = "2"
        three: tuple[int, ...] = ()
        """What this says."""

        KNOWN = 3

        @property
        def both(self) -> str:
            return f"{self.one}{self.two}"

        @classmethod
        def of(cls, one: int) -> Any:
            return cls(one, "of")

        def __str__(self) -> str:
            return f"plain {self.one}"

    class Single(base):  # type: ignore[misc]
        one: Any

    class Empty(base):  # type: ignore[misc]
        pass

    class Several(base, Generic[T]):  # type: ignore[misc]
        one: T
        two: int = 2

    return {made.__name__: made for made in (Plain, Single, Empty, Several)}


OURS, THEIRS = made_by(named.NamedTuple), made_by(typing.NamedTuple)

ASKED: tuple[Callable[[dict[str, Any]], Any], ...] = (
    lambda of: of["Plain"](1),
    lambda of: of["Plain"](1, "3", (4,)),
    lambda of: of["Plain"](two="3", one=1),
    lambda of: of["Plain"](1).three,
    lambda of: of["Plain"](1).both,
    lambda of: of["Plain"].of(1),
    lambda of: str(of["Plain"](1)),
    lambda of: repr(of["Plain"](1)),
    lambda of: hash(of["Plain"](1)),
    lambda of: of["Plain"](1)._replace(two="x"),
    lambda of: of["Plain"](1)._replace(four="x"),
    lambda of: of["Plain"](1)._asdict(),
    lambda of: of["Plain"]._make((1, "2", ())),
    lambda of: of["Plain"]._make((1,)),
    lambda of: of["Plain"]._fields,
    lambda of: of["Plain"]._field_defaults,
    lambda of: of["Plain"].__match_args__,
    lambda of: of["Plain"].__doc__,
    lambda of: of["Plain"].__qualname__.replace("<locals>.", ""),
    lambda of: of["Plain"].__module__,
    lambda of: of["Plain"].KNOWN,
    lambda of: [(name, one.default) for name, one in signature(of["Plain"].__new__).parameters.items()],
    lambda of: list(get_type_hints(of["Plain"])),
    lambda of: of["Plain"].__bases__[0].__mro__[-2:],
    lambda of: type(of["Plain"]),
    lambda of: of["Plain"]() is None,
    lambda of: of["Plain"](1, 2, 3, 4),
    lambda of: of["Plain"](1, four=4),
    lambda of: of["Plain"](1) == (1, "2", ()),
    lambda of: of["Plain"](1) < of["Plain"](2),
    lambda of: setattr(of["Plain"](1), "one", 2),
    lambda of: setattr(of["Plain"](1), "other", 2),
    lambda of: copy.copy(of["Plain"](1)),
    lambda of: copy.deepcopy(of["Plain"](1, three=([],))),
    lambda of: of["Single"]((1,)),
    lambda of: of["Single"]((1,)).one,
    lambda of: of["Empty"](),
    lambda of: of["Several"](one=[1]),
    lambda of: of["Several"][int](1),
    lambda of: len(of["Several"].__orig_bases__),
    lambda of: [one for one in (of["Several"](1),) if isinstance(one, tuple)],
)


def _answer(asked: Callable[[dict[str, Any]], Any], of: dict[str, Any]) -> Any:
    try:
        return asked(of)
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)


@pytest.mark.parametrize("asked", ASKED)
def test_does_what_pythons_does(asked: Callable[[dict[str, Any]], Any]) -> None:
    ours, theirs = _answer(asked, OURS), _answer(asked, THEIRS)
    assert ours == theirs
    assert repr(ours) == repr(theirs)


def test_matches_by_place() -> None:
    match OURS["Plain"](1):
        case (one, two, three):
            assert (one, two, three) == (1, "2", ())


def test_says_what_it_cannot_be() -> None:
    with pytest.raises(TypeError, match="without a default"):

        class Late(named.NamedTuple):
            one: int = 1
            two: int  # type: ignore[misc]

    with pytest.raises(TypeError, match="stands on no other class"):

        class Above(named.NamedTuple, dict):  # type: ignore[misc, type-arg]
            one: int

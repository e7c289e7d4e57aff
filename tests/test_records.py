"""A record of ours does what a dataclass of Python's does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError, field, fields, is_dataclass, replace
from functools import cached_property
from inspect import signature
from typing import Any, Generic, TypeVar

import pytest

from seasons_build.core import record

T = TypeVar("T")
NAN = float("nan")


def made_by(dataclass: Any) -> dict[str, Any]:
    """The same classes, made in either way."""

    @dataclass(frozen=True, slots=True)
    class Plain:
        one: int
        two: str = "2"
        three: Mapping[str, int] = field(default_factory=dict)
        """What it says."""
        hidden: list[int] = field(default_factory=list, compare=False, repr=False)

        @property
        def both(self) -> str:
            return f"{self.one}{self.two}"

    @dataclass(frozen=True, slots=True)
    class Single:
        one: Any

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    @dataclass(frozen=True, slots=True)
    class Made:
        one: int
        two: tuple[int, ...] = field(init=False, repr=False, compare=False)

        def __post_init__(self) -> None:
            if self.one < 0:
                raise ValueError("below zero")
            object.__setattr__(self, "two", (self.one, self.one))

    @dataclass(frozen=True)
    class Open:
        one: int
        two: int = 2
        three: list[int] = field(default_factory=list)

        @cached_property
        def sum(self) -> int:
            return self.one + self.two

    @dataclass(slots=True)
    class Changing:
        one: int
        two: list[int] = field(default_factory=list)
        three: int = 3

    @dataclass(frozen=True, slots=True, eq=False)
    class Itself:
        one: int

    @dataclass(frozen=True, slots=True)
    class Of(Generic[T]):
        one: T
        two: T | None = None

    return {name: found for name, found in locals().items() if is_dataclass(found)}


OURS, THEIRS = made_by(record.dataclass), made_by(dataclasses.dataclass)
CALLS: dict[str, tuple[Callable[[Any], Any], ...]] = {
    "Plain": (lambda c: c(1), lambda c: c(1, "3"), lambda c: c(two="x", one=1, three={"a": 1}), lambda c: c(1, hidden=[1])),
    "Single": (lambda c: c(1), lambda c: c([1]), lambda c: c(one=NAN)),
    "Empty": (lambda c: c(),),
    "Made": (lambda c: c(1), lambda c: c(one=2)),
    "Open": (lambda c: c(1), lambda c: c(1, 3), lambda c: c(1, three=[1])),
    "Changing": (lambda c: c(1), lambda c: c(1, [2]), lambda c: c(1, three=4)),
    "Itself": (lambda c: c(1),),
    "Of": (lambda c: c(1), lambda c: c("a", "b")),
}
WRONG: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("Plain", lambda c: c()),
    ("Plain", lambda c: c(1, "2", {}, [], 5)),
    ("Plain", lambda c: c(1, four=4)),
    ("Plain", lambda c: setattr(c(1), "one", 2)),
    ("Plain", lambda c: delattr(c(1), "one")),
    ("Plain", lambda c: hash(c(1))),
    ("Single", lambda c: hash(c([]))),
    ("Made", lambda c: c(-1)),
    ("Made", lambda c: c(1, (1, 1))),
    ("Made", lambda c: replace(c(1), two=())),
    ("Open", lambda c: setattr(c(1), "one", 2)),
    ("Changing", lambda c: hash(c(1))),
    ("Changing", lambda c: setattr(c(1), "five", 2)),
)


def seen(made: Any) -> list[Any]:
    """All that can be seen of one."""
    cls = type(made)
    parts = [(part.name, part.type, part.init, part.repr, part.compare, getattr(made, part.name)) for part in fields(made)]
    places = [hasattr(made, "__dict__"), hasattr(cls, "__slots__"), cls.__match_args__, cls.__name__, cls.__qualname__, cls.__doc__]
    return [repr(made), parts, places, dict(getattr(made, "__dict__", {}))]


@pytest.mark.parametrize("name", CALLS)
def test_it_holds_and_shows_the_same(name: str) -> None:
    ours, theirs = ([call(classes[name]) for call in CALLS[name]] for classes in (OURS, THEIRS))
    for mine, other in zip(ours, theirs, strict=True):
        both = seen(mine), seen(other)
        assert both[0][:2] == both[1][:2] and both[0][3] == both[1][3]
        assert both[0][2][:5] == both[1][2][:5]
        assert mine != other and (mine == object()) is False
    for first, mine in enumerate(ours):
        for second, other in enumerate(ours):
            assert (mine == other, mine != other) == (theirs[first] == theirs[second], theirs[first] != theirs[second])
    if OURS[name].__hash__ is not None and name in ("Empty", "Made", "Of"):
        assert [hash(mine) for mine in ours] == [hash(other) for other in theirs]
        assert [hash(mine) for mine in ours] == [hash(call(OURS[name])) for call in CALLS[name]]


@pytest.mark.parametrize(("name", "wrong"), WRONG)
def test_it_refuses_the_same(name: str, wrong: Callable[[Any], Any]) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)) as theirs:
        wrong(THEIRS[name])
    with pytest.raises(theirs.type) as ours:
        wrong(OURS[name])
    if theirs.type is not AttributeError and not issubclass(theirs.type, FrozenInstanceError):
        assert str(ours.value) == str(theirs.value)


def test_what_is_made_anew_is_another() -> None:
    for classes in (OURS, THEIRS):
        plain = classes["Plain"](1)
        assert replace(plain, two="x") == classes["Plain"](1, "x") != plain
        assert replace(classes["Made"](1), one=2).two == (2, 2)
        assert plain.three is not classes["Plain"](1).three
        assert classes["Open"](1).sum == 3


def test_its_parts_are_matched() -> None:
    single = OURS["Single"]
    match single(3):
        case single(one):
            assert one == 3


def test_it_may_say_of_what_it_is() -> None:
    assert OURS["Of"][int](1, 2) == OURS["Of"](1, 2)


def test_what_it_does_is_written_once_and_then_as_python_would() -> None:
    found = made_by(record.dataclass)["Plain"]
    first = found.__init__
    assert found(1) == found(1)
    assert found.__init__ is not first
    written = found.__init__
    assert found(2) != found(3) and found.__init__ is written
    assert list(signature(found).parameters) == list(signature(THEIRS["Plain"]).parameters)


def test_a_record_stands_on_no_other() -> None:
    with pytest.raises(TypeError, match="stands on another record"):
        record.dataclass()(type("Above", (OURS["Plain"],), {"__annotations__": {"four": int}}))

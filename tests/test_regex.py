"""Regular expressions that are compiled when they are first asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import seasons_build
from seasons_build.core import regex as later


def _modules() -> Iterator[str]:
    for found in walk_packages(seasons_build.__path__, "seasons_build."):
        if not found.name.endswith("__main__"):
            yield found.name


def test_every_one_of_ours_can_be_compiled() -> None:
    every = [value for name in _modules() for value in vars(import_module(name)).values() if type(value) is type(later.regex(""))]
    assert len(every) > 100
    for one in every:
        assert isinstance(one.groups, int)


@pytest.mark.parametrize("asked", ["match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"])
def test_does_what_a_compiled_one_does(asked: str) -> None:
    given: tuple[Any, ...] = ("x", "aAb") if asked in ("sub", "subn") else ("aAb",)
    lazy, real = later.regex("a", re.IGNORECASE), re.compile("a", re.IGNORECASE)
    ours, theirs = getattr(lazy, asked)(*given), getattr(real, asked)(*given)
    assert repr(list(ours) if asked == "finditer" else ours) == repr(list(theirs) if asked == "finditer" else theirs)
    assert (lazy.pattern, lazy.flags, lazy.groups) == (real.pattern, real.flags, real.groups)


def test_a_bad_one_is_told_when_it_is_asked() -> None:
    bad = later.regex("(")
    with pytest.raises(re.error):
        bad.search("")


def test_what_a_library_compiles_meanwhile_waits() -> None:
    with later.compiled_later():
        meanwhile = re.compile("a")
    after = re.compile("a")
    assert type(meanwhile) is not re.Pattern
    assert type(after) is re.Pattern
    assert meanwhile.search("cab") is not None


def test_compiling_is_itself_again_after_a_fault() -> None:
    with pytest.raises(ImportError), later.compiled_later():
        raise ImportError
    assert type(re.compile("a")) is re.Pattern

"""Regular expressions that are compiled when they are first asked: most of those that a module has are for what is rare.

In goes what `re.compile` takes, out comes what does as its answer does. `compiled_later` lets a library that is imported meanwhile have the
same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

_compile = re.compile


class _Later:
    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _compile(*self._given)
        vars(self).update((known, getattr(made, known)) for known in dir(made) if not known.startswith("_"))
        return getattr(made, name)


if TYPE_CHECKING:
    regex = re.compile
else:
    regex = _Later


@contextmanager
def compiled_later() -> Iterator[None]:
    """Around the import of a library: what it compiles meanwhile is compiled when it is asked."""
    re.compile = regex
    try:
        yield
    finally:
        re.compile = _compile

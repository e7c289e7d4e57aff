"""Modules that are imported when they are first used: cutting fonts to size, which few jobs need, took a fifth of a worker's start.

What imports them gets a stand-in, which asks for the module itself at the first question.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

_LATER = {"fontTools.subset": (), "fontTools.varLib.instancer": ("instantiateVariableFont",)}
"""The modules, and what the typesetter takes from them by name."""


def cut_fonts_later() -> None:
    """To be called before the typesetter is imported: what cuts fonts is not."""
    for module, names in _LATER.items():
        if module not in sys.modules:
            stand_in = sys.modules[module] = ModuleType(module)
            stand_in.__dict__.update({name: _asked(stand_in, name) for name in names})
            stand_in.__dict__["__getattr__"] = partial(_of, stand_in)


def _of(stand_in: ModuleType, name: str) -> Any:
    """What the module itself has of this name."""
    if name.startswith("__"):
        raise AttributeError(name)
    if sys.modules.get(stand_in.__name__) is stand_in:
        del sys.modules[stand_in.__name__]
    return getattr(import_module(stand_in.__name__), name)


def _asked(stand_in: ModuleType, name: str) -> Callable[..., Any]:
    def asked(*given: Any, **named: Any) -> Any:
        return _of(stand_in, name)(*given, **named)

    return asked

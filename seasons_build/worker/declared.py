"""The typesetter's declarations of Pango and the like, which cffi read anew at each start of a worker: a tenth of what a start took.

While the typesetter is imported, `cffi` is what stands here. Told the very declarations that `pango` was made of, it takes that; told any
others, those of another version, it asks cffi itself.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from types import ModuleType
from typing import Any

import _cffi_backend

from seasons_build.worker.pango import DECLARED, OF

_CFFI = "cffi"
_FONTS = "fontconfig"


@contextmanager
def declared() -> Iterator[None]:
    """Around the import of the typesetter."""
    if _CFFI in sys.modules:
        yield
        return
    stand_in = sys.modules[_CFFI] = ModuleType(_CFFI)
    stand_in.__dict__["FFI"] = Declared
    try:
        yield
    finally:
        if sys.modules.get(_CFFI) is stand_in:
            del sys.modules[_CFFI]


class Declared:
    """As cffi's `FFI`, for one call of `cdef` and what comes after it."""

    def cdef(self, declarations: str) -> None:
        """Takes declarations in."""
        if sha256(declarations.encode()).hexdigest() == OF:
            self._ffi = _cffi_backend.FFI("pango", **DECLARED)
        else:
            del sys.modules[_CFFI]
            self._ffi = import_module(_CFFI).FFI()
            self._ffi.cdef(declarations)

    def dlopen(self, name: str, flags: int = 0) -> Any:
        """A library."""
        library = self._ffi.dlopen(name, flags)
        return _Fonts(library, ctypes.CDLL(name), self._ffi) if _FONTS in name else library

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._ffi, name)
        if callable(found):
            vars(self)[name] = found  # asked for again at every line of text
        return found


class _Fonts:
    """Fontconfig, but that a configuration is what its file says. Its own way reads all that the machine has to offer, too, to be able to
    tell of it."""

    def __init__(self, library: Any, same: ctypes.CDLL, ffi: Any) -> None:
        self._library = library
        self._same = same
        self._ffi = ffi
        same.FcConfigCreate.restype = ctypes.c_void_p
        same.FcConfigParseAndLoad.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
        same.FcConfigBuildFonts.argtypes = (ctypes.c_void_p,)

    def FcInitLoadConfigAndFonts(self) -> Any:
        """A new configuration."""
        made = self._same.FcConfigCreate()
        self._same.FcConfigParseAndLoad(made, None, 1)
        self._same.FcConfigBuildFonts(made)
        return self._ffi.cast("FcConfig *", made)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._library, name)
        vars(self)[name] = found
        return found

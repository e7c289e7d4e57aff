"""What stands in a worker for parts of Python: here nothing is fetched, every package lies in a folder, and who starts it is known.

Each is called as what it stands for, is used while the typesetter is imported, and does as much as is asked of it then. `later` gives them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from itertools import count
from types import FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_numbers = count(1)


class ArgumentParser:
    """Of `argparse`: nobody says anything to a worker."""


class BooleanOptionalAction:
    """Of `argparse`."""


class GzipFile:
    """Of `gzip`: nothing comes packed."""


class OpenerDirector:
    """Of `urllib.request`: it opens nothing."""

    def add_handler(self, handler: object) -> None:
        """Takes none."""


def handler(*_: object, **__: object) -> None:
    """Of `urllib.request`, whatever it is that it handles."""


def mkdtemp(prefix: str) -> str:
    """Of `tempfile`: a new folder where the worker stands, which is a folder of its own."""
    path = os.path.abspath(f"{prefix}{next(_numbers)}")
    os.mkdir(path, 0o700)
    return path


def files(package: ModuleType | str) -> Path:
    """Of `importlib.resources`."""
    module = import_module(package) if isinstance(package, str) else package
    folder: Path = import_module("pathlib").Path(next(iter(module.__path__)))
    return folder


def getmembers(kind: type, predicate: Callable[[Any], bool]) -> list[tuple[str, Any]]:
    """Of `inspect`, for classes."""
    found = ((name, getattr(kind, name, None)) for name in dir(kind))
    return [(name, member) for name, member in found if predicate(member)]


def isfunction(thing: object) -> bool:
    """Of `inspect`."""
    return isinstance(thing, FunctionType)


def isdatadescriptor(thing: object) -> bool:
    """Of `inspect`."""
    return not isinstance(thing, type | FunctionType | MethodType) and any(hasattr(type(thing), name) for name in ("__set__", "__delete__"))


def getpreferredencoding(do_setlocale: bool = True) -> str:
    """Of `locale`: a worker is started with UTF-8."""
    del do_setlocale
    return "utf-8"


def system() -> str:
    """Of `platform`."""
    return os.uname().sysname if hasattr(os, "uname") else "Windows"


def python_implementation() -> str:
    """Of `platform`."""
    return {"cpython": "CPython", "pypy": "PyPy"}.get(sys.implementation.name, sys.implementation.name)

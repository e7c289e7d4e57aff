"""`seasons` as on a machine that lacks things: what only Unix has cannot be imported, the typesetter finds no Pango.

It is run as a program, for `seasons` itself and, as its interpreter, for the worker that it starts.
"""

from __future__ import annotations

import importlib.abc
import os
import runpy
import stat
import sys
import tempfile
from pathlib import Path
from types import ModuleType

ONLY_UNIX = ("fcntl", "resource")


class NoPango(importlib.abc.MetaPathFinder):
    """Stands in front of the typesetter, which does not start without its library."""

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> None:
        """Refuses the one package, as it refuses itself."""
        if name == "weasyprint":
            raise OSError("cannot load library 'libpango-1.0.so.0': no such file")


def bare() -> None:
    """Takes away what the machine lacks."""
    for name in ONLY_UNIX:
        sys.modules[name] = None  # type: ignore[assignment]
    del os.fork
    sys.meta_path.insert(0, NoPango())


def interpreter(folder: Path) -> str:
    """A program that stands in for Python, with the same things missing."""
    program = folder / "python"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" worker "$@"\n', encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    bare()
    if what == "worker":
        place = next(at for at, word in enumerate(words) if word.endswith(".py"))
        sys.argv = words[place:]
        del sys.path[0]
        runpy.run_path(words[place], run_name="__main__")
    else:
        from seasons_build.cli.main import main

        with tempfile.TemporaryDirectory() as folder:
            sys.executable = interpreter(Path(folder))
            sys.argv = ["seasons", *words]
            main()

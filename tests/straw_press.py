"""`seasons` with a typesetter of straw, as a program.

With STOP=n in the environment it kills itself, as hard as can be, at the nth time that it asks the system to change a file.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

from straw import Straw

from seasons_build.cli import building as build_module
from seasons_build.cli import main

WATCHED = ("fsync", "replace", "rename", "unlink", "mkdir", "rmdir", "write", "ftruncate")


def stop_at(number: int) -> None:
    """Puts a trap before each call that changes a file."""
    left = [number]

    def trapped(call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*words: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*words, **named)

        return counting

    for name in WATCHED:
        setattr(os, name, trapped(getattr(os, name)))


vars(build_module)["Typesetter"] = Straw
if "STOP" in os.environ:
    stop_at(int(os.environ["STOP"]))
main()

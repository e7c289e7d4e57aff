"""`seasons` with a typesetter of straw, as a program.

With STOP=n in the environment it kills itself, as hard as can be, at the nth time that it asks the system to change a file. With FAIL=n:e
the system answers with the error e there, and with FAIL=n:e:ever from there on. With `--serve` it does so again and again,
and kills what takes longer than it is asked to let it.
"""

from __future__ import annotations

import builtins
import io
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from straw import Straw

from seasons_build.cli import building as build_module
from seasons_build.cli.main import main

WATCHED = ("open", "fsync", "replace", "rename", "unlink", "mkdir", "rmdir", "write", "ftruncate")
READING = os.O_WRONLY | os.O_RDWR
"""Of a file that is opened with none of these, nothing is changed."""


def trap(number: int, spring: Callable[[], None], *, ever: bool = False) -> None:
    """Puts a trap before each call that changes a file: it springs at the nth, and where it should, at all that follow."""
    left = [number]

    def trapped(call: Callable[..., Any], changes: Callable[..., bool]) -> Callable[..., Any]:
        def counting(*words: Any, **named: Any) -> Any:
            if changes(*words, **named):
                left[0] -= 1
                if left[0] == 0 or (ever and left[0] < 0):
                    spring()
            return call(*words, **named)

        return counting

    for name in WATCHED:
        setattr(os, name, trapped(getattr(os, name), _flags if name == "open" else lambda *words, **named: True))
    for module in (builtins, io):
        vars(module)["open"] = trapped(open, _mode)


def _flags(path: Any, flags: int, *rest: Any, **named: Any) -> bool:
    del path, rest, named
    return bool(flags & READING)


def _mode(file: Any, mode: str = "r", *rest: Any, **named: Any) -> bool:
    del file, rest, named
    return mode.strip("bt") != "r"


def fail(error: int) -> Callable[[], None]:
    """What answers with an error of the system."""

    def spring() -> None:
        raise OSError(error, os.strerror(error))

    return spring


def arm(asked: Mapping[str, str]) -> None:
    """Puts the traps that are asked for."""
    if "STOP" in asked:
        trap(int(asked["STOP"]), lambda: os.kill(os.getpid(), signal.SIGKILL))
    if "FAIL" in asked:
        at, error, *lasting = asked["FAIL"].split(":")
        trap(int(at), fail(int(error)), ever=bool(lasting))


def serve() -> None:
    """Runs what each line of standard input asks for in a child of its own, which has all modules already; tells how it ended."""
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            os.setsid()
            os.chdir(asked["folder"])
            said = os.open(asked["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(said, 1)
            os.dup2(said, 2)
            sys.argv[1:] = asked["words"]
            os.environ.update(asked["environment"])
            arm(asked["environment"])
            main()
        if "seconds" in asked:
            time.sleep(asked["seconds"])
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


vars(build_module)["Typesetter"] = Straw
if sys.argv[1:] == ["--serve"]:
    serve()
else:
    arm(os.environ)
    main()

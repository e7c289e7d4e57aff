"""`seasons` with a stopwatch at the linker: `python bench/stopwatch.py FILE ARGUMENTS...` does what `seasons ARGUMENTS...` does.

FILE gets the seconds of processor time that the linker took in all, for bench/run.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import thread_time

from seasons_build.cli.main import main


def watched(link: Callable[..., bytes], file: Path) -> Callable[..., bytes]:
    """The linker, which notes after each file how long it has taken so far."""
    spent = 0.0

    def timed(*given: object, **named: object) -> bytes:
        nonlocal spent
        start = thread_time()
        data = link(*given, **named)
        spent += thread_time() - start
        file.write_text(f"{spent:.6f}", encoding="ascii")
        return data

    return timed


if __name__ == "__main__":
    file, sys.argv[1:] = Path(sys.argv[1]), sys.argv[2:]
    stage = vars(import_module("seasons_build.pipeline.files"))
    stage["link"] = watched(stage["link"], file)  # the one seam there is: a build links through this name
    main()

"""`python -m seasons_build`: the same as `seasons`."""

import gc
import os
import sys

_YOUNG = 200_000
"""How much more there must be, in objects, before the collector looks for what nobody can reach."""


def run() -> None:
    """Runs the command line. It is read here, so that an interrupt ends it as quietly before its first line as later."""
    try:
        from seasons_build.core.stopping import heed

        heed()
        gc.set_threshold(_YOUNG)  # what is read stays, and what is let go of is in no circle: looking often finds nothing
        _settle()
        from seasons_build.cli.main import main

        main()
    except SystemExit as end:
        _leave(end)
    except KeyboardInterrupt:
        from seasons_build.core.stopping import exit_code

        sys.stderr.write("interrupted: the files of the last build are still whole\n")
        sys.exit(exit_code())


def _leave(end: SystemExit) -> None:
    """Ends at once: everything is closed, and to let go of each thing one by one takes longer than some commands do. Whoever looks on, a
    profiler for one, sees an end as any other."""
    if isinstance(end.code, int) and sys.gettrace() is None and sys.getprofile() is None:
        os._exit(end.code)
    raise end


def _settle() -> None:
    """Sees to it that what is opened later never takes the place of a standard stream that was closed."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            while (opened := os.open(os.devnull, os.O_RDWR)) < number:
                pass
            setattr(sys, name, os.fdopen(opened, "r" if name == "stdin" else "w", encoding="utf-8"))


def _looks_here() -> bool:
    """Whether Python looks for modules in the current folder first."""
    try:
        return bool(sys.path) and os.path.realpath(sys.path[0]) == os.path.realpath(os.getcwd())
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    # `python -m` looks for modules in the current folder first: what lies in somebody's project is never imported.
    if not sys.flags.safe_path and _looks_here():
        del sys.path[0]
    run()

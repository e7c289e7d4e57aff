"""`python -m seasons_build`: the same as `seasons`."""

import atexit
import gc
import os
import stat
import sys
from contextlib import suppress

_YOUNG = 200_000
"""How much more there must be, in objects, before the collector looks for what nobody can reach."""


def program() -> None:
    """The command line as a program of its own: it ends at once. Everything is closed then, and to let go of each thing one by one takes
    longer than some commands do. Whoever looks on, a profiler for one, sees an end as any other."""
    try:
        run()
    except SystemExit as end:
        if isinstance(end.code, int) and sys.gettrace() is None and sys.getprofile() is None:
            atexit._run_exitfuncs()
            with suppress(OSError, ValueError):  # what nobody hears is not told
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(end.code)
        raise


def run() -> None:
    """Runs the command line. It is read here, so that an interrupt ends it as quietly before its first line as later."""
    try:
        from seasons_build.core.stopping import heed

        heed()
        gc.set_threshold(_YOUNG)  # what is read stays, and what is let go of is in no circle: looking often finds nothing
        _settle()
        from seasons_build.cli.main import main

        main()
    except KeyboardInterrupt:
        from seasons_build.core.stopping import exit_code

        sys.stderr.write("interrupted: the files of the last build are still whole\n")
        sys.exit(exit_code())


def _settle() -> None:
    """Sees to it that what is opened later never takes the place of a standard stream that was closed, and that a pipe may be written to
    whose reader has gone."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            while (opened := os.open(os.devnull, os.O_RDWR)) < number:
                pass
            setattr(sys, name, os.fdopen(opened, "r" if name == "stdin" else "w", encoding="utf-8"))
        elif number and stat.S_ISFIFO(os.fstat(number).st_mode):
            from seasons_build.core.unheard import kept_going

            setattr(sys, name, kept_going(getattr(sys, name)))


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
    program()

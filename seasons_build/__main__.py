"""`python -m seasons_build`: the same as `seasons`."""

import os
import sys


def run() -> None:
    """Runs the command line. It is read here, so that an interrupt ends it as quietly before its first line as later."""
    try:
        from seasons_build.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted: the files of the last build are still whole\n")
        sys.exit(130)


if __name__ == "__main__":
    # `python -m` looks for modules in the current folder first: what lies in somebody's project is never imported.
    if not sys.flags.safe_path and sys.path and os.path.realpath(sys.path[0]) == os.path.realpath(os.getcwd()):
        del sys.path[0]
    run()

"""`python -m seasons_build`: the same as `seasons`."""

import os
import sys

if __name__ == "__main__":
    # `python -m` looks for modules in the current folder first: what lies in somebody's project is never imported.
    if not sys.flags.safe_path and sys.path and os.path.realpath(sys.path[0]) == os.path.realpath(os.getcwd()):
        del sys.path[0]
    from seasons_build.cli import main

    main()

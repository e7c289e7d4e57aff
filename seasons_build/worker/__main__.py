"""The worker, a program of its own: `program` says what it does, and need not be compiled at each start as this file is.

It is started by file, not by module, from an empty folder and with an empty environment, so that nothing in a project is importable and no
font of the machine is found.
"""

from __future__ import annotations

import gc
import os
import sys

if __name__ == "__main__":
    gc.disable()
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))

    from seasons_build.worker.later import put_off

    put_off()

    from seasons_build.worker.program import main

    main()

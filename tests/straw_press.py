"""`seasons` with a typesetter of straw, as a program.

With STOP=n in the environment it kills itself, as hard as can be, at the nth time that it asks the system to change a file. With FAIL=n:e
the system answers with the error e there, and with FAIL=n:e:ever from there on. With `--serve` it does so again and again,
and kills what takes longer than it is asked to let it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Mapping

from straw import Straw, StrawAhead
from traps import fail, trap

from seasons_build.cli.main import main
from seasons_build.pipeline import ahead, start


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


vars(start)["Typesetter"] = Straw
vars(ahead)["Ahead"] = StrawAhead
if sys.argv[1:] == ["--serve"]:
    serve()
else:
    arm(os.environ)
    main()

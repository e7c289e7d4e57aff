"""The one who looks at printed files, a program of its own: files and a profile come in on one pipe, what is wrong goes out on another, as
JSON.

A printed file may be a stranger's, and what it unpacks to, or how long it takes to look through, is bounded by nothing but the walls around
this process. Nothing in a file is followed or executed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

if __package__ in (None, ""):
    sys.path.append(str(Path(__file__).resolve().parents[2]))

from seasons_build.core.bounds import more_memory
from seasons_build.core.walls import leave_network, set_limit
from seasons_build.core.wire import read_message
from seasons_build.finish.asked import asked_of
from seasons_build.finish.verify import verify

_LARGEST = 1 << 30
_SMALL = 64 * 1024 * 1024
"""Bytes of memory that are kept for saying that there was no more."""


def main() -> None:
    """Looks at the files of one request."""
    set_limit("RLIMIT_FSIZE", 0)
    set_limit("RLIMIT_CORE", 0)
    leave_network()
    message = read_message(sys.stdin.buffer, _LARGEST)
    if message is None:
        return
    asked = asked_of(message)
    set_limit("RLIMIT_CPU", asked.seconds)
    spare: bytearray | None = bytearray(_SMALL)
    try:
        with more_memory(asked.memory):
            found = verify(asked.files, asked.profile, asked.papers, folder=asked.folder)
        answer: dict[str, object] = {"found": [[each.code, each.message] for each in found]}
    except MemoryError:
        spare = None
        answer = {"no": "needs more memory than a file to print may"}
    except Exception:  # whatever a library makes of a file that is none
        answer = {"no": "cannot be read: it is damaged, or not what it seems to be"}
    del spare
    sys.stdout.buffer.write(json.dumps(answer).encode())


if __name__ == "__main__":
    main()

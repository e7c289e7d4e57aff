"""Finish: written files held against a profile by a program of its own, whatever they are. Bytes by name in, findings out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from seasons_build.core.beside import ask_beside
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.paper import Papers
from seasons_build.core.profile import Profile
from seasons_build.finish.asked import Asked, sent

_PROGRAM = Path(__file__).with_name("looker.py")
_MOST = 64 << 20
"""Bytes of an answer that are read."""


def verify_apart(
    files: Mapping[str, bytes], folder: bool, profile: Profile, papers: Papers, limits: Limits = DEFAULT
) -> tuple[Diagnostic, ...]:
    """What `verify` finds; E725 where the files are none, or take more memory or time to look at than the limits allow."""
    asked = Asked(files, folder, profile, papers, limits.worker_memory, limits.book_seconds)
    try:
        answer = json.loads(ask_beside(_PROGRAM, sent(asked), asked.seconds, _MOST))
        if "no" not in answer:
            return tuple(Diagnostic(str(code), str(message)) for code, message in answer["found"])
        why = str(answer["no"])
    except (ValueError, LookupError, TypeError, RecursionError):
        why = "takes more time or memory than a file to print may"
    return (Diagnostic("E725", f"`{next(iter(files))}`{' and what lies beside it' if len(files) > 1 else ''} {why}"),)

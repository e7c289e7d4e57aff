"""What this system needs for setting type, and the one command that brings it."""

from __future__ import annotations

import sys

_PANGO = {
    "linux": "sudo apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
    "darwin": "brew install pango",
    "win32": "install MSYS2 from https://www.msys2.org, then: pacman -S mingw-w64-x86_64-pango",
}


def bring_pango() -> str:
    """The command for this system."""
    return _PANGO.get(sys.platform, _PANGO["linux"])

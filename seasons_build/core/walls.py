"""The walls around this process that the system may put up: limits, and a network of its own with nothing in it.

Nothing that is typeset can ask for an address: the fetcher answers one private scheme. This wall stands behind it, where the system has it
(Linux; without being root, where the system lets anybody).
"""

from __future__ import annotations

import ctypes
import sys

try:
    import resource
except ImportError:
    HAS_LIMITS = False
else:
    HAS_LIMITS = True

_NEW_NETWORK = 0x40000000
_NEW_USER = 0x10000000


def leave_network() -> bool:
    """Whether this process is now without any network. It must have no other threads yet."""
    if sys.platform != "linux":
        return False
    try:
        unshare = ctypes.CDLL(None).unshare
    except (AttributeError, OSError):
        return False
    return any(unshare(asked) == 0 for asked in (_NEW_NETWORK, _NEW_USER | _NEW_NETWORK))


def set_limit(name: str, value: int) -> None:
    """A soft limit of this process, where the system has them."""
    if not HAS_LIMITS:
        return
    kind: int = getattr(resource, name)
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(kind, (value, hard))
    except (OSError, ValueError):
        return  # macOS refuses a limit on memory

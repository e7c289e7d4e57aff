"""What has to be worked out before what (language library: dice): names in an order in which each comes after all that it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def ordered(reads: Mapping[str, Iterable[str]]) -> tuple[list[str], list[tuple[str, ...]]]:
    """The keys of `reads`, each after those that it reads, and the circles among them, each as its path and shown once.

    What lies on a circle is left out of the order, and so is what reads it.
    """
    state: dict[str, int] = {}
    order: list[str] = []
    circles: list[tuple[str, ...]] = []
    for start in reads:
        if start in state:
            continue
        state[start] = _OPEN
        path = [start]
        pending = [iter(_inner(reads, start))]
        while pending:
            name = next(pending[-1], None)
            if name is None:
                pending.pop()
                done = path.pop()
                sound = all(state[inner] == _SOUND for inner in _inner(reads, done))
                state[done] = _SOUND if sound else _BROKEN
                if sound:
                    order.append(done)
            elif name not in state:
                state[name] = _OPEN
                path.append(name)
                pending.append(iter(_inner(reads, name)))
            elif state[name] == _OPEN:
                circles.append((*path[path.index(name) :], name))
    return order, circles


def heights(order: Iterable[str], reads: Mapping[str, Iterable[str]], own: Mapping[str, int]) -> dict[str, int]:
    """How high each name in the order stands: its `own` height on the highest of those that it reads."""
    found: dict[str, int] = {}
    for name in order:
        found[name] = own[name] + max((found[inner] for inner in _inner(reads, name)), default=0)
    return found


_OPEN, _SOUND, _BROKEN = 0, 1, 2


def _inner(reads: Mapping[str, Iterable[str]], name: str) -> list[str]:
    return [inner for inner in reads[name] if inner in reads]

"""What a build is doing, how much of it is left, and where the time went: told while it goes on, and listed at the end."""

from __future__ import annotations

import sys
from time import monotonic

from seasons_build.cli.talk import write
from seasons_build.core.record import dataclass, field

SILENCE = 5
"""Seconds after which a build that is not on a terminal says how far it is."""


@dataclass(slots=True)
class Stopwatch:
    """The parts of a build and their seconds.

    A bar with what is left on a terminal; elsewhere a line now and then, where there is nothing else to see for long.
    """

    parts: dict[str, float] = field(default_factory=dict)
    _started: float = field(default_factory=monotonic)
    _part: str = ""
    _since: float = 0.0
    _heard: float = 0.0

    def begin(self, part: str) -> None:
        """Goes on to another part of the work."""
        now = monotonic()
        if self._part:
            self.parts[self._part] = self.parts.get(self._part, 0.0) + now - self._since
        self._part, self._since, self._heard = part, now, self._heard or now

    def tell(self, what: str, done: int, of: int) -> None:
        """Says how much of a part is done."""
        if what != self._part:
            self.begin(what)
        if sys.stderr.isatty():
            filled = 24 * done // of if of else 24
            end = "\r" if done < of else "\r\x1b[K"
            sys.stderr.write(f"\r\x1b[K{what} [{'#' * filled}{'.' * (24 - filled)}] {done}/{of}{self._left(done, of)}{end}")
            sys.stderr.flush()
        elif done < of and monotonic() - self._heard > SILENCE:
            self._heard = monotonic()
            write(f"{what}: {done} of {of}{self._left(done, of)}", err=True)

    def seconds(self) -> float:
        """How long it has been since the start."""
        return monotonic() - self._started

    def report(self, about: str) -> None:
        """Lists the parts of the work with their seconds."""
        self.begin("")
        write("where the time went", err=True)
        for part, seconds in self.parts.items():
            write(f"  {seconds:7.2f} s  {part}", err=True)
        write(f"  {self.seconds():7.2f} s  in all{about and ': '}{about}", err=True)

    def _left(self, done: int, of: int) -> str:
        spent = monotonic() - self._since
        return f", about {max(1, round(spent / done * (of - done)))} s left" if 0 < done < of and spent > 2 else ""

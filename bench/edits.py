"""What a change costs after a build: nothing changed, one entry edited, a style sheet changed, each by a program started anew, and one
entry edited while `seasons watch` runs. Used by bench/run.py.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic, sleep

from content import FILES, GAME

_NUMBER = re.compile(r"^    range: (\d+)$", re.MULTILINE)
"""A number that may be any: the others have a least and a most, and beyond it there is no card."""
_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE = 600


def edit(folder: Path, number: int) -> None:
    """Changes one number of one weapon to one that it never was. The last ones of the file are held by nobody, where there are many: what
    changes is one card."""
    place = folder / "content" / GAME / FILES["weapon"]
    file = place if place.exists() else min(place.parent.glob(f"{place.stem}-*.yaml"))
    text = file.read_text(encoding="utf-8")
    found = list(_NUMBER.finditer(text))[-1 - number % 5]
    file.write_text(f"{text[: found.start(1)]}{20 + number}{text[found.end(1) :]}", encoding="utf-8")


def restyle(folder: Path, number: int) -> None:
    """Changes the style sheet of the cards so that every face is another one."""
    for file in sorted((folder / "templates" / GAME).rglob("*.css")):
        file.write_text(f"{file.read_text(encoding='utf-8')}\n/* {number} */\n", encoding="utf-8")


def command(folder: Path, products: Sequence[str], word: str = "build") -> list[str]:
    """`seasons build`, or `watch`, of a project."""
    return [sys.executable, "-m", "seasons_build", "--project", str(folder), word, *products, "--out", str(folder / "out")]


class Watched:
    """A `seasons watch` at work. `after` gives the seconds by the clock and of processor time from a change to the end of its build, and
    `peak` the megabytes of the program and of all that it has started, added up."""

    def __init__(self, folder: Path, products: Sequence[str]) -> None:
        self._said = folder.parent / "watched"
        with self._said.open("wb") as output:
            self._process = subprocess.Popen(command(folder, products, "watch"), stdout=output, stderr=output, start_new_session=True)
        self._until(1)

    def after(self, number: int, change: Callable[[int], None]) -> tuple[float, float]:
        """What the change of this number costs."""
        before, spent = self._builds(), self._cpu()
        start = monotonic()
        change(number)
        self._until(before + 1)
        return monotonic() - start, self._cpu() - spent

    def peak(self) -> float:
        """Megabytes, of all its processes together."""
        return sum(self._status(pid, "VmHWM") for pid in self._family()) / 1024

    def stop(self) -> None:
        """Ends it."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:  # what a script starts in the background hears no interrupt
            self._process.terminate()
            self._process.wait()

    def _builds(self) -> int:
        return self._said.read_bytes().count(b" typeset, in ")

    def _until(self, count: int) -> None:
        start = monotonic()
        while self._builds() < count:
            if self._process.poll() is not None or monotonic() - start > _PATIENCE:
                raise RuntimeError(self._said.read_text(errors="replace")[-2000:])
            sleep(0.005)

    def _family(self) -> list[int]:
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        return [pid, *map(int, children)]

    def _cpu(self) -> float:
        fields = [Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split() for pid in self._family()]
        return sum(int(f[11]) + int(f[12]) for f in fields) / _TICKS

    def _status(self, pid: int, name: str) -> int:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))

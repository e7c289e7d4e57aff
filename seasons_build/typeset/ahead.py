"""Worker programs that are started ahead of the typesetter whose they will be: it imports what it needs while they do."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.scratch import Scratch
from seasons_build.typeset.process import Process


class Ahead:
    """So many worker programs that are starting, and the folder for their temporary files, which is made in `scratch`. A context manager:
    what nobody has taken is ended. `started` is how many there were."""

    def __init__(self, workers: int, *, limits: Limits = DEFAULT, scratch: Path | None = None) -> None:
        self.scratch = Scratch(scratch)
        self.limits = limits
        self.started = workers
        self._waiting: list[Process] = []
        try:
            for _ in range(workers):
                self._waiting.append(Process(self.scratch.folder(), limits))
        except BaseException:
            # An interrupt may come while they start: `with` has not begun, and nobody else would end them.
            self.close()
            raise

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def take(self) -> list[Process]:
        """Those that nobody has taken; whoever takes them ends them."""
        taken, self._waiting = self._waiting, []
        return taken

    def close(self) -> None:
        """Ends those that nobody has taken, and removes the files of all."""
        for worker in self.take():
            worker.kill()
            worker.close()
        self.scratch.remove()

"""One worker program: started with little of the environment, asked over pipes, and ended where it takes too long."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING

from seasons_build.core.finding import Finding
from seasons_build.core.limits import Limits
from seasons_build.core.scratch import Scratch
from seasons_build.core.wire import Message, WireError, read_message, write_message

if TYPE_CHECKING:
    from seasons_build.core.job import Theme

_PROGRAM = Path(__file__).parent.parent / "worker" / "__main__.py"
_PASSED_ON = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "WEASYPRINT_DLL_DIRECTORIES", "SYSTEMROOT")
"""The only variables of the environment that a worker gets: where libraries are, on machines that keep them elsewhere. `PYTHONPATH` is
none: a folder that it names, the one that we are in perhaps, could put its own module in the place of one that the worker imports."""
_FONTCONFIG = (
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig><cachedir>{}</cachedir></fontconfig>\n'
)
"""A configuration with no font folder: the machine has no fonts."""

_WALL = 3
"""Seconds by the clock that a job may take for each of processor time: the machine may be busy."""
_START_SECONDS = 60
_DYING_SECONDS = 1
_STDERR_BYTES = 4000

TOO_LONG = Finding("E620", detail="it takes more time than a page may")
ENDED = Finding("E620", detail="the system ended it, most likely for want of memory")
CRASHED = Finding("E621", detail="it ended without a word")
NONSENSE = Finding("E621", detail="its answer makes no sense")


class Process:
    """One worker program, and what it has been given."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.themes: dict[str, Theme] = {}
        self._folder = folder
        self._limits = limits
        self._lock = threading.Lock()
        self._deadline: float | None = monotonic() + _START_SECONDS
        self._late = False
        config = folder / "fonts.conf"
        config.write_text(_FONTCONFIG.format(folder / "fontconfig"), encoding="utf-8")
        with (folder / "stderr").open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-P", "-X", "utf8", str(_PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                env=_environment(folder, config),
                close_fds=True,
                start_new_session=True,
            )
        self._send: IO[bytes] = _pipe(self._process.stdin)
        self._receive: IO[bytes] = _pipe(self._process.stdout)

    def hello(self) -> Message | None:
        """Its first message, once it has imported what it needs; None where it died instead."""
        return self._exchange(self._limits._asdict(), ())

    def ask(self, header: Mapping[str, object], blobs: Iterable[bytes], seconds: int) -> Message | Finding:
        """Its answer, or what ended it. `seconds` are of processor time."""
        with self._lock:
            self._deadline = monotonic() + _WALL * seconds
        answer = self._exchange(header, blobs)
        return self._why() if answer is None or self._late else answer

    def _exchange(self, header: Mapping[str, object], blobs: Iterable[bytes]) -> Message | None:
        try:
            write_message(self._send, header, list(blobs))
            return read_message(self._receive, 2 * self._limits.worker_file)
        except (OSError, WireError, ValueError):
            return None
        finally:
            with self._lock:
                self._deadline = None

    def _why(self) -> Finding:
        """What became of one that has not answered as it should."""
        try:
            self._process.wait(_DYING_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return TOO_LONG if self._late else NONSENSE
        code = self._process.returncode
        if self._late or -code == getattr(signal, "SIGXCPU", None):
            return TOO_LONG
        return ENDED if -code == getattr(signal, "SIGKILL", None) else CRASHED

    def kill_if_late(self) -> None:
        """Ends it where it has not answered in time."""
        with self._lock:
            if self._deadline is None or monotonic() < self._deadline:
                return
            self._late = True
        self.kill()

    def kill(self) -> None:
        """Ends it and all that it may have started, and waits until it is gone."""
        with self._lock:
            if self._process.poll() is None:
                if sys.platform == "win32":
                    self._process.kill()
                else:
                    with contextlib.suppress(ProcessLookupError, PermissionError):  # it has just ended; macOS calls that the latter
                        os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()

    def last_words(self) -> str:
        """The end of what it wrote to its standard error."""
        try:
            data = (self._folder / "stderr").read_bytes()[-_STDERR_BYTES:]
        except OSError:
            return ""
        lines = data.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def close(self) -> None:
        """Closes the pipes of one that has ended, and removes its folder."""
        for stream in (self._send, self._receive):
            try:
                stream.close()
            except OSError:
                continue
        Scratch.clear(self._folder)


def _environment(folder: Path, config: Path) -> dict[str, str]:
    own = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    if sys.platform == "darwin":
        own.setdefault("DYLD_FALLBACK_LIBRARY_PATH", "/opt/homebrew/lib:/usr/local/lib:/usr/lib")
    place = str(folder)
    return {
        **own,
        "PATH": "/nonexistent",
        "HOME": place,
        "TMPDIR": place,
        "TEMP": place,
        "TMP": place,
        "XDG_CACHE_HOME": place,
        "FONTCONFIG_FILE": str(config),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
    }


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise RuntimeError("a process without its pipes")
    return stream

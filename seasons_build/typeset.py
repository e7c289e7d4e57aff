"""Jobs in, typeset faces and documents out: the parent's side of the worker.

The worker programs are started at once, before any content is read, so that what they import is hidden behind that. A theme is sent to
each as soon as it is known, jobs as they come; results are given in the order of the jobs, whichever worker was faster. A worker that dies,
or takes too long, is replaced; the job it held is the culprit and gets a finding, the others go on. Where no worker can start at all, every
job gets the one finding that says why.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import IO

from seasons_build.core.finding import Finding
from seasons_build.core.job import FaceJob, Job, Theme, Typeset, job_message, theme_message, typeset_of
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.scratch import Scratch
from seasons_build.core.wire import Message, WireError, read_message, write_message

_PROGRAM = Path(__file__).parent / "worker" / "__main__.py"
_PASSED_ON = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "WEASYPRINT_DLL_DIRECTORIES", "SYSTEMROOT")
"""The only variables of the environment that a worker gets: where libraries are, on machines that keep them elsewhere."""
_FONTCONFIG = (
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig><cachedir>{}</cachedir></fontconfig>\n'
)
"""A configuration with no font folder: the machine has no fonts."""

_AHEAD = 64
"""Jobs that may be under way or done before the next result is taken."""
_WALL = 3
"""Seconds by the clock that a job may take for each of processor time: the machine may be busy."""
_START_SECONDS = 60
_DYING_SECONDS = 1
_TICK_SECONDS = 0.25
_STDERR_BYTES = 4000

_TOO_LONG = Finding("E620", detail="it takes more time than a page may")
_ENDED = Finding("E620", detail="the system ended it, most likely for want of memory")
_CRASHED = Finding("E621", detail="it ended without a word")
_NONSENSE = Finding("E621", detail="its answer makes no sense")


@dataclass(slots=True)
class _Task:
    """A job on its way, and where its result belongs."""

    job: Job
    give: Callable[[Typeset | BaseException], None]


class Typesetter:
    """Workers for one build, or for as long as a preview lasts. A context manager; `scratch` is the folder for their temporary files."""

    def __init__(self, *, workers: int = 2, limits: Limits = DEFAULT, scratch: Path | None = None) -> None:
        self._limits = limits
        self._scratch = Scratch(scratch)
        self._changed = threading.Condition()
        self._waiting: deque[_Task] = deque()
        self._themes: dict[str, Theme] = {}
        self._spoilt: dict[int, tuple[Theme, Finding | RuntimeError]] = {}
        self._fault: Finding | None = None
        self._versions: Mapping[str, str] | None = None
        self._closed = False
        self._workers: list[_Process] = []
        self._threads: list[threading.Thread] = []
        try:
            self._start(max(1, workers))
        except BaseException:
            # An interrupt may come while the workers start: `with` has not begun, and nobody else would end them.
            self.close()
            raise

    def _start(self, workers: int) -> None:
        for _ in range(workers):
            self._workers.append(_Process(self._scratch.folder(), self._limits))
        serving = [threading.Thread(target=self._serve, args=(number,), daemon=True) for number in range(workers)]
        for thread in (*serving, threading.Thread(target=self._watch_clock, daemon=True)):
            thread.start()
            self._threads.append(thread)

    def __enter__(self) -> Typesetter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def open(self, theme: Theme) -> None:
        """Sends a theme to every worker, in place of an earlier one of the same id; returns at once."""
        with self._changed:
            self._themes[theme.id] = theme
            self._changed.notify_all()

    def fault(self) -> Finding | None:
        """Why nothing can be typeset on this machine, or None. Waits until a worker has started."""
        with self._changed:
            self._changed.wait_for(lambda: self._fault is not None or self._versions is not None)
            return self._fault

    def versions(self) -> Mapping[str, str]:
        """The versions of the tools that decide what a page looks like; empty where there is a fault. Waits until a worker has started."""
        self.fault()
        return self._versions or {}

    def run(self, jobs: Iterable[Job]) -> Generator[Typeset]:
        """The result of each job, in order; the jobs are taken as they are needed. Raises RuntimeError for a fault of ours in a worker, and
        KeyError for a job whose theme was not opened."""
        results: dict[int, Typeset | BaseException] = {}
        source = enumerate(jobs)
        sent = taken = 0
        try:
            while True:
                for index, job in source:
                    self._submit(job, results, index)
                    sent += 1
                    if sent - taken >= _AHEAD:
                        break
                if taken == sent:
                    return
                yield self._take(results, taken)
                taken += 1
        finally:
            with self._changed:
                self._waiting.clear()

    def close(self) -> None:
        """Ends the workers and removes their files."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        try:
            for worker in self._workers:
                worker.kill()
            for thread in self._threads:
                thread.join()
            for worker in self._workers:
                worker.close()
        finally:
            self._scratch.remove()

    def _submit(self, job: Job, results: dict[int, Typeset | BaseException], index: int) -> None:
        if job.theme not in self._themes:
            raise KeyError(f"the theme {job.theme} was not opened")

        def give(result: Typeset | BaseException) -> None:
            with self._changed:
                results[index] = result
                self._changed.notify_all()

        with self._changed:
            self._waiting.append(_Task(job, give))
            self._changed.notify_all()

    def _take(self, results: dict[int, Typeset | BaseException], index: int) -> Typeset:
        with self._changed:
            while not self._changed.wait_for(lambda: index in results or self._closed, _TICK_SECONDS):
                continue  # a wait without an end hears no interrupt on Windows
            if index not in results:
                raise RuntimeError("the typesetter was closed")
            result = results.pop(index)
        if isinstance(result, BaseException):
            raise result
        return result

    # In the thread of each worker

    def _serve(self, number: int) -> None:
        self._started(self._workers[number])
        while (work := self._next(self._workers[number])) is not None:
            if isinstance(work, Theme):
                self._send_theme(number, work)
                continue
            try:
                result = self._result(number, work.job)
            except Exception as error:
                result = error
            work.give(result)

    def _next(self, worker: _Process) -> Theme | _Task | None:
        """What this worker does next: take a theme that it has not seen, then a job. Waits; None at the end."""
        with self._changed:
            while not self._closed:
                if self._fault is None:
                    for theme in self._themes.values():
                        if worker.themes.get(theme.id) is not theme and id(theme) not in self._spoilt:
                            return theme
                if self._waiting:
                    return self._waiting.popleft()
                self._changed.wait()
        return None

    def _started(self, worker: _Process) -> None:
        answer = worker.hello()
        with self._changed:
            if not self._closed and self._fault is None:
                if answer is not None and answer.header.get("started") is True:
                    self._versions = {str(name): str(value) for name, value in answer.header["versions"].items()}
                else:
                    reason = answer.header.get("reason") if answer is not None else worker.last_words()
                    self._fault = _cannot_start(str(reason))
            self._changed.notify_all()

    def _send_theme(self, number: int, theme: Theme) -> None:
        worker = self._workers[number]
        header, blobs = theme_message(theme)
        answer = worker.ask(header, blobs, self._limits.document_seconds)
        worker.themes[theme.id] = theme
        if isinstance(answer, Message) and answer.header.get("loaded") == theme.id:
            return
        with self._changed:
            self._spoilt[id(theme)] = (theme, answer if isinstance(answer, Finding) else _spoilt_by(answer))
        self._replace(number)

    def _result(self, number: int, job: Job) -> Typeset | BaseException:
        worker = self._workers[number]
        _, known = self._spoilt.get(id(self._themes[job.theme]), (None, self._fault))
        if isinstance(known, RuntimeError):
            return known
        if known is not None:
            return Typeset(job.key, findings=(known,))
        seconds = self._limits.face_seconds if isinstance(job, FaceJob) else self._limits.document_seconds
        answer = worker.ask(job_message(job), (), seconds)
        if isinstance(answer, Finding):
            self._replace(number)
            return Typeset(job.key, findings=(answer,))
        if "fault" in answer.header:
            return _fault_of(answer)
        if answer.header.get("last") is True:
            self._replace(number)
        try:
            return typeset_of(answer, job)
        except WireError:
            self._replace(number)
            return Typeset(job.key, findings=(_NONSENSE,))

    def _replace(self, number: int) -> None:
        """A fresh worker in place of one that has died or cannot be trusted."""
        self._workers[number].kill()
        self._workers[number].close()
        with self._changed:
            if self._closed:
                return
            try:
                self._workers[number] = _Process(self._scratch.folder(), self._limits)
            except OSError as error:
                self._fault = _cannot_start(str(error))
                self._changed.notify_all()
                return
        self._started(self._workers[number])

    # In a thread of its own

    def _watch_clock(self) -> None:
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: self._closed, _TICK_SECONDS):
                    return
                workers = list(self._workers)
            for worker in workers:
                worker.kill_if_late()


def _spoilt_by(answer: Message) -> Finding | RuntimeError:
    return _ENDED if answer.header.get("last") is True else _fault_of(answer)


def _fault_of(answer: Message) -> RuntimeError:
    """A fault of ours, in a worker."""
    return RuntimeError(str(answer.header.get("fault", "a worker gave an answer of no form")))


def _cannot_start(reason: str) -> Finding:
    library = next((name for name in ("pango", "harfbuzz", "fontconfig", "gobject") if name in reason.lower()), None)
    if library is not None:
        return Finding("E850", text=library, detail="the library Pango is missing, or a part of it")
    return Finding("E850", detail=f"the typesetter does not start: {reason.strip() or 'it ends without a word'}")


class _Process:
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
        return self._exchange(asdict(self._limits), ())

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
            return _TOO_LONG if self._late else _NONSENSE
        code = self._process.returncode
        if self._late or -code == getattr(signal, "SIGXCPU", None):
            return _TOO_LONG
        return _ENDED if -code == getattr(signal, "SIGKILL", None) else _CRASHED

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

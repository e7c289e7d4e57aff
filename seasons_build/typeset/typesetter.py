"""Jobs in, typeset faces and documents out: the parent's side of the worker.

The worker programs are started at once, before any content is read, so that what they import is hidden behind that; or, where little is
expected to be asked of them, when there is work, and one after the other as it grows. A theme is sent to each as soon as it is known, jobs
as they come; results are given in the order of the jobs, whichever worker was faster. A worker that dies, or takes too long, is replaced;
the job it held is the culprit and gets a finding, the others go on. Where no worker can start at all, every job gets the one finding that
says why.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from pathlib import Path
from types import TracebackType

from seasons_build.core.expected import Expected, expecting
from seasons_build.core.finding import Finding
from seasons_build.core.job import Job, KnownFace, NotKept, Theme, Typeset, Wanted, job_message, seconds_for, typeset_of
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.record import dataclass
from seasons_build.core.tools import Tools
from seasons_build.core.wire import Message, WireError
from seasons_build.typeset.ahead import Ahead
from seasons_build.typeset.process import ENDED, NONSENSE, Process

_AHEAD = 64
"""Jobs that may be under way or done before the next result is taken."""
_TICK_SECONDS = 0.25
_WORTH_A_WORKER = 12
"""Jobs that wait, for each worker there is, before another is started: about what is typeset while one imports what it needs."""


@dataclass(slots=True)
class _Task:
    """A job on its way, and where its result belongs."""

    job: Job
    give: Callable[[Typeset | BaseException], None]


class Typesetter:
    """Workers for one build, or for as long as a preview lasts. A context manager; `scratch` is the folder for their temporary files.

    `workers` is how many there may be, `at_once` how many of them are started without being asked (None: all). Those that were started
    `ahead` are taken instead, with their limits and their folder.
    """

    def __init__(
        self,
        *,
        workers: int = 2,
        at_once: int | None = None,
        limits: Limits = DEFAULT,
        scratch: Path | None = None,
        ahead: Ahead | None = None,
    ) -> None:
        self._most = max(1, workers)
        self._ahead = ahead or Ahead(self._most if at_once is None else min(at_once, self._most), limits=limits, scratch=scratch)
        self._scratch, self._limits = self._ahead.scratch, self._ahead.limits
        self._changed = threading.Condition()
        self._waiting: deque[_Task] = deque()
        self._themes: dict[str, Theme] = {}
        self._expected: dict[str, Expected | None] = {}
        self._spoilt: dict[int, tuple[Theme, Finding | RuntimeError]] = {}
        self._fault: Finding | None = None
        self._fallen: Exception | None = None
        self._versions: Mapping[str, str] | None = None
        self._tools = Tools()
        self._alone = False
        self._closed = False
        self._workers: list[Process] = []
        self._idle: set[int] = set()
        self._threads: list[threading.Thread] = []
        self._resting: threading.Thread | None = None
        try:
            self._serve_with(self._ahead.take())
        except BaseException:
            # An interrupt may come meanwhile: `with` has not begun, and nobody else would end the workers.
            self.close()
            raise

    def _start(self) -> None:
        """Starts one more worker. Raises RuntimeError once it is closed."""
        with self._changed:
            if self._closed:
                raise RuntimeError("the typesetter was closed")
            worker = Process(self._scratch.folder(), self._limits)
        self._serve_with([worker])

    def _serve_with(self, workers: list[Process]) -> None:
        """Sets workers to work; with the first ones, what watches their time."""
        first = len(self._workers)
        self._workers += workers
        serving = [threading.Thread(target=self._serve, args=(first + number,), daemon=True) for number in range(len(workers))]
        watching = [threading.Thread(target=self._watch_clock, daemon=True)] if workers and not first else []
        for thread in (*serving, *watching):
            thread.start()
            self._threads.append(thread)

    def __enter__(self) -> Typesetter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def open(self, theme: Theme, expected: Expected | None = None) -> None:
        """Sends a theme to every worker, in place of another one of the same id; returns at once. What is `expected` to be asked of it is
        made ready."""
        with self._changed:
            if self._themes.get(theme.id) == theme:
                return
            self._themes[theme.id], self._expected[theme.id] = theme, expected
            self._changed.notify_all()

    def fault(self) -> Finding | None:
        """Why nothing can be typeset on this machine, or None. Waits until a worker has started."""
        self._awake()
        if not self._workers:
            self._start()
        with self._changed:
            self._wait(lambda: self._fault is not None or self._versions is not None)
            return self._fault

    def versions(self) -> Mapping[str, str]:
        """The versions of the tools that decide what a page looks like; empty where there is a fault. Waits until a worker has started."""
        self.fault()
        return self._versions or {}

    def tools(self) -> Tools:
        """What sets type here. Waits until a worker has started."""
        self.fault()
        return self._tools

    def alone(self) -> bool:
        """Whether the system keeps the workers from any network. Waits until a worker has started."""
        self.fault()
        return self._alone

    def run(self, jobs: Iterable[Wanted]) -> Generator[Typeset]:
        """The result of each job, in order; the jobs are taken as they are needed. Raises RuntimeError for a fault of ours in a worker,
        KeyError for a job whose theme was not opened, and NotKept for a known face: nothing is kept here."""
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

    def rest(self) -> None:
        """Ends the workers, of which nothing is wanted for now, and does not wait for that; more jobs start new ones."""
        if not self._closed and self._workers:
            self._resting = threading.Thread(target=self._end, daemon=True)
            self._resting.start()

    def _awake(self) -> None:
        """Waits until the workers have ended that were to rest: there are none then."""
        if self._resting is not None:
            self._resting.join()
            self._workers, self._threads, self._resting, self._closed = [], [], None, False

    def close(self) -> None:
        """Ends the workers and removes their files."""
        self._awake()
        if self._closed:
            return
        try:
            self._end()
        finally:
            self._ahead.close()

    def _end(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.kill()
        for thread in self._threads:
            thread.join()
        for worker in self._workers:
            worker.close()

    def _submit(self, job: Wanted, results: dict[int, Typeset | BaseException], index: int) -> None:
        if isinstance(job, KnownFace):
            raise NotKept(job.key)
        self._awake()
        if job.theme not in self._themes:
            raise KeyError(f"the theme {job.theme} was not opened")

        def give(result: Typeset | BaseException) -> None:
            with self._changed:
                results[index] = result
                self._changed.notify_all()

        with self._changed:
            self._waiting.append(_Task(job, give))
            self._changed.notify_all()
            wanted = len(self._workers) < self._most and len(self._waiting) > _WORTH_A_WORKER * len(self._workers)
        if wanted:
            self._start()

    def _take(self, results: dict[int, Typeset | BaseException], index: int) -> Typeset:
        with self._changed:
            self._wait(lambda: index in results)
            result = results.pop(index)
        if isinstance(result, BaseException):
            raise result
        return result

    def _wait(self, until: Callable[[], bool]) -> None:
        """Waits, with the lock held, until something is so. Raises what fell in a thread, and RuntimeError where the typesetter is closed
        before."""
        while not self._changed.wait_for(lambda: until() or self._closed or self._fallen is not None, _TICK_SECONDS):
            continue  # a wait without an end hears no interrupt on Windows
        if self._fallen is not None:
            raise self._fallen
        if not until():
            raise RuntimeError("the typesetter was closed")

    # In the thread of each worker

    def _serve(self, number: int) -> None:
        """Asks one worker for results until the end. A fault of ours here is raised where results are waited for: nobody else would say."""
        try:
            self._ask_for_results(number)
        except Exception as error:
            with self._changed:
                self._fallen = self._fallen or error
                self._changed.notify_all()

    def _ask_for_results(self, number: int) -> None:
        self._started(self._workers[number])
        while (work := self._next(number)) is not None:
            if isinstance(work, Theme):
                self._send_theme(number, work)
                continue
            try:
                result = self._result(number, work.job)
            except Exception as error:
                result = error
            work.give(result)

    def _next(self, number: int) -> Theme | _Task | None:
        """What a worker does next: take a theme that it has not seen, then a job. Waits; None at the end. Of those that wait the first one
        takes a job: it has done the most, and has the most at hand."""
        worker = self._workers[number]
        with self._changed:
            self._idle.add(number)
            try:
                while not self._closed:
                    if self._fault is None:
                        for theme in self._themes.values():
                            if worker.themes.get(theme.id) is not theme and id(theme) not in self._spoilt:
                                return theme
                    if len(self._waiting) > sum(other < number for other in self._idle):
                        return self._waiting.popleft()
                    self._changed.wait()
            finally:
                self._idle.discard(number)
                self._changed.notify_all()  # what it leaves is for the others
        return None

    def _started(self, worker: Process) -> None:
        answer = worker.hello()
        with self._changed:
            if not self._closed and self._fault is None:
                if answer is not None and answer.header.get("started") is True:
                    self._versions = {str(name): str(value) for name, value in answer.header["versions"].items()}
                    self._tools = Tools(str(answer.header.get("digest", "")), tuple(map(str, answer.header.get("paths", ()))))
                    self._alone = answer.header.get("alone") is True
                else:
                    reason = answer.header.get("reason") if answer is not None else worker.last_words()
                    self._fault = _cannot_start(str(reason))
            self._changed.notify_all()

    def _send_theme(self, number: int, theme: Theme) -> None:
        worker = self._workers[number]
        header, blobs = expecting(theme, self._expected[theme.id])
        answer = worker.ask(header, blobs, self._limits.face_seconds)
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
        seconds = seconds_for(job, self._limits)
        answer = worker.ask(*job_message(job), seconds)
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
            return Typeset(job.key, findings=(NONSENSE,))

    def _replace(self, number: int) -> None:
        """A fresh worker in place of one that has died or cannot be trusted."""
        self._workers[number].kill()
        self._workers[number].close()
        with self._changed:
            if self._closed:
                return
            try:
                self._workers[number] = Process(self._scratch.folder(), self._limits)
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
    return ENDED if answer.header.get("last") is True else _fault_of(answer)


def _fault_of(answer: Message) -> RuntimeError:
    """A fault of ours, in a worker."""
    return RuntimeError(str(answer.header.get("fault", "a worker gave an answer of no form")))


def _cannot_start(reason: str) -> Finding:
    library = next((name for name in ("pango", "harfbuzz", "fontconfig", "gobject") if name in reason.lower()), None)
    if library is not None:
        return Finding("E850", text=library, detail="the library Pango is missing, or a part of it")
    return Finding("E850", detail=f"the typesetter does not start: {reason.strip() or 'it ends without a word'}")

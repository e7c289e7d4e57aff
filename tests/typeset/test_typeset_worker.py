"""The worker as a program: what it may cost, how it dies, what it can see, and what its parent believes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from small_theme import ALL_FONTS, CARD, FONT_CSS, Press, codes, document_job, face_job, found, small_theme, words

from seasons_build.core.expected import Expected
from seasons_build.core.finding import diagnostic
from seasons_build.core.job import FaceJob, Theme
from seasons_build.core.limits import Limits
from seasons_build.core.scratch import Scratch
from seasons_build.typeset import process
from seasons_build.typeset.typesetter import Typesetter

RENDER = Path(__file__).parents[1] / "adversarial" / "render"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="rlimits, sessions and /proc")
LINUX = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="/proc")
LIMITS = Limits(face_seconds=1, document_seconds=1, worker_memory=512 * 1024 * 1024, pages=40)


@pytest.fixture(scope="module")
def tight() -> Iterator[Press]:
    """A typesetter with little patience for work, and much for a busy machine."""
    with pytest.MonkeyPatch.context() as patch, Typesetter(workers=2, limits=LIMITS) as typesetter:
        patch.setattr(process, "_WALL", 20)
        yield Press(typesetter)


def raw(name: str) -> str:
    (path,) = RENDER.glob(f"{name}-*")
    return "{% raw %}" + path.read_text("utf-8") + "{% endraw %}"


@POSIX
def test_what_costs_too_much_is_ended_and_the_others_go_on(tight: Press) -> None:
    doubling = "{% set a = 'x' %}" + "{% set a = a ~ a %}" * 34 + "{{ a }}"
    bombs = {"flex": raw("w08"), "flex again": raw("w08"), "memory": doubling}
    jobs = [face_job(f"rope {number}", key=str(number)) for number in range(8)]
    for place, name in enumerate(bombs):
        jobs.insert(2 * place + 1, face_job(key=name, template=name))
    before = time.monotonic()
    results = {result.key: result for result in tight.run(jobs, templates=bombs)}
    assert list(results) == [job.key for job in jobs]
    assert time.monotonic() - before < 30
    for key, result in results.items():
        assert (codes(result), result.face is None) == ((["E620"], True) if key in bombs else ([], False)), key
    assert found(results["flex"], "E620").detail == "it takes more time than a page may"
    assert found(results["memory"], "E620").detail == "it needs more memory than the worker may have"
    assert diagnostic(found(results["flex"], "E620")).message == "typesetting this costs too much: it takes more time than a page may"


@POSIX
def test_pages_without_end(tight: Press) -> None:
    css = (RENDER / "w12-tiny-page.css").read_text("utf-8")
    result = tight.document(f"<p>{words(3000)}</p>", css=css)
    assert codes(result) == ["E620"]
    assert result.pdf is None
    result = tight.document("<p style='break-after:page'>a</p>" * 41, css="")
    assert diagnostic(found(result, "E620")).message == "typesetting this costs too much: expected at most 40 pages, found 41"
    assert tight.document("<p style='break-after:page'>a</p>" * 39, css="").findings == ()


@POSIX
def test_a_theme_that_costs_too_much_and_the_next_one_works(tight: Press) -> None:
    deep = tight.face("<p>a</p>", css="@media print{" * 3000 + "p{color:red}" + "}" * 3000)
    assert found(deep, "E616").detail == "blocks stand inside more than 20 others"
    doubling = "p{" + "&,&{" * 18 + "color:red" + "}" * 19
    costly = tight.face("<p>a</p>", css={"fonts.css": FONT_CSS + doubling})
    assert (codes(costly), costly.face) == (["E620"], None)
    assert tight.face("<p>a</p>").findings == ()


def test_an_element_has_its_bound(tight: Press) -> None:
    hundred = " ".join(f"data-{number}" for number in range(LIMITS.attributes))
    assert tight.face(f"<p {hundred}>a</p>").findings == ()
    (found_out,) = tight.face(f"<p {hundred} title=x>a</p>").findings
    assert diagnostic(found_out).message == "a page may not hold more than 100 attributes in one element, here in `p`"
    assert len(diagnostic(found_out).hints) == 1


def test_a_job_needs_its_theme(press: Press) -> None:
    with pytest.raises(KeyError):
        next(press.typesetter.run([face_job(theme="nowhere")]))


def test_jobs_are_taken_as_they_are_needed_and_results_stay_in_order(press: Press) -> None:
    taken: list[str] = []

    def jobs() -> Iterator[FaceJob]:
        for number in range(200):
            taken.append(str(number))
            yield face_job(str(number), key=str(number))

    press.typesetter.open(small_theme())
    results = press.typesetter.run(jobs())
    assert next(results).key == "0"
    assert len(taken) < 100
    results.close()
    assert [result.key for result in press.typesetter.run([face_job(key="a"), face_job(key="b")])] == ["a", "b"]


@LINUX
def test_a_worker_sees_nothing_of_its_parent(press: Press, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEASONS_SECRET", "swordfish")
    (tmp_path / "jinja2.py").write_text("raise SystemExit('imported from the current folder')")
    monkeypatch.chdir(tmp_path)
    secret = os.open(tmp_path / "open", os.O_RDWR | os.O_CREAT)
    os.set_inheritable(secret, True)
    with Typesetter(workers=1, scratch=tmp_path / "scratch") as typesetter:
        assert typesetter.fault() is None
        (scratch,) = (tmp_path / "scratch").iterdir()
        (process,) = [path for path in Path("/proc").glob("[0-9]*") if _cwd(path).startswith(str(scratch))]
        environment = dict(pair.split("=", 1) for pair in (process / "environ").read_text().split("\0") if pair)
        assert {name: environment[name] for name in ("PATH", "LANG")} == {"PATH": "/nonexistent", "LANG": "C.UTF-8"}
        assert len(environment) < 12
        assert "swordfish" not in str(environment)
        assert not {"PYTHONPATH", "USER", "PWD", "SSH_AUTH_SOCK"} & set(environment)
        opened = {_link(path) for path in (process / "fd").iterdir()}
        assert all(path.startswith(("pipe:", "/dev/null", str(scratch))) for path in opened), opened
        assert os.getsid(int(process.name)) == int(process.name)
        typesetter.open(small_theme())
        assert next(typesetter.run([face_job("rope")])).findings == ()
    os.close(secret)
    assert not process.exists()
    assert list((tmp_path / "scratch").iterdir()) == []


def _cwd(path: Path) -> str:
    return _link(path / "cwd")


def _link(path: Path) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


@LINUX
def test_a_worker_starts_no_program_and_opens_no_connection(tmp_path: Path) -> None:
    program = (
        "import sys, runpy\n"
        "def hook(event, args):\n"
        "    if event.startswith(('socket.', 'subprocess.', 'os.system', 'os.exec', 'os.posix_spawn', 'os.fork', 'urllib.')):\n"
        "        print('event', event, file=sys.stderr)\n"
        "sys.addaudithook(hook)\n"
        f"runpy.run_path({str(process._PROGRAM)!r}, run_name='__main__')\n"
    )
    events = tmp_path / "events"
    with _program(tmp_path, program, stderr=events) as typesetter:
        typesetter.open(small_theme())
        assert next(typesetter.run([face_job("rope")])).findings == ()
        assert next(typesetter.run([face_job("rope", template="bad")])).face is None
    assert events.read_text() == ""


# A parent that believes little


class _program:
    """A typesetter whose worker is another program."""

    def __init__(self, folder: Path, text: str, *, limits: Limits = LIMITS, stderr: Path | None = None) -> None:
        path = folder / "program.py"
        redirect = f"import os\nos.dup2(os.open({str(stderr)!r}, os.O_WRONLY | os.O_CREAT), 2)\n" if stderr else ""
        path.write_text(redirect + text)
        self._patch = pytest.MonkeyPatch()
        self._patch.setattr(process, "_PROGRAM", path)
        self._limits = limits

    def __enter__(self) -> Typesetter:
        self._typesetter = Typesetter(workers=1, limits=self._limits)
        return self._typesetter

    def __exit__(self, *error: object) -> None:
        self._typesetter.close()
        self._patch.undo()


FAKE = f"""
import sys, json, os, time
sys.path.append({str(Path(process.__file__).parents[2])!r})
from seasons_build.core.wire import read_message, write_message
requests, answers = os.fdopen(0, 'rb'), os.fdopen(1, 'wb')
read_message(requests, 1 << 30)
write_message(answers, {{"started": True, "versions": {{"pango": "1"}}}})
read_message(requests, 1 << 30)
write_message(answers, {{"loaded": "t"}})
read_message(requests, 1 << 30)
"""


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("sys.exit(0)", "E621"),
        ("os.abort()", "E621"),
        ("os.kill(os.getpid(), 9)", "E620"),
        ("answers.write(b'nonsense' * 99); answers.flush(); time.sleep(9)", "E621"),
        ("answers.write(b'\\0\\0\\0\\x05[[[[['); answers.flush(); time.sleep(9)", "E621"),
        ("write_message(answers, {}); time.sleep(9)", "E621"),
        ("write_message(answers, {'fit': 7, 'classes': '', 'pages': 1, 'findings': []}); time.sleep(9)", "E621"),
        ("write_message(answers, {'fit': 0, 'classes': '', 'pages': 1, 'findings': [{'code': 'X'}]}); time.sleep(9)", "E621"),
        ("write_message(answers, {'fit': 0, 'classes': '', 'pages': 1, 'findings': []}, [b'no face']); time.sleep(9)", "E621"),
        ("answers.write((1 << 31).to_bytes(4, 'big')); answers.flush(); time.sleep(9)", "E621"),
        ("time.sleep(60)", "E620"),
    ],
)
@POSIX
def test_a_worker_that_answers_badly(tmp_path: Path, answer: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_WALL", 1)
    with _program(tmp_path, FAKE + answer) as typesetter:
        typesetter.open(small_theme())
        (result,) = typesetter.run([face_job()])
    assert codes(result) == [code]
    assert diagnostic(result.findings[0]).message


def test_a_fault_of_ours_in_a_worker_is_raised(tmp_path: Path) -> None:
    with _program(tmp_path, FAKE + "write_message(answers, {'fault': 'it broke'}); time.sleep(9)") as typesetter:
        typesetter.open(small_theme())
        with pytest.raises(RuntimeError, match="it broke"):
            list(typesetter.run([face_job()]))


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("raise SystemExit(3)", "cannot typeset on this machine: the typesetter does not start: it ends without a word"),
        ("raise ImportError('no module named jinja2')", "the typesetter does not start: ImportError: no module named jinja2"),
        (
            "import sys, runpy\n"
            "class Missing:\n"
            "    def find_spec(self, name, path=None, target=None):\n"
            "        if name == 'weasyprint':\n"
            "            raise OSError(\"cannot load library 'libpango-1.0.so.0': no such file\")\n"
            "sys.meta_path.insert(0, Missing())\n"
            f"runpy.run_path({str(process._PROGRAM)!r}, run_name='__main__')\n",
            "cannot typeset on this machine: the library Pango is missing, or a part of it",
        ),
    ],
)
def test_where_no_worker_can_start_every_job_gets_the_one_finding(tmp_path: Path, program: str, message: str) -> None:
    with _program(tmp_path, program) as typesetter:
        typesetter.open(small_theme())
        fault = typesetter.fault()
        assert fault is not None
        assert message in diagnostic(fault).message
        assert diagnostic(fault).hints[-1] == "`seasons doctor` says what is missing and how to get it"
        assert len(diagnostic(fault).hints) == (2 if "Pango" in message else 1)
        assert typesetter.versions() == {}
        results = list(typesetter.run([face_job(key="a"), document_job(key="b")]))
    assert [(result.key, result.findings) for result in results] == [("a", (fault,)), ("b", (fault,))]


def test_a_typesetter_may_be_closed_at_any_time() -> None:
    Typesetter(workers=2).close()
    with Typesetter(workers=1) as typesetter:
        typesetter.open(small_theme())
        results = typesetter.run([face_job(str(number)) for number in range(99)])
        next(results)
    with pytest.raises(RuntimeError, match="closed"):
        list(results)
    typesetter.close()


def test_who_waits_for_a_worker_to_start_is_told_that_the_typesetter_is_closed(tmp_path: Path) -> None:
    told: list[str] = []

    def ask() -> None:
        with pytest.raises(RuntimeError, match="closed"):
            typesetter.tools()
        told.append("closed")

    with _program(tmp_path, "import time; time.sleep(60)") as typesetter:
        waiting = threading.Thread(target=ask)
        waiting.start()
        typesetter.close()
        waiting.join(10)
    assert told == ["closed"]


def test_a_closed_typesetter_starts_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    typesetter = Typesetter(workers=1, at_once=0)
    typesetter.open(small_theme())
    typesetter.close()
    monkeypatch.setattr(process.subprocess, "Popen", None)
    with pytest.raises(RuntimeError, match="closed"):
        typesetter.fault()
    with pytest.raises(RuntimeError, match="closed"):
        list(typesetter.run([face_job("rope")]))


@POSIX
@pytest.mark.parametrize("error", [ProcessLookupError, PermissionError])
def test_a_worker_that_ends_while_it_is_ended(error: type[OSError], monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.killpg

    def late(group: int, number: int) -> None:
        real(group, number)
        raise error

    monkeypatch.setattr(os, "killpg", late)
    Typesetter(workers=1).close()


# Temporary files


@POSIX
@pytest.mark.parametrize("number", [0, 1, 2])
def test_an_interrupt_while_the_workers_start(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, begun = threading.Thread.start, []

    def start(thread: threading.Thread) -> None:
        if len(begun) == number:
            raise KeyboardInterrupt
        begun.append(thread)
        real(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(KeyboardInterrupt):
        Typesetter(workers=2, scratch=tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert not any(thread.is_alive() for thread in begun)


@POSIX
def test_what_the_dead_leave_is_swept_and_what_the_living_use_is_not(tmp_path: Path) -> None:
    living = Scratch(tmp_path)
    program = f"from seasons_build.core.scratch import *; s = Scratch(Path({str(tmp_path)!r})); s.folder(); os.abort()"
    subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert len(list(tmp_path.iterdir())) == 2
    (tmp_path / "else").mkdir()
    (tmp_path / "seasons-scratch-link").symlink_to(tmp_path / "else")
    third = Scratch(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([living.root.name, third.root.name, "else", "seasons-scratch-link"])
    living.remove()
    third.remove()
    third.remove()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["else", "seasons-scratch-link"]


def test_the_parent_imports_nothing_heavy() -> None:
    heavy = ("weasyprint", "jinja2", "PIL", "pikepdf", "fontTools")
    program = f"import sys, seasons_build.typeset.typesetter; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip() == "[]"


def test_a_large_theme_crosses_the_pipe(press: Press) -> None:
    images = {"noise.bin": os.urandom(3_000_000)}
    theme = small_theme(templates={"card": CARD}, images=images, fonts=ALL_FONTS, floor_pt=Fraction(1))
    assert isinstance(theme, Theme)
    press.typesetter.open(theme)
    assert next(press.typesetter.run([face_job("rope")])).findings == ()


def test_a_fault_of_ours_where_a_worker_is_asked_is_raised_and_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def fallen(self: process.Process) -> None:
        raise TypeError("a fault of ours")

    monkeypatch.setattr(process.Process, "hello", fallen)
    with Typesetter(workers=2) as typesetter:
        typesetter.open(small_theme())
        with pytest.raises(TypeError, match="a fault of ours"):
            list(typesetter.run([face_job("rope")]))
        with pytest.raises(TypeError, match="a fault of ours"):
            typesetter.tools()


@POSIX
def test_a_scratch_folder_whose_owner_died_before_he_held_it_is_swept(tmp_path: Path) -> None:
    for name in ("seasons-scratch-born", "seasons-scratch-taking"):
        (tmp_path / name).mkdir()
    (tmp_path / "seasons-scratch-taking" / "taking").write_bytes(b"")
    scratch = Scratch(tmp_path)
    assert [path.resolve() for path in tmp_path.iterdir()] == [scratch.root]
    scratch.remove()
    assert list(tmp_path.iterdir()) == []


@POSIX
def test_who_is_swept_before_he_holds_his_folder_makes_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = os.open, []

    def swept(path: str | Path, *rest: int, **more: int) -> int:
        if Path(path).name == "taking" and not calls:
            calls.append(path)
            Scratch(tmp_path).remove()
        return real(path, *rest, **more)

    monkeypatch.setattr(os, "open", swept)
    scratch = Scratch(tmp_path)
    assert [path.resolve() for path in tmp_path.iterdir()] == [scratch.root]
    scratch.remove()


def test_a_typesetter_at_rest_has_no_workers_and_goes_on_when_there_are_more_jobs(tmp_path: Path) -> None:
    with Typesetter(workers=1, scratch=tmp_path) as typesetter:
        press = Press(typesetter)
        (before,) = press.run([face_job("words")])
        typesetter.rest()
        while any(tmp_path.rglob("stderr")):  # it is not waited for
            time.sleep(0.01)
        (after,) = press.run([face_job("words")])
        assert after.face is not None and after == before
        typesetter.rest()
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "expected",
    [
        Expected("card", ("fonts.css", "page.css", "own.css")),
        Expected("other", ("own.css",)),
        Expected("nonesuch", ("nonesuch.css",)),
        Expected("faulty", ("faulty.css", "page.css")),
    ],
)
def test_what_is_expected_changes_nothing(tmp_path: Path, expected: Expected) -> None:
    templates = {"card": CARD, "other": "{% include 'card' %}", "faulty": "{% for %}"}
    theme = small_theme(templates=templates, css={"own.css": "h1{color:red}", "faulty.css": "h1{colour:red}"})
    asked = (("card", "own.css"), ("faulty", "faulty.css"))
    jobs = [face_job(template=name, stylesheets=("fonts.css", "page.css", css)) for name, css in asked]
    with Typesetter(workers=1, scratch=tmp_path / "a") as typesetter:
        typesetter.open(theme)
        plain = list(typesetter.run(jobs))
    with Typesetter(workers=1, scratch=tmp_path / "b") as typesetter:
        typesetter.open(theme, expected)
        typesetter.open(replace(theme))
        assert list(typesetter.run(jobs)) == plain
    assert plain[0].face is not None and plain[1].findings


def test_a_theme_takes_the_place_of_the_one_that_was_expected(press: Press) -> None:
    before = small_theme(templates={"card": "<h1>{{ entry.name }}</h1>"})
    after = small_theme(templates={"card": CARD})
    press.typesetter.open(before, Expected("card", ("fonts.css",)))
    press.typesetter.open(after)
    (made,) = press.typesetter.run([face_job("words")])
    press.typesetter.open(after)
    assert list(press.typesetter.run([face_job("words")])) == [made]
    assert made.face is not None and not made.findings

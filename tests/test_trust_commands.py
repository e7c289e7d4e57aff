"""What every command asks the system for on a stranger's project: its own files, no address, no program but those that the page names; and
that each says and writes the same wherever it is called."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from every_command import COMMANDS, LASTING, OUTSIDE, leaves, make
from small_project import environment, files, seasons
from test_same_bytes import ABROAD, OTHERS, Place, differing
from test_trust_process import AUDITED, ROOT, SYSTEM

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at what Linux is asked for")

WORKER = str(ROOT / "seasons_build/worker/__main__.py")
PROGRAMS = {
    "build": (WORKER,),
    "watch": (WORKER,),
    "serve": (WORKER,),
    "doctor": (WORKER,),
    "import": (str(ROOT / "seasons_build/worker/sheet.py"),),
    "verify": (str(ROOT / "seasons_build/finish/looker.py"),),
    "diff": ("git",),
}
"""The programs that commands start; the others start none."""
GIVEN = ("gift.csv", "gift.pdf", "stranger.zip", "pictures", "before")
"""What lies beside the project and is named on the command line."""
TIMES = re.compile(r"in \d+\.\d s")
SLOW = re.compile(r"^\w+: \d+ of \d+.*\n", re.MULTILINE)
"""What a machine says that keeps somebody waiting."""

Seen = list[tuple[str, str]]


def test_no_command_is_forgotten() -> None:
    assert sorted(leaves()) == sorted((*COMMANDS, *LASTING))


@pytest.fixture(scope="module", params=["sound", pytest.param("broken", marks=pytest.mark.slow)])
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[str, Seen]]:
    """What all commands asked for, one after the other, in a project that is sound and in one that is not."""
    place = tmp_path_factory.mktemp(request.param)
    root = make(place, broken=request.param == "broken")
    before = outside(place)
    heard: dict[str, Seen] = {}
    for name, calls in COMMANDS.items():
        for words in calls:
            ran = audited(root, place, *words)
            _, err = ran.communicate(timeout=120)
            assert ran.returncode in ((0, 1) if request.param == "sound" else (0, 1, 2)), err.decode()
            heard.setdefault(name, []).extend(said(place))
    for name in LASTING:
        heard[name] = lasting(root, place, name)
    assert outside(place) == before, "something beside the project was changed"
    return place, heard


def audited(root: Path, place: Path, *words: str) -> subprocess.Popen[bytes]:
    """A command under the hook."""
    return subprocess.Popen(
        [sys.executable, str(AUDITED), *words],
        cwd=root,
        env=environment(place / "scratch", AUDIT=str(place / "audit")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def said(place: Path) -> Seen:
    """What the hook of the last command has noted."""
    lines = (place / "audit").read_text(encoding="utf-8").split("\n")
    return [(event, what) for event, _, what in (line.partition("\t") for line in lines)]


def outside(place: Path) -> dict[str, bytes]:
    """All that lies beside the project but what the test itself makes."""
    return {name: data for name, data in files(place).items() if not name.startswith(("p/", "scratch/", "audit"))}


def lasting(root: Path, place: Path, name: str) -> Seen:
    """What a command that lasts asks for until it has settled and is ended; the preview is asked for its page."""
    running = audited(root, place, name, "--jobs", "1", *(("--port", "0") if name == "serve" else ()))
    assert running.stdout is not None
    try:
        if name == "serve":
            address = running.stdout.readline().decode().strip()
            port = int(address.rstrip("/").rpartition(":")[2])
            for _ in range(3):
                with socket.create_connection(("127.0.0.1", port), timeout=30) as caller:
                    caller.sendall(f"GET /state HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
                    assert caller.makefile("rb").readline().startswith(b"HTTP/1.1 200")
                time.sleep(0.5)
        else:
            until(lambda: any(root.glob("dist/manifest.json")) or running.poll() is not None)
    finally:
        running.send_signal(signal.SIGTERM)
        _, err = running.communicate(timeout=60)
    assert b"fault of ours" not in err and b"Traceback" not in err
    return said(place)


def until(holds: object) -> None:
    """Waits until something holds, half a minute at most."""
    assert callable(holds)
    for _ in range(300):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("it never came")


def test_each_opens_its_own_files_alone(asked: tuple[Path, Mapping[str, Seen]]) -> None:
    place, heard = asked
    own = (str(ROOT), sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix), *SYSTEM)
    there = tuple(str(place / name) for name in ("p", "scratch", "audit", *GIVEN))
    for name, seen in heard.items():
        opened = {what for event, what in seen if event in ("open", "os.listdir", "os.scandir") and not what.isdecimal()}
        assert opened, name
        whole = {os.path.normpath(place / "p" / what) for what in opened}
        assert sorted(what for what in whole if not what.startswith((*own, *there))) == [], name
        assert not any(OUTSIDE in what or "secret.yaml" in what for what in opened), name


def test_none_connects_and_only_the_preview_listens(asked: tuple[Path, Mapping[str, Seen]]) -> None:
    for name, seen in asked[1].items():
        spoken = {(event, what) for event, what in seen if event.startswith("socket.") and event != "socket.__new__"}
        if name == "serve":
            assert spoken and all(event == "socket.bind" and what.startswith("('127.0.0.1', ") for event, what in spoken), spoken
        else:
            assert spoken == set(), name


def test_each_starts_the_programs_that_are_named_and_no_other(asked: tuple[Path, Mapping[str, Seen]]) -> None:
    for name, seen in asked[1].items():
        started = [what for event, what in seen if event.startswith(("subprocess.", "os.")) and event not in ("os.listdir", "os.scandir")]
        for what in started:
            first, *_ = what.split()
            last = what.split()[-1]
            assert any(last == program if program != "git" else first == program for program in PROGRAMS.get(name, ())), (name, what)
        assert bool(started) or name not in ("verify", "import", "diff", "doctor"), name


# Wherever it is called


def life(home: Path, place: Place) -> tuple[list[tuple[object, ...]], dict[str, bytes]]:
    """What all commands say, one after the other, and the files that there are in the end."""
    around = home / place.folder
    root = make(around, broken=False)
    for path in sorted((path for path in around.rglob("*") if path.is_file()), reverse=place.backwards):
        os.utime(path, (place.born, place.born))
    told: list[tuple[object, ...]] = []
    before = os.umask(place.mask)
    try:
        for calls in COMMANDS.values():
            for words in calls:
                if "--jobs" in words:
                    words = tuple(place.jobs if before == "--jobs" else word for before, word in zip(("", *words), words, strict=False))
                asked = {**place.environment, "PYTHONIOENCODING": "utf-8"}
                said = seasons(root, home / "s", *words, **asked)
                told.append((words[:2], *(TIMES.sub("in a while", SLOW.sub("", str(part))) for part in said)))
                if words[0] == "build":
                    told.append(tuple(sorted(files(root / "dist"))))
    finally:
        os.umask(before)
    made = {name: data for name, data in files(root).items() if not name.startswith((".git/", ".seasons-cache/", "dist/."))}
    return told, made


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[tuple[object, ...]], dict[str, bytes]]:
    return life(tmp_path_factory.mktemp("plain"), Place())


Told = tuple[list[tuple[object, ...]], dict[str, bytes]]


def same(one: Told, other: Told) -> None:
    """Holds the lives of two projects to have been the same."""
    for here, there in zip(one[0], other[0], strict=True):
        assert here == there
    assert differing(one[1], other[1]) == []


def test_every_command_says_and_writes_the_same_elsewhere(plain: Told, tmp_path: Path) -> None:
    same(plain, life(tmp_path, Place("a place, ünd far", ABROAD, 0o077, "3", 2 * 10**9, True)))


@pytest.mark.slow
@pytest.mark.parametrize("what", [name for name, place in OTHERS.items() if not place.again])
def test_every_command_with_one_thing_different(plain: Told, tmp_path: Path, what: str) -> None:
    same(plain, life(tmp_path, OTHERS[what]))

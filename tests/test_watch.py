"""`seasons watch`: whatever somebody does to the files, what is printed in the end is what a build of them prints."""

from __future__ import annotations

import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_project import content, files, make, seasons, start

from seasons_build.store import FOLDER

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
MARKS = (".seasons-lock", ".seasons-output")


class Watching:
    """A `seasons watch` at work, and what it has said."""

    def __init__(self, root: Path, scratch: Path, *words: str, straw: bool = True) -> None:
        self.root = root
        self.process = start(root, scratch, "watch", *words, straw=straw)
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.until(lambda: any("typeset, in" in line for line in self.said))

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line.decode())

    def until(self, done: Callable[[], bool], seconds: float = 30) -> None:
        """Waits for something, with patience for a busy machine."""
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, "".join(self.said)
            assert self.process.poll() is None, "".join(self.said)
            time.sleep(0.02)

    def after(self, change: Callable[[], None]) -> str:
        """What was said after a change, once a build has ended."""
        before = len(self.said)
        change()
        self.until(lambda: any("typeset, in" in line for line in self.said[before:]))
        return "".join(self.said[before:])

    def prints(self, good: dict[str, bytes]) -> None:
        """Waits until the output is this."""
        self.until(lambda: printed(self.root) == good)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(20)
        self._reader.join(5)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code


def printed(root: Path) -> dict[str, bytes]:
    return {name: data for name, data in files(root / "dist").items() if name not in MARKS and "/.tmp-" not in f"/{name}"}


def clean(root: Path, *, straw: bool = True) -> dict[str, bytes]:
    """What a build from nothing makes of the files as they are."""
    place = root.parent / "clean"
    shutil.copytree(root, place, ignore=shutil.ignore_patterns("dist", FOLDER))
    seasons(place, root.parent / "s", "build", straw=straw)
    made = printed(place)
    shutil.rmtree(place)
    return made


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    found = Watching(make(tmp_path / "p", products=True), tmp_path / "s")
    yield found
    if found.process.poll() is None:
        found.stop()


def test_a_save_is_built_and_told(watching: Watching) -> None:
    charms = watching.root / "content/charms/all.yaml"
    said = watching.after(lambda: charms.write_text(content("two"), encoding="utf-8") and None)
    assert "changed: content/charms/all.yaml" in said
    assert "4 files new" in said
    watching.prints(clean(watching.root))
    assert "watching; Ctrl-C ends it\n" in watching.said
    assert watching.stop() == 0
    assert watching.said[-1] == "watching no more: the files of the last build stay as they are\n"
    assert not any("Traceback" in line for line in watching.said)


def test_a_broken_file_in_between(watching: Watching) -> None:
    charms = watching.root / "content/charms/all.yaml"
    before = printed(watching.root)
    said = watching.after(lambda: charms.write_text(content("two") + "  bad: [\n", encoding="utf-8") and None)
    assert "error[E125]" in said
    assert "all.yaml:5:8" in said
    assert printed(watching.root) == before, "the last good pages stay"
    said = watching.after(lambda: charms.write_text(content("two"), encoding="utf-8") and None)
    assert "no faults" in said
    watching.prints(clean(watching.root))


@pytest.mark.parametrize("command", [["watch"], ["serve", "--port", "0"]])
def test_nothing_to_wait_for(tmp_path: Path, command: list[str]) -> None:
    root = make(tmp_path / "p", products=True)
    code, _, err = seasons(root, tmp_path / "s", *command, "lits-1", straw=True)
    assert code == 1
    assert "there is no product `lits-1`" in err
    assert "did you mean `list-" in err
    (tmp_path / "empty").mkdir()
    code, _, err = seasons(tmp_path / "empty", tmp_path / "s", *command, straw=True)
    assert code == 2
    assert "this project has no packs of its own" in err


def test_many_saves_at_once(watching: Watching) -> None:
    charms = watching.root / "content/charms/all.yaml"
    said = len(watching.said)
    for number in range(500):
        charms.write_text(content(f"word {number}"), encoding="utf-8")
    watching.prints(clean(watching.root))
    assert sum("typeset, in" in line for line in watching.said[said:]) < 20


def test_files_half_written_renamed_removed_and_made_anew(watching: Watching) -> None:
    folder = watching.root / "content/charms"
    charms, text = folder / "all.yaml", content("three")
    with charms.open("w", encoding="utf-8") as file:
        for start in range(0, len(text), 40):
            file.write(text[start : start + 40])
            file.flush()
            time.sleep(0.02)
    (folder / "more.yaml.tmp").write_text("charm:\n  cat: {name: Cat, luck: 9}\n", encoding="utf-8")
    (folder / "more.yaml.tmp").rename(folder / "more.yaml")
    (folder / "sub").mkdir()
    (folder / "more.yaml").rename(folder / "sub" / "other.yaml")
    charms.unlink()
    charms.write_text(text, encoding="utf-8")
    (folder / "4913").write_text("", encoding="utf-8")
    (folder / "4913").unlink()
    shutil.move(watching.root / "schemas", watching.root / "elsewhere")
    time.sleep(0.2)
    shutil.move(watching.root / "elsewhere", watching.root / "schemas")
    watching.prints(clean(watching.root))
    shutil.rmtree(folder / "sub")
    watching.prints(clean(watching.root))


def test_builds_and_cleaning_beside_it(watching: Watching) -> None:
    root, scratch = watching.root, watching.root.parent / "s"
    for word in ("four", "five", "six"):
        (root / "content/charms/all.yaml").write_text(content(word), encoding="utf-8")
        running = [start(root, scratch, "build", straw=True) for _ in range(2)]
        for process in running:
            _, err = process.communicate(timeout=60)
            assert process.returncode == 0, err.decode()
        watching.prints(clean(root))
    assert seasons(root, scratch, "clean", straw=True)[0] == 0
    (root / "content/charms/all.yaml").write_text(content("seven"), encoding="utf-8")
    watching.prints(clean(root))


@pytest.mark.slow
def test_real_cards(tmp_path: Path) -> None:
    watching = Watching(make(tmp_path / "p"), tmp_path / "s", straw=False)
    try:
        (watching.root / "content/charms/all.yaml").write_text(content("two"), encoding="utf-8")
        watching.prints(clean(watching.root, straw=False))
    finally:
        assert watching.stop() == 130
    assert list((tmp_path / "s").iterdir()) == []

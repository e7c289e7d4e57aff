"""Where a machine is not as a program would like it: pipes and devices in place of files, nowhere to print, a folder that is gone, names
that are too long or no text, a signal. Each ends at once, with words and an exit code."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from running import Run
from small_project import START, files, make, seasons, start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes, devices and signals of POSIX")

FULL = Path("/dev/full")
LONG = "a" * 300


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project as the current folder."""
    monkeypatch.chdir(make(tmp_path / "p"))
    return tmp_path / "p"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--pack", "pipe", "check"), "it is not a regular file"),
        (("--pack", "/dev/zero", "check"), "it is not a regular file"),
        (("import", "pipe.csv", "--kind", "charm"), "`pipe.csv` cannot be read: it is not a regular file"),
        (("import", "pipe.pdf", "--kind", "charm"), "`pipe.pdf` cannot be read: it is not a regular file"),
        (("verify", "pipe", "--profile", "home-a4"), "`pipe` cannot be read: it is not a regular file"),
        (("verify", "/dev/zero", "--profile", "home-a4"), "`zero` cannot be read: it is not a regular file"),
        (("pack", "check"), "there is no `seasons.lock`"),
    ],
)
def test_what_never_ends_is_not_read(home: Path, run: Run, words: tuple[str, ...], said: str) -> None:
    for name in ("pipe", "pipe.csv", "pipe.pdf", "seasons.lock"):
        os.mkfifo(home / name)
    found = run(*words)
    assert found.code == 1
    assert said in found.out + found.err


def test_settings_that_never_end_are_left(home: Path, run: Run) -> None:
    (home / ".vscode").mkdir()
    os.mkfifo(home / ".vscode/settings.json")
    found = run("schema")
    assert found.code == 0
    assert "N760" in found.err


@pytest.mark.parametrize(
    "words",
    [
        ("new", "charm", LONG),
        ("new", "pack", LONG, "--for", "charms"),
        ("--project", LONG, "check"),
        ("check", f"{LONG}.yaml"),
        ("diff", LONG),
        ("explain", LONG),
        ("export", "json", "--out", f"{LONG}.json"),
        ("export", "html", "--out", LONG),
        ("align", "--out", f"{LONG}.pdf"),
        ("pack", "bundle", "--out", LONG),
    ],
)
def test_a_name_that_is_too_long(home: Path, run: Run, words: tuple[str, ...]) -> None:
    before = files(home)
    found = run(*words)
    assert found.code in (1, 2)
    assert "aaa" in found.out + found.err
    assert files(home) == before


def test_a_folder_with_a_name_that_is_no_text(home: Path, tmp_path: Path) -> None:
    make(home, products=True)
    out = os.fsencode(home) + b"/o\xffut"
    try:
        os.mkdir(out)
    except OSError:
        pytest.skip("this file system has text as names alone")
    for _ in range(2):
        asked = [sys.executable, str(Path(__file__).with_name("straw_press.py")), "build", "--out", b"o\xffut"]
        ran = subprocess.run(asked, cwd=home, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr
        assert b"o\\udcffut/charms/list-1.pdf" in ran.stdout


def test_the_cache_is_no_place_for_output(home: Path, run: Run) -> None:
    found = run("build", "--out", ".seasons-cache/x")
    assert found.code == 1
    assert "E802" in found.err and "where builds keep what they have made" in found.err


def test_the_folder_is_gone(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    words = " ".join(("rmdir ../gone;", sys.executable, "-c", f"'{START}'", "check"))
    ran = subprocess.run(["sh", "-c", words], cwd=tmp_path / "gone", capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "Error: the folder that you are in is gone; change to another one\n")


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize(("ends", "code", "said"), [(">/dev/full", 1, "E784"), (">/dev/full 2>/dev/full", 1, ""), (">&- 2>&- <&-", 0, "")])
def test_nowhere_to_print(home: Path, ends: str, code: int, said: str) -> None:
    ran = subprocess.run(["sh", "-c", f"{sys.executable} -c '{START}' list {ends}"], capture_output=True, text=True, check=False)
    assert ran.returncode == code
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr and "Exception" not in ran.stderr


@pytest.mark.parametrize(("words", "code"), [("list", 0), ("--help", 0), ("show nothing-there", 2), ("check", 0)])
@pytest.mark.parametrize("ends", ["{}", "{} 2>&1"])
def test_who_reads_goes_away(home: Path, words: str, code: int, ends: str) -> None:
    ran = f"(sleep 0.3; {ends.format(f'{sys.executable} -m seasons_build {words}')}; echo ended with $? >&9) | true"
    found = subprocess.run(["bash", "-c", f"exec 9>&2; {ran}"], cwd=home, capture_output=True, text=True, check=False)
    assert "Traceback" not in found.stderr and "Exception" not in found.stderr
    assert found.stderr.split("\n")[-2] == f"ended with {code}"


@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_a_build_that_nobody_hears_is_a_build(home: Path, reader: str) -> None:
    for _ in range(3):
        shutil.rmtree(home / "dist", ignore_errors=True)
        ran = f"{sys.executable} -m seasons_build build 2>&1 | {reader}; echo ${{PIPESTATUS[0]}}"
        found = subprocess.run(["bash", "-c", ran], cwd=home, capture_output=True, text=True, check=False)
        assert found.stdout.split("\n")[-2] == "0"
        assert (home / "dist" / "manifest.json").is_file()


def test_a_watch_that_nobody_hears_ends(home: Path) -> None:
    ran = f"(sleep 0.3; {sys.executable} -m seasons_build watch 2>&1; echo ended with $? >&9) | true"
    found = subprocess.run(["bash", "-c", f"exec 9>&2; {ran}"], cwd=home, capture_output=True, text=True, check=False, timeout=60)
    assert found.stderr == "ended with 0\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_told_to_end(home: Path, tmp_path: Path, number: signal.Signals) -> None:
    outer = signal.signal(number, signal.SIG_DFL)  # what runs the tests may let none through
    process = start(home, tmp_path / "s", "watch", "--jobs", "1")
    signal.signal(number, outer)
    assert process.stderr is not None
    process.stderr.readline()
    time.sleep(0.2)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err.decode().split("\n")[-2]) == (128 + number, "interrupted: the files of the last build are still whole")
    assert list((tmp_path / "s").iterdir()) == []


def test_a_damaged_archive_is_not_compared(home: Path, tmp_path: Path, run: Run) -> None:
    assert run("pack", "bundle").code == 0
    whole = home / "charms-1.zip"
    damaged = bytearray(whole.read_bytes())
    with zipfile.ZipFile(whole) as archive:
        info = archive.getinfo("all.yaml")
    damaged[info.header_offset + 30 + len("all.yaml") + 5] ^= 0x55
    (tmp_path / "damaged.zip").write_bytes(damaged)
    found = run("diff", str(tmp_path / "damaged.zip"))
    assert found.code == 1
    assert "E100" in found.err and "nothing is compared" in found.err
    (tmp_path / "none.zip").write_bytes(b"PK")
    found = run("diff", str(tmp_path / "none.zip"))
    assert found.code == 2
    assert "none.zip` is no pack: it is damaged, or no zip archive" in found.err
    code, _, err = seasons(home, tmp_path / "s", "diff", str(whole))
    assert (code, err) == (0, "0 entries differ\n")

"""Set-up on machines that lack something: what it says, and that it goes on. No machine is touched: its tools are stand-ins."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "bench" / "setup.sh"
NEEDED = ("dirname", "grep", "mktemp", "rm", "tail", "touch")
NOTHING = "#!/bin/sh\n"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="make is not how Windows is set up")


def machine(folder: Path, tools: dict[str, str], *, pango: bool) -> tuple[Path, Path]:
    """The tools of a machine, and an environment on it in which everything but Pango may be there."""
    path, venv = folder / "path", folder / "venv"
    path.mkdir()
    (venv / "bin").mkdir(parents=True)
    for name in NEEDED:
        found = shutil.which(name)
        assert found
        (path / name).symlink_to(found)
    for name, text in {"uname": NOTHING + "echo Linux\n", "id": NOTHING + "echo 1000\n", **tools}.items():
        (path / name).write_text(text)
        (path / name).chmod(0o755)
    python = venv / "bin" / "python"
    python.write_text(NOTHING + f'case "$*" in *weasyprint*) {"echo whole" if pango else "exit 1"} ;; esac\n')
    python.chmod(0o755)
    (venv / "installed").touch()
    return path, venv


def set_up(path: Path, venv: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", str(SCRIPT), str(venv)], env={"PATH": str(path), "TMPDIR": str(path)}, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize(
    ("tools", "command"),
    [
        ({"apt-get": NOTHING}, "sudo apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"),
        ({"dnf": NOTHING}, "sudo dnf install pango"),
        ({"pacman": NOTHING}, "sudo pacman -S pango"),
        ({"apk": NOTHING}, "sudo apk add pango harfbuzz-subset"),
        ({"uname": NOTHING + "echo Darwin\n"}, "brew install pango"),
        ({"uname": NOTHING + "echo MINGW64_NT-10.0\n"}, "pacman -S mingw-w64-x86_64-pango"),
    ],
    ids=["Debian", "Fedora", "Arch", "Alpine", "macOS", "Windows"],
)
def test_without_pango_it_names_the_one_command_and_goes_on(tmp_path: Path, tools: dict[str, str], command: str) -> None:
    path, venv = machine(tmp_path, tools, pango=False)
    done = set_up(path, venv)
    assert done.returncode == 0
    assert f"setup:   {command}" in done.stderr
    assert len(done.stderr.splitlines()) == 2
    assert not (venv / "ready").exists(), "the next run looks again"


def test_on_debian_as_root_pango_is_installed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    path, venv = machine(tmp_path, {"id": NOTHING + "echo 0\n", "apt-cache": NOTHING}, pango=False)
    python = venv / "bin" / "python"
    (path / "apt-get").write_text(f'{NOTHING}echo "$*" >>{log}\ncase $1 in install) echo "{NOTHING}echo whole" >{python} ;; esac\n')
    (path / "apt-get").chmod(0o755)
    done = set_up(path, venv)
    assert done.returncode == 0
    assert done.stderr == "setup: installing Pango\n"
    assert log.read_text().splitlines() == [
        "update",
        "install -y --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
    ]
    assert (venv / "ready").exists()


def test_an_apt_that_fails_is_heard_and_not_fatal(tmp_path: Path) -> None:
    tools = {"id": NOTHING + "echo 0\n", "apt-cache": NOTHING, "apt-get": NOTHING + "echo 'E: no such luck' >&2\nexit 100\n"}
    path, venv = machine(tmp_path, tools, pango=False)
    done = set_up(path, venv)
    assert done.returncode == 0
    assert "E: no such luck\nsetup: apt could not install Pango" in done.stderr


def test_where_nothing_is_missing_nothing_is_said(tmp_path: Path) -> None:
    path, venv = machine(tmp_path, {"apt-get": NOTHING + "exit 1\n", "id": NOTHING + "echo 0\n"}, pango=True)
    done = set_up(path, venv)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (venv / "ready").exists()


def test_a_python_that_is_too_old_is_refused_in_words(tmp_path: Path) -> None:
    path, venv = machine(tmp_path, {"python3": NOTHING + "exit 1\n"}, pango=True)
    shutil.rmtree(venv)
    done = set_up(path, venv)
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed" in done.stderr
    assert os.listdir(tmp_path) == ["path"]

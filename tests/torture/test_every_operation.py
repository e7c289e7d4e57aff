"""The nth operation on a file fails, or is the last one, for every n until a build gets through: afterwards everything is old or new, and
the next build needs no repair."""

from __future__ import annotations

import errno
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from small_project import STRAW, content, files, make

from seasons_build.publish import DRAFT, MANIFEST

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")]

ENOUGH = 400
"""A build that has not got through by then never will."""
ERRORS = {"full": errno.ENOSPC, "broken": errno.EIO, "denied": errno.EACCES, "too many": errno.EMFILE}


class Press:
    """`seasons` with a typesetter of straw, again and again without starting anew: what is tried here is tried a thousand times."""

    def __init__(self) -> None:
        asked = [sys.executable, str(STRAW), "--serve"]
        self._process = subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def build(self, root: Path, scratch: Path, **more: str) -> tuple[int, str]:
        """The exit code of a build, and what it said."""
        scratch.mkdir(exist_ok=True)
        said = root.parent / "said"
        asked = {"folder": str(root), "said": str(said), "words": ["build"], "environment": {"TMPDIR": str(scratch), **more}}
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        return code, said.read_text(encoding="utf-8")

    def close(self) -> None:
        """Ends it."""
        self._process.communicate(timeout=30)


@pytest.fixture(scope="module")
def press() -> Iterator[Press]:
    started = Press()
    yield started
    started.close()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, press: Press) -> tuple[Path, dict[str, bytes], dict[str, bytes]]:
    """A project as it was built once and then changed, with what its first and its second build give."""
    place = tmp_path_factory.mktemp("states")
    root = make(place / "p", "one", products=True)
    assert press.build(root, place / "s")[0] == 0
    old = _printed(root)
    (root / "content/charms/all.yaml").write_text(content("two"), encoding="utf-8")
    after = place / "after"
    shutil.copytree(root, after)
    assert press.build(after, place / "s")[0] == 0
    return root, old, _printed(after)


def _printed(root: Path) -> dict[str, bytes]:
    return {name: data for name, data in files(root / "dist").items() if not name.startswith(".")}


def _whole(root: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    for name, data in _printed(root).items():
        if name != MANIFEST and not name.rpartition("/")[2].startswith(DRAFT):
            assert data in (old[name], new[name]), f"{name} is of neither build"
    assert json.loads((root / "dist" / MANIFEST).read_bytes())["files"].keys() == {name for name in new if name != MANIFEST}


def _mended(press: Press, root: Path, scratch: Path, new: dict[str, bytes]) -> None:
    code, said = press.build(root, scratch)
    assert code == 0, said
    assert _printed(root) == new
    assert not [name for name in files(root) if DRAFT in name or "/drafts/" in name]
    assert list(scratch.iterdir()) == []


Built = tuple[Path, dict[str, bytes], dict[str, bytes]]


def test_killed_at_every_operation(tmp_path: Path, press: Press, built: Built) -> None:
    project, old, new = built
    for number in count(1):
        assert number < ENOUGH
        root, scratch = tmp_path / str(number), tmp_path / "s"
        shutil.copytree(project, root)
        code, said = press.build(root, scratch, STOP=str(number))
        assert code in (0, -signal.SIGKILL), said
        _whole(root, old, new)
        if code == 0:
            break
        _mended(press, root, scratch, new)
        shutil.rmtree(root)
    assert number > 10


@pytest.mark.parametrize("ever", ["", ":ever"])
@pytest.mark.parametrize("error", ERRORS)
def test_every_operation_fails(tmp_path: Path, press: Press, built: Built, error: str, ever: str) -> None:
    project, old, new = built
    for number in count(1):
        assert number < ENOUGH
        root, scratch = tmp_path / str(number), tmp_path / "s"
        shutil.copytree(project, root)
        code, said = press.build(root, scratch, FAIL=f"{number}:{ERRORS[error]}{ever}")
        assert code in (0, 1), f"operation {number}: {said}"
        assert "Traceback" not in said
        _whole(root, old, new)
        _mended(press, root, scratch, new)
        shutil.rmtree(root)
        if code == 0 and not said.count("error[") and number > 60:
            break

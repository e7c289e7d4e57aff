"""The nth operation on a file fails, or is the last one, for every n until a build gets through: afterwards everything is old or new, and
the next build needs no repair."""

from __future__ import annotations

import errno
import json
import shutil
import signal
import sys
from itertools import count
from pathlib import Path

import pytest
from small_project import content, files, make, seasons

from seasons_build.publish import DRAFT, MANIFEST

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")]

ENOUGH = 400
"""A build that has not got through by then never will."""
ERRORS = {"full": errno.ENOSPC, "broken": errno.EIO, "denied": errno.EACCES, "too many": errno.EMFILE}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes], dict[str, bytes]]:
    """A project as it was built once and then changed, with what its first and its second build give."""
    place = tmp_path_factory.mktemp("states")
    root = make(place / "p", "one", products=True)
    assert seasons(root, place / "s", "build", straw=True)[0] == 0
    old = _printed(root)
    (root / "content/charms/all.yaml").write_text(content("two"), encoding="utf-8")
    after = place / "after"
    shutil.copytree(root, after)
    assert seasons(after, place / "s", "build", straw=True)[0] == 0
    return root, old, _printed(after)


def _printed(root: Path) -> dict[str, bytes]:
    return {name: data for name, data in files(root / "dist").items() if not name.startswith(".")}


def _whole(root: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    for name, data in _printed(root).items():
        if name != MANIFEST and not name.rpartition("/")[2].startswith(DRAFT):
            assert data in (old[name], new[name]), f"{name} is of neither build"
    assert json.loads((root / "dist" / MANIFEST).read_bytes())["files"].keys() == {name for name in new if name != MANIFEST}


def _mended(root: Path, scratch: Path, new: dict[str, bytes]) -> None:
    code, _, err = seasons(root, scratch, "build", straw=True)
    assert code == 0, err
    assert _printed(root) == new
    assert not [name for name in files(root) if DRAFT in name or "/drafts/" in name]


def test_killed_at_every_operation(tmp_path: Path, built: tuple[Path, dict[str, bytes], dict[str, bytes]]) -> None:
    project, old, new = built
    for number in count(1):
        assert number < ENOUGH
        root, scratch = tmp_path / str(number), tmp_path / "s"
        shutil.copytree(project, root)
        code, _, err = seasons(root, scratch, "build", straw=True, STOP=str(number))
        assert code in (0, -signal.SIGKILL), err
        _whole(root, old, new)
        if code == 0:
            break
        _mended(root, scratch, new)
        shutil.rmtree(root)
    assert number > 10


@pytest.mark.parametrize("ever", ["", ":ever"])
@pytest.mark.parametrize("error", ERRORS)
def test_every_operation_fails(tmp_path: Path, built: tuple[Path, dict[str, bytes], dict[str, bytes]], error: str, ever: str) -> None:
    project, old, new = built
    for number in count(1):
        assert number < ENOUGH
        root, scratch = tmp_path / str(number), tmp_path / "s"
        shutil.copytree(project, root)
        code, _, err = seasons(root, scratch, "build", straw=True, FAIL=f"{number}:{ERRORS[error]}{ever}")
        assert code in (0, 1), f"operation {number}: {err}"
        assert "Traceback" not in err
        _whole(root, old, new)
        _mended(root, scratch, new)
        shutil.rmtree(root)
        if code == 0 and not err.count("error[") and number > 60:
            break

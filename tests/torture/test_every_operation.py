"""The nth operation on a file fails, or is the last one, for every n until a build gets through: afterwards everything is old or new, and
the next build needs no repair."""

from __future__ import annotations

import errno
import shutil
import signal
import sys
from itertools import count
from pathlib import Path

import pytest
from press import Built, Press, mended, whole

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")]

ENOUGH = 400
"""A build that has not got through by then never will."""
ERRORS = {"full": errno.ENOSPC, "broken": errno.EIO, "denied": errno.EACCES, "too many": errno.EMFILE}


def test_killed_at_every_operation(tmp_path: Path, press: Press, built: Built) -> None:
    project, old, new = built
    for number in count(1):
        assert number < ENOUGH
        root, scratch = tmp_path / str(number), tmp_path / "s"
        shutil.copytree(project, root)
        code, said = press.build(root, scratch, STOP=str(number))
        assert code in (0, -signal.SIGKILL), said
        whole(root, old, new)
        if code == 0:
            break
        mended(press, root, scratch, new)
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
        whole(root, old, new)
        mended(press, root, scratch, new)
        shutil.rmtree(root)
        if code == 0 and not said.count("error[") and number > 60:
            break

"""A build that is killed at 200 moments that nobody has chosen: `SEASONS_SEED` in the environment brings those of a run back."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest
from press import Built, Press, mended, whole

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")]

MOMENTS = 200


def test_killed_at_random_moments(tmp_path: Path, press: Press, built: Built) -> None:
    project, old, new = built
    seed = int(os.environ.get("SEASONS_SEED") or int.from_bytes(os.urandom(4), "big"))
    chance = random.Random(seed)
    scratch = tmp_path / "s"
    shutil.copytree(project, tmp_path / "whole")
    before = time.monotonic()
    assert press.build(tmp_path / "whole", scratch)[0] == 0
    longest = time.monotonic() - before
    killed = 0
    for number in range(MOMENTS):
        root = tmp_path / str(number)
        shutil.copytree(project, root)
        code, said = press.build(root, scratch, seconds=chance.uniform(0, longest))
        assert code in (0, -signal.SIGKILL), f"seed {seed}, moment {number}: {said}"
        killed += code != 0
        whole(root, old, new)
        mended(press, root, scratch, new)
        shutil.rmtree(root)
    print(f"seed {seed}: {killed} of {MOMENTS} builds were killed before their end, which takes {longest:.2f} s")
    assert killed > MOMENTS // 4

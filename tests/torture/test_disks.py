"""Disks that are full, or may only be read: words and exit code 1, every file as it was or as it should be, and no repair afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from press import Built, Press, mended, printed, whole

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root may mount"),
]


@contextmanager
def mounted(folder: Path, *words: str) -> Iterator[None]:
    """While something is mounted on a folder. Skips where this machine mounts nothing."""
    if subprocess.run(["mount", *words, str(folder)], capture_output=True, check=False).returncode:
        pytest.skip("this machine mounts nothing")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """While nothing can be written into a folder, not even by root."""
    with mounted(folder, "--bind", str(folder)):
        subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], check=True)
        yield


@pytest.mark.parametrize("inside", ["dist", "dist/charms", ".seasons-cache", "."])
def test_a_folder_that_may_only_be_read(tmp_path: Path, press: Press, built: Built, inside: str) -> None:
    project, old, new = built
    root, scratch = tmp_path / "p", tmp_path / "s"
    shutil.copytree(project, root)
    with read_only(root / inside):
        code, said = press.build(root, scratch)
        assert "Traceback" not in said and "fault of ours" not in said
        if inside == ".seasons-cache":
            assert code == 0, said
        else:
            assert code == 1
            assert "error[E80" in said and "the disk is read-only" in said
            assert printed(root) == old or inside == "dist/charms"
        whole(root, old, new)
    mended(press, root, scratch, new)


@pytest.mark.parametrize("room", ["size=0k", "size=4k", "size=12k", "size=32k", "size=64k", "nr_inodes=0", "nr_inodes=2", "nr_inodes=9"])
def test_a_disk_that_is_full(tmp_path: Path, press: Press, built: Built, room: str) -> None:
    project, old, new = built
    disk, scratch = tmp_path / "disk", tmp_path / "s"
    disk.mkdir()
    with mounted(disk, "-t", "tmpfs", "-o", "size=16m", "tmpfs"):
        root = disk / "p"
        shutil.copytree(project, root)
        subprocess.run(["mount", "-o", f"remount,{_at_least(room, disk)}", str(disk)], check=True)
        code, said = press.build(root, scratch)
        assert code in (0, 1)
        assert "Traceback" not in said and "fault of ours" not in said
        assert code == 0 or "the disk is full" in said
        whole(root, old, new)
        subprocess.run(["mount", "-o", "remount,size=16m,nr_inodes=0", str(disk)], check=True)
        mended(press, root, scratch, new)


def _at_least(room: str, disk: Path) -> str:
    """How little room a disk may be left with: what is there already, and so much."""
    what, _, much = room.partition("=")
    system = os.statvfs(disk)
    if what == "size":
        return f"size={(system.f_blocks - system.f_bfree) * system.f_frsize // 1024 + int(much[:-1])}k"
    return f"nr_inodes={system.f_files - system.f_ffree + int(much)}"

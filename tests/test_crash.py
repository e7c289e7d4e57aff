"""A build that is killed, interrupted, started twice, or that finds no room.

The files of the last build stay whole, and the next one needs no repair. The same inputs give the same bytes.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_project import TOLD, content, files, make, seasons, start

from seasons_build import publish as publish_module
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.publish import DRAFT, MANIFEST, Lying, Output, OutputRefused, Product, Published

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and locks of POSIX")

MARKS = (".seasons-lock", ".seasons-output")


def printed(root: Path) -> dict[str, bytes]:
    """What a build wrote, but for its marks."""
    return {name: data for name, data in files(root / "dist").items() if name not in MARKS}


Goods = dict[str, dict[str, bytes]]


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two states of a project, each built, with the typesetter of straw."""
    places = {word: make(tmp_path_factory.mktemp(word) / "p", word, products=True) for word in ("one", "two")}
    for place in places.values():
        code, _, err = seasons(place, place.parent / "s", "build", straw=True)
        assert code == 0, err
    return places


@pytest.fixture(scope="module")
def goods(states: dict[str, Path]) -> Goods:
    """What their builds gave."""
    return {word: printed(place) for word, place in states.items()}


def assert_whole(root: Path, goods: Goods) -> None:
    """Each file is that of one build or of the other, to its last byte, and the manifest can be read."""
    for name, data in printed(root).items():
        if name.rpartition("/")[2].startswith(DRAFT):
            continue
        assert data in (goods["one"][name], goods["two"][name]), f"{name} is of neither build"
    assert json.loads((root / "dist" / MANIFEST).read_bytes())["format"] == 1


@pytest.mark.parametrize("moment", range(1, 20, 2))
def test_killed_while_it_writes(tmp_path: Path, states: dict[str, Path], goods: Goods, moment: int) -> None:
    root, scratch = tmp_path / "p", tmp_path / "s"
    shutil.copytree(states["one"], root)
    (root / "content/charms/all.yaml").write_text(content("two"), encoding="utf-8")
    code, _, _ = seasons(root, scratch, "build", straw=True, STOP=str(moment))
    assert code == -signal.SIGKILL
    assert_whole(root, goods)
    code, _, err = seasons(root, scratch, "build", straw=True)
    assert code == 0, err
    assert printed(root) == goods["two"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, dict[str, bytes]]:
    """A project with real cards, built once: its folder, its scratch folder, and what was printed."""
    place = tmp_path_factory.mktemp("cards")
    root, scratch = make(place / "p"), place / "s"
    code, out, err = seasons(root, scratch, "build")
    assert (code, out) == (0, "dist/charms/cards.pdf\n"), err
    return root, scratch, printed(root)


def children(pid: int) -> list[int]:
    """The programs that a program has started."""
    with contextlib.suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    return []


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def ended(pids: list[int], seconds: float = 10) -> bool:
    """Whether programs have all ended, after some patience."""
    until = time.monotonic() + seconds
    while any(alive(pid) for pid in pids) and time.monotonic() < until:
        time.sleep(0.02)
    return not any(alive(pid) for pid in pids)


@pytest.mark.parametrize("moment", range(10))
def test_killed_at_any_moment(built: tuple[Path, Path, dict[str, bytes]], moment: int) -> None:
    root, scratch, good = built
    process = start(root, scratch, "build", "--jobs", "2")
    time.sleep(0.1 + moment * 0.12)
    workers = children(process.pid)
    process.kill()
    process.communicate(timeout=30)
    assert ended(workers), "a typesetter outlives its build"
    assert printed(root) == good


def test_after_all_that_nothing_is_left_lying(built: tuple[Path, Path, dict[str, bytes]]) -> None:
    root, scratch, good = built
    code, out, err = seasons(root, scratch, "build")
    assert (code, out) == (0, "dist/charms/cards.pdf\n"), err
    assert printed(root) == good
    assert sorted(p.name for p in (root / "dist").iterdir()) == sorted([*MARKS, MANIFEST, "charms"])
    assert list(scratch.iterdir()) == []
    assert not (root / ".seasons-cache").exists() or (root / ".seasons-cache").is_dir()


@pytest.mark.parametrize("moment", [0.05, 0.3, 0.7, 1.0])
def test_interrupted(built: tuple[Path, Path, dict[str, bytes]], moment: float) -> None:
    root, scratch, good = built
    process = start(root, scratch, "build", code=TOLD)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(moment)
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    if process.returncode == 0:
        return  # it was done before the signal came
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert err.strip() == b"interrupted: the files of the last build are still whole"
    assert ended(workers)
    assert printed(root) == good
    assert list(scratch.iterdir()) == []


def test_two_builds_at_once(tmp_path: Path, states: dict[str, Path], goods: Goods) -> None:
    root, scratch = tmp_path / "p", tmp_path / "s"
    shutil.copytree(states["one"], root)
    for word in ("two", "one"):
        (root / "content/charms/all.yaml").write_text(content(word), encoding="utf-8")
        running = [start(root, scratch, "build", straw=True) for _ in range(2)]
        for process in running:
            _, err = process.communicate(timeout=60)
            assert process.returncode == 0, err.decode()
        assert printed(root) == goods[word]


def test_two_real_builds_at_once(built: tuple[Path, Path, dict[str, bytes]]) -> None:
    root, scratch, good = built
    running = [start(root, scratch, "build", "--jobs", "1") for _ in range(2)]
    for process in running:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err.decode()
    assert printed(root) == good
    assert list(scratch.iterdir()) == []


# A disk that is full, or may not be written


OLD = [Product(f"pack/{n}.pdf", f"old {n}".encode() * 100, {"product": n}) for n in ("a", "b", "c")]
NEW = [Product(f"pack/{n}.pdf", f"new {n}".encode() * 100, {"product": n}) for n in ("a", "b", "c")]


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """An output folder with three files in it."""
    with Output(tmp_path / "dist", tmp_path) as opened:
        assert not opened.publish(OLD, lambda *_: False).diagnostics
    return tmp_path / "dist"


def publish(folder: Path, products: list[Product]) -> Published:
    with Output(folder, folder.parent) as opened:
        return opened.publish(products, lambda *_: False)


@contextlib.contextmanager
def failing(monkeypatch: pytest.MonkeyPatch, call: str, number: int, error: int) -> Iterator[None]:
    """While the system refuses a call from the nth one on."""
    left = [number]
    real = getattr(os, call)

    def refused(*words: Any, **named: Any) -> Any:
        left[0] -= 1
        if left[0] <= 0:
            raise OSError(error, os.strerror(error))
        return real(*words, **named)

    with monkeypatch.context() as patched:
        patched.setattr(os, call, refused)
        yield


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(("error", "said"), [(errno.ENOSPC, "the disk is full"), (errno.EACCES, "permission denied")])
def test_what_cannot_be_written_leaves_whole_files(
    output: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, error: int, said: str
) -> None:
    with failing(monkeypatch, call, number, error):
        found = publish(output, NEW)
    if found.diagnostics:
        assert {d.code for d in found.diagnostics} == {"E801"}
        assert all(said in d.message and str(output) in d.message for d in found.diagnostics)
    for old, new in zip(OLD, NEW, strict=True):
        assert (output / old.name).read_bytes() in (old.data, new.data)
    assert not list(output.rglob(f"{DRAFT}*"))
    json.loads((output / MANIFEST).read_bytes())
    assert not publish(output, NEW).diagnostics
    assert all((output / new.name).read_bytes() == new.data for new in NEW)


def test_a_full_disk_is_told_once_and_ends_the_writing(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with failing(monkeypatch, "fsync", 1, errno.ENOSPC):
        found = publish(output, NEW)
    assert [d.message for d in found.diagnostics][:1] == [f"`{output / 'pack/a.pdf'}` cannot be written: the disk is full"]
    assert found.written == ()


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root may make a small disk")
def test_a_really_full_disk(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("this machine makes no small disks")
    try:
        products = [Product(f"pack/{n}.pdf", os.urandom(0) + bytes(20_000), {"product": n}) for n in ("a", "b", "c", "d")]
        with Output(folder / "dist", tmp_path) as opened:
            found = opened.publish(products, lambda *_: False)
        assert {d.code for d in found.diagnostics} == {"E801"}
        assert "the disk is full" in found.diagnostics[0].message
        assert len(found.written) < len(products)
        for name in found.written:
            assert (folder / "dist" / name).read_bytes() == bytes(20_000)
        assert not list(folder.rglob(f"{DRAFT}*"))
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_folder_where_a_file_should_be(output: Path) -> None:
    (output / "pack" / "a.pdf").unlink()
    (output / "pack" / "a.pdf").mkdir()
    found = publish(output, NEW)
    assert [d.code for d in found.diagnostics] == ["E801"]
    assert set(found.written) == {"pack/b.pdf", "pack/c.pdf"}


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "dist").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputRefused) as refused, Output(tmp_path / "dist", tmp_path):
        pass
    assert refused.value.diagnostic == Diagnostic("E802", f"`{tmp_path / 'dist'}` is no folder", None, ("name another one with --out",))
    assert (tmp_path / "dist").read_text(encoding="utf-8") == "mine"


def test_a_link_out_of_the_folder_is_not_followed(output: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    for name in ("a", "b", "c"):
        (output / "pack" / f"{name}.pdf").unlink()
    (output / "pack").rmdir()
    (output / "pack").symlink_to(tmp_path / "elsewhere")
    found = publish(output, NEW)
    assert {d.code for d in found.diagnostics} == {"E801"}
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_manifest_of_somebody_else_makes_nothing_go(output: Path, tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine", encoding="utf-8")
    names: dict[str, dict[str, str]] = {"../precious.txt": {}, "/etc/passwd": {}, "README.md": {}, "pack/../../precious.txt": {}}
    (output / MANIFEST).write_text(json.dumps({"format": 1, "files": names}), encoding="utf-8")
    (output / "README.md").write_text("read me", encoding="utf-8")
    with Output(output, tmp_path) as opened:
        opened.publish([], lambda *_: True)
    with Output(output, tmp_path) as opened:
        opened.clean()
    assert (tmp_path / "precious.txt").is_file()
    assert (output / "README.md").is_file()


def test_what_nothing_makes_any_more_goes_and_what_was_changed_is_not_said_to_be_gone(output: Path) -> None:
    (output / "pack" / "b.pdf").write_bytes(b"filled in by hand")
    with Output(output, output.parent) as opened:
        found = opened.publish(OLD[:1], lambda *_: True)
    assert found.removed == ("pack/c.pdf",)
    assert sorted(files(output / "pack")) == ["a.pdf", "b.pdf"]
    assert list(json.loads((output / MANIFEST).read_bytes())["files"]) == ["pack/a.pdf"]


def test_what_lasts_and_lies_as_it_was_left_is_not_looked_into(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lasting = [replace(product, lasting=True) for product in OLD]
    lying: dict[str, Lying] = {}

    def again(products: list[Product], manifest: bytes) -> Published:
        with Output(output, output.parent) as opened:
            found = opened.publish(products, lambda *_: False, lying)
        assert files(output / "pack") == {product.name.removeprefix("pack/"): product.data for product in products}
        assert (output / MANIFEST).read_bytes() == manifest
        return found

    manifest = (output / MANIFEST).read_bytes()
    assert again(lasting, manifest).same == tuple(product.name for product in OLD)
    with monkeypatch.context() as patched:
        patched.setattr(publish_module, "read_regular", lambda path, most: {MANIFEST: manifest}[path.name])
        assert again(lasting, manifest).same == tuple(product.name for product in OLD)
    (output / "pack" / "a.pdf").write_bytes(b"else")
    (output / "pack" / "b.pdf").unlink()
    (output / MANIFEST).unlink()
    assert again(lasting, manifest).written == ("pack/a.pdf", "pack/b.pdf")
    assert again(OLD, manifest).same == tuple(product.name for product in OLD)
    assert lying == {}, "what does not last is not held"
    assert publish(output, NEW).written == tuple(product.name for product in NEW)


def test_what_the_system_does_not_let_go_is_tried_again(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with failing(monkeypatch, "unlink", 1, errno.EACCES), Output(output, output.parent) as opened:
        assert opened.publish(OLD[:2], lambda *_: True).removed == ()
    with Output(output, output.parent) as opened:
        assert opened.publish(OLD[:2], lambda *_: True).removed == ("pack/c.pdf",)
    assert sorted(files(output / "pack")) == ["a.pdf", "b.pdf"]


def test_a_system_that_flushes_no_folders_is_no_fault(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def refused(descriptor: int) -> None:
        if os.path.isdir(f"/dev/fd/{descriptor}"):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", refused)
    assert not publish(output, NEW).diagnostics


def test_only_our_own_drafts_are_swept(output: Path) -> None:
    for name in (f"{DRAFT}12-a.pdf", f"{DRAFT}notes"):
        (output / "pack" / name).write_bytes(b"half")
    assert not publish(output, OLD).diagnostics
    assert sorted(files(output / "pack")) == [f"{DRAFT}notes", "a.pdf", "b.pdf", "c.pdf"]


def test_where_the_system_gives_up_waiting_for_a_lock_the_build_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows: ten seconds, then an error."""
    asked: list[int] = []

    def locking(descriptor: int, how: int, many: int) -> None:
        asked.append(how)
        if len(asked) < 3:
            raise OSError(errno.EDEADLK, os.strerror(errno.EDEADLK))

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_LOCK=1))
    monkeypatch.setattr(sys, "platform", "win32")
    with (tmp_path / "lock").open("wb") as file:
        publish_module._hold(file)
    assert asked == [1, 1, 1]


# The same inputs, the same bytes


def test_no_order_and_no_seed_changes_a_byte(built: tuple[Path, Path, dict[str, bytes]], tmp_path: Path) -> None:
    _, scratch, good = built
    root = make(tmp_path / "other place")
    (root / "content/charms/all.yaml").unlink()
    lines = content("one").split("\n")[1:4]
    for name, line in zip(("z.yaml", "a/b/c.yaml", "m.yaml"), lines, strict=True):
        (root / "content/charms" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "content/charms" / name).write_text(f"charm:\n{line}\n", encoding="utf-8")
    for seed, jobs in (("1", "1"), ("777", "3")):
        code, _, err = seasons(root, scratch, "build", "--jobs", jobs, PYTHONHASHSEED=seed, TZ="Asia/Tokyo", LANG="tr_TR.UTF-8")
        assert code == 0, err
        assert printed(root) == good
        (root / "dist/charms/cards.pdf").unlink()

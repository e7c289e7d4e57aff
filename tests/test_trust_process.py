"""What the builder asks the system for while it builds a stranger's project: its own files, and one program, its worker."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_project import environment, make

from seasons_build.typeset.typesetter import Typesetter

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

ROOT = Path(__file__).parent.parent
AUDITED = Path(__file__).with_name("audited.py")
OUTSIDE = "/etc/hostname"
THEME = "id: charms\ntitle: Charms\nextends: base\nstylesheets: {cards: [base/base.css, base/cards.css, charms/a.css]}\n"
CARD = f'<p>{{{{ entry.name }}}}</p><img src="file://{OUTSIDE}" alt=""><a href="file://{OUTSIDE}">a</a>{{% include "{OUTSIDE}" %}}'
SYSTEM = ("/dev/null", "/proc/", "/sys/", "/etc/localtime", "/usr/share/zoneinfo", "/etc/mime.types")
"""What Python itself reads of a system."""


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, str]]]:
    """What a build of a project asked for that names a file outside in every place where one can."""
    place = tmp_path_factory.mktemp("audit")
    root = make(place / "p")
    templates = root / "templates/charms"
    (templates / "cards").mkdir(parents=True)
    (templates / "theme.yaml").write_text(THEME, encoding="utf-8")
    (templates / "a.css").write_text(f'@import "{OUTSIDE}";p{{background:url(file://{OUTSIDE})}}', encoding="utf-8")
    (templates / "cards/charm.html.j2").write_text(CARD, encoding="utf-8")
    (root / "content/charms/more.yaml").write_text(
        f"charm:\n  x: {{name: X, luck: 1, rules: '[[{OUTSIDE}]]', art: {{file: '{OUTSIDE}'}}}}\n", encoding="utf-8"
    )
    away = {"title": "O", "description": "O.", "allOf": [{"$ref": f"file://{OUTSIDE}"}]}
    (root / "schemas/charms/other.json").write_text(json.dumps(away), encoding="utf-8")
    (root / "content/charms/link.yaml").symlink_to(OUTSIDE)
    audit = place / "audit"
    ran = subprocess.run(
        [sys.executable, str(AUDITED), "build", "--jobs", "1"],
        cwd=root,
        env=environment(place / "scratch", AUDIT=str(audit)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    lines = [line.partition("\t") for line in audit.read_text(encoding="utf-8").split("\n")]
    return place, [(event, what) for event, _, what in lines]


def test_it_opens_its_own_files_alone(asked: tuple[Path, list[tuple[str, str]]]) -> None:
    place, seen = asked
    own = [str(place), str(ROOT), sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix), *SYSTEM]
    opened = {what for event, what in seen if event in ("open", "os.listdir", "os.scandir") and not what.isdecimal()}
    assert opened
    strange = sorted(what for what in opened if os.path.isabs(what) and not what.startswith(tuple(own)))
    assert strange == []
    assert not any(OUTSIDE in what for what in opened)


def test_it_connects_nowhere(asked: tuple[Path, list[tuple[str, str]]]) -> None:
    assert [entry for entry in asked[1] if entry[0].startswith("socket.")] == []


def test_it_starts_its_worker_and_nothing_else(asked: tuple[Path, list[tuple[str, str]]]) -> None:
    started = [what for event, what in asked[1] if event not in ("open", "os.listdir", "os.scandir")]
    assert started
    assert all(what.startswith(sys.executable) and what.endswith("worker/__main__.py") for what in started), started


def test_the_worker_has_nothing_of_the_environment_and_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "s3cret")
    with Typesetter(workers=1) as typesetter:
        assert typesetter.fault() is None
        (worker,) = typesetter._workers
        proc = Path(f"/proc/{worker._process.pid}")
        given = dict(part.split("=", 1) for part in (proc / "environ").read_bytes().decode().split("\0") if part)
        assert given["PATH"] == "/nonexistent"
        assert not {"SECRET", "PYTHONPATH", "USER"} & given.keys()
        assert os.path.realpath(proc / "cwd") == given["HOME"]
        assert os.getsid(worker._process.pid) == worker._process.pid
        kept = [os.readlink(link) for link in (proc / "fd").iterdir()]
        assert not [link for link in kept if link.startswith("socket:")]
        limits = (proc / "limits").read_text(encoding="ascii")
        assert f"{typesetter._limits.worker_memory}" in limits
        if typesetter.alone():
            lines = (proc / "net/dev").read_text(encoding="ascii").split("\n")[2:]
            assert not {line.partition(":")[0].strip() for line in lines if line} & {"eth0", "wlan0"}
            assert (proc / "net/tcp").read_text(encoding="ascii").count("\n") == 1

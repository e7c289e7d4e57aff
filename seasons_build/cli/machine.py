"""Commands about this machine and what builds left on it: doctor, clean."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import click

from seasons_build import __version__
from seasons_build.cli.talk import shown, write
from seasons_build.core.machine import bring_pango
from seasons_build.core.record import dataclass

PACKAGES = ("pyyaml", "jsonschema", "jinja2", "click", "weasyprint", "pikepdf", "pypdfium2", "markdown-it-py")


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at."""

    good: bool
    text: str
    command: str = ""


@click.command("doctor")
@click.pass_obj
def doctor_command(where: tuple[Path | None, tuple[Path, ...]]) -> int:
    """Say what this machine lacks, and the command for it."""
    lines = [*_python(), *_typesetter(), *_project(where)]
    for line in lines:
        write(f"{'ok  ' if line.good else 'LACKS'} {line.text}")
        if line.command:
            write(f"      {line.command}")
    lacking = sum(not line.good and bool(line.command) for line in lines)
    write("everything is here" if not lacking else "check, list, show and explain work; build needs what is missing", err=True)
    return 1 if lacking else 0


@click.command("clean")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="The output folder (else `dist` in the project).")
@click.pass_obj
def clean_command(where: tuple[Path | None, tuple[Path, ...]], out: Path | None) -> int:
    """Remove what builds wrote, and nothing else."""
    from seasons_build.pipeline.machine import OutputRefused, clean

    try:
        gone = clean(*where, out)
    except OutputRefused as refused:
        write(refused.diagnostic.message, err=True)
        return 1
    for path in gone:
        write(f"removed {shown(path)}")
    if not gone:
        write("there is nothing that a build has left", err=True)
    return 0


def _python() -> Iterator[Line]:
    yield Line(sys.version_info >= (3, 11), f"Python {platform.python_version()} on {platform.system()}, seasons {__version__}")
    for package in PACKAGES:
        try:
            yield Line(True, f"{package} {version(package)}")
        except PackageNotFoundError:
            yield Line(False, package, f"{sys.executable} -m pip install {package}")
    if find_spec("yaml._yaml"):
        yield Line(True, "libyaml (files are read fast)")
    else:
        yield Line(True, "no libyaml: files are read about ten times slower, with the same result")


def _typesetter() -> Iterator[Line]:
    from seasons_build.pipeline.machine import try_typesetter

    setting = try_typesetter()
    if setting.fault is None:
        versions = ", ".join(f"{name} {number}" for name, number in sorted(setting.versions.items()))
        yield Line(True, f"the typesetter ({versions})")
        yield from _walls(setting.alone)
    else:
        yield Line(False, f"the typesetter: {setting.fault.detail}", bring_pango())


def _walls(alone: bool) -> Iterator[Line]:
    limited = sys.platform != "win32"
    text = "memory, file size and processor time" if limited else "the clock alone (this system has no limits on processes)"
    yield Line(True, f"the typesetter is held by limits on {text}")
    wall = "the system lets it have none" if alone else "nothing it is given asks for one, and this system has no wall for it"
    yield Line(True, f"the typesetter uses no network: {wall}")


def _project(where: tuple[Path | None, tuple[Path, ...]]) -> Iterator[Line]:
    from seasons_build.pipeline.machine import look

    found = look(*where)
    yield Line(True, f"the project {shown(found.root)} with {', '.join(found.own) if found.own else 'no packs of its own'}")
    if found.shipped:
        yield Line(True, f"packs that the package ships: {', '.join(found.shipped)}")

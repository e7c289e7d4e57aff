"""The project as a thing that is handed on: what a wheel carries, what a start costs, what the files speak of."""

from __future__ import annotations

import ast
import os
import re
import resource
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from fontTools.ttLib import TTFont
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

import seasons_build

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SHIPPED = ("content", "schemas", "templates")
IMPORTED_AS = {"PIL": "pillow", "_cffi_backend": "cffi", "fontTools": "fonttools", "markdown_it": "markdown-it-py", "yaml": "pyyaml"}


@cache
def tracked() -> tuple[Path, ...]:
    """The files that git knows, or all that a source archive has."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=60).stdout
    except (OSError, subprocess.CalledProcessError):
        return tuple(p for p in sorted(ROOT.rglob("*")) if p.is_file() and not p.relative_to(ROOT).as_posix().startswith("."))
    return tuple(ROOT / name for name in listed.decode().split("\0") if name and (ROOT / name).is_file())


# ---- What is handed on


def wheel(folder: Path, version: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=[version])))


def test_a_wheel_carries_every_file_that_the_package_needs(tmp_path: Path) -> None:
    names = set(wheel(tmp_path, "standard").namelist())
    shipped = {p.relative_to(ROOT).as_posix() for p in tracked() if p.relative_to(ROOT).parts[0] in SHIPPED}
    package = {p.relative_to(ROOT).as_posix() for p in tracked() if p.relative_to(ROOT).parts[0] == "seasons_build"}
    assert shipped and package
    assert {f"seasons_build/shipped/{name}" for name in shipped} <= names
    assert package <= names


def test_a_wheel_carries_nothing_else(tmp_path: Path) -> None:
    names = wheel(tmp_path, "standard").namelist()
    assert {name.partition("/")[0] for name in names} == {"seasons_build", f"seasons_build-{seasons_build.__version__}.dist-info"}
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".orig", ".swp"))]
    assert {name.split("/")[2] for name in names if name.startswith("seasons_build/shipped/")} == set(SHIPPED)


def test_an_editable_install_copies_nothing_that_could_grow_old(tmp_path: Path) -> None:
    built = wheel(tmp_path, "editable")
    files = [name for name in built.namelist() if ".dist-info/" not in name]
    assert files == ["_seasons_build.pth"]
    assert built.read(files[0]).decode() == str(ROOT)


@pytest.mark.slow
def test_a_wheel_is_all_it_takes(tmp_path: Path) -> None:
    """In an environment of its own, an empty folder and a home without anything in it."""
    built = wheel(tmp_path, "standard").filename
    assert built
    venv.create(tmp_path / "venv", with_pip=True)
    binaries = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [str(binaries / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", built]
    subprocess.run(pip, check=True, timeout=900)
    empty, home = tmp_path / "empty", tmp_path / "home"
    empty.mkdir()
    home.mkdir()

    def seasons(*arguments: str) -> str:
        env = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
        done = subprocess.run([binaries / "seasons", *arguments], cwd=empty, env=env, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert "LACKS" not in seasons("doctor")
    assert "frontiers:weapon/service-rifle" in seasons("list", "weapon")
    assert not list(empty.iterdir()), "looking writes nothing"
    assert seasons("build", "frontiers:gear-cards") == "dist/frontiers/gear-cards.pdf\n".replace("/", os.sep)
    pdf = pypdfium2.PdfDocument(empty / "dist" / "frontiers" / "gear-cards.pdf")
    assert "Service Rifle" in "".join(page.get_textpage().get_text_bounded() for page in pdf)
    assert not list(home.iterdir()), "a build leaves nothing at home"


def test_a_source_archive_can_do_what_a_clone_can(tmp_path: Path) -> None:
    with tarfile.open(next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path)))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {p.relative_to(ROOT).as_posix() for p in tracked()} - {".gitattributes"} <= names
    assert not [name for name in names if name.startswith((".venv", "build/", "dist/")) and name != "dist/README.md"]


def test_one_version_one_licence() -> None:
    assert PYPROJECT["project"]["version"] == seasons_build.__version__
    assert PYPROJECT["project"]["license"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")[:200]


def test_every_package_that_is_imported_is_asked_for_and_no_other() -> None:
    asked = {Requirement(line).name.lower() for line in PYPROJECT["project"]["dependencies"]}
    used: set[str] = set()
    for path in sorted((ROOT / "seasons_build").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            used |= {module.partition(".")[0] for module in modules}
    others = used - set(sys.stdlib_module_names) - {"seasons_build"}
    assert {IMPORTED_AS.get(name, name) for name in others} == asked


# ---- Fonts


@pytest.mark.parametrize("font", sorted((ROOT / "templates" / "fonts").glob("*.[ot]tf")), ids=lambda path: path.stem)
def test_a_font_has_its_licence_beside_it(font: Path) -> None:
    names = TTFont(font)["name"]
    about = " ".join(str(names.getDebugName(number) or "") for number in (0, 1, 13))
    texts = {path.name: path.read_text(encoding="utf-8") for path in font.parent.glob("OFL*.txt")}
    years = re.search(r"Copyright (\d{4}) (?:The )?(.*?)(?: \(|\.|$)", about)
    owner = years.group(2) if years else str(names.getDebugName(1))
    mine = [name for name, text in texts.items() if owner.replace(" ", "") in text.replace(" ", "")]
    assert mine, f"{font.name} ({owner}): none of {sorted(texts)} is about it"
    for name in mine:
        assert "SIL OPEN FONT LICENSE Version 1.1" in texts[name], f"{name} is not the whole licence"
    assert names.getDebugName(6), f"{font.name} has no PostScript name"


# ---- What a start costs


def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120)


def test_help_answers_at_once() -> None:
    """Processor time, the best of some: the machine may be busy with other things."""
    taken = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        answer = run("-m", "seasons_build", "--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert answer.returncode == 0 and "Commands:" in answer.stdout
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(taken) < 0.3


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--help"], {"yaml", "jsonschema", "jinja2", "weasyprint", "pikepdf", "PIL", "seasons_build.pipeline"}),
        (["check"], {"jinja2", "weasyprint", "pikepdf", "pypdfium2", "PIL", "fontTools"}),
        (["list"], {"jinja2", "weasyprint", "pikepdf", "pypdfium2", "PIL", "fontTools"}),
    ],
    ids=["help", "check", "list"],
)
def test_a_command_imports_no_more_than_it_needs(arguments: list[str], absent: set[str]) -> None:
    answer = run("-X", "importtime", "-m", "seasons_build", *arguments)
    assert answer.returncode == 0, answer.stderr
    imported = set(re.findall(r"^import time:.*\|\s*(\S+)$", answer.stderr, re.MULTILINE))
    assert "seasons_build.cli.main" in imported
    assert not {name for name in imported if name in absent or name.partition(".")[0] in absent}


def test_the_package_runs_as_a_module() -> None:
    assert run("-m", "seasons_build", "--version").stdout == f"seasons {seasons_build.__version__}\n"


# ---- What the files speak of

FOREIGN = (
    "/" + "work/",
    "../" + "shared",
    "sub" + "agent",
    "sub-" + "agent",
    "large language" + " model",
    "cla" + "ude",
    "anth" + "ropic",
    "open" + "ai",
    "co" + "pilot",
)
"""Words of places and tools with which files are made; none is about this project. Cut up, so that this file may hold them."""


def test_the_files_speak_of_the_project_alone() -> None:
    found = []
    for path in tracked():
        if path.suffix in (".ttf", ".otf", ".png", ".pdf"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            found += [f"{path.relative_to(ROOT)}:{number}: {word}" for word in FOREIGN if word in line.casefold()]
    assert not found, "\n".join(found)


def test_what_is_to_be_run_may_be_run() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    for script in ("bench/setup.sh", ".ci/run"):
        subprocess.run(["bash", "-n", str(ROOT / script)], check=True, timeout=60)

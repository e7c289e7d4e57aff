"""The documents tell the truth: their examples are run, their links lead somewhere, their pictures are what is printed.

A block whose first line names a path below `content/`, `schemas/`, `templates/` or `profiles/` in a comment is a file. The lines of a
`sh` block that begin with `seasons` are run, in a folder that is empty but for those files; `# ends with N` is the exit code, else 0. A
`text` block right after is what they print, where `...` stands for anything, also for lines.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import click
import pytest
from PIL import Image, ImageChops, ImageStat

from seasons_build.cli.main import COMMANDS, seasons

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)|src=\"([^\"]+)\"")
PROGRESS = re.compile(r"^\w+: \d+ of \d+(?:, about \d+ s left)?\n", re.MULTILINE)
"""What is said on a slow machine alone."""
BYTES_OF_A_PICTURE = 150_000
FILE = re.compile(r"\W*(?:\$comment\": \")?((?:content|schemas|templates|profiles)/[\w./-]+\w)")
"""The first line of a file, whatever its comments look like."""


def blocks(document: Path) -> Iterator[tuple[str, str, str]]:
    """The fenced blocks of a document: the language, what is in it, and what stands between it and the one before."""
    text = document.read_text(encoding="utf-8")
    end = 0
    for found in FENCE.finditer(text):
        yield found.group(1), found.group(2), text[end : found.start()]
        end = found.end()


def commands(block: str) -> list[tuple[list[str], int]]:
    """The commands of a `sh` block that are ours, each with the exit code that it should have."""
    lines = [line for line in block.splitlines() if line.startswith("seasons ")]
    return [(shlex.split(line, comments=True)[1:], int((re.findall(r"# ends with (\d+)", line) or ["0"])[0])) for line in lines]


def matches(pattern: str, text: str) -> bool:
    """Whether a text is what a `text` block says."""
    parts = []
    for line in pattern.splitlines():
        parts.append(r"(?:.*\n)*?" if line == "..." else ".*?".join(re.escape(part) for part in line.split("...")) + r"\n")
    return re.fullmatch("".join(parts), text) is not None


@pytest.mark.slow
@pytest.mark.parametrize("document", [d for d in DOCUMENTS if "\nseasons " in d.read_text(encoding="utf-8")], ids=lambda path: path.name)
def test_examples_run(document: Path, tmp_path: Path) -> None:
    printed = ""
    for language, block, before in blocks(document):
        if language != "sh" and (named := FILE.match(block)):
            file = tmp_path / named[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block, encoding="utf-8")
        elif language == "sh":
            printed = ""
            for arguments, code in commands(block):
                command = [sys.executable, "-m", "seasons_build", *arguments]
                done = subprocess.run(
                    command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, encoding="utf-8", errors="replace"
                )
                assert done.returncode == code, f"seasons {shlex.join(arguments)}\n{done.stdout}"
                printed += PROGRESS.sub("", done.stdout)
        elif language == "text" and printed and not before.strip():
            assert matches(block, printed), f"it says\n{block}\nbut this is printed:\n{printed}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    targets = [a or b for a, b in LINK.findall(FENCE.sub("", document.read_text(encoding="utf-8")))]
    assert not [t for t in targets if "://" not in t and not (document.parent / t).exists()]


@pytest.mark.parametrize("picture", sorted((ROOT / "docs" / "pictures").glob("*.png")), ids=lambda path: path.stem)
def test_a_picture_is_small_and_shown(picture: Path) -> None:
    assert picture.stat().st_size < BYTES_OF_A_PICTURE
    assert any(f"pictures/{picture.name}" in document.read_text(encoding="utf-8") for document in DOCUMENTS)


@pytest.mark.slow
def test_the_pictures_are_what_is_printed(tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT))
    from bench.pictures import PICTURES, pictures

    for name, data in pictures(tmp_path).items():
        with Image.open(PICTURES / f"{name}.png") as kept, Image.open(BytesIO(data)) as made:
            assert kept.size == made.size, name
            differs = ImageStat.Stat(ImageChops.difference(kept.convert("L"), made.convert("L")))
            assert differs.mean[0] < 1, f"{name} is printed otherwise by now: make pictures"


def test_every_command_and_option_is_written_down() -> None:
    """A command has a heading of its own, and what stands below it names each of its options."""
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE))
    context = click.Context(seasons)
    missing = []
    for name in COMMANDS:
        command = seasons.get_command(context, name)
        assert command is not None
        options = [flag for parameter in command.params if isinstance(parameter, click.Option) for flag in parameter.opts]
        missing += [f"{name} {flag}" for flag in ["", *options] if flag not in sections.get(name, "") or name not in sections]
    assert not missing

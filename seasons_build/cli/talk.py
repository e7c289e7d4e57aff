"""What commands share in speaking to people: diagnostics, colours, exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.pipeline import Project
from seasons_build.report import Form, render, summary

FORMS = ("text", "line", "json", "github")


def colors() -> bool:
    """Whether the talk may be in colour: on a terminal, unless NO_COLOR says otherwise."""
    return sys.stderr.isatty() and "NO_COLOR" not in os.environ


def tell(project: Project, diagnostics: Iterable[Diagnostic], *, form: Form = "text", err: bool = True) -> None:
    """Prints diagnostics, if there are any."""
    found = list(diagnostics)
    if found or form == "json":
        text = render(found, form, lambda name: project.texts.get(name), color=colors() and form == "text")
        write(text, err=err)


def write(text: str, *, err: bool = False) -> None:
    """Prints a line of any characters: what the terminal's encoding lacks is written as an escape."""
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)


def closing(diagnostics: Iterable[Diagnostic]) -> None:
    """Prints how many errors, warnings and notes there were."""
    write(summary(diagnostics), err=True)


def code_of(diagnostics: Iterable[Diagnostic], *, strict: bool = False) -> int:
    """The exit code that diagnostics mean: 1 for errors, with `strict` for warnings too; notes never."""
    bad = ("error", "warning") if strict else ("error",)
    return 1 if any(d.severity in bad for d in diagnostics) else 0


def shown(path: Path) -> str:
    """A path as people would type it from where they are."""
    try:
        return str(path.resolve().relative_to(Path.cwd().resolve()))
    except ValueError:
        return str(path)

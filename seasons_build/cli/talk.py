"""What commands share in speaking to people: diagnostics, colours, exit codes. What renders diagnostics is imported where there are some:
a build in which nothing has changed has none."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seasons_build.core.escapes import UNSAFE, escape
from seasons_build.core.regex import regex

if TYPE_CHECKING:
    from seasons_build.core.diagnostic import Diagnostic
    from seasons_build.pipeline.read import Project
    from seasons_build.report import Form

_KEPT = regex(rf"\x1b\[[0-9;]*m|{UNSAFE.pattern}")
FORMS = ("text", "line", "json", "github")


def colors() -> bool:
    """Whether the talk may be in colour: on a terminal, unless NO_COLOR says otherwise."""
    return sys.stderr.isatty() and "NO_COLOR" not in os.environ


def tell(project: Project, diagnostics: Iterable[Diagnostic], *, form: Form = "text", err: bool = True) -> None:
    """Prints diagnostics, if there are any."""
    from seasons_build.report import render

    found = list(diagnostics)
    if found or form == "json":
        text = render(found, form, lambda name: project.texts.get(name), color=colors() and form == "text")
        _print(text, err)


def tell_plain(diagnostics: Iterable[Diagnostic]) -> None:
    """Prints diagnostics of what no project holds, without the lines of its files."""
    from seasons_build.report import render

    if found := list(diagnostics):
        _print(render(found, "text", lambda name: None, color=colors()), True)


def told(project: Project, diagnostics: Iterable[Diagnostic]) -> tuple[str, str]:
    """Diagnostics as `tell` prints them, plain and in colours; empty where there are none."""
    from seasons_build.report import render

    found = list(diagnostics)
    plain, colored = (render(found, "text", lambda name: project.texts.get(name), color=color) for color in (False, True))
    return (plain, colored) if found else ("", "")


def of_the_project(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics without what is only worth a word to the writers of the games that the package ships."""
    return tuple(d for d in diagnostics if d.severity == "error" or d.span is None or not d.span.file.startswith("seasons:"))


def no_kind(name: str, known: Iterable[str]) -> click.UsageError:
    """What to say of a kind that nothing has, with the one that is meant, or those that there are."""
    from seasons_build.core.names import meant_or_listed

    hints = meant_or_listed(name, sorted(set(known)), most=40)
    return click.UsageError(f"there is no kind {name!r}" + "".join(f"; {hint}" for hint in hints))


def write(text: str, *, err: bool = False) -> None:
    """Prints lines of any characters: what would move the cursor, turn the text round or not be seen is written as an escape."""
    _print("\n".join(escape(line) for line in text.split("\n")), err)


def write_safe(text: str, *, err: bool = True) -> None:
    """Prints, where the talk goes, what `told` or `render` has made."""
    if text:
        _print(text, err)


def write_kept(text: str) -> None:
    """Prints, where the talk goes, what `told` had made for a build before and the cache has kept since: colours stay as they are, and
    whatever else a terminal obeys is written as an escape, since a cache can be forged."""
    if text:
        _print(_KEPT.sub(lambda m: m[0] if m[0] == "\n" or len(m[0]) > 1 else escape(m[0]), text), True)


def write_json(data: Any) -> None:
    """Prints data as JSON that people can read too: letters as they are, and escaped what a terminal must not get."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    _print(UNSAFE.sub(lambda m: m[0] if m[0] == "\n" else json.dumps(m[0])[1:-1], text), False)


def _print(text: str, err: bool) -> None:
    """Prints what is safe to print; what the terminal's encoding lacks is written as an escape."""
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)


def closing(diagnostics: Iterable[Diagnostic]) -> None:
    """Prints how many errors, warnings and notes there were."""
    from seasons_build.report import summary

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

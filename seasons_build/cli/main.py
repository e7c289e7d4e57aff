"""`seasons` itself: the options that every command shares, the commands by name, and the exit codes.

Commands are imported when they are called, so that `seasons --help` answers at once.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import IO

import click

from seasons_build import __version__
from seasons_build.core.files import REASONS
from seasons_build.core.stopping import exit_code

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)
PACK = click.Path(path_type=Path, exists=True)
ISSUES = "https://github.com/seasons-build/seasons-build/issues"

INTERRUPTED = "interrupted: the files of the last build are still whole"

COMMANDS = {
    "build": ("build", "Print the project's packs, or the products named."),
    "watch": ("watching", "Build again whenever a file is saved."),
    "serve": ("serving", "Show in the browser what will print."),
    "check": ("inspect", "Say everything that is wrong, and write nothing."),
    "list": ("inspect", "List the entries there are."),
    "show": ("inspect", "Show one entry as worked out."),
    "explain": ("inspect", "Explain how a number came about, or what a code means."),
    "new": ("author", "Make files to begin with: a project, a pack, an entry of a kind."),
    "copy": ("author", "Copy an entry under a new id."),
    "refs": ("names", "Say where an entry is named."),
    "rename": ("names", "Give an entry another id, everywhere."),
    "diff": ("errata", "Say what a reader would notice since an earlier state."),
    "import": ("exchange", "Bring in a spreadsheet, or a filled sheet."),
    "export": ("exchange", "Give the entries to other programs, or to readers as a site."),
    "pack": ("pack", "Pin, carry and compare packs: lock, bundle, check."),
    "schema": ("schema", "Write schemas for editors."),
    "test": ("cases", "Run the games' own cases."),
    "odds": ("odds", "Exact chances of each outcome of a roll."),
    "verify": ("printer", "Hold a written file against what a print shop asks for."),
    "align": ("printer", "Write a page that shows by how much a printer misses."),
    "doctor": ("machine", "Say what this machine lacks, and the command for it."),
    "clean": ("machine", "Remove what builds wrote."),
}


class Commands(click.Group):
    """The commands, each imported on its first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"seasons_build.cli.{COMMANDS[cmd_name][0]}")
        found = getattr(module, f"{cmd_name}_command")
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        from seasons_build.core.names import did_you_mean

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = "".join(f" ({h})" for h in did_you_mean(args[0], COMMANDS)) or ": `seasons --help` lists them"
            raise click.UsageError(f"there is no command {args[0]!r}{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="seasons", message="%(prog)s %(version)s")
@click.option("--project", type=FOLDER, help="The project's folder (else the nearest one upward that has `content`).")
@click.option("--pack", "packs", type=PACK, multiple=True, help="A pack to use besides: its folder or zip archive. May be repeated.")
@click.pass_context
def seasons(ctx: click.Context, project: Path | None, packs: tuple[Path, ...]) -> None:
    """Compile tabletop games: YAML in; cards, statblocks and sheets that print right out.

    To begin, in an empty folder: `seasons new pack my-pack --for frontiers`, then `seasons check` and `seasons build`.
    `seasons COMMAND --help` says more of each command.
    """
    try:
        os.getcwd()
    except FileNotFoundError:
        raise click.ClickException("the folder that you are in is gone; change to another one") from None
    ctx.obj = (project, packs)


def main() -> None:
    """Runs the command line and leaves with its exit code: 0 fine, 1 errors, 2 usage, 70 a fault of ours, 130 interrupted, 143 ended."""
    try:
        code = _ran()
    except OSError:
        code = 1  # not even why can be told any more
    for stream in (sys.stdout, sys.stderr):
        _let_go(stream)
    sys.exit(code)


def _ran() -> int:
    """The exit code of what the command line asks for, with everything told."""
    try:
        code = seasons.main(prog_name="seasons", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as exit_:
        code = exit_.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = _interrupted()
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except BrokenPipeError:
        code = 1
    except OSError as error:
        code = _of_the_system(error)
    except Exception as error:
        # Before Python 3.12 an interrupt that comes while a class is made is raised as the cause of something else.
        code = _interrupted() if isinstance(error.__cause__, KeyboardInterrupt) else _our_fault(error)
    return code if isinstance(code, int) else 0


def _interrupted() -> int:
    click.echo(INTERRUPTED, err=True)
    return exit_code()


def _let_go(stream: IO[str]) -> None:
    """Drops what a stream can no longer tell, so that the end of the program says nothing of it."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _of_the_system(error: OSError) -> int:
    """What to say where the system refuses something that no stage has asked for in vain before. Anything else is a fault of ours."""
    why = REASONS.get(error.errno or 0)
    if why is None:
        return _our_fault(error)
    from seasons_build.core.diagnostic import Diagnostic
    from seasons_build.report import render

    what = f"`{os.fsdecode(error.filename)}`" if isinstance(error.filename, str | bytes) else "what was asked for"
    click.echo(render([Diagnostic("E784", f"{what} cannot be read or written: {why}")], "text", lambda _: None), err=True)
    return 1


def _our_fault(error: Exception) -> int:
    if os.environ.get("SEASONS_TRACEBACK"):
        raise error
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    place = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else "?"
    said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    click.echo(f"a fault of ours, not yours ({place}: {said!a}); please report it: {ISSUES}", err=True)
    return 70

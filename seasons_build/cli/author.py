"""Commands that make files for a writer: new, copy."""

from __future__ import annotations

from pathlib import Path

import click

from seasons_build.cli.inspect import find
from seasons_build.cli.talk import code_of, no_kind, shown, write, write_safe
from seasons_build.core.files import reason_of
from seasons_build.core.names import ID, did_you_mean, slug
from seasons_build.pipeline.author import Desk, Made, make_copy, make_entry, make_game, make_pack
from seasons_build.pipeline.read import Project, read, read_library
from seasons_build.report import render
from seasons_build.sources import RESERVED, is_device

Where = tuple[Path | None, tuple[Path, ...]]


@click.command("new")
@click.argument("what")
@click.argument("name", required=False)
@click.option("--for", "game", metavar="GAME", help="The game that a new pack adds to.")
@click.option("--pack", metavar="PACK", help="Which of the project's packs gets a new entry.")
@click.pass_obj
def new_command(where: Where, what: str, name: str | None, game: str | None, pack: str | None) -> int:
    """Make files to begin with. Nothing that is there is written over.

    \b
    seasons new pack rust --for frontiers     a pack that adds to a game
    seasons new weapon rivet-gun              an entry of a kind, in the project's pack
    seasons new project night                 a folder with a small game of your own
    seasons new project night --for frontiers a folder with a pack for a game
    """
    if name is None:
        raise click.UsageError(f"say how the new {what} is called, as `seasons new {what} my-{what}`")
    if what == "project":
        return _project(Path(name), game)
    _id(name)
    if what == "pack":
        return _pack(Desk(*where), name, game)
    if game is not None:
        raise click.UsageError("--for goes with `new pack` and `new project`")
    project = read(*where)
    owner = owner_of(project, pack)
    kind = project.library.find_kind(owner, what)
    if kind is None or kind.broken:
        raise no_kind(what, ["project", "pack", *(k.id for k in project.library.kinds.values())])
    _free(project, owner, kind.id, name)
    return shown_made(make_entry(Desk(*where), project, owner, kind, name))


@click.command("copy")
@click.argument("entry")
@click.argument("name", metavar="ID")
@click.option("--pack", metavar="PACK", help="Which of the project's packs gets the copy.")
@click.pass_obj
def copy_command(where: Where, entry: str, name: str, pack: str | None) -> int:
    """Copy an ENTRY, of the project or of a game that it uses, into a file of its own under a new ID."""
    _id(name)
    project = read(*where)
    found = find(project, entry)
    if isinstance(found, int):
        return found
    owner = owner_of(project, pack)
    _free(project, owner, found.kind, name)
    return shown_made(make_copy(Desk(*where), project, owner, found, name))


def _project(folder: Path, game: str | None) -> int:
    identifier = slug(folder.resolve().name)
    if not identifier:
        raise click.UsageError(f"{folder.name!r} has no letter or figure that an id can be made of")
    _free_word(identifier, "give the folder another name")
    if (folder / "content").is_dir():
        raise click.UsageError(f"{str(folder)!r} is a project already: `seasons new pack` adds a pack to it")
    if game is None:
        return shown_made(make_game(folder, identifier), folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "content").mkdir()
    except OSError as error:
        write(f"`{folder}` cannot be made: {reason_of(error)}", err=True)
        return 1
    return _pack(Desk(folder), identifier, game, folder)


def _pack(desk: Desk, name: str, game: str | None, folder: Path | None = None) -> int:
    project = read(desk.project, desk.extra, named=(game,) if game else ())
    library = project.library
    if game is None or game not in library.packs:
        there = [pack for pack in project.sources.packs if pack != name]
        packs = read_library(desk.project, desk.extra, named=there).library.packs
        games = sorted(pack for pack in there if pack in packs and not packs[pack].requires)
        said = f"there is no game {game!r}" if game else "say with --for which game it adds to"
        near = did_you_mean(game, there) if game else ()
        raise click.UsageError(f"{said}; {near[0] if near else 'there are ' + ', '.join(games)}")
    _free_word(name, "choose another id")
    if name in project.sources.packs:
        raise click.UsageError(f"there is a pack {name!r} already")
    return shown_made(make_pack(desk, project, game, name), folder)


def _free_word(name: str, advice: str) -> None:
    """Refuses ids that no pack can have."""
    if is_device(name):
        raise click.UsageError(f"no folder can be called {name!r} on Windows; {advice}")
    if name in RESERVED:
        raise click.UsageError(f"no pack can be called {name!r}: that is a word of the language itself; {advice}")


def _id(name: str) -> None:
    if not ID.match(name):
        guess = slug(name)
        raise click.UsageError(f"{name!r} cannot be an id: small letters, figures and hyphens" + (f", as {guess!r}" if guess else ""))
    if is_device(name):
        raise click.UsageError(f"no file can be called {name!r} on Windows: choose another id, as {f'the-{name}'!r}")


def owner_of(project: Project, pack: str | None) -> str:
    """The pack of the project that is meant."""
    own = [p.id for p in project.library.packs.values() if p.own]
    if pack is not None and pack not in own:
        raise click.UsageError(f"the project has no pack {pack!r}" + "".join(f"; {hint}" for hint in did_you_mean(pack, own)))
    if pack is None and not own:
        raise click.UsageError("this project has no pack of its own: make one with `seasons new pack ID --for GAME`")
    if pack is None and len(own) > 1:
        raise click.UsageError(f"say with --pack which pack gets it: {', '.join(own)}")
    return pack or own[0]


def _free(project: Project, pack: str, kind: str, name: str) -> None:
    entry = project.library.entries.get((pack, kind, name))
    if entry is not None:
        raise click.UsageError(f"the {kind} {name!r} is there already, in {entry.document.file}")


def shown_made(made: Made, folder: Path | None = None) -> int:
    """Names the files that were made and says what there is to say of them; gives the exit code."""
    for name in made.files:
        write(shown(made.root / name))
    if made.diagnostics:
        write_safe(render(made.diagnostics, "text", lambda name: made.texts.get(name)))
    if made.files and not code_of(made.diagnostics):
        there = f'`cd "{folder}"`, then ' if folder and folder.resolve() != Path.cwd() else ""
        write(f"next: {there}`seasons check`, then `seasons build`", err=True)
    return code_of(made.diagnostics)

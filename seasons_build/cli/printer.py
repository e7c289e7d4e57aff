"""Commands about printed things: verify, align."""

from __future__ import annotations

from pathlib import Path

import click

from seasons_build.cli.talk import closing, code_of, shown, tell_plain, write
from seasons_build.cli.typed import offset
from seasons_build.core.paper import Flip
from seasons_build.core.profile import Wishes


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@click.option("--profile", metavar="NAME", required=True, help="What to hold it against: makeplayingcards, thegamecrafter and others.")
@click.pass_obj
def verify_command(where: tuple[Path | None, tuple[Path, ...]], file: Path, profile: str) -> int:
    """Hold a written FILE (or a folder of pictures) against what a print shop asks for."""
    from seasons_build.pipeline.proofs import verify_file

    found = verify_file(*where, file, profile)
    tell_plain(found)
    closing(found)
    if not code_of(found):
        write(f"{shown(file)} is as {profile} wants it")
    return code_of(found)


@click.command("align")
@click.option("--paper", metavar="PAPER", help="The paper in your printer: a4 or letter.")
@click.option("--flip", type=click.Choice(("long", "short")), help="The edge about which your printer turns a sheet for its back (long).")
@click.option("--back-offset", metavar="X,Y", help="Move the back, in mm to the right and up: prints the page as the cards would be.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("alignment.pdf"), help="The file, else alignment.pdf.")
@click.pass_obj
def align_command(
    where: tuple[Path | None, tuple[Path, ...]], paper: str | None, flip: Flip | None, back_offset: str | None, out: Path
) -> int:
    """Write a page with its back that shows by how much your printer misses."""
    from seasons_build.pipeline.answers import answer
    from seasons_build.pipeline.proofs import alignment_page

    made = alignment_page(*where, Wishes(paper, flip=flip, back_offset=offset(back_offset)))
    tell_plain(made.diagnostics)
    if made.value is None:
        return 1
    refused = answer(*where, out, made.value)
    tell_plain(refused)
    if refused:
        return 1
    write(shown(out))
    write("print it on both sides, as large as it is; hold it to the light, read where the cross of the back lies,", err=True)
    write("and give what you read there: seasons build --back-offset X,Y", err=True)
    return 0

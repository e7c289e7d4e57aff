"""The command that runs the games' own tests: test."""

from __future__ import annotations

from pathlib import Path

import click

from seasons_build.cli.talk import code_of, tell, write, write_json
from seasons_build.pipeline.doubted import doubted
from seasons_build.pipeline.read import read, try_games


@click.command("test")
@click.argument("packs", nargs=-1)
@click.option("--coverage", is_flag=True, help="Name the stats, limits and rows of tables that no case touches.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="text for people, json for programs.")
@click.pass_obj
def test_command(where: tuple[Path | None, tuple[Path, ...]], packs: tuple[str, ...], coverage: bool, form: str) -> int:
    """Run the games' own cases: those of the project's packs, or of the PACKS named."""
    project = read(*where, named=packs)
    tried = try_games(project)
    wanted = set(packs) or {pack.id for pack in project.library.packs.values() if pack.own} or set(project.library.packs)
    cases = [case for case in tried.cases if case.pack in wanted]
    unsure = doubted(project)
    failures = [fault for case in cases for fault in case.failures if case.pack not in unsure]
    untouched = {pack: list(left) for pack, left in tried.untouched.items() if pack in wanted}
    if form == "json":
        came = [(case, None if case.failures and case.pack in unsure else not case.failures) for case in cases]
        data = [{"pack": case.pack, "case": case.id, "passed": passed, "claims": list(case.claims)} for case, passed in came]
        left = {pack: [f"{noun} {name}" for noun, name in found] for pack, found in untouched.items()}
        write_json({"cases": data, "untouched": left})
    errors = [d for d in project.diagnostics if d.severity == "error"]
    tell(project, [*errors, *failures], err=form == "json")
    if coverage and form == "text":
        for pack, found in untouched.items():
            for noun, name in found:
                write(f"no case touches {pack}: {noun} {name}")
    failed = sum(bool(case.failures) and case.pack not in unsure for case in cases)
    unjudged = sum(bool(case.failures) and case.pack in unsure for case in cases)
    rest = f", {unjudged} cannot be judged: the rules that they try have errors" if unjudged else ""
    write(f"{len(cases) - failed - unjudged} passed, {failed} failed{rest}", err=True)
    return code_of([*errors, *failures])

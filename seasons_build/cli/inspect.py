"""Commands that look and print nothing: check, list, show, explain."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

from seasons_build.cli.talk import FORMS, closing, code_of, of_the_project, tell, write, write_json
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry
from seasons_build.core.names import did_you_mean, meant_or_listed
from seasons_build.export import changed, entry_data, entry_line, explained, listed, page_of
from seasons_build.language.yaml_text import field
from seasons_build.pipeline.naming import left_outside
from seasons_build.pipeline.read import Project, read, read_library, work_out
from seasons_build.report import Form

Where = tuple[Path | None, tuple[Path, ...]]


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--format", "form", type=click.Choice(FORMS), default="text", help="For people, editors (a line each), programs, GitHub.")
@click.option("--strict", is_flag=True, help="Let warnings fail, too.")
@click.pass_obj
def check_command(where: Where, paths: tuple[str, ...], form: Form, strict: bool) -> int:
    """Say everything that is wrong, and write nothing.

    PATHS, where any are given, are files or folders of the project: only what stands in them is told.
    """
    project = read(*where, patient=True)
    own = any(not pack.shipped for pack in project.library.packs.values())
    words = {"rules", "patch", *(kind for _, kind in project.library.kinds)}
    said = (*(of_the_project(project.diagnostics) if own else project.diagnostics), *left_outside(project.root, words))
    found = [d for d in said if _told(d, project, paths)]
    tell(project, found, form=form, err=False)
    if form != "json":
        if not own:
            write("there is no pack of your own here: the games that come with the program were checked", err=True)
        closing(found)
    return code_of(found, strict=strict)


@click.command("list")
@click.argument("kind", required=False)
@click.option("--where", "condition", metavar="EXPR", help="A condition that each entry must meet, as 'demand > 3'.")
@click.option("--text", metavar="WORDS", help="Words that must stand in the entry.")
@click.option("--provisional", is_flag=True, help="Only entries with values that are not settled yet.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="text for people, json for programs.")
@click.pass_obj
def list_command(
    where: Where, kind: str | None, condition: str | None, text: str | None, provisional: bool, form: str
) -> int:
    """List the entries there are, or those of one KIND, as `weapon` or `frontiers:weapon`.

    Without a KIND and a condition, the project's own entries are named, and those of the games that it uses are counted by kind.
    """
    project = read_library(*where)
    entries = listed(project.library)
    if kind is not None:
        pack, _, bare = kind.rpartition(":")
        known = sorted({e.kind for e in entries})
        if bare not in {k for _, k in project.library.kinds}:
            return _unknown("kind", kind, known)
        entries = [e for e in entries if e.kind == bare and (not pack or e.pack == pack)]
    if condition is not None:
        kept = chosen(project, condition)
        if isinstance(kept, str):
            raise click.UsageError(kept)
        entries = [e for e in entries if e.key in kept]
    if text is not None:
        entries = [e for e in entries if text.casefold() in json.dumps(_data(e), ensure_ascii=False).casefold()]
    if provisional:
        entries = [e for e in entries if e.data.get("provisional")]
    if form == "json":
        write_json([{**entry_line(e), "version": project.library.packs[e.pack].version} for e in entries])
        return 0
    counted = kind is None and condition is None and text is None and not provisional
    others = [e for e in entries if counted and not project.library.packs[e.pack].own]
    for entry in entries:
        if not counted or project.library.packs[entry.pack].own:
            write(f"{entry}  {entry.name}")
    for (owner, each), count in sorted(Counter((e.pack, e.kind) for e in others).items()):
        write(f"{owner}:{each}  {_entries(count)}")
    more = f"; `seasons list {others[0].pack}:{others[0].kind}` names those of a kind" if others else ""
    write(f"{_entries(len(entries))}{more}", err=True)
    return 0


def _entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


@click.command("show")
@click.argument("entry")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="text for people, json for programs.")
@click.pass_obj
def show_command(where: Where, entry: str, form: str) -> int:
    """Show one ENTRY as worked out: `breacher`, `adversary/breacher` or `frontiers:adversary/breacher`."""
    project = read_library(*where, named=named_in(entry))
    found = find(project, entry)
    if isinstance(found, int):
        return found
    project = work_out(project, found.pack)
    data = entry_data(project.library, project.sheets, project.lines, found)
    if form == "json":
        write_json(data)
    else:
        for line in _spelled(data):
            write(line)
    faults = [d for d in project.diagnostics if found.broken and d.severity == "error" and d.span and d.span.file == found.document.file]
    tell(project, faults)
    return code_of(faults)


@click.command("explain")
@click.argument("entry")
@click.argument("stat", required=False)
@click.pass_obj
def explain_command(where: Where, entry: str, stat: str | None) -> int:
    """Explain how a number of an ENTRY came about (all, or one STAT), or what a code like E301 means."""
    if stat is None and len(entry) == 4 and entry[0].upper() in "EWN" and entry[1:].isdigit():
        page = page_of(entry.upper())
        if page is None:
            return _unknown("code", entry.upper(), [])
        write(page)
        return 0
    project = read_library(*where, named=named_in(entry))
    found = find(project, entry)
    if isinstance(found, int):
        return found
    project = work_out(project, found.pack)
    sheet = project.sheets.get(found.key)
    if sheet is None:
        tell(project, [d for d in project.diagnostics if d.severity == "error"])
        return 1
    if stat is not None and stat not in sheet.stats:
        return _unknown("stat", stat, list(sheet.stats)) if sheet.stats else _no_stats(found)
    if not sheet.stats and not (found.like or found.changes):
        _no_stats(found)
    for line in explained(project.library, sheet, [stat] if stat else list(sheet.stats)):
        write(line)
    for line in changed(project.library, found) if stat is None else ():
        write(line)
    return 0


def find(project: Project, name: str) -> Entry | int:
    """The entry that a name on the command line means; an exit code where it means none, or several."""
    there = project.library.entries.values()
    entries = [e for e in there if name in _names(e, e.id)] or [e for e in there if any(name in _names(e, old) for old in e.former)]
    if len(entries) == 1:
        return entries[0]
    if entries:
        write(f"`{name}` may be {', '.join(f'`{e}`' for e in entries)}: say which", err=True)
        return 2
    bare = name.rpartition("/")[2].rpartition(":")[2]
    return _unknown("entry", name, [e.id for e in project.library.entries.values()], bare)


def _names(entry: Entry, id: str) -> tuple[str, ...]:
    """How an entry may be named on the command line, by the id it has or had."""
    return id, f"{entry.kind}/{id}", f"{entry.pack}:{entry.kind}/{id}", f"{entry.pack}:{id}"


def named_in(entry: str) -> tuple[str, ...]:
    """The pack that a name on the command line begins with, if it does."""
    pack = entry.partition(":")[0] if ":" in entry else ""
    return (pack,) if pack else ()


def chosen(project: Project, condition: str) -> frozenset[tuple[str, str, str]] | str:
    """The entries that meet a condition of the command line, or what is wrong with it."""
    from seasons_build.pipeline.read import select

    return select(project, condition)


def _unknown(what: str, name: str, known: list[str], bare: str | None = None) -> int:
    # Names with a dot are parts of those without: where there is no room for all, these go first.
    whole = sorted(known, key=lambda name: "." in name)
    listed = meant_or_listed(bare or name, whole, most=40) if what in ("stat", "kind") else did_you_mean(bare or name, known)
    write(f"unknown {what} `{name}`{''.join(f': {hint}' for hint in listed)}", err=True)
    return 2


def _no_stats(entry: Entry) -> int:
    write(f"`{entry}` has no stats: `seasons show {entry}` says what it holds", err=True)
    return 2


def _told(diagnostic: Diagnostic, project: Project, paths: tuple[str, ...]) -> bool:
    if not paths:
        return True
    if diagnostic.span is None:
        return False
    here = Path(project.root, diagnostic.span.file).resolve()
    return any(here == asked or asked in here.parents for asked in (Path(path).resolve() for path in paths))


def _data(entry: Entry) -> Any:
    from seasons_build.export import plain_data

    return plain_data(entry.data)


def _spelled(data: dict[str, Any]) -> list[str]:
    lines = [f"{data['name']}  ({data['pack']}:{data['kind']}/{data['id']})"]
    for name, value in data["data"].items():
        parts = isinstance(value, dict) and any(isinstance(part, dict) for part in value.values())
        lines += [f"  {name}: {value}"] if isinstance(value, str) else field(name, value, 2, 2 if parts else 0)
    lines.remove(f"  name: {data['name']}")
    if data["stats"]:
        lines.append("  stats")
        lines += [f"    {name}: {value}" for name, value in data["stats"].items()]
    for name, rows in data.get("rows", {}).items():
        lines.append(f"  {name}")
        lines += [f"    {', '.join(f'{k} {v}' for k, v in row.items())}" for row in rows]
    if data["lines"]:
        lines += ["  says", *(f"    {line}" for line in data["lines"])]
    return lines

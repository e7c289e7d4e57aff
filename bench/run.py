"""The measurements behind docs/benchmarks.md: `make bench`, or `python bench/run.py --help`.

Builds 90 and 900 cards in the shape of the shipped game from nothing, and in the same run lets headless Chromium, Typst and WeasyPrint
alone print the same faces, one a page, where they are installed; then checks 10,000 entries beside a bare YAML parser. It prints tables and
judges nothing: no test hangs on a time. CPU seconds are of a process and all that it started, memory is the largest process of them.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import monotonic, sleep

from edits import Watched, command, edit, restyle
from peers import FONTS, browser_page, typst_files

from content import PRODUCTS, project

HERE = Path(__file__).resolve().parent
ENTRIES = 10_000
A_FILE = 50
SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of Linux: what a child leaves running is ours to wait for, and to count."""
LINGER = 5
"""Seconds that what a child leaves running may take to end."""
YAML = "import sys, yaml, pathlib\nfor f in sorted(pathlib.Path(sys.argv[1]).rglob('*.yaml')): yaml.load(f.read_bytes(), yaml.CSafeLoader)"
TYPST = "import sys, typst\ntypst.compile(sys.argv[1], output=sys.argv[2], font_paths=[sys.argv[3]], ignore_system_fonts=True)"


@dataclass(frozen=True, slots=True)
class Spent:
    """What a command took: seconds by the clock, seconds of processor time, megabytes of its largest process; its exit code."""

    wall: float
    cpu: float
    peak: float
    code: int


def run(command: Sequence[str], log: Path) -> Spent:
    """Runs a command to its end, with all that it starts. What it says goes to the log."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment)
    cpu = peak = 0.0
    wall = code = None
    while wall is None or monotonic() - start < wall + LINGER:
        try:
            ended, status, usage = os.wait4(-1, 0 if wall is None else os.WNOHANG)
        except ChildProcessError:
            break
        if not ended:
            sleep(0.05)
            continue
        cpu += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss / (1024 if sys.platform == "linux" else 1024 * 1024))
        if ended == process.pid:
            wall = monotonic() - start
            process.returncode = code = os.waitstatus_to_exitcode(status)
    return Spent(wall or 0.0, cpu, peak, code if code is not None else 1)


def middle(runs: Sequence[Spent]) -> Spent:
    """The median of several runs, figure by figure; the worst exit code."""
    code = next((one.code for one in runs if one.code), 0)
    return Spent(median(r.wall for r in runs), median(r.cpu for r in runs), median(r.peak for r in runs), code)


# The tools


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that prints the cards. `prepare` writes its input into an empty folder and gives the command, None where it is not
    installed."""

    name: str
    prepare: Callable[[Path, int], Sequence[str]] | None


def ours(folder: Path, count: int) -> Sequence[str]:
    """A build of a project that was never built."""
    project(folder, count)
    command = [sys.executable, str(HERE / "stopwatch.py"), str(folder / "linker"), "--project", str(folder)]
    return [*command, "build", *PRODUCTS, "--out", str(folder / "out")]


def alone(folder: Path, count: int) -> Sequence[str]:
    """The typesetter of a build and nothing else, in one process."""
    del folder
    return [sys.executable, str(HERE / "peers.py"), str(count)]


def chromium(program: str) -> Callable[[Path, int], Sequence[str]]:
    """A browser that prints one page of HTML."""

    def prepare(folder: Path, count: int) -> Sequence[str]:
        page = browser_page(folder, count)
        flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={folder / 'profile'}")
        return [program, *flags, f"--print-to-pdf={folder / 'faces.pdf'}", page.as_uri()]

    return prepare


def typst(program: str | None) -> Callable[[Path, int], Sequence[str]]:
    """Typst, as a program or as the package of PyPI."""

    def prepare(folder: Path, count: int) -> Sequence[str]:
        file, output = str(typst_files(folder, count)), str(folder / "faces.pdf")
        if program is None:
            return [sys.executable, "-c", TYPST, file, output, str(FONTS)]
        return [program, "compile", "--font-path", str(FONTS), "--ignore-system-fonts", file, output]

    return prepare


def tools() -> tuple[Tool, ...]:
    """Ours and the others, found or not."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    program = shutil.which("typst")
    return (
        Tool("seasons build", ours),
        Tool("WeasyPrint alone", alone),
        Tool("Chromium", chromium(browser) if browser else None),
        Tool("Typst", typst(program) if program or find_spec("typst") else None),
    )


# The measurements


def print_cards(counts: Sequence[int], runs: int, scratch: Path) -> Mapping[tuple[str, int], Spent]:
    """Builds beside the other tools: a table for each number of cards, and what a further card costs."""
    spent: dict[tuple[str, int], Spent] = {}
    for count in counts:
        print(f"\n{count} cards, from nothing\n")
        table = [("", "time, s", "CPU, s", "CPU a card, ms", "peak, MB", "our time / its", "our CPU / its")]
        for tool in tools():
            if tool.prepare is None:
                table.append((tool.name, "not installed", "", "", "", "", ""))
                continue
            found = []
            for _ in range(runs if count < 500 else 1):
                with tempfile.TemporaryDirectory(dir=scratch) as folder:
                    command = tool.prepare(Path(folder), count)
                    found.append(run(command, scratch / "log"))
                    linker = Path(folder) / "linker"
                    linked = float(linker.read_text()) if linker.exists() else None
                if found[-1].code:
                    print((scratch / "log").read_text(errors="replace")[-2000:], file=sys.stderr)
            one = spent[tool.name, count] = middle(found)
            us = spent["seasons build", count]
            ratios = ("", "") if one is us else (f"{us.wall / one.wall:.2f}", f"{us.cpu / one.cpu:.2f}")
            name = tool.name if not one.code else f"{tool.name} (failed)"
            table.append((name, f"{one.wall:.2f}", f"{one.cpu:.2f}", f"{1000 * one.cpu / count:.1f}", f"{one.peak:.0f}", *ratios))
            if linked is not None:
                table.append(("  of it: linking", "", f"{linked:.3f}", "", "", "", ""))
        show(table)
    further(counts, spent)
    return spent


def print_edits(counts: Sequence[int], runs: int, scratch: Path, spent: Mapping[tuple[str, int], Spent]) -> None:
    """What changes cost after a build, beside one whole run of Typst on as many cards in the same run."""
    for count in counts:
        peer = spent.get(("Typst", count)) or full_typst(count, scratch)
        with tempfile.TemporaryDirectory(dir=scratch) as place:
            folder = Path(place) / "project"
            folder.mkdir()
            project(folder, count, a_file=A_FILE if count > 1000 else 0)
            rows = [(name, *_beside(one, peer)) for name, one in after_changes(folder, count, runs, scratch)]
        said = f"; one run of Typst: {peer.wall:.2f} s, CPU {peer.cpu:.2f} s" if peer else ""
        print(f"\n{count:,} cards, after a build{said}\n")
        show([("", "time, s", "CPU, s", "peak, MB", "time / Typst's", "CPU / Typst's"), *rows])


def after_changes(folder: Path, count: int, runs: int, scratch: Path) -> Iterator[tuple[str, Spent]]:
    """What it takes to build a project, and to build it again after changes; the memory of `watch` is that of all its processes."""
    build = command(folder, PRODUCTS)
    yield "from nothing", run(build, scratch / "log")
    yield "nothing changed", middle([run(build, scratch / "log") for _ in range(runs)])
    found = []
    for number in range(runs):
        edit(folder, number)
        found.append(run(build, scratch / "log"))
    yield "one entry edited", middle(found)
    if count <= 1000:
        restyle(folder, 1)
        yield "a style sheet changed", run(build, scratch / "log")
    watched = Watched(folder, PRODUCTS)
    try:
        spells = [watched.after(number, lambda number: edit(folder, number)) for number in range(50, 51 + runs)][1:]
        yield "one entry edited, watch", Spent(median(s[0] for s in spells), median(s[1] for s in spells), watched.peak(), 0)
    finally:
        watched.stop()


def full_typst(count: int, scratch: Path) -> Spent | None:
    """Typst, from nothing, once; None where it is not installed."""
    tool = next(t for t in tools() if t.name == "Typst")
    if tool.prepare is None:
        return None
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        return run(tool.prepare(Path(folder), count), scratch / "log")


def _beside(one: Spent, peer: Spent | None) -> tuple[str, ...]:
    figures = (f"{one.wall:.2f}", f"{one.cpu:.2f}", f"{one.peak:.0f}")
    return (*figures, f"{one.wall / peer.wall:.2f}", f"{one.cpu / peer.cpu:.2f}") if peer else (*figures, "", "")


def further(counts: Sequence[int], spent: Mapping[tuple[str, int], Spent]) -> None:
    """What a further card costs each tool, beyond what it takes to start."""
    if len(counts) < 2:
        return
    few, many = counts[0], counts[-1]
    print(f"\nA further card: CPU between {few} and {many} cards\n")
    table = [("", "CPU a card, ms", "our CPU / its")]
    costs = {name: (spent[name, many].cpu - spent[name, few].cpu) / (many - few) for name, count in spent if count == few}
    for name, cost in costs.items():
        ratio = f"{costs['seasons build'] / cost:.2f}" if name != "seasons build" and cost > 0 else ""
        table.append((name, f"{1000 * cost:.1f}", ratio))
    show(table)


def check_entries(count: int, runs: int, scratch: Path) -> None:
    """`check` of many entries beside a parser that only reads them, in turn: of entries whose numbers come round again under other names,
    and of such of which no two say the same."""
    print(f"\ncheck of {count:,} entries, beside yaml.load(..., CSafeLoader) on the same files\n")
    rows = [("", "time, s", "CPU, s", "peak, MB", "CPU, ratio")]
    for unlike in (False, True):
        us, it = _checked(count, runs, scratch, unlike=unlike)
        words = "seasons check, no two alike" if unlike else "seasons check"
        rows.append((words, f"{us.wall:.2f}", f"{us.cpu:.2f}", f"{us.peak:.0f}", f"{us.cpu / it.cpu:.2f}"))
        rows.append(("yaml.load", f"{it.wall:.2f}", f"{it.cpu:.2f}", f"{it.peak:.0f}", ""))
    show(rows)


def _checked(count: int, runs: int, scratch: Path, *, unlike: bool) -> tuple[Spent, Spent]:
    """What `check` of so many entries takes, and what reading them."""
    with tempfile.TemporaryDirectory(dir=scratch) as place:
        folder = Path(place)
        project(folder, count, a_file=A_FILE, unlike=unlike)
        check = [sys.executable, "-m", "seasons_build", "--project", str(folder), "check"]
        parse = [sys.executable, "-c", YAML, str(folder / "content")]
        checked, parsed = [], []
        for _ in range(runs):
            checked.append(run(check, scratch / "log"))
            parsed.append(run(parse, scratch / "log"))
        if any(one.code for one in checked):
            print((scratch / "log").read_text(errors="replace")[-2000:], file=sys.stderr)
        return middle(checked), middle(parsed)


def ask_help(scratch: Path) -> None:
    """How long the command line takes to answer at all."""
    spent = middle([run([sys.executable, "-m", "seasons_build", "--help"], scratch / "log") for _ in range(5)])
    print("\nseasons --help\n")
    show([("", "time, s", "CPU, s", "peak, MB"), ("", f"{spent.wall:.2f}", f"{spent.cpu:.2f}", f"{spent.peak:.0f}")])


def show(table: Sequence[Sequence[str]]) -> None:
    """A table as Markdown has it, aligned."""
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    head, *rows = ["| " + " | ".join(f"{cell:{'<' if c == 0 else '>'}{widths[c]}}" for c, cell in enumerate(row)) + " |" for row in table]
    rule = "|" + "|".join("-" * (width + 1) + ("-" if column == 0 else ":") for column, width in enumerate(widths)) + "|"
    print("\n".join((head, rule, *rows)), flush=True)


def main() -> int:
    """Measures what was asked for, all of it by default."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    words.add_argument("--cards", type=int, nargs="*", default=[90, 900], help="how many cards to print (90 900)")
    words.add_argument("--edits", type=int, nargs="*", default=[90, 900], help="after builds of how many to change something (90 900)")
    words.add_argument("--entries", type=int, default=ENTRIES, help=f"how many entries to check ({ENTRIES}); 0 for none")
    words.add_argument("--runs", type=int, default=3, help="how often, for the median, where it is quick (3)")
    asked = words.parse_args()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    cores, (busy, _, _) = os.cpu_count() or 1, os.getloadavg()
    print(f"{platform.system()} {platform.machine()}, {cores} cores, Python {platform.python_version()}; load before: {busy:.1f}")
    if busy > cores / 2:
        print("Others are at work here: trust CPU rather than time.")
    with tempfile.TemporaryDirectory() as place:
        scratch = Path(place)
        ask_help(scratch)
        spent = print_cards(asked.cards, asked.runs, scratch) if asked.cards else {}
        print_edits(asked.edits, asked.runs, scratch, spent)
        if asked.entries:
            check_entries(asked.entries, asked.runs, scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())

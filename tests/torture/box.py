"""Hostile inputs in a project of a few cards, a builder let loose on them, and what it did judged: ours, and a naive one.

A row of `tests/adversarial/manifest.csv` says where its file goes by its category. What must hold of every builder: it ends by itself, in
time and within its memory, with an exit code of the sort that the row asks for; it shows no traceback and no control character; what it
refuses it names by file and line; it writes nothing outside, and what is refused leaves the old output whole.

In time means by processor time, and by the time in which it and all that it started only waited: what a busy machine keeps from it is not
its fault, and whoever waits for ever is late on an idle one and on a busy one.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[1] / "adversarial"
MARKS = (Path("/tmp/adv-pwned"), Path("/tmp/adv-escaped.txt"))
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
MOST_OUTPUT = 65_536
START_UP = 2.0
"""Seconds that a builder may take beyond what a row allows: to start, and to read its schemas."""
LOOK = 0.05
"""Seconds between two looks at a command that runs."""
TICKS = os.sysconf("SC_CLK_TCK")

PROPERTIES = {
    "luck": {"type": "integer", "title": "Luck", "description": "How much."},
    "price": {"title": "Price", "description": "A formula.", "x-expr": "number"},
    "held": {"title": "Held", "description": "Anything at all."},
}
SCHEMA = {"title": "Charm", "description": "A charm.", "allOf": [{"$ref": "core/entry"}], "properties": PROPERTIES}
CONTENT = "charm:\n  fox: {name: Fox, luck: 1, rules: Runs home at dusk.}\n  owl: {name: Owl, luck: 2}\n"
MANIFEST = 'id: charms\ntitle: Charms\nversion: "1"\nformat: 1\n'
THEME = "id: charms\ntitle: Charms\nextends: base\n"
SHEETS = "stylesheets: {pages: [base/base.css, base/pages.css, charms/adv.css], cards: [base/base.css, base/cards.css, charms/adv.css]}\n"
PRODUCTS = "product:\n  list: {layout: pages, select: {kind: charm}}\n  deck: {layout: cards, select: {kind: charm}}\n"


@dataclass(frozen=True, slots=True)
class Row:
    """A hostile file, and how it must end."""

    file: str
    category: str
    ending: str
    seconds: float
    megabytes: int

    @property
    def path(self) -> Path:
        """Where it lies."""
        return CASES / self.file

    @property
    def name(self) -> str:
        """Its file name."""
        return self.path.name


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did. `code` is below 0 where a signal ended it."""

    code: int
    said: bytes
    seconds: float
    megabytes: float
    late: bool


def rows(*categories: str) -> list[Row]:
    """The rows of some categories."""
    with (CASES / "manifest.csv").open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    return [
        Row(row["file"], row["category"], row["exit"], float(row["max_seconds"]), int(row["max_rss_mb"]))
        for row in listed
        if row["category"] in categories
    ]


def seed(root: Path) -> None:
    """A project that is sound."""
    for folder in ("content/charms", "schemas/charms", "templates/charms/images", "templates/charms/cards", "dist"):
        (root / folder).mkdir(parents=True)
    (root / "content/charms/pack.yaml").write_text(MANIFEST, encoding="utf-8")
    (root / "content/charms/all.yaml").write_text(CONTENT, encoding="utf-8")
    (root / "content/charms/products.yaml").write_text(PRODUCTS, encoding="utf-8")
    (root / "schemas/charms/charm.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (root / "templates/charms/theme.yaml").write_text(THEME, encoding="utf-8")


def place(row: Row, root: Path) -> tuple[list[str], str]:
    """Puts a row's file where its category says; gives the words of the command, and the file that a refusal must name."""
    text = row.path.read_bytes()
    match row.category:
        case "yaml" | "control":
            target = root / "content/charms/adv.yaml"
            target.write_bytes(_held(text) if row.ending == "accept" else text)
            return ["check"], "content/charms/adv.yaml"
        case "expression" if row.path.suffix == ".yaml":
            stats = re.sub(rb"\{formula:", b"{base:", text)
            target = root / "content/charms/adv.yaml"
            target.write_bytes(b"rules:\n  stats:\n" + b"".join(b"    " + line for line in stats.splitlines(keepends=True)))
            return ["check"], "content/charms/adv.yaml"
        case "expression":
            formula = json.dumps(text.decode().removesuffix("\n"), ensure_ascii=False)
            (root / "content/charms/adv.yaml").write_text(f"charm:\n  adv: {{name: Adv, luck: 1, price: {formula}}}\n", encoding="utf-8")
            return ["check"], "content/charms/adv.yaml"
        case "schema":
            return ["check"], _schema(row, root, text)
        case "template":
            return ["build", "deck", "--only", "fox"], _template(root, row.name, text.decode())
        case "render":
            return ["build", "list" if "page" in row.name else "deck", "--only", "fox"], _render(root, row.name, text)
        case "pack":
            (root / "incoming").mkdir()
            (root / "incoming" / row.name).write_bytes(text)
            return ["--pack", f"incoming/{row.name}", "check"], row.name
    raise AssertionError(row.category)


def run(command: Sequence[str], root: Path, row: Row) -> Ran:
    """A command in a project, within limits, killed with all that it started where it takes too long."""
    for mark in MARKS:
        mark.unlink(missing_ok=True)
    with (root.parent / "said").open("wb") as said:
        process = subprocess.Popen(
            command, cwd=root, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True, preexec_fn=_limited
        )
        waited, worked, late = 0.0, 0.0, False
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            tree = _tree(process.pid)
            before, worked = worked, sum(seconds for _, _, seconds in tree)
            if worked <= before and not any(state in "RD" for _, state, _ in tree):
                waited += LOOK
            if not late and max(waited, worked) > row.seconds + START_UP:
                late = True
                for child, _, _ in tree:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(child, signal.SIGKILL)
            time.sleep(LOOK)
        _, status, usage = ended
        process.returncode = os.waitstatus_to_exitcode(status)
    data = (root.parent / "said").read_bytes()
    spent = usage.ru_utime + usage.ru_stime
    return Ran(process.returncode, data, spent, usage.ru_maxrss / 1024, late)


def _tree(first: int) -> list[tuple[int, str, float]]:
    """A process and all that it started: of each its number, its state as the system letters it, and its seconds of processor time with
    those of its children that have ended."""
    stats: dict[int, tuple[int, str, float]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError):
                fields = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
                stats[int(folder.name)] = int(fields[1]), fields[0], sum(map(int, fields[11:15])) / TICKS
    found = [first]
    for parent in found:
        found += [number for number, (above, _, _) in stats.items() if above == parent]
    return [(number, *stats[number][1:]) for number in found if number in stats]


def judge(row: Row, ran: Ran, root: Path, named: str, dist: str) -> list[str]:
    """What is wrong with how a builder took a row; `dist` is the state of the output before."""
    said = ran.said.decode("utf-8", "backslashreplace")
    wrong: list[str] = []
    if ran.late or ran.seconds > row.seconds + START_UP:
        wrong.append(f"took {ran.seconds:.1f} s")
    if ran.code < 0 or ran.code > 125:
        wrong.append(f"ended with {ran.code}")
    elif row.ending == "reject" and ran.code == 0:
        wrong.append("was accepted")
    elif row.ending == "accept" and ran.code:
        wrong.append("was refused")
    if "Traceback (most recent call last)" in said:
        wrong.append("a traceback")
    if ran.code == 70:
        wrong.append("a fault of the builder's own")
    if row.ending == "reject" and not ran.late and not _names(said, row, named):
        wrong.append("the place is not named")
    if CONTROL.search(said):
        wrong.append(f"a control character {CONTROL.search(said)!r}")
    if len(ran.said) > MOST_OUTPUT:
        wrong.append(f"{len(ran.said)} bytes of talk")
    if ran.megabytes > row.megabytes:
        wrong.append(f"{ran.megabytes:.0f} MB")
    if row.ending == "reject" and state(root / "dist") != dist:
        wrong.append("the old output changed")
    outside = {path.name for path in root.parent.iterdir()} - {root.name, "said"}
    if outside or any(mark.exists() for mark in MARKS):
        wrong.append(f"something outside: {sorted(outside)}")
    return wrong


def _names(said: str, row: Row, named: str) -> bool:
    """Whether a refusal says where: in the file that was put there, or of what only shows in an entry, where that stands."""
    if "/" not in named:
        return named in said
    shown = {"render": "content/charms/all.yaml", "schema": "content/charms/adv.yaml"}.get(row.category, named)
    return any(re.search(rf"{re.escape(place)}:\d+:\d+", said) for place in (named, shown))


def state(folder: Path) -> str:
    """A digest of all files in a folder, but for the marks of who writes there."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def attempt(row: Row, folder: Path, builder: Sequence[str], project: Path) -> list[str]:
    """One row from end to end on a copy of a built project: what is wrong with how it ended."""
    root = folder / "p"
    shutil.copytree(project, root)
    dist = state(root / "dist")
    words, named = place(row, root)
    return judge(row, run([*builder, *words], root, row), root, named, dist)


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _held(text: bytes) -> bytes:
    """A document inside an entry, in a field that holds anything."""
    bom = b"\xef\xbb\xbf"
    start, rest = (bom, text[3:]) if text.startswith(bom) else (b"", text)
    lines = rest.splitlines(keepends=True)
    return start + b"charm:\n  adv:\n    name: Adv\n    luck: 1\n    held:\n" + b"".join(b"      " + line for line in lines)


def _schema(row: Row, root: Path, text: bytes) -> str:
    if row.path.suffix == ".yaml":
        (root / "content/charms/adv.yaml").write_text("charm:\n  adv: {name: Adv, luck: 1, held: {1: 2, ? [a] : 3}}\n", encoding="utf-8")
        return "content/charms/adv.yaml"
    given = json.loads(text)
    schema: dict[str, Any] = {**SCHEMA, "properties": {**PROPERTIES, "held": {"description": "Held.", **given["schema"]}}}
    (root / "schemas/charms/charm.json").write_text(json.dumps(schema, indent=1), encoding="utf-8")
    held = json.dumps({"charm": {"adv": {"name": "Adv", "luck": 1, "held": given["instance"]}}})
    (root / "content/charms/adv.yaml").write_text(held, encoding="utf-8")
    return "schemas/charms/charm.json"


def _template(root: Path, name: str, text: str) -> str:
    for each in CASES.joinpath("template").glob("*.j2"):
        shutil.copy(each, root / "templates/charms" / each.name)
    shutil.copy(root / "templates/charms" / name, root / "templates/charms/cards/charm.html.j2")
    kept = text.replace(f"'{name}'", "'charms/cards/charm.html.j2'")
    (root / "templates/charms/cards/charm.html.j2").write_text(kept, encoding="utf-8")
    return "templates/charms/cards/charm.html.j2"


def _render(root: Path, name: str, data: bytes) -> str:
    card = root / "templates/charms/cards/charm.html.j2"
    match Path(name).suffix:
        case ".html":
            card.write_bytes(b"<div>{{ entry.name }}</div>" + data)
            return "templates/charms/cards/charm.html.j2"
        case ".css":
            card.write_text("<h1>{{ entry.name }}</h1><p>words", encoding="utf-8")
            (root / "templates/charms/adv.css").write_bytes(data)
            (root / "templates/charms/theme.yaml").write_text(THEME + SHEETS, encoding="utf-8")
            return "templates/charms/adv.css"
    (root / "templates/charms/images" / name).write_bytes(data)
    card.write_text(f'<div>{{{{ entry.name }}}}</div><img alt="" src="images/{name}">', encoding="utf-8")
    return name


def ours() -> list[str]:
    """Our own builder."""
    return [sys.executable, "-m", "seasons_build"]


def naive() -> list[str]:
    """The naive one."""
    return [sys.executable, str(Path(__file__).with_name("naive.py"))]

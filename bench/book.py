"""What a long book costs: the chapters of the shipped game over and over, as a pack of their own, built from nothing.

`python bench/book.py --copies 5` is a book of about 330 pages: the chapters of the game, and five copies of them. It is the same each time:
only the ids of chapters and their places differ from copy to copy, and links between chapters stay within one.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

import pypdfium2
import yaml

from content import GAME

ROOT = Path(__file__).parent.parent
PACK = "tome"
_BETWEEN = 0.1
"""Seconds between two looks at the memory."""
_LINK = re.compile(r"\[\[chapter/([\w-]+)")
_MANIFEST = f'id: {PACK}\ntitle: Tome\nversion: "1"\nformat: 1\nlicence: Apache-2.0\nrequires: {{{GAME}: ">=1.0,<2"}}\n'
_PRODUCT = "product:\n  book: {title: Tome, layout: book, select: {kind: chapter}, order: [place], columns: 2}\n"


def chapters(copy: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The chapters of the game, with ids and places of this copy."""
    for file in sorted((ROOT / "content" / GAME / "book").glob("*.yaml")):
        for name, entry in (yaml.safe_load(file.read_text(encoding="utf-8")).get("chapter") or {}).items():
            text = _LINK.sub(lambda link: f"[[chapter/{link[1]}-{copy}", entry["text"])
            yield f"{name}-{copy}", {**entry, "place": entry["place"] + 1000 * copy, "text": text}


def make(root: Path, copies: int) -> None:
    """A project with the book in it."""
    folder = root / "content" / PACK
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(_MANIFEST, encoding="utf-8")
    (folder / "products.yaml").write_text(_PRODUCT, encoding="utf-8")
    for copy in range(1, copies + 1):
        text = yaml.safe_dump({"chapter": dict(chapters(copy))}, allow_unicode=True, sort_keys=False, width=10_000)
        (folder / f"chapters-{copy}.yaml").write_text(text, encoding="utf-8")


class Memory:
    """The memory of a program and of those that it started, in megabytes: the most that each had, and all at one time. Linux only."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.parent = self.worker = self.together = 0.0

    def look(self) -> None:
        """Looks at all of them."""
        try:
            children = Path(f"/proc/{self._pid}/task/{self._pid}/children").read_text(encoding="ascii").split()
            now = [self._status(pid) for pid in (self._pid, *map(int, children))]
        except (OSError, KeyError):
            return  # one of them has just ended
        self.parent = max(self.parent, now[0][1])
        self.worker = max([self.worker, *(most for _, most in now[1:])])
        self.together = max(self.together, sum(taken for taken, _ in now))

    def _status(self, pid: int) -> tuple[float, float]:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
        said = {name: value.split()[0] for name, _, value in (line.partition(":") for line in lines) if name.startswith("Vm")}
        taken, most = int(said["VmRSS"]), int(said["VmHWM"])
        return taken / 1024, most / 1024


def main() -> None:
    """Builds the book and says what it took."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--copies", type=int, default=5, help="how often the chapters of the game are set")
    options.add_argument("--keep", type=Path, help="where the project is made, and left")
    asked = options.parse_args()
    with TemporaryDirectory() as scratch:
        root = asked.keep or Path(scratch) / "tome"
        make(root, asked.copies)
        command = [sys.executable, "-m", "seasons_build", "--project", str(root), "build", f"{PACK}:book", "--out", str(root / "out")]
        start = monotonic()
        process = subprocess.Popen(command, stdout=sys.stderr)
        memory = Memory(process.pid)
        while process.poll() is None:
            memory.look()
            sleep(_BETWEEN)
        clock, used = monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if process.returncode:
            raise SystemExit(process.returncode)
        pages = len(pypdfium2.PdfDocument(root / "out" / PACK / "book.pdf"))
    cpu = used.ru_utime + used.ru_stime
    heads = ("pages", "time, s", "CPU, s", "CPU a page, ms", "parent, MB", "largest worker, MB", "all together, MB")
    found = (pages, clock, cpu, 1000 * cpu / pages, memory.parent, memory.worker, memory.together)
    print(f"| {' | '.join(heads)} |\n|{'---:|' * len(heads)}\n| {' | '.join(f'{number:.0f}' for number in found)} |")


if __name__ == "__main__":
    main()

"""A project of a few cards on disk, and `seasons` as a program of its own, for tests that stop it or run it beside itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

START = "from seasons_build.__main__ import run; run()"
TOLD = START.replace("run()", "print(flush=True); run()")
"""The same, telling when it is about to begin."""
STRAW = Path(__file__).parent / "straw_press.py"
"""`seasons` whose typesetter is of straw: a build of it takes no time but its own."""

SCHEMA = {
    "title": "Charm",
    "description": "A charm.",
    "allOf": [{"$ref": "core/entry"}],
    "properties": {"luck": {"type": "integer", "title": "Luck", "description": "How much."}},
}
MANIFEST = 'id: charms\ntitle: Charms\nversion: "1"\nformat: 1\n'
PRODUCTS = "".join(f"  list-{n}: {{layout: pages, select: {{kind: charm}}}}\n" for n in range(4))


def content(word: str) -> str:
    """Three charms whose texts say a word."""
    names = ("Fox", "Owl", "Elk")
    return "charm:\n" + "".join(f"  {n.lower()}: {{name: {n}, luck: {i}, rules: Say {word} aloud.}}\n" for i, n in enumerate(names))


def make(root: Path, word: str = "one", *, products: bool = False) -> Path:
    """A project with these charms in `root`."""
    for folder in ("content/charms", "schemas/charms"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "content/charms/pack.yaml").write_text(MANIFEST, encoding="utf-8")
    (root / "content/charms/all.yaml").write_text(content(word), encoding="utf-8")
    (root / "schemas/charms/charm.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    if products:
        (root / "content/charms/products.yaml").write_text(f"product:\n{PRODUCTS}", encoding="utf-8")
    return root


def environment(scratch: Path, **more: str) -> dict[str, str]:
    """The environment of a `seasons` whose temporary files lie in `scratch`."""
    scratch.mkdir(exist_ok=True)
    return {**os.environ, "TMPDIR": str(scratch), **more}


def start(root: Path, scratch: Path, *words: str, straw: bool = False, code: str = START, **more: str) -> subprocess.Popen[bytes]:
    """`seasons` with these words, started in a session of its own."""
    program = [str(STRAW)] if straw else ["-c", code]
    return subprocess.Popen(
        [sys.executable, *program, *words],
        cwd=root,
        env=environment(scratch, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def seasons(root: Path, scratch: Path, *words: str, straw: bool = False, **more: str) -> tuple[int, str, str]:
    """`seasons` with these words, run to its end: its exit code and what it said."""
    process = start(root, scratch, *words, straw=straw, **more)
    out, err = process.communicate(timeout=120)
    return process.returncode, out.decode(), err.decode()


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder, by name."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}

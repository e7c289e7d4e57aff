"""Looks for content that brings the compiler down, for as long as it is told to: `make fuzz SECONDS=600`.

What it finds is written to `build/fuzz/`; a line says how many files were tried. The same seed tries the same files.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from mangle import Project
from test_fuzz_properties import GAMES, look


def main() -> int:
    """Tries files until the time is up; gives 1 where something was found."""
    words = argparse.ArgumentParser(description="Looks for content that brings the compiler down.")
    words.add_argument("--seconds", type=float, default=600)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    out = Path("build/fuzz")
    out.mkdir(parents=True, exist_ok=True)
    seen: set[tuple[str, ...]] = set()
    tried, worst, end = 0, 0.0, time.monotonic() + asked.seconds
    projects = [Project(game) for game in GAMES]
    chance = random.Random(asked.seed)
    while time.monotonic() < end:
        name, data = (project := projects[tried % len(projects)]).mangled(chance)
        tried, before = tried + 1, time.process_time()
        try:
            look(project, name, data)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            key = (type(error).__name__, *(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-2:]))
            if key not in seen:
                seen.add(key)
                (out / f"{asked.seed}-{tried}.txt").write_bytes(name.encode() + b"\n" + data)
                print(" ".join(key), str(error)[:120], flush=True)
        worst = max(worst, time.process_time() - before)
    print(f"{tried} files in {asked.seconds:.0f} s, {len(seen)} kinds of failures, the slowest took {worst:.1f} s of processor time")
    return 1 if seen else 0


sys.exit(main())

"""Guided fuzzing of one target of `targets.py`, with atheris: `make guided TARGET=yaml SECONDS=600`.

What brings a target down is written to `build/fuzz/TARGET/`; the last line says how many inputs were tried, in how long.
"""

from __future__ import annotations

import argparse
import sys
import time
from hashlib import sha256
from pathlib import Path

import atheris

WATCHED = {
    "yaml": ["seasons_build.load"],
    "expression": ["seasons_build.language.expression", "seasons_build.core.dice_amount"],
    "template": ["seasons_build.worker.render", "seasons_build.worker.grammar"],
    "stylesheet": ["seasons_build.worker.css", "tinycss2"],
    "picture": ["seasons_build.worker.theme", "seasons_build.worker.svg"],
    "pack": ["seasons_build.sources", "zipfile"],
    "request": ["seasons_build.serve"],
    "spreadsheet": ["seasons_build.intake", "seasons_build.language.cells"],
    "sheet": ["seasons_build.worker.sheet"],
    "kept": ["seasons_build.core.face", "seasons_build.core.wire"],
    "phrase": ["seasons_build.language.phrases.template"],
    "prose": ["seasons_build.language.text", "seasons_build.language.chapter"],
    "pattern": ["seasons_build.core.pattern"],
}
"""Of each target, the modules whose branches guide it: to watch all of them takes longer than to try."""

sys.path[:0] = [str(Path(__file__).parents[1] / "expression"), str(Path(__file__).parent)]
with atheris.instrument_imports(include=WATCHED.get(sys.argv[1] if sys.argv[1:] else "", [])):
    from targets import TARGETS, seeds


def main() -> None:
    """Tries inputs until the time is up or one brings the target down."""
    words = argparse.ArgumentParser(description="Guided fuzzing of one target.")
    words.add_argument("target", choices=sorted(TARGETS))
    words.add_argument("--seconds", type=int, default=600)
    asked = words.parse_args()
    place = Path("build/fuzz") / asked.target
    (place / "corpus").mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(asked.target)):
        (place / "corpus" / f"seed-{number}").write_bytes(seed)
    options = [f"-max_total_time={asked.seconds}", "-timeout=120", "-rss_limit_mb=2048", "-max_len=20000", "-print_final_stats=1"]

    def tried(data: bytes) -> None:
        try:
            TARGETS[asked.target](data)
        except BaseException:
            (place / f"fault-{sha256(data).hexdigest()[:16]}").write_bytes(data)
            raise

    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={place}/", str(place / "corpus")], tried)
    print(f"{asked.target}: began at {time.strftime('%Y-%m-%d %H:%M:%S')}", flush=True)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

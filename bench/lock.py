"""Writes requirements/linux-cp311.txt: every package that development needs, pinned, with the digest of the file that pip chose for CPython
3.11 on x86-64 Linux. `make lock` runs it; `pip install --require-hashes -r` takes nothing else than these files."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "requirements" / "linux-cp311.txt"
HEAD = "# Written by `make lock`, for CPython 3.11 on x86-64 Linux: what development needs, each file by its digest.\n"


def main() -> int:
    """Asks pip what it would install, and writes that down."""
    if sys.version_info[:2] != (3, 11) or sys.platform != "linux":
        print("lock: this file is for CPython 3.11 on Linux", file=sys.stderr)
        return 1
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*declared["project"]["dependencies"], *declared["dependency-groups"]["dev"]]
    with tempfile.TemporaryDirectory() as place:
        report = Path(place) / "report.json"
        asked = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", str(report), *wanted]
        subprocess.run(asked, check=True)
        chosen = json.loads(report.read_text(encoding="utf-8"))["install"]
    lines = []
    for one in chosen:
        about, archive = one["metadata"], one["download_info"]["archive_info"]
        lines.append(f"{about['name'].lower()}=={about['version']} --hash=sha256:{archive['hashes']['sha256']}\n")
    TARGET.write_text(HEAD + "".join(sorted(lines)), encoding="utf-8")
    return 0


sys.exit(main())

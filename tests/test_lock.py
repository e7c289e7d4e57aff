"""The packages of development, pinned."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent


def test_what_development_needs_is_pinned_by_its_digest() -> None:
    """If this fails: `make lock`."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [Requirement(text) for text in (*declared["project"]["dependencies"], *declared["dependency-groups"]["dev"])]
    lines = (ROOT / "requirements" / "linux-cp311.txt").read_text(encoding="utf-8").split("\n")[1:-1]
    pinned = {}
    for line in lines:
        found = re.fullmatch(r"([\w.-]+)==(\S+) --hash=sha256:[0-9a-f]{64}", line)
        assert found, line
        pinned[canonicalize_name(found[1])] = found[2]
    assert [str(one) for one in wanted if not one.specifier.contains(pinned.get(canonicalize_name(one.name), "0"))] == []

"""What of a source's own words stands in ours: `python bench/runs.py SOURCE...` writes tests/source-runs.bin.

The games follow printed sources; facts and figures carry over, sentences do not. The sources are not kept here, only a hash of each run of
eight words in them, which is enough to find such a run again and not enough to read it.

In: text files. Out: the hashes, each of five bytes, sorted. `stolen` gives the runs of a text whose hash is among them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

LENGTH = 8
"""So many words in a row are no accident, nor an idiom of the game's terms."""
BYTES = 5
STORE = Path(__file__).resolve().parent.parent / "tests" / "source-runs.bin"

_MARKS = re.compile(r"\{[^{}]*\}|\[\[[^\[\]|]*\||\[\[[^\[\]]*\]\]|(?<![\w:]):[a-z][\w-]*:")
_WORD = re.compile(r"[a-z0-9]+")


def runs(text: str) -> Iterator[str]:
    """Each run of so many words, small letters and figures alone; what a text reads, its icons and its links are no words."""
    words = _WORD.findall(_MARKS.sub(" ", text).lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("'", ""))
    return (" ".join(words[at : at + LENGTH]) for at in range(len(words) - LENGTH + 1))


def hashed(run: str) -> bytes:
    """What is kept of a run."""
    return blake2b(run.encode(), digest_size=BYTES).digest()


def kept(raw: bytes) -> frozenset[bytes]:
    """The hashes of a file that `main` wrote."""
    return frozenset(raw[at : at + BYTES] for at in range(0, len(raw), BYTES))


def stolen(texts: Iterable[str], known: frozenset[bytes]) -> list[str]:
    """The runs of some texts that the sources have."""
    return [run for text in texts for run in runs(text) if hashed(run) in known]


def main() -> int:
    found = {hashed(run) for name in sys.argv[1:] for run in runs(Path(name).read_text(encoding="utf-8"))}
    if not found:
        print("usage: python bench/runs.py SOURCE...", file=sys.stderr)
        return 2
    STORE.write_bytes(b"".join(sorted(found)))
    print(f"{len(found)} runs of {LENGTH} words")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A file of which some entries have changed is what it is when it is read whole: data, places and findings, whatever was typed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from seasons_build.core.document import Document
from seasons_build.core.limits import DEFAULT
from seasons_build.load import again, load, load_changed

SHIPPED = sorted((Path(__file__).parent.parent / "content").rglob("*.yaml"))
SMALL = """\
weapon:
  # The first
  sword:
    name: Sword
    tags: [sharp, "two: hands"]
    text: |
      Cuts.

      - also: this

  axe:
    name: Axe
    flavor: >-
      Long and
        folded
    list:
    - a
    - b: 1
      c: 2
  bow: {name: Bow, range: 20}
  spear:

item:
  rope:
    name: Rope
"""
TYPED = [
    "",
    " ",
    "  ",
    "\t",
    "x",
    "  x: 1",
    "    x: 1",
    "      x: 1",
    "  - x",
    "    - x",
    "- x",
    "x: 1",
    "  sword:",
    "  sword: {}",
    "  sword: {a: 1",
    "    b: 2}",
    '  "axe": 1',
    "  ? axe",
    "    name: 'open",
    "    name: closed'",
    '    name: "a\\',
    "    text: |",
    "    text: |2",
    "    text: >+",
    "    text: |-",
    "   odd",
    " odd: 1",
    "# note",
    "      # note",
    "  end: text #cut",
    "---",
    "...",
    "%TAG",
    "  a: &b 1",
    "  c: *b",
    "    c: !x 1",
    "  behind-the-changed: 0",
    "over:",
    "weapon:",
    "    <<: x",
    "    $ref: x",
    "  café: 1",
    "    name: 007",
    "    name: R&D & co",
    "    empty:",
    "  : 1",
    "  ?",
    "    [1, 2]: x",
    "]",
    "}",
    "    \u2028",
]


def changed(text: str, chance: random.Random) -> str:
    """A text of which something is another."""
    rows = text.split("\n")
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.randrange(len(rows))
        kind = chance.randrange(8)
        if kind == 0:
            rows[at] = chance.choice(TYPED)
        elif kind == 1:
            rows.insert(at, chance.choice(TYPED))
        elif kind == 2:
            del rows[at : at + chance.randrange(1, 8)]
        elif kind == 3:
            other = chance.randrange(len(rows) or 1)
            rows[at:at] = rows[other : other + chance.randrange(1, 12)]
        elif kind == 4:
            rows[at] = rows[at].replace("1", "2").replace("a", "e")
        elif kind == 5:
            rows[at] += chance.choice((" more", " #c", " # c", ":", "'", '"', " &x", "]", " "))
        elif kind == 6:
            rows[at] = chance.choice((" ", "  ")) + rows[at]
        else:
            rows[at] = rows[at].removeprefix(chance.choice((" ", "  ")))
        rows = rows or [""]
    return "\n".join(rows)


def assert_same(before: Document, text: str) -> Document | None:
    """Read again or read whole: the same. Gives the document where nothing is wrong with it."""
    raw = text.encode()
    whole, found = load(before.file, raw), load_changed(before, raw)
    assert found == whole
    assert repr(found.value and found.value.data) == repr(whole.value and whole.value.data)
    assert (found.value and found.value.places) == (whole.value and whole.value.places)
    return None if whole.diagnostics else found.value


@pytest.mark.parametrize("seed", range(20))
def test_small_file_by_chance(seed: int) -> None:
    chance = random.Random(seed)
    start = load("a.yaml", SMALL.encode()).value
    assert start is not None
    document, text = start, SMALL
    for _ in range(150):
        text = changed(text, chance)
        sound = assert_same(document, text)
        document, text = (sound, text) if sound is not None and chance.random() < 0.9 else (start, SMALL)


@pytest.mark.parametrize("file", SHIPPED[:: max(1, len(SHIPPED) // 24)], ids=lambda file: file.stem)
def test_shipped_files_by_chance(file: Path) -> None:
    chance = random.Random(file.stem)
    text = start = file.read_text(encoding="utf-8")
    document = first = load("a.yaml", start.encode()).value
    assert document is not None and first is not None
    for _ in range(12):
        text = changed(text, chance)
        sound = assert_same(document, text)
        document, text = (sound, text) if sound is not None else (first, start)


@pytest.mark.parametrize("text", ["w: {a: 1, b: 2,\n  c: 3}", "w: {a: 1,\n  b: 2,\n  c: 4}\n", "w: {a: 1,\n  b: 2,\n  c: 3}\n\n"])
def test_a_kind_in_braces_is_read_whole(text: str) -> None:
    for start in ("w: {a: 1, b: 2,\n  c: 3}\n", "w: {a: 1,\n  b: 2,\n  c: 3}\n"):
        before = load("a.yaml", start.encode()).value
        assert before is not None
        assert_same(before, text)


def test_what_has_not_changed_is_not_read() -> None:
    text = "weapon:\n" + "".join(f"  w{number}: {{name: W{number}}}\n" for number in range(200))
    before = load("a.yaml", text.encode()).value
    assert before is not None
    read: list[str] = []

    def reads(file: str, text: str, limits: object) -> Document | None:
        read.append(text)
        return load(file, text.encode()).value

    found = again.load_again(before, text.replace("W150", "Other").encode(), DEFAULT, reads)
    assert found is not None and found.data["weapon"]["w150"] == {"name": "Other"}
    assert found.data["weapon"]["w3"] is before.data["weapon"]["w3"]
    assert read == ["over:\n  w149: {name: W149}\n  w150: {name: Other}\n  behind-the-changed: 0\n"]


def test_a_file_near_its_limit_is_read_whole() -> None:
    text = "weapon:\n" + "".join(f"  w{number}: 1\n" for number in range(20))
    before = load("a.yaml", text.encode()).value
    assert before is not None
    changed_text = text.replace("w7: 1", "w7: 2") + "  more: 1\n"
    limits = DEFAULT._replace(values=21)
    assert load_changed(before, changed_text.encode(), limits) == load("a.yaml", changed_text.encode(), limits)
    assert load("a.yaml", changed_text.encode(), limits).diagnostics

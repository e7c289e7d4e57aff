"""What hangs below the letters of a name stays clear of the line under it, and labels of their frame: measured on pictures of cards."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from PIL import Image

DPI = 300
LEAST_MM = 0.25
NAME = "Gypsy Jay"
"""A name whose letters hang low."""
CARDS = {
    "frontiers": ("adversary", "boarder", (16, 2.5, 58, 12.5)),
    "seasons-pass": ("npc", "house-mage", (3.4, 10, 50, 19.5)),
}
"""By game a card, and the part of it in which its name and the next line stand: left, top, right and bottom in millimetres."""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Image.Image]:
    """The card of each game."""
    root = tmp_path_factory.mktemp("clear")
    for game, (kind, like, _) in CARDS.items():
        pack = root / "content" / f"low-{game}"
        pack.mkdir(parents=True)
        head = f'id: low-{game}\ntitle: Low\nversion: "1"\nformat: 1\nrequires: {{{game}: ">=0"}}\n'
        cards = f"product:\n  low: {{title: Low, layout: cards, card: poker, select: {{kind: {kind}}}}}\n"
        (pack / "pack.yaml").write_text(head, encoding="utf-8")
        (pack / "all.yaml").write_text(f"{kind}:\n  low: {{like: {game}:{kind}/{like}, name: {NAME}}}\n{cards}", encoding="utf-8")
    asked = [f"low-{game}:low" for game in CARDS]
    command = [sys.executable, "-m", "seasons_build", "build", *asked, "--only", "*/low", "--format", "png", "--out", str(root / "out")]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return {game: Image.open(next((root / "out").rglob(f"{kind}-low.png"))).convert("L") for game, (kind, _, _) in CARDS.items()}


def part(picture: Image.Image, box: tuple[float, float, float, float]) -> Image.Image:
    left, top, right, bottom = (round(length / 25.4 * DPI) for length in box)
    return picture.crop((left, top, right, bottom))


def gaps(picture: Image.Image) -> list[float]:
    """The heights, in millimetres, of the empty rows between rows with ink."""
    ground = picture.getpixel((picture.width - 1, 0))
    rows = [picture.crop((0, y, picture.width, y + 1)).getextrema() != (ground, ground) for y in range(picture.height)]
    inked = [y for y, ink in enumerate(rows) if ink]
    return [(after - before - 1) * 25.4 / DPI for before, after in itertools.pairwise(inked) if after - before > 1]


@pytest.mark.parametrize("game", CARDS)
def test_a_name_stays_clear_of_what_stands_below(pictures: dict[str, Image.Image], game: str) -> None:
    found = gaps(part(pictures[game], CARDS[game][2]))
    assert found
    assert found[0] >= LEAST_MM


def test_the_headings_of_difficulties_stay_clear_of_the_frame(pictures: dict[str, Image.Image]) -> None:
    """Across the row of headings: one, clear paper, the frame with another in its tint, clear paper, the third."""
    labels = part(pictures["seasons-pass"], (36, 33.2, 60.4, 36.4)).rotate(90, expand=True)
    assert len([gap for gap in gaps(labels) if gap >= LEAST_MM]) == 2

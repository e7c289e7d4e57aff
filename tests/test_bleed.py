"""What touches the cut of a card is painted out to the edge of the file of a shop, which wants more bleed than there is at home."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from seasons_build.core.profile import Wishes
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import read
from seasons_build.pipeline.start import Typesetter

ROOT = Path(__file__).parent.parent
SHOWN = {
    "frontiers": {
        "ability-cards": "ability/say-that-again",
        "general-abilities": "general-ability/stabilize",
        "gear-cards": "weapon/service-rifle",
        "chassis-cards": "chassis/load-rated-limbs",
        "background-cards": "background/dock-rat",
        "statblock-cards": "adversary/breacher",
    },
    "seasons-pass": {"trait-cards": "race/human"},
    "slow-freight": {"cards": "wagon/mail-crawler"},
}
"""By pack and product, the entry that is printed."""
CUT = 38
"""Pixels from the edge of the file to the cut, rounded up."""
OFF = 16
"""By how much, of 255, a pixel may differ."""
MOST = 0.1
"""The part of a side that may: lines of a faint ground meet its edge as they come."""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Path]]:
    game = read(ROOT)
    out = tmp_path_factory.mktemp("bleed") / "out"
    with Typesetter(workers=2) as typesetter:
        only = tuple((f"{pack}:{entry}", None) for pack, entries in SHOWN.items() for entry in entries.values())
        asked = Asked(tuple(SHOWN), tuple(f"{pack}:{product}" for pack, entries in SHOWN.items() for product in entries), only)
        done = build(game, Options(asked, out, Wishes(profile="thegamecrafter"), whole=False), typesetter)
        assert not done.stale, done.diagnostics
    yield sorted(out.rglob("*.png"))


def test_the_bleed_is_painted_on_all_sides(pictures: list[Path]) -> None:
    assert len(pictures) == 2 * sum(len(products) for products in SHOWN.values())
    plain = [path for path in pictures if path.name != "001-face-race-human.png"]  # whose waves are other lines at the edge than at the cut
    assert [(path.parent.name, path.name, side) for path in plain for side in unpainted(path)] == []


def unpainted(path: Path) -> Iterator[str]:
    """The sides at whose edge the file is not as it is at the cut."""
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    for side, turned in (("left", 0), ("top", 90), ("right", 180), ("bottom", 270)):
        whole = picture.rotate(turned, expand=True)
        edge, cut = (whole.crop((x, CUT, x + 1, whole.height - CUT)) for x in (0, CUT))
        off = ImageChops.difference(edge, cut).convert("L").point(lambda value: 255 * (value > OFF))
        if off.histogram()[255] > MOST * whole.height:
            yield side

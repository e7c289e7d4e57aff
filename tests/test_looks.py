"""A few faces and pages of each game as small pictures: they look as they did. `pytest tests/test_looks.py --update-looks` keeps them anew.

A picture that differs is written to build/looks. Pixels may be a little off, for fonts are drawn a little
otherwise elsewhere; what moves, grows or goes away is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops

from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import Project, read
from seasons_build.pipeline.start import Typesetter
from seasons_build.raster import page_png

ROOT = Path(__file__).parent.parent
KEPT = Path(__file__).parent / "looks"
SEEN = ROOT / "build" / "looks"
DPI = 60
COLOURS = 64
BLOCK = 8
"""Pixels a side of the squares that are compared."""
MOST_OFF = 28
"""By how much, of 255, the mean of a square may differ."""

SHOWN = {
    "frontiers": {
        "gear-cards": ("weapon/service-rifle", "armor/hardsuit"),
        "statblock-cards": ("adversary/the-quartermaster",),
        "statblocks": ("adversary/the-quartermaster",),
        "reference": ("reference/player",),
        "screen": ("screen/gm",),
    },
    "seasons-pass": {
        "trait-cards": ("race/human",),
        "npc-cards": ("npc/gate-guard", "npc/house-mage"),
        "sheets": ("character/quill",),
    },
}
"""By game and product, the entries that are printed; of a deck the first sheet and its back, of a document the first page."""


@pytest.fixture(scope="module")
def game() -> Project:
    return read(ROOT)


@pytest.fixture(scope="module")
def printed(game: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    out = tmp_path_factory.mktemp("looks") / "out"
    with Typesetter(workers=2) as typesetter:
        for pack, products in SHOWN.items():
            entries = dict.fromkeys(entry for listed in products.values() for entry in listed)
            only = tuple((f"{pack}:{entry}", None) for entry in entries)
            asked = Asked((pack,), tuple(f"{pack}:{product}" for product in products), only)
            done = build(game, Options(asked, out, whole=False), typesetter)
            assert not done.stale, done.diagnostics
    yield out


def pictures(out: Path, pack: str, product: str) -> dict[str, bytes]:
    """The pages that are looked at, by name."""
    paths = sorted((out / pack).glob(f"{product}~only.pdf")) or sorted((out / pack / product).glob("*.pdf"))
    found = {}
    for path in paths[:1]:
        data = path.read_bytes()
        pages = len(pypdfium2.PdfDocument(data)) if product.endswith("cards") else 1
        for page in range(min(pages, 2)):
            found[f"{pack}-{product}-{page + 1}"] = small(page_png(data, page, dpi=DPI))
    return found


def small(png: bytes) -> bytes:
    out = BytesIO()
    with Image.open(BytesIO(png)) as picture:
        picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


@pytest.mark.parametrize(("pack", "product"), [(pack, product) for pack, products in SHOWN.items() for product in products])
def test_it_looks_as_it_did(pack: str, product: str, printed: Path, request: pytest.FixtureRequest) -> None:
    made = pictures(printed, pack, product)
    assert made
    if request.config.getoption("--update-looks"):
        KEPT.mkdir(exist_ok=True)
        for name, data in made.items():
            (KEPT / f"{name}.png").write_bytes(data)
    for name, data in made.items():
        off = difference((KEPT / f"{name}.png").read_bytes(), data)
        if off > MOST_OFF:
            SEEN.mkdir(parents=True, exist_ok=True)
            (SEEN / f"{name}.png").write_bytes(data)
        assert off <= MOST_OFF, f"{name} looks otherwise (build/looks/{name}.png); if it should: pytest tests/test_looks.py --update-looks"


def difference(kept: bytes, made: bytes) -> float:
    """By how much the mean of the square that differs most does; 255 for pictures of another size."""
    with Image.open(BytesIO(kept)) as one, Image.open(BytesIO(made)) as other:
        if one.size != other.size:
            return 255
        off = ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
        squares = off.resize((max(1, off.width // BLOCK), max(1, off.height // BLOCK)), Image.Resampling.BOX)
        return max(float(high) for _, high in squares.getextrema())


def test_what_moves_is_seen() -> None:
    page = Image.new("RGB", (400, 500), "white")
    page.paste((20, 20, 20), (40, 40, 120, 60))
    moved = Image.new("RGB", (400, 500), "white")
    moved.paste((20, 20, 20), (40, 48, 120, 68))
    shade = page.point(lambda value: max(0, value - 6))
    first, second, third = BytesIO(), BytesIO(), BytesIO()
    for picture, out in ((page, first), (moved, second), (shade, third)):
        picture.save(out, "PNG")
    assert difference(first.getvalue(), second.getvalue()) > MOST_OFF
    assert difference(first.getvalue(), third.getvalue()) <= MOST_OFF


def test_no_picture_is_kept_that_nothing_is_compared_with() -> None:
    known = {f"{pack}-{product}-{page}.png" for pack, products in SHOWN.items() for product in products for page in (1, 2)}
    kept = {path.name for path in KEPT.glob("*.png")}
    assert kept <= known
    assert len(kept) >= len([product for products in SHOWN.values() for product in products])

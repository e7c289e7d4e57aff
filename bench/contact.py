"""A contact sheet: every face of every product in one picture, for eyes. `make contact` writes build/contact.png.

The faces are those of `seasons build --format png`, which goes to build/faces.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parent.parent
FACES = ROOT / "build" / "faces"
SHEET = ROOT / "build" / "contact.png"
COLUMNS, WIDTH, GAP, LABEL, LABEL_SIZE = 6, 360, 12, 22, 14


def main() -> int:
    """Builds the faces and the sheet; gives the exit code of the build, or 1 where there is no face."""
    code = subprocess.run([sys.executable, "-m", "seasons_build", "build", "--format", "png", "--out", str(FACES)], cwd=ROOT).returncode
    faces = sorted(FACES.rglob("*.png"))
    if not faces:
        print("no faces", file=sys.stderr)
        return code or 1
    contact_sheet([(f"{face.parent.name} {face.stem}", face.read_bytes()) for face in faces]).save(SHEET)
    print(f"{SHEET.relative_to(ROOT)}: {len(faces)} faces")
    return code


def contact_sheet(pictures: Sequence[tuple[str, bytes]]) -> Image.Image:
    """One picture of many, each above its label, `WIDTH` pixels wide."""
    columns = min(COLUMNS, len(pictures))
    tiles = [(label, _tile(png)) for label, png in pictures]
    rows = [tiles[start : start + columns] for start in range(0, len(tiles), columns)]
    heights = [max(tile.height for _, tile in row) + LABEL + GAP for row in rows]
    sheet = Image.new("RGB", (columns * (WIDTH + GAP) + GAP, sum(heights) + GAP), (225, 225, 225))
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(LABEL_SIZE)
    y = GAP
    for row, height in zip(rows, heights, strict=True):
        for column, (label, tile) in enumerate(row):
            x = GAP + column * (WIDTH + GAP)
            sheet.paste(tile, (x, y))
            draw.text((x, y + tile.height + 3), label, fill=(40, 40, 40), font=font)
        y += height
    return sheet


def _tile(png: bytes) -> Image.Image:
    with Image.open(BytesIO(png)) as picture:
        size = (WIDTH, max(1, round(picture.height * WIDTH / picture.width)))
        return picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    sys.exit(main())

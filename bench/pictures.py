"""The pictures of the README: printed faces, made small. `make pictures` writes docs/pictures.

Nothing here draws: each picture is a face that `seasons build --format png` wrote, at half size and in few colours.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
SHOWN = {
    "service-rifle": ("gear-cards", "weapon-service-rifle"),
    "breacher": ("statblock-cards", "adversary-breacher"),
}
"""Picture to product and face."""
COLOURS = 64


def small(png: bytes) -> bytes:
    """A face at half size, with a hairline round it, since a white card on a white page has no edge."""
    with Image.open(BytesIO(png)) as picture:
        half = picture.convert("RGB").resize((picture.width // 2, picture.height // 2), Image.Resampling.LANCZOS)
    framed = Image.new("RGB", (half.width + 2, half.height + 2), (176, 176, 176))
    framed.paste(half, (1, 1))
    out = BytesIO()
    framed.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def pictures(folder: Path) -> dict[str, bytes]:
    """The pictures by name, from a build into `folder`; raises CalledProcessError where it fails."""
    only = [argument for _, face in SHOWN.values() for argument in ("--only", face.replace("-", "/", 1))]
    products = dict.fromkeys(f"frontiers:{product}" for product, _ in SHOWN.values())
    command = [sys.executable, "-m", "seasons_build", "build", *products, *only, "--format", "png", "--out", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return {name: small((folder / "frontiers" / product / f"{face}.png").read_bytes()) for name, (product, face) in SHOWN.items()}


def main() -> int:
    """Writes the pictures and says how big they are."""
    with tempfile.TemporaryDirectory() as folder:
        made = pictures(Path(folder))
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, data in made.items():
        (PICTURES / f"{name}.png").write_bytes(data)
        print(f"docs/pictures/{name}.png: {len(data) / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

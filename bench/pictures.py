"""The pictures of the README: printed faces, made small. `make pictures` writes docs/pictures.

Nothing here draws: each picture is a face that `seasons build --format png` wrote, at half size and in few colours. The project is the one
that the README writes down itself, in its `yaml` blocks that begin with a comment `# content/...`.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
SHOWN = {
    "rivet-gun": (("--only", "rivet-gun"), "my-armory/gear-cards/weapon-rivet-gun.png"),
    "breacher": (("frontiers:statblock-cards", "--only", "breacher"), "frontiers/statblock-cards/adversary-breacher.png"),
}
"""By picture: what is built, and the face that it is."""
COLOURS = 64
FILE = re.compile(r"^```yaml\n(# (content/\S+)\n.*?)^```$", re.DOTALL | re.MULTILINE)


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
    """The pictures by name, from builds in the empty `folder`; raises CalledProcessError where one fails."""
    for text, name in FILE.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    made = {}
    for name, (arguments, face) in SHOWN.items():
        command = [sys.executable, "-m", "seasons_build", "build", *arguments, "--format", "png"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        made[name] = small((folder / "dist" / face).read_bytes())
    return made


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

"""A contact sheet: every face of every product in one picture, for eyes. `make contact` writes build/contact.png.

The faces are those of `seasons build --format png`, which goes to build/faces.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from seasons_build.raster import contact_sheet

ROOT = Path(__file__).resolve().parent.parent
FACES = ROOT / "build" / "faces"
SHEET = ROOT / "build" / "contact.png"


def main() -> int:
    """Builds the faces and the sheet; gives the exit code of the build, or 1 where there is no face."""
    code = subprocess.run([sys.executable, "-m", "seasons_build", "build", "--format", "png", "--out", str(FACES)], cwd=ROOT).returncode
    faces = sorted(FACES.rglob("*.png"))
    if not faces:
        print("no faces", file=sys.stderr)
        return code or 1
    SHEET.write_bytes(contact_sheet([(f"{face.parent.name} {face.stem}", face.read_bytes()) for face in faces]))
    print(f"{SHEET.relative_to(ROOT)}: {len(faces)} faces")
    return code


if __name__ == "__main__":
    sys.exit(main())

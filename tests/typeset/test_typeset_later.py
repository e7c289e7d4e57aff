"""What cuts fonts is imported when a font is cut, and not before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys, warnings
warnings.simplefilter("ignore")
from seasons_build.worker.later import cut_fonts_later
cut_fonts_later()
import weasyprint.pdf.fonts
from seasons_build.worker.subset import subset_font
assert "fontTools.varLib" not in sys.modules
assert not hasattr(weasyprint.pdf.fonts.subset, "__path__")
data = open(sys.argv[1], "rb").read()
assert len(subset_font(data, [1, 2, 3])) < len(data) / 2
assert weasyprint.pdf.fonts.subset.Options is sys.modules["fontTools.subset"].Options
try:
    weasyprint.pdf.fonts.instantiateVariableFont(None, {})
except (AttributeError, TypeError):
    pass
assert sys.modules["fontTools.varLib.instancer"].__file__
"""


def test_what_cuts_fonts_comes_when_a_font_is_cut() -> None:
    font = ROOT / "templates" / "fonts" / "Besley-500.ttf"
    subprocess.run([sys.executable, "-c", PROGRAM, str(font)], check=True, cwd=ROOT)

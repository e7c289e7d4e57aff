"""Impose: a deck of faces to sheets and sheets to a PDF.

`lay_out` says how cards lie on a paper, `sheets` lays a deck out, `link` writes it; `whole.link_whole` does so where a face had to
keep its own page; `one_page` is a face alone, `align.alignment` a page to measure a printer by. `bind.bind_parts` joins the parts of a
book.
`font_parts` makes each font file ready that faces or parts use. `program` is a digest of all that decides what these make of the same.
"""

import zlib
from hashlib import sha256
from pathlib import Path

from seasons_build.impose.fonts import FontParts, font_parts
from seasons_build.impose.layout import lay_out, one_up
from seasons_build.impose.link import link, traced
from seasons_build.impose.sheets import Card, Placement, Sheet, Spot, one_page, sheets

__all__ = [
    "Card",
    "FontParts",
    "Placement",
    "Sheet",
    "Spot",
    "font_parts",
    "lay_out",
    "link",
    "one_page",
    "one_up",
    "program",
    "sheets",
    "traced",
]


def program() -> str:
    """A digest of this program and of what compresses for it: what it has made is the same for as long as it is."""
    here = Path(__file__).parent
    modules = (*sorted(here.glob("*.py")), *(here.parent / "core" / name for name in ("face.py", "font.py", "part.py")))
    found = sha256(zlib.ZLIB_RUNTIME_VERSION.encode())
    for module in modules:
        found.update(sha256(module.read_bytes()).digest())
    return found.hexdigest()

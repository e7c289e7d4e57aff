"""Impose: a deck of faces to sheets and sheets to a PDF.

`lay_out` says how cards lie on a paper, `sheets` lays a deck out, `link` writes it; `whole.link_whole` does so where a face had to
keep its own page; `one_page` is a face alone, `alignment` a page to measure a printer by. `bind_parts` joins the parts of a book.
`font_parts` makes each font file ready that faces or parts use.
"""

from seasons_build.impose.align import alignment
from seasons_build.impose.bind import bind_parts
from seasons_build.impose.fonts import FontParts, font_parts
from seasons_build.impose.layout import lay_out, one_up
from seasons_build.impose.link import link
from seasons_build.impose.sheets import Card, Placement, Sheet, Spot, one_page, sheets

__all__ = [
    "Card",
    "FontParts",
    "Placement",
    "Sheet",
    "Spot",
    "alignment",
    "bind_parts",
    "font_parts",
    "lay_out",
    "link",
    "one_page",
    "one_up",
    "sheets",
]

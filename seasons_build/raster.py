"""Raster: pages of a PDF to pictures (pypdfium2, Pillow). The same page gives the same bytes: no clock, one level of compression.

In goes a PDF as bytes, for one face that of `impose.one_page`; out come PNGs of exactly the pixels asked for, with their density written
in. Lengths are pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any, TypeAlias

import pypdfium2
import pypdfium2.raw
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from seasons_build.core.profile import SIDE
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex

Pixels: TypeAlias = tuple[int, int]

_COMPRESSION = 6
_WHITE = (255, 255, 255, 255)
_FIGURE = regex(r"(?<![\w.])(?:\d{0,3}d\d{1,3}(?:\s?[+\-−]\s?\d+)?|\d+)(?![\w.]*\w)")


def page_png(pdf: bytes, page: int = 0, *, dpi: int = 300, pixels: Pixels | None = None, side: str = "") -> bytes:
    """The PNG of one page (from 0). `pixels` is the exact size that a print shop states; without it, the nearest to `dpi`. `side` is
    written into the file beside the picture: which side of which card it is. Raises ValueError for bytes that are no PDF and for a page
    that is not there."""
    document = _open(pdf)
    try:
        if not 0 <= page < len(document):
            raise ValueError(f"no page {page} in a document of {len(document)}")
        return _png(_picture(document[page], dpi, pixels), dpi, side)
    finally:
        document.close()


def grid_png(pdf: bytes, places: Sequence[int], grid: Pixels, cell: Pixels) -> bytes:
    """One PNG of a `grid` of columns and rows, each place of `cell` pixels: page by page of the PDF at these places, counted along the
    rows; the rest is white. Without places nothing is read of the PDF."""
    columns, rows = grid
    sheet = Image.new("RGB", (columns * cell[0], rows * cell[1]), _WHITE[:3])
    if places:
        document = _open(pdf)
        try:
            for number, place in enumerate(places):
                row, column = divmod(place, columns)
                sheet.paste(_picture(document[number], 0, cell), (column * cell[0], row * cell[1]))
        finally:
            document.close()
    return _png(sheet, None)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or an amount of dice as it is drawn: its text and its box (left, top, right, bottom) in thousandths of the page."""

    text: str
    box: tuple[int, int, int, int]


def figures(pdf: bytes, page: int = 0) -> tuple[Figure, ...]:
    """The numbers on a page, in the order in which they are drawn; raises ValueError as `page_png` does."""
    document = _open(pdf)
    try:
        if not 0 <= page < len(document):
            raise ValueError(f"no page {page} in a document of {len(document)}")
        sheet = document[page]
        text = sheet.get_textpage()
        width, height = sheet.get_width(), sheet.get_height()
        drawn = "".join(text.get_text_range(i, 1)[:1] or " " for i in range(text.count_chars()))
        places = [(m[0], [text.get_charbox(i) for i in range(m.start(), m.end())]) for m in _FIGURE.finditer(drawn)]
        return tuple(Figure(said, _box(boxes, width, height)) for said, boxes in places)
    finally:
        document.close()


def _box(boxes: Sequence[tuple[float, float, float, float]], width: float, height: float) -> tuple[int, int, int, int]:
    left, bottom = min(b[0] for b in boxes) / width, min(b[1] for b in boxes) / height
    right, top = max(b[2] for b in boxes) / width, max(b[3] for b in boxes) / height
    return round(1000 * left), round(1000 * (1 - top)), round(1000 * right), round(1000 * (1 - bottom))


def _open(pdf: bytes) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(pdf)
    except pypdfium2.PdfiumError as error:
        raise ValueError("not a PDF that can be read") from error


def _picture(page: pypdfium2.PdfPage, dpi: int, pixels: Pixels | None) -> Image.Image:
    """The page on white. It is drawn to fill the pixels exactly: the library's own scaling would round up to one more."""
    width, height = pixels or (max(1, round(page.get_width() * dpi / 72)), max(1, round(page.get_height() * dpi / 72)))
    bitmap = pypdfium2.PdfBitmap.new_native(width, height, pypdfium2.raw.FPDFBitmap_BGR, rev_byteorder=True)
    bitmap.fill_rect(_WHITE, 0, 0, width, height)
    flags = pypdfium2.raw.FPDF_ANNOT | pypdfium2.raw.FPDF_REVERSE_BYTE_ORDER
    pypdfium2.raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    picture: Image.Image = bitmap.to_pil().copy()
    bitmap.close()
    return picture


def _png(picture: Image.Image, dpi: int | None, side: str = "") -> bytes:
    out = BytesIO()
    more: dict[str, Any] = {}
    if dpi is not None:
        more["dpi"] = (dpi, dpi)
    if side:
        more["pnginfo"] = PngInfo()
        more["pnginfo"].add_text(SIDE, side)
    picture.save(out, "PNG", compress_level=_COMPRESSION, **more)
    return out.getvalue()

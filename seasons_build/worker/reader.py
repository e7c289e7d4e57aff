"""What a reader of a PDF finds on its pages, by PDFium: for the few of its functions that this takes, most of what pypdfium2 imports is of
no use, and took a tenth of a worker's start.

In go the bytes of a PDF and the number of its pages, out comes text, in the order in which it is drawn.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, Structure, c_char_p, c_int, c_size_t, c_uint, c_ushort, c_void_p
from importlib import import_module
from importlib.util import find_spec
from typing import Any

_FILES = ("libpdfium.so", "libpdfium.dylib", "pdfium.dll")
_TEXT = ("FPDFText_LoadPage", "FPDFText_ClosePage")


class _Config(Structure):
    _fields_ = (("version", c_int), ("user_font_paths", c_void_p), ("isolate", c_void_p), ("embedder_slot", c_uint))


def drawn_text(pdf: bytes, pages: int) -> str:
    """The characters that a reader of the PDF finds on its pages, in the order in which they are drawn."""
    with _opened("FPDF_LoadMemDocument64", "FPDF_CloseDocument", pdf, len(pdf), None) as document:
        return "\n".join(_page_text(document, number) for number in range(pages))


def _page_text(document: int, number: int) -> str:
    with _opened("FPDF_LoadPage", "FPDF_ClosePage", document, number) as page, _opened(*_TEXT, page) as text:
        count = _PDFIUM.FPDFText_CountChars(text)
        first = next((place for place in range(count) if _shown(text, place) >= 0), count)
        last = next((place for place in reversed(range(first, count)) if _shown(text, place) >= 0), first - 1)
        if first > last:
            return ""
        buffer = (c_ushort * (_shown(text, last) - _shown(text, first) + 2))()
        size = _PDFIUM.FPDFText_GetText(text, first, last - first + 1, buffer)
        return bytes(buffer)[: 2 * size - 2].decode("utf-16-le", "ignore")


def _shown(text: int, place: int) -> int:
    """Where a character stands in the text that a reader is given; -1 for one that it is not given."""
    return int(_PDFIUM.FPDFText_GetTextIndexFromCharIndex(text, place))


@contextmanager
def _opened(opens: str, closes: str, *given: Any) -> Iterator[int]:
    """Something of PDFium's, closed afterwards."""
    found = getattr(_PDFIUM, opens)(*given)
    if not found:
        raise RuntimeError(f"PDFium: {opens}")
    try:
        yield found
    finally:
        getattr(_PDFIUM, closes)(found)


def _library() -> Any:
    """PDFium as pypdfium2 brings it, in its folder or where it finds it."""
    folders = getattr(find_spec("pypdfium2_raw"), "submodule_search_locations", None) or ()
    files = [file for folder in folders for name in _FILES if os.path.exists(file := os.path.join(folder, name))]
    library = ctypes.CDLL(files[0]) if files else import_module("pypdfium2_raw.bindings")._libs["pdfium"]
    for name, gives, takes in _FUNCTIONS:
        function = library[name]
        function.restype, function.argtypes = gives, takes
        setattr(library, name, function)
    library.FPDF_InitLibraryWithConfig(_Config(2))
    return library


_FUNCTIONS: tuple[tuple[str, Any, tuple[Any, ...]], ...] = (
    ("FPDF_InitLibraryWithConfig", None, (POINTER(_Config),)),
    ("FPDF_LoadMemDocument64", c_void_p, (c_char_p, c_size_t, c_char_p)),
    ("FPDF_CloseDocument", None, (c_void_p,)),
    ("FPDF_LoadPage", c_void_p, (c_void_p, c_int)),
    ("FPDF_ClosePage", None, (c_void_p,)),
    ("FPDFText_LoadPage", c_void_p, (c_void_p,)),
    ("FPDFText_ClosePage", None, (c_void_p,)),
    ("FPDFText_CountChars", c_int, (c_void_p,)),
    ("FPDFText_GetTextIndexFromCharIndex", c_int, (c_void_p, c_int)),
    ("FPDFText_GetText", c_int, (c_void_p, c_int, c_int, POINTER(c_ushort))),
)
_PDFIUM = _library()

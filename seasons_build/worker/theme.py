"""A theme inside the worker: its templates, stylesheets, fonts and pictures, read once and used by every job.

In goes a `Theme` record, all bytes at hand; out come what WeasyPrint takes (parsed stylesheets, one font configuration, one cache of
pictures, a fetcher that answers one private scheme) and the coverage of the fonts. No file of the machine and no network exist here.
"""

from __future__ import annotations

import io
import logging
import urllib.parse
from collections.abc import Mapping
from typing import Any

from PIL import Image
from weasyprint import CSS
from weasyprint.css.counters import CounterStyle
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from seasons_build.core.expected import Expected
from seasons_build.core.finding import Finding
from seasons_build.core.font import FontError, glyphs_of, read_font
from seasons_build.core.job import Theme
from seasons_build.core.limits import Limits
from seasons_build.core.named import NamedTuple
from seasons_build.core.regex import regex
from seasons_build.worker import svg
from seasons_build.worker.css import Sheet, inside, read_sheet
from seasons_build.worker.faces import Faces
from seasons_build.worker.markup import Same
from seasons_build.worker.render import Renderer
from seasons_build.worker.styles import sharing

SCHEME = "theme"
BASE = f"{SCHEME}:///"
_CAPITALS = 0.7
"""The height of capitals in a font that is not known, in parts of the size."""
_UNCUT = 200 * 1024
"""Bytes up to which a font file is left uncut in a page that is taken apart: beyond, cutting it is quicker than to read it again."""
_RASTER = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
_SVG_ROOT = regex(rb"<svg[\s>]")

for _table in (urllib.parse.uses_relative, urllib.parse.uses_netloc):
    if SCHEME not in _table:
        _table.append(SCHEME)  # else a relative address in a stylesheet is not joined to ours


class _Log(logging.Handler):
    """Keeps what the typesetter has to say, until it is asked for."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps a record."""
        self.records.append(record)

    def take(self) -> list[logging.LogRecord]:
        """What has been kept since the last time."""
        taken, self.records = self.records, []
        return taken


LOG = _Log()
logging.getLogger("weasyprint").addHandler(LOG)
logging.getLogger("weasyprint").propagate = False

_UNTOLD = ("Anchor defined twice", ".notdef glyph", 'Image "%s" has no', "Failed to load stylesheet", "Using fontTools instead")
"""Things that are no fault here (an id in every part of a document, a slower way to cut fonts), or found elsewhere with their place."""


def logged(file: str | None = None) -> list[Finding]:
    """The typesetter's warnings since the last time, as findings; `file` is the stylesheet that it was reading."""
    return [_warning(record, file) for record in LOG.take() if not str(record.msg).startswith(_UNTOLD)]


def _warning(record: logging.LogRecord, file: str | None) -> Finding:
    args = record.args if isinstance(record.args, tuple) else ()
    message, template = record.getMessage(), str(record.msg)
    if template.startswith("Font-face"):
        return Finding("E618", text=str(args[0]), file=file, detail="its file cannot be used")
    if template.startswith("Failed to load image"):
        return Finding("E619", text=_shown(str(args[0])), file=file, detail="it cannot be read")
    if template.startswith("No anchor"):
        return Finding("E615", text="#" + str(args[0]))
    numbers = [arg for arg in args if type(arg) is int]
    line, column = numbers[:2] if len(numbers) >= 2 else (None, None)
    if template.startswith("Ignored `%s:") and len(args) == 5:
        return Finding("E616", text=f"{args[0]}: {str(args[1]).strip()}", file=file, line=line, column=column, detail=str(args[4]))
    return Finding("E616", text="", file=file, line=line, column=column, detail=message.strip().rstrip("."))


def _shown(url: str) -> str:
    return urllib.parse.unquote(url).removeprefix(BASE)


class _File:
    """A file of a theme as an answer to the typesetter, which itself has what is said of a file read as the headers of a letter."""

    def __init__(self, url: str, data: bytes, kind: str) -> None:
        self.url = url
        self.status = 200
        self._file_obj = io.BytesIO(data)
        self._kind = kind

    @property
    def content_type(self) -> str:
        """The media type."""
        return self._kind

    @property
    def charset(self) -> None:
        """Nothing is said of it."""


_Answered = type("_Answered", (_File, URLFetcherResponse), {})


class Files:
    """Answers the private scheme from the bytes of one theme, and nothing else."""

    def __init__(self, theme: Theme, limits: Limits) -> None:
        self._theme = theme
        self._limits = limits
        self._types: dict[str, str | Finding] = {}
        self._refused: list[Finding] = []
        kind = type("Fetcher", (URLFetcher,), {"fetch": lambda _, url, headers=None: self._answer(url)})
        self.fetcher = kind(allowed_protocols=(SCHEME,), allow_redirects=False)

    def refused(self) -> list[Finding]:
        """What was asked for in vain since the last time."""
        taken, self._refused = self._refused, []
        return taken

    def _answer(self, url: str) -> Any:
        path = inside(_shown(url))
        folder, _, name = path.partition("/")
        if url.startswith(BASE) and folder == "fonts" and name in self._theme.fonts:
            return _Answered(url, self._theme.fonts[name], "font/ttf")
        if url.startswith(BASE) and path in self._theme.stylesheets:
            return _Answered(url, b"", "text/css")  # an import: it was put before the sheet that asks for it
        if url.startswith(BASE) and folder == "images" and name in self._theme.images:
            if name not in self._types:
                self._types[name] = picture_type(path, self._theme.images[name], self._limits)
            if isinstance(kind := self._types[name], str):
                return _Answered(url, self._theme.images[name], kind)
            self._refused.append(kind)
        else:
            self._refused.append(Finding("E617", text=path))
        raise ValueError("not in the theme")


def picture_type(name: str, data: bytes, limits: Limits) -> str | Finding:
    """The media type of a picture, told from its own bytes, or what is wrong with it. Nothing but its head is decoded."""
    if len(data) > limits.image_bytes:
        return Finding("E619", text=name, detail=f"expected at most {limits.image_bytes // 1024 // 1024} MB")
    try:
        with Image.open(io.BytesIO(data), formats=tuple(_RASTER)) as image:
            kind, pixels = str(image.format), image.width * image.height
    except Image.DecompressionBombError:
        kind, pixels = "PNG", limits.image_pixels + 1
    except (OSError, ValueError, SyntaxError):
        return _svg(name, data, limits)
    if pixels > limits.image_pixels:
        return Finding("E619", text=name, detail=f"expected at most {limits.image_pixels // 1_000_000} million pixels")
    return _RASTER[kind]


def _svg(name: str, data: bytes, limits: Limits) -> str | Finding:
    if not _SVG_ROOT.search(data[:4096]):
        return Finding("E619", text=name, detail="expected PNG, JPEG, GIF, WebP or SVG")
    if len(data) > limits.drawing_bytes:
        return Finding("E619", text=name, detail=f"expected a drawing of at most {limits.drawing_bytes // 1024} kB")
    why = svg.fault(data)
    return "image/svg+xml" if why is None else Finding("E619", text=name, detail=why)


class Styles(NamedTuple):
    """Stylesheets ready for use, in order, and what was found wrong in them."""

    sheets: tuple[Any, ...]
    findings: tuple[Finding, ...]

    @property
    def broken(self) -> bool:
        """Whether a font or a file is missing: everything set in it would be wrong, and the typesetter dies where it has no font at all."""
        return any(finding.code in ("E617", "E618") for finding in self.findings)


class LoadedTheme:
    """One theme, ready for jobs. Sheets are read when the first job asks for them; those that declare fonts, at once, so that what a text
    looks like never depends on the jobs before it."""

    def __init__(self, theme: Theme, limits: Limits) -> None:
        self.theme = theme
        self.renderer = Renderer(theme.templates, theme.icons, limits)
        self.files = Files(theme, limits)
        self.fonts = FontConfiguration()
        self.counters = CounterStyle()
        self.pictures: dict[str, Any] = {}
        self.computed = sharing()
        self.parts = sharing()
        """What parts of books share, which is of no use to faces."""
        self.usable: dict[str, bytes] = {}
        self.uncut: frozenset[bytes] = frozenset()
        """Font files that are named by their hash where a page is taken apart, so that nobody needs them cut."""
        self.coverage: dict[str, frozenset[str]] = {}
        self._capitals: dict[str, float] = {}
        self.same: Same = {}
        self.limits = limits
        self._findings: list[Finding] = []
        self._read: dict[str, Sheet] = {}
        self._parsed: dict[str, tuple[Any, tuple[Finding, ...]]] = {}
        self._faces: Faces | None = None
        self._stacks: dict[tuple[str, ...], frozenset[str]] = {}
        self._read_fonts()

    def styles(self, names: tuple[str, ...]) -> Styles:
        """The sheets of these names with all that they import, each before what asks for it."""
        order: dict[str, None] = {}
        findings = list(self._findings)
        for name in names:
            if name in self.theme.stylesheets:
                self._order(name, order)
            else:
                findings.append(Finding("E617", text=name, choices=tuple(sorted(self.theme.stylesheets))))
        for name in order:
            findings.extend(self._parse(name)[1])
        return Styles(tuple(self._parse(name)[0] for name in order), tuple(dict.fromkeys(findings)))

    def make_ready(self, expected: Expected) -> None:
        """Reads what the next job will most likely ask for. What is wrong with it is told when a job does."""
        self.styles(expected.stylesheets)
        self.renderer.make_ready(expected.template)

    def own_sheet(self, text: str) -> Any:
        """A sheet of the compiler's, read once for all jobs that have the same."""
        key = f"\0{text}"
        if key not in self._parsed:
            self._parsed[key] = (CSS(string=text, base_url=BASE, url_fetcher=self.files.fetcher), ())
        return self._parsed[key][0]

    def covered(self, stack: tuple[str, ...]) -> frozenset[str]:
        """The characters that the fonts of a stack have a glyph for."""
        if stack not in self._stacks:
            self._stacks[stack] = frozenset().union(*(self.coverage.get(family.lower(), frozenset()) for family in stack))
        return self._stacks[stack]

    def capitals(self, stack: tuple[str, ...]) -> float:
        """How high the capitals of a stack are, in parts of the size."""
        return self._capitals.get(stack[0].lower(), _CAPITALS)

    def faces(self) -> Faces:
        """Which of the theme's fonts draws what; worked out when it is first asked for."""
        if self._faces is None:
            self._faces = Faces((face for name in sorted(self._read) for face in self._read[name].faces), self.usable)
        return self._faces

    def _read_fonts(self) -> None:
        glyphs: dict[str, dict[int, int]] = {}
        for name in sorted(self.theme.fonts):
            try:
                read_font(self.theme.fonts[name])
                glyphs[name] = glyphs_of(self.theme.fonts[name])
                self.usable[name] = self.theme.fonts[name]
            except FontError as error:
                self._findings.append(Finding("E618", text=name, detail=str(error)))
        self.uncut = frozenset(data for data in self.usable.values() if len(data) <= _UNCUT and read_font(data).linkable)
        self.same = _same(glyphs)
        declaring = [name for name in sorted(self.theme.stylesheets) if "@font-face" in self.theme.stylesheets[name].lower()]
        declared: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        for name in declaring:
            for face in self._sheet(name).faces:
                if declared.setdefault((face.family.lower(), face.style), face.files) != face.files:
                    detail = "it is declared twice in one weight and slope, and the second is never drawn"
                    self._findings.append(Finding("E618", None, face.family, None, name, face.line, face.column, (), detail))
                found = (glyphs.get(file.rpartition("/")[2], {}) for file in face.files)
                characters = frozenset(chr(code) for table in found for code in table)
                family = face.family.lower()
                self.coverage[family] = self.coverage.get(family, frozenset()) | characters
                for path in face.files:
                    if (file := path.rpartition("/")[2]) in self.usable:
                        self._capitals.setdefault(family, read_font(self.usable[file]).cap_height / 1000)
        for name in declaring:
            self._parse(name)
        if not any(self.coverage.values()):
            self._findings.append(Finding("E618", text="@font-face", detail="the stylesheets declare none that can be used"))

    def _sheet(self, name: str) -> Sheet:
        if name not in self._read:
            files = frozenset({*(f"fonts/{n}" for n in self.theme.fonts), *(f"images/{n}" for n in self.theme.images)})
            self._read[name] = read_sheet(name, self.theme.stylesheets[name], files, frozenset(self.theme.stylesheets))
        return self._read[name]

    def _order(self, name: str, order: dict[str, None]) -> None:
        """Puts a sheet into the order after all that it imports, each once; one that leads back to itself is let go there."""
        begun: set[str] = set()
        waiting = [(name, False)]
        while waiting:
            sheet, imported = waiting.pop()
            if imported:
                order[sheet] = None
            elif sheet not in begun and sheet not in order:
                begun.add(sheet)
                waiting.append((sheet, True))
                waiting += [(inner, False) for inner in reversed(self._sheet(sheet).imports)]

    def _parse(self, name: str) -> tuple[Any, tuple[Finding, ...]]:
        if name not in self._parsed:
            sheet = self._sheet(name)
            LOG.take()
            text = sheet.text if sheet.usable else ""
            given = {"font_config": self.fonts, "counter_style": self.counters, "url_fetcher": self.files.fetcher}
            gave_up: tuple[Finding, ...] = ()
            try:
                parsed = CSS(string=text, base_url=BASE, **given)
            except MemoryError:
                raise
            except Exception as error:
                parsed = CSS(string="", base_url=BASE, **given)
                gave_up = (Finding("E621", file=name, detail=f"a stylesheet that it cannot read ({type(error).__name__})"),)
            self.files.refused()
            self._parsed[name] = (parsed, tuple(dict.fromkeys((*sheet.findings, *logged(name), *self._strangers(sheet), *gave_up))))
        return self._parsed[name]

    def _strangers(self, sheet: Sheet) -> list[Finding]:
        families = tuple(sorted({face.family for known in self._read.values() for face in known.faces}))
        return [
            Finding("E618", None, n.family, None, sheet.name, n.line, n.column, families, "no `@font-face` declares it")
            for n in sheet.named
            if n.family.lower() not in self.coverage
        ]


def _same(glyphs: Mapping[str, Mapping[int, int]]) -> dict[int, int]:
    """Every character that some font draws with the glyph of another one, and the smallest of those."""
    table: dict[int, int] = {}
    for name in sorted(glyphs):
        first: dict[int, int] = {}
        for code, glyph in sorted(glyphs[name].items()):
            if (smaller := first.setdefault(glyph, code)) != code:
                table[code] = min(table.get(code, smaller), smaller)
    for code in sorted(table):
        table[code] = table.get(table[code], table[code])
    return table

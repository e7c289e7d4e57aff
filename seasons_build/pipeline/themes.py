"""What is printed on and with: sizes of papers and cards, and the themes of the packs, read from a project's templates.

In: the sources of a project, or it as it was read. Out: results, each with what is wrong in the files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from seasons_build.compose import ReadTheme, ThemeFiles, read_themes
from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document
from seasons_build.core.limits import Limits
from seasons_build.core.names import did_you_mean
from seasons_build.core.paper import Papers, papers_from
from seasons_build.core.profile import Profile, profile_from
from seasons_build.core.span import Span
from seasons_build.load import load
from seasons_build.pipeline.read import Project
from seasons_build.sources import BASE, FONTS, CannotRead, Sources

THEME = "theme.yaml"
PAPERS = "papers.yaml"
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
_TEXTS = (".j2", ".css")
_READ = (f"/{THEME}", *_TEXTS, *PICTURES, *FONTS)
"""How files end that a theme is made of."""


def read_papers(sources: Sources, limits: Limits) -> Result[Papers]:
    """The sizes that the package ships."""
    name = next(n for n in sources.base_templates if n.endswith(f"/{BASE}/{PAPERS}"))
    reading = _Reading(sources, limits)
    document = reading.document(name)
    assert document is not None, "the package ships its sizes"
    result = papers_from(document)
    return Result(result.value, (*reading.found, *result.diagnostics))


def read_profile(sources: Sources, wanted: str, limits: Limits) -> Result[Profile | None]:
    """The profile of that name: one of the project's `profiles/`, or one that the package ships; E721 where there is none."""
    there = sources.profiles
    if wanted not in there:
        hints = did_you_mean(wanted, there) or (f"there are {', '.join(sorted(there))}",)
        return Result(None, (Diagnostic("E721", f"there is no profile `{wanted}`", None, hints),))
    reading = _Reading(sources, limits)
    document = reading.document(there[wanted])
    if document is None or reading.found:
        return Result(None, tuple(reading.found))
    return profile_from(wanted, document)


class Themes:
    """The themes of projects, from build to build: read again when a file of theirs says something else."""

    def __init__(self) -> None:
        self._read: tuple[object, Result[Mapping[str, ReadTheme]]] | None = None

    def of(self, project: Project, limits: Limits) -> Result[Mapping[str, ReadTheme]]:
        """The themes of all packs, by pack, and the base theme."""
        sources = project.sources
        reading = _Reading(sources, limits)
        folders = {BASE: sources.base_templates}
        folders |= {pack: sources.packs[pack].templates for pack in project.library.packs if sources.packs[pack].templates}
        names = (*sources.fonts, *(name for names in folders.values() for name in names if name.endswith(_READ)))
        digests = {name: sources.digests[name] if reading.data(name) is not None else "" for name in names}
        given = (folders, digests, limits)
        if self._read is None or self._read[0] != given:
            read = {name: files for name, names in folders.items() if (files := reading.theme(name, names)) is not None}
            reading.found += [bare for name, names in folders.items() if name not in read and (bare := _without_manifest(name, names))]
            fonts = {name.rpartition("/")[2]: reading.data(name) or b"" for name in sources.fonts}
            result = read_themes(read, fonts, limits)
            self._read = given, Result(result.value, (*reading.found, *result.diagnostics))
        return self._read[1]


def _without_manifest(pack: str, names: Sequence[str]) -> Diagnostic | None:
    """What there is to say of templates and style sheets that belong to no theme: nothing is printed with them."""
    drawn = [name for name in names if name.endswith(_TEXTS)]
    if not drawn or any(name.endswith(f"/{THEME}") for name in names):
        return None
    hint = f"a file `{THEME}` beside them makes them a theme: `id: {pack}`, `title: ...`, `extends: {BASE}`"
    message = f"the templates of `{pack}` are no theme, and nothing is printed with them"
    return Diagnostic("W780", message, Span(drawn[0], 1, 1, 1, 1), (hint,))


class _Reading:
    """Files of templates being read, with what is wrong in them."""

    def __init__(self, sources: Sources, limits: Limits) -> None:
        self._sources = sources
        self._limits = limits
        self._data: dict[str, bytes | None] = {}
        self.found: list[Diagnostic] = []

    def document(self, name: str) -> Document | None:
        raw = self.data(name)
        if raw is None:
            return None
        result = load(name, raw, self._limits)
        self.found += result.diagnostics
        return result.value

    def data(self, name: str) -> bytes | None:
        if name not in self._data:
            try:
                self._data[name] = self._sources.read(name)
            except CannotRead as error:
                self._data[name] = None
                self.found.append(Diagnostic("E100", f"`{name}` cannot be read: {error.why}", Span(name, 1, 1, 1, 1)))
        return self._data[name]

    def theme(self, theme: str, names: Sequence[str]) -> ThemeFiles | None:
        manifest = next((n for n in names if n.endswith(f"/{THEME}")), None)
        document = self.document(manifest) if manifest else None
        if manifest is None or document is None:
            return None
        folder = manifest.removesuffix(THEME)
        texts: dict[str, str] = {}
        images: dict[str, bytes] = {}
        fonts: dict[str, bytes] = {}
        for name in names:
            inner = name.removeprefix(folder)
            if inner.endswith(_TEXTS):
                texts[f"{theme}/{inner}"] = self._text(name)
            elif inner.endswith(PICTURES):
                images[inner.removeprefix("images/")] = self.data(name) or b""
            elif inner.endswith(FONTS):
                fonts[inner.rpartition("/")[2]] = self.data(name) or b""
        return ThemeFiles(theme, document, texts, images, fonts)

    def _text(self, name: str) -> str:
        raw = self.data(name) or b""
        most = self._limits.sheet_bytes if name.endswith(".css") else self._limits.file_bytes
        if len(raw) > most:
            message = f"the file has {len(raw)} bytes; at most {most} are read"
            self.found.append(Diagnostic("E102", message, Span(name, 1, 1, 1, 1), ("spread it over several files",)))
            return ""
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            self.found.append(Diagnostic("E103", "the file is not UTF-8 text", Span(name, line, 1, line, 1)))
            return ""

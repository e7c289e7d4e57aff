"""Themes: the files of `templates/` as what the typesetter is handed (part of compose).

In: the parsed `theme.yaml` of each pack and the bytes of its files. Out: `ReadTheme`s, with what is wrong in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from seasons_build.compose.colors import color_faults
from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document, Value
from seasons_build.core.job import Step, Theme
from seasons_build.core.limits import Limits
from seasons_build.core.names import did_you_mean
from seasons_build.core.record import dataclass, field
from seasons_build.core.regex import regex

BASE = "base"
_TAKES_IN = regex(r"{%[-+]?\s*(?:include|extends)\b(.*?)%}", re.DOTALL)
_WITH_CONTEXT = regex(r"{%[-+]?\s*(?:import|from)\b((?:(?!%}).)*?)\bwith\s+context\b", re.DOTALL)
_QUOTED = regex(r"[\"']([^\"']+)[\"']")


@dataclass(frozen=True, slots=True)
class ReadTheme:
    """A theme, and what only the composer needs of it: the fit ladder, those of kinds that have their own, style sheets by layout, how near
    to the cut text may stand, by kind the fields that its faces draw where their game has words for them, by role the least size of
    type in points, and the themes that it is made of: itself, those that it extends, the base last."""

    theme: Theme
    stylesheets: Mapping[str, tuple[str, ...]]
    fit: tuple[Step, ...]
    fit_of: Mapping[str, tuple[Step, ...]]
    steps: tuple[tuple[str, tuple[str, ...]], ...]
    safe_mm: Fraction
    draws: Mapping[str, tuple[str, ...]]
    floors: Mapping[str, Fraction]
    credits: tuple[str, ...] = ()
    """Whose type it is set in."""
    chain: tuple[str, ...] = ()
    _texts: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """What `text` has found."""
    _drawn_by: dict[str, str | None] = field(default_factory=dict, repr=False, compare=False)
    """What `template` has found."""

    def text(self, template: str) -> str:
        """All that may read what a template is shown: its own text, and that of those which it takes in or extends."""
        if template not in self._texts:
            reached = [template]
            for name in reached:
                own = self.theme.templates[name]
                taken = (name for match in (*_TAKES_IN.finditer(own), *_WITH_CONTEXT.finditer(own)) for name in _QUOTED.findall(match[1]))
                reached += dict.fromkeys(name for name in taken if name in self.theme.templates and name not in reached)
            self._texts[template] = "\n".join(self.theme.templates[name] for name in reached)
        return self._texts[template]

    def template(self, layout: str, name: str) -> str | None:
        """The template that draws a name in a layout: the theme's own before those of the theme that it extends, the base's last."""
        place = f"{layout}/{name}.html.j2"
        if place not in self._drawn_by:
            owners = dict.fromkeys((self.theme.id, *self.chain, BASE))
            found = (f"{owner}/{place}" for owner in owners)
            self._drawn_by[place] = next((template for template in found if template in self.theme.templates), None)
        return self._drawn_by[place]


@dataclass(frozen=True, slots=True)
class ThemeFiles:
    """The files of one theme: its manifest, its texts by the name `pack/rest`, its pictures and its own fonts by name."""

    id: str
    manifest: Document
    texts: Mapping[str, str]
    images: Mapping[str, bytes]
    fonts: Mapping[str, bytes] = field(default_factory=dict)


def read_themes(files: Mapping[str, ThemeFiles], fonts: Mapping[str, bytes], limits: Limits) -> Result[Mapping[str, ReadTheme]]:
    """The themes by pack id.

    Codes: E630 (a theme's manifest), E631 (a font that is not there), E632 (a style sheet that is not there).
    """
    found: list[Diagnostic] = []
    made: dict[str, ReadTheme] = {}
    for name, theme in files.items():
        chain = list(_chain(theme, files))
        known = {**fonts, **{font: data for t in reversed(chain) for font, data in t.fonts.items()}}
        found += _faults(theme, chain, known)
        found += color_faults(theme.manifest, _own_sheets(theme, chain), limits)
        made[name] = _read(theme, chain, known)
    return Result(made, tuple(found))


def _own_sheets(theme: ThemeFiles, chain: list[ThemeFiles]) -> dict[str, str]:
    """The style sheets that a theme names, those that it brings itself last, so that what it sets holds."""
    named = [name for names in _stylesheets(chain).values() for name in names]
    texts = {name: text for t in chain for name, text in t.texts.items() if name in named}
    return dict(sorted(texts.items(), key=lambda pair: pair[0].partition("/")[0] == theme.id))


def _chain(theme: ThemeFiles, files: Mapping[str, ThemeFiles]) -> Iterator[ThemeFiles]:
    """A theme and those that it extends, the base last."""
    seen: list[str] = []
    here: ThemeFiles | None = theme
    while here is not None and here.id not in seen:
        seen.append(here.id)
        yield here
        here = files.get(str(here.manifest.data.get("extends", BASE)))


def _read(theme: ThemeFiles, chain: list[ThemeFiles], fonts: Mapping[str, bytes]) -> ReadTheme:
    def first(key: str) -> Any:
        return next((t.manifest.data[key] for t in chain if key in t.manifest.data), None)

    templates = {name: text for t in reversed(chain) for name, text in t.texts.items() if name.endswith(".j2")}
    sheets = {name: text for t in reversed(chain) for name, text in t.texts.items() if name.endswith(".css")}
    images = {name: data for t in reversed(chain) for name, data in t.images.items()}
    wanted = {str(f["file"]) for t in chain for f in _listed(t.manifest.data.get("fonts")) if isinstance(f, Mapping) and "file" in f}
    icons = first("icons")
    roles = first("roles")
    listed = roles.items() if isinstance(roles, Mapping) else ()
    stated = {str(name): role.get("floor") for name, role in listed if isinstance(role, Mapping)}
    floors = {name: Fraction(floor) for name, floor in stated.items() if isinstance(floor, int | Fraction)}
    made = Theme(
        id=theme.id,
        templates=templates,
        stylesheets=sheets,
        fonts={name: fonts[name] for name in sorted(wanted) if name in fonts},
        images=images,
        icons={str(k): str(v) for k, v in icons.items()} if isinstance(icons, Mapping) else {},
        floor_pt=min(floors.values(), default=Fraction(0)),
    )
    safe = first("safe")
    margin = Fraction(safe) if isinstance(safe, int | Fraction) else Fraction(0)
    own = first("fit-of")
    fit_of = {kind: tuple(_steps(ladder)) for kind, ladder in own.items()} if isinstance(own, Mapping) else {}
    told = first("draws")
    draws = {str(kind): tuple(str(f) for f in _listed(fields)) for kind, fields in told.items()} if isinstance(told, Mapping) else {}
    fit, steps = tuple(_steps(first("fit"))), tuple(_ladders(first("steps")))
    names = tuple(t.id for t in chain)
    return ReadTheme(made, _stylesheets(chain), fit, fit_of, steps, margin, draws, floors, _said(chain), names)


def _said(chain: list[ThemeFiles]) -> tuple[str, ...]:
    """The credits of the nearest theme that gives any."""
    return next((tuple(str(line) for line in said) for t in chain if (said := _listed(t.manifest.data.get("credits")))), ())


def _stylesheets(chain: list[ThemeFiles]) -> dict[str, tuple[str, ...]]:
    made: dict[str, tuple[str, ...]] = {}
    for theme in reversed(chain):
        listed = theme.manifest.data.get("stylesheets")
        for layout, names in listed.items() if isinstance(listed, Mapping) else ():
            made[layout] = tuple(str(name) for name in _listed(names))
    return made


def _steps(ladder: Value) -> Iterator[Step]:
    for step in _listed(ladder) or [{}]:
        if isinstance(step, Mapping):
            upto, size = step.get("upto"), step.get("size")
            drop = tuple(str(d) for d in _listed(step.get("drop")))
            points = Fraction(size) if isinstance(size, int | Fraction) else None
            yield Step(str(step.get("class", "")), drop, points, upto if isinstance(upto, int) else None)


def _ladders(steps: Value) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, classes in steps.items() if isinstance(steps, Mapping) else ():
        listed = tuple(str(c) for c in _listed(classes))
        if listed:
            yield name, listed


def _faults(theme: ThemeFiles, chain: list[ThemeFiles], fonts: Mapping[str, bytes]) -> Iterator[Diagnostic]:
    document = theme.manifest
    say: Callable[..., Diagnostic] = Diagnostic
    for index, font in enumerate(_listed(document.data.get("fonts"))):
        file = font.get("file") if isinstance(font, Mapping) else None
        if not isinstance(file, str):
            yield say("E630", "expected a font (a map with `family` and `file`)", document.span(("fonts", index)))
        elif file not in fonts:
            span = document.span(("fonts", index, "file"))
            yield say("E631", f"there is no font `{file}` among those of the program or of this theme", span, did_you_mean(file, fonts))
    known = {name for t in chain for name in t.texts if name.endswith(".css")}
    sheets = document.data.get("stylesheets")
    for layout, names in sheets.items() if isinstance(sheets, Mapping) else ():
        for index, name in enumerate(_listed(names)):
            if name not in known:
                span = document.span(("stylesheets", layout, index))
                yield say("E632", f"there is no style sheet `{name}`", span, did_you_mean(str(name), known))


def _listed(value: Value) -> list[Any]:
    return value if isinstance(value, list) else []

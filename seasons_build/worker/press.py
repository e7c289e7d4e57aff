"""The typesetter's own calls, and how they go wrong: HTML read, checked and laid out with the stylesheets of a theme."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any

from weasyprint import HTML

from seasons_build.core.finding import Finding
from seasons_build.worker import lines as lines  # it does its work where the typesetter is
from seasons_build.worker.begun import beginning
from seasons_build.worker.bounds import OutOfBounds, read_html
from seasons_build.worker.kept import Shared
from seasons_build.worker.markup import Source, inspect, without_dead_ends
from seasons_build.worker.theme import BASE, LoadedTheme
from seasons_build.worker.uncut import uncut


class Refused(Exception):
    """A theme or a page holds what may not reach the typesetter."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("refused")
        self.findings = findings


class GaveUp(Exception):
    """The typesetter raised something: it knows no bounds of what it is given."""


@contextmanager
def typesetting() -> Iterator[None]:
    """Around every call of the typesetter. Raises GaveUp; MemoryError and OutOfBounds are let through."""
    try:
        yield
    except (MemoryError, OutOfBounds):
        raise
    except RecursionError as error:
        raise GaveUp("things stand inside one another too deeply") from error
    except Exception as error:
        raise GaveUp(f"a length or a layout that it cannot work out ({type(error).__name__})") from error


def read(text: str, template: str, theme: LoadedTheme, *, alt: bool, elsewhere: Collection[str] = ()) -> tuple[HTML, Source]:
    """A page as the typesetter reads it, and what it was made from. `template` is named where it is at fault, `alt` asks for words on
    pictures, `elsewhere` are places in other parts of a book. Raises Refused."""
    try:
        with typesetting():
            html = read_html(without_dead_ends(text, elsewhere), BASE, theme.files.fetcher, theme.limits.attributes)
    except OutOfBounds as error:
        raise Refused((replace(error.finding, file=template),)) from error
    return html, _inspected(html, template, theme, alt=alt)


def classed(html: HTML, classes: str, template: str, theme: LoadedTheme) -> tuple[HTML, Source]:
    """A face that was read, with other classes on its body: as if it were read anew, in a tenth of the time. Raises Refused."""
    made, root = copy(html), deepcopy(html.etree_element)
    root.find("body").set("class", classes)
    made.wrapper_element = type(html.wrapper_element).from_html_root(root, content_language=None)
    made.etree_element = root
    return made, _inspected(made, template, theme, alt=False)


def _inspected(html: HTML, template: str, theme: LoadedTheme, *, alt: bool) -> Source:
    source = inspect(html.etree_element, template, theme.theme.images.keys(), alt=alt)
    if source.refused:
        raise Refused(source.findings)
    return source


def rendered(html: HTML, theme: LoadedTheme, sheets: Iterable[Any], shared: Shared, first: int = 1) -> Any:
    """A document laid out: WeasyPrint's. What is computed for an element serves those like it; `first` is the number of its first page."""
    with typesetting(), beginning(first):
        return shared.rendered(lambda: _render(html, theme, sheets))


def face(html: HTML, theme: LoadedTheme, sheets: Iterable[Any]) -> Any:
    """A face laid out: as many others are, so that what was computed for them serves it too."""
    with typesetting():
        return theme.computed.rendered(lambda: _render(html, theme, sheets))


def _render(html: HTML, theme: LoadedTheme, sheets: Iterable[Any]) -> Any:
    given = {"font_config": theme.fonts, "counter_style": theme.counters, "cache": theme.pictures}
    return html.render(stylesheets=list(sheets), **given)


def written_apart(document: Any, theme: LoadedTheme, *, tagged: bool = False) -> bytes:
    """A laid out face or part as PDF, to be taken apart."""
    with uncut(theme.uncut):
        return written(document, uncompressed_pdf=True, pdf_tags=tagged)


def written(document: Any, **options: Any) -> bytes:
    """A laid out document as PDF."""
    with typesetting():
        return bytes(document.write_pdf(**options))

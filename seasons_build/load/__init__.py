"""Load, the first stage: the bytes of one file to plain data with the place of every key and value.

YAML is read from its events, never by a constructor: text decides nothing but text, numbers are exact, and a stranger's file costs no more
than the limits allow. `text` decodes, `walk` builds with `words` and `anchors`, `scalars` says what single words mean, `traps`, the modules
beside it and `quoting` explain what cannot be read, `pure` stands in for libyaml.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.regex import regex
from seasons_build.core.span import Span
from seasons_build.load.text import decode
from seasons_build.load.walk import TooNested, Walk

_DIRECTIVE = regex(r"^%.*", re.MULTILINE)


def load(file: str, raw: bytes, limits: Limits = DEFAULT, *, pure: bool = False) -> Result[Document | None]:
    """The document in the bytes of a file, and every finding in source order.

    `file` is the name shown to the author. The value is None where nothing of the file could be read; after an error that a file cannot be
    read beyond (there is one at most), it holds what stands before that place. `pure` leaves libyaml out; the result is the same.
    """
    text, findings = decode(file, raw, limits)
    if text is None:
        return Result(None, tuple(findings))
    directive = _DIRECTIVE.search(text) if "%" in text else None
    if directive:
        line = text.count("\n", 0, directive.start()) + 1
        span = Span(file, line, 1, line, 1 + len(directive.group()))
        hints = ("delete the line; text that begins with `%` needs quotes",)
        return Result(None, (*findings, Diagnostic("E107", "a line cannot begin with `%`", span, hints)))
    document, more = _read(file, text, limits, _parser(pure=pure))
    return Result(document, tuple(sorted([*findings, *more], key=_order)))


def load_changed(before: Document, raw: bytes, limits: Limits = DEFAULT) -> Result[Document | None]:
    """As `load`, of a file that was `before` when it was last read, without a finding: what has not changed since is not read again."""
    from seasons_build.load.again import load_again

    return Result(again) if (again := load_again(before, raw, limits, _sound)) is not None else load(before.file, raw, limits)


@cache
def _parser(*, pure: bool) -> Callable[[str], Any]:
    """What reads a text: libyaml, where it is there and wanted."""
    if not pure:
        with suppress(ImportError):
            from yaml._yaml import CParser

            return CParser
    from seasons_build.load.pure import PureParser

    return PureParser


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Stops the search for reference cycles while data is built that has none: looking costs a third of the time. Whoever reads many files
    puts it around the loop."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _read(file: str, text: str, limits: Limits, parser: Callable[[str], Any]) -> tuple[Document, list[Diagnostic]]:
    lined = text if text.endswith("\n") else text + "\n"
    with collector_at_rest():
        walk = Walk(file, lined, limits, parser)
        try:
            data, places = walk.run()
        except TooNested as error:
            walk = Walk(file, _up_to(lined, error), limits, parser)
            data, places = walk.run()
    return Document(file, text, data, places), walk.words.diagnostics


def _sound(file: str, text: str, limits: Limits) -> Document | None:
    """The document of a text; None where something is wrong with it."""
    document, found = _read(file, text, limits, _parser(pure=False))
    return document if not found else None


def _up_to(text: str, error: TooNested) -> str:
    """The text in front of the place at which libyaml refuses to go deeper, where our own limit is long passed."""
    lines = text.split("\n")
    return "\n".join([*lines[: error.line], lines[error.line][: error.column]])


def _order(diagnostic: Diagnostic) -> tuple[int, int]:
    return (diagnostic.span.line, diagnostic.span.column) if diagnostic.span else (0, 0)

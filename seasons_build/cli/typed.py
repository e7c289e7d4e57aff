"""What is typed after the options of commands that print: forms, lengths, sizes, patterns of entries.

In: a text as it was typed. Out: what it means. Raises `click.BadParameter` where it means nothing.
"""

from __future__ import annotations

import re
from fractions import Fraction

import click

from seasons_build.core.regex import regex

_DECIMAL = regex(r"[+-]?\d{1,4}(?:\.\d{1,4})?\Z", re.ASCII)
_MOST_OFFSET_MM = 20
_LEAST_SCALE, _MOST_SCALE = Fraction(1, 2), Fraction(3)


def forms_of(text: str) -> tuple[str, ...]:
    """The forms that `--format` names."""
    wanted = tuple(form.strip() for form in text.split(",") if form.strip())
    for form in wanted or ("",):
        if form not in ("pdf", "png"):
            raise click.BadParameter(f"{form!r} is none of pdf, png", param_hint="--format")
    return wanted


def offset(text: str | None) -> tuple[Fraction, Fraction]:
    """Two lengths in millimetres, as `0.5,-1`."""
    parts = (text or "0,0").split(",")
    found = [length for part in parts if (length := _decimal(part)) is not None and abs(length) <= _MOST_OFFSET_MM]
    if len(parts) != 2 or len(found) != 2:
        raise click.BadParameter(f"{text!r}: expected two lengths in millimetres, as 0.5,-1", param_hint="--back-offset")
    return found[0], found[1]


def scale_of(text: str) -> Fraction:
    """How many times as large something is printed, as `1.25`."""
    found = _decimal(text)
    if found is None or not _LEAST_SCALE <= found <= _MOST_SCALE:
        raise click.BadParameter(f"{text!r}: expected a number from 0.5 to 3, as 1.25", param_hint="--scale")
    return found


def _decimal(text: str) -> Fraction | None:
    return Fraction(text.strip()) if _DECIMAL.match(text.strip()) else None


def pattern(text: str) -> tuple[str, int | None]:
    """A pattern of entries, and how many copies of each are wanted where that is said, as `knife=3`."""
    name, sign, count = text.rpartition("=")
    if not sign:
        return text, None
    if not count.isdigit() or not 0 < int(count) <= 1000:
        raise click.BadParameter(f"{text!r}: expected a number of copies from 1 to 1000 after the `=`", param_hint="--only")
    return name, int(count)

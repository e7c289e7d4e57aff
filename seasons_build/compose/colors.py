"""The colours of a theme: whether what it declares is true, for every eye and in grey (part of compose).

In: a theme's manifest and its style sheets. Out: E740 for a pair of colours with less contrast than the theme says, E741 for families that
look alike to somebody and have no other sign. Colours are custom properties of the style sheets (`--ink:#15191D`): those of the page, and
under each class that sets its own.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document
from seasons_build.core.limits import Limits
from seasons_build.core.names import did_you_mean
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex

Linear: TypeAlias = tuple[float, float, float]

ALIKE = 12.0
"""Two colours that differ by less (in CIE Lab) are not told apart on different cards."""
_COMMENT = regex(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE = regex(r"([{}])")
_PROPERTY = regex(r"(?<![\w-])--([\w-]++)\s*+:\s*+([^;]++)")
_HEX = regex(r"#[0-9A-Fa-f]{6}\Z")
_CLASS = regex(r"\.[\w-]+\Z")
_PAGE = ":root"
_EYES: Mapping[str, tuple[Linear, Linear, Linear]] = {
    "to the red-blind": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "to the green-blind": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "to the blue-blind": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "in grey": ((0.2126, 0.7152, 0.0722),) * 3,
}
"""What becomes of the three lights of a colour for eyes that lack one of them (Machado, Oliveira and Fernandes 2009), and in grey."""


@dataclass(frozen=True, slots=True)
class _Palette:
    """The custom properties that hold under a selector."""

    selector: str
    own: Mapping[str, str]
    all: Mapping[str, str]


def color_faults(document: Document, stylesheets: Mapping[str, str], limits: Limits) -> Iterator[Diagnostic]:
    """What is not as the manifest of a theme says of its colours."""
    pairs, families = document.data.get("contrast"), document.data.get("families")
    palettes = list(_palettes("\n".join(stylesheets.values()))) if pairs or families else []
    if isinstance(pairs, list):
        if len(pairs) > limits.colors:
            yield Diagnostic("E740", f"expected at most {limits.colors} pairs, found {len(pairs)}", document.span(("contrast",)))
        known = {name for palette in palettes for name, value in palette.own.items() if _HEX.match(value)}
        for index, pair in enumerate(pairs[: limits.colors]):
            yield from _contrast(document, index, pair, palettes, known)
    if isinstance(families, Mapping):
        yield from _families(document, families, palettes, limits)


def _palettes(text: str) -> Iterator[_Palette]:
    found: dict[str, dict[str, str]] = {}
    parts = _BRACE.split(_COMMENT.sub("", text))
    for selector, opened, body, closed in zip(parts[::2], parts[1::2], parts[2::2], parts[3::2], strict=False):
        if opened != "{" or closed != "}" or not selector:
            continue
        values = {name: value.strip() for name, value in _PROPERTY.findall(body)}
        if values:
            found.setdefault(selector.strip(), {}).update(values)
    page = found.pop(_PAGE, {})
    yield _Palette(_PAGE, page, page)
    yield from (_Palette(selector, values, ChainMap(values, page)) for selector, values in found.items())


def _contrast(document: Document, index: int, pair: Any, palettes: list[_Palette], known: set[str]) -> Iterator[Diagnostic]:
    path = ("contrast", index)
    if not (isinstance(pair, list) and len(pair) == 3 and isinstance(pair[2], int | Fraction)):
        yield Diagnostic("E740", "expected two colours and the least contrast between them, as `[ink, paper, 7]`", document.span(path))
        return
    ink, ground, least = str(pair[0]), str(pair[1]), pair[2]
    missing = [name for name in (ink, ground) if name not in known]
    if missing:
        yield Diagnostic("E740", f"no style sheet has the colour `{missing[0]}`", document.span(path), did_you_mean(missing[0], known))
        return
    for palette in palettes:
        first, second = palette.all.get(ink, ""), palette.all.get(ground, "")
        if not ({ink, ground} & palette.own.keys()) or not (_HEX.match(first) and _HEX.match(second)):
            continue
        ratio = _ratio(first, second)
        if ratio < least:
            where = "" if palette.selector == _PAGE else f" under `{palette.selector}`"
            message = f"`{ink}` on `{ground}`{where} has a contrast of {ratio:.2f}, and the theme says {float(least):g}"
            yield Diagnostic("E740", message, document.span(path), (f"{first} on {second}: make one lighter or the other darker",))


def _families(document: Document, families: Mapping[str, Any], palettes: list[_Palette], limits: Limits) -> Iterator[Diagnostic]:
    color, mark = str(families.get("color", "")), families.get("mark")
    but = families.get("but")
    none = {f".{name}" for name in but} if isinstance(but, list) else set()
    classes = [palette for palette in palettes if _CLASS.match(palette.selector) and palette.selector not in none]
    there = [palette for palette in classes if _HEX.match(palette.own.get(color, ""))]
    if not there:
        yield Diagnostic("E741", f"no class of a style sheet sets the colour `{color}`", document.span(("families",)))
        return
    if isinstance(families.get("also"), str):
        return
    if len(there) > limits.colors:
        message = f"expected at most {limits.colors} classes that set the colour `{color}`, found {len(there)}"
        yield Diagnostic("E741", message, document.span(("families",)))
        return
    for one, other in combinations(there, 2):
        eyes = [eye for eye, lights in _EYES.items() if _difference(one.own[color], other.own[color], lights) < ALIKE]
        marks = [palette.all.get(str(mark)) for palette in (one, other)]
        if eyes and (mark is None or marks[0] is None or marks[0] == marks[1]):
            message = f"`{one.selector}` and `{other.selector}` look alike {' and '.join(eyes)}, and no mark tells them apart"
            hint = "give each family a mark of its own, or say under `also` what else tells them apart"
            yield Diagnostic("E741", message, document.span(("families",)), (hint,))


def _ratio(first: str, second: str) -> float:
    """The contrast of two colours as WCAG has it, from 1 to 21."""
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (_linear(first), _linear(second)))
    return (high + 0.05) / (low + 0.05)


def _linear(color: str) -> Linear:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _light(red), _light(green), _light(blue)


def _light(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _difference(first: str, second: str, lights: tuple[Linear, Linear, Linear]) -> float:
    one, other = _shade(first, lights), _shade(second, lights)
    return float(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5)


@lru_cache(maxsize=1024)
def _shade(color: str, lights: tuple[Linear, Linear, Linear]) -> Linear:
    """A colour in CIE Lab, as such eyes see it."""
    return _lab(_seen(_linear(color), lights))


def _seen(color: Linear, lights: tuple[Linear, Linear, Linear]) -> Linear:
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, color, strict=True)))) for row in lights)
    return red, green, blue


def _lab(color: Linear) -> Linear:
    red, green, blue = color
    x = _root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = _root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = _root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(part: float) -> float:
    return float(part ** (1 / 3)) if part > 0.008856 else 7.787 * part + 16 / 116

"""What typesetting found wrong, as data that a pipe and a cache can carry, and how it is said to an author."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.limits import Limits
from seasons_build.core.machine import bring_pango
from seasons_build.core.names import did_you_mean, meant_or_listed
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex
from seasons_build.core.said import cut
from seasons_build.core.span import Span

_LENGTH = regex(r"-?\d{1,12}(?:/\d{1,12})?\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a typeset thing. Which parts are filled depends on the code.

    `field` is the field of the entry whose text is at fault, as the job named it; `text` the words, glyph, name or property in question;
    `millimetres` how far something is out, in tenths, rounded up; `file`, `line` and `column` (from 1) a place in a template or stylesheet
    of the theme, by the name the theme gives it; `choices` what would have been right; `detail` what kind of fault it is, in plain words.
    A finding with a file is the theme's fault: every face that uses that place has an equal one.
    """

    code: str
    field: str | None = None
    text: str = ""
    millimetres: Fraction | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    choices: tuple[str, ...] = ()
    detail: str = ""


def millimetres_over(length: Fraction) -> Fraction:
    """A length in millimetres as it is reported: rounded up to tenths."""
    return Fraction(ceil(length * 10), 10)


def decimal(number: Fraction) -> str:
    """A number in decimal notation, exact where that ends within four places: `63`, `63.5`."""
    whole, rest = divmod(round(abs(number) * 10_000), 10_000)
    digits = f"{whole}.{rest:04d}".rstrip("0").rstrip(".")
    return f"-{digits}" if number < 0 and digits != "0" else digits


def too_many(pages: int, limits: Limits) -> Finding:
    """What is said of a document with more pages than one may have."""
    return Finding("E620", detail=f"expected at most {limits.pages} pages, found {pages}")


def to_data(finding: Finding) -> dict[str, Any]:
    """A finding as JSON can hold it; parts that are empty are left out."""
    data: dict[str, Any] = {"code": finding.code}
    for name in ("field", "text", "file", "line", "column", "detail"):
        if (value := getattr(finding, name)) not in (None, ""):
            data[name] = value
    if finding.millimetres is not None:
        data["millimetres"] = str(finding.millimetres)
    if finding.choices:
        data["choices"] = list(finding.choices)
    return data


def from_data(data: Mapping[str, Any]) -> Finding:
    """What `to_data` was given; raises ValueError, TypeError or KeyError for anything else."""
    length = data.get("millimetres")
    finding = Finding(
        code=_text(data["code"]),
        field=None if data.get("field") is None else _text(data["field"]),
        text=_text(data.get("text", "")),
        millimetres=None if length is None else _length(_text(length)),
        file=None if data.get("file") is None else _text(data["file"]),
        line=_count(data.get("line")),
        column=_count(data.get("column")),
        choices=tuple(_text(choice) for choice in data.get("choices", ())),
        detail=_text(data.get("detail", "")),
    )
    if finding.code not in _SAID:
        raise ValueError(f"no finding has the code {finding.code}")
    return finding


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a finding of the wrong form")
    return value


def _length(text: str) -> Fraction:
    if not _LENGTH.match(text):
        raise ValueError("a length of the wrong form")
    return Fraction(text)


def _count(value: object) -> int | None:
    if value is None or type(value) is int:
        return value
    raise TypeError("a finding of the wrong form")


def diagnostic(finding: Finding, span: Span | None = None) -> Diagnostic:
    """A finding as it is told to the author; `span` is the place that the parent knows for it: of the field, of the entry, or of the line
    in the theme."""
    message, hints = _SAID[finding.code](finding)
    return Diagnostic(finding.code, message, span, hints)


_Said = tuple[str, tuple[str, ...]]


def _what(finding: Finding) -> str:
    return f"`{finding.field}`" if finding.field else "the face"


def _over(finding: Finding) -> str:
    return "" if finding.millimetres is None else f" by {decimal(finding.millimetres)} mm"


def _where(finding: Finding) -> str:
    return f" in `{finding.field}`" if finding.field else ""


def _does_not_fit(finding: Finding) -> _Said:
    return f"{_what(finding)} does not fit{_over(finding)}, even at the smallest size", ("shorten the text",)


def _sticks_out(finding: Finding) -> _Said:
    return f"{_what(finding)} is larger than its place{_over(finding)}", ("shorten the text",)


def _runs_on(finding: Finding) -> _Said:
    return f"expected one page, found that {_what(finding)} runs on{_over(finding)}", ("shorten the text",)


def _lost(finding: Finding) -> _Said:
    return f"characters are lost on the page{_where(finding)}: `{finding.text}`", ("give the text more room, or shorten it",)


def _out_of_order(finding: Finding) -> _Said:
    return f"{_what(finding)} is not printed as it reads: `{finding.text}` {finding.detail}", ()


def _code_points(text: str) -> str:
    return " ".join(f"U+{ord(letter):04X}" for letter in text)


def _no_glyph(finding: Finding) -> _Said:
    return f"no font of the theme has the character `{finding.text}` ({_code_points(finding.text)}){_where(finding)}", (
        "write it with other characters",
    )


def _other_font(finding: Finding) -> _Said:
    stack = ", ".join(f"`{family}`" for family in finding.choices)
    return f"no font of its place has the character `{finding.text}` ({_code_points(finding.text)}){_where(finding)}: {stack}", (
        "write it with other characters, or name a font that has it in the stylesheet",
    )


def _too_small(finding: Finding) -> _Said:
    return f"text{_where(finding)} is smaller than the theme allows: {finding.detail}, `{finding.text}`", ()


def _cut_off(finding: Finding) -> _Said:
    return f"text{_where(finding)} {finding.detail}{_over(finding)}: `{finding.text}`", ()


def _plain(finding: Finding) -> _Said:
    return finding.detail, ()


def _unknown(finding: Finding) -> _Said:
    hint = meant_or_listed if finding.detail == "macro" else did_you_mean
    return f"unknown {finding.detail} `{finding.text}`", hint(finding.text, finding.choices)


def _html(finding: Finding) -> _Said:
    return f"a page may not hold {finding.detail} `{finding.text}`", finding.choices


def _field_name(finding: Finding) -> _Said:
    return f"a field to fill in is named `{finding.text}`: {finding.detail}", ()


def _field_room(finding: Finding) -> _Said:
    return f"the field `{finding.text}` is {finding.detail} points: nobody can write there", ("give it a width and a height",)


def _link(finding: Finding) -> _Said:
    return f"a link leads to `{finding.text}`", ("links lead to `https:`, `http:`, `mailto:` or a place in the same document",)


def _ignored_css(finding: Finding) -> _Said:
    part = f"`{finding.text}`" if finding.text else "a part of the stylesheet"
    return f"the typesetter ignores {part}: {finding.detail}", ()


def _no_file(finding: Finding) -> _Said:
    return f"the theme has no file `{finding.text}`", did_you_mean(finding.text, finding.choices) or (
        "a stylesheet reaches fonts as `fonts/NAME` and pictures as `images/NAME`",
    )


def _font(finding: Finding) -> _Said:
    return f"font `{finding.text}`: {finding.detail}", did_you_mean(finding.text, finding.choices)


def _picture(finding: Finding) -> _Said:
    return f"picture `{finding.text}`: {finding.detail}", ()


def _cost(finding: Finding) -> _Said:
    return f"typesetting this costs too much: {finding.detail}", ("make it smaller, or its layout simpler",)


def _gave_up(finding: Finding) -> _Said:
    return f"the typesetter gave up: {finding.detail}", ()


def _no_words(finding: Finding) -> _Said:
    return f"the picture `{finding.text}` has no words for a reader who cannot see it", ("give it an `alt`",)


def _coarse(finding: Finding) -> _Said:
    return f"picture `{finding.text}` is too coarse for print: {finding.detail}", (f"give it at least {finding.choices[0]} pixels",)


def _breaks(finding: Finding) -> _Said:
    return f"`{finding.text}`{_where(finding)} {finding.detail}", ("shorten it, or give it more room",)


def _on_another(finding: Finding) -> _Said:
    return f"`{finding.text}`{_where(finding)} stands on `{finding.detail}`: neither can be read", ("shorten one of them",)


def _unfilled(finding: Finding) -> _Said:
    return f"`{cut(finding.text)}`{_where(finding)} is printed as it stands: nothing was put in its place", ()


def _left(finding: Finding) -> _Said:
    return f"`{cut(finding.text)}`{_where(finding)} looks like a note to oneself, and is printed", ()


def _open(finding: Finding) -> _Said:
    return f"`{cut(finding.text)}`{_where(finding)} is printed as it stands: an emphasis begins and has no end", (
        "close it, or write `\\*` for a star",
    )


def _cannot_start(finding: Finding) -> _Said:
    doctor = "`seasons doctor` says what is missing and how to get it"
    return f"cannot typeset on this machine: {finding.detail}", (*((bring_pango(),) if finding.text else ()), doctor)


_SAID: Mapping[str, Callable[[Finding], _Said]] = {
    "E601": _does_not_fit,
    "E602": _sticks_out,
    "E603": _runs_on,
    "E604": _lost,
    "E605": _out_of_order,
    "E606": _no_glyph,
    "E607": _other_font,
    "E608": _too_small,
    "E609": _cut_off,
    "E610": _plain,
    "E611": _plain,
    "E612": _unknown,
    "E613": _plain,
    "E614": _html,
    "E615": _link,
    "E767": _field_room,
    "E783": _field_name,
    "E616": _ignored_css,
    "E617": _no_file,
    "E618": _font,
    "E619": _picture,
    "E620": _cost,
    "E621": _gave_up,
    "E622": _font,
    "W623": _no_words,
    "E730": _coarse,
    "W731": _coarse,
    "E732": _breaks,
    "E733": _unfilled,
    "E742": _on_another,
    "W734": _left,
    "W735": _open,
    "E850": _cannot_start,
}

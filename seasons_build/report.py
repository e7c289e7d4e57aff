"""Diagnostics on their way to people and tools: text for a terminal, lines for grep, JSON, annotations for a CI service.

In: diagnostics and the sources of the files they point into. Out: text. Nothing here decides anything; no control or bidi character of a
file reaches a terminal as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.escapes import escape, visible
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.span import Span

Form: TypeAlias = Literal["text", "line", "json", "github"]
Source: TypeAlias = Callable[[str], str | None]
"""Gives the text of a file by its name, or None where it cannot be shown."""

COLORS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}
BLUE, BOLD, PLAIN = "\x1b[1;34m", "\x1b[1m", "\x1b[0m"


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each diagnostic once, in the order of the files and the lines in them; those without a place come last."""
    last = Span("\U0010ffff", 0, 0, 0, 0)
    return sorted(dict.fromkeys(diagnostics), key=lambda d: (d.span or last, d.code, d.message))


def render(diagnostics: Sequence[Diagnostic], form: Form, source: Source, *, color: bool = False, limits: Limits = DEFAULT) -> str:
    """The diagnostics in one of the four forms. Text and lines show the first 50 and count the rest; JSON and annotations have all."""
    ordered = in_order(diagnostics)
    if form == "json":
        return json.dumps([as_json(d) for d in ordered], ensure_ascii=True, indent=2)
    if form == "github":
        return "\n".join(_annotation(d) for d in ordered)
    shown = _shown(ordered, limits.shown)
    if form == "line":
        lines = [f"{_place(d)}{d.severity}[{d.code}]: {_cut(escape(d.message), limits)}" for d in shown]
    else:
        lines = ["\n".join(_text(d, source, color, limits)) + "\n" for d in shown]
    rest = len(ordered) - len(shown)
    if rest:
        lines.append(f"... and {rest} more")
    return "\n".join(lines)


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """One line that counts errors, warnings and notes. Notes are no faults, and where there are none but these it says so."""
    counts = {"error": 0, "warning": 0, "note": 0}
    for diagnostic in dict.fromkeys(diagnostics):
        counts[diagnostic.severity] += 1
    said = [f"{n} {word}{'' if n == 1 else 's'}" for word, n in counts.items() if n]
    faults = counts["error"] + counts["warning"]
    return ", ".join(said if faults else ["no faults", *said])


def as_json(diagnostic: Diagnostic) -> dict[str, object]:
    """A diagnostic as documented for tools: `code severity file line column message hints`, and `trace` where there is one."""
    span = diagnostic.span
    made: dict[str, object] = {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        **placed(span),
        "message": diagnostic.message,
        "hints": list(diagnostic.hints),
    }
    if diagnostic.trace:
        made["trace"] = [{"message": t.message, "place": str(t.span) if t.span else None} for t in diagnostic.trace]
    return made


def placed(span: Span | None) -> dict[str, str | int | None]:
    """A place as tools get it."""
    return {"file": span.file if span else None, "line": span.line if span else None, "column": span.column if span else None}


def _shown(ordered: list[Diagnostic], most: int) -> list[Diagnostic]:
    """The first ones, errors before all else, so that a crowd of notes never hides an error."""
    if len(ordered) <= most:
        return ordered
    kept = {id(d) for d in sorted(ordered, key=lambda d: ("error", "warning", "note").index(d.severity))[:most]}
    return [d for d in ordered if id(d) in kept]


def _text(diagnostic: Diagnostic, source: Source, color: bool, limits: Limits) -> list[str]:
    def paint(code: str, text: str) -> str:
        return f"{code}{text}{PLAIN}" if color else text

    head = paint(COLORS[diagnostic.severity], f"{diagnostic.severity}[{diagnostic.code}]")
    lines = [f"{head}{paint(BOLD, ': ' + _cut(escape(diagnostic.message), limits, 4))}"]
    hints = [_cut(escape(h), limits, 4) for h in diagnostic.hints]
    width = max([len(str(s.line)) for s in [diagnostic.span, *(t.span for t in diagnostic.trace)] if s], default=1)
    bar = paint(BLUE, "|")
    if diagnostic.span:
        lines.append(f"{' ' * width}{paint(BLUE, '-->')} {escape(str(diagnostic.span))}")
        picture = _picture(diagnostic.span, source, limits)
        if picture:
            row, start, length = picture
            one = bool(hints) and "\n" not in hints[0] and len(hints[0]) <= 80
            under = " " * start + paint(COLORS[diagnostic.severity], "^" * length + (f" {hints[0]}" if one else ""))
            number = paint(BLUE, str(diagnostic.span.line).rjust(width))
            lines += [f"{' ' * width} {bar}", f"{number} {bar} {row}", f"{' ' * width} {bar} {under}"]
            hints = hints[1:] if one else hints
    lines += [f"{' ' * width} {paint(BLUE, '=')} hint: {hint}" for hint in hints]
    for trace in diagnostic.trace:
        where = f" ({escape(str(trace.span))})" if trace.span else ""
        lines.append(f"{' ' * width} {paint(BLUE, '=')} {escape(trace.message)}{where}")
    return lines


def _picture(span: Span, source: Source, limits: Limits) -> tuple[str, int, int] | None:
    """The line that a span points at, made safe, with where the marks stand below it."""
    text = source(span.file)
    lines = text.split("\n") if text is not None else []
    if span.line > len(lines):
        return None
    line = lines[span.line - 1].rstrip("\r")
    end = span.end_column if span.end_line == span.line else len(line) + 1
    first = max(0, span.column - 1 - limits.quoted_characters // 2) if len(line) > limits.quoted_characters else 0
    window = line[first : first + limits.quoted_characters]
    before = visible(line[first : span.column - 1].replace("\t", "    "))
    marked = visible(line[span.column - 1 : min(end - 1, first + limits.quoted_characters)].replace("\t", "    "))
    shown = visible(window.replace("\t", "    "))
    if not shown.strip():
        return None
    return ("…" if first else "") + shown, len(before) + (1 if first else 0), max(1, len(marked.rstrip()))


def _place(diagnostic: Diagnostic) -> str:
    return f"{escape(str(diagnostic.span))}: " if diagnostic.span else ""


def _annotation(diagnostic: Diagnostic) -> str:
    level = {"error": "error", "warning": "warning", "note": "notice"}[diagnostic.severity]
    words = ". ".join([diagnostic.message, *diagnostic.hints])
    data = escape(words).replace("%", "%25")
    span = diagnostic.span
    file = escape(span.file).replace("%", "%25").replace(":", "%3A").replace(",", "%2C") if span else ""
    where = f" file={file},line={span.line},col={span.column},title={diagnostic.code}" if span else f" title={diagnostic.code}"
    return f"::{level}{where}::{data}"


def _cut(text: str, limits: Limits, times: int = 2) -> str:
    most = limits.quoted_characters * times
    return text if len(text) <= most else text[: most - 1] + "…"

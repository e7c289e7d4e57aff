"""Load: what an escape in double quotes may be. In goes the text between them, out comes where one stands that no text can hold."""

from __future__ import annotations

from seasons_build.core.regex import regex

ESCAPE = regex(r'\\(?:[0abt\tnvfre "/\\N_LP\n]|x[0-9A-Fa-f]{2}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))')


def bad_escape(body: str, start: int = 0) -> int | None:
    """Where the first escape stands, from `start` on, that no text can hold; None where there is none."""
    at = body.find("\\", start)
    while at >= 0:
        found = ESCAPE.match(body, at)
        if found is None:
            return at
        digits = found.group(1) or found.group(2)
        if digits and (0xD800 <= int(digits, 16) <= 0xDFFF or int(digits, 16) > 0x10FFFF):
            return at
        at = body.find("\\", found.end())
    return None

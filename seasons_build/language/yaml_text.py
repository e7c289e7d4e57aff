"""Plain data as the YAML that a writer would type (language library). What comes out reads back as what went in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from seasons_build.core.document import Value
from seasons_build.core.regex import regex

WIDTH = 100
"""How long a line may be before a short form is spread over several."""

_PLAIN = regex(r"[^\W_](?:[\w ./+*%()'’!?…—–−-]|:(?=\S)|,(?= ))*(?<! )\Z")
_PLAIN_INSIDE = regex(r"[^\W_](?:[\w ./+*%()'’!?…—–−-])*(?<! )\Z")
_OTHERWISE = regex(r"(?:true|false|null|yes|no|on|off|y|n|[-+.\deE_xo:]+)\Z", re.IGNORECASE)
"""What looks like truth, nothing or a number, to us or to another reader of YAML."""


def quoted(text: str) -> str:
    """Text in double quotes, on one line."""
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]", lambda m: f"\\u{ord(m[0]):04x}", json.dumps(text, ensure_ascii=False))


def scalar(value: Value, *, inside: bool = False) -> str:
    """A text, a number, a truth or nothing. `inside` is between brackets, where commas part things."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Fraction):
        return _decimal(value)
    plain = _PLAIN_INSIDE if inside else _PLAIN
    return value if plain.match(value) and not _OTHERWISE.match(value) else quoted(value)


def flow(value: Value) -> str:
    """A value on one line, in brackets where it is a map or a list."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(str(key), inside=True)}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return scalar(value, inside=True)


def field(key: str, value: Value, indent: int = 0, deep: int = 0) -> Iterator[str]:
    """The lines of `key: value`. Maps are spread over lines to a depth of `deep`; what stands below is in brackets as far as it fits."""
    head = " " * indent + scalar(key) + ":"
    short = f"{head} {flow(value)}" if isinstance(value, Mapping | list) else f"{head} {scalar(value)}"
    if not isinstance(value, Mapping | list) or not value or (deep <= 0 and len(short) <= WIDTH):
        yield short
    elif isinstance(value, Mapping):
        yield head
        for inner, body in value.items():
            yield from field(str(inner), body, indent + 2, deep - 1)
    elif len(short) <= WIDTH:
        yield short
    else:
        yield head
        for item in value:
            yield from _item(item, indent + 2)


def entry_text(kind: str, name: str, data: Mapping[str, Value]) -> str:
    """An entry as a file of its own."""
    return "\n".join(field(kind, {name: data}, 0, 2)) + "\n"


def _item(value: Value, indent: int) -> Iterator[str]:
    head = " " * indent + "- "
    if isinstance(value, Mapping) and len(head + flow(value)) > WIDTH:
        lines = [line for key, body in value.items() for line in field(str(key), body, indent + 2)]
        yield head + lines[0].lstrip()
        yield from lines[1:]
    else:
        yield head + (flow(value) if isinstance(value, Mapping | list) else scalar(value))


def _decimal(value: Fraction) -> str:
    places = 0
    while value.denominator != 1 and (value * 10**places).denominator != 1:
        places += 1
    whole = value * 10**places
    digits = str(abs(whole.numerator)).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else f"{digits}.0")

"""What is asked of the one who looks at printed files, on its way through a pipe: files, a profile, sizes, and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from io import BytesIO
from typing import Any

from seasons_build.core.paper import CardSize, Paper, Papers
from seasons_build.core.profile import Cut, Profile
from seasons_build.core.record import dataclass
from seasons_build.core.wire import Message, write_message

_RECORDS = {record.__name__: record for record in (Profile, Cut, Papers, Paper, CardSize)}
_WORDS = ("folder", "profile", "papers", "memory", "seconds")


@dataclass(frozen=True, slots=True)
class Asked:
    """Files by name, whether they are a whole folder, what to hold them against, and how many bytes of memory and seconds of processor time
    that may take."""

    files: Mapping[str, bytes]
    folder: bool
    profile: Profile
    papers: Papers
    memory: int
    seconds: int


def sent(asked: Asked) -> bytes:
    """A request as bytes."""
    header = {name: _plain(getattr(asked, name)) for name in _WORDS}
    made = BytesIO()
    write_message(made, {**header, "names": list(asked.files)}, tuple(asked.files.values()))
    return made.getvalue()


def asked_of(message: Message) -> Asked:
    """The request that was sent so."""
    given = {name: _record(message.header[name]) for name in _WORDS}
    return Asked(files=dict(zip(message.header["names"], message.blobs, strict=True)), **given)


def _plain(value: Any) -> Any:
    """A value as JSON can hold it: a list begins with the word for what it was."""
    if is_dataclass(value):
        return [type(value).__name__, {part.name: _plain(getattr(value, part.name)) for part in fields(value)}]
    if isinstance(value, Mapping):
        return ["map", [[name, _plain(one)] for name, one in value.items()]]
    if isinstance(value, tuple):
        return ["tuple", [_plain(one) for one in value]]
    return ["fraction", str(value)] if isinstance(value, Fraction) else value


def _record(value: Any) -> Any:
    """The value that was written so."""
    if not isinstance(value, list):
        return value
    what, held = value
    match what:
        case "map":
            return {name: _record(one) for name, one in held}
        case "tuple":
            return tuple(_record(one) for one in held)
        case "fraction":
            return Fraction(held)
    return _RECORDS[what](**{name: _record(one) for name, one in held.items()})

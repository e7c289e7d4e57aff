"""What the next face will most likely ask of a theme: on its way to a worker, with the theme, so that it is made ready there."""

from __future__ import annotations

from typing import Any

from seasons_build.core.job import Theme, theme_message
from seasons_build.core.named import NamedTuple
from seasons_build.core.wire import Message


class Expected(NamedTuple):
    """A template, and style sheets."""

    template: str
    stylesheets: tuple[str, ...]


def expecting(theme: Theme, expected: Expected | None) -> tuple[dict[str, Any], list[bytes]]:
    """A theme as a message to a worker, with what is expected to be asked of it."""
    header, blobs = theme_message(theme)
    return {**header, "expected": expected and [expected.template, list(expected.stylesheets)]}, blobs


def expected_of(message: Message) -> Expected | None:
    """What is expected to be asked of the theme in a message."""
    found = message.header.get("expected")
    return None if found is None else Expected(str(found[0]), tuple(map(str, found[1])))

"""Dice as they are typed elsewhere (part of expression): `1D8`, `1W8`, `d8`, `1d`, `1d%`, `1 d8`.

In: what was typed. Out: how it is written here, as a hint, or nothing where it means no dice.
"""

from __future__ import annotations

import re

from seasons_build.core.regex import regex

_LETTERS = "dDwW"
"""What stands between the count and the faces, in English and in German."""
_DICE = regex(rf"(\d*)[{_LETTERS}](\d+)", re.ASCII)
_NO_FACES = regex(rf"(\d+)[{_LETTERS}]", re.ASCII)
_BETWEEN = regex(rf"(?<![\w.])(\d*)[{_LETTERS}](\d+)(?![\w.])", re.ASCII)


def stuck(piece: str, after: str) -> str:
    """The hint for a piece that begins with a figure and is no number; `after` is the rest of the text."""
    if _DICE.fullmatch(piece):
        return f"write `{_as_dice(piece)}`"
    bare = _NO_FACES.fullmatch(piece)
    if bare and after.startswith("%"):
        return f"write `{bare[1]}d100`"
    if bare:
        return f"dice need their faces: `{bare[1]}d6` is {bare[1]} of six"
    return "put an operator, or a space, between them"


def without_count(name: str) -> str:
    """The hint for a name that nothing has, where it is dice without their count."""
    return f"dice need their count: `{_as_dice(name)}`" if _DICE.fullmatch(name) else ""


def apart(count: str, name: str) -> str:
    """The hint for a number and a name with a blank between them, where both are dice."""
    return f"dice are written without a blank: `{_as_dice(count + name)}`" if _DICE.fullmatch(count + name) else ""


def unfinished(before: str, operator: str) -> str:
    """The hint for an operator with nothing behind it."""
    left = _as_dice(before.strip())
    return f"a value stands behind `{operator}`" + (f"; without it, write `{left}`" if left else "")


def _as_dice(text: str) -> str:
    """A text with all dice in it as they are written here."""
    return _BETWEEN.sub(lambda found: f"{found[1] or 1}d{found[2]}", text)

"""How a value of a file is named to the person who typed it."""

from __future__ import annotations

from fractions import Fraction

from seasons_build.core.document import Value


def said(value: Value) -> str:
    """A value as a writer would name it."""
    if value is None:
        return "nothing"
    if value is True or value is False:
        return f"`{str(value).lower()}` (true or false)"
    if isinstance(value, str):
        return f"the text `{cut(value)}`" if value.strip() else "a text of blanks alone" if value else "an empty text"
    if isinstance(value, int):
        return f"the number `{value}`"
    if isinstance(value, Fraction):
        return f"the number `{float(value):g}`"
    return "a list" if isinstance(value, list) else "a map (name: value lines)"


def cut(text: str, most: int = 60) -> str:
    """A text on one line, and no longer than that."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"

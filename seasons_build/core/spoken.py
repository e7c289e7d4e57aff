"""Texts as they are read out: icons by what they are called.

In go a text and the names of icons; out comes the text with names in place of signs. An icon that stands before its own name is not said
twice.
"""

from __future__ import annotations

from collections.abc import Mapping


def spoken(text: str, icons: Mapping[str, str]) -> str:
    """The text with the name of each icon, and no more than one blank between words."""
    said: list[str] = []
    for place, character in enumerate(text):
        name = icons.get(character)
        if name is None:
            said.append(character)
        elif not text[place + 1 :].lstrip().casefold().startswith(name.casefold()):
            said.append(f" {name} ")
    return " ".join("".join(said).split()).replace(" ,", ",").replace(" .", ".")

"""A pack for a game, and a game of one's own (part of scaffold). In: ids and titles. Out: files by name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from seasons_build.core.entry import Pack
from seasons_build.language.yaml_text import quoted, scalar
from seasons_build.scaffold.entry import readable

KIND = "trinket"
"""The kind of a new game: any word would do, since its schema comes with it."""

MANIFEST = """\
# What this pack is. The folder is called like its id.
id: {id}
title: {title}
version: "1.0"
format: 1
# How others may use it: a licence by its short (SPDX) name. Change it to the one you want.
licence: CC-BY-4.0
# Who wrote it: delete the `# ` and put in your name.
# authors: [your name]
"""

SCHEMA = """\
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Trinket",
  "description": "A small thing with a story. Each file of this folder makes a kind of entry: copy it to make another.",
  "allOf": [{"$ref": "core/entry"}],
  "type": "object",
  "properties": {
    "worth": {
      "type": "integer",
      "title": "Worth",
      "description": "What somebody would give for it.",
      "minimum": 0
    }
  },
  "required": ["name", "worth"]
}
"""

ENTRIES = """\
# The things of the game. Everything below `trinket:` is one card.
trinket:
  brass-key:
    name: Brass Key
    worth: 3
    rules: Opens one door, once. Then it is only brass.
    flavor: It is warm, whatever the weather.
  glass-eye:
    name: Glass Eye
    worth: 5
    rules: You cannot be surprised while somebody else carries it.
"""

PRODUCTS = """\
# What is printed: `seasons build` makes a file of each.
product:
  cards:
    title: Trinkets
    layout: cards
    card: poker
    select: {kind: trinket}
    order: [worth]
"""


def new_pack(identifier: str, game: Pack) -> Mapping[str, str]:
    """The manifest of a pack that adds to a game."""
    about = "# The game that it adds to, and the versions of it that it was written for."
    requires = f"requires: {{{scalar(game.id, inside=True)}: {quoted(_range(game))}}}"
    return {f"content/{identifier}/pack.yaml": f"{_manifest(identifier)}{about}\n{requires}\n"}


def new_game(identifier: str) -> Mapping[str, str]:
    """A small game of one's own: a kind, two entries, a product."""
    return {
        f"content/{identifier}/pack.yaml": _manifest(identifier),
        f"content/{identifier}/{KIND}s.yaml": ENTRIES,
        f"content/{identifier}/products.yaml": PRODUCTS,
        f"schemas/{identifier}/{KIND}.json": SCHEMA,
    }


def _manifest(identifier: str) -> str:
    title = scalar(readable(identifier))
    return MANIFEST.format(id=scalar(identifier), title=title)


def _range(game: Pack) -> str:
    found = re.match(r"(\d+)(?:\.(\d+))?", game.version)
    return f">={found[0]},<{int(found[1]) + 1}" if found else ""

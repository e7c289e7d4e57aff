"""Library of the language: what the sentence writer gives. Plain records, no behaviour.

`Lines` is an entry's whole rules text; a `Part` is an action, an option, a step or an action of a fielded actor.
"""

from __future__ import annotations

from seasons_build.core.document import Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path


class Problem(NamedTuple):
    """Something that keeps a sentence from being right. `path` leads into the entry, or into `rules` where `rules` is true; `code`,
    `message` and `hints` are as a diagnostic has them."""

    code: str
    path: Path
    message: str
    hints: tuple[str, ...] = ()
    rules: bool = False


class Figure(NamedTuple):
    """A figure of the entry that a sentence prints, or says in a word (`once`, `halved`)."""

    path: Path
    value: Value


class Fall(NamedTuple):
    """What an outcome of a roll does, as its sentences stand in the text: `lead` is how they begin (`On a hit,`), `text` all that follows;
    where the sentences begin otherwise, `lead` is empty."""

    id: str
    lead: str
    text: str


class Part(NamedTuple):
    """A part with a text of its own. `line` is all of it as one line of small Markdown, name and strip in front. Where its sentences end
    with the outcomes of a roll, `falls` are these and `head` what stands before them."""

    id: str
    name: str
    strip: tuple[str, ...]
    trigger: str
    lines: tuple[str, ...]
    options: tuple[Part, ...]
    line: str
    head: str = ""
    falls: tuple[Fall, ...] = ()


class Lines(NamedTuple):
    """An entry's rules text.

    `strip` is what it costs, how often, how long (`1 :ap: AP Reaction`, `Once per day`); `trigger` is the sentence of its trigger without
    the label; `opening` and `closing` are the lines of its own fields, before and after the rest, and `fields` both with the name of their
    field; `lines` are its sentences, a paragraph each; then `options`, `steps` (steps of a track, and takings) and `actions`. `head` and
    `falls` are as those of a part.
    """

    strip: tuple[str, ...]
    trigger: str
    opening: tuple[str, ...]
    lines: tuple[str, ...]
    options: tuple[Part, ...]
    steps: tuple[Part, ...]
    actions: tuple[Part, ...]
    closing: tuple[str, ...]
    figures: tuple[Figure, ...]
    problems: tuple[Problem, ...]
    fields: tuple[tuple[str, str], ...] = ()
    head: str = ""
    falls: tuple[Fall, ...] = ()

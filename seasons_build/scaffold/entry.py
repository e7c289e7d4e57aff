"""A new entry of a kind (part of scaffold): what it must have filled in, what it may have described in comments.

In: a library, the pack that gets it, a kind and an id. Out: the texts of files that hold nothing else, the barest first.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Library
from seasons_build.core.kind import Field, Kind
from seasons_build.language.yaml_text import field, flow, scalar
from seasons_build.scaffold.values import Lacking, Samples

__all__ = ["Lacking", "drafts", "readable"]

WIDTH, SHORT = 100, 60
NAME = "name"
SMALL = ("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with")
NOT_TAKEN = frozenset((NAME, "notes", "provisional", "claims", "formerly", "waive", "like", "expects"))
"""What is said of one entry alone, and is no use to another."""

OFFERED = ("rules", "flavor", "art", "copies")
"""Words of the language that any entry may have; others are offered where an entry of the kind has them."""

OWN_WORDS = ("rules", "flavor", "art", "copies", "tags", "formerly")
"""What is not taken over from an entry that a new one begins as: it is that entry's own."""

FLAVOR, LINE = "flavor", "A line of your own, that no rule depends on."
LARGEST = 45
"""Values of an entry beyond which it is no help to begin as it is."""


def drafts(library: Library, pack: str, kind: Kind, identifier: str) -> Iterator[str]:
    """A file with an entry, in drafts: as an entry that has what most of the kind have, from the schema, then after entries that are there.
    Where the schema asks for more than a word or a number, the simplest entry of the kind lends it. Raises `Lacking` where a field must
    name something and nothing is there to name."""
    models = sorted(
        (e for e in library.of_kind(pack, kind.id) if not e.broken and "like" not in _typed(e)),
        key=lambda e: (_size(_typed(e)), e.key),
    )
    lacking: Lacking | None = None
    typical = _typical(kind, models)
    if typical is not None:
        model, lent = typical
        about = f"It begins with the values of {model}: make them yours."
        yield _file(kind, identifier, {**_named(kind, identifier), **lent}, models, about)
    try:
        yield _file(kind, identifier, _from_schema(library, pack, kind, identifier, models[0] if models else None), models)
    except Lacking as error:
        lacking = error
    for model in models[:3]:
        lent = {key: value for key, value in _typed(model).items() if key not in NOT_TAKEN}
        yield _file(kind, identifier, {**_named(kind, identifier), **lent}, models)
    if lacking is not None and not models:
        raise lacking


def readable(identifier: str) -> str:
    """An id as a name: `rust-and-rail` as `Rust and Rail`."""
    words = identifier.split("-")
    return " ".join(word if place and word in SMALL else word[:1].upper() + word[1:] for place, word in enumerate(words))


def _from_schema(library: Library, pack: str, kind: Kind, identifier: str, model: Entry | None) -> Mapping[str, Value]:
    samples = Samples(library, pack, kind.schema.get("$defs", {}))
    made: dict[str, Value] = dict(_named(kind, identifier))
    lent = _typed(model) if model else {}
    for name in kind.schema.get("required", ()):
        body = kind.schema["properties"][name]
        composed = "$ref" in body or body.get("type") in ("object", "array")
        if name != NAME:
            made[name] = lent[name] if composed and name in lent else samples.value(body)
    return made


def _typical(kind: Kind, models: Sequence[Entry]) -> tuple[Entry, Mapping[str, Value]] | None:
    """What a new entry begins as, and whose values these are: those of the simplest one that has all that most of its kind have, so that
    they fit together and there is something to print. None where that is nothing, or too much to begin with."""
    further = [f for f in kind.fields if f.id not in (*NOT_TAKEN, *OWN_WORDS)]
    often = [f.id for f in further if 2 * sum(f.id in _typed(m) for m in models) >= len(models)]
    deeds = [f.id for f in further if not f.own]
    doers = [m for m in models if any(name in _typed(m) for name in deeds)]
    model = next((m for m in doers or models if all(name in _typed(m) for name in often)), None)
    if model is None or not often:
        return None
    lent = {name: value for name, value in _typed(model).items() if name in {f.id for f in further}}
    said = {FLAVOR: LINE} if 2 * sum(FLAVOR in _typed(m) for m in models) >= len(models) else {}
    return (model, {**lent, **said}) if _size(lent) <= LARGEST else None


def _named(kind: Kind, identifier: str) -> Mapping[str, Value]:
    return {NAME: readable(identifier)} if NAME in kind.schema["properties"] else {}


def _typed(entry: Entry) -> Mapping[str, Value]:
    """An entry as its file has it, before anything was made of it."""
    found: Value = entry.document.data
    for step in entry.base:
        found = found[step]
    return found if isinstance(found, Mapping) else {}


def _size(value: Value) -> int:
    if isinstance(value, Mapping):
        return 1 + sum(map(_size, value.values()))
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1


def _file(kind: Kind, identifier: str, data: Mapping[str, Value], models: Sequence[Entry], about: str = "") -> str:
    lines = [*_wrapped(f"{kind.title}: {kind.description[:1].lower()}{kind.description[1:]}", 0)] if kind.description else []
    lines += _wrapped(about, 0) if about else []
    lines += [f"{kind.id}:", f"  {scalar(identifier)}:"]
    for name, value in data.items():
        described = kind.field(name)
        if described is not None and name != NAME:
            lines += _wrapped(_about(described), 4)
        lines += field(name, value, 4, 2)
    shown = {name: value for model in reversed(models) for name, value in _typed(model).items()}
    further = [f for f in kind.fields if f.id not in data and f.id not in NOT_TAKEN and (f.own or f.id in shown or f.id in OFFERED)]
    if further:
        lines += ["", *_wrapped("What it may have besides: delete the `# ` before a word to use it.", 4)]
        lines += [line for one in further for line in _offered(one, shown.get(one.id))]
    return "\n".join(lines) + "\n"


def _offered(one: Field, shown: Value) -> Iterator[str]:
    """A field that may be left out, with what another entry has there, where that is short."""
    example = flow(shown) if isinstance(shown, Mapping | list) else scalar(shown)
    line = f"    # {one.id}: {example if shown is not None and len(example) <= SHORT else _bare(one)}"
    about = _about(one)
    if len(line) + len(about) + 5 <= WIDTH:
        yield f"{line}   # {about}"
    else:
        yield line
        yield from _wrapped(about, 4, "#   # ")


def _bare(one: Field) -> str:
    """The emptiest thing that may stand in a field."""
    kind = one.schema.get("type")
    kinds = [kind] if isinstance(kind, str) else list(kind or ())
    if "enum" in one.schema:
        return str(one.schema["enum"][0])
    if "$ref" in one.schema or "object" in kinds:
        return "{}"
    if "array" in kinds:
        return "[]"
    if "integer" in kinds or "number" in kinds:
        return flow(max(one.schema.get("minimum", 1), 1))
    return "true" if "boolean" in kinds else '""'


def _about(one: Field) -> str:
    """What a field is for, and which values it takes."""
    least, most = one.schema.get("minimum"), one.schema.get("maximum")
    said = one.description or one.title
    if least is not None and most is not None:
        said += f" From {least} to {most}."
    elif "enum" in one.schema:
        said += f" One of: {', '.join(map(str, one.schema['enum']))}."
    return " ".join(said.split())


def _wrapped(text: str, indent: int, mark: str = "# ") -> list[str]:
    head = " " * indent + mark
    return textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=head, break_long_words=False)

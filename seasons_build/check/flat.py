"""Entries that stand further left than they should: fields without an id, or without a kind (part of check).

In: the words at one place of a file, and the kinds that could have been meant. Out: what is told once in place of a fault for each word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from seasons_build.core.document import Value
from seasons_build.core.kind import Kind
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import nearest, slug
from seasons_build.core.said import cut

TOLD_APART = ("kind", "id")
"""What other languages write in an entry; here both stand above it."""
ENOUGH = 2
"""So many fields of one kind are no chance."""
SHOWN = 3


class Flat(NamedTuple):
    """What is told of words that are fields: at the first of them, instead of each by itself."""

    words: tuple[str, ...]
    message: str
    hint: str


def without_kind(data: Mapping[str, Value], strange: Sequence[str], kinds: Sequence[Kind], above: Kind | None) -> Flat | None:
    """The words of a file, of which the `strange` ones are no kinds with entries, where these are fields of an entry. `above` is the kind
    that stands above the first of them with nothing below it."""
    fields = [word for word in strange if word not in TOLD_APART]
    said = [above] if above is not None else [kind for kind in kinds if kind.id == data.get("kind")]
    meant = said or _fitting(fields, kinds)
    known = {name for kind in meant for name in kind.schema["properties"]}
    words = [word for word in strange if word in TOLD_APART or word in known or nearest(word, known)]
    if not meant or sum(word in known for word in fields) < (1 if said else ENOUGH):
        return None
    message = f"{_listed(words)} are fields of {_either(meant, '', 'an entry')}, and stand where its kind should"
    if above is not None:
        return Flat((above.id, *words), message, f"write `  {_id(data)}:` below `{above.id}:`, and move these four blanks to the right")
    kind = f"`{meant[0].id}:`" if len(meant) == 1 else "its kind"
    return Flat(tuple(words), message, f"write {kind} and `  {_id(data)}:` above, and move these four blanks to the right")


def without_id(kind: Kind, body: Mapping[str, Value]) -> Flat | None:
    """The words below a kind, where some are fields of one entry of it."""
    known = kind.schema["properties"]
    if not any(word in known and not isinstance(value, dict) for word, value in body.items()):
        return None
    words = [word for word in body if word in known]
    above = list(body)[: list(body).index(words[0])]
    empty = above[-1] if above and body[above[-1]] is None else ""
    strange = f"{_listed(words)} {'are fields' if len(words) > 1 else 'is a field'} of `{kind.id}`, and "
    if empty:
        hint = f"what belongs to `{cut(empty)}` stands further right, as `    {words[0]}:`"
        return Flat((empty, *words), f"{strange}{'stand' if len(words) > 1 else 'stands'} beside its id", hint)
    hint = f"write an id above, as `  {_id(body)}:`, and move these two blanks to the right"
    return Flat(tuple(words), f"{strange}{'stand' if len(words) > 1 else 'stands'} where its id should", hint)


def above_it(body: Value, kinds: Sequence[Kind]) -> tuple[str, ...]:
    """The hint for a word that is no kind, where what stands below it is an entry."""
    meant = _fitting(list(body), kinds) if isinstance(body, dict) else []
    if not meant:
        return ()
    return (f"an entry stands below its kind: write {_either(meant, ':', 'that')} above, and move it two blanks to the right",)


def _fitting(fields: Collection[str], kinds: Iterable[Kind]) -> list[Kind]:
    """The kinds that have most of some fields, at least two."""
    having = [(sum(word in kind.schema["properties"] for word in fields), kind) for kind in kinds]
    most = max((count for count, _ in having), default=0)
    return [kind for count, kind in having if count == most >= ENOUGH]


def _id(data: Mapping[str, Value]) -> str:
    typed = next((data[word] for word in ("id", "name") if isinstance(data.get(word), str)), "")
    return slug(typed) or "its-id"


def _either(kinds: Sequence[Kind], after: str, else_: str) -> str:
    return " or ".join(f"`{kind.id}{after}`" for kind in kinds) if len(kinds) <= SHOWN else else_


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"`{cut(word)}`" for word in words[:SHOWN]) + (" ..." if len(words) > SHOWN else "")

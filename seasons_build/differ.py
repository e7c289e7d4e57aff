"""What a reader would notice: the entries that came, went, or say something else on print than they did.

In: the entries of two states of a pack, each as `show --format json` has it, with its kind and the ids that it had. Out: `Difference`, one
for each entry, in the order of kinds and ids. Notes, claims and whatever else is never printed makes no difference.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from seasons_build.core.entry import Key
from seasons_build.core.kind import Kind
from seasons_build.core.record import dataclass

What: TypeAlias = Literal["added", "gone", "changed"]

OF_ANY = ("name", "rules", "flavor")
"""Words of the language that are printed as they are; all others are said by the lines."""

CONTEXT = 30


@dataclass(frozen=True, slots=True)
class View:
    """An entry as a reader gets it."""

    kind: Kind
    data: Mapping[str, Any]
    former: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is printed otherwise: nothing before, or nothing after, where it was not there."""

    what: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of one entry. `key` is what it is called now, or was."""

    what: What
    key: Key
    name: str
    changes: tuple[Change, ...] = ()


def compare(before: Mapping[Key, View], after: Mapping[Key, View]) -> Iterator[Difference]:
    """All differences, by kind and id. An entry that has another id and says so is the one that it was."""
    was = {key: key for key in after if key in before}
    for key, view in after.items():
        for old in view.former:
            if key not in was and (key[0], key[1], old) in before and (key[0], key[1], old) not in after:
                was[key] = (key[0], key[1], old)
    gone = [key for key in before if key not in was.values()]
    for key in sorted([*after, *gone], key=lambda key: (key[0], key[1], key[2])):
        if key not in after:
            yield Difference("gone", key, str(before[key].data["name"]))
        elif key not in was:
            yield Difference("added", key, str(after[key].data["name"]))
        else:
            changes = tuple(_changes(before[was[key]], after[key]))
            if changes:
                yield Difference("changed", key, str(after[key].data["name"]), changes)


def _changes(before: View, after: View) -> Iterator[Change]:
    old, new = dict(_printed(before)), dict(_printed(after))
    for what in dict.fromkeys((*old, *new)):
        if old.get(what) != new.get(what):
            yield Change(what, old.get(what), new.get(what))
    lines = difflib.SequenceMatcher(None, before.data["lines"], after.data["lines"], autojunk=False)
    for move, i, j, k, m in lines.get_opcodes():
        if move == "equal":
            continue
        removed, added = before.data["lines"][i:j], after.data["lines"][k:m]
        for at in range(max(len(removed), len(added))):
            yield Change("Rules", removed[at] if at < len(removed) else None, added[at] if at < len(added) else None)


def _printed(view: View) -> Iterator[tuple[str, str]]:
    """What is printed of an entry beside its lines, by what it is called."""
    for field in view.kind.fields:
        if (field.own or field.id in OF_ANY) and field.id in view.data["data"]:
            yield from _leaves(field.title, view.data["data"][field.id])
    for name, value in view.data["stats"].items():
        yield name, _text(value)
    yield from _leaves("", view.data["rows"])


def _leaves(what: str, value: Any) -> Iterator[tuple[str, str]]:
    inner = value.items() if isinstance(value, Mapping) else enumerate(value, 1) if isinstance(value, list) else None
    if inner is None:
        yield what, _text(value)
    elif isinstance(value, list) and all(not isinstance(item, Mapping | list) for item in value):
        yield what, ", ".join(map(_text, value))
    else:
        for key, further in inner:
            yield from _leaves(f"{what} {key}".strip(), further)


def _text(value: Any) -> str:
    return {True: "yes", False: "no", None: ""}[value] if isinstance(value, bool | None) else str(value)


def told(difference: Difference) -> Iterator[str]:
    """A difference in lines for people; of long texts, what is around the change."""
    _, kind, identifier = difference.key
    yield f"{difference.what:8} {kind}/{identifier}  {difference.name}"
    for change in difference.changes:
        if change.before is None or change.after is None:
            yield f"    {change.what}: {'now' if change.before is None else 'no longer'} {change.after or change.before}"
        else:
            before, after = _around(change.before, change.after)
            yield f"    {change.what}: {before} -> {after}"


def _around(before: str, after: str) -> tuple[str, str]:
    """Two long texts, cut to what is different in them and a few words around it."""
    if max(len(before), len(after)) <= 2 * CONTEXT:
        return before, after
    most = min(len(before), len(after))
    same = next((n for n in range(most) if before[n] != after[n]), most)
    end = next((n for n in range(most - same) if before[-1 - n] != after[-1 - n]), most - same)
    first = before.rfind(" ", 0, max(0, same - CONTEXT)) + 1

    def cut(text: str) -> str:
        last = len(text) - end + CONTEXT
        stop = text.find(" ", last) if last < len(text) else -1
        return ("… " if first else "") + (text[first:] if stop < 0 else text[first:stop] + " …")

    return cut(before), cut(after)


def as_data(difference: Difference) -> dict[str, Any]:
    """A difference as `diff --format json` has it."""
    pack, kind, identifier = difference.key
    changes = [{"what": c.what, "before": c.before, "after": c.after} for c in difference.changes]
    return {"change": difference.what, "id": identifier, "kind": kind, "pack": pack, "name": difference.name, "changes": changes}

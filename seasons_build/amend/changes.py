"""A draft of an entry, and what changes do to it (part of amend).

In: the data of an entry and where it was typed; then one change after the other, a word and a path each. Out: the data as it then is, and
for each value that was typed elsewhere, where.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seasons_build.core.document import Value
from seasons_build.core.entry import Change, Site
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path
from seasons_build.language.paths import combined, copied, step_of, steps_from, value_at
from seasons_build.language.variants import AS, expand, has_variants

ACTIONS = "actions"

class Refusal(NamedTuple):
    """Why a change cannot be made: a code, a message and hints."""

    code: str
    message: str
    hints: tuple[str, ...] = ()


@dataclass(slots=True)
class Draft:
    """An entry while it is changed. `own` is where it stands; `sites` says where values were typed that do not stand there; the longest
    match holds."""

    own: Site
    data: dict[str, Any]
    sites: dict[Path, Site] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    def replace(self, name: str, value: Value) -> None:
        """Puts a field that the entry itself types in place of one that it would else have."""
        self._forget((name,))
        self.data[name] = value

    def put(self, way: Path, value: Value, site: Site) -> None:
        """Puts a value in place of the one at a path, without a word about it."""
        value_at(self.data, way[:-1])[way[-1]] = value
        self._forget(way)
        self.sites[way] = site

    def change(self, pack: str, word: str, written: str, value: Value, site: Site) -> Refusal | None:
        """Does one change: `written` is its path, `value` what stands there (nothing for `remove`), `site` where it stands."""
        steps = written.split(".")
        variant = _variant(self.data, steps)
        if variant is not None:
            before = read(self.data, written)
            refusal = self._vary(variant, word, ".".join(steps[2:]), value, site, steps[1])
            if refusal is not None:
                return refusal
            after = read(self.data, written)
        else:
            way = find(self.data, steps, new=word in ("set", "extend"))
            if isinstance(way, Refusal):
                return way
            before = copied(value_at(self.data, way))
            refusal = self._do(way, word, written, value, site)
            if refusal is not None:
                return refusal
            after = None if word == "remove" else copied(value_at(self.data, way))
        self.changes.append(Change(pack, word, written, before, after, site))
        return None

    def _do(self, way: Path, word: str, written: str, value: Value, site: Site) -> Refusal | None:
        inside: Any = value_at(self.data, way[:-1])
        last = way[-1]
        old = value_at(self.data, way)
        if word == "remove":
            self._cut(way, inside, site)
        elif word == "set":
            self._forget(way)
            inside[last] = copied(value)
            self.sites[way] = site
        elif word == "extend" or (word == "add" and isinstance(old, list)):
            if not (old is None or isinstance(old, list | Mapping)):
                return Refusal("E263", f"`{written}` is no list, so nothing can stand at its end")
            self._extend(way, inside, value if isinstance(value, list) else [value], site, listed=isinstance(value, list))
        else:
            new = combined(old, value, word)
            if new is None:
                return Refusal("E263", f"`{word}` can do nothing here: `{written}` and what is given must be numbers, dice or lists")
            inside[last] = new
            self._forget(way)
            self.sites[way] = site
        return None

    def _extend(self, way: Path, inside: Any, more: list[Any], site: Site, *, listed: bool) -> None:
        old = value_at(inside, way[-1:])
        if isinstance(old, Mapping):
            # One map where a list of maps may stand is the first of the list.
            for path in [p for p in self.sites if p[: len(way)] == way and len(p) > len(way)]:
                self.sites[(*way, 0, *path[len(way) :])] = self.sites.pop(path)
            self.sites.setdefault((*way, 0), self.site(way))
            old = [old]
        old = old or []
        inside[way[-1]] = [*old, *copied(more)]
        if not old:
            self.sites[way] = site
        for place in range(len(more)):
            self.sites[(*way, len(old) + place)] = (site[0], (*site[1], place)) if listed else site

    def _cut(self, way: Path, inside: Any, site: Site) -> None:
        last = way[-1]
        if isinstance(last, int):
            around = way[:-1]
            kept = {(*around, n - (n > last)): self.site((*around, n)) for n in range(len(inside)) if n != last}
            for path in [p for p in self.sites if p[: len(around)] == around and len(p) > len(around)]:
                found = self.sites.pop(path)
                place = path[len(around)]
                if place != last and isinstance(place, int):
                    kept[(*around, place - (place > last), *path[len(around) + 1 :])] = found
            self.sites |= kept
        else:
            self._forget(way)
            self.sites[way] = site
        del inside[last]

    def _vary(self, variant: dict[str, Any], word: str, rest: str, value: Value, site: Site, name: str) -> Refusal | None:
        """Changes a variant, which holds no values of its own but changes of the action that it is like."""
        if word in ("set", "remove"):
            for other in ("set", "add", "times"):
                if isinstance(variant.get(other), dict):
                    variant[other].pop(rest, None)
        if word == "remove":
            removed = variant.get(word)
            variant[word] = [*(removed if isinstance(removed, list) else ()), rest]
            self.sites[ACTIONS, name, word, len(variant[word]) - 1] = site
            return None
        own = "add" if word == "extend" else word
        held = variant.setdefault(own, {})
        if not isinstance(held, dict):
            return Refusal("E263", f"`{own}` of the action `{name}` is no map of paths")
        new = combined(held[rest], value, own) if rest in held else copied(value)
        if new is None:
            return Refusal("E263", f"`{word}` can do nothing here: `{rest}` and what is given must be numbers, dice or lists")
        held[rest] = new
        self.sites[ACTIONS, name, own, rest] = site
        return None

    def site(self, path: Path) -> Site:
        """Where the value at a path was typed."""
        known = next((n for n in range(len(path), 0, -1) if path[:n] in self.sites), 0)
        document, typed = self.sites[path[:known]] if known else self.own
        return document, (*typed, *path[known:])

    def _forget(self, way: Path) -> None:
        for path in [p for p in self.sites if p[: len(way)] == way]:
            del self.sites[path]


def read(data: Mapping[str, Value], written: str) -> Value:
    """The value that a path leads to, in actions that are variants too; None where there is none."""
    actions = data.get(ACTIONS)
    if written.startswith(f"{ACTIONS}.") and isinstance(actions, Mapping) and has_variants(actions):
        data = {**data, ACTIONS: expand(actions).actions}
    way = find(data, written.split("."), new=False)
    return None if isinstance(way, Refusal) else copied(value_at(data, way))


def find(data: Mapping[str, Value], steps: list[str], *, new: bool) -> Path | Refusal:
    """The keys and places that the steps of a path lead over; with `new`, the last one need not be there yet."""
    way: list[str | int] = []
    here: Value = data
    for number, step in enumerate(steps):
        place = step_of(here, step)
        if place is None:
            if new and number == len(steps) - 1 and isinstance(here, Mapping):
                return (*way, step)
            so_far = ".".join(steps[:number])
            inside = f"in `{so_far}`" if so_far else "in the entry"
            return Refusal("E262", f"there is no `{step}` {inside}", did_you_mean(step, steps_from(here)))
        way.append(place)
        here = value_at(here, (place,))
    return tuple(way)


def _variant(data: Mapping[str, Value], steps: list[str]) -> dict[str, Any] | None:
    """The variant into which a path leads, where the path goes on to what the variant does not hold itself."""
    actions = data.get(ACTIONS)
    if steps[0] != ACTIONS or len(steps) < 3 or not isinstance(actions, Mapping):
        return None
    action = actions.get(steps[1])
    if not isinstance(action, dict) or AS not in action or steps[2] in action:
        return None
    return action

"""What an advance may pick, and what its formulas may name of it (part of evaluate).

In: the scope of a character's sheet, and what kinds of thing the advance picks from. Out: that scope with `pick` in sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from seasons_build.core.dice_amount import figure
from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Key
from seasons_build.core.record import dataclass, field
from seasons_build.evaluate.game import Game, members
from seasons_build.language.expression import NUMBER, Scope, TableType, Type

PICK = "pick"


@dataclass(frozen=True, slots=True)
class Thing:
    """What was picked: an entry, a stat or a number."""

    key: Key | None = None
    stat: str | None = None
    amount: Number | None = None
    chosen: Mapping[str, Value] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.key is not None or self.stat is not None or self.amount is not None

    def __str__(self) -> str:
        if self.key is not None:
            return self.key[2]
        return self.stat or (figure(self.amount) if self.amount is not None else "")


def stats_offered(game: Game, of: Iterable[str]) -> list[str]:
    """The stats and tracks among what may be picked."""
    named = {**game.rules.get("tracks", {}), **game.rules.get("stats", {})}
    return [name for word in of if word in named for name in members(game, named[word])]


def entries_offered(game: Game, of: Iterable[str]) -> list[Key]:
    """The entries among what may be picked."""
    return [key for word in of for kind in game.meant(word) for key in game.library.keys_of_kind(game.pack, kind)]


def entries_called(game: Game, of: Iterable[str], word: str) -> list[Key]:
    """The entries among what may be picked that a word means: an id, or with its kind, or its pack too."""
    library, id = game.library, word.rpartition("/")[2]
    there = [(owner, kind, id) for each in of for kind in game.meant(each) for owner in library.packs[game.pack].scope]
    return [key for key in there if key in library.entries and word in (id, f"{key[1]}/{id}", f"{key[0]}:{key[1]}/{id}")]


class PickScope:
    """What an advance may name: the numbers of the sheet, and the thing picked."""

    def __init__(self, base: Scope, game: Game, of: tuple[str, ...]) -> None:
        self._base = base
        self._kinds = [scope for word in of if (scope := game.inside(word)) is not None]
        self._numbers = len(self._kinds) < len(of)
        stats = game.rules.get("stats", {})
        families = [stats[word].data for word in of if word in stats]
        self._derived = {name for data in families if isinstance(data, dict) for name in data.get("derive", ())}

    def type_of(self, name: str) -> Type | None:
        if name == PICK:
            return NUMBER if self._numbers else None
        if name.startswith(f"{PICK}."):
            rest = name.partition(".")[2]
            found = [scope.type_of(rest) for scope in self._kinds]
            return next((of for of in found if of is not None), NUMBER if rest in self._derived else None)
        return self._base.type_of(name)

    def names(self) -> Iterable[str]:
        yield PICK
        yield from self._base.names()

    def table(self, name: str) -> TableType | None:
        return self._base.table(name)

    def tables(self) -> Iterable[str]:
        return self._base.tables()

    def kinds(self) -> Iterable[str]:
        return self._base.kinds()

    def inside(self, kind: str) -> Scope | None:
        return self._base.inside(kind)

"""The states that a file gives to the things of a character (part of evaluate).

In: a character at the end of its record. Out: a fault for each state that is said of a thing which it does not have.
"""

from __future__ import annotations

from collections.abc import Iterator

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry
from seasons_build.core.names import did_you_mean
from seasons_build.evaluate.effects import grants
from seasons_build.evaluate.game import Game
from seasons_build.evaluate.state import State

STATES = "states"


def state_faults(game: Game, entry: Entry, state: State) -> Iterator[Diagnostic]:
    """The states of things that a character does not have, each with how it would be had (E529)."""
    has = {key[2] for key in (*state.taken, *state.granted)}
    for name, said in state.states.items():
        if name not in has:
            hints = tuple(_ways(game, name)) or did_you_mean(name, has)
            yield Diagnostic("E529", f"`{name}` cannot be {said}: `{entry.id}` does not have it", entry.key_span((STATES, name)), hints)


def _ways(game: Game, name: str) -> Iterator[str]:
    """Of the entries that grant a thing, how often each must be taken for it."""
    library = game.library
    for kind in game.rules.get("kinds", {}):
        most = game.kind_rules(kind).get("most", 1)
        for entry in library.of_kind(game.pack, kind):
            for times in range(1, most + 1) if isinstance(most, int) and not entry.broken else ():
                targets = (library.targets[entry.key].get(grant.path) for grant in grants(entry, times))
                if any(key is not None and key[2] == name for key in targets):
                    yield f"`{entry.id}` grants it when it is taken {'once' if times == 1 else f'{times} times'}"
                    break

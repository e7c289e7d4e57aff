"""Rolls that are like another one, written out (language library: dice).

In: the map of rolls as loaded. Out: each roll as one map with all that it takes over: maps merge by key, lists and single values replace.
Of every part it is known in which roll it was typed, so that a fault in it is shown there, and once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.span import Path
from seasons_build.language.dice.problem import RollProblem

_PARTS: Final = 20_000
"""The rolls of a game, all written out, have no more single values and lists than this."""


class Merged(NamedTuple):
    """A roll written out. `origins` maps the path of each single value and list in it to where that was typed."""

    id: str
    data: Mapping[str, Any]
    origins: Mapping[Path, Path]

    def place(self, *path: str | int) -> Path:
        """Where the part at `path` was typed, below `rolls:`."""
        for length in range(len(path), 0, -1):
            found = self.origins.get(path[:length])
            if found is not None:
                return (*found, *path[length:])
        return (self.id, *path)


def merge(rolls: Mapping[str, Any], problems: list[RollProblem]) -> dict[str, Merged]:
    """All rolls that could be written out, in the order typed; what is wrong is added to `problems`."""
    done: dict[str, Merged | None] = {}
    parts = 0
    for roll in rolls:
        _write_out(roll, rolls, done, problems)
        written = done[roll]
        parts += 1 if written is None else len(written.origins)
        if parts > _PARTS:
            message = f"all rolls together, with what they are like, have more than {_PARTS:,} parts"
            problems.append(RollProblem("E458", message, (roll,), hints=("let fewer rolls be like a large one",), key=True))
            done[roll] = None
            break
    return {roll: merged for roll in rolls if (merged := done.get(roll)) is not None}


def _write_out(start: str, rolls: Mapping[str, Any], done: dict[str, Merged | None], problems: list[RollProblem]) -> None:
    """Follows `like` from one roll up to one that is done or has none, then merges back down."""
    chain: list[str] = []
    roll = start
    while roll not in done:
        if roll in chain:
            circle = [*chain[chain.index(roll) :], roll]
            path = " is like ".join(f"`{name}`" for name in circle)
            problems.append(RollProblem("E453", f"rolls that are like each other never end: {path}", (chain[-1], "like")))
            done.update(dict.fromkeys(chain))
            return
        data = rolls[roll]
        if not isinstance(data, dict):
            problems.append(RollProblem("E450", f"expected a map (name: value lines) for the roll `{roll}`", (roll,)))
            done[roll] = None
            break
        chain.append(roll)
        above = data.get("like")
        if above is None:
            break
        if not isinstance(above, str) or above not in rolls:
            problems.append(RollProblem("E451", f"unknown roll `{above}`", (roll, "like"), hints=did_you_mean(str(above), rolls)))
            done.update(dict.fromkeys(chain))
            return
        roll = above
    for roll in reversed(chain):
        if roll not in done:
            done[roll] = _merged(roll, rolls[roll], done.get(rolls[roll].get("like")))
            if "like" in rolls[roll] and done[rolls[roll]["like"]] is None:
                done[roll] = None


def _merged(roll: str, own: dict[str, Any], above: Merged | None) -> Merged:
    data = {key: value for key, value in own.items() if key != "like"}
    origins: dict[Path, Path] = {}
    if above is None:
        _locate(data, (), roll, origins)
        return Merged(roll, data, origins)
    origins.update(above.origins)
    return Merged(roll, _laid_over(above.data, data, (), roll, origins), origins)


def _laid_over(above: Any, own: Any, path: Path, roll: str, origins: dict[Path, Path]) -> Any:
    if not isinstance(above, dict) or not isinstance(own, dict):
        _forget(above, path, origins)
        _locate(own, path, roll, origins)
        return own
    result = dict(above)
    for key, value in own.items():
        if key in above:
            result[key] = _laid_over(above[key], value, (*path, key), roll, origins)
        else:
            result[key] = value
            _locate(value, (*path, key), roll, origins)
    return result


def _forget(value: Any, path: Path, origins: dict[Path, Path]) -> None:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            _forget(inner, (*path, key), origins)
    else:
        del origins[path]


def _locate(value: Any, path: Path, roll: str, origins: dict[Path, Path]) -> None:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            _locate(inner, (*path, key), roll, origins)
    else:
        origins[path] = (roll, *path)

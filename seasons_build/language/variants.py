"""Actions that are variants of earlier ones: `as: fire` with `set`, `add`, `times`, `remove` on paths.

In: the `actions` of an entry as typed. Out: the same map with every variant written out, and for each value where it was typed. Nothing
that was typed is changed; a path steps into maps by key and into lists by the `label` of an item.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seasons_build.core.document import Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path
from seasons_build.language.paths import combined, copied

AS = "as"
PATCHES = ("set", "add", "times", "remove")


class VariantFault(NamedTuple):
    """What is wrong with a variant: the path of the value at fault below `actions`, and the words of it."""

    path: Path
    message: str
    candidates: tuple[str, ...] = ()
    word: str = ""


@dataclass(frozen=True, slots=True)
class Variants:
    """Actions written out. `origins` leads from a path below `actions` to the path where its value was typed; the longest match holds."""

    actions: Mapping[str, Value]
    origins: Mapping[Path, Path] = field(default_factory=dict)
    faults: tuple[VariantFault, ...] = ()


def has_variants(actions: Value) -> bool:
    """Whether any of the actions is a variant."""
    return isinstance(actions, dict) and any(isinstance(a, dict) and AS in a for a in actions.values())


def expand(actions: Mapping[str, Value]) -> Variants:
    """The actions with every variant written out, in the order typed."""
    made: dict[str, Value] = {}
    origins: dict[Path, Path] = {}
    faults: list[VariantFault] = []
    for name, action in actions.items():
        if not (isinstance(action, dict) and AS in action):
            made[name] = action
            continue
        model = action[AS]
        if not isinstance(model, str) or not isinstance(made.get(model), dict):
            message = f"`{name}` is a variant of `{model}`, which is no action before it"
            faults.append(VariantFault((name, AS), message, tuple(made), str(model)))
            made[name] = {key: value for key, value in action.items() if key not in (AS, *PATCHES)}
            continue
        origins[name,] = (model,)
        made[name] = _variant(name, action, made[model], origins, faults)
    return Variants(made, origins, tuple(faults))


def _variant(
    name: str, action: Mapping[str, Value], model: Mapping[str, Value], origins: dict[Path, Path], faults: list[VariantFault]
) -> dict[str, Value]:
    draft: dict[str, Value] = copied(model)
    draft.pop("rules", None)
    for key, value in action.items():
        if key not in (AS, *PATCHES):
            draft[key] = value
            origins[name, key] = (name, key)
    for word in PATCHES:
        # What the variant itself says stands where it is typed, and not in the action that it is like.
        origins[name, word] = (name, word)
        patch = action.get(word, {})
        for written in patch if isinstance(patch, list if word == "remove" else Mapping) else ():
            steps = tuple(str(written).split("."))
            there = next((n for n in range(len(steps) - 1, 0, -1) if _way(draft, list(steps[:n]), make=False) is not None), 0)
            fault = _apply(draft, str(written), word, patch)
            if fault is None:
                # A map that is made on the way was typed here, too.
                origins |= {(name, *steps[:n]): (name, word, str(written)) for n in range(there + 1, len(steps) + 1)}
            else:
                at: Path = (name, word, patch.index(written)) if isinstance(patch, list) else (name, word, written)
                faults.append(VariantFault(at, fault))
    return draft


def _apply(draft: dict[str, Value], written: str, word: str, patch: Any) -> str | None:
    steps = written.split(".")
    inside = _way(draft, steps[:-1], make=word != "remove")
    if inside is None:
        return f"the path `{written}` leads nowhere"
    last = steps[-1]
    if word == "remove":
        if last not in inside:
            return f"there is no `{written}` to remove"
        del inside[last]
    elif word == "set":
        inside[last] = patch[written]
    else:
        old = inside.get(last, 0 if word == "add" else 1)
        new = combined(old, patch[written], word)
        if new is None:
            return f"`{written}` cannot be changed by `{word}`: both must be numbers, dice or lists"
        inside[last] = new
    return None


def _way(draft: dict[str, Value], steps: list[str], *, make: bool) -> dict[str, Value] | None:
    here: Any = draft
    for step in steps:
        if isinstance(here, dict):
            if step not in here and make:
                here[step] = {}
            here = here.get(step)
        elif isinstance(here, list):
            here = next((item for item in here if isinstance(item, dict) and item.get("label") == step), None)
        else:
            return None
    return here if isinstance(here, dict) else None

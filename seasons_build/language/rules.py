"""What a game declares, read the same way by every stage: groups of kinds, and the words that stand where a schema asks for a noun.

In: the rules of a pack, as linked. Out: ids and words. The nouns themselves are a list of the language; what is in them is the game's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from seasons_build.core.dice_amount import decimals
from seasons_build.core.document import Value
from seasons_build.core.entry import Library, Noun, Rules
from seasons_build.core.names import in_expressions
from seasons_build.core.regex import regex

WIDER: Mapping[str, tuple[str, ...]] = {"stats": ("stats", "tracks"), "tracks": ("tracks", "stats")}
"""Where one noun is asked for, others that are numbers of a sheet too will do."""


PARAMETERS = "parameters"
"""What `x-keys` calls figures that stand beside verbs and riders: they are declared nowhere, and known by being spoken of."""
_SPOKEN = regex(r"\{[~?]?([a-z][a-z0-9_|-]*)")


def groups(rules: Rules) -> Mapping[str, tuple[str, ...]]:
    """The groups of kinds that a game declares, each with its kinds."""
    found: dict[str, list[str]] = {}
    for kind, noun in rules.get("kinds", {}).items():
        listed = noun.data.get("groups", ()) if isinstance(noun.data, dict) else ()
        for group in listed if isinstance(listed, list) else ():
            found.setdefault(str(group), []).append(kind)
    return {group: tuple(kinds) for group, kinds in found.items()}


def kinds_meant(library: Library, pack: str, word: str) -> tuple[str, ...]:
    """The kinds that a word of a schema or a formula means: a kind, a group of kinds, several with `|`, or all with `*`."""
    kinds: list[str] = []
    for one in word.split("|"):
        if one == "*":
            scope = (*library.packs[pack].scope, "core")
            kinds += sorted(kind for owner, kind in library.kinds if owner in scope)
        elif library.find_kind(pack, one):
            kinds.append(one)
        else:
            kinds += groups(library.rules[pack]).get(one, ())
    return tuple(dict.fromkeys(kinds))


def words_of(library: Library, pack: str, noun: str) -> Iterator[str]:
    """The words that a pack may use where a schema asks for a noun."""
    rules = library.rules[pack]
    for name in WIDER.get(noun, (noun,)):
        for key, declared in rules.get(name, {}).items():
            members = [key]
            each, derived = (declared.data.get("each"), declared.data.get("derive")) if isinstance(declared.data, dict) else (None, None)
            if name == "stats" and isinstance(each, list):
                members += [member for member in each if isinstance(member, str)]
            elif name == "stats" and isinstance(each, dict) and isinstance(each.get("kind"), str):
                members += [in_expressions(name) for _, _, name in library.keys_of_kind(pack, each["kind"])]
            yield from members
            if name == "stats" and isinstance(derived, dict):
                yield from (f"{member}.{further}" for member in members for further in derived)
    if noun == "outcomes":
        yield from outcomes(rules)
    if noun == PARAMETERS:
        yield from outcomes(rules)
        yield from spoken([declared.data for ids in rules.values() for declared in ids.values()])


def spoken(value: Value) -> Iterator[str]:
    """The names of the slots in all texts of some data, and of what rolls take."""
    if isinstance(value, str):
        for found in _SPOKEN.findall(value):
            yield from found.split("|")
    elif isinstance(value, list):
        for item in value:
            yield from spoken(item)
    elif isinstance(value, dict):
        takes = value.get("takes")
        yield from map(str, takes) if isinstance(takes, dict | list) else ()
        for item in value.values():
            yield from spoken(item)


def outcomes(rules: Rules) -> Iterator[str]:
    """The outcomes that the game's rolls can have, and those that its phrases have words for."""
    for roll in rules.get("rolls", {}).values():
        ladder = roll.data.get("outcomes") if isinstance(roll.data, dict) else None
        for rung in ladder if isinstance(ladder, list) else ():
            yield from rung if isinstance(rung, dict) else ()
    phrases = rules.get("phrases", {}).get("outcomes")
    if phrases is not None and isinstance(phrases.data, dict):
        yield from phrases.data


def takes_of(rules: Rules, roll: str) -> frozenset[str]:
    """The names of what one roll takes, with those of the rolls that it is like."""
    found: set[str] = set()
    seen: list[str] = []
    while roll in rules.get("rolls", {}) and roll not in seen:
        seen.append(roll)
        data = rules["rolls"][roll].data
        takes, like = (data.get("takes"), data.get("like")) if isinstance(data, dict) else (None, None)
        found |= set(takes) if isinstance(takes, dict) else set()
        roll = str(like)
    return frozenset(found)


def parameters(rules: Rules) -> Iterator[str]:
    """The names of what the game's rolls take."""
    for roll in rules.get("rolls", {}).values():
        takes = roll.data.get("takes") if isinstance(roll.data, dict) else None
        yield from takes if isinstance(takes, dict) else ()


def chance_in(rows: Noun | None, name: str, value: Value) -> str | None:
    """How a value that the rows read out of a roll's odds is printed: a chance in per cent, a mean to one place; None where it is none."""
    chances = rows.data.get("chances") if rows is not None and isinstance(rows.data, dict) else None
    if not isinstance(chances, dict) or name not in chances:
        return None
    per_cent = isinstance(chances[name], dict) and "of" in chances[name]
    return decimals(Fraction(value) * 100, 0) if per_cent else decimals(Fraction(value), 1)

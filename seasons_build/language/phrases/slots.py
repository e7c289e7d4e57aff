"""Library of the language: finds what a slot stands for.

A slot is looked for among the slots made for the sentence, then in the data, nearest first: the verb's own map, the effect, the roll's
parameters, the use, and what it inherits. The key says what kind of word the value is: `until` is a span, `area` a shape, `to` a person.
What is none of the language's keys is said by what it holds: a figure, a word of the game, the name of an entry, or a text as typed.
"""

from __future__ import annotations

from fractions import Fraction

from seasons_build.core.dice_amount import Dice, Worked
from seasons_build.core.document import Value
from seasons_build.core.regex import regex
from seasons_build.core.span import Path
from seasons_build.language.phrases.amounts import Amount, number_of
from seasons_build.language.phrases.filling import Filled, Listed, NounSaid
from seasons_build.language.phrases.page import GIVEN, Page, Said, Scope, Words
from seasons_build.language.phrases.persons import person

_ID = regex(r"[a-z0-9]+(?:[-_][a-z0-9]+)*\Z")
_REF = regex(r"(?:[a-z0-9-]+:)?[a-z0-9-]+(?:/[a-z0-9-]+)+\Z")
_AMOUNT = regex(r"-?(?:\d+d\d+|\d+(?:/\d+)?)(?:\s*[+-]\s*[\w.]+)*\Z")

NOUN_KEYS = {
    "use": "uses",
    "way": "ways",
    "die": "dice",
    "keep": "dice",
    "state": "states",
    "needs": "situations",
    "acts": "doings",
    "what": "doings",
}
"""Keys whose value is a noun, or a noun in place."""

COUNTED_KEYS = {"until": ("spans", "or"), "limit": ("periods", "and"), "time": ("times", "and"), "area": ("areas", "and")}
"""Keys whose value is a noun, a noun with its figure `{ID: n}`, or a list of such; and how the list is joined."""

PERSON_KEYS = frozenset({"to", "with", "from", "against", "by", "target", "consume"})
WORD_GROUPS = ("stats", "families", "tracks", "conditions", "tags", "words")
"""Where a word that has no key of its own is looked for, in this order."""


def find(page: Page, scope: Scope, name: str) -> Said | None:
    """What a slot stands for, or None where it is empty. Raises `Unsaid` for an id that the game does not say."""
    if name in scope.slots:
        return scope.slots[name]
    for layer in scope.layers:
        if not layer.path:
            page.asked.add(name)
        if name in layer.data and name not in layer.hidden:
            return typed(page, scope, name, layer.data[name], (*layer.path, name))
    if name in page.values:
        return by_value(page, scope, page.values[name], ())
    if name == "target":
        return person(page, scope, name, ())
    return None


def typed(page: Page, scope: Scope, key: str, value: Value, path: Path) -> Said | None:
    """What the value of a key says."""
    if value is None or value is False or value == [] or value == {}:
        return None
    if value is True:
        page.spent.append(path)
        return GIVEN
    if key in PERSON_KEYS:
        return person(page, scope, value, path)
    if key in COUNTED_KEYS:
        group, joint = COUNTED_KEYS[key]
        return counted(page, group, value, path, joint)
    if key in NOUN_KEYS:
        return noun(page, NOUN_KEYS[key], value, path)
    if key in ("range", "far"):
        return distance(page, value, path)
    if key == "ignore":
        return ignored(page, value, path)
    return by_value(page, scope, value, path)


def noun(page: Page, group: str, value: Value, path: Path) -> Said:
    """A noun by its id, or in place."""
    if isinstance(value, dict):
        return NounSaid(value, path)
    return NounSaid(page.required(group, str(value), path), path)


def counted(page: Page, group: str, value: Value, path: Path, joint: str) -> Said:
    """A noun with its figure, or several."""
    if isinstance(value, list):
        return Listed(tuple(counted(page, group, item, (*path, at), joint) for at, item in enumerate(value)), joint)
    if isinstance(value, dict) and "say" not in value:
        return Listed(tuple(_with_figure(page, group, id, n, path) for id, n in value.items()), joint)
    return noun(page, group, value, path)


def _with_figure(page: Page, group: str, id: str, figure: Value, path: Path) -> Said:
    forms = page.required(group, str(id), path)
    return NounSaid(forms, path, (("n", Amount(figure, (*path, str(id)))),))


def distance(page: Page, value: Value, path: Path) -> Said:
    """How far: a figure in the words of `figures.distance`, or an amount that has words of its own."""
    amount = Amount(value, path)
    known = page.settled.get(path, value)
    if number_of(known) is None and not (isinstance(known, str) and _AMOUNT.match(known)):
        return amount
    return Filled(page.book.phrase("figures", "distance"), (("n", amount),))


def ignored(page: Page, value: Value, path: Path) -> Said:
    """What is ignored: causes, put together by what they bring, or so much of a stat."""
    if isinstance(value, dict):
        return Listed(tuple(stat_item(page, ("ignore", "amount"), id, n, (*path, id)) for id, n in value.items()))
    if not isinstance(value, list):
        raise page.unsaid("E560", path, "expected a list of causes, or a map of stats and amounts")
    by_what: dict[str, list[Said]] = {}
    for at, id in enumerate(value):
        forms = page.required("causes", str(id), (*path, at))
        by_what.setdefault(str(forms.get("of", "")), []).append(NounSaid(forms, path))
    items: list[Said] = []
    for brought, causes in by_what.items():
        if not brought:
            items.extend(causes)
            continue
        slots = (("of", stat_words(page, brought, path)), ("causes", Listed(tuple(causes))))
        items.append(Filled(page.book.phrase("cause"), slots))
    return Listed(tuple(items))


def stat_words(page: Page, id: str, path: Path) -> Said:
    """A stat's name. A dotted one (`strength.max`) is said by the name before the dot."""
    forms = page.stat(id, path)
    page.name_of(forms, f"the stat `{id}`", path)
    return NounSaid(forms, path)


def stat_item(page: Page, wanted: tuple[str, ...], id: str, value: Value, path: Path) -> Said:
    """So much of a stat, by the first of the wanted forms that the stat or the game's `item` has. `x.max` asks for `more.max`."""
    _, _, tail = id.partition(".")
    forms = page.stat(id, path)
    amount = Amount(value, path)
    named = page.book.noun("stats", id) is not None
    for form in wanted:
        name = form if named or not tail else f"{form}.{tail}"
        template = forms.get(name, page.book.phrase_value("item", name))
        if template is not None:
            figure = number_of(page.settled.get(path, value))
            _told(page, template, figure, path)
            return Filled(page.book.templates(template, figure), (("n", amount), ("stat", NounSaid(forms, path))))
    hint = f"give it `{wanted[0]}`, or the game's `phrases.item` one for all stats"
    raise page.unsaid("E560", path, f"the stat `{id}` has no words for this", hint)


def _told(page: Page, template: Value, figure: Value, path: Path) -> None:
    if isinstance(template, dict) and str(figure) in template:
        page.told.append(path)


def by_value(page: Page, scope: Scope, value: Value, path: Path) -> Said | None:
    """What a value says that has no key of the language."""
    if isinstance(value, Dice | Worked | int | Fraction):
        return Amount(value, path)
    if isinstance(value, list):
        items = [by_value(page, scope, item, path) for item in value]
        return Listed(tuple(item for item in items if item is not None))
    if isinstance(value, dict):
        return NounSaid(value, path) if "say" in value else Amount(value, path) if value else None
    if not isinstance(value, str):
        return None
    settled = page.settled.get(path, value) if path else value
    if settled is not value or _AMOUNT.match(value):
        return Amount(settled, path)
    return word(page, scope, value, path)


def word(page: Page, scope: Scope, id: str, path: Path) -> Said:
    """A word of the game by its id: a stat, a track, a condition, a tag, one of its `words`, or the name of an entry; a text as typed."""
    for group in WORD_GROUPS:
        forms = page.book.noun(group, id)
        if forms is not None and ("say" in forms or "all" in forms):
            return NounSaid(forms if "say" in forms else {**forms, "say": forms["all"]}, path)
    if not (_ID.match(id) or _REF.match(id)):
        meant = [word for sign in "_-" if " " in id and _is_word(page, word := id.lower().replace(" ", sign))]
        if meant:
            raise page.unsaid("E561", path, f"`{id}` is no word of the game and no name of an entry", f"did you mean `{meant[0]}`?")
        page.spent.append(path)
        return Words(id)
    name = page.names(id)
    if name is None:
        near = [hint for group in WORD_GROUPS for hint in page.book.nearest(group, id)]
        hints = tuple(near[:1]) or ("give it words under `words`",)
        raise page.unsaid("E561", path, f"`{id}` is no word of the game and no name of an entry", *hints)
    page.spent.append(path)
    return Words(name)


def _is_word(page: Page, id: str) -> bool:
    return any(page.book.noun(group, id) is not None for group in WORD_GROUPS)


def named(page: Page, scope: Scope, refs: Value, path: Path) -> Said:
    """Entries by their names."""
    items = refs if isinstance(refs, list) else [refs]
    return Listed(tuple(word(page, scope, str(ref), path) for ref in items))

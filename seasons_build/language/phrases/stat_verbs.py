"""Library of the language: what the verbs of stats say: add, times, set, atleast, atmost."""

from __future__ import annotations

from collections.abc import Mapping

from seasons_build.core.document import Value
from seasons_build.core.span import Path
from seasons_build.language.phrases.amounts import Amount, asks, number_of
from seasons_build.language.phrases.book import Forms
from seasons_build.language.phrases.clauses import Sentence
from seasons_build.language.phrases.figures import expected
from seasons_build.language.phrases.filling import Filled, Listed, NounSaid
from seasons_build.language.phrases.page import GIVEN, Page, Said, Slots
from seasons_build.language.phrases.saying import Effect, add_clause, as_map, verb_clause
from seasons_build.language.phrases.slots import stat_item, stat_words


def say_stats(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    """set, times, atleast, atmost: a clause a stat; what the game says of all stats in a list (`phrases.item`) is one clause."""
    listed: list[Said] = []
    for id, amount in as_map(page, verb, value, path).items():
        if _listed(page, verb, id):
            listed.append(stat_item(page, (verb,), id, amount, (*path, id)))
            continue
        _stat_clause(page, effect, verb, id, amount, (*path, id), out)
    if listed:
        add_clause(page, out, verb, path, page.book.templates("{items}"), effect.scope.with_slots({"items": Listed(tuple(listed))}))


def _listed(page: Page, verb: str, id: str) -> bool:
    """Whether a dotted stat (`strength.max`) is said as an item of a list."""
    stat, _, tail = id.partition(".")
    if not tail or page.book.noun("stats", id) is not None:
        return False
    form = f"{verb}.{tail}"
    return form not in (page.book.noun("stats", stat) or {}) and page.book.phrase_value("item", form) is not None


def _stat_clause(page: Page, effect: Effect, verb: str, id: str, value: Value, path: Path, out: Sentence) -> None:
    stat, _, tail = id.partition(".")
    forms = page.stat(id, path)
    amount = Amount(value, path)
    figure = number_of(page.settled.get(path, value))
    own = forms.get(verb) if page.book.noun("stats", id) is not None else forms.get(f"{verb}.{tail}")
    if isinstance(own, dict) and figure is not None and str(figure) in own:
        page.told.append(path)
    base = _base(page, effect, verb, stat, forms, figure, path)
    slots: Slots = {"n": amount, "stat": NounSaid(forms, path) if "say" in forms else None, "base": base, **asks(page, amount)}
    scope = effect.scope.with_slots(slots)
    templates = page.book.templates(own, figure) if own is not None else page.book.phrase("verbs", verb)
    add_clause(page, out, verb, path, templates, scope)


def _base(page: Page, effect: Effect, verb: str, stat: str, forms: Forms, figure: Value, path: Path) -> Said | None:
    """What a stat was before: a base that is a plain number, else its value on the sheet (which may have the effect in it)."""
    number = number_of(forms.get("base"))
    if number is None:
        known = number_of(page.values.get(stat))
        return None if known is None else Amount(known, ())
    if verb == "set" and figure == number:
        page.fault("W569", path, f"`{stat}` is set to {number}, which it is already", "take another figure, or leave the effect out")
    return Amount(number, ())


def say_adds(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    """add: what a stat says itself is a clause of its own; the others are one list."""
    rest: dict[str, Value] = {}
    stats = as_map(page, verb, value, path)
    for id, amount in stats.items():
        forms = page.book.noun("stats", id) or {}
        if verb in forms:
            item = stat_item(page, ("more",), id, amount, (*path, id)) if "more" in forms else None
            at = (*path, id)
            slots: Slots = {"n": Amount(amount, at), "stat": stat_words(page, id, at), "items": item, "plain": GIVEN}
            add_clause(page, out, verb, at, page.book.templates(forms[verb], number_of(amount)), effect.scope.with_slots(slots))
        else:
            rest[id] = amount
    if rest:
        items = Listed(tuple(stat_items(page, rest, path, ("more",))))
        verb_clause(page, effect, verb, path, out, {"items": items})


def stat_items(page: Page, stats: Mapping[str, Value], path: Path, wanted: tuple[str, ...]) -> list[Said]:
    """So much of each stat, those of a family as one where all its members have the same amount. `wanted` are the forms to try."""
    items: list[Said] = []
    done: set[str] = set()
    families = page.book.nouns.get("families", {})
    for id, amount in stats.items():
        if id in done:
            continue
        family = next((f for f in families.values() if _whole_family(f, id, stats)), None)
        if family is not None:
            members = [str(member) for member in family["of"]]
            done.update(members)
            items.append(_family_item(page, family, members, amount, path))
            continue
        forms = ("equal", *wanted) if not _figure(page, amount, (*path, id)) else wanted
        items.append(stat_item(page, forms, id, amount, (*path, id)))
    return items


def _whole_family(family: Forms, id: str, stats: Mapping[str, Value]) -> bool:
    members = family.get("of")
    return isinstance(members, list) and id in members and all(stats.get(str(m)) == stats[id] for m in members) and "all" in family


def _family_item(page: Page, family: Forms, members: list[str], amount: Value, path: Path) -> Said:
    for member in members[1:]:
        page.told.extend(where for where, _ in expected({member: amount}, path, frozenset()))
    name = Filled(page.book.templates(family["all"]))
    return Filled(page.book.phrase("item", "all"), (("n", Amount(amount, (*path, members[0]))), ("stat", name)))


def _figure(page: Page, value: Value, path: Path) -> bool:
    return asks(page, Amount(value, path))["plain"] is not None

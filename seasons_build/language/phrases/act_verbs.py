"""Library of the language: what the verbs of persons and things say: act, field, consume; and what something costs."""

from __future__ import annotations

from collections.abc import Mapping

from seasons_build.core import vocabulary
from seasons_build.core.document import Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path
from seasons_build.language.phrases.amounts import Amount, number_of
from seasons_build.language.phrases.clauses import Sentence
from seasons_build.language.phrases.filling import Filled, Listed, NounSaid
from seasons_build.language.phrases.page import Page, Said, Scope, Slots, Words
from seasons_build.language.phrases.persons import Person, person
from seasons_build.language.phrases.saying import Effect, as_map, verb_clause
from seasons_build.language.phrases.slots import noun, stat_item


def say_act(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    """act: what somebody does and at which price, or which attacks of the entry."""
    given = as_map(page, verb, value, path)
    if isinstance(given.get("attacks"), dict):
        what: Said = Listed(tuple(_attack(page, effect.scope, id, n, (*path, "attacks", id)) for id, n in given["attacks"].items()))
        page.spent.append((*path, "attacks"))
        slots: Slots = {"attacks": what, "what": None}
    else:
        typed = given.get("what")
        doing = typed if isinstance(typed, dict) else page.required("doings", str(typed), (*path, "what"))
        page.spent.append((*path, "what"))
        slots = {"what": Filled(page.book.templates(doing.get("say"))), "attacks": None}
    slots["price"] = price(page, given.get("cost"), (*path, "cost"))
    verb_clause(page, effect, verb, path, out, slots, given)


def _attack(page: Page, scope: Scope, id: str, n: Value, path: Path) -> Said:
    action = page.actions.get(id)
    name = action.get("name") if isinstance(action, dict) else None
    if not isinstance(name, str):
        raise page.unsaid("E561", path, f"the entry has no action `{id}` with a name")
    return Filled(page.book.phrase("attack"), (("n", Amount(n, path)), ("attack", Words(name))))


def price(page: Page, cost: Value, path: Path) -> Said | None:
    """What something costs, by track: each in its form `say-n`."""
    if not isinstance(cost, dict) or not cost:
        return None
    items: list[Said] = []
    for id, typed in cost.items():
        at = (*path, id) if path else ()
        forms = page.required("tracks", id, at)
        figure = number_of(page.settled.get(at, typed))
        form = forms.get("say-n", page.book.phrase_value("item", "amount"))
        if isinstance(form, dict) and figure is not None and str(figure) in form:
            page.told.append(at)
        amount = Amount(typed, at)
        items.append(Filled(page.book.templates(form, figure), (("n", amount), ("stat", NounSaid(forms, at, (("n", amount),))))))
    return Listed(tuple(items))


def say_consume(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    """consume: which thing is used up."""
    verb_clause(page, effect, verb, path, out, {"item": person(page, effect.scope, value, path)})


def actor(page: Page, scope: Scope, given: Mapping[str, Value], path: Path) -> Person:
    """The actor of a `field`: one of the game's `actors`, a noun in place, or an entry by its name. Raises `Unsaid`."""
    typed = given.get("actor")
    at = (*path, "actor")
    count = number_of(page.settled.get((*path, "count"), given.get("count")))
    several = count is not None and abs(count) != 1
    if isinstance(typed, str) and page.book.noun("actors", typed) is None:
        name = page.names(typed)
        if name is not None:
            return Person(typed, {"say": name.replace("{", "\\{").replace("<", "\\<")}, at, several=several)
    made = person(page, scope, typed, at, "actors")
    assert isinstance(made, Person)
    return Person(made.key, made.forms, at, made.layer, several)


def say_field(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    """field: an actor, its few numbers, and how it acts."""
    given = as_map(page, verb, value, path)
    words = {word.name for word in vocabulary.VERB[verb].words}
    numbers = {id: n for id, n in given.items() if id not in words}
    facts = Listed(tuple(stat_facts(page, numbers, path))) if numbers else None
    slots: Slots = {"facts": facts, "actor": None, "acts": None}
    if "actor" in given:
        who = actor(page, effect.scope, given, path)
        slots["actor"] = who
        if "acts" in given:
            acts = noun(page, "doings", given["acts"], (*path, "acts"))
            slots["acts"] = Acting(who, acts)
    for key in ("actions", "actor", "acts"):
        page.spent.append((*path, key))
    verb_clause(page, effect, verb, path, out, slots, given)


class Acting(NamedTuple):
    """What an actor does, with the actor for its `who`."""

    who: Person
    doing: Said

    def text(self, page: Page, scope: Scope, form: str) -> str | None:
        return self.doing.text(page, scope.with_slots({"who": self.who}), form)

    def number(self, page: Page, scope: Scope) -> int:
        return 0


def stat_facts(page: Page, stats: Mapping[str, Value], path: Path) -> list[Said]:
    """The few numbers of an actor."""
    return [stat_item(page, ("has", "amount"), id, n, (*path, id)) for id, n in stats.items()]

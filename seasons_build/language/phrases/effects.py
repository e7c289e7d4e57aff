"""Library of the language: maps of verbs and riders become sentences.

In: the value of `effects`, an outcome, a step, or the verbs of a use; and what it stands in. Out: its sentences, each with its stop. One
map is one sentence; neighbours under the same lead, or until the same span, become one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from seasons_build.core import vocabulary
from seasons_build.core.document import Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex
from seasons_build.core.span import Path
from seasons_build.language.phrases.act_verbs import actor
from seasons_build.language.phrases.amounts import Amount, number_of
from seasons_build.language.phrases.book import Book
from seasons_build.language.phrases.clauses import Sentence, stopped
from seasons_build.language.phrases.figures import expected
from seasons_build.language.phrases.filling import Filled, Listed, first
from seasons_build.language.phrases.leads import lead_data, lead_texts, needs_text, span_leads, span_text, spent, tail_texts
from seasons_build.language.phrases.page import GIVEN, Layer, Page, Said, Scope, Slots, Unsaid
from seasons_build.language.phrases.persons import Person, person
from seasons_build.language.phrases.saying import Effect
from seasons_build.language.phrases.slots import named, noun
from seasons_build.language.phrases.stat_verbs import stat_items
from seasons_build.language.phrases.verbs import say_verb

FIELD, SAY = "field", "say"
FRONTED = ("limit", "first", "use", "trigger", "when", "if")
"""Riders for which, where they stand in front, a template may ask by `lead`; an outcome's words are one too."""
SAID_ONCE = ("way", "type", "time", "from", "against")
"""Riders that the first verb of a map that can say them says for all of it."""
COUNTABLE = frozenset({"add", "harm", "mend"})
"""Verbs that `per` says as a list of amounts."""

_FIGURE = regex(r"\d")
_NO_PROSE = regex(r":[a-z][a-z0-9_-]*:|\[\[[^\]]*\]\]|\{[^{}]*\}")


class Stand(NamedTuple):
    """What effects stand in: what can be seen there, the events that are answered, and the lead of all of it (`on a hit`). `fielded` is
    told of each actor that has actions of its own; `inside` says that it is part of a sentence, without capital and stop."""

    scope: Scope
    answers: frozenset[tuple[str, str]] = frozenset()
    lead: str = ""
    fielded: Callable[[Person, Value, Path], None] | None = None
    inside: bool = False


@dataclass(slots=True)
class _Open:
    """A sentence to which the next map may add: its last map, its leads, and the sentences of what hangs on it (`after`, `per`)."""

    effect: Effect
    sentence: Sentence
    leads: dict[str, str]
    prose: str = ""
    nested: tuple[str, ...] = ()


def write_effects(page: Page, stand: Stand, value: Value, path: Path) -> list[str]:
    """The sentences of a map, or a list of maps."""
    maps = [(item, (*path, at)) for at, item in enumerate(value)] if isinstance(value, list) else [(value, path)]
    out: list[str] = []
    open_: _Open | None = None
    for data, at in maps:
        effect = _effect(page, stand, data, at)
        if effect is None:
            continue
        if open_ is not None and _joins(page.book, open_, effect, stand.lead):
            _span_behind(page, open_, effect)
            open_.effect = effect
        else:
            out.extend(_closed(page, stand, open_, stand.lead if not out else ""))
            open_ = _Open(effect, Sentence(), lead_texts(page, effect))
        _take(page, stand, open_)
    out.extend(_closed(page, stand, open_, stand.lead if not out else ""))
    return out


def _effect(page: Page, stand: Stand, data: Value, path: Path) -> Effect | None:
    """A map with what its verbs can see: who receives it, who it is aimed at."""
    if not isinstance(data, dict):
        page.fault("E560", path, "expected a map of verbs and riders")
        return None
    scope = stand.scope.under(Layer(data, path))
    try:
        to = person(page, scope, data["to"], (*path, "to")) if "to" in data else None
        target = page.find(page, stand.scope, "target") if _aimed(page, stand.scope) else None
    except Unsaid:
        return None
    fronted = bool(stand.lead) or any(key in FRONTED for key in lead_data(page.book, data))
    persons: Slots = {"to": to, "who": to or stand.scope.slots["self"], "whom": to or target}
    asked: Slots = {"lead": GIVEN if fronted else None, "inside": GIVEN if stand.inside else None}
    scope = scope.with_slots({**persons, **asked})
    return Effect(data, path, scope, stand.answers | answered(data.get("trigger")))


def _aimed(page: Page, scope: Scope) -> bool:
    return any("target" in layer.data for layer in scope.layers) or page.book.noun("who", "target") is not None


def answered(trigger: Value) -> frozenset[tuple[str, str]]:
    """The events that a trigger names, each with the one to whom it happens, as typed."""
    if not isinstance(trigger, dict):
        return frozenset()
    values = [trigger.get("would"), trigger.get("event")]
    who = str(trigger.get("who", "self"))
    return frozenset((id, who) for value in values for id in (value if isinstance(value, list) else [value]) if isinstance(id, str))


# ---- one map


def _take(page: Page, stand: Stand, open_: _Open) -> None:
    effect, sentence = open_.effect, open_.sentence
    data = effect.data
    clauses, since = len(sentence.clauses), len(page.spent)
    verbs = [key for key in data if key in vocabulary.VERB or key == "roll"]
    absorbed = _absorbed(page.book, verbs)
    for verb in [verb for verb in verbs if verb not in absorbed] + absorbed:
        at = (*effect.path, verb)
        if verb == SAY or (verb in absorbed and spent(page, at, since)):
            continue
        try:
            effect = _say(page, stand, effect, verb, at, sentence)
        except Unsaid:
            continue
        _unsaid_words(page, verb, data[verb], at)
        effect = _without(page, effect, since)
    text = prose(page, data[SAY], (*effect.path, SAY)) if SAY in data else ""
    tails = tail_texts(page, effect, since)
    if len(sentence.clauses) > clauses:
        sentence.clauses[-1].tail = " ".join(tails)
        if text:
            (sentence.before if verbs[0] == SAY else sentence.after).append(text)
    elif text:
        open_.prose = " ".join([text.rstrip(page.book.text("stop", ".")), *tails]) if tails else text
    if "needs" in data:
        sentence.after.append(needs_text(page, effect, data["needs"], (*effect.path, "needs")))
    open_.effect = effect
    inner = Stand(effect.scope, effect.answers, "", stand.fielded)
    for key in data:
        at = (*effect.path, key)
        if key in ("after", "before"):
            open_.nested += tuple(_spans(page, inner, key, data[key], at))
        elif key == "per":
            open_.nested += tuple(write_per(page, inner, data[key], at))
        elif key in page.book.nouns["outcomes"]:
            open_.nested += tuple(write_outcome(page, inner, key, data[key], at))


def _without(page: Page, effect: Effect, since: int) -> Effect:
    """The map as its next verb sees it: a rider that one verb has said holds for all, and no other says it again."""
    done = frozenset(key for key in SAID_ONCE if key in effect.data and spent(page, (*effect.path, key), since))
    if not done:
        return effect
    layers = tuple(Layer(one.data, one.path, one.hidden | done) if one.path == effect.path else one for one in effect.scope.layers)
    return effect._replace(scope=Scope(layers, effect.scope.slots))


def _absorbed(book: Book, verbs: list[str]) -> list[str]:
    """Verbs that the sentence of another verb of the map can say: `deal 2d6 damage, ignoring armor`."""
    if len(verbs) < 2:
        return []
    spoken = {other: {name for template in book.phrase("verbs", other) for name in template.slots} for other in verbs}
    return [verb for verb in verbs if any(verb in names for other, names in spoken.items() if other != verb)]


def _say(page: Page, stand: Stand, effect: Effect, verb: str, path: Path, sentence: Sentence) -> Effect:
    value = effect.data[verb]
    if verb == "choose":
        _choose(page, stand, effect, value, path, sentence)
    elif verb == "roll":
        return effect._replace(scope=say_roll(page, effect.scope, value, path, sentence))
    else:
        say_verb(page, effect, verb, value, path, sentence)
    if verb == FIELD and stand.fielded and isinstance(value, dict) and isinstance(value.get("actions"), dict):
        stand.fielded(actor(page, effect.scope.under(Layer(value, path)), value, path), value["actions"], (*path, "actions"))
    return effect


def _unsaid_words(page: Page, verb: str, value: Value, path: Path) -> None:
    """A word inside a verb's own map that no sentence says."""
    if not isinstance(value, dict) or verb not in vocabulary.VERB or verb in ("choose", FIELD):
        return
    for word in vocabulary.VERB[verb].words:
        if value.get(word.name, False) is not False and word.name != "cost" and not spent(page, (*path, word.name)):
            page.fault("E565", (*path, word.name), f"no sentence of `{verb}` says `{word.name}`", f"add one under `phrases.verbs.{verb}`")


def prose(page: Page, text: Value, path: Path) -> str:
    """A text typed by hand, checked for figures, which only data may hold."""
    if not isinstance(text, str):
        page.fault("E560", path, f"expected text after `{SAY}`")
        return ""
    if _FIGURE.search(_NO_PROSE.sub("", text)):
        hint = "give the figure to a verb or a rider, or read it from a field, as `{range}`; or write the whole line yourself in `rules:`"
        page.fault("E564", path, f"a figure stands in `{SAY}`, where nothing keeps it right", hint)
    return str(page.settled.get(path, text)).strip()


# ---- sentences


def _joins(book: Book, open_: _Open, effect: Effect, lead: str) -> bool:
    """Whether a map becomes part of the sentence before it."""
    before = open_.effect.data
    if not open_.sentence.clauses or open_.sentence.after or open_.nested:
        return False
    if not any(key in vocabulary.VERB and key != SAY for key in effect.data):
        return False
    if any(key in data for data in (before, effect.data) for key in ("limit", "first", "use", "needs")):
        return False
    leads = lead_data(book, effect.data)
    if leads != lead_data(book, before):
        return False
    same = before.get("until") == effect.data.get("until")
    return (same and ("until" in before or bool(leads))) or (bool(lead) and not leads)


def _span_behind(page: Page, open_: _Open, following: Effect) -> None:
    """The span of a map behind its own clause, where the map that joins it has another."""
    before = open_.effect
    if "until" in before.data and before.data["until"] != following.data.get("until"):
        last = open_.sentence.clauses[-1]
        last.tail = " ".join(part for part in (last.tail, span_text(page, before)) if part)


def _closed(page: Page, stand: Stand, open_: _Open | None, lead: str) -> list[str]:
    """The sentences of a map, or of the maps that were joined."""
    if open_ is None:
        return []
    book, sentence, effect = page.book, open_.sentence, open_.effect
    leads = [lead, *open_.leads.values()]
    said = any(text for text in leads)
    front = behind = ""
    if "until" in effect.data and not spent(page, (*effect.path, "until")):
        span = span_text(page, effect)
        fits = ("trigger" in open_.leads and not lead) or (len(sentence.clauses) > 1 and not said)
        front, behind = (span, "") if fits and span_leads(book, effect) else ("", span)
    main = sentence.text(book, [front, *leads], behind)
    if not main and open_.prose:
        body = f"{open_.prose.rstrip(book.text('stop', '.'))} {behind}" if behind else open_.prose
        main = book.text("lead", ", ").join([text for text in leads if text] + [body])
        if said and open_.prose[:1].isupper():
            message = f"this `{SAY}` stands behind a lead and begins with a capital letter"
            page.fault("W570", (*effect.path, SAY), message, "begin it with a small letter")
    texts = [text for text in (*sentence.before, main, *sentence.after) if text]
    return [*(texts if stand.inside else (stopped(book, text) for text in texts)), *open_.nested]


# ---- words that hold effects


def _spans(page: Page, stand: Stand, key: str, value: Value, path: Path) -> list[str]:
    """`after` and `before`: sentences under the span's lead."""
    out: list[str] = []
    for id, effects in value.items() if isinstance(value, dict) else ():
        at = (*path, id)
        try:
            lead = noun(page, "spans", id, at).text(page, stand.scope, key)
        except Unsaid:
            continue
        if lead is None:
            page.fault("E560", at, f"the span `{id}` has no form `{key}`", f"give it `{key}`, which stands in front of the sentence")
        out.extend(write_effects(page, stand._replace(lead=lead or ""), effects, at))
    return out


def write_per(page: Page, stand: Stand, value: Value, path: Path) -> list[str]:
    """`per`: a list of amounts for each of a count, or the sentences of its effects behind `for each`."""
    out: list[str] = []
    for id, effects in value.items() if isinstance(value, dict) else ():
        at = (*path, id)
        try:
            count = noun(page, "counts", id, at)
            if isinstance(effects, dict) and set(effects) <= COUNTABLE:
                items = Listed(tuple(_per_items(page, effects, at)))
                scope = stand.scope.under(Layer(effects, at)).with_slots({"count": count, "items": items})
                text = first(page, page.book.phrase("verbs", "per"), scope)
                if text is None:
                    raise page.unsaid("E560", at, "the game has no sentence for `per`", "add it under `phrases.verbs.per`")
                out.append(stopped(page.book, text))
            else:
                lead = first(page, page.book.phrase("per-each"), stand.scope.with_slots({"count": count}))
                out.extend(write_effects(page, stand._replace(lead=lead or ""), effects, at))
        except Unsaid:
            continue
    return out


def _per_items(page: Page, effects: Mapping[str, Value], path: Path) -> list[Said]:
    items: list[Said] = []
    for verb, value in effects.items():
        at = (*path, verb)
        if verb == "add" and isinstance(value, dict):
            items.extend(stat_items(page, value, at, ("per", "more")))
            continue
        templates = page.book.phrase("item", verb)
        if not templates:
            raise page.unsaid("E560", at, f"`per` cannot say `{verb}`", f"add `phrases.item.{verb}`")
        items.append(Filled(templates, (("n", Amount(value, at)),)))
    return items


def write_outcome(page: Page, stand: Stand, id: str, value: Value, path: Path) -> list[str]:
    """What an outcome of a roll does, behind its lead (`on a hit`)."""
    return write_effects(page, stand._replace(lead=outcome_lead(page, stand, id)), value, path)


def outcome_lead(page: Page, stand: Stand, id: str) -> str:
    """How the sentence of an outcome begins."""
    forms = page.book.noun("outcomes", id) or {}
    return first(page, page.book.templates(forms.get("lead", forms.get("say"))), stand.scope) or ""


def say_roll(page: Page, scope: Scope, value: Value, path: Path, sentence: Sentence) -> Scope:
    """The clause that asks for a roll; gives the scope in which its outcomes are said. Raises `Unsaid`."""
    id, given = next(iter(value.items()), ("", {})) if isinstance(value, dict) else (value, {})
    at = (*path, str(id))
    forms = page.required("rolls", str(id), path)
    made = scope.under(Layer(given if isinstance(given, dict) else {}, at))
    amount = page.book.templates(forms.get("amount"))
    made = made.with_slots({"value": Filled(amount) if amount else None})
    if not sentence.add(page, page.book.templates(forms.get("say")), made):
        raise page.unsaid("E560", path, f"the roll `{id}` has no sentence that fits what is given", "add one to its form `say`")
    return made


def _choose(page: Page, stand: Stand, effect: Effect, value: Value, path: Path, sentence: Sentence) -> None:
    """A choice between effects or entries; where the sheet knows what was chosen, that alone."""
    if not isinstance(value, dict):
        raise page.unsaid("E560", path, "expected a map after `choose`")
    options = value.get("options")
    chosen = page.chosen.get(str(value.get("as", "choose")))
    slots: Slots = {"list": None, "names": None, "chosen": None}
    if isinstance(options, dict):
        if chosen is not None:
            page.told.append((*path, "count"))
            for id, effects in options.items():
                at = (*path, "options", id)
                if id in chosen:
                    sentence.after.extend(write_effects(page, Stand(effect.scope, effect.answers), effects, at))
                else:
                    page.told.extend(where for where, _ in expected({id: effects}, at[:-1], frozenset()))
            return
        alternatives = [_Alternative(effect, effects, (*path, "options", str(id))) for id, effects in options.items()]
        slots["list"] = Listed(tuple(alternatives), "or")
    elif chosen is not None:
        page.told.append((*path, "count"))
        slots["chosen"] = named(page, effect.scope, list(chosen), path)
    elif isinstance(value.get("from"), list):
        slots["names"] = named(page, effect.scope, value["from"], (*path, "from"))
    elif isinstance(value.get("from"), dict):
        slots["names"] = noun(page, "words", value["from"], (*path, "from"))
    scope = effect.scope.under(Layer({"count": 1, **value}, path)).with_slots(slots)
    if number_of(value.get("count", 1)) == 1:
        page.told.append((*path, "count"))
        scope = scope.with_slots({"one": GIVEN})
    if not sentence.add(page, page.book.phrase("verbs", "choose"), scope):
        raise page.unsaid("E560", path, "no sentence of `choose` fits what is given here", "add one under `phrases.verbs.choose`")


class _Alternative(NamedTuple):
    """One option of a choice, as a clause."""

    effect: Effect
    effects: Value
    path: Path

    def text(self, page: Page, scope: Scope, form: str) -> str | None:
        texts = write_effects(page, Stand(self.effect.scope, self.effect.answers, inside=True), self.effects, self.path)
        return page.book.joined("and", [text.removesuffix(page.book.text("stop", ".")) for text in texts]) or None

    def number(self, page: Page, scope: Scope) -> int:
        return 0

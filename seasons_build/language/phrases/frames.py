"""Library of the language: a use in print: its strip, its trigger, its sentences, its options and steps.

In: an entry, an action or an option as plain data, and what it stands in. Out: a `Written`, from which `lines` makes parts.
"""

from __future__ import annotations

from collections.abc import Mapping

from seasons_build.core import vocabulary
from seasons_build.core.document import Value
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path
from seasons_build.language.phrases.act_verbs import price
from seasons_build.language.phrases.amounts import Amount
from seasons_build.language.phrases.clauses import Sentence, raised, stopped
from seasons_build.language.phrases.effects import Stand, answered, outcome_lead, say_roll, write_effects, write_outcome, write_per
from seasons_build.language.phrases.events import trigger_text
from seasons_build.language.phrases.filling import first
from seasons_build.language.phrases.page import Layer, Page, Scope, Slots, Unsaid, Words
from seasons_build.language.phrases.persons import Person, person
from seasons_build.language.phrases.records import Fall, Part
from seasons_build.language.phrases.slots import noun, typed

OF_USE = ("limit", "time", "trigger", "needs")
"""Words that are of the use where there is one, and riders of its verbs where there is none."""

_RIDERS = frozenset(vocabulary.RIDER) - {"use"}
_UNSEEN = frozenset({"with", "name", "rules"})
"""Words of a use that its sentences do not read."""


@dataclass(slots=True)
class Written:
    """What a use says."""

    strip: tuple[str, ...] = ()
    trigger: str = ""
    lines: tuple[str, ...] = ()
    options: tuple[Part, ...] = ()
    steps: tuple[Part, ...] = ()
    head: str = ""
    falls: tuple[Fall, ...] = ()


@dataclass(slots=True)
class _Body:
    """The sentences of a use while they are gathered; `verbs` are those that stand in it directly and are not said yet, `falls` the
    outcomes that were said since the last other sentence; `before` and `said` are how many sentences stood before them and after them."""

    sentences: list[str] = field(default_factory=list)
    falls: list[Fall] = field(default_factory=list)
    before: int = 0
    said: int = 0
    verbs: dict[str, Value] = field(default_factory=dict)
    fielded: list[Part] = field(default_factory=list)


def bearer(page: Page) -> Person:
    """Who `self` is on the page: what the kind's voice says, else the game's `self`."""
    id = page.book.voices.get("self", "self")
    forms = page.book.noun("who", str(id)) or {}
    return Person(str(id), forms)


def frame_scope(page: Page, data: Mapping[str, Value], path: Path, who: Person, inherited: tuple[Layer, ...]) -> Scope:
    """What the sentences of a use can see. Raises `Unsaid` where the one who acts is nobody."""
    scope = Scope((Layer(data, path, page.hidden | _UNSEEN), *inherited), {"self": who, "who": who, "to": None, "agent": who, "whom": None})
    if "by" in data:
        agent = person(page, scope, data["by"], (*path, "by"))
        scope = scope.with_slots({"agent": agent})
    return scope


def inherited(page: Page, data: Mapping[str, Value], path: Path) -> tuple[Layer, ...]:
    """What a part takes from the use that it is part of: the fields of `phrases.inherit`."""
    kept = {name: data[name] for name in page.book.listed("inherit") if name in data}
    return (Layer(kept, path, page.hidden),) if kept else ()


def write_frame(page: Page, data: Mapping[str, Value], path: Path, who: Person, above: tuple[Layer, ...] = ()) -> Written:
    """A use in print. A text written by hand (`rules`) stands in place of its sentences, options and steps."""
    try:
        scope = frame_scope(page, data, path, who, above)
    except Unsaid:
        return Written()
    used = "use" in data or isinstance(data.get("cost"), dict)
    written = Written()
    written.strip = _strip(page, scope, data, path) if used else ()
    if used and "trigger" in data:
        written.trigger = _trigger(page, scope, data["trigger"], (*path, "trigger"))
    if isinstance(data.get("rules"), str):
        written.lines = (str(page.settled.get((*path, "rules"), data["rules"])).strip(),)
        return written
    body = _body(page, scope, data, path, used, above)
    text = " ".join(sentence for sentence in body.sentences if sentence)
    lines = [text] if text else []
    if body.falls and "holds" not in data:
        written.head = " ".join(sentence for sentence in body.sentences[: body.before] if sentence)
        written.falls = tuple(body.falls)
    if "holds" in data:
        lines.append(_quiet_line(page, "holds", scope.with_slots({"n": Amount(data["holds"], (*path, "holds"))})))
    written.lines = tuple(line for line in lines if line)
    options = data.get("options")
    written.options = tuple(
        write_part(page, id, option, (*path, "options", id), who, (*inherited(page, data, path), *above), "option")
        for id, option in (options.items() if isinstance(options, dict) else ())
        if isinstance(option, dict)
    ) + tuple(body.fielded)
    written.steps = _steps(page, scope, data, path, "steps", "step") + _steps(page, scope, data, path, "taken", "taken")
    return written


def write_part(page: Page, id: str, data: Mapping[str, Value], path: Path, who: Person, above: tuple[Layer, ...], template: str) -> Part:
    """An action or an option: a use with a name. `template` is the phrase of its line."""
    page.fresh()
    written = write_frame(page, data, path, who, above)
    name = data.get("name")
    name = name if isinstance(name, str) else ""
    head = page.book.text("inline", ", ").join(written.strip)
    label = _label(page, written.trigger)
    text = " ".join(text for text in (label, *written.lines) if text)
    slots: Slots = {"name": Words(name), "head": Words(head) if head else None, "text": Words(text) if text else None}
    line = first(page, page.book.phrase(template), Scope((), slots)) or text
    strip = tuple(raised(part) for part in written.strip)
    return Part(id, name, strip, written.trigger, written.lines, written.options, line, written.head, written.falls)


def _label(page: Page, trigger: str) -> str:
    return (first(page, page.book.phrase("trigger"), Scope((), {"event": Words(trigger)})) or trigger) if trigger else ""


def trigger_line(page: Page, trigger: str) -> str:
    """A trigger with its label, as one line."""
    return _label(page, trigger)


def _quiet_line(page: Page, phrase: str, scope: Scope) -> str:
    """The sentence of a phrase, or nothing where it cannot be said."""
    try:
        return stopped(page.book, first(page, page.book.phrase(phrase), scope) or "")
    except Unsaid:
        return ""


# ---- strip and trigger


def _strip(page: Page, scope: Scope, data: Mapping[str, Value], path: Path) -> tuple[str, ...]:
    parts: list[str] = []
    for key in page.book.listed("head"):
        try:
            if key == "use":
                parts.append(_use(page, scope, data, path) or "")
            elif isinstance(data.get(key), Mapping | str | int):
                said = typed(page, scope, key, data[key], (*path, key))
                parts.append((said.text(page, scope, "") if said else None) or "")
        except Unsaid:
            continue
    return tuple(part for part in parts if part)


def _use(page: Page, scope: Scope, data: Mapping[str, Value], path: Path) -> str | None:
    use = noun(page, "uses", data["use"], (*path, "use")) if "use" in data else None
    forms = page.book.noun("uses", str(data.get("use"))) or {}
    own = isinstance(data.get("cost"), dict)
    cost = price(page, data["cost"], (*path, "cost")) if own else price(page, forms.get("cost"), ())
    return first(page, page.book.phrase("use"), scope.with_slots({"use": use, "price": cost}))


def _trigger(page: Page, scope: Scope, value: Value, path: Path) -> str:
    try:
        return stopped(page.book, trigger_text(page, scope, value, path))
    except Unsaid:
        return ""


# ---- sentences


def _body(page: Page, scope: Scope, data: Mapping[str, Value], path: Path, used: bool, above: tuple[Layer, ...]) -> _Body:
    """The sentences of a use, in the order typed; the roll stands before its outcomes, what is needed last."""
    body = _Body()

    def fielded(actor: Person, actions: Value, at: Path) -> None:
        for id, action in actions.items():
            if isinstance(action, dict):
                body.fielded.append(_with_voice(page, id, action, (*at, id), actor))

    stand = Stand(scope, answered(data.get("trigger")) if used else frozenset(), "", fielded)
    riders = {key: value for key, value in data.items() if key in _RIDERS and not (used and key in OF_USE) and key not in page.hidden}
    outcomes = page.book.nouns["outcomes"]
    rolled = False
    for key, value in data.items():
        at = (*path, key)
        if key in vocabulary.VERB and key not in page.hidden:
            body.verbs[key] = value
            continue
        if not rolled and "roll" in data and (key == "roll" or key in outcomes):
            _flush(page, stand, riders, path, body)
            stand = _roll(page, stand, data["roll"], (*path, "roll"), body)
            rolled = True
        if key in outcomes:
            _flush(page, stand, riders, path, body)
            _fall(page, stand, key, value, at, body)
        elif key == "effects":
            _flush(page, stand, riders, path, body)
            body.sentences.extend(write_effects(page, stand, value, at))
        elif key == "per":
            _flush(page, stand, riders, path, body)
            body.sentences.extend(write_per(page, stand, value, at))
        elif key in ("after", "before"):
            body.verbs[key] = value
    _flush(page, stand, riders, path, body)
    if used and "needs" in data:
        body.sentences.append(_needs(page, scope, data["needs"], (*path, "needs")))
    if body.falls and len(body.sentences) > body.said:
        body.falls = []
    return body


def _fall(page: Page, stand: Stand, id: str, value: Value, path: Path, body: _Body) -> None:
    """Says an outcome, and remembers its sentences apart."""
    said = [sentence for sentence in write_outcome(page, stand, id, value, path) if sentence]
    if not body.falls or len(body.sentences) > body.said:
        body.falls, body.before = [], len(body.sentences)
    body.sentences.extend(said)
    body.said = len(body.sentences)
    mark = page.mark()
    lead = raised(outcome_lead(page, stand, id)) + page.book.text("lead", ", ").rstrip()
    page.back(mark)
    text = " ".join(said)
    found = text.startswith(lead) and len(lead) > 1
    if text:
        body.falls.append(Fall(id, lead if found else "", text[len(lead) :].strip() if found else text))


def _flush(page: Page, stand: Stand, riders: Mapping[str, Value], path: Path, body: _Body) -> None:
    """Says the verbs that stand in the use directly, with its riders."""
    if body.verbs:
        verbs, body.verbs = body.verbs, {}
        body.sentences.extend(write_effects(page, stand, {**riders, **verbs}, path))


def _roll(page: Page, stand: Stand, value: Value, path: Path, body: _Body) -> Stand:
    sentence = Sentence()
    try:
        scope = say_roll(page, stand.scope, value, path, sentence)
    except Unsaid:
        return stand
    body.sentences.append(stopped(page.book, sentence.text(page.book, [])))
    return Stand(scope, stand.answers, stand.lead, stand.fielded)


def _needs(page: Page, scope: Scope, value: Value, path: Path) -> str:
    try:
        said = noun(page, "situations", value, path)
    except Unsaid:
        return ""
    return _quiet_line(page, "needs", scope.with_slots({"needs": said}))


def _steps(page: Page, scope: Scope, data: Mapping[str, Value], path: Path, key: str, template: str) -> tuple[Part, ...]:
    """Steps of a track, or takings: each a line of its own."""
    parts: list[Part] = []
    steps = data.get(key)
    for n, effects in steps.items() if isinstance(steps, dict) else ():
        page.fresh()
        extra: list[Part] = []

        def fielded(actor: Person, actions: Value, at: Path, extra: list[Part] = extra) -> None:
            extra.extend(_with_voice(page, id, action, (*at, id), actor) for id, action in actions.items() if isinstance(action, dict))

        text = " ".join(write_effects(page, Stand(scope, fielded=fielded), effects, (*path, key, str(n))))
        slots: Slots = {"n": Amount(n, ()) if str(n).isdigit() else Words(str(n)), "text": Words(text)}
        line = first(page, page.book.phrase(template), Scope((), slots)) or text
        parts.append(Part(str(n), "", (), "", (text,) if text else (), tuple(extra), line))
    return tuple(parts)


def _with_voice(page: Page, id: str, action: Mapping[str, Value], path: Path, actor: Person) -> Part:
    """An action of a fielded actor: it is `self` there, named once and by its pronoun after that."""
    pronoun = _pronoun(page, actor)
    who = Person(actor.key, {**actor.forms, "say": actor.forms.get("the", pronoun), "the": pronoun}, several=actor.several)
    return write_part(page, id, action, path, who, (), "actor-action")


def _pronoun(page: Page, actor: Person) -> Value:
    forms = page.book.phrase_value("pronouns", str(actor.forms.get("as-many" if actor.several else "as", page.book.text("pronoun", ""))))
    return forms.get("say", "") if isinstance(forms, dict) else ""

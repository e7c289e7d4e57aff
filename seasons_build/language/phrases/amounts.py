"""Library of the language: amounts in words.

An amount is a number, dice, a stat, a quantity, a ladder (`{scale: {1: 1d6, 3: 2d6}, by: level}`) or `value`, what the roll gives. In: the
amount as typed and where it stands. Out: its words in a form (plain, `sign`, `abs`, `first`, `rise`, or one of the game's `figures`), and
note on the page that the figure is printed, or told in a word.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from seasons_build.core.dice_amount import Dice, Worked
from seasons_build.core.document import Number, Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.regex import regex
from seasons_build.core.span import Path
from seasons_build.language.phrases.book import Forms
from seasons_build.language.phrases.filling import first
from seasons_build.language.phrases.page import GIVEN, Layer, Page, Scope, Slots, Unsaid, Words

Sort: TypeAlias = Literal["number", "dice", "quantity", "stat", "scale", "value", "text"]

_PLAIN_FORMS = ("", "sign", "abs", "first")
_LADDER_FORMS = ("from", "rise")
_TERM = regex(r"\s*(?:(?P<dice>\d+d\d+)|(?P<number>\d+(?:/\d+)?)|(?P<name>[a-z_][a-z0-9_]*(?:[.-][a-z0-9_]+)*))\s*")
_SIGN = regex(r"\s*([+-])")
_NUMBER = regex(r"-?\d+(?:/\d+)?\Z")
_IDS = regex(r"-?[a-z][a-z0-9_]*(?:[.-][a-z0-9_]+)*\Z")


class Amount(NamedTuple):
    """An amount and where it stands. `absolute` is for verbs that say the sign themselves. Without a path it is no figure of the entry."""

    value: Value
    path: Path
    absolute: bool = False

    def text(self, page: Page, scope: Scope, form: str) -> str | None:
        page.spent.append(self.path)
        known = settled(page, self)
        sort = sort_of(page, known.value)
        if sort == "number":
            return _number_text(page, scope, known, form)
        if sort == "dice":
            return _dice_text(page, scope, known, form)
        if sort == "quantity":
            return _quantity_text(page, scope, known)
        if sort == "scale":
            return _scale_text(page, scope, known, form)
        if sort == "value":
            said = scope.slots.get("value")
            if said is None:
                message = "`value` is what a roll gives, and here is no roll that says one"
                if any(problem.path[:2] == self.path[:2] for problem in page.problems.values()):
                    raise Unsaid  # the roll itself could not be said, and that is told
                raise page.unsaid("E560", self.path, message, "a roll says it in its form `amount`")
            return said.text(page, scope, form)
        return _stat_text(page, scope, known) if sort == "stat" else str(known.value)

    def number(self, page: Page, scope: Scope) -> int:
        known = settled(page, self)
        number = number_of(known.value)
        if number is not None:
            if abs(number) == 1:
                page.told.append(self.path)
            return _plural(page, number)
        if sort_of(page, known.value) == "quantity":
            return int(quantity(page, known)[0].get("one") is not True)
        return 1


def _plural(page: Page, number: Number) -> int:
    """Which of `one|many` a number takes: the first for one, the second for all others, unless `phrases.plural` says more."""
    plurals = page.book.phrase_value("plural")
    shown = str(-number if number < 0 else number)
    found = plurals.get(shown, plurals.get("else")) if isinstance(plurals, dict) else None
    return found if isinstance(found, int) else int(shown != "1")


def settled(page: Page, amount: Amount) -> Amount:
    """The amount with what evaluation gave in place of what was typed; a rung of a ladder where the sheet knows which."""
    value = page.settled.get(amount.path, amount.value) if amount.path else amount.value
    if isinstance(value, Dice | Worked):
        value = str(value)
    return amount._replace(value=value) if value is not amount.value else amount


def number_of(value: Value) -> Number | None:
    """A plain number, also one typed as a fraction (`1/2`); None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Fraction):
        return value
    if isinstance(value, str) and _NUMBER.match(value):
        number = Fraction(value)
        return number.numerator if number.denominator == 1 else number
    return None


def sort_of(page: Page, value: Value) -> Sort:
    """What an amount is."""
    if number_of(value) is not None:
        return "number"
    if isinstance(value, dict):
        return "scale" if "scale" in value else "quantity"
    if not isinstance(value, str):
        return "text"
    if value == "value":
        return "value"
    id = value.removeprefix("-")
    if page.book.noun("quantities", id) is not None:
        return "quantity"
    if _IDS.match(value) and page.book.noun("stats", id) is not None:
        return "stat"
    return "dice" if _TERM.match(id) else "text"


def plain(page: Page, value: Value) -> bool:
    """Whether it prints as a figure and not as words."""
    return sort_of(page, value) in ("number", "dice", "value", "scale", "text")


def quantity(page: Page, amount: Amount) -> tuple[Forms, Layer]:
    """The noun of a quantity, and the layer of its arguments. Raises `Unsaid`."""
    value = amount.value
    if isinstance(value, dict):
        if isinstance(value.get("say"), str):
            return value, Layer(value, amount.path)
        id, arguments = next(iter(value.items()), ("", None))
    else:
        id, arguments = str(value).removeprefix("-"), None
    forms = page.required("quantities", str(id), amount.path)
    return forms, Layer(arguments if isinstance(arguments, dict) else {}, (*amount.path, str(id)))


def figure_text(page: Page, number: Number, *, sign: bool = False, absolute: bool = False) -> str:
    """A number in print: `3`, `+3`, `−3`, `1/2`."""
    text = str(-number if number < 0 else number)
    if number < 0 and not absolute:
        return page.book.text("minus", "−") + text
    return page.book.text("plus", "+") + text if sign else text


def _number_text(page: Page, scope: Scope, amount: Amount, form: str) -> str | None:
    number = number_of(amount.value)
    assert number is not None
    if form in _PLAIN_FORMS:
        page.printed.append(amount.path)
        return figure_text(page, number, sign=form == "sign", absolute=form == "abs" or amount.absolute)
    if form in _LADDER_FORMS:
        return None
    words = page.book.phrase_value("figures", form)
    if words is None:
        raise page.unsaid("E560", amount.path, f"the game's `figures` have no form `{form}`", "add it under `phrases.figures`")
    if isinstance(words, dict):
        shown = -number if amount.absolute and number < 0 else number
        if str(shown) in words:
            page.told.append(amount.path)
        elif "else" not in words:
            return _number_text(page, scope, amount, "")
        return first(page, page.book.templates(words, shown), scope.with_slots({"n": amount}))
    return first(page, page.book.templates(words), scope.with_slots({"n": amount}))


def _dice_text(page: Page, scope: Scope, amount: Amount, form: str) -> str | None:
    if form in _LADDER_FORMS:
        return None
    text = str(amount.value).strip()
    negative = text.startswith("-")
    text = text.removeprefix("-")
    if form == "sign":
        lead = page.book.text("minus", "−") if negative else page.book.text("plus", "+")
    else:
        lead = page.book.text("minus", "−") if negative and not amount.absolute else ""
    out: list[str] = []
    at = 0
    while True:
        term = _TERM.match(text, at)
        if term is None:
            raise _unsayable(page, amount)
        out.append(_stat_words(page, scope, term["name"], amount) if term["name"] else str(term[term.lastgroup or 0]))
        at = term.end()
        if at == len(text):
            break
        sign = _SIGN.match(text, at)
        if sign is None:
            raise _unsayable(page, amount)
        out.append(f" {page.book.text('plus', '+') if sign[1] == '+' else page.book.text('minus', '−')} ")
        at = sign.end()
    if any(mark.isdigit() for mark in text):
        page.printed.append(amount.path)
    words = page.book.phrase_value("figures", form) if form not in _PLAIN_FORMS else None
    made = lead + "".join(out)
    if words is None:
        return made
    form_of = words.get("else") if isinstance(words, dict) else words
    return first(page, page.book.templates(form_of), scope.with_slots({"n": Words(made, many=True)}))


def _unsayable(page: Page, amount: Amount) -> Unsaid:
    message = f"the amount `{amount.value}` cannot be said as it stands"
    return page.unsaid("E560", amount.path, message, "give it a name and words under `quantities`")


def _stat_text(page: Page, scope: Scope, amount: Amount) -> str | None:
    return _stat_words(page, scope, str(amount.value).removeprefix("-"), amount)


def _stat_words(page: Page, scope: Scope, id: str, amount: Amount) -> str:
    """A stat as an amount: `your Movement`. Raises `Unsaid`."""
    stat = first(page, page.name_of(page.stat(id, amount.path), f"the stat `{id}`", amount.path), scope)
    own = first(page, page.book.phrase("own-stat"), scope.with_slots({"stat": Words(stat or "")}))
    return own or stat or ""


def _quantity_text(page: Page, scope: Scope, amount: Amount) -> str | None:
    forms, arguments = quantity(page, amount)
    text = first(page, page.book.templates(forms.get("say")), scope.under(arguments))
    if text is None:
        raise page.unsaid("E560", amount.path, "this quantity has no sentence that fits what it is given")
    return text


def _scale_text(page: Page, scope: Scope, amount: Amount, form: str) -> str | None:
    """The ladder: its first rung (`first`), where that begins (`from`), its later ones (`rise`), or all in the words of `phrases.scale`."""
    value = amount.value
    rungs = value["scale"] if isinstance(value, dict) and isinstance(value.get("scale"), dict) else {}
    steps = sorted((int(key), str(key), inner) for key, inner in rungs.items() if str(key).isdigit())
    if not steps:
        raise page.unsaid("E560", amount.path, "a `scale` needs a rung: {1: 1d6, 3: 2d6}")
    by = str(value.get("by", ""))
    paths = [(*amount.path, "scale", key) for _, key, _ in steps]
    known = number_of(page.values.get(by))
    reached = [at for at, (step, _, _) in enumerate(steps) if known is not None and step <= known]
    if reached:
        if form in _LADDER_FORMS:
            return None
        page.told.extend(paths)
        return Amount(steps[reached[-1]][2], paths[reached[-1]]).text(page, scope, form if form != "first" else "")
    rung = [Amount(inner, path) for (_, _, inner), path in zip(steps, paths, strict=True)]
    if form == "first":
        return rung[0].text(page, scope, "")
    if form == "from":
        opening = steps[0][0]
        where = scope.with_slots(_by(page, scope, by, opening, amount)) if opening > 1 else None
        return None if where is None else first(page, page.book.phrase("scale-from"), where)
    if form == "rise":
        later = [_rung(page, scope, each, step, by, amount) for each, (step, _, _) in zip(rung[1:], steps[1:], strict=True)]
        return page.book.joined("and", [text for text in later if text]) or None
    return first(page, page.book.phrase("scale"), scope.with_slots({"n": amount}))


def _rung(page: Page, scope: Scope, rung: Amount, step: int, by: str, amount: Amount) -> str | None:
    return first(page, page.book.phrase("scale-step"), scope.with_slots({"n": rung, **_by(page, scope, by, step, amount)}))


def _by(page: Page, scope: Scope, by: str, step: int, amount: Amount) -> Slots:
    """The slots of a rung: with what the ladder grows, and at which step. Raises `Unsaid`."""
    at = (*amount.path, "by")
    name = first(page, page.name_of(page.stat(by, at), f"the stat `{by}`", at), scope)
    return {"at": Words(str(step)), "by_what": Words(name or "")}


def asks(page: Page, amount: Amount) -> Slots:
    """What a template may ask of an amount: `plain`, and `whole` where it is the whole object."""
    known = settled(page, amount)
    given: Slots = {"plain": GIVEN if plain(page, known.value) else None, "whole": None}
    if sort_of(page, known.value) == "quantity" and quantity(page, known)[0].get("whole") is True:
        given["whole"] = GIVEN
    return given

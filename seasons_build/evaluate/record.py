"""Characters: the choices of a record, folded in order (part of evaluate).

In: an entry of a kind that keeps a record (`start`, `record`, `states`), and the game's `advances`. Out: what it owns, the numbers that its
choices froze, and every choice that the rules do not allow, at its line. A refused choice is told once: it is had all the same, and costs
nothing, so that one mistake gives one message; `waive` turns it into a note, and it costs what there is.

Stages in order, and in each the advance that opens it, then the others. An advance: how often, what is picked, its condition, its price
against what is left, then what it gives (frozen), then the thing is taken with its grants. At the end of a stage: what is unspent, then
the limits that hold there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Protocol

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.dice_amount import figure, whole
from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Entry, Key, Noun
from seasons_build.core.names import did_you_mean, in_expressions
from seasons_build.core.record import dataclass
from seasons_build.core.sheet import Line, OpenChoice, Step
from seasons_build.core.span import Path, Span
from seasons_build.evaluate.effects import choices
from seasons_build.evaluate.game import Formula, Game, spoken
from seasons_build.evaluate.picks import PICK, PickScope, Thing, entries_called, entries_offered, stats_offered
from seasons_build.evaluate.program import Program
from seasons_build.evaluate.state import State
from seasons_build.evaluate.states import STATES, state_faults
from seasons_build.language.expression import NUMBER, TRUTH, Compiled, Type
from seasons_build.language.rules import groups

START, RECORD, TAKE, WAIVE = "start", "record", "take", "waive"
STAGE, EVER = "stage", "ever"
ANY_NUMBER = "number"
BARRED = ("E522", "E524", "E525", "E526")
"""What is said of choices that there are and that may not be made: of these an advance may say what to do."""


@dataclass(frozen=True, slots=True)
class Advance:
    """One way to grow, compiled."""

    id: str
    noun: Noun
    opens: bool
    called: str
    """What a ledger calls it."""
    of: tuple[str, ...]
    least: Formula | None
    most: Formula | None
    count: int
    when: Formula | None
    say: tuple[str | Compiled, ...]
    """Why it is not open where `when` does not hold: words, and the values in them."""
    remedy: tuple[str, ...]
    cost: Mapping[str, Formula]
    limits: Mapping[str, int]
    gives: tuple[tuple[str, Formula], ...]


def compile_advances(game: Game, program: Program) -> Mapping[str, Advance]:
    """The game's advances, read in the scope of a character's sheet; faults go to `game.found`."""
    made: dict[str, Advance] = {}
    for name, noun in game.rules.get("advances", {}).items():
        data: Mapping[str, Any] = noun.data if isinstance(noun.data, dict) else {}
        picking = data.get("pick")
        pick: Mapping[str, Any] = picking if isinstance(picking, dict) else {}
        of = pick.get("of", ())
        words = tuple(str(w) for w in of) if isinstance(of, list) else (str(of),) if of else ()
        for index, word in enumerate(words):
            _check_word(game, noun, word, index if isinstance(of, list) else None)
        scope = PickScope(program.scope, game, words)

        def formula(value: Value, want: Type, path: Path, noun: Noun = noun, scope: PickScope = scope) -> Formula | None:
            return game.formula(value, want, scope, noun, path)

        cost = data.get("cost")
        prices = {b: formula(v, NUMBER, ("cost", b)) for b, v in cost.items()} if isinstance(cost, dict) else {}
        limit = data.get("limit")
        made[name] = Advance(
            id=name,
            noun=noun,
            opens=data.get("opens") is True,
            called=data["name"] if isinstance(data.get("name"), str) else "",
            of=words,
            least=formula(pick.get("from"), NUMBER, ("pick", "from")),
            most=formula(pick.get("to"), NUMBER, ("pick", "to")),
            count=pick["count"] if isinstance(pick.get("count"), int) else 1,
            when=formula(data.get("when"), TRUTH, ("when",)),
            say=tuple(spoken(game, scope, noun, data["say"])) if isinstance(data.get("say"), str) else (),
            remedy=(data["remedy"],) if isinstance(data.get("remedy"), str) else (),
            cost={budget: price for budget, price in prices.items() if price},
            limits={str(k): v for k, v in limit.items() if isinstance(v, int)} if isinstance(limit, dict) else {},
            gives=tuple(_gives(data.get("gives"), formula)),
        )
    return made


def _gives(given: Value, formula: Callable[[Value, Type, Path], Formula | None]) -> Iterator[tuple[str, Formula]]:
    for index, effect in enumerate(given if isinstance(given, list) else [given] if given else []):
        adds = effect.get("add") if isinstance(effect, dict) else None
        for stat, amount in adds.items() if isinstance(adds, dict) else ():
            path: Path = ("gives", index, "add", stat) if isinstance(given, list) else ("gives", "add", stat)
            made = formula(amount, NUMBER, path)
            if made:
                yield stat, made


def _check_word(game: Game, noun: Noun, word: str, index: int | None) -> None:
    stats = game.rules.get("stats", {})
    known = [*game.kinds, *groups(game.rules), *stats, *game.rules.get("tracks", {}), ANY_NUMBER]
    if word not in known:
        span = noun.span(("pick", "of") if index is None else ("pick", "of", index))
        game.found.append(Diagnostic("E520", f"`{word}` is no kind, group or stat to pick from", span, did_you_mean(word, known)))


class Folder:
    """Folds the record of one character."""

    def __init__(
        self,
        game: Game,
        entry: Entry,
        advances: Mapping[str, Advance],
        sheet: Callable[[State], Moment],
        say: Callable[[Diagnostic], None],
    ) -> None:
        self._game = game
        self._entry = entry
        self._advances = advances
        self._sheet = sheet
        self._say = say
        self._lines: list[Line] = []
        self._stages = 0
        self.state = State(inputs=dict(_inputs(entry)))
        stats = game.rules.get("stats", {})
        self._budgets = frozenset(name for name, noun in stats.items() if isinstance(noun.data, dict) and "unspent" in noun.data)
        self.doubted: frozenset[str] = frozenset()
        """The numbers that refused choices have raised: what is wrong with them is told."""
        self._unpaid: set[str] = set()
        """The budgets that refused choices would have been paid from: that something is left of them is told."""
        self.lacking = False
        """Whether a choice names nothing that there is, or what is at fault itself: what follows from that is not told."""

    def fold(self, stage_end: Callable[[str, Moment, Path], None]) -> tuple[State, tuple[Line, ...], tuple[OpenChoice, ...]]:
        """The state after all stages. `stage_end` judges the limits of a stage by the name of its opener (`start` before all), and is told
        where the stage stands."""
        stage_end(START, self._sheet(self.state), (START,))
        record = self._entry.data.get(RECORD)
        for index, stage in enumerate(record if isinstance(record, list) else ()):
            if isinstance(stage, dict):
                for opener, picks in stage.items():
                    self._stage(opener, picks, (RECORD, index, opener))
                    self._unspent(opener, (RECORD, index, opener))
                    stage_end(opener, self._sheet(self.state), (RECORD, index, opener))
        states = self._entry.data.get(STATES)
        self.state.states = {str(k): str(v) for k, v in states.items()} if isinstance(states, dict) else {}
        for fault in state_faults(self._game, self._entry, self.state) if not self.lacking else ():
            self._say(fault)
        return self.state, tuple(self._lines), tuple(self._open())

    # Stages

    def _stage(self, opener: str, picks: Value, path: Path) -> None:
        self.state.used_here = {}
        self._stages += 1
        advance = self._advances.get(opener)
        if advance is None or not advance.opens:
            known = [name for name, a in self._advances.items() if a.opens]
            self._refuse("E521", f"nothing opens a stage called `{opener}`", path, did_you_mean(opener, known), key=True)
        listed, first = picks if isinstance(picks, list) else [], 0
        if advance is not None and advance.opens:
            own = listed[0].get(opener) if advance.of and listed and isinstance(listed[0], dict) else None
            first = int(own is not None)
            self._advance(advance, own, (*path, 0, opener) if first else path, key=not first)
        for index, item in enumerate(listed[first:], first):
            if isinstance(item, dict):
                self._item(item, (*path, index))

    def _item(self, item: Mapping[str, Value], path: Path) -> None:
        for name, pick in item.items():
            if name == WAIVE:
                continue
            advance = self._advances.get(name)
            if advance is None or advance.opens:
                known = [n for n, a in self._advances.items() if not a.opens]
                self._refuse("E521", f"there is no advance `{name}`", (*path, name), did_you_mean(name, known), key=True)
                continue
            self._advance(advance, pick, (*path, name), key=True, waived=item.get(WAIVE))

    def _advance(self, advance: Advance, pick: Value, path: Path, *, key: bool, waived: Value = None) -> None:
        refuse = _Refusal(self, advance, path, waived, key)
        self._limit(advance, refuse)
        picked = list(self._picked(advance, pick, path, refuse))
        if any(thing.key and self._game.library.entries[thing.key].broken for thing in picked):
            self.lacking = True  # what is at fault is told where it stands
            return
        before = self._sheet(self.state)
        for thing in picked or [Thing()]:
            if advance.when is not None and not before.holds(advance.when, thing):
                reason = before.said(advance.say, thing) if advance.say else advance.when.text
                refuse.once("E524", f"`{advance.id}` is not open to {thing or 'this character'}: {reason}")
        self._pay(advance, picked, before, refuse)
        for thing in picked or [Thing()]:
            raised = self._give(advance, thing, before)
            if refuse.counts:
                self.doubted |= raised
        for thing in picked:
            if thing.key is not None:
                self._take(thing, refuse)
        self._lines.append(self._line(advance, picked, before, self._grants(), self._entry.span(path)))
        if refuse.counts:
            self.lacking = self.lacking or (bool(advance.of) and not picked)
            self.state.used[advance.id] -= 1
            self.state.used_here[advance.id] -= 1

    def _line(self, advance: Advance, picked: list[Thing], before: Moment, after: Moment, span: Span) -> Line:
        """What the ledger keeps of a choice."""
        given = {
            stat: whole(sum((before.number(amount, thing) for thing in picked or [Thing()]), start=Fraction(0)))
            for stat, amount in advance.gives
            if stat != PICK
        }
        counted = {**self._last_price, **{stat: amount for stat, amount in given.items() if stat in self._budgets}}
        left = {budget: whole(after.stat(budget) - self.state.spent.get(budget, 0)) for budget in counted}
        stands: Number | None = None
        if len(picked) == 1:
            key, stat = picked[0].key, picked[0].stat
            if key is not None and self._most(key[1]) != 1:
                stands = self.state.taken[key]
            elif stat is not None:
                stands = after.stat(stat)
        nth = self.state.used[advance.id] if advance.opens and advance.limits.get(EVER) != 1 else None
        return Line(
            advance.id,
            tuple(str(thing) for thing in picked),
            span,
            called=advance.called,
            names=tuple(self._called(thing) for thing in picked),
            price=dict(self._last_price),
            given=given,
            left=left,
            stands=stands,
            nth=nth,
            stage=self._stages,
        )

    def _called(self, thing: Thing) -> str:
        """The name of an entry, the short name of a stat, a number as it is."""
        if thing.key is not None:
            return self._game.library.entries[thing.key].name
        noun = self._game.rules.get("stats", {}).get(thing.stat or "")
        return str(noun.data.get("short", thing)) if noun is not None and isinstance(noun.data, dict) else str(thing)

    def _limit(self, advance: Advance, refuse: _Refusal) -> None:
        state = self.state
        state.used[advance.id] = state.used.get(advance.id, 0) + 1
        state.used_here[advance.id] = state.used_here.get(advance.id, 0) + 1
        for word, most in advance.limits.items():
            used = state.used_here[advance.id] if word == STAGE else state.used[advance.id]
            if used > most:
                often = f"{'once' if most == 1 else f'{most} times'} {'a stage' if word == STAGE else 'ever'}"
                refuse.once("E522", f"`{advance.id}` may be taken {often}, and this is number {used}")

    # What is picked

    def _picked(self, advance: Advance, pick: Value, path: Path, refuse: _Refusal) -> Iterator[Thing]:
        if not advance.of:
            return
        listed = pick if isinstance(pick, list) else [pick]
        if len(listed) != advance.count:
            refuse.once("E523", f"`{advance.id}` takes {advance.count} {'thing' if advance.count == 1 else 'things'}, found {len(listed)}")
        seen: set[str] = set()
        for item in listed:
            thing = self._thing(advance, item, refuse)
            if thing is None:
                continue
            if str(thing) in seen:
                refuse.once("E523", f"`{thing}` is picked twice where different ones are asked for")
            seen.add(str(thing))
            yield thing

    def _thing(self, advance: Advance, item: Value, refuse: _Refusal) -> Thing | None:
        if isinstance(item, int | Fraction) and not isinstance(item, bool):
            return self._number_picked(advance, item, refuse)
        chosen: Mapping[str, Value] = item if isinstance(item, dict) else {TAKE: item}
        typed = chosen.get(TAKE)
        word = typed if isinstance(typed, str) else ""
        stats = stats_offered(self._game, advance.of)
        if word in stats or in_expressions(word) in stats:
            return Thing(stat=word if word in stats else in_expressions(word))
        found = entries_called(self._game, advance.of, word)
        if len(found) == 1:
            return Thing(key=found[0], chosen={k: v for k, v in chosen.items() if k != TAKE})
        if found:
            refuse.once("E523", f"`{word}` may be {', '.join(f'`{kind}/{name}`' for _, kind, name in found)}: say which")
            return None
        near = did_you_mean(word, [*stats, *(name for _, _, name in entries_offered(self._game, advance.of))])
        what = f"`{word}`" if word else "this"
        refuse.once("E523", f"{what} is nothing that `{advance.id}` can pick", *near)
        return None

    def _number_picked(self, advance: Advance, number: Number, refuse: _Refusal) -> Thing | None:
        if ANY_NUMBER not in advance.of:
            refuse.once("E523", f"`{advance.id}` picks no number, found {figure(number)}")
            return None
        sheet = self._sheet(self.state)
        for bound, said, sign in ((advance.least, "at least", -1), (advance.most, "at most", 1)):
            amount = sheet.number(bound, Thing()) if bound else None
            if amount is not None and (number - amount) * sign > 0:
                refuse.once("E523", f"expected {said} {figure(amount)} for `{advance.id}`, found {figure(number)}")
        return Thing(amount=number)

    # What it costs and gives

    def _pay(self, advance: Advance, picked: list[Thing], before: Moment, refuse: _Refusal) -> None:
        self._last_price: dict[str, Number] = {}
        for budget, price in advance.cost.items():
            by_pick = any(read == PICK or read.startswith(f"{PICK}.") for read in price.reads)
            each = picked if picked and by_pick else [picked[0] if picked else Thing()]
            cost = whole(sum((before.number(price, thing) for thing in each), start=Fraction(0)))
            left = max(whole(before.stat(budget) - self.state.spent.get(budget, 0)), 0)
            self._last_price[budget] = cost
            if cost > left:
                short = advance.remedy or (f"{figure(whole(cost - left))} more of `{budget}` would pay for it",)
                refuse.once("E525", f"`{advance.id}` costs {figure(cost)} of `{budget}`, and {figure(left)} {_are(left)} left", *short)
            if refuse.counts:
                self._unpaid |= advance.cost.keys()
            else:
                self.state.spent[budget] = whole(self.state.spent.get(budget, 0) + min(cost, left))

    def _give(self, advance: Advance, thing: Thing, before: Moment) -> set[str]:
        raised: set[str] = set()
        for stat, amount in advance.gives:
            target = thing.stat if stat == PICK else stat
            if target is None:
                continue
            number = before.number(amount, thing)
            step = Step("add", number, 0, advance.id, None, amount.path, (advance.noun.noun, advance.noun.id))
            self.state.frozen.setdefault(target, []).append(step)
            raised.add(target)
        return raised

    def _take(self, thing: Thing, refuse: _Refusal) -> None:
        key = thing.key
        assert key is not None
        most = self._most(key[1])
        self.state.taken[key] = self.state.taken.get(key, 0) + 1
        if self.state.taken[key] > most:
            often = "once" if most == 1 else f"{most} times"
            refuse.once("E526", f"`{key[2]}` may be taken {often}, and this is number {self.state.taken[key]}")
        offered = self._choices(key)
        for name, value in thing.chosen.items():
            if name not in offered:
                refuse.once("E527", f"`{key[2]}` asks for no choice `{name}`", *did_you_mean(name, offered))
                continue
            self._chosen(key, name, *offered[name], value, refuse)

    def _chosen(self, key: Key, name: str, path: Path, choice: Mapping[str, Value], value: Value, refuse: _Refusal) -> None:
        picked = tuple(str(v) for v in value) if isinstance(value, list) else (str(value),)
        count = choice["count"] if isinstance(choice.get("count"), int) else 1
        if len(picked) > count or len(set(picked)) != len(picked):
            refuse.once("E527", f"`{key[2]}` lets {count} different ones be chosen for `{name}`, found {len(picked)}")
        offered = [str(o) for o in (choice.get("from") or choice.get("options") or ())]
        bare = [o.rpartition("/")[2] for o in offered]
        for one in picked:
            if one not in offered and one not in bare:
                refuse.once("E527", f"`{one}` is not among what `{key[2]}` offers for `{name}`", *did_you_mean(one, bare))
        self.state.chosen[key, name] = picked
        targets = self._game.library.targets[key]
        for index, one in enumerate(bare):
            target = targets.get((*path, "from", index))
            if target is not None and (one in picked or offered[index] in picked):
                self.state.granted[target] = key

    def _most(self, kind: str) -> int:
        most = self._game.kind_rules(kind).get("most", 1)
        return most if isinstance(most, int) else 1

    # Grants and choices

    def _grants(self) -> Moment:
        """Grants to a fixed point: what is granted may grant more; nothing that is granted takes a grant away. Gives the sheet then."""
        while True:
            sheet = self._sheet(self.state)
            new = [(key, by) for key, by in sheet.grants() if key not in self.state.taken and key not in self.state.granted]
            if not new:
                return sheet
            for key, by in new:
                self.state.granted[key] = by

    def _choices(self, key: Key) -> dict[str, tuple[Path, Mapping[str, Value]]]:
        entry = self._game.library.entries[key]
        return {name: (path, choice) for path, name, choice in choices(entry, self.state.taken.get(key, 1))}

    def _open(self) -> Iterator[OpenChoice]:
        for key in sorted({*self.state.taken, *self.state.granted}):
            for name, (_, choice) in self._choices(key).items():
                count = choice.get("count", 1)
                made = self.state.chosen.get((key, name), ())
                if isinstance(count, int) and len(made) < count:
                    offered = tuple(str(o) for o in (choice.get("from") or choice.get("options") or ()))
                    yield OpenChoice(key, name, count - len(made), offered)

    # Telling

    def _unspent(self, opener: str, path: Path) -> None:
        sheet = self._sheet(self.state)
        for name, noun in self._game.rules.get("stats", {}).items():
            rule = noun.data.get("unspent") if isinstance(noun.data, dict) else None
            if rule is None:
                continue
            left = whole(sheet.stat(name) - self.state.spent.get(name, 0))
            if left > 0 and rule == "error" and name not in self._unpaid:
                self._refuse("E528", f"{figure(left)} {name} {_are(left)} unspent at the end of `{opener}`", path, (), key=True)
            if left > 0 and rule == "lose":
                self.state.spent[name] = sheet.stat(name)

    def _refuse(self, code: str, message: str, path: Path, hints: tuple[str, ...], *, key: bool) -> None:
        span = self._entry.key_span(path) if key else self._entry.span(path)
        self._say(Diagnostic(code, message, span, hints))

    def tell(self, code: str, message: str, path: Path, hints: tuple[str, ...], waived: Value, *, key: bool) -> None:
        """A refused choice, or the note of one that is waived."""
        if isinstance(waived, str):
            span = self._entry.key_span(path) if key else self._entry.span(path)
            self._say(Diagnostic("N511", f"waived: {message} ({waived})", span))
        else:
            self._refuse(code, message, path, hints, key=key)


class _Refusal:
    """Tells what is wrong with one choice: the first thing only."""

    def __init__(self, folder: Folder, advance: Advance, path: Path, waived: Value, key: bool) -> None:
        self._folder = folder
        self._remedy = advance.remedy
        self._path = path
        self._waived = waived
        self._key = key
        self.told = False

    @property
    def counts(self) -> bool:
        """Whether the choice is refused, and nothing overrules that."""
        return self.told and not isinstance(self._waived, str)

    def once(self, code: str, message: str, *hints: str) -> None:
        if not self.told:
            self.told = True
            remedy = self._remedy if code in BARRED else ()
            self._folder.tell(code, message, self._path, hints or remedy, self._waived, key=self._key)


class Moment(Protocol):
    """The numbers of a character at one moment: what a fold asks of a sheet."""

    def stat(self, name: str) -> Number:
        """The value of a stat; 0 where it cannot be worked out, which is already reported."""

    def holds(self, condition: Formula, thing: Thing) -> bool:
        """Whether a condition holds, with what was picked in sight."""

    def number(self, formula: Formula, thing: Thing) -> Number:
        """The value of a formula, with what was picked in sight; 0 where it cannot be worked out."""

    def said(self, parts: tuple[str | Compiled, ...], thing: Thing) -> str:
        """A text with its values, with what was picked in sight; a value that cannot be worked out is left out."""

    def grants(self) -> Iterable[tuple[Key, Key]]:
        """What the things it has grant."""


def _inputs(entry: Entry) -> Iterator[tuple[str, tuple[Number, Path]]]:
    start = entry.data.get(START)
    for name, value in start.items() if isinstance(start, dict) else ():
        if isinstance(value, int | Fraction) and not isinstance(value, bool):
            yield name, (value, (START, name))


def _are(number: Number) -> str:
    return "is" if number == 1 else "are"


"""What a filled sheet says, as the data of an entry.

In: the fields of a sheet, the data that it was printed from (nothing for an empty one), the game's library. Out: a `Transcript`: the data
with every change that was made on the sheet, and from which field each part came; what cannot be understood is a diagnostic that names the
field. Whether the result is allowed is not judged here.

Names of fields say what they mean: `entry/PATH` is a part of the data; `record/STAGE/ADVANCE` the choices of one kind in a stage, by their
names, and with `/ID` behind it one choice, ticked; with `/ID/N` as often as boxes are ticked; `+ROW` in place of an id is a row whose name
stands in the field of that name. `states/ID/STATE` is the state of a thing. `now` is the last stage. The name of a stat is a number that
the rules work out; all else is for the table and is left where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Value
from seasons_build.core.entry import Library, Noun
from seasons_build.core.filled import FilledField, FilledSheet
from seasons_build.core.kind import Kind
from seasons_build.core.names import did_you_mean
from seasons_build.core.record import dataclass, field
from seasons_build.core.regex import regex
from seasons_build.core.sheet import OpenChoice
from seasons_build.core.span import Path
from seasons_build.language.rules import kinds_meant, words_of

ENTRY, RECORD, STATES, NOW, ROW = "entry", "record", "states", "now", "+"
START, TAKE = "start", "take"
_OF_THEIR_OWN = (RECORD, STATES, START)
"""Parts of an entry whose fields are called otherwise than by where they stand in it."""
NUMBER = regex(r"[+-]?\d{1,15}\Z")
"""A whole number, as it is printed."""
_PLACE = regex(r"\d{1,5}\Z")
"""The place of something in a list, as the name of a field says it."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The data of an entry, and what is wrong with the fields. `numbers` are the numbers that stand on the sheet, by stat; `made` are the
    lines of the record that a field made, with its name."""

    data: dict[str, Any]
    numbers: Mapping[str, int]
    made: tuple[tuple[Mapping[str, Any], str], ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(slots=True)
class _Work:
    """What is being written."""

    data: dict[str, Any]
    numbers: dict[str, int] = field(default_factory=dict)
    made: list[tuple[Mapping[str, Any], str]] = field(default_factory=list)
    found: list[Diagnostic] = field(default_factory=list)


def transcribe(sheet: FilledSheet, data: Mapping[str, Value], library: Library, pack: str, kind: Kind) -> Transcript:
    """The data of an entry with all that was changed on its sheet.

    Codes: E781 (a field says what the game does not know), W781 (a field that the rules work out was changed).
    """
    reading = _Reading(sheet, library, pack, kind, _Work(_sound(_copied(data))))
    reading.run()
    work = reading.work
    return Transcript(work.data, work.numbers, tuple(work.made), tuple(work.found))


def _sound(data: dict[str, Any]) -> dict[str, Any]:
    """The data with a record, states and a start of the form that they have on every sheet of ours: a stranger's may hold anything."""
    record = data.get(RECORD)
    stages = [stage for stage in record if isinstance(stage, dict) and stage] if isinstance(record, list) else []
    for stage in stages:
        for opener, lines in stage.items():
            stage[opener] = [line for line in lines if isinstance(line, dict) and line] if isinstance(lines, list) else []
    kept = {key: value for key, value in data.items() if key not in (STATES, START) or isinstance(value, dict)}
    return {**kept, RECORD: stages} if RECORD in kept else kept


def fields_of(path: Path, read: Transcript, names: Sequence[str]) -> tuple[str, ...]:
    """The fields of a sheet that a part of the data stands in."""
    wanted: list[str] = []
    for line, name in read.made:
        if any(_at(read.data, path[:end]) is line for end in range(1, len(path) + 1)):
            return (name,)
    match path:
        case (str(head), int(stage), _, *rest) if head == RECORD:
            advance = next((str(part) for part in rest if isinstance(part, str)), "")
            pick = _picked(_at(read.data, path))
            wanted = [f"{RECORD}/{stage + 1}/{advance}", f"{RECORD}/{NOW}/{advance}/{pick}"] if advance else []
        case (str(head),) if head == START:
            return tuple(name for stat in read.data[START] for name in _first(stat, names))
        case (str(head), str(stat), *_) if head == START:
            wanted = [stat]
        case (str(key), *rest) if key != RECORD:
            wanted = [f"{key}/{'/'.join(map(str, rest))}/{_at(read.data, path)}"] if key == STATES and rest else []
            wanted += [f"{key}/{'/'.join(map(str, rest))}", f"{ENTRY}/{'/'.join(map(str, path))}"]
    return next((found for name in wanted if (found := tuple(_first(name, names)))), ())


def _first(name: str, names: Sequence[str]) -> Iterator[str]:
    """The first field of this name; of several boxes to tick the name that they share."""
    if any(there == name or there.startswith(f"{name}/") for there in names):
        yield name


def chosen(data: Mapping[str, Any], open_choices: Sequence[OpenChoice]) -> dict[str, Any]:
    """The data with choices that things offer made by what the same stage picks besides: on a sheet both are the same ticks."""
    record = [{opener: list(lines) for opener, lines in stage.items()} for stage in data.get(RECORD, ())]
    for choice in open_choices:
        for stage in record:
            for lines in stage.values():
                _choose(lines, choice)
    return {**data, RECORD: record} if record else dict(data)


def _choose(lines: list[dict[str, Any]], choice: OpenChoice) -> None:
    offered = [one.rpartition("/")[2] for one in choice.offered]
    taker = next((line for line in lines if any(_picked(pick) == choice.entry[2] for pick in line.values())), None)
    spent = [line for line in lines if line is not taker and any(pick in offered for pick in line.values() if isinstance(pick, str))]
    if taker is None or len(spent) < choice.count:
        return
    advance, pick = next(iter(taker.items()))
    picks = [next(iter(line.values())) for line in spent[: choice.count]]
    chooses = {**(pick if isinstance(pick, Mapping) else {TAKE: pick}), choice.name: picks if len(picks) > 1 else picks[0]}
    left = [line for line in lines if not any(line is one for one in spent[: choice.count])]
    lines[:] = [{**line, advance: chooses} if line is taker else line for line in left]


def _is_place(at: Any, key: Any) -> bool:
    """Whether a list has something at a place."""
    return isinstance(at, list) and isinstance(key, int) and key < len(at)


class _Reading:
    """One sheet being read."""

    def __init__(self, sheet: FilledSheet, library: Library, pack: str, kind: Kind, work: _Work) -> None:
        self.work = work
        self._fields = sheet.fields
        self._library = library
        self._pack = pack
        self._kind = kind
        rules = library.rules[pack]
        self._advances: Mapping[str, Noun] = rules.get("advances", {})
        self._stats = frozenset(words_of(library, pack, "stats"))

    def run(self) -> None:
        """Takes over every field that was changed, boxes that were emptied first."""
        counts: dict[str, list[FilledField]] = {}
        changed: list[tuple[str, FilledField]] = []
        for name, one in self._fields.items():
            head, _, last = name.rpartition("/")
            if one.tick and last.isdecimal():
                counts.setdefault(head, []).append(one)
            elif self._is_number(name):
                self._number(name, one)
            elif one.now != one.before:
                changed.append((name, one))
        for name, one in sorted(changed, key=lambda pair: bool(pair[1].now)):
            self._field(name, one)
        for name, boxes in counts.items():
            self._count(name, sum(1 for box in boxes if box.now), sum(1 for box in boxes if box.before))

    # Kinds of fields

    def _field(self, name: str, one: FilledField) -> None:
        match name.split("/"):
            case [head, *path] if head == ENTRY and path:
                self._part(name, path, one.now)
            case [head, stage, advance] if head == RECORD:
                self._choices(name, stage, advance, one.now)
            case [head, stage, advance, row] if head == RECORD and row.startswith(ROW):
                self._row(name, stage, advance, one.now)
            case [head, stage, advance, pick] if head == RECORD:
                self._times(name, stage, advance, pick, 1 if one.now else -1)
            case [head, thing, state] if head == STATES:
                self._state(name, thing, state, one)
            case _ if one.fixed:
                message = f"field `{name}`: the rules work it out, and `{one.now}` is not taken over"
                self.work.found.append(Diagnostic("W781", message))

    def _is_number(self, name: str) -> bool:
        return name.replace("/", ".") in self._stats

    def _number(self, name: str, one: FilledField) -> None:
        if NUMBER.match(one.now):
            self.work.numbers[name.replace("/", ".")] = int(one.now)
        elif one.now:
            self._fault(name, f"expected a whole number, found `{one.now}`")

    def _count(self, name: str, now: int, before: int) -> None:
        if self._is_number(name) and (now or before):
            self.work.numbers[name.replace("/", ".")] = now
        match name.split("/"):
            case [head, stage, advance, pick] if head == RECORD and now != before and not pick.startswith(ROW):
                self._times(name, stage, advance, pick, now - before)

    def _part(self, name: str, path: list[str], text: str) -> None:
        """A part of the data, as typed. Where there is nothing to be said of it any more it goes."""
        keys: list[Any] = [int(key) if _PLACE.match(key) else key for key in path]
        at: Any = self.work.data
        for key in keys[:-1] if keys[0] not in _OF_THEIR_OWN else ():
            at = at.setdefault(key, {}) if isinstance(at, dict) else at[key] if _is_place(at, key) else None
        if keys[0] in _OF_THEIR_OWN or (not isinstance(at, dict) and not _is_place(at, keys[-1])):
            self._fault(name, "there is no such place in the entry")
            return
        if not text:
            at.pop(keys[-1], *(() if isinstance(at, list) else (None,)))
            return
        typed = self._kind.schema.get("properties", {}).get(path[0], {}).get("type") if len(path) == 1 else None
        at[keys[-1]] = int(text) if typed in ("integer", "number") and NUMBER.match(text) else text

    def _state(self, name: str, thing: str, state: str, one: FilledField) -> None:
        states = self.work.data.setdefault(STATES, {})
        if thing.startswith(ROW):
            named = self._fields.get(f"{STATES}/{thing}")
            found = self._entry(f"{STATES}/{thing}", named.now if named else "", ("*",))
            if found is not None:
                states[found] = state
        elif one.now:
            states[thing] = state
        elif states.get(thing) == state:
            del states[thing]
        if not states:
            del self.work.data[STATES]

    # Choices

    def _choices(self, name: str, stage: str, advance: str, text: str) -> None:
        """The choices of one kind in a stage, in place of those that were there."""
        noun = self._advance(name, advance)
        if noun is None:
            return
        picks = [pick for part in text.split(",") if part.strip() and (pick := self._pick(name, noun, part.strip())) is not None]
        lines = self._lines(stage)
        old = [line for line in lines if advance in line]
        count = noun.data.get("pick", {}).get("count", 1) if isinstance(noun.data, Mapping) else 1
        new: list[dict[str, Any]] = [{advance: picks}] if count != 1 and picks else [{advance: pick} for pick in picks]
        kept = {pick: line for line in old if isinstance(pick := _picked(line[advance]), str)}
        new = [kept.get(line[advance], line) if isinstance(line[advance], str) else line for line in new]
        at = lines.index(old[0]) if old else len(lines)
        lines[:] = [line for line in lines if advance not in line]
        lines[at:at] = new
        self.work.made += [(line, name) for line in new]

    def _row(self, name: str, stage: str, advance: str, text: str) -> None:
        """A row with a name of its own, as often as its boxes say, in the state that is ticked."""
        noun = self._advance(name, advance)
        pick = self._pick(name, noun, text) if noun is not None and text else None
        if pick is None:
            return
        inner = {key.removeprefix(f"{name}/"): one for key, one in self._fields.items() if key.startswith(f"{name}/") and one.now}
        self._times(name, stage, advance, str(pick), max(1, sum(1 for key in inner if key.isdecimal())))
        for state in inner:
            if not state.isdecimal():
                self.work.data.setdefault(STATES, {})[str(pick)] = state

    def _times(self, name: str, stage: str, advance: str, pick: str, times: int) -> None:
        """A choice made so many times more, or fewer: the last ones go first."""
        if self._advance(name, advance) is None:
            return
        for _ in range(times):
            line = {advance: pick}
            self._lines(stage).append(line)
            self.work.made.append((line, name))
        for _ in range(-times):
            held = [lines for lines in self._stages() if any(_picked(line.get(advance)) == pick for line in lines)]
            if held:
                last = max(index for index, line in enumerate(held[-1]) if _picked(line.get(advance)) == pick)
                del held[-1][last]

    def _stages(self) -> list[list[dict[str, Any]]]:
        return [lines for stage in self.work.data.get(RECORD, ()) for lines in stage.values()]

    def _lines(self, stage: str) -> list[dict[str, Any]]:
        """The lines of a stage, which is begun where it is not there: the first by the first advance that opens one, others by the last."""
        record: list[dict[str, Any]] = self.work.data.setdefault(RECORD, [])
        wanted = max(1, len(record)) if stage == NOW else int(stage) if _PLACE.match(stage) else 1
        openers = [name for name, noun in self._advances.items() if isinstance(noun.data, Mapping) and noun.data.get("opens") is True]
        while len(record) < min(wanted, 100) and openers:
            record.append({openers[-1] if record else openers[0]: []})
        return next(iter(record[min(wanted, len(record)) - 1].values())) if record else []

    def _advance(self, name: str, advance: str) -> Noun | None:
        if advance not in self._advances:
            self._fault(name, f"there is no advance `{advance}`", *did_you_mean(advance, self._advances))
            return None
        return self._advances[advance]

    def _pick(self, name: str, noun: Noun, text: str) -> str | int | None:
        """What a name on the sheet picks: a number, a stat by its short name, or an entry by its name."""
        pick = noun.data.get("pick", {}) if isinstance(noun.data, Mapping) else {}
        of = pick.get("of", ())
        words = tuple(map(str, of)) if isinstance(of, list) else (str(of),)
        if NUMBER.match(text):
            return int(text)
        for stat, called in self._called(words):
            if text.casefold() in (stat, called):
                return stat
        return self._entry(name, text, words)

    def _called(self, words: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The stats among what can be picked, with their short names."""
        stats = self._library.rules[self._pack].get("stats", {})
        for word in words:
            noun = stats.get(word)
            each = noun.data.get("each") if noun is not None and isinstance(noun.data, Mapping) else None
            for member in map(str, each) if isinstance(each, list) else (word,) if noun is not None else ():
                data = stats[member].data if member in stats else {}
                short = data.get("short") if isinstance(data, Mapping) else None
                yield member, str(short or member.replace("_", " ")).casefold()

    def _entry(self, name: str, text: str, words: Sequence[str]) -> str | None:
        """The id of an entry by its name or its id; what follows a colon is only said of it."""
        kinds = [kind for word in words for kind in kinds_meant(self._library, self._pack, word)]
        known: dict[str, str] = {}
        for entry in (entry for kind in kinds for entry in self._library.of_kind(self._pack, kind)):
            known.setdefault(entry.name.casefold(), entry.id)
            known.setdefault(entry.id, entry.id)
        for said in (text, text.partition(":")[0].strip()):
            if said.casefold() in known:
                return known[said.casefold()]
        self._fault(name, f"there is no `{text}`", *did_you_mean(text.casefold(), known))
        return None

    def _fault(self, name: str, message: str, *hints: str) -> None:
        self.work.found.append(Diagnostic("E781", f"field `{name}`: {message}", None, hints))


def _picked(pick: Value) -> Value:
    """What a line of a record picks, without the choices that it makes."""
    return pick.get(TAKE) if isinstance(pick, Mapping) else pick


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copied(inner) for key, inner in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data

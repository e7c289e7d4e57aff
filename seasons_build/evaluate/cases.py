"""The games' own tests (part of evaluate).

A case gives an entry (by name, or made up of a kind and fields), a row of a table, or a roll with its arguments; and expects numbers,
lines, limits that are broken, or chances. In: a library. Out: how each case came out, and what all of them together touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from seasons_build.core.balance import BalanceTable
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.dice_amount import figure
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Library, Noun
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Path
from seasons_build.evaluate.environs import printed
from seasons_build.evaluate.game import Game
from seasons_build.evaluate.rolls import facts_of, rolls_of
from seasons_build.evaluate.tables import look_up, row_of, table_shape
from seasons_build.language.dice import Odds, Refused, Roll, Rolls, compile_rolls

CASES = "cases"
EXPECT, GIVEN = "expect", "given"
ENTRY, KIND, TABLE, ROLL, KEYS, BALANCE, DICE, QUANTITY = "entry", "kind", "table", "roll", "keys", "balance", "dice", "quantity"
OR = " or "
LIMITS, FAULTS, LINES, ROWS, TAIL, MEAN = "limits", "faults", "lines", "rows", "tail", "mean"


class CaseResult(NamedTuple):
    """How one case came out: its failures, each at the line of what it expected; and what it touched."""

    pack: str
    id: str
    failures: tuple[Diagnostic, ...]
    claims: tuple[str, ...] = ()


class Given(NamedTuple):
    """An entry as a case gives it, worked out: its sheet, its lines, the limits it breaks and what each says then, other faults."""

    sheet: Sheet | None
    lines: list[str]
    broken: Mapping[str, str]
    faults: tuple[Diagnostic, ...]


Look = Callable[[Entry], Given]
Weigh = Callable[[str], tuple[BalanceTable, ...]]
"""Gives the balances of the pack with the one entry that is named."""


class Runner:
    """Runs the cases of one pack."""

    def __init__(self, library: Library, pack: str, look: Look, weigh: Weigh) -> None:
        self._library = library
        self._game = Game(library, pack)
        self._pack = pack
        self._look = look
        self._rolls: Rolls | None = None
        self._weigh = weigh
        self.touched: set[tuple[str, str]] = set()
        """Stats, limits, tables' rows and rolls that a case asked for, by noun and name."""

    def run(self, chosen: Iterable[str] | None = None) -> Iterator[CaseResult]:
        """The cases that the pack itself declares, in the order typed; or those `chosen`, in their order. Each is tried when it is asked
        for."""
        cases = self._game.rules.get(CASES, {})
        for name in cases if chosen is None else chosen:
            if cases[name].pack == self._pack:
                yield self._case(cases[name])

    def _case(self, noun: Noun) -> CaseResult:
        data = noun.data if isinstance(noun.data, dict) else {}
        given = data.get(GIVEN)
        claim = data.get("claim")
        claims = tuple(str(c) for c in claim) if isinstance(claim, list) else (str(claim),) if claim else ()
        if not isinstance(given, dict) or EXPECT not in data:
            return CaseResult(self._pack, noun.id, (_fault(noun, (), "expected `given` and `expect` in a case"),), claims)
        if BALANCE in given:
            failures = self._balance(noun, given, data[EXPECT])
        elif TABLE in given:
            failures = self._table(noun, given, data[EXPECT])
        elif QUANTITY in given:
            failures = self._quantity(noun, given, data[EXPECT])
        elif ROLL in given:
            failures = self._roll(noun, given, data[EXPECT])
        else:
            failures = self._entry(noun, given, data[EXPECT])
        return CaseResult(self._pack, noun.id, tuple(failures), claims)

    # Entries

    def _entry(self, noun: Noun, given: Mapping[str, Value], expect: Value) -> Iterator[Diagnostic]:
        entry = self._given(noun, given)
        if isinstance(entry, Diagnostic):
            yield entry
            return
        seen = self._look(entry)
        wanted: Mapping[str, Value] = expect if isinstance(expect, dict) else {}
        named = _named(wanted.get(LIMITS))
        self.touched |= {("limits", name) for name in {*named, *seen.broken}}
        yield from self._limits(noun, seen, named)
        yield from self._faults(noun, seen, wanted)
        for name, value in wanted.items():
            if name not in (LIMITS, FAULTS):
                yield from self._value(noun, seen, name, value, (EXPECT, name))

    def _given(self, noun: Noun, given: Mapping[str, Value]) -> Entry | Diagnostic:
        if KIND in given:
            found = next((c for c in self._library.cases if c.document is noun.document and c.place == _place(noun)), None)
            return found if found is not None else _fault(noun, (GIVEN, KIND), "this case's entry cannot be made")
        name = str(given.get(ENTRY, ""))
        scope = self._library.packs[self._pack].scope
        entries = [e for e in self._library.entries.values() if e.pack in scope and name in (e.id, f"{e.kind}/{e.id}", str(e))]
        if len(entries) == 1:
            return entries[0]
        near = did_you_mean(name.rpartition("/")[2], [e.id for e in self._library.entries.values()])
        message = f"`{name}` is no entry" if not entries else f"`{name}` may be more than one entry"
        return _fault(noun, (GIVEN, ENTRY) if ENTRY in given else (GIVEN,), message, near)

    def _limits(self, noun: Noun, seen: Given, named: Mapping[str, str | None]) -> Iterator[Diagnostic]:
        for name, text in named.items():
            if name not in seen.broken:
                yield _fault(noun, (EXPECT, LIMITS), f"expected that the limit `{name}` is broken, and it holds")
            elif text is not None and text != seen.broken[name]:
                yield _fault(noun, (EXPECT, LIMITS, name), f"expected `{text}`, and the limit says `{seen.broken[name]}`")
        for name in [name for name in seen.broken if name not in named]:
            yield _fault(noun, (GIVEN,), f"the limit `{name}` is broken, and this case does not expect it")

    def _faults(self, noun: Noun, seen: Given, wanted: Mapping[str, Value]) -> Iterator[Diagnostic]:
        """What else is wrong with an entry: nothing, or as many faults of as many codes as the case expects. A case that expects a broken
        limit leaves open what else is wrong."""
        if FAULTS in wanted:
            codes = wanted[FAULTS] if isinstance(wanted[FAULTS], list) else [wanted[FAULTS]]
            found = sorted(fault.code for fault in seen.faults)
            if sorted(map(str, codes)) != found:
                yield _fault(noun, (EXPECT, FAULTS), f"expected {', '.join(map(str, codes))}, found {', '.join(found) or 'no fault'}")
        elif not wanted.get(LIMITS):
            for fault in seen.faults:
                yield _fault(noun, (GIVEN,), fault.message, fault.hints)

    def _value(self, noun: Noun, seen: Given, name: str, value: Value, path: Path) -> Iterator[Diagnostic]:
        if name == LINES:
            wanted = [str(line) for line in value] if isinstance(value, list) else [str(value)]
            if wanted != seen.lines:
                yield _fault(noun, path, f"expected the lines {wanted}, found {seen.lines}")
            return
        if seen.sheet is None:
            yield _fault(noun, path, "this entry could not be worked out")
            return
        if name == ROWS:
            yield from self._rows(noun, seen.sheet, value, path)
            return
        self.touched.add(("stats", name))
        self.touched |= {("stats", read) for read in seen.sheet.steps}
        if name not in seen.sheet.stats:
            yield _fault(noun, path, f"there is no stat `{name}`", did_you_mean(name, seen.sheet.stats), key=True)
        elif seen.sheet.stats[name] != value and printed(seen.sheet.stats[name]) != str(value):
            yield _fault(noun, path, f"expected `{name}` {_said(value)}, found {figure(seen.sheet.stats[name])}")

    def _rows(self, noun: Noun, sheet: Sheet, value: Value, path: Path) -> Iterator[Diagnostic]:
        for name, wanted in value.items() if isinstance(value, dict) else ():
            self.touched.add(("rows", name))
            rows = {str(row["id"]): row for row in sheet.rows.get(name, ())}
            for row, values in wanted.items() if isinstance(wanted, dict) else ():
                if values is None and str(row) in rows:
                    yield _fault(noun, (*path, name, row), f"expected no row `{row}`, and there is one")
                for key, number in values.items() if isinstance(values, dict) else ():
                    found = rows.get(str(row), {}).get(key)
                    if found != number and (found is None or str(number) not in (str(found), printed(found))):
                        yield _fault(noun, (*path, name, row, key), f"expected {_said(number)}, found {_said(found)}")

    # Tables and rolls

    def _table(self, noun: Noun, given: Mapping[str, Value], expect: Value) -> Iterator[Diagnostic]:
        name = str(given[TABLE])
        table = self._game.rules.get("tables", {}).get(name)
        if table is None:
            near = did_you_mean(name, self._game.rules.get("tables", {}))
            yield _fault(noun, (GIVEN, TABLE), f"there is no table `{name}`", near)
            return
        typed = given.get(KEYS, [])
        keys = tuple(typed) if isinstance(typed, list) else (typed,)
        numeric = table_shape(table.data)[0]
        for further, wanted in _leaves(expect):
            asked = (*keys, *(int(key) if key.lstrip("-").isdigit() else key for key in further))
            if len(asked) != len(numeric):
                yield _fault(noun, (GIVEN, KEYS), f"`{name}` takes {len(numeric)} keys, found {len(asked)}")
                return
            wrong = [key for key, number in zip(asked, numeric, strict=True) if number and not isinstance(key, int)]
            if wrong:
                yield _fault(noun, (EXPECT, *further), f"expected a number as a key of `{name}`, found {_said(wrong[0])}")
                return
            found = look_up(table.data, asked)
            used = row_of(table.data, asked)
            if used is not None:
                self.touched.add(("tables", f"{name} {' '.join(used)}"))
            if found != wanted:
                yield _fault(noun, (EXPECT, *further), f"expected {_said(wanted)}, found {_said(found)}")

    def _roll(self, noun: Noun, given: Mapping[str, Value], expect: Value) -> Iterator[Diagnostic]:
        if self._rolls is None:
            self._rolls = rolls_of(self._game)
        name = str(given[ROLL])
        roll = self._rolls.rolls.get(name)
        if roll is None:
            declared = self._game.rules.get("rolls", {})
            if name in declared:
                yield _fault(noun, (GIVEN, ROLL), f"the roll `{name}` is at fault itself")
            else:
                yield _fault(noun, (GIVEN, ROLL), f"there is no roll `{name}`", did_you_mean(name, declared))
            return
        self.touched.add(("rolls", name))
        arguments = {key: value for key, value in given.items() if key not in (ROLL, DICE)}
        dice = given.get(DICE)
        try:
            if isinstance(dice, dict):
                yield from _readings(noun, roll, arguments, dice, expect)
            else:
                yield from self._chances(noun, roll.odds(arguments), expect)
        except Refused as refused:
            problem = refused.problem
            yield _fault(noun, (GIVEN, problem.argument) if problem.argument else (GIVEN,), problem.message, problem.hints)

    def _quantity(self, noun: Noun, given: Mapping[str, Value], expect: Value) -> Iterator[Diagnostic]:
        """A quantity whose formula reads what the case gives: a roll without dice."""
        name = str(given[QUANTITY])
        declared = self._game.rules.get("quantities", {})
        if name not in declared:
            yield _fault(noun, (GIVEN, QUANTITY), f"there is no quantity `{name}`", did_you_mean(name, declared))
            return
        self.touched.add(("quantities", name))
        handed = {key: value for key, value in given.items() if key != QUANTITY}
        read = {"takes": dict.fromkeys(handed, "number"), "value": declared[name].data.get("value")}
        rolls = compile_rolls({name: read}, facts_of(self._game))
        try:
            found = rolls.rolls[name].reading("value", handed, {}) if name in rolls.rolls else None
            problems = rolls.problems
        except Refused as refused:
            found, problems = None, (refused.problem,)
        if problems:
            yield _fault(noun, (GIVEN,), problems[0].message, problems[0].hints)
        elif found != expect:
            yield _fault(noun, (EXPECT,), f"expected {_said(expect)}, found {_said(found)}")

    def _balance(self, noun: Noun, given: Mapping[str, Value], expect: Value) -> Iterator[Diagnostic]:
        name, entry = str(given[BALANCE]), str(given.get(ENTRY))
        tables = {table.id: table for table in self._weigh(entry)}
        table = tables.get(name)
        if table is None:
            yield _fault(noun, (GIVEN, BALANCE), f"there is no balance `{name}`", did_you_mean(name, tables))
            return
        self.touched.add((BALANCE, name))
        cells = next((cells for key, cells in table.rows if entry in (key[2], f"{key[1]}/{key[2]}")), None)
        if cells is None:
            known = [e.id for e in self._library.entries.values()]
            yield _fault(noun, (GIVEN, ENTRY), f"`{entry}` is not in `{name}`", did_you_mean(entry, known))
            return
        found = {figure(column): cell.rounds for column, cell in zip(table.columns, cells, strict=True)}
        for column, wanted in expect.items() if isinstance(expect, dict) else ():
            rounds = found.get(str(column))
            if rounds is None or not _near(rounds, wanted):
                shown = "nothing" if rounds is None else figure((2 * rounds * 100 + 1) // 2 / Fraction(100))
                yield _fault(noun, (EXPECT, column), f"expected {_said(wanted)} Rounds at {column}, found {shown}")

    def _chances(self, noun: Noun, odds: Odds, expect: Value) -> Iterator[Diagnostic]:
        for name, wanted in expect.items() if isinstance(expect, dict) else ():
            found = odds.tail if name == TAIL else odds.value.mean if name == MEAN and odds.value else _any_of(name, odds)
            if found is None:
                yield _fault(noun, (EXPECT, name), f"the roll has no outcome `{name}`", did_you_mean(name, odds.outcomes), key=True)
            elif not _equal(found, wanted):
                yield _fault(noun, (EXPECT, name), f"expected {_said(wanted)} for `{name}`, found {figure(found)} ({_per_cent(found)})")


def _readings(
    noun: Noun, roll: Roll, arguments: Mapping[str, Value], dice: Mapping[str, Value], expect: Value
) -> Iterator[Diagnostic]:
    """What is read of dice that lie as the case says, where that is not what it expects."""
    for name, wanted in expect.items() if isinstance(expect, dict) else ():
        found = roll.reading(name, arguments, dice)
        if found != wanted and str(found) != str(wanted):
            yield _fault(noun, (EXPECT, name), f"expected `{name}` {_said(wanted)}, found {_said(found)}")


def _named(limits: Value) -> Mapping[str, str | None]:
    """The limits that a case names, each with what it must say where the case says that."""
    if isinstance(limits, dict):
        return {str(name): str(text) for name, text in limits.items()}
    return {str(name): None for name in (limits if isinstance(limits, list) else [limits] if limits else [])}


def _leaves(expect: Value) -> Iterator[tuple[tuple[str, ...], Value]]:
    """What is expected of a table, and under which keys."""
    if not isinstance(expect, dict):
        yield (), expect
        return
    for key, value in expect.items():
        yield from (((str(key), *further), leaf) for further, leaf in _leaves(value))


def _any_of(name: str, odds: Odds) -> Fraction | None:
    """The chance of an outcome, or of any of several (`success or exceptional`); None where one of them is none of the roll's."""
    chances = [odds.outcomes.get(word) for word in name.split(OR)]
    return None if None in chances else sum((c for c in chances if c is not None), start=Fraction(0))


def _equal(found: Fraction | int, wanted: Value) -> bool:
    """Whether a chance is what a case expects: a fraction, a number, or a per cent figure with as many places as it is written with."""
    if isinstance(wanted, str) and wanted.endswith("%"):
        text = wanted[:-1].strip()
        places = len(text.partition(".")[2])
        unit = Fraction(1, 10**places)
        scaled = Fraction(found) * 100 / unit
        rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator) * unit
        return rounded == Fraction(text)
    try:
        return Fraction(found) == Fraction(wanted)
    except (ValueError, TypeError, ZeroDivisionError):
        return False


def _near(rounds: Fraction, wanted: Value) -> bool:
    """Whether Rounds are what a case expects, to as many places as it is written with."""
    text = figure(wanted) if isinstance(wanted, int | Fraction) else str(wanted)
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    try:
        return (2 * rounds / unit + 1) // 2 * unit == Fraction(text)
    except ValueError:
        return False


def _per_cent(chance: Fraction | int) -> str:
    thousandths = (2 * Fraction(chance) * 1000 + 1) // 2
    return f"{thousandths // 10}.{thousandths % 10} %"


def _place(noun: Noun) -> Path:
    return ("rules", noun.noun, noun.id, GIVEN)


def _fault(noun: Noun, path: Path, message: str, hints: tuple[str, ...] = (), *, key: bool = False) -> Diagnostic:
    return Diagnostic("E540", f"case `{noun.id}`: {message}", noun.key_span(path) if key or not path else noun.span(path), hints)


def _said(value: Value) -> str:
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return figure(value)
    return "nothing" if value is None else str(value)

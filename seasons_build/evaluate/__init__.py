"""Stage: a library becomes sheets: every number worked out, with the steps that made it.

In: a linked library. Out: a `Sheet` for each entry, and what is illegal, faulty or not as printed. Evaluation is whole, every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from seasons_build.core.balance import BalanceTable
from seasons_build.core.diagnostic import Diagnostic, Result, errors
from seasons_build.core.dice_amount import figure, whole
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Path
from seasons_build.evaluate.amounts import is_said_amount
from seasons_build.evaluate.balance import BALANCE, Weigher
from seasons_build.evaluate.cases import CaseResult, Given, Runner
from seasons_build.evaluate.chapters import LongTexts
from seasons_build.evaluate.characters import CharacterMoment
from seasons_build.evaluate.compiler import Compiler, Failed
from seasons_build.evaluate.effects import decides_a_grant
from seasons_build.evaluate.environs import Circle, SheetEnv, printed
from seasons_build.evaluate.fields import Absent, Reader, values_at
from seasons_build.evaluate.game import Game
from seasons_build.evaluate.ledger import ledger
from seasons_build.evaluate.lines import Writer
from seasons_build.evaluate.program import Limit, Program, compile_program, labels_only, members
from seasons_build.evaluate.record import RECORD, START, Advance, Folder, Moment, compile_advances
from seasons_build.evaluate.rolls import roll_faults, rolls_of
from seasons_build.evaluate.sheets import WANTS, SheetWork, key_name
from seasons_build.evaluate.state import State
from seasons_build.evaluate.tables import table_keys
from seasons_build.language.chapter import LONG
from seasons_build.language.dice import Rolls
from seasons_build.language.expression import TRUTH, Compiled, Problem
from seasons_build.language.expression.monotone import monotone
from seasons_build.language.phrases import Lines, flat

__all__ = [
    "CaseResult",
    "Evaluated",
    "Tried",
    "choose",
    "evaluate",
    "key_name",
    "printed",
    "rolls_in",
    "run_cases",
    "try_cases",
    "weigh",
]

NOW = "now"
LEVELS = {"error": "E510", "warning": "W510", "note": "N510"}


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What was worked out: the sheet of each entry, and its rules lines where its game has sentences."""

    sheets: Mapping[Key, Sheet]
    lines: Mapping[Key, Lines]


def evaluate(library: Library, unknown: frozenset[str] = frozenset()) -> Result[Evaluated]:
    """The sheets of all entries that are not broken, but for the packs of which something is unknown.

    Codes: E501 to E506 (values that cannot be worked out), E510 W510 N510 (a limit), N511 (a limit waived), N501 (a printed value that
    the rules do not give), and what is wrong with expressions (E4).
    """
    found: list[Diagnostic] = []
    sheets: dict[Key, Sheet] = {}
    lines: dict[Key, Lines] = {}
    for pack in library.packs:
        if pack in unknown:
            continue
        entries = [e for (owner, _), group in sorted(library.by_kind.items()) if owner == pack for e in group]
        work = _Evaluation(library, pack, sheets)
        found += work.run(entries)
        writer = Writer(library, pack)
        found += writer.faults()
        for entry in entries:
            if entry.key in sheets:
                written, faults = writer.lines(entry, sheets[entry.key])
                found += faults
                if errors(faults):
                    sheets[entry.key] = replace(sheets[entry.key], whole=False)
                if written is not None:
                    lines[entry.key] = written
        found += work.long_texts(entries, lines)
    return Result(Evaluated(sheets, lines), tuple(found))


class _Evaluation:
    """The work on one pack."""

    def __init__(self, library: Library, pack: str, sheets: dict[Key, Sheet]) -> None:
        self._game = Game(library, pack)
        self._programs: dict[str, Program] = {}
        self._compiler = Compiler(self._game, self.program)
        self._reader = Reader(library, self._formula)
        self._sheets = sheets
        self._found: list[Diagnostic] = []
        self._work: SheetWork | None = None
        self._advances: Mapping[str, Advance] | None = None
        self._broken_limits: dict[str, str] = {}

    def run(self, entries: Iterable[Entry]) -> list[Diagnostic]:
        for noun in self._game.rules.get("kinds", {}):
            if self._game.library.find_kind(self._game.pack, noun):
                self.program(noun)
        for entry in entries:
            if entry.broken:
                continue
            faults = list(self._static(entry))
            self._found += faults
            if not errors(faults):
                before = len(self._found)
                self._one(entry)
                if errors(self._found[before:]):
                    self._sheets[entry.key] = replace(self._sheets[entry.key], whole=False)
        own_rolls = any(noun.pack == self._game.pack for noun in self._game.rules.get("rolls", {}).values())
        rolls = list(roll_faults(self._game, rolls_of(self._game))) if own_rolls else []
        return [*_once(self._game.found), *rolls, *self._found]

    def long_texts(self, entries: Iterable[Entry], lines: Mapping[Key, Lines]) -> Iterator[Diagnostic]:
        """Fills in the long texts of entries, once all else is worked out; gives what is wrong with them."""
        filler = LongTexts(self._game, self._compiler, self._sheets, lines)
        for entry in entries:
            sheet = self._sheets.get(entry.key)
            if sheet is not None and any(prose.role == LONG for prose in entry.announced.prose):
                texts, faults = filler.of(entry)
                self._sheets[entry.key] = replace(sheet, texts={**sheet.texts, **texts}, whole=sheet.whole and not errors(faults))
                yield from faults

    def program(self, kind: str) -> Program:
        """The program of a kind, compiled once."""
        if kind not in self._programs:
            found = self._game.library.find_kind(self._game.pack, kind)
            assert found is not None, f"a program of `{kind}`, which is no kind here"
            self._programs[kind] = compile_program(self._game, found)
        return self._programs[kind]

    def bearer(self, entry: Entry) -> SheetWork:
        """The work on an entry, for what asks it for single values."""
        self._work = self._worker(entry, self.program(entry.kind))
        return self._work

    def _static(self, entry: Entry) -> Iterator[Diagnostic]:
        """What is wrong with the formulas of an entry, whether or not anybody ever bears it."""
        for formula in entry.announced.formulas:
            if is_said_amount(self._game.rules, formula.text):
                continue
            compiled, problems = self._compiler.with_problems(entry, formula.path, formula.text, WANTS[formula.want])
            if compiled is not None and formula.want == "amount" and compiled.type.sort not in ("number", "dice", "unknown"):
                problems = (*problems, Problem("E416", f"expected a number or dice, found {compiled.type}", 0, len(formula.text)))
            if compiled is not None and formula.path[-1] == "when" and decides_a_grant(entry.data, formula.path):
                problems = (*problems, *monotone(compiled))
            yield from (problem.located(*entry.where(formula.path)) for problem in problems)

    def _one(self, entry: Entry) -> None:
        self._broken_limits = {}
        program = self.program(entry.kind)
        if RECORD in entry.data or START in entry.data:
            self._character(entry, program)
            return
        self._work = self._worker(entry, program)
        sheet = self._work.run()
        self._sheets[entry.key] = sheet
        self._found += self._limits(program, entry, None)
        self._found += _claims(entry, sheet)

    def _worker(self, entry: Entry, program: Program, state: State | None = None) -> SheetWork:
        return SheetWork(self._compiler, program, entry, self._reader, self._tell, state)

    def _tell(self, diagnostic: Diagnostic) -> None:
        self._found.append(diagnostic)

    def _character(self, entry: Entry, program: Program) -> None:
        """An entry that keeps a record: its choices folded, its limits judged at the end of each stage and as it is now."""
        if self._advances is None:
            self._advances = compile_advances(self._game, program)

        def moment(state: State) -> CharacterMoment:
            self._work = self._worker(entry, program, state)
            return CharacterMoment(self._work)

        def stage_end(opener: str, at: Moment, place: Path) -> None:
            self._found += self._limits(program, entry, opener, folder.doubted, place)

        folder = Folder(self._game, entry, self._advances, moment, self._tell)
        state, lines, open_choices = folder.fold(stage_end)
        self._work = self._worker(entry, program, state)
        sheet = self._work.run()
        self._found += self._limits(program, entry, NOW, folder.doubted)
        left = {budget: whole(sheet.stats.get(budget, 0) - spent) for budget, spent in sorted(state.spent.items())}
        rows = {**sheet.rows, RECORD: tuple(ledger(lines))}
        self._sheets[entry.key] = replace(sheet, rows=rows, record=lines, open=open_choices, left=left)
        self._found += _claims(entry, sheet)

    def look(self, entry: Entry, writer: Writer) -> Given:
        """An entry as a case gives it."""
        self._found = []
        if entry.broken:
            return Given(None, [], {}, ())
        faults = list(self._static(entry))
        if not any(d.severity == "error" for d in faults):
            self._one(entry)
        sheet = self._sheets.get(entry.key)
        lines = writer.lines(entry, sheet)[0] if sheet is not None else None
        book = writer.book
        said = flat(book, entry.kind, lines) if book is not None and lines is not None else []
        limits = {d.code for d in self._found if d.code in LEVELS.values()}
        told = tuple(dict.fromkeys(d for d in (*faults, *self._found) if d.severity == "error" and d.code not in limits))
        return Given(sheet, said, dict(self._broken_limits), told)

    def holds(self, entry: Entry, condition: str) -> bool | str:
        """Whether a condition holds for an entry; what is wrong with it where the entry's kind cannot read it."""
        compiled, problems = self._compiler.with_problems(entry, (), condition, TRUTH)
        if compiled is None:
            return ": ".join((problems[0].message, *problems[0].hints))
        if entry.broken:
            return False
        self._work = self._worker(entry, self.program(entry.kind))
        try:
            return compiled.run(SheetEnv(self._work, values_at(entry.data, ()), {}, entry)) is True
        except (Absent, Failed, Circle):
            return False

    def _formula(self, entry: Entry, path: Path) -> Value:
        assert self._work is not None
        return self._work.formula(entry, path)

    def _limits(
        self, program: Program, entry: Entry, when: str | None, doubted: frozenset[str] = frozenset(), place: Path = ()
    ) -> Iterator[Diagnostic]:
        """The limits that are broken: all of them, or those that are judged at an end of a stage (`when`, at `place`). One that is told
        already is not told again, nor is one that reads a number which a refused choice has raised: its cause is told."""
        assert self._work is not None
        waived = entry.data.get("waive")
        for limit in program.limits:
            at = limit.noun.data.get("at")
            if when is not None and at != when and (at is not None or when == START):
                continue
            if limit.id in self._broken_limits or not doubted.isdisjoint(limit.check.reads):
                continue
            env = SheetEnv(self._work, values_at(entry.data, ()), {}, entry)
            try:
                holds = limit.check.run(env)
            except (Absent, Failed, Circle):
                continue
            if isinstance(holds, Problem):
                where = ("rules", "limits", limit.id, "check")
                yield holds.located(limit.noun.document, where)
            elif not holds:
                said = self._broken_limits[limit.id] = self._said(limit, env)
                field = limit.noun.data.get("field")
                yield self._broken(limit, entry, said, waived, (field,) if field in entry.data else place)

    def _broken(self, limit: Limit, entry: Entry, said: str, waived: Value, place: Path) -> Diagnostic:
        if isinstance(waived, Mapping) and limit.id in waived:
            return Diagnostic("N511", f"waived for `{entry.id}`: {said} ({waived[limit.id]})", entry.key_span(("waive", limit.id)))
        remedy = limit.noun.data.get("remedy")
        code = LEVELS[limit.noun.data.get("level", "error")]
        return Diagnostic(code, f"`{entry.id}`: {said}", entry.key_span(place), (remedy,) if isinstance(remedy, str) else ())

    def _said(self, limit: Limit, env: SheetEnv) -> str:
        parts = [part if isinstance(part, str) else self._figure(part, env) for part in limit.say]
        return "".join(parts)

    def _figure(self, compiled: Compiled, env: SheetEnv) -> str:
        """A value in what a limit says; nothing where it cannot be worked out, which is told elsewhere."""
        try:
            value = compiled.run(env)
        except (Absent, Failed, Circle):
            return ""
        return "" if isinstance(value, Problem) else printed(value)


def _claims(entry: Entry, sheet: Sheet) -> Iterator[Diagnostic]:
    claims = entry.data.get("claims")
    for name, printed_value in claims.items() if isinstance(claims, Mapping) else ():
        derived = sheet.stats.get(name)
        if derived is not None and derived != printed_value:
            message = f"`{entry.id}` was printed with `{name}` {figure(printed_value)}, and the rules give {figure(derived)}"
            yield Diagnostic("N501", message, entry.span(("claims", name)))


def _once(found: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    """Each fault of the rules once, with its best hint: a formula is read anew for every kind that has the stat."""
    told: dict[tuple[str, str, Any], Diagnostic] = {}
    for fault in found:
        known = told.setdefault((fault.code, fault.message, fault.span), fault)
        if fault.hints and not known.hints:
            told[fault.code, fault.message, fault.span] = fault
    return told.values()


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of the games' own cases: each with its failures, and by pack what nothing touched, by noun and name."""

    cases: tuple[CaseResult, ...]
    untouched: Mapping[str, tuple[tuple[str, str], ...]]


def try_cases(library: Library) -> Tried:
    """Runs the cases of all packs."""
    results: list[CaseResult] = []
    untouched: dict[str, tuple[tuple[str, str], ...]] = {}
    for pack in library.packs:
        runner = _runner(library, pack)
        results += runner.run()
        untouched[pack] = tuple(_untouched(library, pack, runner.touched))
    return Tried(tuple(results), untouched)


def run_cases(library: Library, pack: str, chosen: Iterable[str]) -> Iterator[CaseResult]:
    """Runs some cases of a pack, in the order given, each when it is asked for."""
    return _runner(library, pack).run(chosen)


def _runner(library: Library, pack: str) -> Runner:
    work = _Evaluation(library, pack, {})
    writer = Writer(library, pack)
    return Runner(
        library,
        pack,
        lambda entry: work.look(entry, writer),
        lambda name: tuple(_weigher(library, pack)[0].tables(lambda entry: name in (entry.id, f"{entry.kind}/{entry.id}"))),
    )


def _untouched(library: Library, pack: str, touched: set[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The pack's own stats, limits and rows of tables that no case asked for."""
    rules = library.rules[pack]
    game = Game(library, pack)
    for noun in (n for n in rules.get("stats", {}).values() if n.pack == pack and not labels_only(n.data)):
        if not any(("stats", name) in touched for name in members(game, noun)):
            yield "stats", noun.id
    for noun in rules.get("limits", {}).values():
        if noun.pack == pack and ("limits", noun.id) not in touched:
            yield "limits", noun.id
    for noun in rules.get("tables", {}).values():
        for keys in table_keys(noun.data) if noun.pack == pack else ():
            if ("tables", f"{noun.id} {' '.join(keys)}") not in touched:
                yield "tables", f"{noun.id} {' '.join(keys)}"


def weigh(library: Library) -> Result[tuple[BalanceTable, ...]]:
    """The balances of all packs: expected Rounds, and what lies off its anchor."""
    tables: list[BalanceTable] = []
    found: list[Diagnostic] = []
    for pack in library.packs:
        if any(noun.pack == pack for noun in library.rules[pack].get(BALANCE, {}).values()):
            weigher, game = _weigher(library, pack)
            tables += weigher.tables()
            found += [*weigher.found, *game.found]
    return Result(tuple(tables), tuple(found))


def _weigher(library: Library, pack: str) -> tuple[Weigher, Game]:
    game = Game(library, pack)
    work = _Evaluation(library, pack, {})
    return Weigher(game, rolls_of(game), work.program, work.bearer), game


def rolls_in(library: Library, pack: str) -> Rolls:
    """The rolls that hold in a pack, ready to be worked out."""
    return rolls_of(Game(library, pack))


def choose(library: Library, condition: str) -> frozenset[Key] | str:
    """The entries for which a condition of the command line holds, or in words what is wrong with it.

    An entry whose kind has not the names that the condition reads, or that leaves them out, is not chosen; a condition that no kind can
    read is a mistake.
    """
    chosen: set[Key] = set()
    wrong: list[str] = []
    readable = False
    for pack in library.packs:
        work = _Evaluation(library, pack, {})
        for (owner, _), group in sorted(library.by_kind.items()):
            for entry in group if owner == pack else ():
                held = work.holds(entry, condition)
                readable = readable or not isinstance(held, str)
                if isinstance(held, str):
                    wrong.append(held)
                elif held:
                    chosen.add(entry.key)
    # Of one mistake as every kind sees it, the one that knows a nearer name says most.
    return frozenset(chosen) if readable or not wrong else max(wrong, key=len)

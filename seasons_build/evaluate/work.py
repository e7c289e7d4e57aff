"""The work of evaluating one pack: its entries one by one, with all that their rules say of them (part of evaluate).

In: a library and a pack. Out: a sheet for each entry that is asked for, its limits judged, its printed values compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any

from seasons_build.core.diagnostic import Diagnostic, Trace, errors
from seasons_build.core.dice_amount import figure, whole
from seasons_build.core.document import Value
from seasons_build.core.entry import Change, Entry, Key, Library
from seasons_build.core.reading import Tracing
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Path
from seasons_build.evaluate.again import Made, Rows
from seasons_build.evaluate.amounts import is_said_amount
from seasons_build.evaluate.chapters import LongTexts
from seasons_build.evaluate.characters import CharacterMoment
from seasons_build.evaluate.compiler import Compiler
from seasons_build.evaluate.effects import decides_a_grant
from seasons_build.evaluate.environs import Circle, SheetEnv, printed
from seasons_build.evaluate.fields import Absent, Failed, Reader, values_at
from seasons_build.evaluate.game import Game
from seasons_build.evaluate.ledger import ledger
from seasons_build.evaluate.lines import Writer
from seasons_build.evaluate.program import Limit, Program, compile_program
from seasons_build.evaluate.record import RECORD, START, Advance, Folder, Moment, compile_advances
from seasons_build.evaluate.sheets import WANTS, SheetWork
from seasons_build.evaluate.state import State
from seasons_build.language.expression import TRUTH, Compiled, Problem
from seasons_build.language.expression.monotone import monotone
from seasons_build.language.phrases import Lines, flat

if TYPE_CHECKING:
    from seasons_build.evaluate.cases import Given

NOW = "now"
LEVELS = {"error": "E510", "warning": "W510", "note": "N510"}
BESIDE_A_PATCH = "patch that entry, too, or leave it: only its own pack prints it"
ERRATUM = "an erratum of the source, kept on purpose: the figure of the rules prints"
FOLLOWING = frozenset((*LEVELS.values(), "W512", "N501", "E524", "E525", "E528", "E529"))
"""What is said of an entry's numbers: where something that it has is at fault, it may follow from that alone."""


class Evaluation:
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
        self._lacking = False

    def asked(self, kind: str) -> Set[str]:
        """What formulas have read so far of the entries of a kind on whose sheets they are, as they write it."""
        return self._compiler.asked.get(kind, frozenset())

    @property
    def cut_short(self) -> bool:
        """Whether something was told of one entry that would else be told of another."""
        return self._compiler.told_depth

    def made(self, entry: Entry, writer: Writer, tracing: Tracing) -> Made:
        """What becomes of one entry, and what was read for it."""
        tracing.begin()
        self._found, self._lacking = [], False
        if not entry.broken:
            self._found += self._static(entry)
            if not errors(self._found):
                self._one(entry)
        sheet = self._sheets.get(entry.key)
        written, faults = writer.lines(entry, sheet) if sheet is not None else (None, [])
        if RECORD in entry.data and errors(self._found):
            record = entry.span((RECORD,))
            faults = [fault for fault in faults if fault.span != record]  # a record that cannot be folded has no words of its own
        self._found += faults
        if sheet is not None and self._rests_on_faults(entry, sheet):
            self._found = [d for d in self._found if d.code not in FOLLOWING]
            sheet = sheet._replace(whole=False)
        if sheet is not None and errors(self._found):
            sheet = sheet._replace(whole=False)
        return Made(sheet, written, tuple(self._found), tracing.reads(entry))

    def _rests_on_faults(self, entry: Entry, sheet: Sheet) -> bool:
        """Whether something that an entry has or names is at fault, or could not be worked out: that is told where it stands."""
        library = self._game.library
        named = (library.targets[entry.key].get(reference.path) for reference in entry.announced.references)
        had = (owned.key for owned in sheet.owned)
        return self._lacking or not sheet.whole or any(key is not None and library.entries[key].broken for key in (*named, *had))

    def rule_faults(self, *, all_of_them: bool) -> list[Diagnostic]:
        """What is wrong with the rules themselves, or with those of them that were needed so far."""
        if not all_of_them:
            return list(_once(self._game.found))
        from seasons_build.evaluate.rolls import roll_faults, rolls_of

        for noun in self._game.rules.get("kinds", {}):
            if self._game.library.find_kind(self._game.pack, noun):
                self.program(noun)
        own_rolls = any(noun.pack == self._game.pack for noun in self._game.rules.get("rolls", {}).values())
        rolls = list(roll_faults(self._game, rolls_of(self._game))) if own_rolls else []
        return [*_once(self._game.found), *rolls]

    def filler(self, sheets: Mapping[Key, Sheet], lines: Mapping[Key, Lines], rows: Rows) -> LongTexts:
        """What fills in the long texts of entries, once all else is worked out."""
        return LongTexts(self._game, self._compiler, sheets, lines, rows)

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
        self._lacking = folder.lacking
        self._work = self._worker(entry, program, state)
        sheet = self._work.run()
        self._found += self._limits(program, entry, NOW, folder.doubted)
        left = {budget: whole(sheet.stats.get(budget, 0) - spent) for budget, spent in sorted(state.spent.items())}
        rows = {**sheet.rows, RECORD: tuple(ledger(lines))}
        self._sheets[entry.key] = sheet._replace(rows=rows, record=lines, open=open_choices, left=left)
        self._found += _claims(entry, sheet)

    def look(self, entry: Entry, writer: Writer) -> Given:
        """An entry as a case gives it."""
        from seasons_build.evaluate.cases import Given

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
        if isinstance(waived, dict) and limit.id in waived:
            return Diagnostic("N511", f"waived for `{entry.id}`: {said} ({waived[limit.id]})", entry.key_span(("waive", limit.id)))
        remedy = limit.noun.data.get("remedy")
        code = LEVELS[limit.noun.data.get("level", "error")]
        patch = self._patch_from_outside(entry)
        if patch is not None and code != LEVELS["note"]:
            message = f"with this, `{entry.id}` of `{entry.pack}` is not as the rules want it: {said}"
            return Diagnostic("W512", message, patch.span, (BESIDE_A_PATCH,), (Trace(f"`{entry.id}` is here", entry.key_span(place)),))
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

    def _patch_from_outside(self, entry: Entry) -> Change | None:
        """The first change to an entry, or to one that it names or has, by a pack that its own does not build on."""
        library = self._game.library
        had = (owned.key for owned in self._work.owned) if self._work is not None else ()
        near = (library.entries.get(key) for key in (entry.key, *library.targets.get(entry.key, {}).values(), *had))
        scope = library.packs[entry.pack].scope
        return next((change for one in near if one is not None for change in one.changes if change.pack not in scope), None)


def _claims(entry: Entry, sheet: Sheet) -> Iterator[Diagnostic]:
    claims = entry.data.get("claims")
    for name, printed_value in claims.items() if isinstance(claims, dict) else ():
        derived = sheet.stats.get(name)
        if derived is not None and derived != printed_value:
            message = f"`{entry.id}` was printed with `{name}` {figure(printed_value)}, and the rules give {figure(derived)}"
            yield Diagnostic("N501", message, entry.span(("claims", name)), (ERRATUM,))


def _once(found: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    """Each fault of the rules once, with its best hint: a formula is read anew for every kind that has the stat."""
    told: dict[tuple[str, str, Any], Diagnostic] = {}
    for fault in found:
        known = told.setdefault((fault.code, fault.message, fault.span), fault)
        if fault.hints and not known.hints:
            told[fault.code, fault.message, fault.span] = fault
    return told.values()

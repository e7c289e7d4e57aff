"""Stage: a library becomes sheets: every number worked out, with the steps that made it.

In: a linked library. Out: a `Sheet` for each entry, and what is illegal, faulty or not as printed. Evaluation is whole, every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.dice_amount import figure
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Path
from seasons_build.evaluate.fields import Absent, Reader, values_at
from seasons_build.evaluate.program import Game, Limit, Program, compile_program
from seasons_build.evaluate.sheets import WANTS, Circle, Compiler, Failed, SheetEnv, SheetWork, is_quantity, key_name, look_up, printed
from seasons_build.language.expression import TRUTH, Problem
from seasons_build.language.text import scan

__all__ = ["choose", "evaluate", "key_name", "look_up", "printed"]

LEVELS = {"error": "E510", "warning": "W510", "note": "N510"}


def evaluate(library: Library) -> Result[Mapping[Key, Sheet]]:
    """The sheets of all entries that are not broken.

    Codes: E501 to E506 (values that cannot be worked out), E510 W510 N510 (a limit), N511 (a limit waived), N501 (a printed value that
    the rules do not give), and what is wrong with expressions (E4).
    """
    found: list[Diagnostic] = []
    sheets: dict[Key, Sheet] = {}
    for pack in library.packs:
        entries = [e for (owner, _), group in sorted(library.by_kind.items()) if owner == pack for e in group]
        found += _Evaluation(library, pack, sheets).run(entries)
    return Result(sheets, tuple(found))


class _Evaluation:
    """The work on one pack."""

    def __init__(self, library: Library, pack: str, sheets: dict[Key, Sheet]) -> None:
        self._game = Game(library, pack)
        self._programs: dict[str, Program] = {}
        self._compiler = Compiler(self._game, self._program)
        self._sheets = sheets
        self._found: list[Diagnostic] = []
        self._work: SheetWork | None = None

    def run(self, entries: Iterable[Entry]) -> list[Diagnostic]:
        for noun in self._game.rules.get("kinds", {}):
            if self._game.library.find_kind(self._game.pack, noun):
                self._program(noun)
        for entry in entries:
            if entry.broken:
                continue
            faults = list(self._static(entry))
            self._found += faults
            if not any(d.severity == "error" for d in faults):
                self._one(entry)
        return [*self._game.found, *self._found]

    def _program(self, kind: str) -> Program:
        if kind not in self._programs:
            found = self._game.library.find_kind(self._game.pack, kind)
            assert found is not None, f"a program of `{kind}`, which is no kind here"
            self._programs[kind] = compile_program(self._game, found)
        return self._programs[kind]

    def _static(self, entry: Entry) -> Iterator[Diagnostic]:
        """What is wrong with the formulas of an entry, whether or not anybody ever bears it."""
        for formula in entry.announced.formulas:
            if is_quantity(self._game, formula.text):
                continue
            _, problems = self._compiler.with_problems(entry, formula.path, formula.text, WANTS[formula.want])
            where = (entry.kind, entry.id, *entry.typed(formula.path))
            yield from (problem.located(entry.document, where) for problem in problems)

    def _one(self, entry: Entry) -> None:
        program = self._program(entry.kind)
        reader = Reader(self._game.library, self._formula)
        before, self._work = self._work, SheetWork(self._compiler, program, entry, reader, self._found.append)
        try:
            sheet = self._work.run()
            self._sheets[entry.key] = sheet
            self._found += self._limits(program, entry)
            self._found += _claims(entry, sheet)
        finally:
            self._work = before

    def holds(self, entry: Entry, condition: str) -> bool | str:
        """Whether a condition holds for an entry; what is wrong with it where the entry's kind cannot read it."""
        compiled, problems = self._compiler.with_problems(entry, (), condition, TRUTH)
        if compiled is None:
            return problems[0].message
        if entry.broken:
            return False
        reader = Reader(self._game.library, self._formula)
        self._work = SheetWork(self._compiler, self._program(entry.kind), entry, reader, self._found.append)
        try:
            return compiled.run(SheetEnv(self._work, values_at(entry.data, ()), {}, entry)) is True
        except (Absent, Failed, Circle):
            return False

    def _formula(self, entry: Entry, path: Path) -> Value:
        assert self._work is not None
        return self._work.formula(entry, path)

    def _limits(self, program: Program, entry: Entry) -> Iterator[Diagnostic]:
        assert self._work is not None
        waived = entry.data.get("waive")
        for limit in program.limits:
            env = SheetEnv(self._work, values_at(entry.data, ()), {}, entry)
            try:
                holds = limit.check.run(env)
            except (Absent, Failed, Circle):
                continue
            if isinstance(holds, Problem):
                where = ("rules", "limits", limit.id, "check")
                yield holds.located(limit.noun.document, where)
            elif not holds:
                yield self._broken(limit, entry, env, waived)

    def _broken(self, limit: Limit, entry: Entry, env: SheetEnv, waived: Value) -> Diagnostic:
        said = self._said(limit, entry, env)
        if isinstance(waived, Mapping) and limit.id in waived:
            return Diagnostic("N511", f"waived for `{entry.id}`: {said} ({waived[limit.id]})", entry.key_span(("waive", limit.id)))
        remedy = limit.noun.data.get("remedy")
        code = LEVELS[limit.noun.data.get("level", "error")]
        return Diagnostic(code, f"`{entry.id}`: {said}", entry.key_span(), (remedy,) if isinstance(remedy, str) else ())

    def _said(self, limit: Limit, entry: Entry, env: SheetEnv) -> str:
        text = str(limit.noun.data.get("say", limit.id))
        scope = self._program(entry.kind).scope
        parts: list[str] = []
        for piece in scan(text):
            if piece.what == "value":
                formula = self._game.formula(piece.text, None, scope, limit.noun, ("say",))
                value = formula.compiled.run(env) if formula and formula.compiled else ""
                parts.append("" if isinstance(value, Problem) else printed(value))
            else:
                parts.append(text[piece.start : piece.end])
        return "".join(parts)


def _claims(entry: Entry, sheet: Sheet) -> Iterator[Diagnostic]:
    claims = entry.data.get("claims")
    for name, printed_value in claims.items() if isinstance(claims, Mapping) else ():
        derived = sheet.stats.get(name)
        if derived is not None and derived != printed_value:
            message = f"`{entry.id}` was printed with `{name}` {figure(printed_value)}, and the rules give {figure(derived)}"
            yield Diagnostic("N501", message, entry.span(("claims", name)))


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
    return frozenset(chosen) if readable or not wrong else wrong[0]

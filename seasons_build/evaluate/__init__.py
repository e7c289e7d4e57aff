"""Stage: a library becomes sheets: every number worked out, with the steps that made it.

In: a linked library. Out: a `Sheet` for each entry, and what is illegal, faulty or not as printed. What was evaluated before
holds for what reads nothing that has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.named import NamedTuple
from seasons_build.core.reading import ENTRIES, LINES, SHEETS, TARGETS, Tracing
from seasons_build.core.sheet import Sheet
from seasons_build.evaluate.again import Carried, KnownRow, Left, Line, Long, Made, Memory, Row, Rows, RowsOf, Still, has_long_text, of_one
from seasons_build.evaluate.chapters import LongTexts
from seasons_build.evaluate.environs import printed
from seasons_build.evaluate.game import Game, members
from seasons_build.evaluate.later import Bench, Later, whole_sheets
from seasons_build.evaluate.lines import Writer
from seasons_build.evaluate.program import labels_only
from seasons_build.evaluate.sheets import key_name
from seasons_build.evaluate.tables import table_keys
from seasons_build.evaluate.work import Evaluation
from seasons_build.language.phrases import Lines

if TYPE_CHECKING:
    from seasons_build.core.balance import BalanceTable
    from seasons_build.evaluate.balance import Weigher
    from seasons_build.evaluate.cases import CaseResult, Runner
    from seasons_build.language.dice import Rolls

__all__ = [
    "Carried",
    "Evaluated",
    "KnownRow",
    "Left",
    "Line",
    "Memory",
    "Row",
    "RowsOf",
    "Tried",
    "choose",
    "evaluate",
    "key_name",
    "of_one",
    "printed",
    "rolls_in",
    "run_cases",
    "try_cases",
    "weigh",
    "whole_sheets",
]


class Evaluated(NamedTuple):
    """What was worked out, or will be when it is asked for: the sheet of each entry, and its rules lines where its game has sentences."""

    sheets: Mapping[Key, Sheet]
    lines: Mapping[Key, Lines]
    memory: Memory


def evaluate(
    library: Library,
    unknown: frozenset[str] = frozenset(),
    before: Memory | None = None,
    *,
    remember: bool = False,
    later: frozenset[str] = frozenset(),
    left: Left | None = None,
) -> Result[Evaluated]:
    """The sheets of all entries that are not broken, but for the packs of which something is unknown. `before` is an evaluation to go on
    from: what it made of entries that read nothing that has changed is taken over. One is gone on from that was asked to `remember`. The
    entries of packs for `later`, and those of which an earlier program `left` word, are worked out when they are asked for: nothing is
    told of the former, and of the latter what was told.

    Codes: E501 to E506 (values that cannot be worked out), E510 W510 N510 (a limit), W512 (one that a patch breaks), N511 (a limit
    waived), N501 (a printed value that the rules do not give), and what is wrong with expressions (E4).
    """
    found: list[Diagnostic] = []
    sheets: dict[Key, Sheet] = {}
    lines: dict[Key, Lines] = {}
    carried = {key: one for key, one in left.entries.items() if key[0] not in unknown} if left is not None else {}
    bench = lru_cache(maxsize=None)(lambda pack: Bench(library, pack, traced=remember))
    waiting = Later(library, later, carried, bench, (sheets, lines))
    all_sheets, all_lines = waiting.sheets, waiting.lines
    still = Still(before, library)
    good = still.good
    made: dict[str, Mapping[Key, Made]] = {}
    every: dict[Key, Made] = {}
    long: dict[Key, Long] = {}
    packs = [pack for pack in library.packs if pack not in unknown | later]
    for pack in packs:
        entries = [e for (owner, _), group in sorted(library.by_kind.items()) if owner == pack for e in group]
        fresh = [e for e in entries if e.key not in good.get(pack, {}) and e.key not in carried]
        known = pack in good or any(key[0] == pack for key in carried)
        mine, faults, sure = _of_entries(bench(pack), fresh, known=known) if fresh or not known else ({}, (), True)
        mine = {**good.get(pack, {}), **mine}
        found += faults
        for entry in entries:
            if entry.key in carried:
                found += carried[entry.key].found
                continue
            one = mine[entry.key]
            found += one.found
            if one.sheet is not None:
                sheets[entry.key] = one.sheet
            if one.lines is not None:
                lines[entry.key] = one.lines
        every |= mine
        if remember and sure:
            made[pack] = mine
    tracing = Tracing(library)
    told = Rows(tracing if remember else None, left.line if left is not None else lambda of, line: still.line(of, line, every))
    # Only now: a long text may read what stands in another pack, whichever of them comes first.
    for pack in packs:
        entries = [e for (owner, _), group in sorted(library.by_kind.items()) if owner == pack for e in group]
        found += (d for e in entries if e.key in carried for d in carried[e.key].found_in_long)
        texts = [e for e in entries if e.key not in carried and has_long_text(e)]
        filled_in = _long_texts(library, pack, texts, all_sheets, all_lines, still, every, told, tracing, waiting, remember=remember)
        for key, filled in filled_in:
            found += filled.found
            long[key] = filled
            if filled.sheet is not None:
                sheets[key] = filled.sheet
    memory = Memory(library, made, long, told.sound)
    return Result(Evaluated(all_sheets, all_lines, memory) if later or carried else Evaluated(sheets, lines, memory), tuple(found))


def _of_entries(bench: Bench, entries: Iterable[Entry], *, known: bool) -> tuple[dict[Key, Made], tuple[Diagnostic, ...], bool]:
    """What becomes of entries of a pack, what is wrong with its rules, and whether both would be the same for any of them alone. Where it
    is `known` that nothing is wrong with rules as they are, only those are looked at that the entries need."""
    made = {entry.key: bench.made(entry) for entry in entries}
    faults = bench.rule_faults(all_of_them=not known)
    return made, faults, not faults and not bench.cut_short


def _long_texts(
    library: Library,
    pack: str,
    entries: list[Entry],
    sheets: Mapping[Key, Sheet],
    lines: Mapping[Key, Lines],
    still: Still,
    made: Mapping[Key, Made],
    told: Rows,
    tracing: Tracing,
    waiting: Later,
    *,
    remember: bool,
) -> Iterator[tuple[Key, Long]]:
    """What becomes of the entries with long texts of a pack, one after the other: `sheets` has those that are filled in already."""
    if remember:
        library, sheets, lines = tracing.library, tracing.table(SHEETS, sheets), tracing.table(LINES, lines)
    filler: LongTexts | None = None
    for entry in entries:
        known = still.long(entry.key, made)
        if known is None:
            filler = filler or Evaluation(library, pack, {}).filler(sheets, lines, told)
            with waiting.filling(entry.key):
                known = _filled(filler, entry, sheets.get(entry.key), tracing)
        else:
            told.sound[entry.key] = dict(still.rows_of(entry.key))
        yield entry.key, known


def _filled(filler: LongTexts, entry: Entry, sheet: Sheet | None, tracing: Tracing) -> Long:
    if sheet is None:
        return Long(None, (), frozenset())
    filled, reads = tracing.during(lambda: filler.of(entry))
    return Long(filled.on(sheet), filled.found, reads | {(ENTRIES, entry.key), (TARGETS, entry.key)})


class Tried(NamedTuple):
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
    from seasons_build.evaluate.cases import Runner

    work = Evaluation(library, pack, {})
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
    from seasons_build.evaluate.balance import BALANCE

    tables: list[BalanceTable] = []
    found: list[Diagnostic] = []
    for pack in library.packs:
        if any(noun.pack == pack for noun in library.rules[pack].get(BALANCE, {}).values()):
            weigher, game = _weigher(library, pack)
            tables += weigher.tables()
            found += [*weigher.found, *game.found]
    return Result(tuple(tables), tuple(found))


def _weigher(library: Library, pack: str) -> tuple[Weigher, Game]:
    from seasons_build.evaluate.balance import Weigher
    from seasons_build.evaluate.rolls import rolls_of

    game = Game(library, pack)
    work = Evaluation(library, pack, {})
    return Weigher(game, rolls_of(game), work.program, work.bearer), game


def rolls_in(library: Library, pack: str) -> Rolls:
    """The rolls that hold in a pack, ready to be worked out."""
    from seasons_build.evaluate.rolls import rolls_of

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
        work = Evaluation(library, pack, {})
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

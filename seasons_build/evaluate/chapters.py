"""The long texts of chapters with their values filled in and their tables made (part of evaluate).

In: an entry with long texts, and everything else as it was worked out. Out: the texts, in which only links and whole entries are left to be
brought in; and what cannot be said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from seasons_build.core.diagnostic import Diagnostic, errors
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Key
from seasons_build.core.names import did_you_mean
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Path
from seasons_build.evaluate.again import Filled, Order, Row, Rows
from seasons_build.evaluate.compiler import Compiler
from seasons_build.evaluate.environs import RowEnv, printed
from seasons_build.evaluate.fields import Absent, Failed
from seasons_build.evaluate.game import Game
from seasons_build.evaluate.settled import NAME, Settled
from seasons_build.evaluate.tables import table_shape
from seasons_build.language.chapter import LONG, READS, Columns, Embed, Sought, outline, sought
from seasons_build.language.expression import DICE, NUMBER, TRUTH, Compiled, Problem, Type, compile_expression
from seasons_build.language.expression.types import ANYTHING, WORD
from seasons_build.language.phrases import Lines
from seasons_build.language.rules import chance_in
from seasons_build.language.text import scan

LINK, RULES_LINE = "link", "rules"
"""What a row of a table may ask for besides values: the entry's name as a link, and its rules text."""
NOTHING = "–"
"""What a cell prints where its thing has no such value."""


class _Unsaid(Exception):
    """A value that cannot be said; the reason is told."""


class LongTexts:
    """Fills in the long texts of one pack."""

    def __init__(self, game: Game, compiler: Compiler, sheets: Mapping[Key, Sheet], lines: Mapping[Key, Lines], rows: Rows) -> None:
        self.game = game
        self.compiler = compiler
        self.lines = lines
        self.rows = rows
        self.settled = Settled(game.library, game.pack, sheets)

    def of(self, entry: Entry) -> Filled:
        """The long texts of an entry, and what is wrong with them."""
        texts: dict[Path, str] = {}
        found: dict[Diagnostic, None] = {}
        whole = True
        for prose in entry.announced.prose:
            if prose.role == LONG:
                filling = _Filling(self, entry, prose.path, prose.text)
                texts[prose.path] = filling.text()
                found.update(dict.fromkeys(filling.found))
                whole = whole and filling.whole
        return Filled(texts, tuple(found), whole and not errors(tuple(found)))


class _Filling:
    """One text being filled in."""

    def __init__(self, texts: LongTexts, entry: Entry, path: Path, text: str) -> None:
        self._texts = texts
        self._settled = texts.settled
        self._library = texts.game.library
        self._entry = entry
        self._path = path
        self._text = text
        self._kinds: dict[str, tuple[Sequence[Entry], Sequence[Entry]]] = {}
        self.found: list[Diagnostic] = []
        self.whole = True
        """False where what is read is broken itself, which is told where it stands."""

    def text(self) -> str:
        """The text with its values; tables stand where rows were asked for, and a line for each entry where all of a kind were."""
        embeds = outline(self._text).embeds
        changes = [(e.start, e.end, _lines(self._brought(e), e.prefix)) for e in embeds if e.what != "entry"]
        changes += [(e.start, e.end, f"{e.prefix}![[{self._address(self._target(e.of))}]]") for e in embeds if e.what == "entry"]
        taken = [(start, end) for start, end, _ in changes]
        for piece in scan(self._text):
            if piece.what == "value" and not any(start <= piece.start < end for start, end in taken):
                changes.append((piece.start, piece.end, self._value(piece.text, piece.start + 1)))
        made: list[str] = []
        at = 0
        for start, end, said in sorted(changes):
            made += [self._text[at:start], said]
            at = end
        return "".join([*made, self._text[at:]])

    # Values

    def _value(self, text: str, start: int) -> str:
        """What stands between braces, in the running text."""
        asked = sought(text)
        try:
            owner = self._target(asked.of) if asked.of else self._read()
            return self._of_rows(owner, asked, start) if asked.rows else self._on(owner, asked.expression, start + asked.start)
        except _Unsaid:
            return ""
        except Absent as absent:
            named = f"`{owner.id}` has no `{absent.name}`"
            self._fault("E503", f"{named}, and this text asks for it", start, start + len(text))
            return ""

    def _on(self, owner: Entry, expression: str, start: int) -> str:
        """The value of an expression on an entry, as a text says it; raises Absent where the entry has not what it asks for."""
        value = self._worked(owner, expression, start, None)
        return self._settled.said(owner, expression, value)

    def _worked(self, owner: Entry, expression: str, start: int, want: Type | None) -> Value:
        return self._run(self._compiled(owner, expression, start, want), owner, start)

    def _compiled(self, owner: Entry, expression: str, start: int, want: Type | None) -> Compiled | None:
        """The formula as it is read on entries of the owner's kind; None where it is faulty, which is told."""
        compiled, problems = self._texts.compiler.with_problems(owner, (), expression, want)
        self._problems(problems, start)
        return compiled

    def _run(self, compiled: Compiled | None, owner: Entry, start: int) -> Value:
        """What a formula comes to on an entry; raises Absent where the entry has not what it asks for."""
        self._sound(owner)
        if compiled is None:
            raise _Unsaid
        try:
            value = compiled.run(self._settled.env(owner))
        except Failed as failed:
            self.whole = False
            raise _Unsaid from failed
        if isinstance(value, Problem):
            self._problems((value,), start)
            raise _Unsaid
        return value

    def _of_rows(self, owner: Entry, asked: Sought, start: int) -> str:
        rows = self._rows(owner, asked.rows, start, start + asked.start)
        chosen = rows[0] if rows and not asked.row else next((row for row in rows if _row_id(row) == asked.row), None)
        if chosen is None and any(entry.broken and entry.id == asked.row for entry in self._library.entries.values()):
            self.whole = False
            raise _Unsaid  # the row is of an entry that is at fault, which is told there
        if chosen is None:
            message = f"`{asked.rows}` has no row `{asked.row}`" if asked.row else f"there are no rows in `{asked.rows}`"
            self._fault("E653", message, start, start + asked.start, *did_you_mean(asked.row, [_row_id(row) for row in rows]))
            raise _Unsaid
        return self._in_row(owner, asked.rows, chosen, asked.expression, start + asked.start)

    def _in_row(self, owner: Entry, rows: str, row: Mapping[str, Value], expression: str, start: int) -> str:
        """The value of an expression on a row: odds as everywhere, in per cent; else as it is."""
        name = expression.strip()
        if name in row:
            noun = self._texts.game.rules.get("rows", {}).get(rows)
            chance = chance_in(noun, name, row[name])
            return printed(row[name]) if chance is None else chance
        if NAME.match(name) and name in self._given(rows):
            return NOTHING
        types = {key: _type_of(value) for key, value in row.items()}
        scope = self._texts.compiler.programs(owner.kind).scope.with_names((), types)
        compiled = compile_expression(expression, scope, None)
        self._problems(compiled.problems, start)
        if compiled.value is None:
            raise _Unsaid
        try:
            value = compiled.value.run(RowEnv(self._settled.env(owner), row))
        except Failed as failed:
            self.whole = False
            raise _Unsaid from failed
        if isinstance(value, Problem):
            self._problems((value,), start)
            raise _Unsaid
        return printed(value)

    def _given(self, rows: str) -> Iterable[str]:
        """The names of the values that rows may have."""
        noun = self._texts.game.rules.get("rows", {}).get(rows)
        data: Mapping[str, Any] = noun.data if noun is not None and isinstance(noun.data, dict) else {}
        return [name for form in ("give", "chances", "reads", "say") for name in data.get(form) or ()]

    def _rows(self, owner: Entry, rows: str, start: int, end: int) -> tuple[Mapping[str, Value], ...]:
        sheet = self._sound(owner)
        if rows not in sheet.rows:
            self._fault("E653", f"`{owner.id}` has no rows `{rows}`", start, end, *did_you_mean(rows, sheet.rows))
            raise _Unsaid
        return sheet.rows[rows]

    def _sound(self, owner: Entry) -> Sheet:
        """The finished sheet of an entry; where it is none, nothing is said of it here, either."""
        sheet = self._settled.sheets.get(owner.key)
        if sheet is None or not (sheet.whole or owner is self._entry):
            self.whole = False
            raise _Unsaid
        return sheet

    # What is brought in

    def _brought(self, embed: Embed) -> list[str]:
        """The lines that a line becomes."""
        try:
            if embed.what == "table":
                return self._table(embed.part)
            if embed.what == "rows":
                return self._of_entry(embed)
            return self._of_kind(embed)
        except _Unsaid:
            return []

    def _of_kind(self, embed: Embed) -> list[str]:
        every, entries = self._all_of(embed.of)
        line, rows = self._text[embed.start : embed.end], self._texts.rows
        told = rows.of_line(self._entry.key, line, entries, lambda entry: self._row_of(embed, entry), lambda: (len(self.found), self.whole))
        held = [(entry, row) for entry, row in told if row.held]
        if len(entries) < len(every):
            self.whole = False
        elif not held:
            kind = embed.of.rpartition(":")[2]
            wanted = f"no `{kind}` for which this holds" if embed.where and entries else f"no `{kind}`"
            start, end = (embed.where_start, embed.where_start + len(embed.where)) if embed.where and entries else self._line(embed)
            self._fault("E651", f"there is {wanted}: nothing is brought in", start, end)
        held.sort(key=lambda pair: (*pair[1].order, pair[0].name.casefold(), pair[0].id))
        said = [row.said for _, row in held]
        return _apart(said) if embed.columns is None else [embed.columns.head, *said]

    def _all_of(self, named: str) -> tuple[Sequence[Entry], Sequence[Entry]]:
        """The entries of a kind, and those of them that have a sheet; a text often asks for one kind again and again."""
        if named not in self._kinds:
            pack, _, kind = named.rpartition(":")
            every = self._library.by_kind.get((pack, kind), ()) if pack else self._library.of_kind(self._entry.pack, kind)
            self._kinds[named] = every, [entry for entry in every if not entry.broken and entry.key in self._settled.sheets]
        return self._kinds[named]

    def _row_of(self, embed: Embed, entry: Entry) -> Row:
        """What a line brings in of one entry."""
        start, _ = self._line(embed)
        if embed.where and self._value_on(entry, embed.where, embed.where_start, TRUTH) is not True:
            return Row(held=False)
        order = tuple(self._order(entry, name, start) for name in embed.by)
        if embed.columns is None:
            return Row(held=True, order=order, said=f"![[{self._address(entry)}]]")
        row = self._row(embed.columns, entry, None).replace("|", f"|[[={self._address(entry)}]]", 1)
        return Row(held=True, order=order, said=row)

    def _value_on(self, entry: Entry, expression: str, start: int, want: Type | None) -> Value:
        """What an expression comes to on an entry; None where it has not what that asks for."""
        try:
            return self._worked(entry, expression, start, want)
        except Absent:
            return None

    def _order(self, entry: Entry, name: str, start: int) -> Order:
        """By what an entry is put in order: numbers before words, what it leaves out last."""
        value = self._value_on(entry, name, start, None)
        if value is None:
            return 2, ""
        if isinstance(value, int | Fraction) and not isinstance(value, bool):
            return 0, value
        return 1, self._settled.said(entry, name, value).casefold()

    def _of_entry(self, embed: Embed) -> list[str]:
        owner = self._target(embed.of) if embed.of else self._read()
        start, end = self._line(embed)
        rows = self._rows(owner, embed.part, start, end)
        if not rows:
            self._fault("E651", f"there are no rows in `{embed.part}`: nothing is brought in", start, end)
        if embed.columns is not None:
            return [embed.columns.head, *(self._row(embed.columns, owner, (embed.part, row)) for row in rows)]
        names = list(dict.fromkeys(name for row in rows for name in row if name != "id"))
        cells = [[self._in_row(owner, embed.part, row, name, start) if name in row else NOTHING for name in names] for row in rows]
        return _pipes([name.replace("_", " ").capitalize() for name in names], cells)

    def _table(self, name: str) -> list[str]:
        """A table of the rules: its first key down, its second across."""
        data = self._texts.game.rules["tables"][name].data
        rows = data.get("rows", data)
        named = data.get("keys") if "rows" in data else None
        keys = [str(key) for key in named] if isinstance(named, list) else [str(data.get("keys", "")) or name]
        depth = len(table_shape(data)[0])
        heads = [key.replace("_", " ").capitalize() for key in keys]
        if depth == 1:
            what = name.replace("_", " ").capitalize()
            pairs = [[self._key_word(keys[0], key), printed(value)] for key, value in rows.items()]
            return _pipes([heads[0] if heads[0] != what else "", what], pairs)
        across = list(dict.fromkeys(key for row in rows.values() for key in row))
        cells = [[self._key_word(keys[0], key), *(printed(row[k]) if k in row else NOTHING for k in across)] for key, row in rows.items()]
        return _pipes([heads[0], *(self._key_word(keys[-1], key) for key in across)], cells)

    def _key_word(self, kind: str, key: str) -> str:
        """A key of a table in words: the name of the entry that it is the id of, if its kind is that of the key."""
        for found in self._library.keys_of_kind(self._entry.pack, kind):
            if found[2] == key:
                return self._library.entries[found].name
        return str(key).replace("-", " ").replace("_", " ").capitalize()

    def _row(self, columns: Columns, owner: Entry, row: tuple[str, Mapping[str, Value]] | None) -> str:
        """The row of a table for one entry, or for one row of its rows."""
        made: list[str] = []
        for piece in scan(columns.row):
            start = columns.row_start + piece.start + 1
            if piece.what == "value":
                made.append(self._cell(owner, row, piece.text, start).replace("|", "\\|").replace("\n", " "))
            else:
                made.append(columns.row[piece.start : piece.end])
        return "".join(made)

    def _cell(self, owner: Entry, row: tuple[str, Mapping[str, Value]] | None, text: str, start: int) -> str:
        asked = sought(text)
        try:
            if asked.of:
                return self._value(text, start)
            if row is not None and not asked.rows:
                return self._in_row(owner, *row, text, start)
            if asked.rows:
                empty = not asked.row and self._sound(owner).rows.get(asked.rows) == ()
                return NOTHING if empty else self._of_rows(owner, asked, start)
            if text.strip() == LINK:
                return f"[[{self._address(owner)}]]"
            if text.strip() == RULES_LINE:
                return self._rules_line(owner)
            return self._on(owner, text, start) or NOTHING
        except Absent:
            return NOTHING
        except _Unsaid:
            return ""

    def _rules_line(self, entry: Entry) -> str:
        """The rules text of an entry in one line: typed, else generated."""
        typed = self._settled.sheets[entry.key].texts.get((RULES_LINE,))
        lines = self._texts.lines.get(entry.key)
        if typed is not None or lines is None:
            return " ".join((typed or NOTHING).split())
        of_parts = (part.line for part in (*lines.options, *lines.steps, *lines.actions))
        parts = [*lines.opening, *lines.lines, *of_parts, *lines.closing]
        return " ".join(part.removeprefix("- ") for part in parts if part) or NOTHING

    # Where things are

    def _read(self) -> Entry:
        """The entry that values without a name are read from: the one that the chapter reads, else itself."""
        target = self._library.targets[self._entry.key].get((READS,))
        return self._library.entries[target] if target else self._entry

    def _target(self, reference: str) -> Entry:
        return self._library.entries[self._library.targets[self._entry.key][(*self._path, reference)]]

    def _address(self, entry: Entry) -> str:
        return f"{entry.pack}:{entry.kind}/{entry.id}"

    def _line(self, embed: Embed) -> tuple[int, int]:
        line, _, _ = self._text[embed.start :].partition("\n")
        return embed.start, embed.start + len(line)

    def _problems(self, problems: Iterable[Problem], start: int) -> None:
        self.found += [problem.located(*self._entry.where(self._path), start) for problem in problems]

    def _fault(self, code: str, message: str, start: int, end: int, *hints: str) -> None:
        self.found.append(Diagnostic(code, message, self._entry.inside(self._path, start, end), tuple(hints)))


def _lines(lines: list[str], prefix: str) -> str:
    """Lines as they stand in the text, each behind the mark of the box that they are in."""
    return "\n".join(f"{prefix}{line}" for line in "\n".join(lines).split("\n")) if lines else ""


def _apart(lines: list[str]) -> list[str]:
    """Lines with an empty one after each."""
    return [part for line in lines for part in (line, "")]


def _pipes(heads: list[str], rows: list[list[str]]) -> list[str]:
    """A table in pipe syntax; numbers stand in the middle."""
    marks = ["---", *(":---:" for _ in heads[1:])]
    lines = [heads, marks, *rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines]


def _row_id(row: Mapping[str, Value]) -> str:
    return printed(row["id"]).replace("−", "-")


def _type_of(value: Value) -> Type:
    if isinstance(value, bool):
        return TRUTH
    if isinstance(value, int | Fraction):
        return NUMBER
    if isinstance(value, str):
        return WORD
    return ANYTHING if isinstance(value, list | dict) else DICE

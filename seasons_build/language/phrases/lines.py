"""Library of the language: an entry's rules lines.

In: a book, the entry's plain data, its kind, what evaluation knows. Out: `Lines`, with every figure accounted for: one that no sentence
printed, or one that a part printed twice, is a problem with its path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from seasons_build.core.document import Value
from seasons_build.core.span import Path
from seasons_build.language.phrases.book import Book
from seasons_build.language.phrases.figures import expected, expected_of_entry, figures_in, twice
from seasons_build.language.phrases.filling import first
from seasons_build.language.phrases.frames import Written, bearer, inherited, trigger_line, write_frame, write_part
from seasons_build.language.phrases.page import Layer, Page, Scope, Unsaid
from seasons_build.language.phrases.records import Figure, Lines, Part, Problem
from seasons_build.language.phrases.slots import by_value, find
from seasons_build.language.variants import expand, has_variants

Rows: TypeAlias = Mapping[str, Sequence[Mapping[str, Value]]]
UNSAID = ("E560", "E561", "E565", "E567")
"""A part with one of these has sentences that are not there: that their figures are lost is no second error."""

ROLL = "roll"
OF_A_ROLL = "no outcome of the roll uses it: name it there by `value`, as in `{harm: value}`, or leave it out"

_EMPTY: Mapping[str, Value] = {}


def write(
    book: Book,
    kind: str,
    entry: Mapping[str, Value],
    *,
    names: Callable[[str], str | None] = lambda ref: None,
    values: Mapping[str, Value] = _EMPTY,
    settled: Mapping[Path, Value] | None = None,
    rows: Rows | None = None,
    chosen: Mapping[str, Sequence[str]] | None = None,
) -> Lines:
    """An entry's rules lines.

    `names` gives an entry's name by a reference as typed; `values` the stats that are known (of a statblock, or on a sheet, where a ladder
    shows its rung); `settled` what evaluation gave for the value at a path: formulas, and texts with their values filled in; `rows` the
    values worked out for each row of a list; `chosen` what a sheet chose, by the name of the choice. Variants (`as`) may be written out
    already or not. Problems carry paths into the entry; nothing is raised.
    """
    page = Page(book.for_kind(kind), kind, find, names, values, settled or {}, chosen or {})
    page.asked = book.asked.setdefault(kind, page.asked)
    page.hidden = _hidden(page.book, kind)
    actions = entry.get("actions")
    actions = actions if isinstance(actions, dict) else {}
    page.actions = expand(actions).actions if has_variants(actions) else actions
    who = bearer(page)
    check = _Accounts(page)
    opening, closing, named = _fields(page, kind, entry, rows or {})
    check.part()
    page.fresh()
    written = write_frame(page, {key: value for key, value in entry.items() if key not in page.hidden}, (), who)
    check.part()
    above = inherited(page, entry, ())
    parts: list[Part] = []
    for id, action in page.actions.items():
        if isinstance(action, dict):
            parts.append(write_part(page, id, action, ("actions", id), who, above, "action"))
            check.part()
    fields = page.book.phrase_value("fields", kind)
    check.close(entry, {name for name in fields if name not in (rows or {})} if isinstance(fields, dict) else set())
    return _lines(page, check, written, opening, closing, tuple(parts))._replace(fields=tuple(named))


def flat(book: Book, kind: str, lines: Lines) -> list[str]:
    """Lines as plain text, one after the other: the strip in brackets, the trigger, sentences, options, steps, actions."""
    page = Page(book.for_kind(kind), kind, find, lambda ref: None, {}, {}, {})
    out = ["[" + page.book.text("strip", " · ").join(lines.strip) + "]"] if lines.strip else []
    out += [trigger_line(page, lines.trigger)] if lines.trigger else []
    out += [*lines.opening, *lines.lines]
    for part in (*lines.options, *lines.steps, *lines.actions):
        out += [part.line, *(inner.line for inner in part.options)]
    return [*out, *lines.closing]


def _lines(page: Page, check: _Accounts, written: Written, opening: list[str], closing: list[str], actions: tuple[Part, ...]) -> Lines:
    problems = sorted(page.problems.values(), key=_order)
    return Lines(
        strip=tuple(part[:1].upper() + part[1:] for part in written.strip),
        trigger=written.trigger,
        opening=tuple(opening),
        lines=written.lines,
        options=written.options,
        steps=written.steps,
        actions=actions,
        closing=tuple(closing),
        figures=tuple(check.figures),
        problems=tuple(problems),
        head=written.head,
        falls=written.falls,
    )


def _order(problem: Problem) -> tuple[tuple[str, ...], str, str]:
    return tuple(f"{step:06}" if isinstance(step, int) else step for step in problem.path), problem.code, problem.message


def _hidden(book: Book, kind: str) -> frozenset[str]:
    """The fields that the face of a kind shows, so that no sentence does."""
    return frozenset(book.listed("shown", kind))


# ---- an entry's own fields


def _fields(page: Page, kind: str, data: Mapping[str, Value], rows: Rows) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    """The lines of fields that have a sentence: those of `phrases.first`, and the others; and all of them with the name of their field."""
    sentences = page.book.phrase_value("fields", kind)
    opening_names = page.book.listed("first", kind)
    opening: list[str] = []
    closing: list[str] = []
    named: list[tuple[str, str]] = []
    for name, form in sentences.items() if isinstance(sentences, dict) else ():
        page.asked.add(name)
        if name in data or name in rows:
            into = opening if name in opening_names else closing
            made = _field_lines(page, name, form, data, rows.get(name))
            into.extend(made)
            named.extend((name, line) for line in made)
    return opening, closing, named


def _field_lines(page: Page, name: str, form: Value, data: Mapping[str, Value], rows: Sequence[Mapping[str, Value]] | None) -> list[str]:
    value = data.get(name)
    templates = page.book.templates(form)
    below = Layer(data, ())
    if rows is None and not _has_rows(value):
        scope = Scope((below,), {})
        try:
            text = first(page, templates, scope.with_slots({"v": by_value(page, scope, value, (name,))}))
        except Unsaid:
            return []
        return [text] if text else _no_line(page, name)
    asked = {name for template in templates for name in (*template.slots, *(slot.name for slot in template.asks))}
    lines: list[str] = []
    typed_rows = value if isinstance(value, list) else []
    for at in range(len(rows) if rows is not None else len(typed_rows)):
        worked = rows[at] if rows is not None else {}
        typed_row = typed_rows[at] if at < len(typed_rows) else {}
        typed_row = typed_row if isinstance(typed_row, dict) else {}
        scope = Scope((below,), {})
        try:
            slots = {key: by_value(page, scope, item, (name, at, key)) for key, item in typed_row.items() if key in asked}
            slots |= {key: by_value(page, scope, item, ()) for key, item in worked.items() if key in asked}
            text = first(page, templates, scope.with_slots(slots))
        except Unsaid:
            continue
        lines.extend([text] if text else _no_line(page, name))
    return lines


def _has_rows(value: Value) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _no_line(page: Page, name: str) -> list[str]:
    hint = f"add one under `phrases.fields.{page.kind}.{name}`"
    page.fault("E560", (name,), f"no sentence of the field `{name}` fits what it holds", hint)
    return []


# ---- figures


class _Accounts:
    """Which figures were printed, part by part."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.seen = 0
        self.figures: list[Figure] = []

    def part(self) -> None:
        """Closes a part: in it, a figure is printed once."""
        for path in twice(self.page.printed[self.seen :]):
            self.page.fault("E563", path, "this figure is printed twice", "let one sentence print it")
        self.seen = len(self.page.printed)

    def close(self, data: Mapping[str, Value], fields: set[str]) -> None:
        """Finds the figures that no sentence printed; in hand-written text, those that no value bears."""
        page = self.page
        said = {*page.printed, *page.told}
        everything = expected_of_entry({k: v for k, v in data.items() if k != "actions"}, page.hidden, page.book.nouns["outcomes"], fields)
        for id, action in page.actions.items():
            if isinstance(action, dict):
                everything += expected(action, ("actions", id), page.hidden)
        broken = {_part(problem.path) for problem in page.problems.values() if problem.code in UNSAID}
        for path, value in everything:
            if path in said:
                self.figures.append(Figure(path, value))
            elif self._hand(data, path) is None and _part(path) not in broken and not (broken and _part(path) == ()):
                hint = OF_A_ROLL if ROLL in path else "leave it out, or give its verb a sentence that prints it"
                page.fault("E562", path, f"the figure `{value}` is in the data and in no sentence", hint)
        self._unborne(data, (), [value for _, value in everything])
        for id, action in page.actions.items():
            if isinstance(action, dict):
                own = [value for path, value in everything if path[:2] == ("actions", id) or path[0] != "actions"]
                self._unborne(action, ("actions", id), own)

    def _hand(self, data: Mapping[str, Value], path: Path) -> Value:
        """The hand-written text that stands in place of the sentences of a figure's part."""
        action = self.page.actions.get(str(path[1])) if path[0] == "actions" and len(path) > 1 else None
        return action.get("rules") if isinstance(action, dict) else data.get("rules") if path[0] != "actions" else None

    def _unborne(self, data: Mapping[str, Value], path: Path, values: list[Value]) -> None:
        text = data.get("rules")
        if not isinstance(text, str):
            return
        borne = {figure for value in values for figure in figures_in(str(value))} | {str(n) for n in _mapped_numbers(data)}
        for figure in dict.fromkeys(figures_in(text)):
            if figure not in borne:
                message = f"the figure `{figure}` stands in hand-written text and in no value"
                self.page.fault("W571", (*path, "rules"), message, "read it from the data: `{path}`")


def _part(path: Path) -> Path:
    """The part that a path leads into: an action, or the entry's own sentences."""
    return path[:2] if path[:1] == ("actions",) else ()


def _mapped_numbers(data: Mapping[str, Value]) -> list[int]:
    """The plain numbers of a map's own fields."""
    return [value for value in data.values() if isinstance(value, int) and not isinstance(value, bool)]

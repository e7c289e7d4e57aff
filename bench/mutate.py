"""Mistakes as writers make them, one at a time, over all shipped content: is each found, in the right file, on the right line, in one
message, and does the hint, where it names a word, mend it?

    python bench/mutate.py [--seed N] [--count 500]

Twelve classes of equal size. A mistake is made in the text of a file; the project is read again in this process, all other files as they
were.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document
from seasons_build.core.entry import Entry, Library
from seasons_build.core.span import Span
from seasons_build.pipeline.author import Desk

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Place:
    """Something that can be got wrong: where it stands, and its text."""

    span: Span
    text: str
    told: int = 0
    """The line where it is right to tell of it, if that is another one: what is missing is told at what it is missing in."""


Mistake = Callable[[str, random.Random], str | None]


def misspelt(word: str, chance: random.Random) -> str | None:
    """A word with two neighbours swapped, a letter doubled or one left out."""
    if len(word) < 4:
        return None
    at = chance.randrange(1, len(word) - 1)
    swapped = word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
    made = chance.choice((word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], swapped))
    return made if made != word and re.fullmatch(r"[a-z][a-z0-9_-]*[a-z0-9]", made) else None


def places(library: Library) -> dict[str, list[tuple[Place, Mistake]]]:
    """All that can be got wrong, by class."""
    found: dict[str, list[tuple[Place, Mistake]]] = {name: [] for name in CLASSES}
    for entry in library.entries.values():
        if entry.kind == "product" or entry.like or entry.changes:
            continue
        for name, place, mistake in _of_entry(library, entry):
            if "\n" not in place.text and place.span.line == place.span.end_line and place.text:
                found[name].append((place, mistake))
    documents = {entry.document.file: entry.document for entry in library.entries.values()}
    for document in documents.values():
        for line in _lines(document):
            for name in ("a tab in front", "a missing colon", "a bracket left open"):
                found[name].append((line, BY_LINE[name]))
    for pack in library.packs:
        for noun in (noun for ids in library.rules[pack].values() for noun in ids.values() if noun.pack == pack and noun.noun == "stats"):
            base = noun.data.get("base") if isinstance(noun.data, dict) else None
            if isinstance(base, str):
                for word in re.finditer(r"(?<![\w.'])[a-z][a-z_]{3,}(?![\w(.'])", base):
                    if word[0] not in ("else", "true", "false"):
                        found["a name in a formula"].append((Place(noun.inside(("base",), *word.span()), word[0]), misspelt))
    return found


def _of_entry(library: Library, entry: Entry) -> Iterator[tuple[str, Place, Mistake]]:
    kind = library.kind_of(entry)
    typed = entry.document.data[entry.kind][entry.id]
    yield "a kind", Place(entry.document.key_span((entry.kind,)), entry.kind), misspelt
    for field, value in typed.items():
        key = Place(entry.key_span((field,)), field)
        yield "a field", key, misspelt
        if field in kind.schema.get("required", ()) and isinstance(value, str | int) and field != "name":
            yield "a field that is left out", Place(_whole(entry, field), field, entry.key_span().line), lambda text, chance: ""
        body = kind.schema["properties"].get(field, {})
        if body.get("type") == "integer" and isinstance(value, int):
            yield "a word for a number", Place(entry.span((field,)), str(value)), lambda text, chance: chance.choice(("many", "two", "x"))
        if isinstance(value, str) and (field == "flavor" or body.get("x-text")) and re.fullmatch(r"\w[^:#\"'\[\]{}]*", value):
            yield "a text that is no plain text", Place(entry.span((field,)), value), _trap
    for reference in entry.announced.references:
        if not reference.key and re.fullmatch(r"[a-z-]+", reference.text):
            yield "a reference", Place(entry.span(reference.path), reference.text), misspelt
    for word in entry.announced.words:
        yield ("a key of the game" if word.key else "a word of the game"), _word(entry, word.path, word.text, word.key), misspelt


def _word(entry: Entry, path: tuple[str | int, ...], text: str, key: bool) -> Place:
    return Place(entry.key_span(path) if key else entry.span(path), text)


def _whole(entry: Entry, field: str) -> Span:
    key, value = entry.key_span((field,)), entry.span((field,))
    return Span(key.file, key.line, key.column, value.end_line, value.end_column)


def _trap(text: str, chance: random.Random) -> str:
    return chance.choice((f"> {text}", f"* {text}", f"[{text}", f"{{{text}", f"@{text}", f"Note: {text}", f'"{text}', f"%{text}"))


def _lines(document: Document) -> Iterator[Place]:
    for number, row in enumerate(document.source.split("\n"), 1):
        if re.match(r" +[a-z_-]+: [\w\[{]", row) and "|" not in row:
            yield Place(Span(document.file, number, 1, number, len(row) + 1), row)


def _open(text: str, chance: random.Random) -> str | None:
    at = max(text.rfind("]"), text.rfind("}"))
    return text[:at] + text[at + 1 :] if at > 0 else None


BY_LINE: dict[str, Mistake] = {
    "a tab in front": lambda text, chance: "\t" + text.lstrip(),
    "a missing colon": lambda text, chance: text.replace(": ", " ", 1),
    "a bracket left open": _open,
}
CLASSES = (
    *("a kind", "a field", "a field that is left out", "a reference", "a word of the game", "a key of the game", "a name in a formula"),
    *("a word for a number", "a text that is no plain text", "a tab in front", "a missing colon", "a bracket left open"),
)
SPELLING = ("a kind", "a field", "a reference", "a word of the game", "a key of the game", "a name in a formula")


@dataclass(slots=True)
class Tally:
    """What became of the mistakes of one class."""

    made: int = 0
    found: int = 0
    file: int = 0
    line: int = 0
    one: int = 0
    hinted: int = 0
    mended: int = 0


def main() -> int:
    """Makes the mistakes and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--tell", action="store_true", help="name each mistake that was not judged well")
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    desk = Desk(ROOT)
    clean = desk.reread({})
    before = {(d.code, d.message) for d in clean.diagnostics}
    left = places(clean.library)
    tallies = {name: Tally() for name in CLASSES}
    for number in range(asked.count):
        name = CLASSES[number % len(CLASSES)]
        tally, made = tallies[name], None
        while made is None:
            place, mistake = chance.choice(left[name])
            made = mistake(place.text, chance)
        text = clean.texts[place.span.file]
        rows = text.split("\n")
        row = rows[place.span.line - 1]
        rows[place.span.line - 1] = row[: place.span.column - 1] + made + row[place.span.end_column - 1 :]
        if name == "a field that is left out":
            rows[place.span.line - 1] = _tidied(rows[place.span.line - 1])
        told = _fresh(desk, place.span.file, rows, before)
        errors = [d for d in told if d.severity == "error"]
        _judge(tally, place, told, errors)
        if name in SPELLING:
            tally.hinted += 1
            tally.mended += _mends(desk, place, rows, errors, before)
        if asked.tell and (not errors or len(errors) != 1 or (errors[0].span or place.span).line != (place.told or place.span.line)):
            print(f"{name}: {place.span}: {place.text!r} -> {made!r}: {[(d.code, d.message, str(d.span)) for d in errors[:3]]}")
    _print(tallies)
    return 0


def _tidied(row: str) -> str:
    """A line of which a field was taken, in brackets or alone."""
    row = re.sub(r"\{, ", "{", row).replace(", ,", ",").replace(", }", "}")
    return row if row.strip() and not row.strip().startswith("#") else ""


def _fresh(desk: Desk, file: str, rows: list[str], before: set[tuple[str, str]]) -> list[Diagnostic]:
    reread = desk.reread({file: "\n".join(rows).encode()})
    return [d for d in reread.diagnostics if (d.code, d.message) not in before]


def _judge(tally: Tally, place: Place, told: list[Diagnostic], errors: list[Diagnostic]) -> None:
    tally.made += 1
    tally.found += bool(told)
    here = [d for d in told if d.span and d.span.file == place.span.file]
    tally.file += bool(here)
    right = place.told or place.span.line
    tally.line += any(d.span and d.span.line <= right <= d.span.end_line for d in here)
    tally.one += len(errors) == 1


def _mends(desk: Desk, place: Place, rows: list[str], errors: list[Diagnostic], before: set[tuple[str, str]]) -> bool:
    """Whether the first hint of the first error, put where the error is, leaves nothing to say."""
    if not errors or errors[0].span is None or errors[0].span.file != place.span.file:
        return False
    meant = [found[1] for hint in errors[0].hints if (found := re.match(r"did you mean `([^`]+)`\?", hint))]
    span = errors[0].span
    if not meant or span.line != span.end_line:
        return False
    mended = list(rows)
    row = mended[span.line - 1]
    mended[span.line - 1] = row[: span.column - 1] + meant[0] + row[span.end_column - 1 :]
    return not [d for d in _fresh(desk, place.span.file, mended, before) if d.severity != "note"]


def _print(tallies: dict[str, Tally]) -> None:
    total = Tally(*(sum(getattr(t, field) for t in tallies.values()) for field in Tally.__slots__))
    print(f"{'':30}{'made':>6}{'found':>7}{'file':>6}{'line':>6}{'one':>6}{'hint mends':>12}")
    for name, t in [*tallies.items(), ("all", total)]:
        hint = f"{t.mended}/{t.hinted}" if t.hinted else ""
        print(f"{name:30}{t.made:>6}{t.found:>7}{t.file:>6}{t.line:>6}{t.one:>6}{hint:>12}")


if __name__ == "__main__":
    sys.exit(main())

"""Mistakes as writers make them, one at a time, over all shipped content: is each found, in the right file, on the right line, in one
message, and does the hint, where it names a word, mend it?

    python bench/mutate.py [--seed N] [--count 500] [--jobs 2] [--tell]

Twelve classes of equal size. A mistake is made in the text of a file, and the project is read again, all other files as they were: in a
copy that has the packs which may notice, those of the file and those that require it or are required by it. Nothing of the compiler is
asked but what `check` would print. What a mistake cannot touch is not worked out anew; for one in fifty all is, and must be the same.
The table comes at the end, or when the program is interrupted.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document
from seasons_build.core.entry import Entry, Library
from seasons_build.core.span import Span
from seasons_build.load import load
from seasons_build.pipeline.again import Again
from seasons_build.pipeline.read import Project, link_sources, work_out
from seasons_build.sources import open_sources

ROOT = Path(__file__).parent.parent
ANEW = 50
"""For one mistake in so many everything is worked out from nothing, too."""


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
    documents |= {n.document.file: n.document for rules in library.rules.values() for ids in rules.values() for n in ids.values()}
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
    signs = (f"> {text}", f"* {text}", f"[{text}", f"{{{text}", f"@{text}", f'"{text}', f"%{text}")
    first, _, rest = text.partition(" ")
    return chance.choice((*signs, f"Note: {text}", f":hp: {text}", f"{{{text}}}", *([f"{first} # {rest}"] if rest else [])))


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

    def add(self, other: Tally) -> None:
        """Counts what another has counted."""
        for name in Tally.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(frozen=True, slots=True)
class Mutation:
    """One mistake: its class, where it is made, what stands there instead, and the rows of its file with it."""

    name: str
    place: Place
    made: str
    rows: tuple[str, ...]

    @property
    def file(self) -> str:
        """The file that it is made in."""
        return self.place.span.file

    @property
    def lines(self) -> tuple[int, ...]:
        """Where it is right to tell of it."""
        return (self.place.told or self.place.span.line,)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one mistake, and what was told of it."""

    mutation: Mutation
    tally: Tally
    told: tuple[Diagnostic, ...]

    @property
    def good(self) -> bool:
        """Whether nothing is to be said about it."""
        tally = self.tally
        return min(tally.found, tally.file, tally.line, tally.one) == 1 and tally.mended == tally.hinted

    def __str__(self) -> str:
        mutation = self.mutation
        heard = "".join(f"\n    {d.span} {d.code} {d.message} {' | '.join(d.hints)}" for d in self.told)
        return f"{mutation.name}: {mutation.place.span}: {mutation.place.text!r} -> {mutation.made!r}{heard}"


class Judge:
    """Reads a project with a mistake in it, and says what became of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parsed: dict[tuple[str, bytes], Result[Document | None]] = {}
        self._again = Again()
        self.clean = work_out(self._linked({}, self._again), remember=True)
        self._before = frozenset((d.code, d.message) for d in self.clean.diagnostics)
        self._asked = 0

    def of(self, mutation: Mutation) -> Verdict:
        """What becomes of a mistake."""
        told = self._told(mutation.file, "\n".join(mutation.rows))
        # A mistake that only earns a warning has that for its message; notes beside it are none.
        errors = [d for d in told if d.severity == "error"] or [d for d in told if d.severity == "warning"]
        here = [d for d in told if d.span and d.span.file == mutation.file]
        tally = Tally(
            made=1,
            found=int(bool(told)),
            file=int(bool(here)),
            line=int(any(d.span.line <= line <= d.span.end_line for d in here if d.span for line in mutation.lines)),
            one=int(len(errors) == 1),
        )
        if mutation.name in SPELLING:
            tally.hinted, tally.mended = 1, int(self._mends(mutation, errors))
        return Verdict(mutation, tally, tuple(told))

    def _told(self, file: str, text: str) -> list[Diagnostic]:
        """What is told of the project with this text for one of its files, and is not told of it as it is."""
        over = {file: text.encode()}
        found = work_out(self._linked(over, self._again), before=self.clean).diagnostics
        self._asked += 1
        if self._asked % ANEW == 1 and set(found) != set(work_out(self._linked(over)).diagnostics):
            raise SystemExit(f"gone on from before, something else is told than from nothing:\n{text}")
        return [d for d in found if (d.code, d.message) not in self._before]

    def _linked(self, over: dict[str, bytes], again: Again | None = None) -> Project:
        sources, root = open_sources(self._folder, (), over=over)
        return link_sources(sources, root, parse=self._parse, again=again)

    def _parse(self, name: str, raw: bytes) -> Result[Document | None]:
        if (name, raw) not in self._parsed:
            self._parsed[name, raw] = load(name, raw)
        return self._parsed[name, raw]

    def _mends(self, mutation: Mutation, errors: Sequence[Diagnostic]) -> bool:
        """Whether the first hint of the first error, put where the error is, leaves nothing to say."""
        if not errors or errors[0].span is None or errors[0].span.file != mutation.file:
            return False
        meant = [found[1] for hint in errors[0].hints if (found := re.match(r"did you mean `([^`]+)`\?", hint))]
        span = errors[0].span
        if not meant or span.line != span.end_line:
            return False
        rows = list(mutation.rows)
        row = rows[span.line - 1]
        rows[span.line - 1] = row[: span.column - 1] + meant[0] + row[span.end_column - 1 :]
        text = "\n".join(rows)
        return text == self.clean.texts[mutation.file] or not [d for d in self._told(mutation.file, text) if d.severity != "note"]


class Bench:
    """All content of a project: the mistakes that can be made in it, and a judge for each set of packs that have to do with each other."""

    def __init__(self, root: Path, folder: Path) -> None:
        whole = Judge(root).clean
        self.texts = whole.texts
        self._left = places(whole.library)
        self._judges: dict[str, Judge] = {}
        apart: list[Diagnostic] = []
        for number, packs in enumerate(together({pack.id: pack.requires for pack in whole.library.packs.values()})):
            judge = Judge(_copied(root, folder / str(number), packs))
            apart += judge.clean.diagnostics
            self._judges |= dict.fromkeys(judge.clean.texts, judge)
        if set(apart) != set(whole.diagnostics):
            raise SystemExit("what is told of the packs apart is not what is told of them together")

    def mutations(self, seed: int, count: int) -> Iterator[Mutation]:
        """Mistakes by chance, of one class after the other."""
        chance = random.Random(seed)
        for number in range(count):
            name, mutation = CLASSES[number % len(CLASSES)], None
            while mutation is None:
                place, mistake = chance.choice(self._left[name])
                made = mistake(place.text, chance)
                mutation = self._mutation(name, place, made) if made is not None else None
                if mutation is not None and name in BY_LINE and self._is_none(mutation):
                    mutation = None
            yield mutation

    def _is_none(self, mutation: Mutation) -> bool:
        """Whether a mistake is none: YAML itself reads the same (a tab between brackets, say)."""
        try:
            now = yaml.load("\n".join(mutation.rows), yaml.CSafeLoader)
        except yaml.YAMLError:
            return False
        return bool(now == yaml.load(self.texts[mutation.file], yaml.CSafeLoader))

    def _mutation(self, name: str, place: Place, made: str) -> Mutation:
        rows = self.texts[place.span.file].split("\n")
        row = rows[place.span.line - 1]
        row = row[: place.span.column - 1] + made + row[place.span.end_column - 1 :]
        rows[place.span.line - 1] = _tidied(row) if name == "a field that is left out" else row
        return Mutation(name, place, made, tuple(rows))

    def judged(self, mutation: Mutation) -> Verdict:
        """What becomes of a mistake."""
        return self._judges[mutation.file].of(mutation)


def together(requires: dict[str, tuple[str, ...]]) -> list[list[str]]:
    """The packs in sets that have nothing to do with each other."""
    sets: list[set[str]] = []
    for pack, needed in requires.items():
        mine = {pack, *needed}
        mine |= {one for other in sets if other & mine for one in other}
        sets = [other for other in sets if not other & mine] + [mine]
    return [sorted(packs) for packs in sets]


def _copied(root: Path, folder: Path, packs: list[str]) -> Path:
    """A project of some of the packs, without what is not read before anything is printed."""
    for part in ("content", "schemas"):
        for pack in packs:
            if (root / part / pack).is_dir():
                shutil.copytree(root / part / pack, folder / part / pack)
    return folder


def _tidied(row: str) -> str:
    """A line of which a field was taken, in brackets or alone."""
    row = re.sub(r"\{, ", "{", row).replace(", ,", ",").replace(", }", "}")
    return row if row.strip() and not row.strip().startswith("#") else ""


BENCH: list[Bench] = []
"""The bench, where the processes that judge find it: they are forked once it is there."""


def _judged(mutation: Mutation) -> Verdict:
    return BENCH[0].judged(mutation)


def _at_work() -> None:
    """An interrupt is for the program that prints the table."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def judged(mutations: list[Mutation], jobs: int) -> Iterator[Verdict]:
    """What becomes of mistakes, in their order."""
    if jobs == 1:
        yield from map(_judged, mutations)
        return
    with multiprocessing.get_context("fork").Pool(jobs, _at_work) as pool:
        yield from pool.imap(_judged, mutations)


def main() -> int:
    """Makes the mistakes and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--tell", action="store_true", help="name each mistake that was not judged well")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    begun, tallies, done = time.monotonic(), {name: Tally() for name in CLASSES}, 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            BENCH.append(Bench(ROOT, Path(folder)))
            for verdict in judged(list(BENCH[0].mutations(asked.seed, asked.count)), asked.jobs):
                tallies[verdict.mutation.name].add(verdict.tally)
                done += 1
                if asked.tell and not verdict.good:
                    print(verdict, flush=True)
                if done % 50 == 0:
                    print(f"{done} of {asked.count} in {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print(f"stopped after {done} of {asked.count}", file=sys.stderr)
    _print(tallies, asked.seed)
    return 0


def _print(tallies: dict[str, Tally], seed: int) -> None:
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    print(f"{f'seed {seed}':30}{'made':>6}{'found':>7}{'file':>6}{'line':>6}{'one':>6}{'hint mends':>12}")
    for name, t in [*tallies.items(), ("all", total)]:
        hint = f"{t.mended}/{t.hinted}" if t.hinted else ""
        print(f"{name:30}{t.made:>6}{t.found:>7}{t.file:>6}{t.line:>6}{t.one:>6}{hint:>12}")


if __name__ == "__main__":
    sys.exit(main())

"""A typesetter that makes nothing twice, a reader that parses nothing twice, and fonts that are made ready once: all of them ask the
project's cache first.

In: jobs and files, as their makers take them. Out: what the makers would give, byte for byte. The key of a face is the digest of its job,
of everything in its theme, of the limits and of the tools; that of a parsed file is of its bytes, the limits and the program that reads it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, Protocol

from seasons_build.core.diagnostic import Result
from seasons_build.core.document import Document
from seasons_build.core.expected import Expected
from seasons_build.core.face import Box, Face, FontUse, decode, encode, outline, outline_of
from seasons_build.core.finding import Finding, from_data, to_data
from seasons_build.core.job import BookJob, FaceJob, PartJob, Printed, Step, Theme, Typeset, Wanted, theme_digest
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.named import NamedTuple
from seasons_build.core.part import decode_part, encode_part, measured_of, measured_to
from seasons_build.core.tools import Tools
from seasons_build.core.wire import Message
from seasons_build.impose import FontParts, font_parts, program
from seasons_build.load import kept, load, load_changed
from seasons_build.pipeline.ahead import keep_tools, known_tools
from seasons_build.pipeline.shelf import FEW, Shelf
from seasons_build.store import Store

OBJECTS = "objects"
FILES = "parsed"
FONTS = "fonts"
BOOKS = "books"

_SHARED = 8 * 1024
"""Bytes from which on an object of a face is kept on its own, once for all faces that show it."""
_RUNS = 12
"""Runs after which what they gave is held no longer: one build takes up to one for each share of a text that goes on on the back of its
card, and for each time that the parts of books are set."""
_BY_CHANCE = ("E620", "E621", "E850")
"""Findings that may be another machine's, or another moment's: what has one is made anew."""


class Press(Protocol):
    """What sets type: themes are opened, then jobs are run."""

    def open(self, theme: Theme) -> None:
        """Takes a theme, in place of an earlier one of the same id."""

    def run(self, jobs: Iterable[Wanted]) -> Generator[Typeset, None, None]:
        """The result of each job, in order."""


class Toolmaker(Press, Protocol):
    """A typesetter that says what it sets type with."""

    def tools(self) -> Tools:
        """What sets type here; waits until that is known."""


class KeptPress:
    """A typesetter with a memory. `made` counts what had to be typeset, `found` what was there. With `hold`, what the last runs gave is at
    hand for the next one without being read again: one build may take several. `tools` is the digest of those that are known to set type
    here; without it they are asked for."""

    def __init__(self, press: Toolmaker, store: Store, limits: Limits = DEFAULT, *, hold: bool = False, tools: str = "") -> None:
        self._press = press
        self._store = store
        self._limits = repr(limits)
        self._themes: dict[str, str] = {}
        self._opened: dict[str, Theme] = {}
        self._last: FaceJob | None = None
        self._tools: str | None = tools or None
        self._hold = hold
        self._runs = 0
        self._held: dict[str, tuple[int, Typeset]] = {}
        self._shelf = Shelf(store)
        self._arounds: dict[str, str] = {}
        self.made = 0
        self.found = 0
        self.certain = True
        """Whether everything that was made would be made so again: nothing went wrong by chance."""

    def open(self, theme: Theme) -> None:
        """Takes a theme, in place of an earlier one of the same id."""
        digest = theme_digest(theme)
        if self._themes.get(theme.id) != digest:
            self._themes[theme.id] = digest
            self._opened[theme.id] = theme
            self._press.open(theme)

    def set_last(self) -> tuple[Theme, Expected] | None:
        """What the last face that was typeset asked for; None where none was."""
        return (self._opened[self._last.theme], Expected(self._last.template, self._last.stylesheets)) if self._last is not None else None

    def forget(self) -> None:
        """Drops what it holds of the runs before."""
        self._held, self._arounds, self._tools = {}, {}, None
        self._shelf.forget()

    def at_hand(self, job: Printed) -> Typeset | None:
        """What the last runs gave for a job, where it is the same and is held; books are not."""
        held = None if isinstance(job, BookJob) else self._held.get(self._key(job))
        return None if held is None else _for(job, held[1])

    def run(self, jobs: Iterable[Wanted]) -> Generator[Typeset, None, None]:
        """The result of each job, in order; only what is not kept reaches the typesetter. Where few are asked for, those that were used
        together are not read for them."""
        few = isinstance(jobs, Sized) and len(jobs) < FEW
        ready: deque[Typeset | None] = deque()
        waiting: deque[tuple[str, str]] = deque()
        self._runs += 1
        self._held = {key: held for key, held in self._held.items() if held[0] > self._runs - _RUNS}

        def missing() -> Iterator[Wanted]:
            for job in jobs:
                key = self._key(job)
                _, result = self._held.get(key, (0, None))
                if result is None and key:
                    result = _typeset(self._shelf.get(self.around(job), key, alone=few), job, self._store)
                ready.append(None if result is None else _for(job, result))
                if result is not None and self._hold:
                    self._held[key] = self._runs, result
                if result is None:
                    self._last = job if isinstance(job, FaceJob) else self._last
                    waiting.append((self.around(job), key))
                    yield job

        for fresh in self._press.run(missing()):
            yield from self._until_missing(ready)
            ready.popleft()
            self.made += 1
            self._keep(*waiting.popleft(), fresh)
            yield fresh
        yield from self._until_missing(ready)
        self._shelf.gather()

    def book(self, book: BookJob, jobs: Sequence[PartJob], bind: Callable[[], bytes]) -> bytes:
        """The bytes of a book whose parts became of these jobs: as it was bound before, or bound now."""
        keys = [self._key(job) for job in jobs]
        if not all(keys):
            return bind()
        key = _digest(_imposing(), book.title, book.lang, book.authors, *keys)
        kept = self._store.get(BOOKS, key)
        if kept is not None and len(kept.blobs) == 1:
            return kept.blobs[0]
        made = bind()
        self._store.put(BOOKS, key, {}, [made])
        return made

    def _until_missing(self, ready: deque[Typeset | None]) -> Iterator[Typeset]:
        while ready and (result := ready[0]) is not None:
            ready.popleft()
            self.found += 1
            yield result

    def _keep(self, around: str, key: str, result: Typeset) -> None:
        chance = any(finding.code in _BY_CHANCE for finding in result.findings)
        self.certain = self.certain and bool(key) and not chance
        if key and not chance:
            self._shelf.put(around, key, *_message(result, self._store))
            if self._hold:
                self._held[key] = self._runs, result

    def _key(self, job: Wanted) -> str:
        """The digest of all that decides what becomes of a job; empty where the tools are not known."""
        around = self.around(job)
        return _digest(job.digest, around) if around else ""

    def around(self, job: Wanted) -> str:
        """The digest of what decides it but the job; empty where the tools are not known."""
        theme = self._themes[job.theme]
        if theme not in self._arounds:
            if self._tools is None:
                self._tools = known_tools(self._store).digest or self._ask()
            self._arounds[theme] = _digest(theme, self._tools, self._limits) if self._tools else ""
        return self._arounds[theme]

    def _ask(self) -> str:
        tools = self._press.tools()
        if tools.digest:
            keep_tools(self._store, tools)
        return tools.digest


class KeptReader:
    """Parses files, or takes them as they were parsed before. `parsed` and `found` count them. With `hold`, a file that is parsed again
    is kept when it has stayed the same for once, or in the end: what somebody writes at changes again soon. So do files that are `moving`,
    which are not kept now."""

    def __init__(self, store: Store, limits: Limits = DEFAULT, *, hold: bool = False, moving: Collection[str] = ()) -> None:
        self._store = store
        self._limits = limits
        self._hold = hold
        self._moving = moving
        self._waiting: dict[str, tuple[str, Document]] = {}
        self._program = _digest(kept.program(), repr(limits))
        self._seen: dict[str, tuple[str, Result[Document | None]]] = {}
        self.parsed = 0
        self.found = 0

    def load(self, file: str, raw: bytes) -> Result[Document | None]:
        """As the stage `load` reads it."""
        key = _digest(sha256(raw).hexdigest(), self._program)
        before, result = self._seen.get(file, ("", None))
        if result is None or before != key:
            self._waiting.pop(file, None)
            result = self._load(key, file, raw, result)
            self._seen[file] = key, result
        elif file in self._waiting:
            self._keep(*self._waiting.pop(file))
        return result

    def forget(self) -> None:
        """Drops what it has read."""
        self._seen, self._waiting = {}, {}

    def close(self) -> None:
        """Keeps what was held."""
        for waiting in self._waiting.values():
            self._keep(*waiting)
        self._waiting = {}

    def _keep(self, key: str, document: Document) -> Document:
        """Keeps a file; gives it as it is then held."""
        data, blobs = kept.to_data(document)
        self._store.put(FILES, key, data, blobs)
        return kept.with_places_apart(document, blobs)

    def _load(self, key: str, file: str, raw: bytes, before: Result[Document | None] | None) -> Result[Document | None]:
        found = self._store.get(FILES, key)
        if found is not None and (document := kept.from_data(*found, file, raw)) is not None:
            self.found += 1
            return Result(document)
        self.parsed += 1
        if before is not None and before.value is not None and not before.diagnostics:
            result = load_changed(before.value, raw, self._limits)
        else:
            result = load(file, raw, self._limits)
        # A file with something wrong in it is read again each time: it is the one that is being worked on.
        if result.value is not None and not result.diagnostics:
            if self._hold and file in self._seen:
                self._waiting[file] = key, result.value
            elif file not in self._moving:
                return Result(self._keep(key, result.value))
        return result


class _Alike(NamedTuple):
    """What many results have alike; `outline` is of a face."""

    pages: int
    fit: int
    classes: str
    findings: tuple[Finding, ...]
    outline: tuple[Box, Box, Mapping[str, FontUse]] | None


class KeptFonts:
    """Makes font files ready for embedding, or takes them as they were made before."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def parts(self, data: bytes) -> FontParts:
        """As the stage `impose` makes them. Raises FontError."""
        key = _digest(sha256(data).hexdigest(), _imposing())
        return _font(self._store.get(FONTS, key)) or self._made(key, data)

    def _made(self, key: str, data: bytes) -> FontParts:
        parts = font_parts(data)
        blobs = [parts.program, parts.descriptor, parts.descendant, parts.unicode]
        self._store.put(FONTS, key, {"name": parts.name, "texts": parts.texts}, blobs)
        return parts


def _font(message: Message | None) -> FontParts | None:
    """A font as it was kept; None where it is not of that form."""
    if message is None:
        return None
    try:
        program, descriptor, descendant, unicode = message.blobs
        texts = {int(glyph): text for glyph, text in message.header["texts"].items()}
        return FontParts(message.header["name"], program, descriptor, descendant, unicode, texts)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def _message(result: Typeset, store: Store) -> tuple[dict[str, Any], list[bytes]]:
    """A result as it is kept: first what many have alike, which is read once for all of them. Large objects of a face are kept on their
    own: many faces show the same picture."""
    face = result.face
    shared = {
        "pages": result.pages,
        "fit": result.fit,
        "classes": result.fitted.class_name,
        "findings": [to_data(finding) for finding in result.findings],
        "outline": outline(face) if isinstance(face, Face) else None,
    }
    alike = json.dumps(shared, separators=(",", ":"), ensure_ascii=True).encode()
    if result.measured is not None:
        head = {"is": "part", "measured": measured_to(result.measured)}
        return head, [alike] if result.part is None else [alike, encode_part(result.part)]
    if result.pdf is not None:
        return {"is": "pdf"}, [alike, result.pdf]
    if face is None:
        return {"is": "nothing"}, [alike]
    if not isinstance(face, Face):
        return {"is": "whole"}, [alike, encode(face)]
    large = [sha for sha, data in face.objects.items() if len(data) >= _SHARED]
    for sha in large:
        if not store.has(OBJECTS, sha):
            store.put(OBJECTS, sha, {}, [face.objects[sha]])
    small = [data for data in face.objects.values() if len(data) < _SHARED]
    return {"is": "face", "form": face.form, "objects": list(face.objects), "large": large}, [alike, *small]


def _typeset(message: Message | None, job: Wanted, store: Store) -> Typeset | None:
    """A result as it was kept; None where a part of it is not there, or not of that form."""
    if message is None:
        return None
    head = message.header
    face = pdf = part = measured = None
    try:
        shared, *blobs = message.blobs
        alike = _alike(shared)
        fitted = _fitted(job.fit[alike.fit], alike.classes) if isinstance(job, FaceJob) else Step()
        if head["is"] == "pdf":
            (pdf,) = blobs
        elif head["is"] == "part":
            measured = measured_of(head["measured"])
            part = decode_part(blobs[0]) if blobs else None
        elif head["is"] == "whole":
            face = decode(blobs[0])
        elif head["is"] == "face":
            keys, large = head["objects"], head["large"]
            objects = dict(zip([sha for sha in keys if sha not in large] if large else keys, blobs, strict=True))
            if large:
                objects |= {sha: found.blobs[0] for sha in large if (found := store.get(OBJECTS, sha)) is not None}
                objects = {sha: objects[sha] for sha in keys}
            if alike.outline is None:
                return None
            box, trim, fonts = alike.outline
            face = Face(box, trim, head["form"], objects, fonts)
        return Typeset(job.key, face, pdf, alike.pages, alike.findings, alike.fit, fitted, measured, part)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
        return None


@lru_cache(maxsize=1024)
def _alike(text: bytes) -> _Alike:
    head = json.loads(text)
    outlined = None if head["outline"] is None else outline_of(head["outline"])
    return _Alike(head["pages"], head["fit"], head["classes"], tuple(map(from_data, head["findings"])), outlined)


def _for(job: Printed, result: Typeset) -> Typeset:
    """A result that may be another job's, which asked for the same."""
    return result if result.key == job.key else replace(result, key=job.key)


def _fitted(step: Step, classes: str) -> Step:
    return step if step.class_name == classes else replace(step, class_name=classes)


@cache
def _imposing() -> str:
    return program()


def _digest(*parts: str) -> str:
    """A digest of texts that nothing else has: each with its length before it."""
    return sha256("".join(f"{len(part)}:{part}" for part in parts).encode()).hexdigest()

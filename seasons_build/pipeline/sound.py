"""What a build leaves of reading for the next one of the same packs: the files with entries that nothing is wrong with, what each entry
says, and where the names in them lead.

In: a project's files, parsed, and the store. Out: the entries of which all that an earlier build found out still holds. They are not
checked again, the names in them are not looked for again, and what they announce is seen when somebody asks for it.

Nothing is guessed. What is wrong with a file follows from its bytes, from what is no file with entries alone (rules, schemas, manifests,
changes to the entries of others), from which entries there are and how they are called, and from our own program: where any of it is
another, nothing holds. In a file that has changed, an entry is as it was where it stands where it stood and says what it said. Names that
lead into other entries are looked for again where one of these is another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, TypeAlias

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document
from seasons_build.core.entry import Amended, Entry, Key
from seasons_build.core.fingerprint import Fingerprints
from seasons_build.core.named import NamedTuple
from seasons_build.core.reading import ENTRIES, Read
from seasons_build.link import Found, Leads, Linked
from seasons_build.sources import Sources
from seasons_build.store import Store

ROOM = "sound"
NOWHERE = Leads({})
"""What is known of an entry that names no other."""

Contents: TypeAlias = Mapping[str, tuple[Document, ...]]
"""The content files of each pack."""


class Sound(NamedTuple):
    """The entries that need no check, and where names in them lead."""

    entries: frozenset[Key] = frozenset()
    leads: Mapping[Key, Leads] = {}


class _Left(NamedTuple):
    """What an earlier build left: what all of it rests on, the files with their digests, the fingerprints of entries, and where names
    lead."""

    frame: str
    files: Mapping[str, str]
    prints: Mapping[Key, str]
    leads: Mapping[Key, Leads]


class SoundFiles:
    """What is known of a project's files. `program` stands for our own program: what another one left does not hold, and nothing does where
    it is empty. Files that are `moving` are likely to change again, and are taken note of when they have come to rest."""

    def __init__(self, store: Store, program: str, fingerprints: Fingerprints, moving: Collection[str] = ()) -> None:
        self._store = store
        self._program = program
        self._fingerprints = fingerprints
        self._moving = moving
        self._holds = False
        self._name = ""
        self._told: tuple[Any, ...] = ()
        self._digests: Mapping[str, str] = {}
        self._contents: Contents = {}
        self._before: _Left | None = None
        self._found: tuple[Linked, frozenset[str | None]] | None = None

    def known(self, sources: Sources, contents: Contents, scope: Mapping[str, tuple[str, ...]], amended: Mapping[Key, Amended]) -> Sound:
        """The entries that nothing is wrong with; `amended` are those that others have a part in."""
        self._name = sha256(repr(sorted(scope)).encode()).hexdigest()
        self._contents = contents
        self._digests = dict(sources.digests)
        called = [(pack, [(document.file, _called(document)) for document in of]) for pack, of in contents.items()]
        self._told = sources.names(), called, sorted(scope.items())
        before = self._before = self._read() if self._program else None
        if before is None or before.frame != self._frame(before.files):
            return Sound()
        self._holds = True
        entries: set[Key] = set()
        there: set[Key] = set()
        for pack, of in contents.items():
            for document in of:
                keys = list(_keys(pack, document))
                there.update(keys)
                if document.file not in before.files or not amended.keys().isdisjoint(keys):
                    continue
                whole = before.files[document.file] == self._digests[document.file]
                entries.update(keys if whole else self._alike(document, keys, before.prints))
        held = ((key, one) for key, one in before.leads.items() if key in entries and there.issuperset(one.targets.values()))
        leads = {key: one for key, one in held if all(read in entries for _, read in one.reads)}
        return Sound(frozenset(entries), leads)

    def _alike(self, document: Document, keys: Iterable[Key], prints: Mapping[Key, str]) -> Iterator[Key]:
        """The entries of a file that has changed which say what they said where they said it."""
        for key in keys:
            _, word, name = key
            if key not in prints or not isinstance(document.data[word][name], dict):
                continue
            if self._fingerprints.of(_typed(key, document)) == prints[key]:
                yield key

    def note(self, linked: Linked, diagnostics: Iterable[Diagnostic]) -> None:
        """What came of it, and all that was said of the files."""
        self._found = linked, frozenset(d.span.file if d.span else None for d in diagnostics)

    def keep(self, program: str) -> None:
        """Leaves what this build found out, for the same program."""
        if self._found is None or not program or not self._name:
            return  # nothing was found, or the files were read in another language than they were typed in
        linked, told_of = self._found
        entries = linked.library.entries
        files: dict[str, str] = {}
        sound: list[Key] = []
        for pack, of in self._contents.items():
            for document in of:
                keys = list(_keys(pack, document))
                if document.file not in told_of and all(_by_itself(entries.get(key), document) for key in keys):
                    files[document.file] = self._digests[document.file]
                    sound += keys
        if self._holds and self._before is not None and all(name in self._moving for name in _other(self._before.files, files)):
            return
        found = ((key, linked.found[key]) for key in sound)
        leads = {key: _leads(one, entries) for key, one in found if all(map(_is_of_one, one.reads))}
        prints = {key: self._print(entries[key], files) for key in sound}
        left = _Left(self._frame(files), files, prints, leads)
        if left != self._before:
            numbers = {key: number for number, key in enumerate(entries)}
            flat = [
                (
                    numbers[key],
                    [(path, numbers[to]) for path, to in one.targets.items()],
                    sorted(numbers[read] for _, read in one.reads),
                )
                for key, one in leads.items()
                if one != NOWHERE
            ]
            nowhere = [numbers[key] for key, one in leads.items() if one == NOWHERE]
            told = [prints.get(key) for key in entries]
            kept = {"program": program, "frame": left.frame, "digests": files, "keys": list(numbers), "prints": told}
            self._store.put(ROOM, self._name, {**kept, "leads": flat, "nowhere": nowhere})

    def _print(self, entry: Entry, files: Mapping[str, str]) -> str:
        """The fingerprint of an entry; the one that it had, where its file is as it was."""
        before, file = self._before, entry.document.file
        if before is not None and before.files.get(file) == files[file] and entry.key in before.prints:
            return before.prints[entry.key]
        return self._fingerprints.of(_typed(entry.key, entry.document) if entry.origins else entry)

    def _read(self) -> _Left | None:
        found = self._store.get(ROOM, self._name)
        if found is None or found.header.get("program") != self._program:
            return None
        kept = found.header
        try:
            keys: list[Key] = [(pack, kind, name) for pack, kind, name in kept["keys"]]
            leads = {keys[number]: NOWHERE for number in kept["nowhere"]}
            leads |= {
                keys[number]: Leads(
                    {tuple(path): keys[to] for path, to in targets}, frozenset([(ENTRIES, keys[read]) for read in reads])
                )
                for number, targets, reads in kept["leads"]
            }
            prints = {key: said for key, said in zip(keys, kept["prints"], strict=True) if isinstance(said, str)}
            return _Left(kept["frame"], dict(kept["digests"]), prints, leads)
        except (LookupError, TypeError, ValueError):
            return None

    def _frame(self, files: Mapping[str, str]) -> str:
        """Stands for all that decides what is wrong with some files, but for the files themselves."""
        read = sorted(pair for pair in self._digests.items() if pair[0] not in files)
        return sha256(repr((self._told, read, sorted(files))).encode("utf-8", "surrogatepass")).hexdigest()


def _other(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """The files that are in one of two lists alone, or differ."""
    return (name for name in {*before, *now} if before.get(name) != now.get(name))


def _is_of_one(read: Read) -> bool:
    """Whether what was read is one entry."""
    part, key = read
    return part == ENTRIES and key is not None


def _leads(found: Found, entries: Mapping[Key, Entry]) -> Leads:
    """What is known of an entry; of those that it has looked for, which are there goes without saying."""
    return Leads(found.targets, frozenset(read for read in found.reads if read[1] in entries))


def _keys(pack: str, document: Document) -> Iterator[Key]:
    """The keys of what stands in a file, as if all of it were entries."""
    for word, body in document.data.items():
        for name in body if isinstance(body, dict) else ("",):
            yield pack, word, name


def _typed(key: Key, document: Document) -> Entry:
    """An entry as it is typed, whatever is made of it."""
    _, word, name = key
    return Entry(*key, document.data[word][name], document)


def _called(document: Document) -> list[tuple[str, list[tuple[Any, ...]]]]:
    """What stands in a file, and how it is called."""
    stands = document.data.items()
    return [(word, [_names(name, data) for name, data in body.items()] if isinstance(body, dict) else []) for word, body in stands]


def _names(name: str, data: Any) -> tuple[Any, ...]:
    return (name, data.get("name"), data.get("formerly")) if isinstance(data, dict) else (name,)


def _by_itself(entry: Entry | None, document: Document) -> bool:
    """Whether something in a file is a sound entry, made of what stands there and of nothing else."""
    if entry is None or entry.broken or entry.document is not document:
        return False
    return entry.alone

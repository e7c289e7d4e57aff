"""Names: what each reference, word and link of an entry means, pack by pack, and every one that leads nowhere (part of link)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import partial
from typing import TypeAlias

from seasons_build.core import vocabulary
from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.document import Document, Value
from seasons_build.core.entry import Entry, Key, Library, Noun
from seasons_build.core.kind import CORE, Announced, Prose, Reference, Word
from seasons_build.core.names import did_you_mean, meant_or_listed
from seasons_build.core.span import Path, Span
from seasons_build.language.chapter import LONG
from seasons_build.language.rules import PARAMETERS, WIDER, kinds_meant, spoken, takes_of, words_of
from seasons_build.language.text import scan
from seasons_build.link.chapters import long_text

Place: TypeAlias = Callable[[], Span]
"""Where something stands, for when it is asked."""

RESERVED = frozenset(("self", "target", "value", "this"))
"""Words that the language itself gives a meaning where a person or an amount stands."""

MADE_FOR = ("stats", "tracks", "limits", "rows")
"""The nouns that may say for which kinds they are."""

FEW = 12
"""As many as a hint names all of."""

_TAKING: Mapping[str | int, frozenset[str]] = {
    rider: frozenset(verb.name for verb in vocabulary.VERBS if rider in verb.riders) for rider in vocabulary.RIDER
}
"""The verbs that take each rider."""

UNFOUND = ("E301", "E304", "E305", "E307", "E653", "E655")
"""What is not found may stand in a file that could not be read."""


class Linker:
    """Finds what names mean, pack by pack."""

    def __init__(self, library: Library, partial: frozenset[str], owners: Mapping[str, str]) -> None:
        self._library = library
        self._partial = partial
        self._owners = owners
        self._words: dict[tuple[str, str], frozenset[str]] = {}
        self._meant: dict[tuple[str, str], tuple[str, ...]] = {}
        self._takes: dict[tuple[str, str], frozenset[str]] = {}
        self._former: dict[tuple[str, str, str], Key] = {}
        for entry in library.entries.values():
            for old in entry.former:
                self._former.setdefault((entry.pack, entry.kind, old), entry.key)

    def over(self, library: Library) -> Linker:
        """The same over a library that writes down what is read of it, and holds the same names."""
        other = copy(self)
        other._library = library
        return other

    def certain(self, pack: str, faults: list[Diagnostic]) -> list[Diagnostic]:
        """The faults that are none of an unread file's making."""
        if self._partial.isdisjoint(self._library.packs[pack].scope):
            return faults
        return [fault for fault in faults if fault.code not in UNFOUND]

    def entry(self, entry: Entry) -> tuple[Mapping[Path, Key], list[Diagnostic]]:
        """The targets of an entry's references, and its faults in the order of the file."""
        targets: dict[Path, Key] = {}
        faults: list[Diagnostic] = []
        # Places are looked up for faults alone, which are few among many names.
        for reference in entry.announced.references:
            place = partial(entry.key_span if reference.key else entry.span, reference.path)
            target = self._reference(self._speaker(entry, reference.path), reference, place)
            if isinstance(target, Diagnostic):
                faults.append(target)
            else:
                targets[reference.path] = target
        # What stands below a word that is none is most likely that of a field, and is not judged as what it stands for now.
        lost: list[Path] = []
        pack, words = entry.pack, self._words
        for word in entry.announced.words:
            path, noun, text, key, _ = word
            if lost and any(path[: len(above)] == above for above in lost):
                continue
            if text not in (words.get((pack, noun)) or self._known_words(pack, noun)):
                if noun == PARAMETERS and text in spoken(dict(entry.data)):
                    continue  # by a noun in place
                unknown = self._word(pack, word, partial(entry.key_span if key else entry.span, path))
                if unknown:
                    faults += unknown
                    lost += [path] if key else []
                    continue
            if not key:
                faults += _rider(entry, path) if path and path[-1] in vocabulary.RIDER else ()
            elif noun == "rolls":
                faults += self._arguments(entry, word)
        for prose in entry.announced.prose:
            if prose.role == LONG:
                faults += long_text(self._library, entry, prose, partial(self._reference, entry.pack), targets)
            else:
                faults += self._prose(entry, prose, targets)
        return targets, sorted(faults, key=lambda d: d.span or Span("", 0, 0, 0, 0))

    def _speaker(self, entry: Entry, path: Path) -> str:
        """The pack in which a name was typed: what a patch names is looked for where the patch stands."""
        return self._owners.get(entry.where(path)[0].file, entry.pack) if entry.brought else entry.pack

    def rules(self, pack: str, document: Document, announced: Announced) -> list[Diagnostic]:
        """The faults of the words in a `rules:` block."""
        faults: list[Diagnostic] = []
        for word in announced.words:
            path = ("rules", *word.path)
            faults += self._word(pack, word, partial(document.key_span if word.key else document.span, path))
        return faults

    def noun(self, noun: Noun) -> Iterator[Diagnostic]:
        """The faults of the kinds and fields that one noun of the rules names. A kind that is not there may be one that another pack
        brings; only what looks like a slip is told."""
        data = noun.data if isinstance(noun.data, dict) else {}
        named: list[tuple[str, Place]] = [(noun.id, noun.key_span)] if noun.noun == "kinds" else []
        if noun.noun in MADE_FOR:
            only = data.get("for")
            places: list[tuple[Path, Value]] = [(("for",), only)]
            places += [(("for", i), word) for i, word in enumerate(only)] if isinstance(only, list) else []
            each = data.get("each")
            if noun.noun == "stats" and isinstance(each, dict):
                places.append((("each", "kind"), each.get("kind")))
            named += [(word, partial(noun.span, path)) for path, word in places if isinstance(word, str)]
        for word, place in named:
            near = did_you_mean(word, self._kind_words(noun.pack)) if self._library.find_kind(noun.pack, word) is None else ()
            if near:
                yield Diagnostic("E201", f"unknown kind `{_cut(word)}`", place(), near)
        kind = self._library.find_kind(noun.pack, noun.id) if noun.noun == "kinds" else None
        owns = data.get("owns")
        for field in owns if isinstance(owns, dict) and kind and not kind.broken else ():
            if kind and kind.field(field) is None:
                near = did_you_mean(field, [f.id for f in kind.fields])
                yield Diagnostic("E204", f"a {kind.title.lower()} has no field `{field}`", noun.key_span(("owns", field)), near)

    def _reference(self, pack: str, reference: Reference, place: Place) -> Key | Diagnostic:
        named, _, rest = reference.text.rpartition(":")
        steps = rest.split("/")
        part = None
        if reference.part and len(steps) in (2, 3):
            *steps, part = steps
        if reference.kind is None or len(steps) == 2:
            if len(steps) != 2:
                return Diagnostic("E306", f"`{reference.text}` does not say of which kind it is", place(), ("write it as `kind/id`",))
            kinds, wanted = self._kinds(pack, steps[0]), steps[1]
            if not kinds:
                return Diagnostic("E301", f"unknown kind `{steps[0]}`", place(), did_you_mean(steps[0], self._kind_words(pack)))
        else:
            kinds, wanted = self._kinds(pack, reference.kind), "/".join(steps)
        target = self._find(pack, named, kinds, wanted, place, reference.kind or steps[0], f"/{part}" if part else "")
        if isinstance(target, Diagnostic) or part is None:
            return target
        parts = self._library.entries[target].data.get(reference.part or "")
        # Of an entry that is at fault nobody knows what it would have.
        if (isinstance(parts, dict) and part in parts) or self._library.entries[target].broken:
            return target
        near = did_you_mean(part, parts if isinstance(parts, dict) else ())
        return Diagnostic("E305", f"`{wanted}` has no `{part}` among its `{reference.part}`", place(), near)

    def _find(self, pack: str, named: str, kinds: tuple[str, ...], wanted: str, place: Place, said: str, part: str) -> Key | Diagnostic:
        library = self._library
        scope = library.packs[pack].scope
        if named and named not in scope:
            hints = did_you_mean(named, scope) or (f"add `{named}` to `requires` in pack.yaml",)
            return Diagnostic("E301", f"this pack does not require a pack `{named}`", place(), hints)
        for owners in ((named,),) if named else ((pack,), scope[1:]):
            keys = [(o, k, wanted) for o in owners for k in kinds if (o, k, wanted) in library.entries]
            keys = keys or [self._former[o, k, wanted] for o in owners for k in kinds if (o, k, wanted) in self._former]
            if len(keys) == 1:
                return keys[0]
            if keys:
                traces = tuple(Trace(f"`{':'.join(k[:2])}/{k[2]}`", library.entries[k].key_span()) for k in keys)
                hint = f"say which: `{keys[0][0]}:{keys[0][1]}/{wanted}{part}`"
                return Diagnostic("E303", f"`{wanted}` is found in more than one place", place(), (hint,), traces)
        known = [e.id for owner in scope for kind in kinds for e in library.by_kind.get((owner, kind), ())]
        label = said.replace("|", " or ")
        near = did_you_mean(wanted, known)
        if known and not near:
            near = meant_or_listed(wanted, known) if len(known) <= FEW else (f"`seasons list {kinds[0]}` names what there is",)
        return Diagnostic("E301", f"unknown {label} `{_cut(wanted)}`", place(), near)

    def _kinds(self, pack: str, word: str) -> tuple[str, ...]:
        found = self._meant.get((pack, word))
        if found is None:
            found = self._meant[pack, word] = kinds_meant(self._library, pack, word)
        return found

    def _kind_words(self, pack: str) -> list[str]:
        scope = (*self._library.packs[pack].scope, CORE)
        return [kind for owner, kind in self._library.kinds if owner in scope]

    def _word(self, pack: str, word: Word, place: Place) -> list[Diagnostic]:
        if (word.noun not in WIDER and word.text in RESERVED) or not word.text:
            return []
        known = self._known_words(pack, word.noun)
        if word.text in known:
            return []
        if word.noun == PARAMETERS:
            message = f"`{_cut(word.text)}` is no verb and no rider, and no sentence of the game speaks of it"
            return [Diagnostic("E304", message, place(), did_you_mean(word.text, sorted(known | word.beside)))]
        near = self._meant_word(pack, word)
        if word.beside:
            return [Diagnostic("E304", f"`{_cut(word.text)}` is no field here, and not among the game's `{word.noun}`", place(), near)]
        if not known:
            message = f"this game declares no `{word.noun}`, and `{_cut(word.text)}` is meant to be one"
            return [Diagnostic("E304", message, place(), (f"declare it under `rules: {{{word.noun}: ...}}`",))]
        return [Diagnostic("E304", f"`{_cut(word.text)}` is not among the game's `{word.noun}`", place(), near)]

    def _meant_word(self, pack: str, word: Word) -> tuple[str, ...]:
        """The hint for a word that is not there: the one that is meant, or those that there are, in the order of the game's own files."""
        there = list(dict.fromkeys((*words_of(self._library, pack, word.noun), *sorted(word.beside))))
        return did_you_mean(word.text, there) or meant_or_listed(word.text, [name for name in there if "." not in name])

    def _known_words(self, pack: str, noun: str) -> frozenset[str]:
        """The small words that a pack's game declares under a noun."""
        found = self._words.get((pack, noun))
        if found is None:
            found = self._words[pack, noun] = frozenset(words_of(self._library, pack, noun))
        return found

    def _arguments(self, entry: Entry, word: Word) -> Iterator[Diagnostic]:
        """The faults of what is given to a roll: names that it does not take."""
        given = _at(entry.data, word.path)
        if not isinstance(given, dict):
            return
        takes = self._takes.get((entry.pack, word.text))
        if takes is None:
            takes = self._takes[entry.pack, word.text] = takes_of(self._library.rules[entry.pack], word.text)
        for name in given:
            if name not in takes:
                span = entry.key_span((*word.path, name))
                yield Diagnostic("E304", f"the roll `{word.text}` takes no `{_cut(name)}`", span, did_you_mean(name, takes))

    def _prose(self, entry: Entry, prose: Prose, targets: dict[Path, Key]) -> list[Diagnostic]:
        faults: list[Diagnostic] = []
        icons = self._library.rules[entry.pack].get("icons", {})
        for piece in scan(prose.text):
            if piece.what == "icon" and piece.text not in icons:
                span = entry.inside(prose.path, piece.start, piece.end)
                faults.append(Diagnostic("E307", f"unknown icon `:{piece.text}:`", span, did_you_mean(piece.text, icons)))
            elif piece.what == "link":
                place = partial(entry.inside, prose.path, piece.start, piece.end)
                target = self._reference(self._speaker(entry, prose.path), Reference(prose.path, None, piece.text), place)
                if isinstance(target, Diagnostic):
                    faults.append(target)
                else:
                    targets[(*prose.path, piece.text)] = target
        return faults


def _rider(entry: Entry, path: Path) -> list[Diagnostic]:
    """The fault of a rider that no verb beside it takes."""
    rider = path[-1]
    around = _at(entry.data, path[:-1]) if len(path) > 1 else None
    if not isinstance(around, dict) or not _TAKING[rider].isdisjoint(around):
        return []
    verbs = [verb for verb in around if verb in vocabulary.VERB]
    if not verbs:
        return []
    taking = ", ".join(f"`{verb.name}`" for verb in vocabulary.VERBS if rider in verb.riders)
    message = f"`{rider}` says nothing beside {' and '.join(f'`{verb}`' for verb in verbs)}"
    return [Diagnostic("E308", message, entry.key_span(path), (f"it stands beside {taking}",))]


def _at(data: Value, path: Path) -> Value:
    """The value at a path; None where it leads nowhere."""
    for step in path:
        data = data.get(step) if isinstance(data, dict) else data[step] if isinstance(data, list) and isinstance(step, int) else None
    return data


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"



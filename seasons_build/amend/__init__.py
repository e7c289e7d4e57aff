"""Stage: entries that start from others and entries that other packs patch become what they are, before anything is checked.

In: the parsed content of each pack and what each may use. Out: an `Amended` for each entry that says `like`, and for each that a `patch:`
block changes. It comes before `check`, so that what an entry becomes is judged once, by its kind's schema, and a fault is told at the line
that brought it: in the entry, in the one it is like, or in the patch.

Order has no part in it: `like` starts from what the other entry is with all its patches; of all patches of an entry `set` comes first, then
`add`, `times`, `extend` and `remove`, and what two of them say of one path is either the same whichever is first, or an error that shows
both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from seasons_build.amend.changes import Draft, Refusal, find, read
from seasons_build.amend.conflicts import conflicts, needed
from seasons_build.amend.lines import Line, Patch, lines_of, patches_of
from seasons_build.amend.names import Index, PackContent, Wanted
from seasons_build.amend.translations import Text, speak, texts_of, unknown_words
from seasons_build.core import vocabulary
from seasons_build.core.diagnostic import Diagnostic, Result, Trace
from seasons_build.core.document import Document, Value
from seasons_build.core.entry import Amended, Key, Site
from seasons_build.core.record import dataclass, field
from seasons_build.core.said import said
from seasons_build.core.span import Path
from seasons_build.language.paths import copied, value_at

__all__ = ["PackContent", "amend", "speak", "unknown_words"]

LIKE, EXPECTS = "like", "expects"
OWN_WORDS = (LIKE, EXPECTS, *vocabulary.CHANGES)
PERSONAL = ("name", "claims", "formerly", "notes", "provisional")
"""What an entry does not take from the one that it is like: what says who that is, and what is known of it."""


def amend(packs: Mapping[str, PackContent], overlays: Sequence[tuple[str, Document]] = ()) -> Result[Mapping[Key, Amended]]:
    """The entries that others change, and those with texts in another language: `overlays` are the files of these, each with its pack.

    Codes: E260 (a patch of nothing), E261 (an unknown entry to start from), E262 (a path that leads nowhere), E263 (a change that cannot
    be made), E264 (two packs disagree), E265 (what was expected is not there), E266 (a circle), E267 (a patch of an own entry), E280 (a
    translation of nothing).
    """
    patches = [patch for pack, content in packs.items() for document in content.documents for patch in patches_of(pack, document)]
    index = Index(packs)
    if not patches and not index.likes() and not overlays:
        return Result({})
    return _Amending(packs, index, patches, [text for pack, document in overlays for text in texts_of(pack, document)]).run()


@dataclass(slots=True)
class _Made:
    """An entry on its way: nothing while it is being made, which is how a circle shows."""

    draft: Draft | None = None
    like: Key | None = None
    broken: bool = False
    translated: dict[Path, Site] = field(default_factory=dict)


class _Amending:
    """The work on all packs."""

    def __init__(self, packs: Mapping[str, PackContent], index: Index, patches: list[Patch], texts: list[Text]) -> None:
        self._packs = packs
        self._index = index
        self._patches = patches
        self._texts = texts
        self._said: dict[Key, list[Text]] = {}
        self._found: list[Diagnostic] = []
        self._of: dict[Key, list[Patch]] = {}
        self._made: dict[Key, _Made] = {}
        self._way: list[Key] = []

    def run(self) -> Result[Mapping[Key, Amended]]:
        for patch in self._patches:
            key = self._target(patch)
            if key is not None:
                self._of.setdefault(key, []).append(patch)
        for text in self._texts:
            named = f"{text.kind}/{text.id}"
            found = self._index.find(text.pack, named, None, partial(text.document.key_span, (text.kind, text.id)))
            if isinstance(found, Diagnostic):
                self._tell(text.pack, found, "E280", self._index.meant(text.pack, named, None))
            else:
                self._said.setdefault(found, []).append(text)
        for patches in self._of.values():
            patches.sort(key=lambda p: p.order)
        done: dict[Key, Amended] = {}
        for key in sorted({*self._of, *self._said, *self._index.likes()}):
            made = self._make(key)
            draft = made.draft
            if made.broken or draft is None:
                done[key] = Amended({}, {}, made.like, broken=True)
            else:
                done[key] = Amended(draft.data, draft.sites, made.like, tuple(draft.changes), translated=made.translated)
        return Result(done, tuple(self._found))

    def _target(self, patch: Patch) -> Key | None:
        found = self._index.find(patch.pack, patch.reference, None, lambda: patch.document.key_span(patch.base))
        if isinstance(found, Diagnostic):
            self._tell(patch.pack, found, "E260", self._index.meant(patch.pack, patch.reference, None))
            return None
        if found[0] == patch.pack:
            document, base = self._index.entries[found]
            trace = Trace(f"`{found[2]}` stands here", document.key_span(base))
            message = f"a patch changes an entry of another pack, and `{patch.reference}` is of this one"
            hint = ("change the entry where it stands",)
            self._found.append(Diagnostic("E267", message, patch.document.key_span(patch.base), hint, (trace,)))
            return None
        return found

    def _tell(self, pack: str, found: Diagnostic, code: str, meant: tuple[Key, ...]) -> None:
        """Tells that something is not there, if nothing is unknown that could hold it; `meant` is what it would be."""
        unknown = found.code == Wanted.UNKNOWN
        if not unknown or not any(self._packs[owner].partial for owner in self._packs[pack].scope):
            self._found.append(replace(found, code=code if unknown else found.code, rests_on=meant))

    def _make(self, key: Key) -> _Made:
        """An entry as it is at the end."""
        if key in self._made:
            return self._made[key]
        made = self._made[key] = _Made()
        self._way.append(key)
        document, base = self._index.entries[key]
        data = self._index.data(key)
        draft = Draft((document, base), dict(data))
        if LIKE in data:
            started = self._started(key, made, data, document)
            made.broken = started is None
            draft = started or draft
        if not made.broken:
            self._patch(key, made, draft)
            self._translate(key, made, draft)
        made.draft = draft
        self._way.pop()
        return made

    def _started(self, key: Key, made: _Made, data: Mapping[str, Value], document: Document) -> Draft | None:
        """An entry that starts from another, with its own fields and changes; None where it cannot."""
        base = key[1:]
        typed = data[LIKE]
        if not isinstance(typed, str):
            hint = (f"write the id of another {key[1]}",)
            self._found.append(Diagnostic("E261", "`like` says which entry it starts from, by its id", document.span((*base, LIKE)), hint))
            return None
        model = self._index.find(key[0], typed, key[1], lambda: document.span((*base, LIKE)))
        if isinstance(model, Diagnostic):
            self._tell(key[0], model, "E261", (key, *self._index.meant(key[0], typed, key[1])))
            return None
        made.like = model
        if model in self._way:
            self._circle(model, document, base)
            return None
        start = self._make(model)
        if start.broken or start.draft is None:
            return None
        draft = Draft((document, base), {})
        for name, value in start.draft.data.items():
            if name not in PERSONAL and name not in OWN_WORDS:
                draft.data[name] = value
        draft.data = copied(draft.data)
        draft.sites = {(name,): start.draft.site((name,)) for name in draft.data}
        draft.sites |= {path: site for path, site in start.draft.sites.items() if path[0] in draft.data}
        made.translated = {path: site for path, site in start.translated.items() if path[0] in draft.data and path[0] not in data}
        expected = self._expected(key, draft, lines_of(key[0], document, base, data, (EXPECTS,)))
        for name, value in data.items():
            if name not in OWN_WORDS:
                draft.replace(name, value)
        return draft if self._change(key, draft, lines_of(key[0], document, base, data)) and expected else None

    def _translate(self, key: Key, made: _Made, draft: Draft) -> None:
        texts = self._said.get(key, ())
        if texts:
            draft.data = copied(draft.data)
        for text in texts:
            way = find(draft.data, list(text.steps), new=False)
            place = (text.document, text.place)
            if isinstance(way, Refusal):
                span = text.document.key_span(text.place)
                if not self._is_unsure(key):
                    self._found.append(Diagnostic("E280", f"{way.message} to translate", span, way.hints, rests_on=self._rests_on(key)))
            elif not isinstance(text.value, str) or not isinstance(value_at(draft.data, way), str):
                said_ = "a translation is a text in place of a text"
                self._found.append(Diagnostic("E281", f"{said_}, found {said(text.value)}", text.document.span(text.place)))
            else:
                draft.put(way, text.value, place)
                made.translated[way] = place

    def _circle(self, model: Key, document: Document, base: tuple[str, ...]) -> None:
        ring = self._way[self._way.index(model) :]
        names = " is like ".join(f"`{key[2]}`" for key in (*ring, model))
        self._found.append(Diagnostic("E266", f"entries that are like each other never end: {names}", document.span((*base, LIKE))))

    def _patch(self, key: Key, made: _Made, draft: Draft) -> None:
        patches = self._of.get(key, ())
        if not patches:
            return
        draft.data = copied(draft.data)
        expected = [self._expected(key, draft, lines_of(p.pack, p.document, p.base, p.data, (EXPECTS,))) for p in patches]
        sound = all(expected)
        lines = [line for patch in patches for line in lines_of(patch.pack, patch.document, patch.base, patch.data)]
        clashes = list(conflicts(lines))
        self._found += clashes
        made.broken = not sound or bool(clashes) or not self._change(key, draft, lines)

    def _rests_on(self, key: Key) -> tuple[Key, ...]:
        """The entry, the one that it is like, and so on."""
        found = [key]
        for one in found:
            made = self._made.get(one)
            if made is not None and made.like is not None and made.like not in found:
                found.append(made.like)
        return tuple(found)

    def _is_unsure(self, key: Key) -> bool:
        """Whether what is missing in an entry may stand in a file that could not be read to its end."""
        return any(self._packs[pack].partial for pack, _, _ in self._rests_on(key))

    def _expected(self, key: Key, draft: Draft, lines: Iterator[Line]) -> bool:
        """Whether what changes were written for is what lies under them."""
        sound = True
        for line in lines:
            there = read(draft.data, line.path)
            if there != line.value:
                sound = False
                place, typed = draft.site(tuple(line.path.split(".")))
                trace = Trace("here is what there is", place.span(typed))
                message = f"`{line.path}` was expected to be {said(line.value)}, and is {said(there)}"
                hint = "see whether the change still makes sense, then write what is there now"
                if not self._is_unsure(key):
                    self._found.append(Diagnostic("E265", message, line.span, (hint,), (trace,), self._rests_on(key)))
        return sound

    def _change(self, key: Key, draft: Draft, lines: Iterator[Line] | list[Line]) -> bool:
        """Does the changes in their fixed order; whether all could be done."""
        sound = True
        for line in needed(sorted(lines, key=lambda line: line.order)):
            refusal = draft.change(line.pack, line.word, line.path, line.value, (line.document, line.place))
            if isinstance(refusal, Refusal):
                sound = False
                if not self._is_unsure(key):
                    self._found.append(Diagnostic(refusal.code, refusal.message, line.span, refusal.hints, rests_on=self._rests_on(key)))
        return sound

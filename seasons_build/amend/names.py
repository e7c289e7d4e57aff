"""Which entries there are, and which one a `like` or a patch means (part of amend)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.document import Document, Value
from seasons_build.core.entry import Key, Site
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.span import Span

LIKE = "like"
NO_KINDS = ("rules", "patch")
"""The words at the top of a file that are no kind."""


class PackContent(NamedTuple):
    """What is read of one pack: its files, what it may use (itself, then what it requires, nearest first), and whether something of it is
    unknown."""

    documents: tuple[Document, ...]
    scope: tuple[str, ...]
    partial: bool = False


class Wanted:
    """The codes that a search gives: of what is not there, the one who asked says which."""

    UNKNOWN = "E301"
    FORM = "E306"
    SEVERAL = "E303"


class Index:
    """Every entry, by its key; of two of one name the first, which is told elsewhere."""

    def __init__(self, packs: Mapping[str, PackContent]) -> None:
        self._packs = packs
        self.entries: dict[Key, Site] = {}
        self._likes: list[Key] = []
        self._former: dict[Key, Key] = {}
        for pack, content in packs.items():
            for document in content.documents:
                for kind, key, data in _entries(document):
                    self._add((pack, kind, key), document, data)

    def _add(self, key: Key, document: Document, data: Value) -> None:
        if key in self.entries:
            return
        self.entries[key] = document, key[1:]
        if not isinstance(data, Mapping):
            return
        if LIKE in data:
            self._likes.append(key)
        former = data.get("formerly")
        for old in former if isinstance(former, list) else ():
            if isinstance(old, str):
                self._former.setdefault((key[0], key[1], old), key)

    def likes(self) -> list[Key]:
        """The entries that start from others."""
        return self._likes

    def data(self, key: Key) -> Mapping[str, Value]:
        """An entry as typed; nothing where it has no form."""
        document, _ = self.entries[key]
        found = document.data[key[1]][key[2]]
        return found if isinstance(found, Mapping) else {}

    def find(self, pack: str, text: str, kind: str | None, place: Callable[[], Span]) -> Key | Diagnostic:
        """The entry that a text means: an id where the kind is known, `kind/id`, or either with a pack in front. The own pack is searched
        first, then the packs that it requires."""
        named, _, rest = text.rpartition(":")
        said, slash, wanted = rest.rpartition("/")
        scope = self._packs[pack].scope
        if not slash and kind is None:
            return Diagnostic(Wanted.FORM, f"`{text}` does not say of which kind it is", place(), ("write it as `kind/id`",))
        if slash and kind is not None and said != kind:
            return Diagnostic(Wanted.UNKNOWN, f"`{text}` is no {kind}, and an entry can only be like one of its own kind", place())
        if named and named not in scope:
            hints = did_you_mean(named, scope) or (f"add `{named}` to `requires` in pack.yaml",)
            return Diagnostic(Wanted.UNKNOWN, f"this pack does not require a pack `{named}`", place(), hints)
        word = kind or said
        for owners in ((named,),) if named else ((pack,), scope[1:]):
            keys = [(owner, word, wanted) for owner in owners if (owner, word, wanted) in self.entries]
            keys = keys or [self._former[owner, word, wanted] for owner in owners if (owner, word, wanted) in self._former]
            if len(keys) == 1:
                return keys[0]
            if keys:
                return self._several(keys, place())
        return Diagnostic(Wanted.UNKNOWN, f"there is no {word} `{wanted}`", place(), self._near(scope, word, wanted))

    def meant(self, pack: str, text: str, kind: str | None) -> tuple[Key, ...]:
        """The entries that a text could mean, were they there."""
        said, _, wanted = text.rpartition(":")[2].rpartition("/")
        return tuple((owner, kind or said, wanted) for owner in self._packs[pack].scope)

    def _several(self, keys: list[Key], place: Span) -> Diagnostic:
        traces = tuple(Trace(f"`{k[0]}:{k[1]}/{k[2]}`", self.entries[k][0].key_span(self.entries[k][1])) for k in keys)
        first = keys[0]
        hint = f"say which: `{first[0]}:{first[1]}/{first[2]}`"
        return Diagnostic(Wanted.SEVERAL, f"`{first[2]}` is found in more than one place", place, (hint,), traces)

    def _near(self, scope: tuple[str, ...], word: str, wanted: str) -> tuple[str, ...]:
        """The nearest id of that kind, else the nearest kind, else where that id stands."""
        there = [key for key in self.entries if key[0] in scope]
        near = did_you_mean(wanted, [key[2] for key in there if key[1] == word])
        kinds = {key[1] for key in there}
        if near or word in kinds:
            return near
        return did_you_mean(word, kinds)


def _entries(document: Document) -> Iterator[tuple[str, str, Value]]:
    for kind, body in document.data.items():
        if kind not in NO_KINDS and isinstance(body, Mapping):
            yield from ((kind, key, data) for key, data in body.items())

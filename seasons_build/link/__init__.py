"""Stage: checked packs become one library: ids, references, words, requirements.

In: what `check` found in each pack, and the manifests. Out: a `Library` and every name that leads nowhere, with the nearest one that
does. A broken entry stays in the index, so that what names it is no second error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from seasons_build.core.diagnostic import Diagnostic, Result, Trace
from seasons_build.core.entry import Entry, Key, Library, Noun, Pack, Rules
from seasons_build.core.kind import NOTHING, Kinds
from seasons_build.core.reading import Read, Tracing
from seasons_build.link.again import Found, Leads, Linked, looks_at_names_alone, still_linked
from seasons_build.link.names import Linker
from seasons_build.link.packs import PackInput, is_ahead, read_packs, requirements, scopes
from seasons_build.link.schemas import kinds_named

__all__ = ["Found", "Leads", "Linked", "PackInput", "is_ahead", "kinds_named", "link", "requirements", "scopes"]

NO_LEADS: Mapping[Key, Leads] = {}


def link(
    inputs: Mapping[str, PackInput],
    kinds: Kinds,
    before: Linked | None = None,
    others: Iterable[str] = (),
    leads: Mapping[Key, Leads] = NO_LEADS,
) -> Result[Linked]:
    """One library of all packs. `before` is what was linked to go on from: what is found for entries that name the same among the same
    names is taken over. `others` are the ids of packs that are there and were not asked for. `leads` are what is known already of entries.

    Codes: E301 (an unknown entry), E302 (an id twice), E303 (found in two packs), E304 (an unknown word), E305 (an unknown part),
    E306 (a reference's form), E307 (an unknown icon), E268 (a former id that means two), E310 to E315 (packs).
    """
    found: list[Diagnostic] = []
    packs = read_packs(inputs, found, others)
    entries, by_kind = _index(inputs, found)
    rules = _rules(inputs, packs, found)
    keys = {name: tuple(entry.key for entry in group) for name, group in by_kind.items()}
    library = Library(packs, kinds.by_name, entries, rules, {}, by_kind, keys=keys)
    owners = {document.file: pack.id for pack in inputs.values() for document, _ in pack.announced}
    partial = frozenset(name for name, pack in inputs.items() if pack.partial)
    linker = Linker(library, partial, owners)
    ruled = tuple(document for pack in inputs.values() for document, announced in pack.announced if announced is not NOTHING)
    again = still_linked(before, library, partial, owners, ruled)
    found += _former(entries)
    tracing = Tracing(library)
    seeing = linker.over(tracing.library)
    known: dict[Key, Found] = {}
    cases = tuple(case for pack in inputs.values() for case in pack.cases)
    for entry in (*entries.values(), *cases):
        lead = leads.get(entry.key)
        one = Found(entry, lead.targets, (), reads=lead.reads) if lead is not None else again(entry) if again is not None else None
        one = known[entry.key] = one or _found(linker, seeing, tracing, entry)
        found += one.faults
    broken = {key for key, one in known.items() if one.lost}
    of_rules = before.of_rules if before is not None and again is not None else tuple(_of_rules(linker, inputs))
    found += of_rules
    if broken:
        entries = {key: replace(e, broken=True) if key in broken else e for key, e in entries.items()}
        by_kind = {name: tuple(entries[e.key] for e in group) for name, group in by_kind.items()}
        cases = tuple(replace(case, broken=True) if case.key in broken else case for case in cases)
    targets = {key: one.targets for key, one in known.items()}
    linked = Library(packs, kinds.by_name, entries, rules, targets, by_kind, cases, keys)
    return Result(Linked(linked, library, partial, owners, ruled, known, of_rules), tuple(found))


def _found(linker: Linker, seeing: Linker, tracing: Tracing, entry: Entry) -> Found:
    """What one linker finds for an entry; for one that looks into others, what the one that is `seeing` them finds."""
    reads: frozenset[Read] = frozenset()
    if looks_at_names_alone(entry):
        targets, faults = linker.entry(entry)
    else:
        (targets, faults), reads = tracing.during(lambda: seeing.entry(entry))
    return Found(entry, targets, tuple(linker.certain(entry.pack, faults)), lost=bool(faults), reads=reads)


def _of_rules(linker: Linker, inputs: Mapping[str, PackInput]) -> Iterator[Diagnostic]:
    """What is wrong with the names in the rules of all packs."""
    for pack in inputs.values():
        for document, announced in pack.announced:
            yield from linker.certain(pack.id, linker.rules(pack.id, document, announced))
        yield from (fault for noun in pack.nouns for fault in linker.noun(noun))


def _index(
    inputs: Mapping[str, PackInput], found: list[Diagnostic]
) -> tuple[dict[Key, Entry], dict[tuple[str, str], tuple[Entry, ...]]]:
    entries: dict[Key, Entry] = {}
    for pack in inputs.values():
        for entry in pack.entries:
            first = entries.get(entry.key)
            if first is None:
                entries[entry.key] = entry
            else:
                trace = Trace(f"`{entry.id}` is first here", first.key_span())
                found.append(Diagnostic("E302", f"the {entry.kind} `{entry.id}` stands twice", entry.key_span(), (), (trace,)))
    entries = {key: entries[key] for key in sorted(entries)}
    groups: dict[tuple[str, str], list[Entry]] = {}
    for key, entry in entries.items():
        groups.setdefault(key[:2], []).append(entry)
    return entries, {name: tuple(group) for name, group in groups.items()}


def _former(entries: Mapping[Key, Entry]) -> Iterator[Diagnostic]:
    """The former ids that mean two entries."""
    claimed: dict[Key, Entry] = {}
    for entry in entries.values():
        for place, old in enumerate(entry.former):
            key = (entry.pack, entry.kind, old)
            other = entries.get(key) or claimed.setdefault(key, entry)
            if other is not entry:
                says = "still an entry of its own" if key in entries else f"said to be what `{other.id}` was called, too"
                trace = Trace(f"`{other.id}` is here", other.key_span())
                yield Diagnostic("E268", f"`{old}` is {says}", entry.span(("formerly", place)), (), (trace,))


def _rules(inputs: Mapping[str, PackInput], packs: Mapping[str, Pack], found: list[Diagnostic]) -> dict[str, Rules]:
    own: dict[str, dict[str, dict[str, Noun]]] = {}
    for given in inputs.values():
        nouns = own.setdefault(given.id, {})
        for noun in given.nouns:
            first = nouns.setdefault(noun.noun, {}).setdefault(noun.id, noun)
            if first is not noun:
                trace = Trace(f"`{noun.id}` is first here", first.key_span())
                found.append(Diagnostic("E302", f"`{noun.id}` stands twice under `{noun.noun}`", noun.key_span(), (), (trace,)))
    merged: dict[str, Rules] = {}
    for pack_id, pack in packs.items():
        together: dict[str, dict[str, Noun]] = {}
        for owner in reversed(pack.scope):
            for name, ids in own[owner].items():
                together.setdefault(name, {}).update(ids)
        merged[pack_id] = together
    return merged

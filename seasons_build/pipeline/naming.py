"""What is wrong with where packs come from and how their files are called: packs that are not used, files that are not read for their
names, and names that some machines cannot have.

In: sources. Out: diagnostics. Nothing is opened but what lies outside all packs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator
from pathlib import Path

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.files import read_regular
from seasons_build.core.limits import DEFAULT
from seasons_build.core.regex import regex
from seasons_build.core.span import Span
from seasons_build.sources import SHIPPED, Sources, bad_name, meant_name, one_on_some_machines

OF_NOTHING = "N271"
_LOOKED_AT = 1_000_000
_AT_THE_EDGE = regex(r"^([a-z][a-z-]*):", re.MULTILINE)
_STRAY = regex(r"content/[^/]+\.ya?ml\Z", re.IGNORECASE)


def faults_of_names(sources: Sources) -> Iterator[Diagnostic]:
    """Codes: W790 (a file that looks like content and is not read), W791 (a name that no archive can hold), N271 (a pack of nothing)."""
    for name in sources.names():
        if _STRAY.match(name):
            hint = "put it into the folder of a pack, as `content/PACK/`; `seasons new pack` makes one"
            yield Diagnostic("W790", f"`{name}` is not read: it lies in no pack", Span(name, 1, 1, 1, 1), (hint,))
    for pack in sources.packs.values():
        if pack.shipped:
            continue
        if pack.own and pack.manifest and not (pack.content or pack.schemas or pack.templates or pack.lang or pack.art):
            hint = "`seasons new KIND ID` makes an entry"
            yield Diagnostic(OF_NOTHING, f"there is nothing in the pack `{pack.id}` yet", _top(pack.manifest), (hint,))
        files = dict(sources.inside(pack.id))
        for inner, name in files.items():
            place = Span(name, 1, 1, 1, 1)
            meant = meant_name(inner).rpartition("/")[2]
            if meant:
                ending = name[name.rindex(".") :]
                hint = f"call it `{meant}`; on Windows, the Explorer shows endings when *File name extensions* is ticked under *View*"
                yield Diagnostic("W790", f"`{name}` is not read: its name ends in `{ending}`", place, (hint,))
            bad = bad_name(inner, DEFAULT)
            if bad:
                yield Diagnostic("W791", f"no archive can hold the pack `{pack.id}`: {bad}", place, ("give the file another name",))
        for inner, other in one_on_some_machines(sorted(files)):
            message = f"no archive can hold the pack `{pack.id}`: `{inner}` and `{other}` are one name on some machines"
            yield Diagnostic("W791", message, Span(files[inner], 1, 1, 1, 1), ("give one of them another name",))


def apart_from_fresh(found: Collection[Diagnostic]) -> list[Diagnostic]:
    """What was found, but that of a pack with a fault in its manifest it is not said that there is nothing in it."""
    wrong = {d.span.file for d in found if d.span is not None and d.code != OF_NOTHING}
    return [d for d in found if d.code != OF_NOTHING or (d.span is not None and d.span.file not in wrong)]


def left_outside(project: Path, words: Container[str]) -> Iterator[Diagnostic]:
    """Code: W790, for a file beside `content/` that has a word of the language, or a kind, at its left edge."""
    for path in sorted(path for path in project.iterdir() if path.suffix in (".yaml", ".yml") and not path.is_symlink()):
        try:
            text = read_regular(path, _LOOKED_AT).decode("utf-8", "replace")
        except OSError:
            continue
        if any(word in words for word in _AT_THE_EDGE.findall(text)):
            hint = "put it into the folder of a pack, as `content/PACK/`; `seasons new pack` makes one"
            yield Diagnostic("W790", f"`{path.name}` is not read: it lies in no pack", _top(path.name), (hint,))


def faults_of_places(sources: Sources) -> Iterator[Diagnostic]:
    """What is wrong with where packs come from, before anything is read of them."""
    for label, why in sources.refused.items():
        hint = "a pack is a folder, or a sound zip archive; ask whoever made this one"
        yield Diagnostic("E270", f"the pack `{label}` is not used: {why}", _top(label), (hint,))
    for pack, folder in sources.reserved:
        message = f"no pack can be called `{pack}`: that is a word of the language itself"
        yield Diagnostic("E271", message, _top(f"{folder}pack.yaml"), ("give the pack another id, and its folder the same name",))
    for pack, used, left in sources.clashes:
        if not left.startswith(SHIPPED):
            yield Diagnostic("E316", f"there are two packs `{pack}`: `{used}` is used, `{left}` is not", _top(f"{left}pack.yaml"))
        elif sources.packs[pack].added:
            yield Diagnostic("N270", f"`{used}` stands in for the pack `{pack}` that comes with the program", _top(f"{used}pack.yaml"))
    for folder, why in sources.shut.items():
        yield Diagnostic("E100", f"`{folder}` cannot be read: {why}", _top(folder))


def _top(file: str) -> Span:
    return Span(file, 1, 1, 1, 1)

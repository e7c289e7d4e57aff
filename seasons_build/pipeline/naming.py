"""What is wrong with where packs come from and how their files are called: packs that are not used, files that are not read for their
names, and names that some machines cannot have.

In: sources. Out: diagnostics. Nothing is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.limits import DEFAULT
from seasons_build.core.regex import regex
from seasons_build.core.span import Span
from seasons_build.sources import SHIPPED, Sources, bad_name, meant_name, one_on_some_machines

_STRAY = regex(r"content/[^/]+\.ya?ml\Z", re.IGNORECASE)


def faults_of_names(sources: Sources) -> Iterator[Diagnostic]:
    """Codes: W790 (a file that looks like content and is not read), W791 (a name that no archive can hold)."""
    for name in sources.names():
        if _STRAY.match(name):
            hint = "put it into the folder of a pack, as `content/PACK/`; `seasons new pack` makes one"
            yield Diagnostic("W790", f"`{name}` is not read: it lies in no pack", Span(name, 1, 1, 1, 1), (hint,))
    for pack in sources.packs.values():
        if pack.shipped:
            continue
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

"""Entries from a file of another kind: read, judged as if they stood in the project, written as YAML where nothing is wrong with them.

In: the project, a file, a kind. Out: `Made`, whose diagnostics point into the file that was read.
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import replace
from pathlib import PurePath

from seasons_build.core.diagnostic import Diagnostic, Result, errors
from seasons_build.core.document import Document, Value
from seasons_build.core.kind import Kind
from seasons_build.core.span import Span
from seasons_build.intake import READERS
from seasons_build.language.yaml_text import field, scalar
from seasons_build.load import load
from seasons_build.pipeline.author import Desk, Made
from seasons_build.pipeline.read import Project
from seasons_build.save import save

TWICE, THERE = "E302", "E760"
FORMS = tuple(READERS)
"""The endings of files that can be read."""


def take_in(desk: Desk, project: Project, raw: bytes, shown: str, pack: str, kind: Kind, name: str) -> Made:
    """Reads the bytes of a file and writes its entries to `content/<pack>/<kind>/<name>.yaml`. `shown` is what the author calls the file.

    Codes: E760 and E761 (the file that is written), and what the reader of the file has to say.
    """
    result = READERS[PurePath(shown).suffix.lower()](shown, raw, kind, plain)
    document = result.value
    if document is None:
        return Made(desk.root, (), result.diagnostics, _texts(shown, raw))
    if not document.data[kind.id]:
        hint = "write a row for each below the names of the columns"
        nothing = Diagnostic("E765", "no row of it is an entry", Span(shown, 1, 1, 1, 1), (hint,))
        return Made(desk.root, (), result.diagnostics or (nothing,), _texts(shown, raw))
    target = f"content/{pack}/{kind.id}/{name}.yaml"
    raw = as_yaml(document, kind.id)
    typed = load(target, raw).value
    assert typed is not None and typed.data == document.data, "what is written is not what was read"
    desk.lay(target, result, raw)
    reread = desk.reread({target: raw})
    texts = {**reread.texts, shown: document.source}
    known = set(project.diagnostics)
    found = tuple(dict.fromkeys((*result.diagnostics, *(_advised(d, shown) for d in reread.diagnostics if d not in known))))
    if errors(found):
        return Made(desk.root, (), found, texts)
    refused = save(desk.root, {target: raw}, new=True)
    return Made(desk.root, () if refused else (target,), (*found, *(_renamed(d) for d in refused)), texts)


def _advised(found: Diagnostic, shown: str) -> Diagnostic:
    """A finding with what can be done where rows are brought in that are there already. What is brought in is the second of both, whatever
    the order of the files in which they stand."""
    if found.code != TWICE:
        return found
    hint = "nothing that is there is changed: take the row out, give it another id, or take the entry out of the project first"
    first = found.trace[0]
    if first.span is not None and found.span is not None and first.span.file == shown != found.span.file:
        found = replace(found, span=first.span, trace=(replace(first, span=found.span),))
    return replace(found, hints=(*found.hints, hint))


def _renamed(refused: Diagnostic) -> Diagnostic:
    """What is in the way of the new file, with the option that gives it another name."""
    return replace(refused, hints=("give the new one another name with --name",)) if refused.code == THERE else refused


def as_yaml(document: Document, kind: str) -> bytes:
    """Entries as a writer would type them."""
    lines = [f"{kind}:"]
    for identifier, data in document.data[kind].items():
        lines.append(f"  {scalar(identifier)}:" if data else f"  {scalar(identifier)}: {{}}")
        lines += [line for name, value in data.items() for line in field(str(name), value, 4, 2)]
    return ("\n".join(lines) + "\n").encode()


def plain(text: str) -> tuple[bool, Value]:
    """A word, or what stands in brackets, as YAML reads it: whether it can be read, and what it is."""
    result: Result[Document | None] = load("cell", f"cell: {text}\n".encode())
    if result.value is None or errors(result.diagnostics) or list(result.value.data) != ["cell"]:
        return False, None
    return True, result.value.data["cell"]


def _texts(shown: str, raw: bytes) -> dict[str, str]:
    return {shown: raw.decode("utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8", "replace")}


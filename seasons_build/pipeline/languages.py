"""The language that a project is printed in, and the files that say things in it.

In: manifests, packs and the files below their `lang/`. Out: results: which language it is, and packs with the words of their rules in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from seasons_build.amend import speak, unknown_words
from seasons_build.core.diagnostic import Diagnostic, Result, Trace
from seasons_build.core.document import Document
from seasons_build.core.entry import Amended, Key
from seasons_build.link import PackInput

LANGUAGE = "language"
Overlay: TypeAlias = tuple[str, Document]
"""A file below `lang/`, with its pack."""


def language_of(manifests: Mapping[str, Document]) -> Result[tuple[str, tuple[str, ...]] | None]:
    """The language of a project, from the manifests of its own packs, and the packs that ask for it; None where none does.

    Codes: E282 (two packs that are in two languages).
    """
    asking = {pack: document for pack, document in sorted(manifests.items()) if isinstance(document.data.get(LANGUAGE), str)}
    if not asking:
        return Result(None)
    first = next(iter(asking))
    language = str(asking[first].data[LANGUAGE])
    found = []
    for pack, document in asking.items():
        if document.data[LANGUAGE] != language:
            trace = Trace(f"`{first}` is in `{language}`", asking[first].span((LANGUAGE,)))
            message = f"the pack `{pack}` is in `{document.data[LANGUAGE]}`, and a project is printed in one language"
            hint = "keep it in a project of its own"
            found.append(Diagnostic("E282", message, document.span((LANGUAGE,)), (hint,), (trace,)))
    return Result((language, tuple(pack for pack, document in asking.items() if document.data[LANGUAGE] == language)), tuple(found))


def is_in(file: str, language: str) -> bool:
    """Whether a file below `lang/` is in a language: it is called by it."""
    return file.rpartition("/")[2].rpartition(".")[0] == language


def is_translated(pack: PackInput, amended: Mapping[Key, Amended]) -> bool:
    """Whether any text of a pack's entries is said in another language than it was typed in."""
    return any(entry.key in amended and amended[entry.key].translated for entry in pack.entries)


def in_language(
    inputs: Mapping[str, PackInput], overlays: Sequence[Overlay], scope: Mapping[str, tuple[str, ...]], language: str
) -> Result[dict[str, PackInput]]:
    """The packs with the words of their rules in a language. Codes: E280 (a word that is not there), N281 (words that are not in it)."""
    found: list[Diagnostic] = []
    for pack, document in overlays:
        known = {(noun.noun, noun.id) for owner in scope[pack] for noun in inputs[owner].nouns}
        found += unknown_words(document, known)
    made: dict[str, PackInput] = {}
    for pack, given in inputs.items():
        about = [document for owner, document in overlays if pack in scope[owner]]
        nouns, notes = speak(given.nouns, about, language)
        found += notes
        made[pack] = given._replace(nouns=nouns)
    return Result(made, tuple(found))

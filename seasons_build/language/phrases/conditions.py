"""Library of the language: a condition of the sheet in words.

In: the expression of a `when`. Out: the words for it, by `phrases.when`, or None where it is more than comparisons of stats with figures,
`has(ENTRY)` and `taken(ENTRY)`, joined by `and` or by `or`.
"""

from __future__ import annotations

import re

from seasons_build.core.regex import regex
from seasons_build.core.span import Path
from seasons_build.language.phrases.amounts import Amount
from seasons_build.language.phrases.filling import first
from seasons_build.language.phrases.page import Page, Said, Scope, Unsaid, Words
from seasons_build.language.phrases.slots import stat_words, word

_COMPARED = regex(r"\s*(?P<name>[a-z_][\w.]*)\s*(?P<sign>>=|<=|==|>|<)\s*(?P<n>-?\d+)\s*\Z")
_TAKEN = regex(r"\s*taken\(\s*'?(?P<id>[\w/-]+)'?\s*\)\s*(?P<sign>>=|<=|==|>|<)\s*(?P<n>-?\d+)\s*\Z")
_HAS = regex(r"\s*(?P<lacks>not\s+)?has\(\s*'?(?P<id>[\w/-]+)'?\s*\)\s*\Z")
_FORMS = {">=": "at-least", "<=": "at-most", "==": "exactly", ">": "over", "<": "under"}


def when_text(page: Page, scope: Scope, expression: str, path: Path) -> str | None:
    """The condition as a lead (`if your level is 3 or more`), or None where it cannot be said."""
    for joint in ("and", "or"):
        checks = [_check(page, scope, part, path) for part in re.split(rf"\s{joint}\s", expression)]
        texts = [text for text in checks if text is not None]
        if len(texts) == len(checks):
            if any(mark.isdigit() for mark in expression):
                page.printed.append(path)
            page.spent.append(path)
            said = Words(page.book.joined(joint, texts))
            return first(page, page.book.phrase("when", "lead"), scope.with_slots({"checks": said}))
    return None


def _check(page: Page, scope: Scope, text: str, path: Path) -> str | None:
    try:
        if found := _TAKEN.match(text):
            return _compared(page, scope, "taken-", found, word(page, scope, _id(found["id"]), path))
        if found := _HAS.match(text):
            form = "lacks" if found["lacks"] else "has"
            return first(page, page.book.phrase("when", form), scope.with_slots({"x": word(page, scope, _id(found["id"]), path)}))
        if (found := _COMPARED.match(text)) and page.book.noun("stats", found["name"]) is not None:
            stat = stat_words(page, found["name"], path).text(page, scope, "")
            own = first(page, page.book.phrase("own-stat"), scope.with_slots({"stat": Words(stat or "")}))
            return _compared(page, scope, "", found, Words(own or stat or ""))
    except Unsaid:
        return None
    return None


def _compared(page: Page, scope: Scope, before: str, found: re.Match[str], what: Said) -> str | None:
    templates = page.book.phrase("when", before + _FORMS[found["sign"]])
    return first(page, templates, scope.with_slots({"x": what, "n": Amount(int(found["n"]), ())}))


def _id(text: str) -> str:
    return text.replace("_", "-")

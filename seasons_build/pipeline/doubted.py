"""The games whose own cases tell nothing, as long as their rules are at fault.

In: a project as worked out. Out: the packs whose rules, or the rules that they build on, have an error or were not read to the end. What a
case of theirs does not come out as may follow from that, and the error is told.
"""

from __future__ import annotations

from seasons_build.core.document import Document
from seasons_build.core.span import Span
from seasons_build.pipeline.read import Project

RULES, CASES = "rules", "cases"


def doubted(project: Project) -> frozenset[str]:
    """The packs whose cases cannot be judged."""
    wrong = [d.span for d in project.diagnostics if d.severity == "error" and d.span is not None]
    found = set(project.unread)
    for pack, rules in project.library.rules.items():
        documents = {noun.document.file: noun.document for ids in rules.values() for noun in ids.values() if noun.noun != CASES}
        if any(_of_rules(documents[span.file], span) for span in wrong if span.file in documents):
            found.add(pack)
    return frozenset(found)


def _of_rules(document: Document, span: Span) -> bool:
    """Whether a place is among the rules of a file, and not among its cases."""
    cases = CASES in document.data[RULES] and _covers(document.span((RULES, CASES)), span)
    return _covers(document.span((RULES,)), span) and not cases


def _covers(outer: Span, inner: Span) -> bool:
    return outer.line <= inner.line <= outer.end_line

"""Library of the language: clauses, and how they make one sentence.

A verb gives clauses. Neighbours with the same subject share it (`S p1, p2 and p3`), others are joined by `phrases.clauses`. What stands in
front (`leads`) comes first; what limits one clause (`tail`) stays with it.
"""

from __future__ import annotations

from collections.abc import Iterable

from seasons_build.core.record import dataclass, field
from seasons_build.language.phrases.book import Book
from seasons_build.language.phrases.filling import asked, fill
from seasons_build.language.phrases.page import Page, Scope
from seasons_build.language.phrases.persons import Person
from seasons_build.language.phrases.template import Template

_CLOSERS = '*_”’")'
_ENDS = (".", "!", "?", "…")


@dataclass(slots=True)
class Clause:
    """One clause. `subject` is who it is about (empty: nobody that can be shared), `named` the words for it, `spoken` whether it has any
    or is an order to the reader; `number` which verb form it takes; `shares` says that the subject is the one of the clause before."""

    subject: str
    named: str
    spoken: bool
    number: int
    predicate: str
    shares: bool
    tail: str = ""


@dataclass(slots=True)
class Sentence:
    """A sentence in the making. `before` and `after` are sentences that stand alone in front of it and behind it: prose and notes."""

    clauses: list[Clause] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    def add(self, page: Page, templates: Iterable[Template], scope: Scope) -> bool:
        """A clause by the first template that fits; False where none does."""
        made = clause(page, templates, scope, self.clauses[-1] if self.clauses else None)
        if made is None:
            return False
        self.clauses.append(made)
        return True

    def text(self, book: Book, leads: list[str], tail: str = "") -> str:
        """The whole sentence without its stop; empty where there is no clause."""
        runs: list[tuple[Clause, list[str]]] = []
        for one in self.clauses:
            predicate = " ".join(part for part in (one.predicate, one.tail) if part)
            if one.shares and runs:
                runs[-1][1].append(_shared(book, runs[-1][1][-1], predicate))
            else:
                runs.append((one, [predicate]))
        bodies = [" ".join(part for part in (first.named, book.joined("and", parts)) if part) for first, parts in runs]
        if not bodies:
            return ""
        body = " ".join(part for part in (book.joined("clauses", bodies), tail) if part)
        return book.text("lead", ", ").join([*(lead for lead in leads if lead), body])


def clause(page: Page, templates: Iterable[Template], scope: Scope, before: Clause | None = None) -> Clause | None:
    """A clause by the first template that fits, sharing the subject of the clause before where it is the same."""
    for template in templates:
        mark = page.mark()
        if asked(page, template, scope):
            made = _made(page, template, scope, before)
            if made is not None:
                return made
        page.back(mark)
    return None


def _made(page: Page, template: Template, scope: Scope, before: Clause | None) -> Clause | None:
    slot = template.subject
    said = page.find(page, scope, slot.name) if slot and not slot.form else None
    if slot is None or not isinstance(said, Person):
        text = fill(page, template, scope)
        return None if text is None else Clause("", "", True, 0, text.strip(), False)
    spoken = not (slot.unspoken and said.reader)
    shares = before is not None and before.subject == said.key and not before.tail and (before.spoken or not spoken)
    named = ""
    if shares and before is not None:
        page.mention(said.key, before.number, last=not said.reader)
        page.spent.append(said.path)
    elif spoken:
        text = said.text(page, scope, "")
        if text is None:
            return None
        named = text
    else:
        page.spent.append(said.path)
    number = said.number(page, scope)
    predicate = fill(page, template.predicate, scope)
    if predicate is None:
        return None
    return Clause(said.key, named, spoken, number, predicate.strip(), shares)


def _shared(book: Book, before: str, predicate: str) -> str:
    """The predicate without the word that it begins with, if the one before begins with it too and the game does not repeat it."""
    word, _, rest = predicate.partition(" ")
    if rest and before.partition(" ")[0] == word and word in book.listed("share"):
        return rest
    return predicate


def raised(text: str) -> str:
    """The text with its first letter raised, if it begins with a small letter."""
    return text[:1].upper() + text[1:] if text[:1].islower() else text


def stopped(book: Book, text: str) -> str:
    """A sentence with its first letter raised and its stop."""
    text = raised(text)
    ended = text.rstrip(_CLOSERS)[-1:] in _ENDS
    return text if not text or ended else text + book.text("stop", ".")

"""Library of the language: which sentences a game lacks."""

from __future__ import annotations

from seasons_build.language.phrases.book import Book


def gaps(book: Book) -> tuple[str, ...]:
    return ()

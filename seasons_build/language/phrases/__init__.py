"""Library of the language: rules lines out of data, in a game's own words.

`compile_book` makes a game's nouns and phrases ready, once for each place where text is printed; `write` gives an entry's `Lines`; `flat`
gives them as plain lines; `gaps` says which sentences a game still lacks. No word that a player reads stands in this package.
"""

from seasons_build.language.phrases.book import Book, compile_book
from seasons_build.language.phrases.gaps import Gap, gaps, words_of
from seasons_build.language.phrases.lines import flat, write
from seasons_build.language.phrases.records import Figure, Lines, Part, Problem

__all__ = ["Book", "Figure", "Gap", "Lines", "Part", "Problem", "compile_book", "flat", "gaps", "words_of", "write"]

"""Load: looks at the keys and values of one file, each alone. In goes what an event says of one, out come what it means and what is wrong
with it."""

from __future__ import annotations

import unicodedata

from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.document import Mark, Value
from seasons_build.core.limits import Limits
from seasons_build.core.regex import regex
from seasons_build.core.span import Span
from seasons_build.load import scalars
from seasons_build.load.quoting import as_text, clip, escapes
from seasons_build.load.text import REFUSED, STAND_IN, named

_SHORT = 24
_SIMPLE = regex(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
"""A key with which nothing can be wrong but its length."""
_COLON = regex(r"\s*:")
_NO_BLANK = regex(r"[A-Za-z][\w-]*:[^\s/:]\S*|-[^\W\d_]\S*")
_OPENED = regex(r"([A-Za-z][\w-]*) +[\[{]")
"""A key with a bracket in it, which is a name and its value without a colon between them."""
_TAG = regex(r"![^\s,\]}]*")


SCHEMA = ".json"
"""How files end that may hold keys such as `$ref`."""


class Stop(Exception):
    """A limit is reached: what was read so far is all that is read of this file."""


class Words:
    """The words of one file. `diagnostics` is filled in the order they are looked at; `known` holds what unquoted words mean."""

    def __init__(self, file: str, lines: list[str], limits: Limits) -> None:
        self.file = file
        self.lines = lines
        self.limits = limits
        self.diagnostics: list[Diagnostic] = []
        self.known: dict[str, Value] = dict(scalars.WORDS)
        self._empties: set[tuple[int, int]] = set()

    def key(self, text: str, mark: Mark) -> str | None:
        """A key as it goes into the data, looked at for the first time in this file; None where it cannot be one."""
        if _SIMPLE.match(text) and len(text) <= self.limits.key_characters:
            return text
        if text == "<<":
            self.report("E108", "`<<` is not read; expected a key", mark, ("to build on another entry, use `like:`",))
            return None
        if not text:
            self.report("E113", "expected a key in front of the colon, found nothing", mark)
            return None
        if "\n" in text or "\t" in text or REFUSED.search(text):
            self.report("E113", "expected a key on one line, without tabs or control characters", mark)
            return None
        if len(text) > self.limits.key_characters:
            message = f"expected a key of at most {self.limits.key_characters} characters, found {len(text)}: `{clip(text, 40)}`"
            self.report("E114", message, mark)
            return None
        opened = _OPENED.match(text)
        if opened and self.lines[mark[0]].startswith(text, mark[1]):
            row = self.lines[mark[0]]
            end = mark[1] + opened.end(1)
            hint = f"write `{opened[1]}: {clip(row[end:].strip())}`"
            self.report("E127", f"expected a colon behind `{clip(opened[1])}`", (mark[0], end, mark[0], end + 1), (hint,))
            return None
        character = scalars.unseen(text)
        if character:
            message = f"{named(character)} does not show and cannot stand in a key"
            self.report("E115", message, self._in_scalar(character, mark), ("delete this character, or type the key anew",))
            return None
        if text[0] == "$" and not self.file.endswith(SCHEMA):
            self.report("E680", f"`{clip(text, 40)}` cannot be a key: what begins with `$` is the compiler's own", mark)
            return None
        pair = scalars.mixed(text)
        if pair:
            message = f"in the key `{clip(text)}`, {named(pair[0])} stands among letters such as `{pair[1]}`"
            self.report("E115", message, self._in_scalar(pair[0], mark), ("type the key anew",))
            return None
        return unicodedata.normalize("NFC", text)

    def behind_question_mark(self, mark: Mark) -> Mark:
        """The place of the `?` in brackets behind which a key is missing; where the parsers see the nothing differs."""
        line, column = mark[0], mark[1]
        while line and "?" not in self.lines[line][:column]:
            line, column = line - 1, len(self.lines[line - 1])
        column = max(0, self.lines[line].rfind("?", 0, column))
        return line, column, line, column + 1

    def plain(self, text: str, line: int, column: int, end_line: int, end_column: int) -> Value:
        """The value of an unquoted word met for the first time in this file."""
        value: Value = text
        if text[0] in "0123456789+-.":
            found = scalars.number(text, self.limits)
            mark = line, column, end_line, end_column
            if isinstance(found, scalars.Refused):
                hints = (f'for text, put it in quotes: `"{text}"`',) if len(text) <= _SHORT else ()
                self.report("E116", found.why, mark, hints)
                return found.stand_in
            if isinstance(found, int) and scalars.padded(text):
                message = f"`{clip(text)}` is read as the number {found}, without the zeros in front"
                self.report("W104", message, mark, (f'for text, put it in quotes: `"{clip(text)}"`',))
                return found
            if found is not None:
                value = found
        if len(text) <= _SHORT:
            self.known[text] = value
        return value

    def after_colon(self, key_mark: Mark, line: int, column: int) -> tuple[int, int]:
        """Where a value would stand that is not there: behind the colon, or behind the key that has none."""
        key_line, key_column = key_mark[2:]
        found = _COLON.match(self.lines[key_line], key_column)
        return key_line, found.end() if found else key_column

    def empty_in_braces(self, key: str, key_mark: Mark, line: int, column: int) -> None:
        """A key in `{}` without a value: a list or text that somebody wrote in braces, or a colon without its blank."""
        if (line, column) in self._empties:
            return
        self._empties.add((line, column))
        from seasons_build.load.trap import no_value

        self.add(no_value(self.file, self.lines, key, key_mark, (line, column)))

    def own_line(self, text: str, line: int, column: int, end_line: int, end_column: int) -> None:
        """Text on a line of its own that was meant as `name: value` or as an item of a list."""
        found = _NO_BLANK.match(text)
        if not found:
            return
        word = found.group()
        fixed = f"- {word[1:]}" if word[0] == "-" else word.replace(":", ": ", 1)
        sign = "dash" if word[0] == "-" else "colon"
        message = f"`{clip(word)}` is read as text, since no blank follows the {sign}"
        mark = line, column, line, column + len(word)
        self.report("W102", message, mark, (f"write `{clip(fixed)}`, or put the text in quotes",))

    def cut(self, value: Value, line: int, column: int, end_line: int, end_column: int) -> None:
        """Text that ends where a comment begins that was hardly meant as one."""
        if value is not None and value.__class__ is not str:
            return
        row = self.lines[end_line]
        comment = row[end_column + 1 :].rstrip()
        message = f"`{clip(comment)}` is a comment and not part of the text"
        mark = end_line, end_column + 1, end_line, end_column + 1 + len(comment)
        begin = end_column + 1 if value is None else column
        hints = as_text(row, begin, whole=True) if line == end_line else ()
        self.report("W101", message, mark, (*hints, f"for a comment, put a blank behind the sign: `# {clip(comment[1:], 40)}`"))

    def end_of_block(self, line: int, end_line: int, end_column: int) -> tuple[int, int]:
        """The end of the last line with anything on it, of a text that `|` or `>` begins."""
        lines = self.lines
        last = end_line if end_column else end_line - 1
        while last > line and not lines[last].strip():
            last -= 1
        return last, len(lines[last])

    def refused_escape(self, value: str, line: int, column: int) -> str:
        """Text without the characters that escapes put into it and that no text may hold."""
        for at_line, at_column, escape, character in escapes(self.lines, line, column):
            if REFUSED.match(character):
                mark = at_line, at_column, at_line, at_column + len(escape)
                self.report("E104", f"{named(character)} cannot stand in text", mark, ("delete this escape",))
        return REFUSED.sub(STAND_IN, value)

    def look(self, value: str, line: int, column: int, end_line: int, end_column: int) -> None:
        """Refuses one word, as ids are, in which a letter of another alphabet passes for a Latin one."""
        letter = scalars.disguised(value)
        if letter:
            mark = self._in_scalar(letter, (line, column, end_line, end_column))
            message = f"in `{clip(value)}`, {named(letter)} passes for a Latin letter"
            self.report("E115", message, mark, ("type the word anew",))

    def too_long(self, value: str, line: int, column: int) -> None:
        message = f"expected text of at most {self.limits.text_characters} characters, found {len(value)}"
        self.report("E112", message, (line, column, line, column + 1))

    def tag(self, line: int, column: int) -> None:
        """A tag, which nothing here may have."""
        from seasons_build.load.trap import tag

        found = _TAG.search(self.lines[line], column)
        while not found:
            line += 1
            found = _TAG.search(self.lines[line])
        self.add(tag(self.file, self.lines, line, found.start()))

    def span(self, mark: Mark) -> Span:
        line, column, end_line, end_column = mark
        return Span(self.file, line + 1, column + 1, end_line + 1, end_column + 1)

    def report(self, code: str, message: str, mark: Mark, hints: tuple[str, ...] = (), trace: tuple[Trace, ...] = ()) -> None:
        """A finding at a place of the file."""
        self.add(Diagnostic(code, message, self.span(mark), hints, trace))

    def add(self, diagnostic: Diagnostic) -> None:
        """A finding as it is. Raises `Stop` where a file has more of them than anybody reads."""
        self.diagnostics.append(diagnostic)
        most = self.limits.file_findings
        if len(self.diagnostics) == most:
            message = f"{most} findings in one file; it is not read on"
            self.diagnostics.append(Diagnostic("E111", message, diagnostic.span))
        if len(self.diagnostics) >= most:
            raise Stop

    def _in_scalar(self, character: str, mark: Mark) -> Mark:
        """Where a character stands within a key or value, as far as the source shows it."""
        line, column, end_line, _ = mark
        while line <= end_line:
            at = self.lines[line].find(character, column)
            if at >= 0:
                return line, at, line, at + 1
            line, column = line + 1, 0
        return mark

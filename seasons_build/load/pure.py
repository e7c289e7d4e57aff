"""Load: the events of PyYAML's own parser, made to agree with libyaml's. In goes text, out come the same events and the same errors.

The two were written from one draft and drifted apart: tabs between words, `?` and `:` inside `[]` and `{}`, tags, escapes.
A project must not pass on one machine and fail on the next, so what differs is overridden here, after libyaml. Every fixture and a
property test read both ways. The text given has passed `text.py`: its only line break is the line feed, and it ends with one.
"""

from __future__ import annotations

import re

from yaml.error import Mark
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError
from yaml.tokens import ScalarToken, TagToken

from seasons_build.core.regex import regex
from seasons_build.load.escapes import bad_escape

_GAP = regex(r"[ \t\n]*")
_DOCUMENT = regex(r"(?:---|\.\.\.)[ \t\n]")
_PLAIN = regex(r"(?:[^ \t\n\0:]|:(?![ \t\n\0]))*")
_PLAIN_IN_BRACKETS = regex(r"(?:[^ \t\n\0:,\[\]{}]|:(?![ \t\n\0,?\[\]{}]))*")
_BLOCK_INDICATORS = regex(r"(?:([+-])([1-9])?|([1-9])([+-])?)?")
_REST_OF_HEADER = regex(r"[ \t]*(?:#[^\n\0]*)?")
_DOUBLE_QUOTED = regex(r'"(?:[^"\\\n]|\\(?s:.)|\n(?!(?:---|\.\.\.)[ \t\n]))*')
_TAG_START = regex(r"!(?:<|[0-9A-Za-z_-]*!?)")
_TAG_REST = regex(r"(?:[0-9A-Za-z_;/?:@&=+$.!~*'()-]|%[0-9A-Fa-f]{2})*")
_TAG_REST_VERBATIM = regex(r"(?:[0-9A-Za-z_;/?:@&=+$.!~*'(),\[\]-]|%[0-9A-Fa-f]{2})*")
_PERCENT = regex(r"(?:%[0-9A-Fa-f]{2})+")


class PureParser(Reader, Scanner, Parser):
    """PyYAML's parser with the parts replaced in which libyaml reads otherwise."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def scan_to_next_token(self) -> None:
        while True:
            blanks = " \t" if self.flow_level or not self.allow_simple_key else " "
            while self.peek() in blanks:
                self.forward()
            if self.peek() == "#":
                self.forward(self.buffer.find("\n", self.pointer) - self.pointer)
            if self.peek() != "\n":
                return
            self.forward()
            if not self.flow_level:
                self.allow_simple_key = True

    def scan_plain(self) -> ScalarToken:
        start = end = self.get_mark()
        indent = self.indent + 1
        pattern = _PLAIN_IN_BRACKETS if self.flow_level else _PLAIN
        parts: list[str] = []
        gap = ""
        while not (self.column == 0 and _DOCUMENT.match(self.buffer, self.pointer)) and self.peek() != "#":
            word = self._matched(pattern)
            if word:
                parts += (_folded(gap), word)
                self.forward(len(word))
                end = self.get_mark()
                gap = ""
            if self.flow_level and self.peek() == ":" and self.peek(1) in ",?[]{}":
                raise ScannerError("while scanning a plain scalar", start, "found unexpected ':'", self.get_mark())
            if self.peek() not in " \t\n":
                break
            gap = self._matched(_GAP)
            self._forward_over(gap, indent, start)
            if not self.flow_level and self.column < indent:
                break
        if "\n" in gap:
            self.allow_simple_key = True
        return ScalarToken("".join(parts), True, start, end)

    def scan_flow_scalar(self, style: str) -> ScalarToken:
        if style == '"':
            body = self._matched(_DOUBLE_QUOTED)
            at = bad_escape(body)
            if at is not None:
                start = self.get_mark()
                self.forward(at)
                raise ScannerError("while parsing a quoted scalar", start, "found unknown escape", self.get_mark())
        return Scanner.scan_flow_scalar(self, style)

    def scan_block_scalar_indicators(self, start_mark: Mark) -> tuple[bool | None, int | None]:
        found = _BLOCK_INDICATORS.match(self.buffer, self.pointer)
        if found is None:
            return None, None
        self.forward(len(found.group()))
        chomping = found.group(1) or found.group(4)
        increment = found.group(2) or found.group(3)
        return chomping == "+" if chomping else None, int(increment) if increment else None

    def scan_block_scalar_ignored_line(self, start_mark: Mark) -> None:
        self.forward(len(self._matched(_REST_OF_HEADER)))
        if self.peek() not in "\n\0":
            problem = "did not find expected comment or line break"
            raise ScannerError("while scanning a block scalar", start_mark, problem, self.get_mark())
        if self.peek() == "\n":
            self.forward()

    def scan_block_scalar_indentation(self) -> tuple[list[str], int, Mark]:
        result = Scanner.scan_block_scalar_indentation(self)
        self._refuse_tab()
        return result

    def scan_block_scalar_breaks(self, indent: int) -> tuple[list[str], Mark]:
        result = Scanner.scan_block_scalar_breaks(self, indent)
        if self.column < indent:
            self._refuse_tab()
        return result

    def scan_tag(self) -> TagToken:
        start = self.get_mark()
        head = self._matched(_TAG_START)
        self.forward(len(head))
        rest = self._matched(_TAG_REST_VERBATIM if head == "!<" else _TAG_REST)
        self.forward(len(rest))
        handle = head if head != "!<" and len(head) > 1 and head.endswith("!") else None
        closed = head != "!<" or self.peek() == ">"
        if head == "!<":
            self.forward()
        ended = self.peek() in " \t\n\0" or (self.flow_level and self.peek() == ",")
        if not (rest or (head != "!<" and handle is None)) or not closed or not ended or not _decodes(rest):
            raise ScannerError("while scanning a tag", start, "did not find the end of a tag", self.get_mark())
        return TagToken((handle, rest if handle else head + rest), start, self.get_mark())

    def _matched(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.buffer, self.pointer)
        return found.group() if found else ""

    def _forward_over(self, gap: str, indent: int, start: Mark) -> None:
        """Moves past blanks and line breaks, unless a tab stands where the indentation is counted."""
        first, *lines = gap.split("\n")
        self.forward(len(first))
        for line in lines:
            self.forward()
            tab = line.find("\t")
            if 0 <= tab < indent:
                self.forward(tab)
                problem = "found a tab character that violates indentation"
                raise ScannerError("while scanning a plain scalar", start, problem, self.get_mark())
            self.forward(len(line))

    def _refuse_tab(self) -> None:
        if self.peek() == "\t":
            problem = "found a tab character where an indentation space is expected"
            raise ScannerError("while scanning a block scalar", self.get_mark(), problem, self.get_mark())


def _decodes(uri: str) -> bool:
    """Whether the `%41` in a tag are UTF-8."""
    try:
        for run in _PERCENT.findall(uri):
            bytes.fromhex(run.replace("%", "")).decode()
    except UnicodeDecodeError:
        return False
    return True


def _folded(gap: str) -> str:
    breaks = gap.count("\n")
    return gap if not breaks else "\n" * (breaks - 1) or " "

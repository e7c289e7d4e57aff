"""Text to tree (library: expression): a Pratt parser of a grammar that has nothing in it but what is listed here.

    numbers `3` `0.3`, dice `2d6`, `true` `false`, words in quotes, names with dots, ( )
    f(a, b)      -a      a * b  a / b  a // b  a % b      a + b  a - b
    a == b  a != b  a < b  a <= b  a > b  a >= b (one at a time)      not a      a and b      a or b      a if c else b

What it refuses, it refuses at its place and in plain words. Length, depth and numbers are bounded by the limits, so no text can make it
work long or raise.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn, TypeAlias

from seasons_build.core.dice_amount import whole
from seasons_build.core.document import Number
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.regex import regex
from seasons_build.language.expression import dice_slips, tree
from seasons_build.language.expression.problem import Failure, Found, Problem, quoted, refuse
from seasons_build.language.expression.tree import Node

RESERVED = frozenset({"and", "or", "not", "if", "else", "true", "false"})
"""Words that no name can be."""

_END = "the end"
_RANK = tree.RANK

_TOKEN = regex(
    r"""[ \t\r\n]*
    (?:(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)
     | (?P<number>\d+(?:\.\d+)?)(?![\w.])
     | (?P<sign><=|>=|==|!=|//|\*(?!\*)|<(?![<>])|>(?!>)|[-+/%(),])
     | (?P<dice>\d+d\d+)(?![\w.])
     | (?P<word>'[^'\n]*'|"[^"\n]*")
     | (?P<end>\Z))""",
    re.VERBOSE | re.ASCII,
)

_FOREIGN: dict[str, tuple[str, str]] = {
    "**": ("powers are not part of the language", "multiply instead: `x * x`"),
    "<<": ("`<<` is not part of the language", ""),
    ">>": ("`>>` is not part of the language", ""),
    "<>": ("`<>` is not part of the language", "write `!=`"),
    "=>": ("`=>` is not part of the language", "write `>=`"),
    "=<": ("`=<` is not part of the language", "write `<=`"),
    "&&": ("`&&` is not part of the language", "write `and`"),
    "||": ("`||` is not part of the language", "write `or`"),
    "=": ("`=` is not part of the language", "to compare, write `==`"),
    "!": ("`!` is not part of the language", "write `not`"),
    "&": ("`&` is not part of the language", "write `and`"),
    "|": ("`|` is not part of the language", "write `or`"),
    "^": ("powers are not part of the language", "multiply instead: `x * x`"),
    "?": ("`?` is not part of the language", "write `a if condition else b`"),
    "[": ("lists are not part of the language", ""),
    "]": ("lists are not part of the language", ""),
    "{": ("`{` is not part of the language", "an expression stands here without braces"),
    "}": ("`}` is not part of the language", "an expression stands here without braces"),
    ".": ("a `.` stands only inside a name, or between the digits of a number", ""),
    "×": ("`×` is not part of the language", "write `*`"),
    "÷": ("`÷` is not part of the language", "write `/`"),
    "−": ("`−` is not part of the language", "write `-`"),
    "–": ("`–` is not part of the language", "write `-`"),
    "—": ("`—` is not part of the language", "write `-`"),
    "≤": ("`≤` is not part of the language", "write `<=`"),
    "≥": ("`≥` is not part of the language", "write `>=`"),
    "≠": ("`≠` is not part of the language", "write `!=`"),
    "½": ("`½` is not part of the language", "write `1 / 2`"),
    "‘": ("`‘` is not part of the language", "use straight quotes: `'word'`"),
    "’": ("`’` is not part of the language", "use straight quotes: `'word'`"),
    "“": ("`“` is not part of the language", "use straight quotes: `'word'`"),
    "”": ("`”` is not part of the language", "use straight quotes: `'word'`"),
    "\u00a0": ("a blank that is not an ordinary space (U+00A0)", "type a space in its place"),
}

_SPELLINGS = {"AND": "and", "OR": "or", "NOT": "not", "True": "true", "False": "false"}

_STUCK = regex(r"[\w.]+", re.ASCII)

_Token: TypeAlias = tuple[str, str, int, int]
"""Kind, text, start, end. The kind is name, number, dice or word; of everything else (signs, reserved words, the end) the text itself."""


def parse(text: str, limits: Limits = DEFAULT) -> Found[Node]:
    """The tree of an expression. At most one problem is found: what follows it in the text is not judged."""
    numbers = (limits.number, limits.decimal_digits, limits.dice, limits.faces)
    return _parse(text, limits.expression_characters, limits.expression_depth, numbers)


@lru_cache(maxsize=65536)
def _parse(text: str, characters: int, depth: int, numbers: tuple[int, int, int, int]) -> Found[Node]:
    if len(text) > characters:
        message = f"the expression has {len(text):,} characters, more than {characters:,}"
        return Found(None, (Problem("E403", message, characters, characters + 1, ("split it into named values",)),))
    try:
        return Found(_Parser(text, depth, numbers).whole())
    except Failure as failure:
        return Found(None, (failure.problem,))


def _tokens(text: str) -> list[_Token]:
    if not text.isprintable():
        _refuse_unprintable(text)
    found: list[_Token] = []
    at = 0
    while True:
        match = _TOKEN.match(text, at)
        if match is None:
            _refuse_foreign(text, at)
        kind = match.lastgroup or ""
        start, at = match.span(kind)
        piece = text[start:at]
        if kind == "sign" or piece in RESERVED:
            kind = piece
        elif kind == "end":
            found.append((_END, _END, len(text.rstrip()), len(text)))
            return found
        found.append((kind, piece, start, at))


def _refuse_unprintable(text: str) -> None:
    for at, character in enumerate(text):
        if not character.isprintable() and character not in "\t\r\n\u00a0":
            message = f"a character that does not show (U+{ord(character):04X}) has no place in an expression"
            refuse("E401", message, at, at + 1, "delete it")


def _refuse_foreign(text: str, at: int) -> NoReturn:
    at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n"))
    two, one = text[at : at + 2], text[at]
    if (sign := two if two in _FOREIGN else one) in _FOREIGN:
        message, hint = _FOREIGN[sign]
        refuse("E401", message, at, at + len(sign), hint)
    if one in "'\"":
        refuse("E402", "a word is not closed: its second quote is missing", at, len(text))
    if one.isascii() and one.isdigit() and (stuck := _STUCK.match(text, at)):
        hint = dice_slips.stuck(stuck[0], text[stuck.end() :])
        refuse("E401", f"{quoted(stuck[0])} is neither a number nor dice", at, stuck.end(), hint)
    refuse("E401", f"`{one}` is not part of the language", at, at + 1)


class _Parser:
    """One pass over the tokens; every recursion is charged against the depth."""

    __slots__ = ("_at", "_depth", "_dice", "_digits", "_faces", "_left", "_number", "_text", "_tokens")

    def __init__(self, text: str, depth: int, numbers: tuple[int, int, int, int]) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._at = 0
        self._left = self._depth = depth
        self._number, self._digits, self._dice, self._faces = numbers

    def whole(self) -> Node:
        node = self._expression(0)
        token = self._tokens[self._at]
        if token[0] != _END:
            self._refuse_extra(token)
        return node

    def _expression(self, least: int) -> Node:
        """What stands from here on, as far as its operators bind at least so strongly."""
        tokens, at = self._tokens, self._at
        kind, text, start, end = tokens[at]
        if not self._left:
            refuse("E404", f"the expression is nested more than {self._depth} deep", start, end, "split it into named values")
        self._left -= 1
        node: Node
        if kind == "name" and tokens[at + 1][0] != "(":
            self._at = at + 1
            node = tree.Name(text, start, end)
        else:
            node = self._operand(tokens[at])
        while (rank := _RANK.get(tokens[self._at][0], -1)) >= least:
            if rank >= tree.SUM:
                node = self._chain(node, rank, start)
            elif rank == tree.COMPARISON:
                node = self._comparison(node, start)
            elif rank:
                node = self._joined(node, rank, start)
            else:
                node = self._choice(node, start)
        self._left += 1
        return node

    def _chain(self, first: Node, rank: int, start: int) -> Node:
        steps: list[tree.Step] = []
        tokens = self._tokens
        operator, _, at, _ = tokens[self._at]
        while _RANK.get(operator) == rank:
            self._at += 1
            steps.append(tree.Step(operator, self._expression(rank + 1), at))
            operator, _, at, _ = tokens[self._at]
        return tree.Chain(first, tuple(steps), start, tokens[self._at - 1][3])

    def _comparison(self, left: Node, start: int) -> Node:
        operator, _, at, _ = self._tokens[self._at]
        self._at += 1
        right = self._expression(tree.SUM)
        after, _, second, end = self._tokens[self._at]
        if _RANK.get(after) == tree.COMPARISON:
            refuse("E405", "comparisons cannot be chained", second, end, "write both and join them: `a < b and b < c`")
        return tree.Compare(operator, left, right, at, start, self._tokens[self._at - 1][3])

    def _joined(self, first: Node, rank: int, start: int) -> Node:
        parts = [first]
        while _RANK.get(self._tokens[self._at][0]) == rank:
            self._at += 1
            parts.append(self._expression(rank + 1))
        return (tree.Either if rank == _RANK["or"] else tree.Both)(tuple(parts), start, self._tokens[self._at - 1][3])

    def _choice(self, value: Node, start: int) -> Node:
        self._at += 1
        condition = self._expression(_RANK["or"])
        token = self._tokens[self._at]
        if token[0] != "else":
            self._refuse_found("`else`", token, "an `if` always says what holds otherwise: `a if condition else b`")
        self._at += 1
        otherwise = self._expression(0)
        return tree.Choice(value, condition, otherwise, start, self._tokens[self._at - 1][3])

    def _operand(self, token: _Token) -> Node:
        self._at += 1
        kind, text, start, end = token
        if kind == "number":
            return tree.Figure(self._figure(token), start, end)
        if kind == "name":
            return self._call(token)
        if kind == "(":
            node = self._expression(0)
            self._close(token)
            return node
        if kind == "-":
            operand = self._expression(tree.SIGN)
            return tree.Negative(operand, start, self._tokens[self._at - 1][3])
        if kind == "word":
            return tree.Word(text[1:-1], start, end)
        if kind == "not":
            operand = self._expression(tree.NOT)
            return tree.Not(operand, start, self._tokens[self._at - 1][3])
        if kind == "dice":
            return self._throw(token)
        if kind in ("true", "false"):
            return tree.Truth(kind == "true", start, end)
        before = self._tokens[: self._at - 1]
        if kind == _END and len(before) > 1 and before[-1][0] in _RANK:
            left = "" if any(sign == "(" for sign, *_ in before) else self._text[: before[-1][2]]
            self._refuse_found("a value", token, dice_slips.unfinished(left, before[-1][1]))
        return self._refuse_found("a value", token, "write a number without `+`" if kind == "+" else "")

    def _call(self, name: _Token) -> Node:
        opened = self._tokens[self._at]
        self._at += 1
        arguments: list[Node] = []
        if self._tokens[self._at][0] != ")":
            arguments.append(self._expression(0))
            while self._tokens[self._at][0] == ",":
                self._at += 1
                arguments.append(self._expression(0))
        return tree.Call(name[1], tuple(arguments), name[2], self._close(opened))

    def _close(self, opened: _Token) -> int:
        """Steps over the parenthesis that closes another, and gives the offset behind it."""
        kind, _, _, end = token = self._tokens[self._at]
        if kind == _END:
            refuse("E402", "this `(` is never closed", opened[2], opened[3])
        if kind != ")":
            self._refuse_extra(token)
        self._at += 1
        return end

    def _figure(self, token: _Token) -> Number:
        _, text, start, end = token
        before, _, after = text.partition(".")
        if len(before) <= len(str(self._number)) and len(after) <= self._digits:
            value = whole(Fraction(text)) if after else int(before)
            if value <= self._number:
                return value
        message = f"the number {quoted(text)} is larger than {self._number:,} or has more than {self._digits} decimals"
        return refuse("E406", message, start, end)

    def _throw(self, token: _Token) -> Node:
        _, text, start, end = token
        count, _, faces = text.partition("d")
        for what, digits, most in (("dice", count, self._dice), ("faces", faces, self._faces)):
            if len(digits) > len(str(most)) or not 1 <= int(digits) <= most:
                refuse("E407", f"expected 1 to {most:,} {what}, found {quoted(digits)}", start, end)
        return tree.Throw(int(count), int(faces), start, end)

    def _refuse_found(self, wanted: str, token: _Token, *hints: str) -> NoReturn:
        kind, text, start, end = token
        if kind == _END:
            start = max(0, start - 1)
            refuse("E402", f"expected {wanted}, found {_END}", start, max(end, start + 1), *hints)
        refuse("E402", f"expected {wanted}, found {quoted(text)}", start, end, *hints)

    def _refuse_extra(self, token: _Token) -> NoReturn:
        kind, text, _, _ = token
        if kind == "name":
            before, meant = self._tokens[self._at - 1], _SPELLINGS.get(text)
            dice = dice_slips.apart(before[1], text) if before[0] == "number" else ""
            self._refuse_found("an operator", token, f"write `{meant}`" if meant else dice)
        if kind == ",":
            self._refuse_found("an operator", token, "a comma stands only between the arguments of a function, never inside a number")
        if kind == "else":
            self._refuse_found("an `if` before", token, "write `a if condition else b`")
        self._refuse_found("an operator", token)

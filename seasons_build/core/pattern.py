"""Patterns of schemas that surely end: a pattern is matched by trying, and some of them try for ever.

In: a pattern as typed. Out: what is wrong with it, in words, or nothing. What is repeated without a bound holds no choice and no other
repetition, there are few such repetitions, and nothing looks around or back: a text of a thousand characters is then soon read.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from seasons_build.core.regex import regex

_ENDLESS = 3
"""So many repetitions without a bound at most."""
_TOKEN = regex(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?:|\(\?|\(|\)|\||[*+?]|\{\d*,?\d*\}|.", re.DOTALL)
_LARGEST = 100
"""No repetition counts further than this."""


def why_not(pattern: str, longest: int) -> str:
    """Why a schema may not have this pattern; nothing where it may."""
    if len(pattern) > longest:
        return f"the pattern is longer than {longest:,} characters"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError, FutureWarning) as error:
        return f"the pattern does not hold together: {error}"
    return next(_faults(_TOKEN.findall(pattern)), "")


def _faults(tokens: list[str]) -> Iterator[str]:
    several = [False]
    """Of each open group, whether it holds a choice or a repetition."""
    closed = False
    endless = 0
    for token, before in zip(tokens, ["", *tokens], strict=False):
        if token in ("(", "(?:"):
            several.append(False)
        elif token == "(?":
            yield "a pattern has no groups that begin with `(?` but `(?:`"
        elif token == ")":
            closed = several.pop() if len(several) > 1 else False
            several[-1] = several[-1] or closed
        elif token == "|":
            several[-1] = True
        elif token[0] == "\\" and token[1:].isdigit():
            yield "a pattern does not look back at what it has read"
        elif repeats(token):
            if before == ")" and closed and token != "?":
                yield "a repeated group holds a choice or a repetition, which can take for ever"
            if token[0] == "{" and any(int(count) > _LARGEST for count in re.findall(r"\d+", token)):
                yield f"a repetition counts no further than {_LARGEST}"
            several[:] = [True] * len(several)
            endless += token in ("*", "+") or token.endswith(",}")
    if endless > _ENDLESS:
        yield f"a pattern has at most {_ENDLESS} repetitions without a bound"


def repeats(token: str) -> bool:
    """Whether a part of a pattern says how often what stands before it comes."""
    return token in ("*", "+", "?") or (token[0] == "{" and len(token) > 2)

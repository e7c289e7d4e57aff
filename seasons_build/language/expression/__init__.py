"""Expressions: exact numbers, names, comparisons and a closed table of functions (language library).

`parse` makes a tree of a text; `compile_expression` checks it against a `Scope` and gives a `Compiled`, whose `run` takes an `Env`.
Problems carry offsets into the text; `Problem.located` places them in the file. `monotone` judges what may decide a grant. `FUNCTIONS` is
the closed table of functions; the nodes of trees are in `expression.tree`.
"""

from seasons_build.core.dice_amount import figure
from seasons_build.language.expression.checks import Use
from seasons_build.language.expression.compile import Compiled, compile_expression
from seasons_build.language.expression.functions import FUNCTIONS, Function, Parameter
from seasons_build.language.expression.monotone import monotone
from seasons_build.language.expression.problem import Found, Problem
from seasons_build.language.expression.syntax import RESERVED, parse
from seasons_build.language.expression.tree import Node, text_of, walk
from seasons_build.language.expression.types import (
    ANYTHING,
    DICE,
    LIST,
    NUMBER,
    TRUTH,
    WORD,
    Env,
    Scope,
    TableType,
    Type,
    Value,
    one_of,
)

__all__ = [
    "ANYTHING",
    "DICE",
    "FUNCTIONS",
    "LIST",
    "NUMBER",
    "RESERVED",
    "TRUTH",
    "WORD",
    "Compiled",
    "Env",
    "Found",
    "Function",
    "Node",
    "Parameter",
    "Problem",
    "Scope",
    "TableType",
    "Type",
    "Use",
    "Value",
    "compile_expression",
    "figure",
    "monotone",
    "one_of",
    "parse",
    "text_of",
    "walk",
]

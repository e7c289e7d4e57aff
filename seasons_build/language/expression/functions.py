"""The closed table of functions (library: expression): what each takes, gives and is for. The reference pages are written from it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from seasons_build.core.named import NamedTuple

Takes: TypeAlias = Literal["number", "amount", "dice", "word", "list", "table", "key", "kind", "number of each", "condition on each"]
"""An amount is a number or dice. A table and a kind are written as their bare names. What is read of each is read in each entry."""

Gives: TypeAlias = Literal["number", "truth", "dice", "amount", "what the table gives"]
"""An amount: dice where an argument is dice, else a number."""


class Parameter(NamedTuple):
    """One argument. Only the last ones are `optional`; the last may be `repeated`."""

    takes: Takes
    optional: bool = False
    repeated: bool = False


class Function(NamedTuple):
    """One function of the language."""

    name: str
    parameters: tuple[Parameter, ...]
    gives: Gives
    description: str

    @property
    def fewest(self) -> int:
        """The fewest arguments it takes."""
        return sum(not parameter.optional for parameter in self.parameters)

    @property
    def most(self) -> int | None:
        """The most arguments it takes; None where there is no bound."""
        return None if self.parameters[-1].repeated else len(self.parameters)

    @property
    def signature(self) -> str:
        """How it is written, as in `count(kind, [condition on each])`."""
        return f"{self.name}({', '.join(_written(parameter) for parameter in self.parameters)})"


def _written(parameter: Parameter) -> str:
    if parameter.repeated:
        return f"[{parameter.takes}, ...]" if parameter.optional else f"{parameter.takes}, ..."
    return f"[{parameter.takes}]" if parameter.optional else parameter.takes


_AMOUNT = Parameter("amount")
_NUMBER = Parameter("number")
_WORD = Parameter("word")
_KIND = Parameter("kind")
_WHICH = Parameter("condition on each", optional=True)
_MORE = Parameter("amount", repeated=True)

FUNCTIONS: dict[str, Function] = {
    function.name: function
    for function in (
        Function("min", (_AMOUNT, _MORE), "amount", "the smallest of its arguments"),
        Function("max", (_AMOUNT, _MORE), "amount", "the largest of its arguments"),
        Function("floor", (_AMOUNT,), "amount", "rounds down: the largest whole number that is not above it"),
        Function("ceil", (_AMOUNT,), "amount", "rounds up: the smallest whole number that is not below it"),
        Function("trunc", (_AMOUNT,), "amount", "rounds towards zero: drops what stands behind the decimal point"),
        Function("half", (_AMOUNT,), "amount", "exactly half, not rounded; write `floor` or `ceil` around it to round"),
        Function("abs", (_AMOUNT,), "amount", "the number without its sign"),
        Function(
            "table",
            (Parameter("table"), Parameter("key", repeated=True)),
            "what the table gives",
            "what a table of the game gives for a key, or for its two keys",
        ),
        Function("has", (_WORD,), "truth", "whether the entry with that id is there"),
        Function("taken", (_WORD,), "number", "how often the entry with that id was taken, 0 if it was not"),
        Function("count", (_KIND, _WHICH), "number", "how many entries of a kind are there, or how many of them meet a condition"),
        Function(
            "sum",
            (_KIND, Parameter("number of each"), _WHICH),
            "number",
            "adds up a number of each entry of a kind, or of those that meet a condition",
        ),
        Function(
            "highest",
            (Parameter("kind", repeated=True),),
            "number",
            "how often the most taken entry of the kinds was taken, 0 if there is none",
        ),
        Function("stat", (_WORD,), "number", "the value of the stat that a word names"),
        Function("dice", (_NUMBER, _NUMBER), "dice", "so many dice with so many faces"),
        Function("bare", (Parameter("dice"),), "dice", "the dice of an amount without its fixed number"),
        Function("size", (Parameter("list"),), "number", "how many things a list holds"),
    )
}

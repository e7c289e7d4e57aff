"""The faults of data that a schema does not let through, in a writer's words (part of check).

In go a composed schema and the data of an entry with the document that it stands in; out come diagnostics at the lines to mend.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeAlias

from seasons_build.check.accept import Accepts
from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Value
from seasons_build.core.entry import Site
from seasons_build.core.kind import Schema
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import meant_or_listed, nearest
from seasons_build.core.regex import regex
from seasons_build.core.said import cut, said
from seasons_build.core.span import Path, Span
from seasons_build.language.paths import value_at

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_FIGURES = regex(r"[+-]?\d+(?![\d.,]*\d)")
"""A whole number, and behind it something else: `8 units`, `2;`."""
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_TYPES = {
    "object": "a map (name: value lines)",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


class Judge(NamedTuple):
    """A schema made ready: what it surely accepts is accepted at once, and the validator finds the faults of all else."""

    schema: Schema
    accepts: Accepts

    def errors(self, data: Value) -> Iterator[ValidationError]:
        """What the validator finds. It is read only where there may be something to find."""
        if self.accepts(data):
            return
        from seasons_build.check.validate import validator

        yield from validator(self.schema).iter_errors(data)


Where: TypeAlias = Callable[[Path], Site]
"""Where the value at a path of the data was typed."""


def faults(judge: Judge, data: Value, where: Where) -> Iterator[Diagnostic]:
    """Every fault of the data once, in source order."""
    seen: set[tuple[Path, str]] = set()
    found: list[Diagnostic] = []
    errors = list(judge.errors(data))
    # Of what is of the wrong sort, no more is to be said.
    wrong_sort = {tuple(error.absolute_path) for error in errors if error.validator == "type"}
    slipped = _slipped(errors, data)
    moved = {(*path[:-1], name) for path, names in slipped.items() for name in names}
    for error in errors:
        if error.validator != "type" and tuple(error.absolute_path) in wrong_sort:
            continue
        for diagnostic in _translate(error, where, slipped.get(tuple(error.absolute_path), ()), moved):
            mark = (tuple(error.absolute_path), diagnostic.message)
            if mark not in seen:
                seen.add(mark)
                found.append(diagnostic)
    yield from sorted(found, key=lambda d: (d.span or Span("", 0, 0, 0, 0), d.code))


def _slipped(errors: Iterable[ValidationError], data: Value) -> Mapping[Path, tuple[str, ...]]:
    """The fields that hold nothing where a map or a list should stand, with the unknown ones right behind: these lost their indent."""
    strange: set[Path] = set()
    for error in errors:
        known: Any = error.schema
        here: Any = error.instance
        if error.validator == "additionalProperties":
            fields = known.get("properties", {})
            strange |= {(*error.absolute_path, name) for name in here if name not in fields and not nearest(name, fields)}
    found: dict[Path, tuple[str, ...]] = {}
    for error in errors if strange else ():
        path: Path = tuple(error.absolute_path)
        wanted: Any = error.validator_value
        if error.validator == "type" and error.instance is None and path and ("object" in wanted or "array" in wanted):
            beside = value_at(data, path[:-1])
            names = list(beside) if isinstance(beside, dict) else [path[-1]]
            after = [(*path[:-1], name) for name in names[names.index(path[-1]) + 1 :]]
            found[path] = tuple(str(one[-1]) for one in takewhile(strange.__contains__, after))
    return found


def _translate(error: ValidationError, site: Where, below: tuple[str, ...], moved: Container[Path]) -> Iterator[Diagnostic]:
    """The diagnostics of one error. `below` are the words that belong to a field which holds nothing; those that are `moved` are told
    there."""
    read: Path = tuple(error.absolute_path)
    document, path = site(read)
    value: Any = error.instance
    wanted: Any = error.validator_value
    schema: Any = error.schema
    rule = error.validator
    where = document.span(path)
    field = f"`{path[-1]}`" if path and isinstance(path[-1], str) else "this item"

    def key(name: str) -> Span:
        inner, typed = site((*read, name))
        return inner.key_span(typed)

    def say(code: str, message: str, *hints: str, span: Span = where) -> Diagnostic:
        return Diagnostic(code, message, span, tuple(hints))

    if rule == "additionalProperties":
        allowed = list(schema.get("properties", {}))
        for name in [k for k in value if k not in allowed and (*read, k) not in moved]:
            hint = meant_or_listed(name, allowed)
            yield say("E204", f"unknown field `{cut(name)}`", *hint, span=key(name))
    elif rule == "type":
        types = wanted if isinstance(wanted, list) else [wanted]
        expected = " or ".join(_TYPES[t] for t in types if not (t == "integer" and "number" in types))
        typed = document.text(path)
        found = f"the number `{typed}`" if typed and type(value) in (int, Fraction) else said(value)
        right = f"what belongs to {field} stands further right, as `  {cut(below[0])}:`" if below else ""
        hints = (right,) if right else _type_hints(value, types, typed)
        yield say("E205", f"expected {expected} for {field}, found {found}", *hints)
    elif rule == "required":
        meant = {nearest(name, schema.get("properties", {})) for name in value if name not in schema.get("properties", {})}
        missing = [name for name in wanted if name not in value and name not in meant]
        if missing:
            gone = next((site((*read, name)) for name in missing if site((*read, name)) != (document, (*path, name))), None)
            span = gone[0].key_span(gone[1]) if gone else document.key_span(path) if path else where
            lacks = " and no ".join(f"`{name}`" for name in missing)
            typed = ", ".join(f"`{name}: ...`" for name in missing)
            what = "a line" if len(missing) == 1 else "these:"
            yield say("E206", f"{_owner(path)} has no {lacks}", f"add {what} {typed}", span=span)
    elif rule in ("enum", "const"):
        choices = [str(w) for w in (wanted if isinstance(wanted, list) else [wanted])]
        hint = meant_or_listed(str(value), choices)
        yield say("E207", f"expected one of the words for {field}, found {said(value)}", *hint)
    elif rule in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
        bound = {"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than", "exclusiveMaximum": "less than"}[rule]
        yield say("E208", f"expected {bound} {wanted} for {field}, found {value}")
    elif rule == "multipleOf":
        yield say("E208", f"expected a multiple of {wanted} for {field}, found {value}")
    elif rule in ("minLength", "maxLength"):
        bound = "at least" if rule == "minLength" else "at most"
        yield say("E209", f"expected {bound} {wanted} {'character' if wanted == 1 else 'characters'} for {field}, found {len(value)}")
    elif rule in ("minItems", "maxItems", "minProperties", "maxProperties"):
        bound = "at least" if rule.startswith("min") else "at most"
        yield say("E210", f"expected {bound} {wanted} in {field}, found {len(value)}")
    elif rule == "uniqueItems":
        yield say("E211", f"the list {field} says one thing twice")
    elif "propertyNames" in error.absolute_schema_path:
        message = f"`{cut(str(value))}` cannot be a name in {field}"
        yield say("E212", message, *_form_hint(schema), span=key(str(value)))
    elif rule == "pattern":
        yield say("E212", f"{said(value)} does not have the form that {field} needs", *_form_hint(schema))
    elif rule in ("oneOf", "anyOf"):
        yield say("E207", f"{said(value)} is none of the things that {field} can be", *_form_hint(schema))
    else:
        raise AssertionError(f"a schema with the rule {rule}, which kinds lets through and nothing explains")


def _owner(path: Path) -> str:
    names = [str(step) for step in path if isinstance(step, str)]
    return f"`{names[-1]}`" if names else "this file"


def _type_hints(value: Value, types: list[str], typed: str) -> tuple[str, ...]:
    if "string" in types and isinstance(value, int | Fraction) and not isinstance(value, bool):
        return (f'quote it to make it text: "{typed}"',)
    if isinstance(value, str) and ("integer" in types or "number" in types) and value.strip().lstrip("+-").isdigit():
        return (f"without quotes: {value.strip().lstrip('+')}",)
    if isinstance(value, str) and ("integer" in types or "number" in types) and value.strip().lower() in _WORDS.split():
        return (f"in figures: {_WORDS.split().index(value.strip().lower())}",)
    figures = _FIGURES.match(value) if isinstance(value, str) and ("integer" in types or "number" in types) else None
    if figures:
        return (f"the number alone: {figures[0]}",)
    if value is None and "string" in types:
        return ("write the text after the colon, or leave the line out",)
    if isinstance(value, str) and types == ["array"]:
        return (f"as a list: [{cut(value)}]",)
    return ()


def _form_hint(schema: Any) -> tuple[str, ...]:
    examples = schema.get("examples") if isinstance(schema, dict) else None
    described = schema.get("description") if isinstance(schema, dict) else None
    if examples:
        return (f"for example `{examples[0]}`",)
    return (str(described),) if described else ()

"""Records: Python's dataclasses, defined in a tenth of the time. Every command defines a hundred of them before it does anything.

In goes a class with fields, out comes one that has them. What it does is written and compiled when it first does it: most records of a
command are never made, and few are ever compared. `field`, `fields` and `replace` are Python's own. A record stands on no other one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError
from dataclasses import field as field
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool = False, slots: bool = False, eq: bool = True) -> Callable[[type], type]:
        """As Python's own; a class decorator."""
        return lambda cls: _record(cls, frozen=frozen, slots=slots, eq=eq)


def _record(cls: Any, *, frozen: bool, slots: bool, eq: bool) -> Any:
    if any(hasattr(base, "__dataclass_fields__") for base in cls.__bases__):
        raise TypeError(f"{cls.__qualname__} stands on another record")
    parts = {name: _field(name, kind, vars(cls).get(name, MISSING)) for name, kind in cls.__annotations__.items()}
    made = _with_slots(cls, tuple(parts)) if slots else cls
    own: dict[str, Any] = {
        "__dataclass_fields__": parts,
        "__match_args__": tuple(part.name for part in parts.values() if part.init),
        "__init__": _at_first(made, "__init__", frozen=frozen, slots=slots),
        "__repr__": _repr,
    }
    if eq:
        own["__eq__"] = _at_first(made, "__eq__")
        own["__hash__"] = _at_first(made, "__hash__") if frozen else None
    if frozen:
        own |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    for name, value in own.items():
        setattr(made, name, value)
    if not slots:
        for part in parts.values():
            if part.default is not MISSING:
                setattr(made, part.name, part.default)
            elif part.name in vars(made):
                delattr(made, part.name)
    return made


def _field(name: str, kind: Any, given: Any) -> Any:
    found: Any = given if isinstance(given, Field) else field(default=given)
    found.name, found.type, found.kw_only = name, kind, False
    found._field_type = vars(dataclasses)["_FIELD"]
    return found


def _with_slots(cls: Any, names: tuple[str, ...]) -> Any:
    """The class anew: slots are given to a class as it is made."""
    body = {name: value for name, value in vars(cls).items() if name not in (*names, "__dict__", "__weakref__")}
    made = type(cls)(cls.__name__, cls.__bases__, {**body, "__slots__": names})
    made.__qualname__ = cls.__qualname__
    return made


# What a record does


def _at_first(cls: Any, name: str, **how: bool) -> Callable[..., Any]:
    """A method that writes the one that takes its place, and leaves it to that."""

    def at_first(self: Any, *given: Any, **named: Any) -> Any:
        setattr(cls, name, _METHODS[name](cls, **how))
        return getattr(cls, name)(self, *given, **named)

    return at_first


def _init(cls: Any, *, frozen: bool, slots: bool) -> Callable[..., Any]:
    head, lines = ["self"], []
    names: dict[str, Any] = {"_missing": MISSING, "_set": object.__setattr__}
    for name, part in cls.__dataclass_fields__.items():
        value = name
        if part.default_factory is not MISSING:
            names[f"_default_{name}"] = part.default_factory
            value = f"_default_{name}() if {name} is _missing else {name}"
            head.append(f"{name}=_missing")
        elif part.default is not MISSING:
            names[f"_default_{name}"] = part.default
            head.append(f"{name}=_default_{name}")
        elif part.init:
            head.append(name)
        else:
            continue
        if not frozen:
            lines.append(f"self.{name} = {value}")
        elif slots:
            names[f"_set_{name}"] = vars(cls)[name].__set__
            lines.append(f"_set_{name}(self, {value})")
        else:
            lines.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    return _written(cls, "__init__", head, lines, names)


def _eq(cls: Any) -> Callable[..., Any]:
    mine, theirs = _compared(cls, "self"), _compared(cls, "their")
    answer = f"return {mine} == {theirs} if their.__class__ is self.__class__ else NotImplemented"
    return _written(cls, "__eq__", ("self", "their"), [answer], {})


def _hash(cls: Any) -> Callable[..., Any]:
    return _written(cls, "__hash__", ("self",), [f"return hash({_compared(cls, 'self')})"], {})


def _compared(cls: Any, of: str) -> str:
    return "(" + "".join(f"{of}.{part.name}," for part in cls.__dataclass_fields__.values() if part.compare) + ")"


def _written(cls: Any, name: str, head: Iterable[str], lines: Iterable[str], names: Mapping[str, Any]) -> Callable[..., Any]:
    space = dict(names)
    exec(f"def {name}({', '.join(head)}):\n" + "".join(f" {line}\n" for line in lines) + " pass\n", space)
    made: Callable[..., Any] = space[name]
    made.__qualname__ = f"{cls.__qualname__}.{name}"
    return made


_METHODS: Mapping[str, Callable[..., Any]] = {"__init__": _init, "__eq__": _eq, "__hash__": _hash}


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{part.name}={getattr(self, part.name)!r}" for part in self.__dataclass_fields__.values() if part.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: object, name: str, value: object) -> None:
    del self, value
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    del self
    raise FrozenInstanceError(f"cannot delete field {name!r}")

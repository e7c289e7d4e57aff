"""Named tuples: Python's own, defined in a tenth of the time. Every command defines a hundred of them before it does anything.

In goes a class with fields, out comes a tuple that has them by name. What makes one is written once for all that have as many fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, Generic, Self

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter

    class _Named(tuple):
        """What all of them do."""

        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Self:
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **named: Any) -> Self:
            made = self._make(map(named.pop, self._fields, self))
            if named:
                raise ValueError(f"Got unexpected field names: {list(named)!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            shown = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{self.__class__.__name__}({', '.join(shown)})"

    class _Making(type):
        """Makes the class of a named tuple from what stands in its body: a plain class, in the end."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
            if bases[0] is not NamedTuple or bases[1:] not in ((), (Generic,)):
                raise TypeError("a named tuple stands on no other class")
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError("a field without a default follows one that has one")
            named = {
                "__slots__": (),
                "_fields": fields,
                "_field_defaults": defaults,
                "__match_args__": fields,
                "__new__": _new(body["__qualname__"], fields, tuple(defaults.values())),
            }
            getters = {field: _tuplegetter(number, None) for number, field in enumerate(fields)}
            return type(name, (_Named, *bases[1:]), {**body, **named, **getters})

    NamedTuple = type.__new__(_Making, "NamedTuple", (), {})


@cache
def _new_of(count: int) -> Any:
    """What makes a tuple of so many fields."""
    names = "".join(f", _{number}" for number in range(count))
    return eval(f"lambda _cls{names}: _made(_cls, ({names.removeprefix(', ')}{',' if count == 1 else ''}))")


def _new(of: str, fields: tuple[str, ...], defaults: tuple[Any, ...]) -> Callable[..., Any]:
    code = _new_of(len(fields)).__code__
    named = code.replace(co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{of}.__new__")
    return FunctionType(named, {"_made": tuple.__new__, "__builtins__": {}}, "__new__", defaults or None)

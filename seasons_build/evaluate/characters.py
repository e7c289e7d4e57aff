"""A character's numbers at one moment of its record (part of evaluate)."""

from __future__ import annotations

from collections.abc import Iterable

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Key
from seasons_build.core.sheet import Owned
from seasons_build.evaluate.environs import Circle, OwnedEnv, SheetEnv, printed
from seasons_build.evaluate.fields import Absent, Failed
from seasons_build.evaluate.game import Formula
from seasons_build.evaluate.picks import PICK, Thing
from seasons_build.evaluate.sheets import SheetWork
from seasons_build.language.expression import Compiled, Problem


class CharacterMoment:
    """What a fold asks of a sheet, answered by the work on it; what cannot be worked out is reported there and counts as nothing."""

    def __init__(self, work: SheetWork) -> None:
        self._work = work

    def stat(self, name: str) -> Number:
        """The value of a stat."""
        try:
            return self._work.stat(name) if self._work.is_stat(name) else 0
        except (Absent, Failed, Circle):
            return 0

    def holds(self, condition: Formula, thing: Thing) -> bool:
        """Whether a condition holds."""
        return self._value(condition, thing) is True

    def number(self, formula: Formula, thing: Thing) -> Number:
        """The value of a formula."""
        if formula.fixed is not None:
            return formula.fixed
        value = self._value(formula, thing)
        return value if not isinstance(value, bool) and value is not None else 0

    def said(self, parts: tuple[str | Compiled, ...], thing: Thing) -> str:
        """A text with its values."""
        return "".join(part if isinstance(part, str) else self._figure(part, thing) for part in parts)

    def _figure(self, part: Compiled, thing: Thing) -> str:
        try:
            value = part.run(_PickEnv(self._work, thing))
        except (Absent, Failed, Circle):
            return ""
        return "" if isinstance(value, Problem) else printed(value)

    def grants(self) -> Iterable[tuple[Key, Key]]:
        """What the things it has grant."""
        return self._work.granted()

    def _value(self, formula: Formula, thing: Thing) -> Value:
        assert formula.compiled is not None and formula.noun is not None
        try:
            value = formula.compiled.run(_PickEnv(self._work, thing))
        except (Absent, Failed, Circle):
            return None
        if isinstance(value, Problem):
            noun = formula.noun
            found = value.located(noun.document, ("rules", noun.noun, noun.id, *formula.path))
            self._work.say(Diagnostic(found.code, found.message, found.span, found.hints))
            return None
        return value


class _PickEnv(SheetEnv):
    """What an advance reads: the sheet, and under `pick` the thing that was picked."""

    def __init__(self, work: SheetWork, thing: Thing) -> None:
        super().__init__(work, (((), work.entry.data),), {}, work.entry)
        self._thing = thing
        self._picked = OwnedEnv(work, Owned(thing.key, "", work.state.taken.get(thing.key, 0))) if thing.key is not None else None

    def value(self, name: str) -> Value:
        thing = self._thing
        if name == PICK:
            found = thing.amount if thing.stat is None else self._work.stat(thing.stat)
            if found is None:
                raise Absent(name)
            return found
        if name.startswith(f"{PICK}."):
            rest = name.partition(".")[2]
            if self._picked is not None:
                return self._picked.value(rest)
            if thing.stat is None:
                raise Absent(name)
            return self._work.stat(f"{thing.stat}.{rest}")
        return super().value(name)

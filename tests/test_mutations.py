"""The shipped rules, wrong by one: nearly every number and operator that is changed makes a case of the game fail, or gives a diagnostic.

`make test` tries one change in twelve; the slow tests try all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from mutating import CASES, Change, changes

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Library
from seasons_build.evaluate import evaluate, run_cases, try_cases
from seasons_build.pipeline.read import read_sources
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root

PACK = "frontiers"
OF_A_HUNDRED = 95
SAMPLED = 8
"""How many lots of a hundred `make test` tries."""

Near: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any], str], bool]
NEAR: Mapping[str, Near] = {
    "tables": lambda given, expect, name: given.get("table") == name,
    "rolls": lambda given, expect, name: "roll" in given,
    "balance": lambda given, expect, name: given.get("balance") == name,
    "rows": lambda given, expect, name: name in (expect.get("rows") or {}),
    "limits": lambda given, expect, name: name in str(expect.get("limits", "")),
    "stats": lambda given, expect, name: any(word.partition(".")[0] == name for word in expect),
    "advances": lambda given, expect, name: "record" in given,
    "kinds": lambda given, expect, name: "record" in given,
}
"""Which cases are likely to feel a change to a noun, by what they give, what they expect, and the name of the noun."""


def _lines(given: Mapping[str, Any], expect: Mapping[str, Any], name: str) -> bool:
    """Any other noun: the cases that expect lines."""
    return "lines" in expect


class Trial:
    """The rules as they are, and what comes of changes to them."""

    def __init__(self) -> None:
        shipped = Sources(MemoryTree({}), DiskTree(shipped_root()))
        self.library = read_sources(shipped, Path("/nowhere"), (PACK,)).library
        self._cases = {name: noun.data for name, noun in self.library.rules[PACK][CASES].items()}
        self._found = frozenset(_diagnostics(self.library))
        self._felt: dict[tuple[str, str], list[str]] = {}
        """What failed of late for a change to a noun: likely to fail for the next one."""

    def changes(self) -> list[Change]:
        return list(changes(self.library, PACK))

    def felt(self, change: Change) -> str:
        """The case that fails under a change, else the code of a diagnostic that appears; empty where nobody feels it."""
        changed = change.within(self.library, PACK)
        for result in run_cases(changed, PACK, self._in_order(change)):
            if result.failures:
                self._felt.setdefault((change.noun.noun, change.noun.id), []).insert(0, result.id)
                return result.id
        return next((d.code for d in _diagnostics(changed) if d not in self._found), "")

    def _in_order(self, change: Change) -> Iterator[str]:
        lately = self._felt.get((change.noun.noun, change.noun.id), [])
        near = NEAR.get(change.noun.noun, _lines)
        likely = [name for name, data in self._cases.items() if near(data["given"], _map(data["expect"]), change.noun.id)]
        slow = [name for name, data in self._cases.items() if "balance" in data["given"]]
        yield from dict.fromkeys([*lately, *likely, *(name for name in self._cases if name not in slow), *slow])


@pytest.fixture(scope="module")
def trial() -> Trial:
    return Trial()


def test_the_cases_hold(trial: Trial) -> None:
    tried = try_cases(trial.library)
    assert [case.id for case in tried.cases if case.failures] == []
    assert tried.untouched[PACK] == ()


def test_a_sample_of_changes_is_felt(trial: Trial) -> None:
    _tried(trial, [change for change in trial.changes() if change.lot < SAMPLED])


@pytest.mark.slow
def test_every_change_is_felt(trial: Trial) -> None:
    _tried(trial, trial.changes())


def _tried(trial: Trial, made: list[Change]) -> None:
    unfelt = [str(change) for change in made if not trial.felt(change)]
    assert len(unfelt) * 100 <= len(made) * (100 - OF_A_HUNDRED), f"{len(unfelt)} of {len(made)}:\n" + "\n".join(unfelt)


def _diagnostics(library: Library) -> list[Diagnostic]:
    return list(evaluate(library).diagnostics)


def _map(data: Any) -> Mapping[str, Any]:
    return data if isinstance(data, Mapping) else {}

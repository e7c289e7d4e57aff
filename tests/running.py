"""`seasons` in this process, as the shell calls it: what it answered, what it said, how it ended."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import pytest

from seasons_build.cli.main import main


class Ran(NamedTuple):
    """What a command gave."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ran]


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs commands by their words."""

    def command(*words: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["seasons", *words])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, captured.out, captured.err)

    return command

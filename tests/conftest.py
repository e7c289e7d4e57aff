"""What all tests share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from running import Run, runner


def pytest_addoption(parser: pytest.Parser) -> None:
    """One flag keeps the pictures of test_looks.py anew."""
    parser.addoption("--update-looks", action="store_true", help="keep the pictures that faces and pages are compared with anew")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`seasons` in this process."""
    return runner(monkeypatch, capsys)

"""What guided fuzzing begins with and what it has found, once more: each door takes these bytes and comes back."""

from __future__ import annotations

import pytest
from targets import TARGETS, seeds


@pytest.mark.filterwarnings("ignore:Image size:PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("target", TARGETS)
def test_what_was_found_stays_mended(target: str) -> None:
    inputs = seeds(target)
    assert inputs
    for data in inputs:
        TARGETS[target](data)

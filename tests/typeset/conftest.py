"""One typesetter for all tests of faces and documents: its start is paid once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from small_theme import Press

from seasons_build.typeset.typesetter import Typesetter


@pytest.fixture(scope="session")
def press() -> Iterator[Press]:
    with Typesetter(workers=1) as typesetter:
        assert typesetter.fault() is None
        yield Press(typesetter)

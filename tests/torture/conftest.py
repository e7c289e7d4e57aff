"""What the tests of disks and kills share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from press import Built, Press, printed
from small_project import content, make


@pytest.fixture(scope="module")
def press() -> Iterator[Press]:
    """Builds that need no start."""
    started = Press()
    yield started
    started.close()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, press: Press) -> Built:
    """A project as it was built once and then changed, with what its first and its second build give."""
    place = tmp_path_factory.mktemp("states")
    root = make(place / "p", "one", products=True)
    assert press.build(root, place / "s")[0] == 0
    old = printed(root)
    (root / "content/charms/all.yaml").write_text(content("two"), encoding="utf-8")
    after = place / "after"
    shutil.copytree(root, after)
    assert press.build(after, place / "s")[0] == 0
    return root, old, printed(after)

"""The page of each code of the loader: its bad example gives the code, its good one gives nothing.

A word behind `yaml` on the fence sets a limit or the encoding of the example: large files do not belong on a page.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.load import load

ROOT = Path(__file__).parents[2] / "seasons_build"
CODES = sorted({code for module in ROOT.glob("load/*.py") for code in re.findall(r'"([EWN]1\d\d)"', module.read_text(encoding="utf-8"))})
PAGES = [ROOT / "pages" / f"{code}.md" for code in CODES]
FENCE = re.compile(r"^```yaml ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(page: Path) -> dict[str, tuple[bytes, Limits]]:
    """The two examples of a page by their headings, as bytes and the limits they are read with."""
    found = {}
    for part in page.read_text(encoding="utf-8").split("\n## ")[1:]:
        heading, body = part.split("\n", 1)
        fence = FENCE.search(body)
        assert fence, heading
        words = dict(word.split("=") for word in fence.group(1).split())
        encoding = words.pop("encoding", "utf-8")
        assert words.keys() <= set(Limits._fields)
        limits = DEFAULT._replace(**{name: int(value) for name, value in words.items()})
        found[heading] = fence.group(2).encode(encoding), limits
    return found


@pytest.mark.parametrize("page", PAGES, ids=CODES)
@pytest.mark.parametrize("pure", [False, True], ids=["libyaml", "pure"])
def test_the_bad_example_is_bad_and_the_good_one_good(page: Path, pure: bool) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.match(rf"# {page.stem}: [a-z]", text) and not text.split("\n", 1)[0].endswith(".")
    both = examples(page)
    assert list(both) == ["Bad", "Good"]
    bad, good = (load("page.yaml", raw, limits, pure=pure).diagnostics for raw, limits in both.values())
    assert {d.code for d in bad} == {page.stem}
    assert not good

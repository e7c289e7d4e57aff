"""A kind needs a schema and nothing else to print: a pack with no template, no theme and no product comes out as cards."""

from __future__ import annotations

import shutil
from pathlib import Path

import pypdfium2
import pytest
from small_project import files, seasons

PROJECT = Path(__file__).parent / "projects" / "new-kind"
CLOCK = [
    "Relic",
    "The Clock that Runs Backwards",
    "Age in years 120",
    "Found under a bed",
    "Worth 240.5",
    "Cursed yes",
    "Owners a baker, a thief",
    "Lies beside A Mirror",
    "Wind it at dusk. Everyone in the room forgets one minute.",
    "The winder forgets two.",
    "It is always nearly noon.",
]
"""What stands on one of the cards, from top to bottom: the fields in the order of the schema, then the rules, then the flavor."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("attic")
    shutil.copytree(PROJECT, place / "p")
    code, out, err = seasons(place / "p", place / "s", "build", "--format", "pdf,png")
    names = ("cards.pdf", "cards/relic-clock.png", "cards/relic-mirror.png")
    assert (code, out.split()) == (0, [f"dist/attic/{name}" for name in names]), err
    assert "no faults" in err
    return place / "p" / "dist"


def test_the_project_has_a_schema_and_nothing_else() -> None:
    assert sorted(p.relative_to(PROJECT).as_posix() for p in PROJECT.rglob("*") if p.is_file()) == [
        "content/attic/pack.yaml",
        "content/attic/relics.yaml",
        "schemas/attic/relic.json",
    ]


def test_every_field_is_on_the_card(built: Path) -> None:
    page = pypdfium2.PdfDocument(built / "attic" / "cards.pdf")[0]
    words = " ".join(page.get_textpage().get_text_range().split())
    at = words.lower().index("relic the clock")
    for line in CLOCK:
        found = words.lower().find(line.lower(), at)
        assert found >= at, f"`{line}` is not where it belongs: {words[at:]}"
        at = found + len(line)
    assert "weighs 7 pounds" in words
    assert "Wear frame 3, glass 1" in words


def test_a_card_has_the_size_of_a_card(built: Path) -> None:
    sheet = pypdfium2.PdfDocument(built / "attic" / "cards.pdf")
    assert len(sheet) == 2, "a sheet and the backs behind it"
    width, height = sheet[0].get_size()
    assert (round(width * 25.4 / 72), round(height * 25.4 / 72)) == (210, 297)
    for name in ("clock", "mirror"):
        header = (built / "attic" / "cards" / f"relic-{name}.png").read_bytes()[:24]
        width_px, height_px = int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")
        assert abs(width_px / height_px - 63 / 88) < 0.01


def test_other_paper_and_more_copies_lie_beside_what_was_built(built: Path) -> None:
    root, before = built.parent, files(built)
    code, out, err = seasons(root, root.parent / "s", "build", "--paper", "letter", "--only", "clock=10")
    assert (code, out) == (0, "dist/attic/cards-letter~only.pdf\n"), err
    sheets = pypdfium2.PdfDocument(built / "attic" / "cards-letter~only.pdf")
    assert len(sheets) == 4
    assert [round(length * 25.4 / 72) for length in sheets[0].get_size()] == [216, 279]
    words = [" ".join(page.get_textpage().get_text_range().split()) for page in (sheets[0], sheets[2])]
    assert [text.count("The Clock that Runs Backwards") for text in words] == [9, 1]
    after = files(built)
    assert {name: after[name] for name in before if name != "manifest.json"} == {n: d for n, d in before.items() if n != "manifest.json"}

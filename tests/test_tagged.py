"""What a screen reader gets of what is meant for screens: books, references, sheets. `tagged` reads them with nothing of ours."""

from __future__ import annotations

import shutil
from collections import Counter
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from small_project import seasons
from tagged import characters_of, faults_of, signs, spoken_text

from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import read
from seasons_build.pipeline.start import Typesetter

ROOT = Path(__file__).parent.parent
PROJECT = Path(__file__).parent / "projects" / "a-book"
SCREEN = {
    "frontiers": ("statblocks", "nodes", "credits", "character-sheets", "half-statblocks", "reference", "screen", "encounters", "rulebook"),
    "seasons-pass": ("clauses", "senses", "skills", "files", "credits", "odds", "sheets", "reference", "rulebook"),
    "slow-freight": ("statblocks", "half-statblocks", "credits"),
}
"""Every product of the shipped packs that is not for cutting out."""


def seen_by_another(pdf: bytes) -> list[Counter[str]]:
    """How often pdfium finds each character on each page."""
    document = pypdfium2.PdfDocument(pdf)
    return [Counter(signs(page.get_textpage().get_text_range())) for page in document]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    place = tmp_path_factory.mktemp("lantern")
    shutil.copytree(PROJECT, place / "p")
    code, _, err = seasons(place / "p", place / "s", "build", "guide")
    assert code == 0, err
    return (place / "p/dist/lantern/guide.pdf").read_bytes()


def test_a_small_book_is_read_out_as_it_is_seen(book: bytes) -> None:
    assert faults_of(book, "§¶") == []
    assert characters_of(book) == seen_by_another(book)
    assert "At night you need a lamp" in " ".join(spoken_text(book).split())


AT = "position:absolute"


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<h1>a</h1><p>One ● two.</p>", "is not spoken"),
        ("<h1>a</h1><h3>b</h3>", "from H1 `a` to H3 `b`"),
        ("<h2>a</h2>", "the first heading is no H1"),
        (f"<h1>a</h1><div><p style='{AT};left:3cm'>b</p><p style='{AT};left:0'>c</p></div>", "`b` is read before `c`"),
        (f"<h1>a</h1><div style='position:relative;height:3cm'><p style='{AT};top:2cm'>b</p><p>c</p></div>", "`b` is read before `c`"),
        ("<h1>a</h1><h2 style='bookmark-level:none'>bc</h2>", "the outline has no `bc`"),
        ("<h1>a</h1><p style='bookmark-level:2;bookmark-label:content()'>bc</p>", "the outline has `bc` where no heading is"),
    ],
)
def test_what_is_wrong_is_found(html: str, fault: str, tmp_path: Path) -> None:
    from weasyprint import HTML

    page = f"<html lang=en><title>t</title><style>@page{{size:20cm}}</style><body>{html}"
    out = BytesIO()
    HTML(string=page).write_pdf(out, pdf_tags=True)
    told = faults_of(out.getvalue())
    assert any(fault in one for one in told), told


@pytest.mark.slow
@pytest.mark.parametrize("pack", SCREEN)
def test_all_that_is_shipped_is_read_out_as_it_is_seen(pack: str, tmp_path: Path) -> None:
    project = read(ROOT, named=(pack,))
    with Typesetter(workers=2) as typesetter:
        wanted = tuple(f"{pack}:{product}" for product in SCREEN[pack])
        assert build(project, Options(Asked((pack,), wanted), tmp_path / "out"), typesetter).stale == ()
    files = sorted((tmp_path / "out").rglob("*.pdf"))
    assert len(files) >= len(SCREEN[pack])
    icons = "".join(str(noun.data) for rules in project.library.rules.values() for noun in rules.get("icons", {}).values())
    told = {file.name: faults for file in files if (faults := faults_of(file.read_bytes(), icons))}
    assert told == {}
    for file in files:
        assert characters_of(file.read_bytes()) == seen_by_another(file.read_bytes()), file.name

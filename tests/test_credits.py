"""Whose work it is: the credits page of a pack, and what may not be sold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from game import game_files, project_of
from straw import Straw

from seasons_build.core.job import DocumentJob
from seasons_build.core.licences import may_be_sold
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.sale import faults_of_sale

MANIFEST = 'id: {pack}\ntitle: {pack}\nversion: "1.5"\n{more}\n'
MORE = "requires: {suite: ''}\nlicence: CC-BY-NC-4.0\nauthors: [Ann, Bob]\ncredits: [After a tale by Cid.]"


def project(more: str = MORE, art: str = "{file: a.png, credit: Dan}", own: str = "") -> Any:
    return project_of(
        {
            **game_files(),
            "content/suite/p.yaml": "product:\n  thanks: {title: Thanks, layout: pages, show: credits}\n",
            "content/more/pack.yaml": MANIFEST.format(pack="more", more=more),
            "content/more/a.yaml": f"blade:\n  pike: {{name: Pike, family: steel, art: {art}}}\n{own}",
            "content/more/art/a.png": b"x",
        }
    )


def test_a_pack_that_builds_on_a_game_has_a_credits_page_of_its_own(tmp_path: Path) -> None:
    seen: list[DocumentJob] = []

    class Listening(Straw):
        def run(self, jobs: Any) -> Any:
            listed = list(jobs)
            seen.extend(job for job in listed if isinstance(job, DocumentJob))
            return super().run(listed)

    built = build(project(), Options(Asked(("more",), ("thanks",)), tmp_path / "dist"), Listening())
    assert not built.diagnostics
    assert [Path(name).as_posix() for name in built.published.written] == ["more/thanks.pdf"]
    ((_, context),) = seen[0].parts
    more, suite = context["credits"]["packs"]
    assert more == {
        "id": "more",
        "title": "more",
        "version": "1.5",
        "licence": "CC-BY-NC-4.0",
        "authors": ["Ann", "Bob"],
        "credits": ["After a tale by Cid."],
    }
    assert suite["licence"] == "Apache-2.0"
    assert context["credits"]["art"] == [{"name": "Pike", "credit": "Dan", "licence": "CC-BY-NC-4.0"}]
    assert "Open Font License" in context["credits"]["type"][0]


@pytest.mark.parametrize(
    ("more", "art", "codes"),
    [
        ("licence: MIT", "{file: a.png}", []),
        (MORE, "{file: a.png}", ["E330"]),
        ("licence: MIT", "{file: a.png, licence: CC-BY-NC-SA-4.0}", ["E330"]),
        ("licence: MIT", "{placeholder: a pike}", ["E331"]),
        ("notes: none", "{file: a.png}", ["W330"]),
        ("licence: LicenseRef-ours", "{file: a.png}", []),
    ],
)
def test_what_may_not_be_sold(more: str, art: str, codes: list[str]) -> None:
    text = more if "requires" in more else f"requires: {{suite: ''}}\n{more}"
    assert [d.code for d in faults_of_sale(project(text, art), ("more",))] == codes


def test_a_pack_may_not_be_sold_with_one_that_may_not() -> None:
    found = project_of(
        {
            **{n: t for n, t in game_files().items() if not n.endswith("pack.yaml")},
            "content/suite/pack.yaml": MANIFEST.format(pack="suite", more="licence: CC-BY-NC-4.0"),
            "content/more/pack.yaml": MANIFEST.format(pack="more", more="requires: {suite: ''}\nlicence: MIT"),
        }
    )
    assert [(d.code, str(d.span)) for d in faults_of_sale(found, ("more",))] == [("E330", "content/suite/pack.yaml:4:10")]


def test_a_licence_of_somebody_else_that_says_nothing_is_told() -> None:
    assert may_be_sold("ask me") == "unknown"
    assert may_be_sold("cc-by-sa-4.0") == "yes"
    assert may_be_sold("CC-BY-NC-ND-4.0") == "no"

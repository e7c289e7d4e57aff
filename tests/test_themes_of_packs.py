"""A pack's theme for somebody else's game: it takes what it does not bring from the theme that it extends, and its own colours hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from game import game_files, project_of
from straw import Straw

from seasons_build.core.job import FaceJob, Job, Theme
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import Project

PAGE = Path(__file__).parent.parent / "seasons_build" / "pages" / "W780.md"
GAME = {
    **game_files(),
    "templates/suite/theme.yaml": "id: suite\ntitle: Suite\nextends: base\nstylesheets: {cards: [base/base.css, suite/tokens.css]}\n",
    "templates/suite/tokens.css": ":root{--hue:#223344}\n",
    "templates/suite/cards/coat.html.j2": "<p>{{ entry.name }}</p>",
}
NIGHT = {
    "content/night/pack.yaml": 'id: night\ntitle: Night\nversion: "1"\nformat: 1\nrequires: {suite: ">=0"}\n',
    "content/night/all.yaml": "coat: {shawl: {name: Shawl}}\nblade: {pin: {name: Pin, family: suite:steel}}\n",
    "templates/night/theme.yaml": """
id: night
title: Night
extends: suite
stylesheets: {cards: [base/base.css, suite/tokens.css, night/tokens.css]}
""",
    "templates/night/tokens.css": ":root{--hue:#332244}\n",
}


class Asking(Straw):
    """Keeps the jobs."""

    def __init__(self) -> None:
        super().__init__()
        self.jobs: list[Job] = []
        self.images: dict[str, bytes] = {}

    def open(self, theme: Theme) -> None:
        self.images |= theme.images

    def run(self, jobs: Any) -> Any:
        self.jobs += (kept := list(jobs))
        yield from super().run(kept)


def faces(project: Project, out: Path) -> tuple[dict[str, FaceJob], list[str]]:
    press = Asking()
    made = build(project, Options(Asked(("night",)), out), press)
    found = [*project.diagnostics, *made.diagnostics]
    return {job.title: job for job in press.jobs if isinstance(job, FaceJob)}, [d.code for d in found if d.severity != "note"]


def test_a_theme_takes_templates_from_the_one_that_it_extends_and_style_sheets_of_its_own(tmp_path: Path) -> None:
    jobs, codes = faces(project_of({**GAME, **NIGHT}), tmp_path / "out")
    assert codes == []
    assert (jobs["Shawl"].theme, jobs["Shawl"].template) == ("night", "suite/cards/coat.html.j2")
    assert jobs["Shawl"].stylesheets == ("base/base.css", "suite/tokens.css", "night/tokens.css")


def test_a_theme_has_pictures_and_drawings(tmp_path: Path) -> None:
    pictures = {f"templates/suite/images/{name}": name.encode() for name in ("a.png", "b.jpg", "c.svg")}
    press = Asking()
    build(project_of({**GAME, **NIGHT, **pictures}), Options(Asked(("night",)), tmp_path / "out"), press)
    assert press.images == {"a.png": b"a.png", "b.jpg": b"b.jpg", "c.svg": b"c.svg"}


def test_a_style_sheet_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    long = {"templates/suite/tokens.css": "/*" * 200_000, "templates/suite/cards/coat.html.j2": "{#" * 1_100_000}
    press = Asking()
    made = build(project_of({**GAME, **NIGHT, **long}), Options(Asked(("night",)), tmp_path / "out"), press)
    told = [(d.code, d.span.file, d.message) for d in made.diagnostics if d.span and d.code == "E102"]
    assert sorted(told) == [
        ("E102", "templates/suite/cards/coat.html.j2", "the file has 2200000 bytes; at most 2097152 are read"),
        ("E102", "templates/suite/tokens.css", "the file has 400000 bytes; at most 262144 are read"),
    ]


def test_what_no_theme_of_the_chain_draws_is_plain(tmp_path: Path) -> None:
    jobs, _ = faces(project_of({**GAME, **NIGHT}), tmp_path / "out")
    assert jobs["Pin"].template == "base/cards/default.html.j2"
    assert jobs["Pin"].stylesheets == ("base/base.css", "base/cards.css")


def test_templates_without_a_theme_are_told_of(tmp_path: Path) -> None:
    bare = {name: text for name, text in NIGHT.items() if not name.endswith("theme.yaml")}
    jobs, codes = faces(project_of({**GAME, **bare}), tmp_path / "out")
    assert codes == ["W780"]
    assert jobs["Shawl"].theme == "suite"


def test_the_page_of_the_code(tmp_path: Path) -> None:
    for part in PAGE.read_text("utf-8").split("\n## ")[1:]:
        fence = re.search(r"^```yaml ([^\n]*)\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
        assert fence is not None
        name = "templates/suite/theme.yaml" if fence[1] == "theme" else fence[1]
        files = {**game_files(), name: fence[2], **{k: v for k, v in NIGHT.items() if k.startswith("content/")}}
        _, codes = faces(project_of(files), tmp_path / part[:3])
        assert ("W780" in codes) == part.startswith("Bad")

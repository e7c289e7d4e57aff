"""Pictures that entries name from other packs, and what stands in place of one that is still to come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from game import game_files, project_of
from straw import Straw

from seasons_build.core.job import FaceJob, Theme
from seasons_build.pipeline.build import Asked, Options, build

GAME = """blade:
  spear: {name: Spear, family: steel, art: {file: spear.png, focus: [30, 70]}}
  club: {name: Club, family: steel}
  bow: {name: Bow, family: steel, art: {placeholder: A bow in the rain.}}
"""
MORE = {
    "content/more/pack.yaml": 'id: more\ntitle: More\nversion: "1"\nrequires: {suite: ""}\n',
    "content/more/a.yaml": "blade:\n  pike: {name: Pike, like: spear}\npatch:\n  blade/club: {set: {art: {file: art/club.png}}}\n",
    "content/more/art/club.png": b"a club",
}


class Listening(Straw):
    """A press that remembers what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.art: dict[str, Any] = {}
        self.images: dict[str, bytes] = {}

    def open(self, theme: Theme) -> None:
        self.images |= theme.images

    def run(self, jobs: Any) -> Any:
        for job in (listed := list(jobs)):
            if isinstance(job, FaceJob) and "entry" in job.context:
                self.art[job.context["entry"]["id"]] = job.context["entry"].get("art")
        return super().run(listed)


def test_a_picture_that_is_not_there_is_told_before_anything_is_printed(tmp_path: Path) -> None:
    project = project_of({**game_files(), "content/suite/a.yaml": GAME, "content/suite/art/spaer.png": b"a spear", **MORE})
    told = [(d.code, str(d.span), d.hints) for d in project.diagnostics]
    assert told == [("E728", "content/suite/a.yaml:2:51", ("did you mean `spaer.png`?",))]
    built = build(project, Options(Asked(("suite",)), tmp_path / "dist"), Listening())
    assert not [d for d in built.diagnostics if d.severity == "error"]
    assert built.stale


def test_a_picture_is_sought_in_the_pack_that_named_it(tmp_path: Path) -> None:
    project = project_of({**game_files(), "content/suite/a.yaml": GAME, "content/suite/art/spear.png": b"a spear", **MORE})
    press = Listening()
    found = build(project, Options(Asked(("suite", "more")), tmp_path / "dist"), press).diagnostics
    assert not [d for d in found if d.severity != "note"]
    shown = {name: press.images[art["src"].removeprefix("images/")] for name, art in press.art.items() if art and art["src"]}
    assert shown == {"spear": b"a spear", "club": b"a club", "pike": b"a spear"}
    assert press.art["pike"]["focus"] == "30% 70%"


def test_what_is_still_to_come_is_said_in_its_place(tmp_path: Path) -> None:
    project = project_of({**game_files(), "content/suite/a.yaml": GAME, "content/suite/art/spear.png": b"a spear"})
    press = Listening()
    found = build(project, Options(Asked(("suite",)), tmp_path / "dist"), press).diagnostics
    assert not found
    assert press.art["bow"]["placeholder"] == "A bow in the rain."
    assert press.art["bow"]["src"] == ""
    assert press.art["spear"]["placeholder"] == ""


def test_what_is_still_to_come_waits_for_a_face_that_has_a_place(tmp_path: Path) -> None:
    theme = "id: suite\ntitle: Suite\nextends: base\n"
    face = {"templates/suite/theme.yaml": theme, "templates/suite/cards/blade.html.j2": "<h1>{{ entry.name }}</h1>"}
    files = {**game_files(), **face, "content/suite/a.yaml": GAME, "content/suite/art/spear.png": b"a spear"}
    found = build(project_of(files), Options(Asked(("suite",)), tmp_path / "dist"), Listening()).diagnostics
    assert [d.message for d in found if d.code == "N727"] == ["the theme has no place for the picture of `spear`: none is printed"]

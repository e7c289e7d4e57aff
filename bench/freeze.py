"""Freezes what the other tools print: the faces of the shipped game as its templates give them, for bench/peers.

`python bench/freeze.py` writes `faces.html`, one face a line, and `card.css`, the style sheets in their order. It is run again only where
the templates have changed so much that the cards are no longer the same ones; figures before and after are then not to be compared.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Generator, Iterable
from pathlib import Path

from content import PRODUCTS, ROOT
from seasons_build.core.job import FaceJob, Job, Step, Theme, Typeset
from seasons_build.core.limits import DEFAULT
from seasons_build.pipeline import build as stages
from seasons_build.pipeline.read import read
from seasons_build.typeset.typesetter import Typesetter
from seasons_build.worker.render import Renderer, markup_hook

PEERS = ROOT / "bench" / "peers"
NEWLINE = "\n"


class Listening(Typesetter):
    """Typesets, and keeps what it was asked for and what came of it."""

    def __init__(self) -> None:
        super().__init__()
        self.themes: dict[str, Theme] = {}
        self.done: list[tuple[FaceJob, Typeset]] = []

    def open(self, theme: Theme) -> None:
        """As always; the theme is kept."""
        self.themes[theme.id] = theme
        super().open(theme)

    def run(self, jobs: Iterable[Job]) -> Generator[Typeset, None, None]:
        """As always; jobs and results are kept."""
        asked = list(jobs)
        for job, result in zip(asked, super().run(asked), strict=True):
            if isinstance(job, FaceJob):
                self.done.append((job, result))
            yield result


def face(job: FaceJob, step: Step, renderer: Renderer) -> str:
    """The HTML of a face at its step of the fit ladder, on one line."""
    context = json.loads(json.dumps(dict(job.context)), object_hook=markup_hook)
    body = renderer.render(job.template, {**context, "fit": {"class": step.class_name, "drop": list(step.drop)}})
    return f'<section class="face {step.class_name}">{" ".join(body.split(NEWLINE))}</section>'


def main() -> int:
    """Builds the cards once and writes their HTML; 1 where a face could not be made."""
    project = read(ROOT, named=("frontiers",))
    typesetter = Listening()
    with tempfile.TemporaryDirectory() as folder, typesetter:
        options = stages.Options(stages.Asked(("frontiers",), PRODUCTS), Path(folder) / "out")
        built = stages.build(project, options, typesetter)
    if built.stale or not typesetter.done:
        print("some faces could not be made; nothing is written", file=sys.stderr)
        return 1
    lines, names = [], dict[str, None]()
    renderers = {name: Renderer(theme.templates, theme.icons, DEFAULT) for name, theme in typesetter.themes.items()}
    for job, result in typesetter.done:
        names.update(dict.fromkeys(job.stylesheets))
        lines.append(face(job, result.fitted, renderers[job.theme]) + NEWLINE)
    theme = typesetter.themes["frontiers"]
    PEERS.mkdir(exist_ok=True)
    (PEERS / "faces.html").write_text("".join(lines), encoding="utf-8")
    (PEERS / "card.css").write_text("".join(theme.stylesheets[name] for name in names), encoding="utf-8")
    print(f"{len(lines)} faces")
    return 0


if __name__ == "__main__":
    sys.exit(main())

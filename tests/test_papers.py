"""Sheets and papers: what their templates are handed, where what is wrong on them is told, and those of the shipped game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from game import project_of
from jinja2 import Environment, nodes
from straw import Straw

from seasons_build.core.finding import Finding
from seasons_build.core.job import DocumentJob, Job, Typeset
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import Project, read

ROOT = Path(__file__).parent.parent
FORMS = sorted((ROOT / "templates" / "frontiers" / "forms").glob("*.j2"))
SCHEMA = {
    "title": "Folk",
    "description": "Somebody.",
    "allOf": [{"$ref": "core/entry"}],
    "properties": {
        "wears": {
            "type": "object",
            "title": "Wears",
            "description": "What it wears, and how much of it.",
            "x-keys": {"ref": "coat"},
            "additionalProperties": {"type": "integer", "title": "Count", "description": "How many."},
        }
    },
}
COAT = {"title": "Coat", "description": "A coat.", "x-print": False, "allOf": [{"$ref": "core/entry"}], "properties": {}}
RULES = """
rules:
  kinds: {folk: {sheet: true, owns: {wears: worn}}, page: {sheet: folk}}
  states: {worn: worn}
  stats: {warmth: {base: 2, say: ":sun: Warmth", icon: sun, short: Warmth}, toll: 3}
  icons: {sun: "☼"}
  rows:
    months: {for: page, each: [1, 2], as: warmth, give: {warmth: warmth}, say: {cold: "−{toll * warmth} **cold**, :sun:"}}
"""
CONTENT = """
page: {winter: {name: Winter, rules: "A naked one has {warmth}."}}
coat: {rug: {name: Rug, effects: {add: {warmth: 4}}}}
folk:
  ann: {name: Ann, wears: {rug: 2}}
  bob: {name: Bob}
product:
  sheets: {layout: form, each: folk, blank: true, beside: [page/winter]}
"""
THEME = "id: town\ntitle: Town\nextends: base\n"


class Asking(Straw):
    """Keeps the jobs, and says what it is told to of some of them."""

    def __init__(self, told: Mapping[str, Finding] = {}) -> None:  # the default is never written to
        super().__init__()
        self.jobs: list[Job] = []
        self.told = told

    def run(self, jobs: Any) -> Any:
        for job, answer in zip(kept := list(jobs), super().run(kept), strict=True):
            self.jobs.append(job)
            finding = self.told.get(job.key)
            yield Typeset(job.key, answer.face, answer.pdf, 1, (finding,)) if finding else answer


def town(content: str = CONTENT) -> Project:
    return project_of(
        {
            "content/town/pack.yaml": 'id: town\ntitle: Town\nversion: "1"\n',
            "content/town/rules.yaml": RULES,
            "content/town/all.yaml": content,
            "schemas/town/folk.json": json.dumps(SCHEMA),
            "schemas/town/coat.json": json.dumps(COAT),
            "schemas/town/page.json": json.dumps({**COAT, "title": "Page"}),
            "templates/town/theme.yaml": THEME,
            "templates/town/forms/folk.html.j2": "<p>{{ entry.name }}</p>",
        }
    )


def contexts(press: Asking) -> dict[str, Any]:
    return {job.key: job.parts[0][1] for job in press.jobs if isinstance(job, DocumentJob)}


def built(project: Project, out: Path, press: Asking, *products: str) -> tuple[Any, dict[str, Any]]:
    done = build(project, Options(Asked(("town",), products), out), press)
    return done, contexts(press)


def test_a_sheet_reads_its_numbers_its_things_and_what_stands_beside_it(tmp_path: Path) -> None:
    done, found = built(town(), tmp_path / "out", Asking())
    assert not done.diagnostics
    assert sorted(found) == ["sheets:form:ann", "sheets:form:blank", "sheets:form:bob"]
    ann, bob, blank = (found[f"sheets:form:{of}"] for of in ("ann", "bob", "blank"))
    assert (ann["stats"]["warmth"], bob["stats"]["warmth"], blank["stats"]["warmth"]) == (6, 2, "")
    assert [(t["id"], t["taken"], t["state"], t["entry"]["name"]) for t in ann["things"]] == [("rug", 2, "worn", "Rug")]
    assert (bob["things"], blank["things"], blank["blank"], ann["blank"]) == ([], [], True, False)
    assert [(step["move"], step["amount"], step["total"], step["name"]) for step in ann["sums"]["warmth"]] == [
        ("base", 2, 2, ""),
        ("add", 4, 6, "Rug"),
    ]
    for one in (ann, bob, blank):
        winter = one["beside"]["winter"]
        assert winter["entry"]["rules"] == {"$html": "<p>A naked one has 2.</p>"}
        assert [row["warmth"] for row in winter["rows"]["months"]] == [1, 2]
        assert winter["rows"]["months"][1]["cold"] == {"$html": "−6 <strong>cold</strong>, ☼"}


def test_what_is_wrong_on_a_sheet_is_told_at_its_entry(tmp_path: Path) -> None:
    project = town()
    done, _ = built(project, tmp_path / "out", Asking({"sheets:form:bob": Finding("E602", field="name", detail="1")}))
    assert [(d.code, d.span.line if d.span else None) for d in done.diagnostics] == [("E602", 6)]
    assert done.stale == ("town:sheets/bob",)


def test_a_sheet_waits_for_what_stands_beside_it(tmp_path: Path) -> None:
    done, found = built(town(CONTENT.replace("{warmth}", "{warmht}")), tmp_path / "out", Asking())
    assert found == {}
    assert sorted(done.stale) == ["town:sheets/ann", "town:sheets/bob"]


# The shipped game


@cache
def game() -> Project:
    return read(ROOT)


def characters() -> Iterator[str]:
    yield from (id for _, kind, id in game().library.entries if kind == "character" and (("frontiers", kind, id) in game().library.entries))


def test_the_papers_of_the_game_are_without_fault() -> None:
    found = [d for d in game().diagnostics if d.severity != "note" and d.span and "frontiers" in d.span.file]
    assert found == []


def test_there_is_a_character_for_each_protocol_and_two_have_grown() -> None:
    library, sheets = game().library, game().sheets
    first: dict[str, list[str]] = {}
    levels: dict[int, int] = {}
    for id in characters():
        sheet = sheets["frontiers", "character", id]
        level = int(sheet.stats["level"])
        levels[level] = levels.get(level, 0) + 1
        for line in sheet.record:
            if level == 1 and line.advance == "step" and ("frontiers", "protocol", line.picks[0]) in library.entries:
                first.setdefault(line.picks[0], []).append(id)
    assert sorted(first) == sorted(id for pack, kind, id in library.entries if (pack, kind) == ("frontiers", "protocol"))
    assert levels == {1: 6, 3: 2, 5: 2}


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_no_figure_stands_in_the_words_of_a_form(path: Path) -> None:
    tree = Environment(autoescape=True).parse(path.read_text("utf-8"))
    words = "".join(node.data for node in tree.find_all(nodes.TemplateData))
    assert re.findall(r"\d[^<>]*", re.sub(r"<[^>]*>|&nbsp;|[\w-]*=\"[^\"]*|\b[a-z]+-\d", " ", words)) == []


ENCOUNTER = "encounter:\n  brawl: {name: Brawl, level: 1, party: 3, fight: real-fight, foes: {%s}}\n"


@pytest.mark.parametrize(
    ("foes", "said"),
    [
        ("boarder: 3, dock-tough: 2", []),
        ("boarder: 2, dock-tough: 2", ["asks for 3 Average, and 2 are there"]),
        ("boarder: 3, dock-tough: 5", ["asks for 2 to 4 Rabble, and 5 are there"]),
        ("boarder: 3, dock-tough: 2, breacher: 1", ["asks for 0 Elite, and 1 are there"]),
        ("boarder: 3, dock-tough: 2, the-quartermaster: 1", ["asks for 0 Boss, and 1 are there"]),
    ],
)
def test_an_encounter_has_the_shape_that_it_says(foes: str, said: list[str]) -> None:
    pack = 'id: brawls\ntitle: Brawls\nversion: "1"\nformat: 1\nrequires: {frontiers: ">=1"}\n'
    found = project_of({"content/brawls/pack.yaml": pack, "content/brawls/all.yaml": ENCOUNTER % foes})
    told = [d for d in found.diagnostics if d.code != "N501"]
    assert [d.code for d in told] == ["E510"] * len(said)
    for diagnostic, words in zip(told, said, strict=True):
        assert words in diagnostic.message
        assert diagnostic.span is not None
        assert diagnostic.span.line == 2
        assert diagnostic.hints == ("change the number of foes, or the shape under `fight`",)


def test_a_link_is_proved_by_the_name_that_it_prints(tmp_path: Path) -> None:
    content = CONTENT.replace("coat: {rug: {name: Rug", "coat: {rug: {name: Rug, flavor: 'Worn by [[folk/bob]].'")
    more = "beside: [page/winter]}\n  all: {layout: pages, select: {kind: coat}}"
    press = Asking()
    build(town(content.replace("beside: [page/winter]}", more)), Options(Asked(("town",), ("all",)), tmp_path / "out"), press)
    (job,) = press.jobs
    assert ("coat/rug.flavor", "Worn by Bob.") in job.texts
    assert 'class="entry-link" href="#folk/bob"' in str(job.parts if isinstance(job, DocumentJob) else "")

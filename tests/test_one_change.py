"""One value of one weapon changes: its card, whoever holds it, and nothing else; and the text follows."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from seasons_build.core.entry import Key
from seasons_build.core.job import DocumentJob, FaceJob, Job, Theme, Typeset, theme_digest
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import Project, read_sources
from seasons_build.pipeline.start import Typesetter
from seasons_build.sources import DiskTree, MemoryTree, Sources, shipped_root

PACK = "frontiers"
FILE = f"content/{PACK}/gear/weapons.yaml"
WEAPON: Key = (PACK, "weapon", "service-rifle")
FORM = ":form:"
HEAD, WAS, NOW = "  service-rifle:\n", "damage: 1d6}", "damage: 1d8}"


class Reader(Typesetter):
    """Keeps the jobs that a build has, and makes nothing of them."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self.themes: dict[str, str] = {}

    def open(self, theme: Theme) -> None:
        """Takes a theme."""
        self.themes[theme.id] = theme_digest(theme)

    def run(self, jobs: Iterable[Job]) -> Generator[Typeset, None, None]:
        """Nothing for each job."""
        for job in jobs:
            self.jobs[job.key] = job
            yield Typeset(job.key)


@dataclass(frozen=True, slots=True)
class Made:
    """A project, and what a build of it asks the typesetter for."""

    project: Project
    jobs: Mapping[str, Job]
    digests: Mapping[str, str]


def made(out: Path, files: Mapping[str, bytes]) -> Made:
    project = read_sources(Sources(MemoryTree(files), DiskTree(shipped_root())), Path("/nowhere"), (PACK,))
    reader = Reader()
    build(project, Options(Asked((PACK,)), out), reader)
    return Made(project, reader.jobs, {key: f"{job.digest} {reader.themes[job.theme]}" for key, job in reader.jobs.items()})


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Made, Made]:
    """The shipped game, and one in which the rifle's first action has another die."""
    tree = DiskTree(shipped_root())
    files = {name: tree.read(name) for name in tree.names() if f"/{PACK}/" in name}
    before, head, after = files[FILE].decode().partition(HEAD)
    assert head and WAS in after
    changed = {**files, FILE: (before + head + after.replace(WAS, NOW, 1)).encode()}
    out = tmp_path_factory.mktemp("dist")
    return made(out / "was", files), made(out / "now", changed)


@pytest.fixture(scope="module")
def holders(both: tuple[Made, Made]) -> frozenset[Key]:
    """Whoever has the weapon, and what has them, however far up; and the weapon itself."""
    sheets = both[0].project.sheets
    found = {WEAPON}
    while True:
        more = {key for key, sheet in sheets.items() if any(owned.key in found for owned in sheet.owned)} - found
        if not more:
            return frozenset(found)
        found |= more


def _changed(both: tuple[Made, Made]) -> frozenset[str]:
    was, now = both
    assert was.jobs.keys() == now.jobs.keys()
    return frozenset(key for key, digest in was.digests.items() if now.digests[key] != digest)


def test_the_holders(holders: frozenset[Key]) -> None:
    assert {(PACK, "adversary", "boarder"), (PACK, "character", "marit-oyelaran")} < holders


def test_faces_of_the_weapon_and_of_its_holders_change_and_no_others(both: tuple[Made, Made], holders: frozenset[Key]) -> None:
    faces = {key for key, job in both[0].jobs.items() if isinstance(job, FaceJob)}
    names = {f"{pack}:{kind}/{name}" for pack, kind, name in holders}
    mine = {key for key in faces if any(key.endswith(f":{name}") for name in names)}
    assert mine
    assert {key for key in _changed(both) if key in faces} == mine


def test_forms_of_a_holder_and_documents_in_which_one_stands_change_and_no_others(both: tuple[Made, Made], holders: frozenset[Key]) -> None:
    documents = {key: job for key, job in both[0].jobs.items() if isinstance(job, DocumentJob)}
    names = {name for _, _, name in holders}
    changed = {key for key in _changed(both) if key in documents}
    forms = {key for key in documents if FORM in key}
    assert changed & forms == {key for key in forms if key.rpartition(FORM)[2] in names}
    assert "statblocks:pages" in changed
    for key in changed - forms:
        assert names & _ids([context for _, context in documents[key].parts]), f"{key} changes, and nothing in it holds the weapon"


def test_the_text_follows(both: tuple[Made, Made]) -> None:
    was, now = both
    for key in _changed(both):
        assert "1d8" in _said(now.jobs[key]), key
        assert was.jobs[key].texts == now.jobs[key].texts or "1d8" in json.dumps(now.jobs[key].texts), key


def _said(job: Job) -> str:
    return json.dumps([dict(job.context)] if isinstance(job, FaceJob) else [context for _, context in job.parts], ensure_ascii=False)


def _ids(data: object) -> set[str]:
    """Every id that stands in what a template is handed."""
    if isinstance(data, Mapping):
        own = {data["id"]} if isinstance(data.get("id"), str) else set()
        return own.union(*(_ids(value) for value in data.values()))
    return set().union(*(_ids(item) for item in data)) if isinstance(data, list | tuple) else set()

"""Every id of a game renamed to nonsense: the same numbers, pages and text, but for ids that are printed."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from renaming import Renamer, parsed, renamer, same

from seasons_build.core.job import FaceJob, Job, PartJob, Theme, Typeset
from seasons_build.language.phrases import Lines
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import Project, read_sources
from seasons_build.pipeline.start import Typesetter
from seasons_build.sources import AREAS, DiskTree, MemoryTree, Sources, shipped_root

HERE = Path(__file__).parent
PLACES = {
    **{path.name: HERE.parent for path in sorted((HERE.parent / "content").iterdir()) if (path / "pack.yaml").is_file()},
    "lamplight": HERE / "projects" / "third-game",
}
"""Each pack, and the project that it lies in."""


@dataclass(frozen=True)
class Twins:
    """A pack with what it requires, as written and renamed."""

    old: Project
    new: Project
    names: Renamer

    def word(self, text: str) -> str:
        """What a word of a page became: an id, a column of a budget, an anchor, an icon, a label that is made of an id for want of a better
        one."""
        if "[[" in text:
            return self.names.chapter(text)
        if text.startswith("<") or "#" in text:
            return re.sub(r"(#|id=\"|data-page=\")([a-z0-9-]+/[a-z0-9-]+)", lambda found: found[1] + self.names.names(found[2]), text)
        if section := re.fullmatch(r"([a-z-]+/[a-z0-9-]+)(/[\w-]+)", text):
            return self.names.names(section[1]) + section[2]
        bare = text.lower().replace(" ", "_")
        if bare != text and self.names.id(bare) != bare:
            return self.names.id(bare).capitalize()
        budget = re.fullmatch(r"(stage_)?([a-z_]+)_(paid|given|left)", text)
        if budget and self.names.id(text) == text:
            return f"{budget[1] or ''}{self.names.id(budget[2])}_{budget[3]}"
        return self.names.prose(text) if ":" in text and " " in text else self.names.names(text)

    def matches(self, old: str, new: str) -> bool:
        """Whether a text is the same but for names. A default page spells maps: a name, a blank, a value, and commas between them."""
        return new in (old, self.word(old), ", ".join(self._spelled(part) for part in old.split(", ")))

    def _spelled(self, part: str) -> str:
        words = part.split(" ")
        for length in range(len(words), 0, -1):
            name = "_".join(words[:length])
            if self.names.id(name) != name:
                return " ".join([self.names.id(name), *words[length:]])
        return part


@cache
def twins(pack: str) -> Twins:
    files = files_of(pack)
    names = renamer(files)
    return Twins(project(files), project(names.files(files)), names)


def files_of(pack: str) -> dict[str, bytes]:
    """The files of a pack and of those that it requires."""
    tree = DiskTree(PLACES[pack], AREAS)
    wanted = [pack]
    for one in wanted:
        wanted += parsed(tree.read(f"content/{one}/pack.yaml")).get("requires", {})
    return {name: tree.read(name) for name in tree.names() if name.split("/")[1] in wanted}


def project(files: Mapping[str, bytes]) -> Project:
    return read_sources(Sources(MemoryTree(files), DiskTree(shipped_root())), Path("/nowhere"))


@pytest.mark.parametrize("pack", PLACES)
def test_the_same_is_told_of_it(pack: str) -> None:
    found = twins(pack)
    told = "\n".join(f"{d.code} {d.message} {d.span}" for d in found.new.diagnostics)
    assert [d.code for d in found.old.diagnostics] == [d.code for d in found.new.diagnostics], told


@pytest.mark.parametrize("pack", PLACES)
def test_little_keeps_its_name(pack: str) -> None:
    names = twins(pack).names
    assert names.id(pack) != pack
    assert len(names.new) > 100


@pytest.mark.parametrize("pack", PLACES)
def test_the_numbers_are_the_same(pack: str) -> None:
    found = twins(pack)
    id = found.names.names
    assert [tuple(map(id, key)) for key in found.old.sheets] == list(found.new.sheets)
    faults = []
    for key, sheet in found.old.sheets.items():
        other = found.new.sheets[id(key[0]), id(key[1]), id(key[2])]
        for part in ("stats", "rows", "left"):
            faults += [f"{key} {part} {fault}" for fault in same(getattr(sheet, part), getattr(other, part), found.word, found.matches)]
        faults += [f"{key} {fault}" for fault in same(list(sheet.texts.values()), list(other.texts.values()), str, found.matches)]
    assert not faults


@pytest.mark.parametrize("pack", PLACES)
def test_the_lines_are_the_same(pack: str) -> None:
    found = twins(pack)
    assert len(found.old.lines) == len(found.new.lines)
    for (key, lines), other in zip(found.old.lines.items(), found.new.lines.values(), strict=True):
        assert [found.names.prose(text) for text in texts_of(lines)] == texts_of(other), key


def texts_of(lines: Lines) -> list[str]:
    parts = [part.line for part in (*lines.options, *lines.steps, *lines.actions)]
    return [*lines.strip, lines.trigger, *lines.opening, *lines.lines, *parts, *lines.closing]


class Listener(Typesetter):
    """Takes down the jobs that a build asks for, and sets none of them."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def open(self, theme: Theme) -> None:
        pass

    def run(self, jobs: Iterable[Job]) -> Generator[Typeset]:
        self.jobs += jobs
        yield from (Typeset(job.key) for job in self.jobs)


def jobs(project: Project, out: Path) -> list[Job]:
    listener = Listener()
    build(project, Options(Asked(tuple(project.library.packs)), out), listener)
    return listener.jobs


def contexts(job: Job) -> Iterator[tuple[str, Any]]:
    """The templates of a job, each with what it is handed."""
    job = job.document if isinstance(job, PartJob) else job
    if isinstance(job, FaceJob):
        yield job.template, job.context
        return
    yield job.frame or "", job.frame_context
    yield from job.parts


def texts_asked(job: Job) -> list[str]:
    """The texts that must be on the pages of a job."""
    return [text for _, text in (job.document if isinstance(job, PartJob) else job).texts]


@pytest.mark.parametrize("pack", PLACES)
def test_templates_are_handed_the_same(pack: str, tmp_path: Path) -> None:
    found = twins(pack)
    old, new = jobs(found.old, tmp_path / "old"), jobs(found.new, tmp_path / "new")
    assert old and len(old) == len(new)
    faults = []
    for job, other in zip(old, new, strict=True):
        texts, renamed_texts = texts_asked(job), texts_asked(other)
        faults += [f"{job.key}: {fault}" for fault in same(texts, renamed_texts, str, found.matches)]
        for (template, context), (renamed, handed) in zip(contexts(job), contexts(other), strict=True):
            assert not template or found.names.path(f"templates/{template}") == f"templates/{renamed}"
            faults += [f"{job.key} {fault}" for fault in same(context, handed, found.word, found.matches)]
        if isinstance(job, FaceJob) and isinstance(other, FaceJob):
            faults += [job.key] if (job.fit, job.steps) != (other.fit, other.steps) else []
    assert not faults, "\n".join(faults)


@pytest.mark.slow
@pytest.mark.parametrize("pack", PLACES)
def test_the_pages_are_the_same(pack: str, tmp_path: Path) -> None:
    """Of each layout the product with the fewest entries, with the words of its pages in order."""
    found = twins(pack)
    wanted = smallest(found.old, pack)
    with Typesetter(workers=1) as typesetter:
        old = printed(found.old, typesetter, tmp_path / "old", wanted)
        new = printed(found.new, typesetter, tmp_path / "new", [found.names.names(name) for name in wanted])
    assert list(old)
    assert [found.names.names(name) for name in old] == list(new)
    for name, other in zip(old, new, strict=True):
        assert len(old[name]) == len(new[other]), name
        for page, renamed in zip(old[name], new[other], strict=True):
            differ = [(a, b) for a, b in zip(page.split(), renamed.split(), strict=True) if not found.matches(a, b)]
            assert not differ, name


def smallest(project: Project, pack: str) -> list[str]:
    """The names of products, one of each layout."""
    products = project.library.by_kind[pack, "product"]
    found: dict[str, tuple[int, str]] = {}
    for product in products:
        kinds = product.data.get("select", {}).get("kind", [])
        size = sum(len(project.library.of_kind(pack, kind)) for kind in (kinds if isinstance(kinds, list) else [kinds]))
        if size:
            found[product.data["layout"]] = min(found.get(product.data["layout"], (size, product.id)), (size, product.id))
    return [f"{pack}:{name}" for _, name in found.values()]


def printed(project: Project, typesetter: Typesetter, out: Path, products: list[str]) -> dict[str, list[str]]:
    """The text of each page, by product."""
    asked = Asked(tuple(project.library.packs), tuple(products))
    built = build(project, Options(asked, out), typesetter)
    assert not [d for d in built.diagnostics if d.severity == "error"]
    texts: dict[str, list[str]] = {}
    for file in built.published.written:
        pages = pypdfium2.PdfDocument(out / file)
        name = file.removesuffix(".pdf").replace("/", ":", 1)
        texts[name] = [page.get_textpage().get_text_bounded() for page in pages]
    return texts

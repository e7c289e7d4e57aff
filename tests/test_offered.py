"""Whatever a kind of the shipped games offers to write stands on its card, on its page and in its book: no template forgets a field, and
none asks for one that nobody must write.

For each kind an entry like a shipped one is made for each text that the schema allows, and for what every entry may have; and one with
nothing but what it must have. Templates are rendered as the worker does it; nothing is laid out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from straw import Straw

from seasons_build.core.entry import Key
from seasons_build.core.job import DocumentJob, FaceJob, Job, PartJob, Theme
from seasons_build.core.limits import DEFAULT
from seasons_build.language.yaml_text import flow
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import read, read_sources
from seasons_build.sources import AREAS, DiskTree, MemoryTree, Sources, shipped_root
from seasons_build.worker.render import MARKUP_KEY, Renderer, markup_hook

ROOT = Path(__file__).parent.parent
GAMES = ("frontiers", "seasons-pass", "slow-freight")
WORDS = "Seldom a zebra juggles quinces"
"""What is written; no shipped text has these words."""
UNPRINTED = ("name", "notes")
"""Texts that every entry has already, or that are for its writers."""
STAYS = ("notes", "provisional", "claims", "formerly", "waive")
"""What an entry that is like another does not get from it."""
SETTLED = ("band",)
"""Kinds of which nobody adds one: tables of the rules have a row for each entry."""
MANIFEST = 'id: offered-{game}\ntitle: Offered\nversion: "1"\nformat: 1\nrequires: {{{game}: ">=0"}}\n'
PRODUCTS = """
product:
  all-cards: {{title: Cards, layout: cards, card: poker, select: {{kind: [{kinds}]}}}}
  all-pages: {{title: Pages, layout: pages, select: {{kind: [{kinds}]}}}}
  all-book: {{title: Book, layout: book, select: {{kind: chapter}}}}
chapter:
  everything:
    name: Everything
    place: 1
    text: |
"""


class Asking(Straw):
    """Keeps the jobs with their themes."""

    def __init__(self) -> None:
        super().__init__()
        self.themes: dict[str, Theme] = {}
        self.jobs: list[tuple[Theme, Job]] = []

    def open(self, theme: Theme, expected: Any = None) -> None:
        self.themes[theme.id] = theme

    def run(self, jobs: Any) -> Any:
        kept = list(jobs)
        self.jobs += [(self.themes[job.theme], job) for job in kept]
        yield from super().run(kept)


@cache
def shipped() -> Any:
    return read(ROOT).library


def deep(value: Any, name: str) -> Iterator[Any]:
    """The values of that name in a value, wherever they stand."""
    if isinstance(value, Mapping):
        yield from (inner for key, inner in value.items() if key == name)
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from deep(inner, name)


def written(game: str, kind: Any, model: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a kind that are tried, each with a value: all its texts, an action, an effect; and how often and how long it takes,
    where it is used."""
    for field in kind.fields:
        if "x-text" in field.schema and field.id not in UNPRINTED:
            yield field.id, WORDS
    yield "actions", {"juggle": {"name": f"{WORDS} twice", "rules": WORDS}}
    effects = model.data.get("effects", {})
    if isinstance(effects, Mapping):
        yield "effects", {**{key: value for key, value in effects.items() if key != "say"}, "say": f"{WORDS}."}
    for name in ("limit", "time"):
        if "use" in model.data and (found := next(deep([e.data for e in shipped().entries.values() if e.pack == game], name), None)):
            yield name, found


def pack(game: str) -> Iterator[tuple[str, str]]:
    """A pack with an entry for every kind and field of a game, and one of each kind that has no field to spare."""
    library, content, shown, kinds = shipped(), "", "", []
    for (owner, name), kind in library.kinds.items():
        models = sorted(library.of_kind(game, name), key=lambda entry: (len(str(entry.data)), entry.id))
        if owner != game or name in SETTLED or not models:
            continue
        model = next((entry for entry in models if "use" in entry.data), models[0])
        kinds.append(name)
        content += f"{name}:\n"
        spare = [field for field in model.data if field not in (*kind.schema["required"], *STAYS)]
        changes = {field.replace("_", "-"): f"name: Try, {field}: {flow(value)}" for field, value in written(game, kind, model)}
        changes["nothing"] = f"set: {{name: Try}}, remove: {flow(spare)}" if spare else "name: Try"
        for what, change in changes.items():
            content += f"  try-{what}: {{like: {game}:{name}/{model.id}, {change}}}\n"
            shown += f"      ## {name} {what}\n\n      ![[{name}/try-{what}]]\n\n"
    yield f"content/offered-{game}/pack.yaml", MANIFEST.format(game=game)
    yield f"content/offered-{game}/all.yaml", content + PRODUCTS.format(kinds=", ".join(kinds)) + shown


def seen(value: Any) -> Any:
    """What a template is handed, with its markup known as such."""
    if isinstance(value, Mapping):
        return markup_hook({key: seen(inner) for key, inner in value.items()})
    return [seen(inner) for inner in value] if isinstance(value, list | tuple) else value


def bare(text: str) -> str:
    """A text as letters and figures alone."""
    return re.sub(r"\W", "", html.unescape(re.sub(r"<[^>]*>", " ", text))).lower()


def terms(entry: Mapping[str, Any]) -> Iterator[str]:
    """How often and how long what can be used may be, of the entry itself and of each of its actions."""
    for used in (entry, *entry.get("actions", ())):
        for piece in list(used.get("strip", ()))[1:]:
            yield str(piece[MARKUP_KEY])


def blocks(job: Job) -> Iterator[tuple[str, str, Mapping[str, Any], list[tuple[str, str]]]]:
    """The templates of a job with their layout, each with what it is handed and the texts that it must print."""
    if isinstance(job, FaceJob):
        yield "cards", job.template, {**job.context, "fit": {"class": "", "drop": []}}, list(job.texts)
        return
    layout, document = ("books", job.document) if isinstance(job, PartJob) else ("pages", job)
    assert isinstance(document, DocumentJob)
    for template, context in document.parts:
        entry = context.get("entry", {"kind": "", "id": ""})
        name = f"{entry['kind']}/{entry['id']}."
        texts = [(field.removeprefix(name), text) for field, text in document.texts if field.startswith(name)]
        yield layout, template, context, texts


def test_no_template_forgets_what_may_be_written(tmp_path: Path) -> None:
    tree, press = DiskTree(ROOT, AREAS), Asking()
    files = {name: tree.read(name) for name in tree.names()}
    files |= {name: text.encode() for game in GAMES for name, text in pack(game)}
    project = read_sources(Sources(MemoryTree(files), DiskTree(shipped_root())), Path("/nowhere"), ())
    packs = tuple(f"offered-{game}" for game in GAMES)
    products = tuple(f"{name}:{product}" for name in packs for product in ("all-cards", "all-pages", "all-book"))
    build(project, Options(Asked(packs, products), tmp_path / "out", whole=False), press)
    wanted = {key for key in project.library.entries if key[0] in packs and key[2].startswith("try-")}
    assert len(wanted) > 150
    assert not [d for d in project.diagnostics if d.severity == "error"]
    printed: dict[str, set[Key]] = {"cards": set(), "pages": set(), "books": set()}
    renderers: dict[str, Renderer] = {}
    forgotten = []
    for theme, job in press.jobs:
        renderer = renderers.setdefault(theme.id, Renderer(theme.templates, theme.icons, DEFAULT))
        for layout, template, context, texts in blocks(job):
            entry = context.get("entry", {})
            key = (entry.get("pack"), entry.get("kind"), entry.get("id"))
            if key not in wanted:
                continue
            printed[layout].add(key)
            page = bare(renderer.render(template, seen(context)))
            asked = [*texts, *(("strip", piece) for piece in terms(entry))]
            forgotten += [f"{template}: {entry['kind']}/{entry['id']}: {field}" for field, text in asked if bare(text) not in page]
    assert forgotten == []
    assert {layout: wanted - found for layout, found in printed.items()} == {layout: set() for layout in printed}

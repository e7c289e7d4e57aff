"""What the page of `seasons serve` shows: every card, page and sheet as it will print, what is wrong, and how a number came about.

In: a project after each change, and what would be printed of it. Out: answers to the page, as JSON and pictures. A page that cannot be made
just now keeps its last picture, marked as old; one that is still being made has its place already.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from seasons_build.cli.talk import of_the_project
from seasons_build.core.dice_amount import Dice, decimals, fixed, throw
from seasons_build.core.entry import Key
from seasons_build.core.face import look_of, sha_of
from seasons_build.core.job import Job, Typeset
from seasons_build.core.plan import Plan
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex
from seasons_build.core.span import Span
from seasons_build.export import entry_data, explained, plain
from seasons_build.language.dice import distribution_of
from seasons_build.pipeline.build import Seen
from seasons_build.pipeline.drawn import figures, page_png
from seasons_build.pipeline.odds import RANGE, Mistake, Taken, find_roll, fraction, grid, parameters, per_cent, rolls_of_packs
from seasons_build.pipeline.read import Project
from seasons_build.report import as_json, in_order
from seasons_build.serve import PAGE, Answer

DPI = 144
_DICE = regex(r"(\d{0,3})d(\d{1,3})(?:\s?([+\-−])\s?(\d+))?\Z")
_ICON = regex(r":[a-z0-9-]+:")
_MOST_DICE, _MOST_FACES = 40, 1000


@dataclass(frozen=True, slots=True)
class Picture:
    """Something that is printed: a card's face, or a document of some pages. `digest` names what is drawn, `words` what is on it."""

    id: str
    product: str
    kind: str
    name: str
    entries: tuple[Key, ...]
    pages: int
    digest: str
    words: str
    old: bool = False
    waiting: bool = False
    """Whether it is still being typeset: what is seen is what it was, or nothing yet."""


class Gallery:
    """What there is to see now; asked by the server while the next change is worked out."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawing = threading.Lock()
        """What draws pages draws one at a time."""
        self._pictures: dict[str, Picture] = {}
        self._drawn: dict[str, Callable[[], bytes]] = {}
        self._project: Project | None = None
        self._good: dict[Key, Project] = {}
        self._state = b"{}"
        self._version = 0

    def show(self, project: Project, seen: Seen, seconds: float) -> None:
        """Takes what there is to see after a change."""
        fresh = dict(_pictures(project, seen))
        with self._lock:
            drawn = {picture.digest: draw for picture, draw in fresh.values() if draw is not None}
            pictures = {id_: picture for id_, (picture, draw) in fresh.items() if draw is not None or picture.waiting}
            for id_, before in self._pictures.items():
                if not before.digest:
                    continue
                if id_ in pictures and pictures[id_].waiting:
                    pictures[id_] = replace(pictures[id_], digest=before.digest, pages=before.pages)
                    drawn[before.digest] = self._drawn[before.digest]
                elif id_ not in pictures and (id_ in fresh or _still_there(before, project, seen)):
                    pictures[id_] = replace(before, old=True, waiting=False)
                    drawn[before.digest] = self._drawn[before.digest]
            self._pictures, self._drawn, self._project = _in_order(pictures, list(self._pictures)), drawn, project
            self._good = {key: before for key, before in self._good.items() if key in project.library.entries}
            self._good |= {key: project for key, sheet in project.sheets.items() if sheet.whole}
            self._version += 1
            self._state = _json(self._told(project, seen, seconds))

    def answer(self, path: str, query: Mapping[str, str]) -> Answer | None:
        """What a path of the page is answered with."""
        if path in PAGE:
            return PAGE[path]
        if path == "/state":
            return Answer(self._state, "application/json")
        kind, _, digest = path[1:].partition("/")
        if kind in ("picture", "figures"):
            return self._look(kind, digest, query.get("page", "0"))
        asked = {"entry": self._entry, "text": self._text, "dice": _dice, "odds": self._odds}.get(kind)
        said = asked(query) if asked is not None and not digest else None
        return None if said is None else Answer(_json(said), "application/json")

    def _look(self, kind: str, digest: str, page: str) -> Answer | None:
        with self._lock:
            draw = self._drawn.get(digest)
        if draw is None or not page.isdigit():
            return None
        try:
            with self._drawing:
                if kind == "picture":
                    return Answer(page_png(draw(), int(page), dpi=DPI), "image/png", lasting=True)
                found = [{"text": f.text, "box": f.box} for f in figures(draw(), int(page))]
        except ValueError:
            return None
        return Answer(_json(found), "application/json", lasting=True)

    def _told(self, project: Project, seen: Seen, seconds: float) -> dict[str, Any]:
        """All that the page lists."""
        found = of_the_project(tuple(dict.fromkeys((*project.diagnostics, *seen.diagnostics))))
        return {
            "version": self._version,
            "seconds": round(seconds, 2),
            "packs": {pack.id: pack.title for pack in project.library.packs.values()},
            "pictures": [
                {
                    "id": p.id,
                    "product": p.product,
                    "kind": p.kind,
                    "name": p.name,
                    "entries": [":".join(key) for key in p.entries],
                    "pages": p.pages,
                    "picture": p.digest,
                    "words": p.words,
                    "old": p.old,
                    "waiting": p.waiting,
                }
                for p in self._pictures.values()
            ],
            "faults": [{**as_json(d), "source": _excerpt(project, d.span)} for d in in_order(found)],
            "rolls": [{"name": name, "takes": [_taken(taken) for taken in roll.takes.values()]} for name, roll in rolls_of_packs(project)],
        }

    def _entry(self, query: Mapping[str, str]) -> dict[str, Any] | None:
        """An entry as it was worked out: its numbers, each with the steps that made it, its lines, and where it was typed."""
        pack, _, rest = query.get("key", "").partition(":")
        kind, _, name = rest.partition(":")
        key = (pack, kind, name)
        with self._lock:
            project = self._good.get(key, self._project)
        entry = project.library.entries.get(key) if project is not None else None
        if project is None or entry is None:
            return None
        sheet = project.sheets.get(key)
        stats = sheet.stats if sheet is not None else {}
        span = entry.key_span()
        return {
            "name": entry.name,
            "id": str(entry),
            "file": span.file,
            "line": span.line,
            "old": project is not self._project,
            "lines": [_bare(line) for line in entry_data(project.library, project.sheets, project.lines, entry)["lines"]],
            "stats": [
                {"name": stat, "value": str(plain(value)), "steps": list(explained(project.library, sheet, [stat]))[1:]}
                for stat, value in stats.items()
                if sheet is not None
            ],
            "dice": _dice_of(sheet.formulas if sheet is not None else {}),
        }

    def _text(self, query: Mapping[str, str]) -> dict[str, Any] | None:
        """The text of a file of the project."""
        project = self._project
        text = project.texts.get(query.get("file", "")) if project is not None else None
        return None if text is None else {"file": query["file"], "lines": text.split("\n")}

    def _odds(self, query: Mapping[str, str]) -> dict[str, Any] | None:
        """The chances of a roll for the values given."""
        project = self._project
        if project is None:
            return None
        try:
            roll = find_roll(project, query.get("roll", ""))
            known = parameters(roll)
            values = {name: value for name, value in query.items() if name in known and value}
            for name, value in values.items():
                if RANGE.match(value):
                    raise Mistake(f"expected one value for `{name}`, found `{value}`", ("`seasons odds` works out a range",))
            worked = grid(roll, values)
        except Mistake as mistake:
            return {"fault": mistake.message, "hints": list(mistake.hints)}
        _, odds = worked.rows[0]
        outcomes = [{"name": n, "chance": per_cent(c), "exact": fraction(c)} for n, c in odds.outcomes.items()]
        return {"outcomes": outcomes}


def _pictures(project: Project, seen: Seen) -> Iterator[tuple[str, tuple[Picture, Callable[[], bytes] | None]]]:
    """Everything that is planned, with what draws it; nothing draws what could not be made, or is not made yet."""
    for plan in seen.plans:
        if plan.document is not None:
            made = seen.typeset(plan.document)
            yield plan.label, (_document(project, plan, made), _page_of(made))
        for planned in plan.faces:
            entry = project.library.entries[planned.entry]
            result = seen.typeset(planned.job)
            face = result.face if result is not None else None
            digest = "" if face is None else look_of(face)
            name = f"{plan.label}/{entry.kind}/{entry.id}"
            words = " ".join(text for _, text in planned.composed.texts)
            shown = Picture(name, plan.label, entry.kind, entry.name, (entry.key,), 1, digest, words, waiting=result is None)
            yield name, (shown, _draw(seen, planned.composed, entry.name) if face is not None else None)


def _draw(seen: Seen, job: Job, title: str) -> Callable[[], bytes]:
    files = seen.files
    assert files is not None, "what is planned can be made"
    return lambda: files.alone(job, title)


def _page_of(result: Typeset | None) -> Callable[[], bytes] | None:
    pdf = result.pdf if result is not None else None
    return None if pdf is None else lambda: pdf


def _document(project: Project, plan: Plan, result: Typeset | None) -> Picture:
    names = " ".join(project.library.entries[key].name for key in plan.entries)
    digest = sha_of(result.pdf) if result is not None and result.pdf is not None else ""
    pages = result.pages if result is not None else 0
    of = next((project.library.entries[key].name for key in plan.entries if key[2] == plan.of), plan.of)
    name = f"{plan.title}: {of}" if of else plan.title
    return Picture(plan.label, plan.label, plan.layout, name, plan.entries, pages, digest, names, waiting=result is None)


def _still_there(picture: Picture, project: Project, seen: Seen) -> bool:
    """Whether what is not planned now is so only because something is broken."""
    entries = project.library.entries
    packs = {key[0] for key in picture.entries} | {picture.product.partition(":")[0]}
    broken = any(key in entries and entries[key].broken for key in picture.entries)
    return seen.files is None or broken or bool(packs & project.unread)


def _in_order(pictures: Mapping[str, Picture], before: Sequence[str]) -> dict[str, Picture]:
    """The pictures as they are planned; those that are old stand behind what they stood behind, so that nothing moves."""
    order = [id_ for id_, picture in pictures.items() if not picture.old]
    for at, id_ in enumerate(before):
        if id_ in pictures and pictures[id_].old:
            known = next((order.index(other) + 1 for other in reversed(before[:at]) if other in order), 0)
            order.insert(known, id_)
    return {id_: pictures[id_] for id_ in order}


def _excerpt(project: Project, span: Span | None) -> str:
    text = project.texts.get(span.file) if span is not None else None
    lines = text.split("\n") if text is not None else []
    return lines[span.line - 1][:200] if span is not None and span.line <= len(lines) else ""


def _dice_of(formulas: Mapping[Any, Any]) -> dict[str, str]:
    """The amounts of dice among the fields of an entry, by where they stand."""
    found = {".".join(map(str, path)): str(value) for path, value in formulas.items() if isinstance(value, Dice) and value.terms}
    return {name: text for name, text in found.items() if _DICE.match(text)}


def _dice(query: Mapping[str, str]) -> dict[str, Any] | None:
    """The chances of an amount of dice: its mean, and how often it is at least each value."""
    found = _DICE.match(query.get("amount", ""))
    count, faces = (int(found[1] or 1), int(found[2])) if found is not None else (0, 0)
    if found is None or not 0 < count <= _MOST_DICE or not 0 < faces <= _MOST_FACES or count * faces > 2 * _MOST_FACES:
        return None
    added = int(found[4] or 0) * (1 if found[3] in (None, "+") else -1)
    worked = distribution_of(throw(count, faces) + fixed(added))
    chances, left = [], sum(worked.chances.values())
    for value, chance in worked.chances.items():
        chances.append({"value": str(value), "chance": per_cent(chance), "least": per_cent(left)})
        left -= chance
    mean = worked.mean or Fraction(0)
    return {"mean": f"{'-' if mean < 0 else ''}{decimals(abs(mean), 1)}", "chances": chances}


def _bare(line: str) -> str:
    """A rules line without its marks: the icons are pictures on the card beside it."""
    return " ".join(_ICON.sub("", line).replace("**", "").split())


def _taken(taken: Taken) -> dict[str, Any]:
    default = "" if taken.default is None else str(plain(taken.default))
    return {"name": taken.name, "words": list(taken.words), "default": default}


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode()

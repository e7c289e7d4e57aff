"""Cards that no page can hold as they are: each is fitted or named with its place, and only its own card changes."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from game import project_of
from PIL import Image

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.face import encode
from seasons_build.core.job import FaceJob, Job, Typeset
from seasons_build.pipeline.build import Asked, Built, Options, build
from seasons_build.pipeline.start import Typesetter

SENTENCE = "The rope holds and nobody looks down while it does, so they climb on. "
PACK = 'id: cave\ntitle: Cave\nversion: "1.0"\n'
SCHEMA = {
    "title": "Thing",
    "description": "A thing.",
    "allOf": [{"$ref": "core/entry"}],
    "properties": {"worth": {"type": "integer", "title": "Worth", "description": "What it is worth."}},
}
GOOD = {"good": "{name: Good, rules: The lamp burns.}", "second": "{name: Second, rules: The lamp is out., worth: 3}"}
BAD: Mapping[str, tuple[str, str | None]] = {
    "long-text": (f'{{name: Long text, rules: "{(SENTENCE * 47).strip()}"}}', "E603"),
    "long-name": (f'{{name: "{("Lantern of the deep " * 4)[:60].strip()}", rules: It burns.}}', None),
    "five-digits": ("{name: Dear, worth: 98765, rules: It is dear.}", None),
    "many-lines": ('{name: Lines, rules: "' + "\\n\\n".join(f"Line {n}." for n in range(12)) + '"}', None),
    "emoji": ('{name: Emoji, rules: "It burns \U0001f9ff brightly."}', "E606"),
    "unclosed": ('{name: Unclosed, rules: "It **burns and burns."}', "W735"),
    "no-picture": ("{name: No picture, art: {file: lampp.png}}", "E728"),
    "coarse": ("{name: Coarse, art: {file: small.png}}", "E730"),
}


def png(wide: int, high: int) -> bytes:
    out = BytesIO()
    Image.new("RGB", (wide, high), (90, 60, 20)).save(out, "PNG")
    return out.getvalue()


def things(entries: Mapping[str, str]) -> str:
    listed = "".join(f"  {name}: {body}\n" for name, body in entries.items())
    return f"thing:\n{listed}product:\n  deck: {{layout: cards, card: poker, select: {{kind: thing}}}}\n"


class Kept:
    """A typesetter that keeps what became of the faces that it was asked for."""

    def __init__(self, typesetter: Typesetter) -> None:
        self._typesetter = typesetter
        self.faces: dict[str, Typeset] = {}
        self.open = typesetter.open

    def run(self, jobs: Iterable[Job]) -> Generator[Typeset, None, None]:
        wanted = list(jobs)
        for job, result in zip(wanted, self._typesetter.run(wanted), strict=True):
            if isinstance(job, FaceJob):
                self.faces[job.key.rpartition("/")[2]] = result
            yield result


@pytest.fixture(scope="module")
def typesetter() -> Iterator[Typesetter]:
    with Typesetter(workers=2) as found:
        yield found


def printed(entries: Mapping[str, str], out: Path, typesetter: Typesetter) -> tuple[Built, dict[str, Typeset], tuple[Diagnostic, ...]]:
    project = project_of(
        {
            "content/cave/pack.yaml": PACK,
            "content/cave/things.yaml": things(entries),
            "schemas/cave/thing.json": json.dumps(SCHEMA),
            "content/cave/art/lamp.png": png(900, 400),
            "content/cave/art/small.png": png(40, 40),
        }
    )
    kept = Kept(typesetter)
    done = build(project, Options(Asked(("cave",)), out), kept)
    return done, kept.faces, (*project.diagnostics, *done.diagnostics)


def test_each_bad_card_is_fitted_or_named_and_changes_no_other(tmp_path: Path, typesetter: Typesetter) -> None:
    clean, alone, found = printed(GOOD, tmp_path / "clean", typesetter)
    assert found == ()
    assert clean.published.written == ("cave/deck.pdf",)
    entries = {**GOOD, **{name: body for name, (body, _) in BAD.items()}}
    done, faces, told = printed(entries, tmp_path / "bad", typesetter)
    lines = dict(enumerate(things(entries).split("\n"), 1))
    named = {lines[d.span.line].strip().partition(":")[0]: d.code for d in told if d.span is not None}
    assert named == {name: code for name, (_, code) in BAD.items() if code is not None}
    assert all(d.span is not None and d.span.file == "content/cave/things.yaml" for d in told)
    (open_,) = (d.span for d in told if d.code == "W735")
    assert open_ is not None
    assert lines[open_.line][open_.column - 1 :].startswith("**burns")
    assert done.stale == ("cave:deck",)
    for name in GOOD:
        one, other = alone[name].face, faces[name].face
        assert one is not None
        assert other is not None
        assert encode(one) == encode(other), f"{name} is another card beside bad ones"
    assert faces["many-lines"].fit > 0, "set smaller, and on that card alone"
    assert "name-" in faces["long-name"].fitted.class_name


def test_what_is_fitted_is_printed_and_stands_in_the_report(tmp_path: Path, typesetter: Typesetter) -> None:
    entries = {**GOOD, **{name: BAD[name][0] for name in ("long-name", "five-digits", "many-lines")}}
    done, _, told = printed(entries, tmp_path / "out", typesetter)
    assert told == ()
    assert [line.partition(":")[2].partition(": ")[0] for line in done.fitted] == ["deck thing/long-name", "deck thing/many-lines"]
    assert "`name` from step 1 to" in done.fitted[0]
    assert done.told == {"cave/deck.pdf": "5 cards, 9 on a sheet of A4 (3 x 3, edge to edge), 1 sheet on both sides"}
    document = pypdfium2.PdfDocument(tmp_path / "out" / "cave" / "deck.pdf")
    text = document[0].get_textpage().get_text_range()
    assert "98765" in text
    assert "Line 11." in text
    document.close()


def test_the_report_names_what_was_left_out_where_there_was_something(tmp_path: Path, typesetter: Typesetter) -> None:
    rules = (SENTENCE * 15).strip()
    entries = {"said": f'{{name: Said, rules: "{rules}", flavor: It was red.}}', "unsaid": f'{{name: Unsaid, rules: "{rules}"}}'}
    done, faces, told = printed(entries, tmp_path / "out", typesetter)
    assert told == ()
    assert [faces[name].fitted.drop for name in entries] == [("flavor",)] * 2, "the same step of the ladder"
    assert [line.count("without `flavor`") for line in done.fitted] == [1, 0]


def test_a_picture_has_its_place_on_the_plain_card(tmp_path: Path, typesetter: Typesetter) -> None:
    lamp = '{name: Lamp, art: {file: lamp.png, focus: [20, 50]}, rules: "It burns."}'
    done, faces, told = printed({"lamp": lamp}, tmp_path / "out", typesetter)
    assert told == ()
    assert done.published.written == ("cave/deck.pdf",)
    assert faces["lamp"].findings == ()


def test_a_card_may_go_on_on_its_back_or_not_be_fitted_at_all(tmp_path: Path, typesetter: Typesetter) -> None:
    body = f'{{name: Long, rules: "{(SENTENCE * 22).strip()}"}}'
    for fit, codes in (("back", []), ("none", ["E603"]), ("shrink", ["E603"])):
        content = things({"long": body, "short": "{name: Short, rules: It burns.}"}).replace("card: poker", f"card: poker, fit: {fit}")
        project = project_of(
            {"content/cave/pack.yaml": PACK, "content/cave/things.yaml": content, "schemas/cave/thing.json": json.dumps(SCHEMA)}
        )
        done = build(project, Options(Asked(("cave",)), tmp_path / fit), typesetter)
        assert [d.code for d in done.diagnostics] == codes, fit
    assert "goes on on its back" not in str(done.fitted)
    document = pypdfium2.PdfDocument(tmp_path / "back" / "cave" / "deck.pdf")
    front, back = (page.get_textpage().get_text_range() for page in document)
    assert len(document) == 2
    counted = [text.replace("\r\n", " ").count("The rope holds") for text in (front, back)]
    assert sum(counted) == 22
    assert min(counted) > 5
    assert back.count("Long") == 1, "the name stands on the back again"
    document.close()


def test_figures_of_gear_that_are_too_long_for_their_row_are_set_smaller(tmp_path: Path, typesetter: Typesetter) -> None:
    weapon = (
        "  {0}: {{name: Gun, family: ballistics, demand: 3, slots: 2, range: 12345, actions: {{fire: {{name: Fire, use: action, "
        "attributes: [deft], roll: {{attack: {{defense: physical_defense, damage: {1}}}}}, hit: {{harm: value}}}}}}}}\n"
    )
    rows = {"short": "1d8", "long": "1d8 + 98765", "longest": "99d12 + 9876543210987"}
    content = "weapon:\n" + "".join(weapon.format(name, damage) for name, damage in rows.items())
    pack = 'id: guns\ntitle: Guns\nversion: "1.0"\nrequires: {frontiers: ">=1.0,<2"}\n'
    project = project_of({"content/guns/pack.yaml": pack, "content/guns/guns.yaml": content})
    done = build(project, Options(Asked(("guns",)), tmp_path / "out"), typesetter)
    fitted = [line.rpartition(" weapon/")[2] for line in done.fitted]
    assert fitted == ["long: `row` from step 1 to 2 of 3", "longest: `row` from step 1 to 3 of 3"]
    assert [(d.code, d.span.line) for d in done.diagnostics if d.span] == [("E602", 4)]


def test_a_character_without_a_glyph_is_told_where_it_is_typed(tmp_path: Path, typesetter: Typesetter) -> None:
    content = (
        'thing:\n  gun: {name: "A 銃 gun", rules: It fires.}\n  lamp: {name: Lamp, rules: "It hangs beside [[thing/gun]]."}\n'
        "product:\n  deck: {layout: cards, card: poker, select: {kind: thing}}\n  list: {layout: pages, select: {kind: thing}}\n"
    )
    project = project_of(
        {"content/cave/pack.yaml": PACK, "content/cave/things.yaml": content, "schemas/cave/thing.json": json.dumps(SCHEMA)}
    )
    done = build(project, Options(Asked(("cave",)), tmp_path / "out"), typesetter)
    (told,) = done.diagnostics
    assert (told.code, str(told.span)) == ("E606", "content/cave/things.yaml:2:15")
    assert told.message == "no font of the theme has the character `銃` (U+9283) in `name`"
    assert [trace.message for trace in told.trace] == ["printed in `cave:deck`, `cave:list`"]
    assert set(done.stale) == {"cave:deck", "cave:list"}

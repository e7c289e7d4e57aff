"""Sheets that were filled in and read back: what their fields say, and what is wrong with it by the name of the field."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
import yaml
from click.testing import CliRunner
from game import game_files

from seasons_build.cli.main import seasons
from seasons_build.core.escapes import UNSAFE
from seasons_build.core.filled import FilledField, FilledSheet
from seasons_build.core.profile import Wishes
from seasons_build.pipeline import imports
from seasons_build.pipeline.author import Desk
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.imports import Imported, import_sheet
from seasons_build.pipeline.read import read
from seasons_build.pipeline.start import Typesetter
from seasons_build.report import render

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "seasons_build" / "pages"
THINGS = """
coat:
  cape: {name: Cape}
  ring: {name: Ring, effects: {choose: {as: stone, count: 1, from: [coat/cape, coat/scarf]}}}
  scarf: {name: Long Scarf}
blade: {knife: {name: Knife, family: steel}}
"""
ANN: dict[str, Any] = {
    "name": "Ann",
    "start": {"pluck": 2},
    "record": [{"begin": [{"buy": "cape"}, {"train": "pluck"}]}, {"winter": [{"buy": "knife"}, {"train": "pluck"}]}],
    "states": {"cape": "worn"},
}
FIELDS = {"entry/name": "Ann", "pluck": "4", "record/1/buy": "Cape", "record/1/train": "Pluck", "record/2/buy": "Knife", "worn/adds": ""}
TICKS = {"states/cape/worn": True, "states/cape/packed": False, "record/now/buy/scarf": False}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    root = tmp_path_factory.mktemp("project")
    for name, raw in {**game_files(), "content/suite/things.yaml": THINGS.encode()}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(raw)
    return Desk(root)


def paper(now: Mapping[str, str | bool], before: Mapping[str, str | bool], source: str, *, fixed: tuple[str, ...] = ()) -> bytes:
    """A sheet with these values in its fields, which held others when it was printed."""
    pdf = pikepdf.new()
    pdf.add_blank_page()
    fields = []
    for name, value in now.items():
        made = pikepdf.Dictionary(T=pikepdf.String(name), FT=pikepdf.Name.Btn if isinstance(value, bool) else pikepdf.Name.Tx)
        for key, held in (("/V", value), ("/DV", before.get(name, False if isinstance(value, bool) else ""))):
            made[key] = pikepdf.Name("/On" if held else "/Off") if isinstance(held, bool) else pikepdf.String(held)
        made.Ff = 1 if name in fixed else 0
        fields.append(pdf.make_indirect(made))
    pdf.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array(fields))
    if source:
        pdf.attachments["entry.yaml"] = pikepdf.AttachedFileSpec(pdf, source.encode())
    out = BytesIO()
    pdf.save(out)
    return out.getvalue()


def filled(desk: Desk, **changes: str | bool) -> Imported:
    """Ann's sheet with some fields changed, read back."""
    before = {**FIELDS, **TICKS}
    now = {**before, **changes}
    source = f"# suite:traveler/ann\n{yaml.safe_dump({'traveler': {'ann': ANN}}, sort_keys=False)}"
    return import_sheet(desk, paper(now, before, source, fixed=("worn/adds",)), "traveler")


def empty(desk: Desk, values: Mapping[str, str | bool]) -> Imported:
    """An empty sheet, filled in and read back."""
    return import_sheet(desk, paper(values, {}, "# suite:traveler\n"), "traveler")


def data(imported: Imported) -> Any:
    return yaml.safe_load(imported.text)["traveler"]


def told(imported: Imported) -> list[str]:
    return [f"{d.code} {d.message}" for d in imported.diagnostics]


def test_the_picture_of_a_sheet_lies_with_what_it_was_printed_from(desk: Desk) -> None:
    values = {**FIELDS, **TICKS}
    source = f"# suite:traveler/ann\n{yaml.safe_dump({'traveler': {'ann': {**ANN, 'art': {'file': 'ann.png'}}}}, sort_keys=False)}"
    assert told(import_sheet(desk, paper(values, values, source, fixed=("worn/adds",)), "traveler")) == []


def test_a_sheet_that_nobody_changed_says_what_it_came_from(desk: Desk) -> None:
    imported = filled(desk)
    assert told(imported) == []
    assert data(imported) == {"ann": ANN}
    assert list(data(imported)["ann"]) == list(ANN)


def test_what_was_changed_is_taken_over(desk: Desk) -> None:
    changes = {"entry/name": "Ann B.", "record/2/buy": "long scarf: warm", "states/cape/worn": False, "states/cape/packed": True}
    ann = data(filled(desk, **changes))["ann"]
    assert ann["name"] == "Ann B."
    assert ann["record"][1] == {"winter": [{"buy": "scarf"}, {"train": "pluck"}]}
    assert ann["states"] == {"cape": "packed"}


WRONG = (
    *(None, 3, True, "x", "pluck + 1", 10**14, [], [[]], [{}], {}),
    *({"a": {"b": 1}}, ["a", {"take": [1]}], {"take": {"a": 1}}, {"take": [1, 2]}),
)
TYPED = (
    *("", "x", "9" * 30, "9" * 5000, "-1", "1e9", "[[cape]]", "{pluck}", "\0", "\x1b[2J\u202e"),
    *("1\n2", "&a [*a]", "Cape, Ring", "²", "٣", "/"),
)
STRANGE = (
    *("entry", "entry/", "entry/name/x", "entry/record/0/begin/9", "", "/", "a/b/c/d/e/f/g/h", "name"),
    *("states//worn", "states/cape/worn/x", "states/+1/worn", "start/pluck/x", "worn/adds/1"),
    *("record/99999999999/buy", "record/x/y/z", "record/0/buy", "record/-1/buy", "record/²/buy", "record/1/waive"),
    *("record/now/buy/ring/stone", "record/1/buy/+1", f"record/{'9' * 5000}/buy", f"entry/{'9' * 5000}/x"),
)


def places(value: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of everything in plain data, but for the whole."""
    for step, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*way, step)
        yield from places(inner, (*way, step))


def strange_sheet(chance: random.Random) -> FilledSheet:
    """Ann's sheet with something in its fields, and in what it says that it was printed from, that no sheet of ours has."""
    data: Any = copy.deepcopy({"traveler": {"ann": ANN}})
    data["traveler"]["ann"]["record"][0]["begin"][0] = {"buy": {"take": "ring", "stone": ["cape"]}}
    for _ in range(chance.randrange(3)):
        *above, last = chance.choice([way for way in places(data) if len(way) > 1])
        holder = data
        for step in above:
            holder = holder[step]
        holder[last] = copy.deepcopy(chance.choice(WRONG))
    fields = {}
    for name, value in {**FIELDS, **TICKS}.items():
        now = value if chance.random() < 0.8 else chance.choice(TYPED)
        fields[name] = FilledField(str(now or ""), chance.choice((str(value or ""), "")), isinstance(value, bool), False)
    for name in chance.sample(STRANGE, 3):
        fields[name] = FilledField(chance.choice(TYPED), chance.choice(("", "x")), chance.random() < 0.3, chance.random() < 0.2)
    head = chance.choice(("# suite:traveler/ann\n", "# suite:traveler/bob\n", "# suite:traveler\n", "# suite:blade/knife\n"))
    return FilledSheet(fields, head + yaml.safe_dump(data, sort_keys=False))


def judged(desk: Desk, seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in seeds:
        chance = random.Random(seed)
        strange = strange_sheet(chance)
        monkeypatch.setattr(imports, "read_filled", lambda raw, strange=strange: strange)
        found = import_sheet(desk, b"", chance.choice(("traveler", "traveler", "blade")))
        assert not UNSAFE.search(render(found.diagnostics, "text", lambda _: None).replace("\n", ""))
        assert found.text or found.diagnostics


def test_whatever_a_sheet_says_there_is_an_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(desk, range(60), monkeypatch)


@pytest.mark.slow
def test_whatever_many_sheets_say_there_is_an_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(desk, range(1000, 2000), monkeypatch)


def test_a_tick_is_a_choice_more_in_the_last_stage(desk: Desk) -> None:
    imported = filled(desk, **{"record/now/buy/scarf": True})
    assert data(imported)["ann"]["record"][1]["winter"][-1] == {"buy": "scarf"}
    assert told(imported) == ["E525 field `record/now/buy/scarf`: `buy` costs 2 of `coins`, and 0 are left"]


def test_a_number_moves_what_it_began_with(desk: Desk) -> None:
    assert data(filled(desk, pluck="3"))["ann"]["start"] == {"pluck": 1}


def test_an_empty_sheet_makes_a_record(desk: Desk) -> None:
    values = {
        "entry/name": "Bo the Bold",
        "pluck": "4",
        "record/1/train": "pluck",
        "record/1/buy": "Ring",
        "record/now/buy/+1": "Cape",
        "record/now/buy/+1/worn": True,
        "record/2/train": "Pluck",
        "record/2/buy": "Knife",
    }
    imported = empty(desk, values)
    assert data(imported) == {
        "bo-the-bold": {
            "name": "Bo the Bold",
            "start": {"pluck": 2},
            "record": [
                {"begin": [{"train": "pluck"}, {"buy": {"take": "ring", "stone": "cape"}}]},
                {"winter": [{"train": "pluck"}, {"buy": "knife"}]},
            ],
            "states": {"cape": "worn"},
        }
    }
    assert told(imported) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"record/1/buy": "Cap"}, "E781 field `record/1/buy`: there is no `Cap`"),
        ({"pluck": "much"}, "E781 field `pluck`: expected a whole number, found `much`"),
        ({"worn/adds": "+9"}, "W781 field `worn/adds`: the rules work it out, and `+9` is not taken over"),
        ({"record/1/train": ""}, "E528 1 points is unspent at the end of `begin`"),
        ({"states/cape/worn": False, "record/1/buy": "", "states/cape/packed": True}, "E529 field `states/cape/packed`: "),
    ],
)
def test_what_is_wrong_is_told_by_its_field(desk: Desk, changes: dict[str, str | bool], said: str) -> None:
    assert any(line.startswith(said) for line in told(filled(desk, **changes))), told(filled(desk, **changes))


@pytest.mark.parametrize(
    ("raw", "kind", "said"),
    [
        (b"no PDF", "traveler", "it is no PDF that can be read"),
        (paper({}, {}, ""), "traveler", "it has no fields"),
        (paper({"entry/name": "Ann"}, {}, ""), "traveler", "does not say what it was printed from"),
        (paper({"entry/name": "Ann"}, {}, "# suite:traveler\n"), "hero", "the sheet is of a `traveler`, not of a `hero`"),
        (paper({"entry/name": "Ann"}, {}, "# siute:traveler\n"), "traveler", "the pack `siute`, which is not here"),
        (paper({f"x{n}": "" for n in range(5001)}, {}, "# suite:traveler\n"), "traveler", "more than 5000 fields"),
    ],
)
def test_what_is_no_sheet(desk: Desk, raw: bytes, kind: str, said: str) -> None:
    imported = import_sheet(desk, raw, kind)
    assert imported.text == ""
    assert [d.code for d in imported.diagnostics] == ["E780"]
    assert said in imported.diagnostics[0].message


def test_the_command(desk: Desk, tmp_path: Path) -> None:
    sheet = tmp_path / "ann.PDF"
    sheet.write_bytes(paper(FIELDS, FIELDS, "# suite:traveler\n"))
    where = ["--project", str(desk.project), "import", str(sheet), "--kind", "traveler"]
    run = CliRunner().invoke(seasons, where, standalone_mode=False)
    assert run.stdout.startswith("traveler:\n")
    (tmp_path / "ann.doc").write_bytes(b"")
    run = CliRunner().invoke(seasons, ["import", str(tmp_path / "ann.doc"), "--kind", "traveler"])
    assert (run.exit_code, "is of no kind that can be read" in run.output) == (2, True)


FENCE = re.compile(r"^```yaml (filled|flat)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("code", ["E780", "E781", "E782", "W781"])
def test_the_pages_of_codes(desk: Desk, code: str) -> None:
    for part in (PAGES / f"{code}.md").read_text("utf-8").split("\n## ")[1:]:
        fence = FENCE.search(part)
        assert fence is not None
        values = yaml.safe_load(fence[2])
        begun = {"entry/name": "Ann", "pluck": "2", "record/1/train": "Pluck", "record/1/buy": "Cape"}
        raw = paper({**begun, **values}, {}, "# suite:traveler\n", fixed=("worn/adds",)) if fence[1] == "filled" else paper({}, {}, "")
        assert (code in [d.code for d in import_sheet(desk, raw, "traveler").diagnostics]) == part.startswith("Bad"), part


@pytest.mark.slow
@pytest.mark.parametrize(("pack", "product"), [("frontiers", "character-sheets"), ("seasons-pass", "sheets")])
def test_the_sheet_of_each_character_gives_the_yaml_that_it_came_from(pack: str, product: str, tmp_path: Path) -> None:
    project = read(ROOT, named=(pack,))
    with Typesetter(workers=2) as typesetter:
        for paper in ("a4", "letter"):
            asked = Options(Asked((pack,), (f"{pack}:{product}",)), tmp_path / "out", Wishes(paper))
            assert build(project, asked, typesetter).stale == ()
    desk = Desk(ROOT)
    for entry in project.library.of_kind(pack, "character"):
        raw = (tmp_path / "out" / pack / product / f"{entry.id}.pdf").read_bytes()
        assert len(raw) < 300_000
        imported = import_sheet(desk, raw, "character")
        assert [d for d in imported.diagnostics if d.severity != "note"] == []
        again = yaml.safe_load(imported.text)["character"][entry.id]
        assert again == yaml.safe_load(yaml.safe_dump(_plain(entry.data)))
        with pikepdf.open(BytesIO(raw)) as document:
            names = {str(field.T).replace("/", ".") for field in document.Root.AcroForm.Fields}
        printed = {name for name in project.sheets[entry.key].stats if re.search(rf"(?<!ref\.)stats\.{name}\b", _templates(pack))}
        assert _values(raw) == _values((tmp_path / "out" / pack / product / f"{entry.id}-letter.pdf").read_bytes())
        assert {name for name in printed if name not in names and not any(have.startswith(f"{name}.") for have in names)} == set()


def _values(raw: bytes) -> dict[str, str]:
    """The value of each field."""
    with pikepdf.open(BytesIO(raw)) as document:
        return {str(field.T): str(field.get("/V", "")) for field in document.Root.AcroForm.Fields}


def _templates(pack: str) -> str:
    return (ROOT / "templates" / pack / "forms" / "character.html.j2").read_text("utf-8")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value

"""The themes that ship: what templates may hold, that style sheets parse and use only what is there, and each face of the fixtures proved.

`contexts/*.json` are faces and blocks as the composer hands them over: a theme, a template, a context.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import tinycss2
import yaml
from jinja2 import Environment, nodes

from seasons_build.core.font import glyphs_of
from seasons_build.core.job import DocumentJob, FaceJob, Step, Theme
from seasons_build.core.paper import CardSize
from seasons_build.typeset.typesetter import Typesetter
from seasons_build.worker import grammar

ROOT = Path(__file__).parents[2] / "templates"
FONTS = ROOT / "fonts"
THEMES = ("base", "frontiers", "seasons-pass")
TEMPLATES = sorted(path for theme in THEMES for path in (ROOT / theme).rglob("*.j2"))
SHEETS = sorted(path for theme in THEMES for path in (ROOT / theme).glob("*.css"))
CONTEXTS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((Path(__file__).parent / "contexts").glob("*.json"))}
FACES = sorted(name for name, fixture in CONTEXTS.items() if "/pages/" not in fixture["template"])
BLOCKS = sorted(name for name, fixture in CONTEXTS.items() if "/pages/" in fixture["template"])
POKER = CardSize("poker", "Poker", Fraction(63), Fraction(88))

LICENCES = {
    "Besley": "OFL-Besley.txt",
    "CourierPrime": "OFL-CourierPrime.txt",
    "SPClause": "OFL-Newsreader.txt",
    "barlow-semi-condensed": "OFL-barlow-semi-condensed.txt",
    "ibm-plex-mono": "OFL-ibm-plex-mono.txt",
    "saira-condensed": "OFL-saira-condensed.txt",
    "Frontiers": "OFL-seasons-build-icons.txt",
    "SPIcons": "OFL-seasons-build-icons.txt",
    "SPMarks": "OFL-seasons-build-icons.txt",
}
"""The licence of each font, by the beginning of its file's name."""

SLOW = frozenset(("flex", "inline-flex", "grid", "inline-grid", "table"))
"""What `display` may not be on a card: it costs two to three times as much to lay out, or does not hold a page's height."""


def theme_yaml(theme: str) -> dict[str, Any]:
    found = yaml.safe_load((ROOT / theme / "theme.yaml").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# Templates


@pytest.mark.parametrize("path", TEMPLATES, ids=named)
def test_a_template_holds_what_it_may_and_works_nothing_out(path: Path) -> None:
    tree = Environment(autoescape=True).parse(path.read_text("utf-8"))
    leads = grammar.check(tree).leads
    assert [lead.template for lead in leads if not (ROOT / lead.template).is_file()] == []
    operators = [type(node).__name__ for node in tree.find_all((nodes.BinExpr, nodes.UnaryExpr)) if not isinstance(node, LOGIC)]
    assert operators == []
    assert {operand.op for node in tree.find_all(nodes.Compare) for operand in node.ops} <= {"in", "notin", "eq"}


def test_one_template_has_all_macros_of_the_game() -> None:
    trees = {named(path): Environment(autoescape=True).parse(path.read_text("utf-8")) for path in TEMPLATES}
    own = trees["frontiers/macros.html.j2"]
    taken = {str(name) for taking in own.find_all(nodes.FromImport) for name in taking.names}
    given = {setting.target.name for setting in own.find_all(nodes.Assign) if isinstance(setting.target, nodes.Name)}
    parts = [tree for name, tree in trees.items() if name.startswith("frontiers/macros/")]
    assert taken == given == {macro.name for tree in parts for macro in tree.find_all(nodes.Macro)}


LOGIC = (nodes.And, nodes.Or, nodes.Not)


def test_every_layout_has_a_template_for_what_has_none() -> None:
    assert all((ROOT / "base" / layout / "default.html.j2").is_file() for layout in ("cards", "pages", "backs"))
    assert (ROOT / "base" / "frames" / "pages.html.j2").is_file()
    assert (ROOT / "frontiers" / "cards" / "default.html.j2").is_file()


# Style sheets


def blocks(rules: list[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Each rule with its declarations, those of rules inside rules after it."""
    for rule in rules:
        assert rule.type in ("qualified-rule", "at-rule"), f"{rule.type} at {rule.source_line}:{rule.source_column}"
        inside = tinycss2.parse_blocks_contents(rule.content or [], skip_comments=True, skip_whitespace=True)
        assert [part.message for part in inside if part.type == "error"] == []
        yield rule, [part for part in inside if part.type == "declaration"]
        yield from blocks([part for part in inside if part.type != "declaration"])


def sheet(path: Path) -> list[tuple[Any, list[Any]]]:
    return list(blocks(tinycss2.parse_stylesheet(path.read_text("utf-8"), skip_comments=True, skip_whitespace=True)))


def declarations(path: Path) -> Iterator[tuple[str, str]]:
    for _, found in sheet(path):
        for declaration in found:
            yield declaration.lower_name, tinycss2.serialize(declaration.value).strip()


@pytest.mark.parametrize("path", SHEETS, ids=named)
def test_a_style_sheet_parses_and_asks_for_files_that_are_there(path: Path) -> None:
    addresses = [address for _, value in declarations(path) for address in re.findall(r"url\(([^)]*)\)", value)]
    assert [address for address in addresses if not re.fullmatch(r"fonts/[\w-]+\.ttf", address)] == []
    assert [address for address in addresses if not (ROOT / address).is_file()] == []


@pytest.mark.parametrize("path", SHEETS, ids=named)
def test_a_style_sheet_is_fast_and_safe_in_print(path: Path) -> None:
    for name, value in declarations(path):
        assert name != "display" or value not in SLOW or path.name == "book.css", value
        assert not re.search(r"gradient|rgba|hsla|box-shadow|\.svg|#[0-9a-f]{8}\b", f"{name}:{value}", re.IGNORECASE), value
        assert name != "opacity"


@pytest.mark.parametrize("theme", THEMES)
def test_the_fonts_of_a_theme_are_those_of_its_style_sheets(theme: str) -> None:
    declared = {(font["family"], font["file"]) for font in theme_yaml(theme)["fonts"]}
    faces = set()
    for path in (path for path in SHEETS if path.parent.name == theme):
        for rule, found in sheet(path):
            if rule.type == "at-rule" and rule.lower_at_keyword == "font-face":
                values = {d.lower_name: tinycss2.serialize(d.value).strip() for d in found}
                faces.add((values["font-family"].strip('"'), values["src"].removeprefix("url(fonts/").removesuffix(")")))
    assert declared == faces


@pytest.mark.parametrize("theme", THEMES)
def test_every_family_asked_for_is_declared_and_every_stack_is_of_such(theme: str) -> None:
    manifest = theme_yaml(theme)
    families = {font["family"] for font in manifest["fonts"]}
    used = {name for names in manifest["stylesheets"].values() for name in names}
    for name in used:
        for key, value in declarations(ROOT / name):
            if key in ("font", "font-family", "--text", "--display"):
                assert set(re.findall(r'"([^"]+)"', value)) <= families, f"{name}: {value}"
    assert {family for stack in manifest["stacks"].values() for family in stack} <= families
    assert all((ROOT / name).is_file() for name in used)
    assert {role["stack"] for role in manifest["roles"].values()} <= set(manifest["stacks"])


# Colours, fonts, icons


def colours(theme: str) -> list[dict[str, str]]:
    """What each colour is: on the page itself, then under each class that has a hue of its own."""
    found: dict[str, dict[str, str]] = {}
    for path in (path for path in SHEETS if path.parent.name == theme):
        for rule, parts in sheet(path):
            if rule.type == "qualified-rule":
                selector = tinycss2.serialize(rule.prelude).strip()
                values = {d.name.removeprefix("--"): tinycss2.serialize(d.value).strip() for d in parts if d.name.startswith("--")}
                found.setdefault(selector, {}).update(values)
    page = found[":root"]
    return [page, *({**page, **values} for selector, values in found.items() if selector.startswith(".h-") and "hue" in values)]


def luminance(colour: str) -> float:
    assert re.fullmatch(r"#[0-9A-F]{6}", colour), colour
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_read_stands_out_from_its_ground(theme: str) -> None:
    for palette in colours(theme):
        for ink, ground, least in theme_yaml(theme)["contrast"]:
            low, high = sorted((luminance(palette[ink]), luminance(palette[ground])))
            assert (high + 0.05) / (low + 0.05) >= least, f"{ink} {palette[ink]} on {ground} {palette[ground]}"


@pytest.mark.parametrize("font", sorted(path.name for path in FONTS.glob("*.ttf")))
def test_every_font_has_its_licence_beside_it(font: str) -> None:
    licence = next(text for start, text in LICENCES.items() if font.startswith(start))
    text = (FONTS / licence).read_text("utf-8")
    assert text.startswith("Copyright")
    assert "SIL OPEN FONT LICENSE Version 1.1" in text


def test_icons_and_marks_are_in_their_fonts() -> None:
    icons = glyphs_of((FONTS / "FrontiersIcons.ttf").read_bytes())
    marks = glyphs_of((FONTS / "FrontiersMarks.ttf").read_bytes())
    assert {name for name, glyph in theme_yaml("frontiers")["icons"].items() if ord(glyph) not in icons} == set()
    text = "".join(path.read_text("utf-8") for path in SHEETS if path.parent.name == "frontiers")
    wanted = {int(code, 16) for code in re.findall(r"\\(E0[0-9A-F]{2})", text)}
    assert len(wanted) > 20
    assert wanted <= set(marks)


@pytest.mark.parametrize("game", ["frontiers", "seasons-pass"])
def test_every_icon_has_its_master(game: str) -> None:
    folder = ROOT / "icons" / game
    listed = json.loads((folder / "icons.json").read_text("utf-8"))
    drawn = {name: icon for name, icon in listed.items() if "file" in icon or "char" in icon}
    masters = {icon.get("file", f"{name}.svg") for name, icon in drawn.items()}
    assert len(masters) > 15
    assert {name for name in masters if not (folder / name).is_file()} == set()


# Faces and pages


def read_theme(theme: str) -> Theme:
    manifest = theme_yaml(theme)
    files = {font["file"] for owner in THEMES for font in theme_yaml(owner)["fonts"]}
    return Theme(
        id=theme,
        templates={named(path): path.read_text("utf-8") for path in TEMPLATES},
        stylesheets={named(path): path.read_text("utf-8") for path in SHEETS},
        fonts={file: (FONTS / file).read_bytes() for file in sorted(files)},
        images={},
        icons=manifest.get("icons", {}),
        floor_pt=min(Fraction(str(role["floor"])) for role in manifest["roles"].values()),
    )


def texts(context: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What must be found on the page of a context."""
    entry = context.get("entry", {})
    yield "name", entry.get("name", "")
    for field in ("text", "rules", "leverage", "flavor", "headline"):
        if field in entry:
            yield field, entry[field]["$html"]
    for action in entry.get("actions", ()):
        yield f"actions.{action['id']}.name", action.get("name", "")
        yield f"actions.{action['id']}.rules", action["text"]["$html"]


def face_job(name: str, ink: str = "", size: CardSize = POKER) -> FaceJob:
    fixture = CONTEXTS[name]
    manifest = theme_yaml(fixture["theme"])
    ladder = [
        Step(step["class"], tuple(step.get("drop", ())), Fraction(str(step["size"])), step.get("upto")) for step in manifest["fit"]
    ]
    return FaceJob(
        key=name,
        theme=fixture["theme"],
        template=fixture["template"],
        context={**fixture["context"], "ink": ink},
        stylesheets=tuple(manifest["stylesheets"]["cards"]),
        size_mm=(Fraction(size.width), Fraction(size.height)),
        safe_mm=Fraction(str(manifest["safe"])),
        fit=tuple(ladder),
        steps=tuple((field, tuple(classes)) for field, classes in manifest["steps"].items()),
        texts=tuple(texts(fixture["context"])),
        title=name,
    )


@pytest.fixture(scope="module")
def typesetter() -> Iterator[Typesetter]:
    with Typesetter(workers=1) as typesetter:
        assert typesetter.fault() is None
        for theme in THEMES:
            typesetter.open(read_theme(theme))
        yield typesetter


@pytest.mark.parametrize("ink", ["", "inky"])
def test_every_face_is_without_fault(typesetter: Typesetter, ink: str) -> None:
    results = list(typesetter.run([face_job(name, ink) for name in FACES]))
    assert {result.key: result.findings for result in results if result.findings} == {}
    assert all(result.face is not None and result.pages == 1 for result in results)


def test_ink_changes_no_layout(typesetter: Typesetter) -> None:
    plain, saving = (list(typesetter.run([face_job(name, ink) for name in FACES])) for ink in ("", "inky"))
    assert [result.fitted for result in plain] == [result.fitted for result in saving]


def test_faces_hold_on_another_trim(typesetter: Typesetter) -> None:
    us = CardSize("poker-us", "US poker", Fraction("63.5"), Fraction("88.9"))
    results = typesetter.run([face_job(name, size=us) for name in FACES])
    assert {result.key: result.findings for result in results if result.findings} == {}


@pytest.mark.parametrize("theme", THEMES)
def test_blocks_flow_in_columns_without_fault(typesetter: Typesetter, theme: str) -> None:
    fixtures = [CONTEXTS[name] for name in BLOCKS if CONTEXTS[name]["theme"] == theme]
    about = {key: fixtures[0]["context"][key] for key in ("product", "game", "pack")}
    job = DocumentJob(
        key=theme,
        theme=theme,
        parts=tuple((fixture["template"], {**fixture["context"], "heading": "h2"}) for fixture in fixtures),
        stylesheets=tuple(theme_yaml(theme)["stylesheets"]["pages"]),
        frame="base/frames/pages.html.j2",
        frame_context={**about, "columns": 2, "ink": ""},
        texts=tuple(text for fixture in fixtures for text in texts(fixture["context"])),
        title=theme,
    )
    (result,) = typesetter.run([job])
    assert result.findings == ()
    assert 1 <= result.pages <= 2

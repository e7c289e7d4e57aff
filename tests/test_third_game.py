"""The third game: a d20 game in the common style, written in YAML alone. It is checked, its own cases hold, it is printed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pypdfium2
import pytest

from seasons_build.evaluate import Tried
from seasons_build.language.phrases import compile_book, flat
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.read import Project, read, try_games
from seasons_build.pipeline.start import Typesetter

ROOT = Path(__file__).parent / "projects" / "third-game"


@cache
def game() -> Project:
    return read(ROOT)


@cache
def tried() -> Tried:
    return try_games(game())


def lines(name: str) -> list[str]:
    """The rules lines of an entry, by `kind/id`."""
    project = game()
    (pack,) = project.library.packs
    book = compile_book({noun: {id: n.data for id, n in ids.items()} for noun, ids in project.library.rules[pack].items()})
    kind, _, id = name.partition("/")
    return flat(book, kind, project.lines[pack, kind, id])


def test_it_is_data_alone() -> None:
    assert {path.suffix for path in ROOT.rglob("*") if path.is_file()} == {".yaml", ".json"}


def test_nothing_is_wrong_with_it() -> None:
    assert not game().diagnostics


def test_its_cases_hold_and_touch_all() -> None:
    assert not [str(fault) for case in tried().cases for fault in case.failures]
    assert len(tried().cases) >= 20
    assert not any(tried().untouched.values())


def test_of_several_formulas_the_highest_holds() -> None:
    sheet = game().sheets["lamplight", "character", "nell-harrow"]
    steps = [(step.move, step.amount, step.total) for step in sheet.steps["armor_class"]]
    assert steps == [("base", 12, 12), ("set", 15, 15), ("add", 2, 17)]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("armor/ring-shirt", ["Your Armor Class is 13 + your Dexterity modifier (at most 2)."]),
        ("feature/thick-hide", ["While you wear no armor, your Armor Class is 10 + your Dexterity and Constitution modifiers."]),
        ("feature/steady-presence", ["You and allies within 10 feet have your Charisma modifier (at least 1) to all saves."]),
        (
            "class/reaver",
            [
                "**Level 1.** A bonus to Strength saves equal to your proficiency bonus and a bonus to Constitution saves equal to your"
                " proficiency bonus. You have Weapon Hand.",
                "**Level 2.** Once per turn, move up to 10 feet without provoking an attack.",
                "**Level 3.** You have Thick Hide.",
                "**Level 4.** 2 points of improvement.",
                "**Level 5.** You have Dart Strike.",
            ],
        ),
        (
            "monster/drowned-bailiff",
            [
                "**Serve the writ** (action): One target within 30 feet makes a Wisdom save. On a failure, they take 3d6 bludgeoning damage"
                " and become rattled for a minute. On a success, they take half as much."
            ],
        ),
    ],
)
def test_it_says_what_it_does(name: str, said: list[str]) -> None:
    assert lines(name) == said


@pytest.mark.slow
def test_it_is_printed(tmp_path: Path) -> None:
    with Typesetter(workers=1) as typesetter:
        built = build(game(), Options(Asked(tuple(game().library.packs)), tmp_path), typesetter)
    assert not built.diagnostics
    assert not built.stale
    products = ("gear", "spells", "bestiary", "handbook", "sheets")
    assert {path.name for path in (tmp_path / "lamplight").iterdir()} == {f"{name}.pdf" for name in products}
    words = text_of(tmp_path / "lamplight" / "sheets.pdf")
    for printed in ("Nell Harrow", "Armor Class 17", "Hit points 47", "Boat Hook, bonus 6, damage 1d8 + 3", "Reaver ×4"):
        assert printed in words


def text_of(pdf: Path) -> str:
    """The text of a document, its lines joined."""
    return " ".join(" ".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(pdf)).split())

"""The shape of the house: layers, owners of other people's packages, no clock, no game, and words on everything."""

from __future__ import annotations

import ast
import io
import json
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from seasons_build import kinds
from seasons_build.core import vocabulary

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "seasons_build"
MODULES = sorted(PACKAGE.rglob("*.py"))

STAGES = (
    *("sources", "load", "kinds", "amend", "check", "link", "evaluate", "compose"),
    *("worker", "typeset", "impose", "finish", "raster", "publish"),
)
BESIDE = ("store", "watch", "serve")
"""What stands beside the stages and is used as they are: what is kept between builds, what happens to files, what a browser sees."""
DESK = ("packs", "scaffold", "save", "intake", "read_form", "transcribe", "website", "rename", "editor")
"""Stages that make and change what a writer edits."""

STAGES += DESK
TELLERS = ("report", "export", "differ", "dump")
"""What is told to people and tools: no stages; the command line uses them as it stands."""

OWNERS = {
    "yaml": ("load",),
    "jsonschema": ("check",),
    "referencing": ("check",),
    "packaging": ("link",),
    "markdown_it": ("language.text",),
    "jinja2": ("worker",),
    "markupsafe": ("worker",),
    "weasyprint": ("worker",),
    "cssselect2": ("worker.selectors",),
    "_cffi_backend": ("worker.declared",),
    "tinycss2": ("worker",),
    "tinyhtml5": ("worker.bounds",),
    "fontTools": ("worker.subset",),
    "pikepdf": (
        *("worker.extract", "worker.finish", "worker.form", "worker.onto", "worker.part", "worker.sheet", "worker.structure"),
        *("impose.whole", "finish"),
    ),
    "pypdfium2": ("raster", "worker.structure"),
    "PIL": ("raster", "finish", "worker.theme"),
    "click": ("cli",),
    "watchfiles": ("watch",),
}
"""Each package of other people, and the only places that import it."""

CHANCE = ("time", "datetime", "random", "secrets", "uuid", "calendar", "locale", "tempfile")
CLOCKS = {
    "cli.stopwatch": ("time",),
    "typeset.process": ("time",),
    "worker.program": ("time",),
    "core.scratch": ("tempfile",),
    "watch": ("time",),
}
"""Where a clock or a folder of chance may be asked for: to tell how long a build took, and to end what takes too long."""

MOST_LINES = 400
LONG = {
    "core.vocabulary": 650,
    "evaluate.record": 486,
    "evaluate.sheets": 491,
    "language.dice.build": 450,
}
"""Modules that are longer than that, and how long they may be at most: they shrink, and none is added."""

OTHER_SENSE = {
    "body": ("worker",),
    "box": ("core.face",),
    "breaks": ("language.text",),
    "character": ("check",),
    "chance": ("cli.gallery",),
    "chosen": ("language.phrases",),
    "drop": ("compose.themes", "worker"),
    "example": ("language.chapter",),
    "family": ("language.dice", "worker"),
    "files": ("cli", "publish", "unchanged"),
    "gap": ("core.profile",),
    "hidden": ("worker",),
    "hints": ("report", "cli.gallery"),
    "known": ("worker",),
    "line": ("report", "cli.gallery", "cli.talk", "core.finding", "worker"),
    "lose": ("evaluate.record",),
    "marks": ("core.profile",),
    "none": ("compose", "finish", "serve.http"),
    "odds": ("cli",),
    "outcome": ("language.dice",),
    "pairs": ("language.phrases",),
    "place": ("report",),
    "price": ("compose.view", "language.phrases"),
    "sheets": ("core.profile", "finish", "impose"),
    "sign": ("language.expression", "language.phrases", "worker"),
    "test": ("cli", "worker.grammar"),
    "text": ("check", "cli", "compose", "core", "language", "report", "worker"),
}
"""Plain words that a game has declared too, and where the compiler says them in a sense of its own: an element of HTML, the form of an
answer, a part of a die, a slot of a sentence."""

OF_OTHERS = ("worker.agent",)
"""What a script writes of the words of other people's packages."""


def name_of(path: Path) -> str:
    """The name of a module inside the package: `core.span`; empty for the package itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports_of(path: Path) -> Iterator[tuple[str, bool]]:
    """What a module imports, in full, and whether only for its annotations."""
    tree = tree_of(path)
    annotations = {
        inner for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test) for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node in annotations) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            module = str(node.module)
            yield module, node in annotations
            if module.partition(".")[0] == PACKAGE.name:
                yield from ((f"{module}.{alias.name}", node in annotations) for alias in node.names)


def wants(path: Path, *, annotations: bool = True) -> set[str]:
    """The modules of the package that a module imports, by their names inside it."""
    names = {name_of(p) for p in MODULES}
    ours = [m for m, only in imports_of(path) if m.partition(".")[0] == PACKAGE.name and (annotations or not only)]
    found = {m.removeprefix(PACKAGE.name).lstrip(".") for m in ours}
    return found & names - {name_of(path)}


def layer(name: str) -> str:
    return name.partition(".")[0]


def below(name: str, places: tuple[str, ...]) -> bool:
    return any(name == place or name.startswith(f"{place}.") for place in places)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_down(path: Path) -> None:
    name = name_of(path)
    here = layer(name)
    allowed: dict[str, tuple[str, ...]] = {
        "": (),
        "__main__": ("core", "cli"),
        "core": ("core",),
        "language": ("core", "language"),
        "worker": ("core", "worker"),
        "pipeline": ("core", "language", *STAGES, *BESIDE, "pipeline"),
        "unchanged": ("core", "sources", "store"),
        "cli": ("", "core", "language", "pipeline", "cli", "sources", "store", "unchanged", "watch", "serve", *TELLERS),
        **dict.fromkeys(TELLERS, ("core", "language")),
    }
    may = allowed.get(here, ("core", "language", here) if here in (*STAGES, *BESIDE) else ())
    known = here in allowed or here in (*STAGES, *BESIDE)
    assert known, f"{name} is in no layer: say where it stands in this test and in docs/architecture.md"
    # `from seasons_build import __version__` names the package, which imports nothing.
    bad = sorted(m for m in wants(path) if m and layer(m) not in may)
    assert not bad, f"{name} imports {', '.join(bad)}"
    assert here != "pipeline" or "worker" not in {layer(m) for m in wants(path)}, "the worker is a program of its own: typeset speaks to it"


def test_other_peoples_packages_have_one_owner() -> None:
    used: dict[str, set[str]] = {}
    for path in MODULES:
        for module, _ in imports_of(path):
            top = module.partition(".")[0]
            if top != PACKAGE.name and top not in sys.stdlib_module_names:
                used.setdefault(top, set()).add(name_of(path))
    assert used.keys() == OWNERS.keys()
    strays = {(package, name) for package, names in used.items() for name in names if not below(name, OWNERS[package])}
    assert not strays


def test_records_are_ours() -> None:
    """Python's own `dataclass` takes ten times as long to define one."""
    strays = {
        name_of(path)
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses" and any(alias.name == "dataclass" for alias in node.names)
    }
    assert strays == {"core.record"}


def test_no_circle_of_imports() -> None:
    needs = {name_of(p): wants(p, annotations=False) for p in MODULES}
    # A package that gathers what stands in it is no circle: only its modules count, not the name above them.
    for name, wanted in needs.items():
        wanted -= {p for p in wanted if name.startswith(f"{p}.")} if name else set()
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way[way.index(name) :], name))
        if name not in done:
            for needed in sorted(needs.get(name, ())):
                visit(needed, (*way, name))
            done.add(name)

    for name in needs:
        visit(name, ())


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_clock_and_no_chance(path: Path) -> None:
    name = name_of(path)
    asked = {module.partition(".")[0] for module, _ in imports_of(path)} & set(CHANCE)
    assert asked <= set(CLOCKS.get(name, ())), f"{name} imports {sorted(asked)}"
    if not below(name, ("cli", "typeset", "worker.program", "sources.revision", "core.beside")):
        touched = {n.attr for n in ast.walk(tree_of(path)) if isinstance(n, ast.Attribute) and n.attr in ("environ", "getenv", "urandom")}
        assert not touched, f"{name} reads {touched}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_is_silenced(path: Path) -> None:
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.COMMENT:
            assert "type:" not in token.string and "noqa" not in token.string, f"{path}:{token.start[0]}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_everything_says_what_it_is(path: Path) -> None:
    tree = tree_of(path)
    assert ast.get_docstring(tree), f"{path} has no docstring"
    silent = [name for name, node in _public(tree, "") if not ast.get_docstring(node)]
    assert not silent, f"{name_of(path)}: {', '.join(silent)}"


def _public(body: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    """Public classes, and the public functions and methods that need words: what is short says it with its name, and what a class has
    from a base or a protocol is described there."""
    for node in body.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield f"{prefix}{node.name}", node
            if all(isinstance(base, ast.Name) and base.id in ("Protocol", "Exception", "NamedTuple") for base in node.bases):
                yield from _public(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and len(node.body) > 3 and node.name not in _described():
            yield f"{prefix}{node.name}", node


@cache
def _described() -> frozenset[str]:
    return frozenset(
        method.name
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)
        for method in node.body
        if isinstance(method, ast.FunctionDef)
    )


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_are_short(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONG.get(name_of(path), MOST_LINES), f"{name_of(path)} has {lines} lines: it is probably two"


# No game in Python


def declared() -> dict[str, str]:
    """Every id that a game declares, with the place of one declaration: packs, kinds and their fields, entries, and all nouns."""
    found: dict[str, str] = {}
    for schema in sorted((ROOT / "schemas").glob("*/*.json")):
        pack = schema.parent.name
        if pack != "core":
            found.setdefault(pack, str(schema))
            found.setdefault(schema.stem, str(schema))
            for field in _properties(json.loads(schema.read_text(encoding="utf-8"))):
                found.setdefault(field, str(schema))
    for file in sorted((ROOT / "content").rglob("*.yaml")):
        if file.name == "pack.yaml":
            continue
        data = yaml.load(file.read_text(encoding="utf-8"), getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        for kind, entries in data.items():
            for name, body in _named(kind, entries):
                found.setdefault(name, f"{file}: {kind}")
                found.update({more: f"{file}: {kind}/{name}" for more in _inner(kind, body) if more not in found})
    return {name: where for name, where in found.items() if not name.isdigit()}


def _properties(body: object) -> Iterator[str]:
    if isinstance(body, dict):
        for name, inner in body.items():
            if name == "properties" and isinstance(inner, dict):
                yield from inner
            yield from _properties(inner)
    elif isinstance(body, list):
        for item in body:
            yield from _properties(item)


def _named(kind: str, entries: object) -> Iterator[tuple[str, object]]:
    if isinstance(entries, dict):
        for name, body in entries.items():
            if kind == "rules" and isinstance(body, dict):
                if name not in ("phrases", "cases"):
                    yield from body.items()
            elif kind != "rules":
                yield name, body


def _inner(kind: str, body: object) -> Iterator[str]:
    """Ids that stand inside an entry or a noun: actions, members of a family, derived values, parameters, outcomes, tags."""
    if not isinstance(body, dict):
        return
    for word in ("actions", "options", "derive", "takes", "give", "let"):
        inner = body.get(word)
        yield from inner if isinstance(inner, dict) else ()
    for word in ("each", "tags", "groups", "members"):
        inner = body.get(word)
        yield from (str(i) for i in inner if isinstance(i, str)) if isinstance(inner, list) else ()
    for rung in body.get("outcomes") or () if isinstance(body.get("outcomes"), list) else ():
        yield from rung if isinstance(rung, dict) else (str(rung),)


def core_words() -> set[str]:
    """What the language itself names: its vocabulary, the words of schemas, and the properties of its own blocks."""
    words = {*vocabulary.words(), *kinds.WORDS, *kinds.TYPES, *kinds.WANTS, *kinds.ROLES, "role"}
    for schema in (ROOT / "schemas" / "core").glob("*.json"):
        words.add(schema.stem)
        words.update(_properties(json.loads(schema.read_text(encoding="utf-8"))))
    return words


def literals(path: Path) -> Iterator[tuple[str, int]]:
    """Whole strings of a module that are no docstrings, with their lines."""
    tree = tree_of(path)
    words = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}
    inside = {id(v) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for v in n.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words | inside:
            yield node.value, node.lineno


def test_no_game_in_python() -> None:
    forbidden = {name: where for name, where in declared().items() if name not in core_words()}
    assert len(forbidden) > 100, "the games are not where this test looks"
    found = [
        f"{path.relative_to(ROOT)}:{line}: `{text}` is declared in {forbidden[text]}"
        for path in MODULES
        if name_of(path) not in OF_OTHERS
        for text, line in literals(path)
        if text in forbidden and not below(name_of(path), OTHER_SENSE.get(text, ()))
    ]
    assert not found, "\n".join(found)

"""What guided fuzzing aims at: for each door through which a stranger's bytes come in, a function that takes any bytes and must come back.

What may come out is a value, findings with their place, or the one refusal that the door is written for. Everything else (a fall, a stack
that is too deep, a character that would reach a terminal raw) is a fault, and the bytes become a file of `corpus/`.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

from expression_world import World

from seasons_build.core.diagnostic import Diagnostic, errors
from seasons_build.core.escapes import UNSAFE
from seasons_build.core.face import decode, encode
from seasons_build.core.finding import Finding
from seasons_build.core.kind import Kind
from seasons_build.core.limits import DEFAULT
from seasons_build.core.pattern import why_not
from seasons_build.core.wire import WireError, read_message
from seasons_build.intake.spreadsheet import read_rows
from seasons_build.language import expression as ex
from seasons_build.language.chapter import outline
from seasons_build.language.phrases.template import TemplateFault as PhraseFault
from seasons_build.language.phrases.template import parse as parse_phrase
from seasons_build.language.text import to_html
from seasons_build.load import load
from seasons_build.pipeline.intake import plain
from seasons_build.report import render
from seasons_build.serve.http import Refused, Server
from seasons_build.sources.archive import ArchiveTree
from seasons_build.sources.trees import CannotRead
from seasons_build.worker.css import read_sheet
from seasons_build.worker.render import Renderer, TemplateFault
from seasons_build.worker.sheet import Unreadable, read_fields
from seasons_build.worker.theme import picture_type

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
WORLD = World(
    {
        "a": (ex.NUMBER, 3),
        "b.c": (ex.NUMBER, -7),
        "t": (ex.TRUTH, True),
        "w": (ex.one_of(("x", "y")), "x"),
        "l": (ex.LIST, [None] * 3),
    }
)
GIVEN = {"x": {"y": [1, "a", {"z": "<b>"}], "n": "-3"}, "entry": {"name": "Fox", "rules": "Say."}, "items": [["a", "b"], [1, 2]]}
LONGER = {"E403", "E404"}
"""An expression that is written out has more spaces and brackets than it was typed with: it may be too long then."""
ICONS = defaultdict(lambda: "A")
"""An icon for every name: which there are is looked at before."""
SCHEMA = {
    "properties": {
        "name": {"type": "string"},
        "weight": {"type": "integer"},
        "marks": {"type": "array", "items": {"type": "string"}},
        "price": {"x-expr": "number"},
        "art": {"type": "object", "properties": {"credit": {"type": "string"}}},
    }
}
KIND = Kind("coat", "suite", "Coat", "A coat.", SCHEMA, ())
MADE = frozenset(
    (
        *("p", "em", "strong", "ul", "ol", "li", "br", "a", "span", "code", "table", "thead", "tbody", "tr", "th", "td", "hr"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "b", "i", "dfn"),
    )
)
"""The elements that our small text may become."""


class _Looked(HTMLParser):
    """Holds markup to what our small text may become."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in MADE, tag
        for name, value in attrs:
            assert name in ("class", "href", "id", "start", "style", "colspan"), name
            assert name != "href" or (value or "").startswith(("#", "http:", "https:", "mailto:")), value
            assert name != "style" or (value or "").startswith("text-align:"), value

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def _told(findings: Iterable[Diagnostic], texts: Mapping[str, str] | None = None) -> None:
    """Holds findings to what is true of each: a place, and words that are safe on a terminal."""
    found = list(findings)
    assert all(d.span is None or (d.span.line >= 1 and d.span.column >= 1) for d in found)
    for form in ("text", "line", "json", "github"):
        assert not UNSAFE.search(render(found, form, (texts or {}).get).replace("\n", "")), form


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def yaml(data: bytes) -> None:
    """A file of content, with libyaml and without it: the same verdict."""
    result = load("a.yaml", data, DEFAULT)
    text = result.value.source if result.value is not None else _text(data)
    _told(result.diagnostics, {"a.yaml": text})
    if len(data) < 400:
        other = load("a.yaml", data, DEFAULT, pure=True)
        assert bool(errors(other.diagnostics)) == bool(errors(result.diagnostics))
        if result.value is not None and not result.diagnostics:
            assert other.value is not None and other.value.data == result.value.data


def expression(data: bytes) -> None:
    """An expression: compiled and worked out, twice with the same result."""
    text = _text(data)
    for want in (ex.NUMBER, ex.TRUTH, ex.DICE, None):
        found = ex.compile_expression(text, WORLD, want)
        assert all(0 <= p.start <= p.end <= max(len(text), 1) for p in found.problems)
        if found.value is not None:
            result = found.value.run(WORLD)
            assert found.value.run(WORLD) == result
            again = ex.compile_expression(ex.text_of(found.value.tree), WORLD, want)
            if again.value is None:
                assert {problem.code for problem in again.problems} <= LONGER
                continue
            repeated = again.value.run(WORLD)
            assert repeated.code == result.code if isinstance(result, ex.Problem) else repeated == result


def template(data: bytes) -> None:
    """A template: printed, or refused as templates are."""
    with contextlib.suppress(TemplateFault):
        Renderer({"main": _text(data), "other": "{% block a %}{{ x.n }}{% endblock %}"}, {"ap": "x"}, DEFAULT).render("main", GIVEN)


def stylesheet(data: bytes) -> None:
    """A stylesheet, read before the typesetter sees it."""
    sheet = read_sheet("a.css", _text(data), frozenset(("fonts/a.ttf",)), frozenset(("b.css",)))
    assert all(name == "b.css" for name in sheet.imports)


def picture(data: bytes) -> None:
    """A picture or a drawing: a type, or why it has none."""
    found = picture_type("images/a", data, DEFAULT)
    assert isinstance(found, Finding) or found.startswith("image/")


def pack(data: bytes) -> None:
    """A pack in an archive: names that stay inside, files no larger than they may be."""
    with tempfile.NamedTemporaryFile(dir=_PLACE, suffix=".zip") as file:
        file.write(data)
        file.flush()
        tree = ArchiveTree(Path(file.name))
        tree.called()
        for name in tree.names():
            assert not tree.refusal()
            assert ".." not in name.split("/") and not name.startswith("/") and "\\" not in name and ":" not in name
            with contextlib.suppress(CannotRead):
                assert len(tree.read(name)) <= DEFAULT.pack_file_bytes


def request(data: bytes) -> None:
    """The head of a request to the server of `serve`: refused, or a path that is one of those that can be."""
    with contextlib.suppress(Refused):
        method, path, query = SERVER._judged(data.partition(b"\r\n\r\n")[0])
        assert method in ("GET", "HEAD")
        assert path.startswith("/") and not path.startswith("//") and not set(path) & set('\\\0\r\n<>"')
        assert len(query) <= 32


def spreadsheet(data: bytes) -> None:
    """A spreadsheet saved as CSV."""
    result = read_rows("a.csv", data, KIND, plain)
    _told(result.diagnostics, {"a.csv": result.value.source if result.value is not None else _text(data)})


def sheet(data: bytes) -> None:
    """A filled sheet, as a PDF."""
    with contextlib.suppress(Unreadable):
        read_fields(data)


def kept(data: bytes) -> None:
    """What a worker answers and what a cache holds: a message, and a face in it."""
    with contextlib.suppress(WireError):
        read_message(BytesIO(data), 1 << 20)
    with contextlib.suppress(ValueError):
        face = decode(data)
        assert decode(encode(face)) == face


def phrase(data: bytes) -> None:
    """A sentence of a game's phrases, with its slots."""
    with contextlib.suppress(PhraseFault):
        _ = parse_phrase(_text(data)).slots


def prose(data: bytes) -> None:
    """Text that people read, on a card and in a chapter: markup of ours, and none that was typed."""
    text = _text(data)
    for long in (False, True):
        made = to_html(text, ICONS, lambda target: "link", long=long)
        looked = _Looked()
        looked.feed(made)
        looked.close()
    outline(text)


def pattern(data: bytes) -> None:
    """A pattern of a schema: refused, or it ends soon on any text."""
    wanted, _, held = _text(data).partition("\n")
    if not why_not(wanted, DEFAULT.pattern_characters):
        re.search(wanted, held[: DEFAULT.pattern_text])
        re.search(wanted, (held[:3] or "a") * 300)


_PLACE = "/dev/shm" if Path("/dev/shm").is_dir() else None
SERVER = Server(lambda path, query: None)
SERVER.port = 8000
SERVER._loop.close()

TARGETS: Mapping[str, Callable[[bytes], None]] = {
    target.__name__: target
    for target in (
        *(yaml, expression, template, stylesheet, picture, pack, request),
        *(spreadsheet, sheet, kept, phrase, prose, pattern),
    )
}


def seeds(name: str) -> list[bytes]:
    """Inputs to begin with, from what lies in the repository."""
    hostile = TESTS / "adversarial"
    found: dict[str, Iterable[Path]] = {
        "yaml": [*(hostile / "yaml").glob("*.yaml"), *(hostile / "control").glob("*"), *sorted((ROOT / "content").rglob("*.yaml"))[:25]],
        "expression": (hostile / "expr").glob("*.expr"),
        "template": [*(hostile / "template").glob("*.j2"), *(ROOT / "templates").rglob("*.j2")],
        "stylesheet": [*(hostile / "render").glob("*.css"), *(ROOT / "templates").rglob("*.css")],
        "picture": [*(hostile / "render").glob("*.svg"), *(hostile / "render").glob("*.png"), *(ROOT / "templates").rglob("*.svg")],
        "pack": (hostile / "pack").glob("*"),
        "request": (hostile / "server").glob("*"),
    }
    own = sorted((Path(__file__).parent / "corpus" / name).glob("*"))
    return [path.read_bytes() for path in (*own, *sorted(found.get(name, ()))) if path.is_file() and path.stat().st_size < 100_000]

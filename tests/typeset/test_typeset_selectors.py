"""Selectors that are made ready when they are first asked are the selectors that they would have been."""

from __future__ import annotations

import builtins
import re
from pathlib import Path

import pytest
import tinycss2
from cssselect2 import ElementWrapper, compiler
from tinyhtml5 import parse

from seasons_build.worker import selectors

ROOT = Path(__file__).parents[2]
CARDS = sorted((ROOT / "tests" / "fixtures" / "look").glob("*/*.html"))
SHEETS = sorted((ROOT / "templates").rglob("*.css"))


def matched(prelude: str, page: ElementWrapper) -> list[bool]:
    return [bool(test.test(element)) for test in compiler.compile_selector_list(prelude) for element in page.iter_subtree()]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_matches_what_it_would_have_matched(sheet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tinycss2.parse_stylesheet(sheet.read_text(encoding="utf-8"), skip_comments=True, skip_whitespace=True)
    preludes = [tinycss2.serialize(rule.prelude) for rule in rules if rule.type == "qualified-rule"]
    pages = [ElementWrapper.from_html_root(parse(path.read_text(encoding="utf-8"))) for path in CARDS]
    later = [matched(prelude, page) for prelude in preludes for page in pages]
    monkeypatch.setattr(compiler, "eval", builtins.eval)
    assert later == [matched(prelude, page) for prelude in preludes for page in pages]


@pytest.mark.parametrize("prelude", ["p", "p:empty", "p:has(b)", "p > :not(:has(i, b)) b", ":is(a:empty) b", "p:last-child"])
def test_what_it_asks_for_is_known_before_it_is_compiled(prelude: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("etree_children", "iter_children", "iter_subtree")
    (later,) = compiler.compile_selector_list(prelude)
    monkeypatch.setattr(compiler, "eval", builtins.eval)
    (now,) = compiler.compile_selector_list(prelude)
    assert selectors.asks(later.test, names) == selectors.asks(now.test, names) == (":empty" in prelude or ":has" in prelude)


PRELUDES = ("b", "*", ".k", "b.k", "i b", "i > b", "i + b", "i ~ b", "* > b", "b:first-child", "b:last-child", "i b + b", "#of > i ~ .k")
PAGE = '<p id="of"><i class="k"><b>1</b></i><b class="k j">2</b><span><i><b>3</b><b>4</b></i></span><b>5</b></p><p><b class="k">6</b></p>'


@pytest.mark.parametrize("prelude", PRELUDES)
def test_what_it_matches_hangs_on_no_source(prelude: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ElementWrapper.from_html_root(parse(PAGE))
    monkeypatch.setattr(builtins, "eval", lambda *_: pytest.fail("a plain selector is compiled"))
    plain = matched(prelude, page)
    monkeypatch.undo()
    monkeypatch.setattr(compiler, "eval", eval)
    assert plain == matched(prelude, page)
    assert any(plain) and (prelude == "*" or not all(plain))


def test_it_is_compiled_when_it_is_asked_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(builtins, "eval", lambda source, *_: compiled.append(source) or (lambda element: True))
    (selector,) = compiler.compile_selector_list("p:empty > b")
    assert compiled == []
    assert selector.test(None) and selector.test(None)
    assert len(compiled) == 1 and re.match("lambda el: ", compiled[0])


def test_one_that_is_too_deep_is_found_when_it_is_read() -> None:
    with pytest.raises(SyntaxError):
        compiler.compile_selector_list("p > :is(" * 110 + "p" + ")" * 110)

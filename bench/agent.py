"""Writes seasons_build/worker/agent.py: WeasyPrint's own stylesheets, as they are once they are read. `make declared` runs it when the pin
of WeasyPrint, tinycss2 or cssselect2 was raised; where it was not run, a worker reads the sheets anew at each start."""

from __future__ import annotations

import io
import tokenize
import unicodedata
from pathlib import Path
from typing import Any

import cssselect2
from tinycss2.ast import IdentToken
from weasyprint import CSS
from weasyprint.css.counters import CounterStyle
from weasyprint.html import UA, UA_FORM

from seasons_build.worker.beforehand import digest, of_tag

TARGET = Path(__file__).resolve().parent.parent / "seasons_build" / "worker" / "agent.py"
HEAD = '''"""The typesetter's own stylesheets as it reads them: `beforehand` gives them to it. Written by `make declared`."""

from __future__ import annotations

from math import inf
from typing import Any

from tinycss2.ast import IdentToken
from weasyprint.css.properties import Dimension

_COUNTER = ("system", "negative", "prefix", "suffix", "range", "pad", "fallback", "symbols", "additive_symbols")


def _counter(**given: Any) -> dict[str, Any]:
    return {**dict.fromkeys(_COUNTER), **given}


def _texts(*texts: str) -> tuple[Any, ...]:
    return tuple(("string", text) for text in texts)


def _weighed(weights: dict[int, str]) -> tuple[Any, ...]:
    return tuple((weight, ("string", text)) for weight, text in weights.items())


SHEETS: dict[str, tuple[Any, ...]]
"""By digest: what is declared and the selectors that it is for, what is declared for boxes of pages, and counter styles. Most selectors are
the name of an element; of the others stand the source, the specificity, what is meant inside the element, and its name."""
'''
PLAIN = ("id", "class_name", "namespace", "requires_lang_attr")
"""What no selector of these sheets asks for."""
COUNTER = {"system", "negative", "prefix", "suffix", "range", "pad", "fallback", "symbols", "additive_symbols"}
WIDTH, PIECE = 140, 50


def text() -> str:
    """The module."""
    return f"{HEAD}{_filled(f'SHEETS={_written({digest(sheet): _read(sheet) for sheet in (UA, UA_FORM)})}')}\n"


def _read(sheet: str) -> tuple[Any, ...]:
    """What WeasyPrint makes of a sheet."""
    rules: list[tuple[Any, list[Any]]] = []

    class Matcher(cssselect2.Matcher):
        def add_selector(self, selector: Any, payload: Any) -> None:
            declarations, layer = payload
            assert layer is None and not any(getattr(selector, name) for name in PLAIN)
            if not rules or rules[-1][0] is not declarations:
                rules.append((declarations, []))
            whole = (selector.test, selector.specificity, selector.pseudo_element, selector.local_name)
            rules[-1][1].append(selector.local_name if whole == of_tag(selector.local_name or "") else whole)

    compiler = vars(cssselect2.compiler)
    before = compiler["eval"]
    compiler["eval"] = lambda source, *_: source
    counters = CounterStyle()
    try:
        css = CSS(string=sheet, counter_style=counters, matcher=Matcher())
    finally:
        compiler["eval"] = before
    assert not css.layers
    pages = []
    for _, ((specificity, box, page),), declarations in css.page_rules:
        assert not any((*specificity, *page))
        pages.append((box, _unpressed(declarations)))
    return [(_unpressed(declarations), found) for declarations, found in rules], pages, dict(counters)


def _unpressed(declarations: list[tuple[str, Any, bool]]) -> list[tuple[str, Any]]:
    """Declarations of which none is `!important`."""
    assert not any(important for _, _, important in declarations)
    return [(name, value) for name, value, _ in declarations]


def _written(value: Any) -> str:
    """A value as Python says it."""
    match value:
        case IdentToken():
            return f"IdentToken({value.source_line}, {value.source_column}, {value.value!r})"
        case tuple() if hasattr(value, "_fields"):
            return f"{type(value).__name__}({', '.join(map(_written, value))})"
        case tuple(["string", str()]):
            return repr(value)
        case tuple([tuple(["string", str()]), *_]):
            symbols = [symbol for _, symbol in value]
            short = all(len(symbol) == 1 for symbol in symbols)
            return f"_texts(*{_written(''.join(symbols))})" if short else f"_texts({', '.join(map(repr, symbols))})"
        case tuple([tuple([int(), tuple(["string", str()])]), *_]):
            return f"_weighed({ {weight: symbol for weight, (_, symbol) in value} })"
        case list():
            return f"[{', '.join(map(_written, value))}]"
        case tuple():
            return f"({', '.join(map(_written, value))}{',' if len(value) == 1 else ''})"
        case dict() if value.keys() == COUNTER:
            return f"_counter({', '.join(f'{key}={_written(part)}' for key, part in value.items() if part is not None)})"
        case dict():
            return f"{{{', '.join(f'{_written(key)}: {_written(part)}' for key, part in value.items())}}}"
        case set():
            return f"{{{', '.join(map(_written, sorted(value)))}}}"
        case str():
            return " ".join(repr(value[start : start + PIECE]) for start in range(0, len(value), PIECE)) or "''"
        case int() | float() | None:
            return repr(value)
    raise TypeError(f"{value!r} cannot be written")


def _filled(code: str) -> str:
    """Code in lines that are not too long."""
    lines, piece = [""], ""
    before: tokenize.TokenInfo | None = None
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        ends = before is not None and before.string == "," and token.string != ")"
        if ends or not token.string or (before is not None and before.type == token.type == tokenize.STRING):
            more = f"{lines[-1]} {piece}".strip()
            lines[-1:] = [more] if _wide(more) <= WIDTH else [lines[-1], piece]
            piece = ""
        piece += f" {token.string}" if piece and before is not None and before.string == ":" else token.string
        before = token
    return "\n".join(lines)


def _wide(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")

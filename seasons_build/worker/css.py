"""Stylesheets, read before the typesetter reads them: the fonts they declare and name, the files they ask for, what they may not do.

In goes the text of one sheet, out comes a `Sheet`. No cascade is worked out here.

A sheet is cut into tokens once: where the typesetter reads the same text next, it is given those that there are. This replaces the name
`parse_component_value_list` where tinycss2 parses; a test reads sheets with it and without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import tinycss2
from tinycss2 import parser

from seasons_build.core.finding import Finding
from seasons_build.core.named import NamedTuple
from seasons_build.worker.tokens import cut

_ADDRESS_FUNCTIONS = frozenset(("url", "src"))
_TELLING = frozenset((*_ADDRESS_FUNCTIONS, "local", "at-keyword", "string", "{} block"))
_BRACKETS = ("() block", "[] block")
_DEPTH = 20
_PLAIN = {"font-weight": "normal 400", "font-style": "normal normal", "font-stretch": "normal 100%"}
"""What a weight, a slope and a width are where none is said, in either spelling."""
_BOLD = {"bold": "700"}
_NO_MACHINE_FONTS = "a font of the machine may not be used"


class FontFace(NamedTuple):
    """One `@font-face`: the family it declares, the files it may come from, its weight, slope and width, and where it stands."""

    family: str
    files: tuple[str, ...]
    style: tuple[str, ...]
    line: int
    column: int


class Named(NamedTuple):
    """A font family that a sheet asks for in quotes, and where."""

    family: str
    line: int
    column: int


class Sheet(NamedTuple):
    """One stylesheet. `imports` are the sheets that come before it; `usable` says whether the typesetter may see it."""

    name: str
    text: str
    imports: tuple[str, ...]
    faces: tuple[FontFace, ...]
    named: tuple[Named, ...]
    findings: tuple[Finding, ...]
    usable: bool = True


def read_sheet(name: str, text: str, files: frozenset[str], sheets: frozenset[str]) -> Sheet:
    """What the sheet holds; `files` are the addresses that the theme answers, `sheets` the names of its sheets."""
    reading = _Reading(name, files, sheets)
    tokens = cut(text)
    reading.rules(tinycss2.parse_stylesheet(tokens, skip_comments=True, skip_whitespace=True), 0)
    if not reading.too_deep:
        _tokens[text] = tokens
    imports, faces, named = tuple(reading.imports), tuple(reading.faces), tuple(reading.named)
    return Sheet(name, text, imports, faces, named, tuple(reading.findings), not reading.too_deep)


class _Reading:
    """One sheet being read."""

    def __init__(self, name: str, files: frozenset[str], sheets: frozenset[str]) -> None:
        self.imports: list[str] = []
        self.faces: list[FontFace] = []
        self.named: list[Named] = []
        self.findings: list[Finding] = []
        self.too_deep = False
        self._name = name
        self._files = files
        self._sheets = sheets

    def rules(self, rules: Sequence[Any], depth: int) -> None:
        """Reads rules and declarations, and the blocks inside them."""
        if depth > _DEPTH and rules:
            if not self.too_deep:
                self._find("E616", rules[0], detail=f"blocks stand inside more than {_DEPTH} others")
            self.too_deep = True
            return
        for rule in rules:
            match rule.type:
                case "at-rule" if rule.lower_at_keyword == "import":
                    self._import(rule)
                case "at-rule" if rule.lower_at_keyword == "font-face":
                    self._font_face(rule)
                case "at-rule" | "qualified-rule":
                    if _tells(rule.prelude):
                        self._addresses(rule.prelude)
                    if rule.content is not None and _tells(rule.content):
                        self.rules(tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True), depth + 1)
                case "declaration":
                    self._addresses(rule.value)
                    if rule.lower_name in ("font", "font-family"):
                        self.named.extend(Named(t.value, t.source_line, t.source_column) for t in rule.value if t.type == "string")

    def _import(self, rule: Any) -> None:
        tokens = [token for token in rule.prelude if token.type not in ("whitespace", "comment")]
        address = _address(tokens[0]) if len(tokens) == 1 else None
        if address is None and tokens and tokens[0].type == "string" and len(tokens) == 1:
            address = tokens[0].value
        if address is None:
            self._find("E616", rule, text="@import", detail="expected the name of one stylesheet and nothing else")
        elif address not in self._sheets:
            self._find("E617", rule, text=address, choices=tuple(sorted(self._sheets)))
        else:
            self.imports.append(address)

    def _font_face(self, rule: Any) -> None:
        family, files, style = "", [], dict.fromkeys(_PLAIN, "")
        for part in tinycss2.parse_blocks_contents(rule.content or [], skip_comments=True, skip_whitespace=True):
            if part.type != "declaration":
                continue
            if part.lower_name == "font-family":
                family = " ".join(token.value for token in part.value if token.type in ("string", "ident"))
            elif part.lower_name in style:
                value = _said(part.value).strip().lower()
                style[part.lower_name] = "" if value in _PLAIN[part.lower_name].split() else _BOLD.get(value, value)
            elif part.lower_name == "unicode-range":
                self._find("E618", part, text="unicode-range", detail="one family and style is drawn from one file")
            elif part.lower_name == "src":
                self._addresses(part.value)
                files = [address for token in part.value if (address := _address(token)) is not None]
        if family:
            self.faces.append(FontFace(family, tuple(files), tuple(style.values()), rule.source_line, rule.source_column))

    def _addresses(self, tokens: Sequence[Any]) -> None:
        """Every address must be a file of the theme, or a place in the document."""
        for token in _flat(tokens):
            if token.type == "function" and token.lower_name == "local":
                self._find("E618", token, text=_said(token.arguments), detail=_NO_MACHINE_FONTS)
            address = _address(token)
            if address is not None and not address.startswith("#") and inside(address) not in self._files:
                self._find("E617", token, text=address, choices=tuple(sorted(self._files)))

    def _find(self, code: str, at: Any, *, text: str = "", detail: str = "", choices: tuple[str, ...] = ()) -> None:
        place = {"file": self._name, "line": at.source_line, "column": at.source_column}
        self.findings.append(Finding(code, text=text, detail=detail, choices=choices, **place))


def _flat(tokens: Sequence[Any]) -> Iterator[Any]:
    waiting = list(reversed(tokens))
    while waiting:
        token = waiting.pop()
        yield token
        inner = token.arguments if token.type == "function" else getattr(token, "content", None)
        if isinstance(inner, list):
            waiting.extend(reversed(inner))


def _tells(tokens: Sequence[Any]) -> bool:
    """Whether tokens may hold what is read here: a block, a family in quotes, an address. Most hold none."""
    waiting = [tokens]
    for inside in waiting:
        for token in inside:
            kind = token.type
            if kind in _TELLING:
                return True
            if kind == "function":
                if token.lower_name in _TELLING:
                    return True
                waiting.append(token.arguments)
            elif kind in _BRACKETS:
                waiting.append(token.content)
    return False


def _said(tokens: Sequence[Any]) -> str:
    """Tokens as a sheet says them, without its comments."""
    return str(tinycss2.serialize([token for token in tokens if token.type != "comment"]))


def _address(token: Any) -> str | None:
    """The address in `url(x)` or `url("x")`."""
    if token.type == "url":
        return str(token.value)
    if token.type == "function" and token.lower_name in _ADDRESS_FUNCTIONS:
        return "".join(str(part.value) for part in token.arguments if part.type == "string")
    return None


def inside(address: str) -> str:
    """An address as the theme lists it: sheets may lie in folders, files never do."""
    while address.startswith(("../", "./")):
        address = address.partition("/")[2]
    return address


_tokens: dict[str, list[Any]] = {}
"""Texts that were read here and not yet by the typesetter, in tokens."""
_CUT = parser.parse_component_value_list


def _cut(text: str, skip_comments: bool = False) -> Any:
    """As tinycss2's own: a text in tokens."""
    if skip_comments:
        return _CUT(text, skip_comments)
    return cut(text) if (known := _tokens.pop(text, None)) is None else known


parser.parse_component_value_list = _cut

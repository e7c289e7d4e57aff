"""What a template may hold: a written list of nodes, filters, tests and calls, checked on the parsed tree before anything is compiled.

In goes a tree as Jinja parsed it; out comes what it leads to, or a `NotAllowed` with the line. Templates put text in places and nothing
else: no arithmetic, no call but of a macro, no name that begins with `_`, no template whose name is worked out. What keeps a page bounded
is woven in afterwards: every loop is charged for its rounds, and `~` joins only what can be printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jinja2 import Environment, nodes

from seasons_build.core.named import NamedTuple
from seasons_build.core.regex import regex

DEPTH = 60
LOOP_DEPTH = 12
EACH = "_each"
SAID = "_said"
"""Filters of ours that no template can write: the first charges a loop, the second refuses to print what is no text."""

_UNCLOSED = regex(r"innermost block that needs to be closed is '(\w+)'")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FILTERS = _words(
    "capitalize count d default dictsort e escape first groupby items last length list lower reject rejectattr reverse select selectattr"
    " sort striptags title trim unique upper wordcount"
)
OWN_FILTERS = _words("dice halves icon join pad sign")
TESTS = _words(
    "defined eq equalto even false ge gt in integer le lower lt mapping ne none number odd sequence string true undefined upper"
    " == != < > <= >= greaterthan lessthan"
)
CALLS = _words("boxes caller super")
LOOP = _words("index index0 first last length previtem nextitem revindex revindex0 depth depth0 cycle changed")

_PLAIN: frozenset[type[nodes.Node]] = frozenset(
    {
        nodes.Template,
        nodes.TemplateData,
        nodes.Const,
        nodes.Compare,
        nodes.Operand,
        nodes.And,
        nodes.Or,
        nodes.Not,
        nodes.Concat,
        nodes.CondExpr,
        nodes.If,
        nodes.With,
        nodes.Assign,
        nodes.AssignBlock,
        nodes.CallBlock,
        nodes.FilterBlock,
        nodes.Include,
        nodes.Extends,
        nodes.Import,
        nodes.FromImport,
        nodes.Keyword,
        nodes.List,
        nodes.Tuple,
        nodes.Dict,
        nodes.Pair,
    }
)
"""What a template may hold whatever it says."""
_ALLOWED = (
    nodes.Output,
    nodes.Name,
    nodes.Getattr,
    nodes.Getitem,
    nodes.Filter,
    nodes.Test,
    nodes.For,
    nodes.Macro,
    nodes.Call,
    nodes.Block,
)
"""What it may hold if it is as it must be."""
_LITERALS = (nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Concat)
_WORDS: dict[type[nodes.Node], str] = {
    nodes.Scope: "autoescape",
    nodes.ScopedEvalContextModifier: "autoescape",
    nodes.EvalContextModifier: "autoescape",
}
_ARITHMETIC = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Neg, nodes.Pos)
_LEADS_ON = (nodes.Include, nodes.Extends, nodes.Import, nodes.FromImport)


class NotAllowed(Exception):
    """A template holds what none may hold."""

    def __init__(self, line: int, text: str, detail: str, choices: tuple[str, ...] = ()) -> None:
        super().__init__(detail)
        self.line = line
        self.text = text
        self.detail = detail
        self.choices = choices


class UnknownMacro(NotAllowed):
    """A template calls a macro that it has not."""


class Lead(NamedTuple):
    """A template that another one includes, extends or imports, the line that says so, and the names that are taken from it."""

    template: str
    line: int
    names: tuple[str, ...] = ()


class Checked(NamedTuple):
    """A tree that may be compiled: the templates that it leads to, in order, its loops, what it joins, and the first macro that it calls
    and has not: it is misspelt here, or where it is imported."""

    leads: tuple[Lead, ...]
    loops: tuple[nodes.For, ...]
    joined: tuple[nodes.Concat, ...]
    unknown: UnknownMacro | None


def check(template: nodes.Template) -> Checked:
    """Raises NotAllowed at the first thing that is not on the list."""
    line = 1
    unknown: UnknownMacro | None = None
    leads: list[Lead] = []
    loops: list[nodes.For] = []
    joined: list[nodes.Concat] = []
    all_nodes = list(_walk(template))
    macros = _macros(node for node, _, _ in all_nodes)
    for node, depth, inside in all_nodes:
        line = node.lineno or line
        if depth > DEPTH or inside > LOOP_DEPTH:
            raise NotAllowed(line, "", "blocks or brackets nested too deeply")
        if type(node) not in _PLAIN:
            try:
                _check_node(node, line, macros)
            except UnknownMacro as error:
                unknown = unknown or error
        if isinstance(node, _LEADS_ON):
            leads.append(_lead(node))
        elif isinstance(node, nodes.For):
            loops.append(node)
        elif isinstance(node, nodes.Concat):
            joined.append(node)
    return Checked(tuple(leads), tuple(loops), tuple(joined), unknown)


def given(template: nodes.Template) -> frozenset[str]:
    """The names that others may take from a template: its macros, and what it sets."""
    found: set[str] = set()
    for node, _, _ in _walk(template):
        match node:
            case nodes.Macro(name=name) | nodes.Name(name=name, ctx="store"):
                found.add(name)
    return frozenset(found)


def weave(checked: Checked, environment: Environment) -> None:
    """Puts the charge on every loop and the guard on everything that is joined."""
    for loop in checked.loops:
        loop.iter = _filter(loop.iter, EACH, loop.lineno, environment)
    for joined in checked.joined:
        joined.nodes = [_filter(part, SAID, joined.lineno, environment) for part in joined.nodes]


def _filter(value: nodes.Node, name: str, line: int, environment: Environment) -> nodes.Filter:
    return nodes.Filter(value, name, [], [], None, None, lineno=line, environment=environment)


def _macros(template: Iterable[nodes.Node]) -> frozenset[str]:
    """What may be called by its bare name."""
    found = set(CALLS)
    for node in template:
        if isinstance(node, nodes.Macro):
            found.add(node.name)
        elif isinstance(node, nodes.FromImport):
            found.update(name if isinstance(name, str) else name[1] for name in node.names)
        elif isinstance(node, nodes.Import):
            found.add(f"{node.target}.")
    return frozenset(found)


def _walk(template: nodes.Template) -> Iterator[tuple[nodes.Node, int, int]]:
    """All nodes in the order of the text, with how many others, and how many loops, each stands inside."""
    waiting: list[tuple[nodes.Node, int, int]] = [(template, 0, 0)]
    while waiting:
        node, depth, loops = placed = waiting.pop()
        yield placed
        inner = loops + isinstance(node, nodes.For)
        waiting += [(child, depth + 1, inner) for child in reversed(list(node.iter_child_nodes()))]


def _check_node(node: nodes.Node, line: int, macros: frozenset[str]) -> None:
    match node:
        case nodes.Neg(node=nodes.Const(value=int())):
            pass
        case _ if isinstance(node, _ARITHMETIC):
            raise NotAllowed(node.lineno, "", "a template works nothing out: move the arithmetic to the rules")
        case _ if not isinstance(node, _ALLOWED):
            raise NotAllowed(line, "", f"a template may not hold `{_WORDS.get(type(node), type(node).__name__.lower())}`")
        case nodes.Output(nodes=parts) if any(_unprintable(part) for part in parts):
            raise NotAllowed(line, "", "a template may print text and whole numbers")
        case nodes.Name(name="self"):
            raise NotAllowed(node.lineno, "self", "a template may not use `self`")
        case nodes.Name(name=name) | nodes.Macro(name=name) | nodes.Block(name=name):
            _check_name(node, name)
        case nodes.Getattr(node=base, attr=attr):
            _check_name(node, attr)
            _check_base(node, base)
        case nodes.Getitem(node=base, arg=arg):
            if isinstance(arg, nodes.Const) and isinstance(arg.value, str):
                _check_name(node, arg.value)
            _check_base(node, base)
        case nodes.Filter(name=name):
            if name not in FILTERS | OWN_FILTERS:
                raise NotAllowed(node.lineno, name, "text filter", tuple(sorted(FILTERS | OWN_FILTERS)))
        case nodes.Test(name=name):
            if name not in TESTS:
                raise NotAllowed(node.lineno, name, "test", tuple(sorted(TESTS)))
        case nodes.Call():
            _check_call(node, macros)
        case nodes.For(recursive=True):
            raise NotAllowed(node.lineno, "", "a template may not hold a loop that calls itself")


def _unprintable(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Const):
        return not isinstance(node.value, str) and type(node.value) is not int
    return isinstance(node, nodes.List | nodes.Tuple | nodes.Dict)


def _check_name(node: nodes.Node, name: str) -> None:
    if name.startswith("_"):
        raise NotAllowed(node.lineno, name, f"a name may not begin with `_`: `{name}`")


def _check_base(node: nodes.Node, base: nodes.Node) -> None:
    if isinstance(base, _LITERALS):
        raise NotAllowed(node.lineno, "", "a template may not take a part of something written out")


def _check_call(node: nodes.Call, macros: frozenset[str]) -> None:
    if node.dyn_args is not None or node.dyn_kwargs is not None:
        raise NotAllowed(node.lineno, "", "a call may not use `*` or `**`")
    match node.node:
        case nodes.Name(name=name) if name in macros:
            return
        case nodes.Getattr(node=nodes.Name(name="loop"), attr="cycle" | "changed"):
            return
        case nodes.Getattr(node=nodes.Name(name=name)) if f"{name}." in macros:
            return
        case nodes.Name(name=name):
            raise UnknownMacro(node.lineno, name, "macro", tuple(sorted(m for m in macros if not m.endswith("."))))
    raise NotAllowed(node.lineno, "", "a template calls nothing but its macros, `boxes` and `loop.cycle`")


def _lead(node: nodes.Include | nodes.Extends | nodes.Import | nodes.FromImport) -> Lead:
    names = node.names if isinstance(node, nodes.FromImport) else ()
    match node.template:
        case nodes.Const(value=str() as name):
            return Lead(name, node.lineno, tuple(name if isinstance(name, str) else name[0] for name in names))
    raise NotAllowed(node.lineno, "", "the name of a template must be written out")


def said(message: str | None) -> str:
    """Jinja's own words for a syntax error, in the manner of ours."""
    text = message or "this cannot be read"
    if open_block := _UNCLOSED.search(text):
        return f"`{open_block[1]}` is never closed: expected `end{open_block[1]}`"
    text = text.replace("expected token", "expected").replace("'", "`").strip().rstrip(".")
    return text[:1].lower() + text[1:]

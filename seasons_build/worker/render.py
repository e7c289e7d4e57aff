"""Templates to HTML: Jinja2 in a box. In go the templates of one theme and plain data, out comes HTML or a `TemplateFault`.

The environment has no globals but `boxes`, escapes always, knows the filters of a written list and reads a dot as a key of a map, never as
an attribute of an object. What a template may hold is checked in `grammar` before it is compiled; how much it may do is counted here, in
steps and characters, so that the verdict is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any

from jinja2 import BaseLoader, Environment, TemplateNotFound, TemplateSyntaxError, UndefinedError, nodes
from jinja2.environment import Template, TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS
from jinja2.parser import Parser
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.tests import TESTS
from jinja2.utils import missing
from markupsafe import Markup, escape

from seasons_build.core.finding import Finding
from seasons_build.core.limits import Limits
from seasons_build.core.regex import regex
from seasons_build.worker import grammar
from seasons_build.worker.grammar import Lead, NotAllowed

MARKUP_KEY = "$html"
"""A map with this key alone is safe markup: the parent made it, from text that holds no template."""

_PAD_DIGITS = 20
_NO_CALLER = "No caller defined"
_NO_ELSE = "the inline if-expression"
_NUMBER = regex(r"[+\u2212-]?\d+(?:[./]\d+)?\Z")


def markup_hook(data: dict[str, Any]) -> Any:
    """The object hook that turns `{"$html": text}` into markup that is not escaped again."""
    if len(data) == 1 and isinstance(text := data.get(MARKUP_KEY), str):
        return Markup(text)
    return data


class TemplateFault(Exception):
    """A template is wrong, or what it was given; `finding` says where and what."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.detail)
        self.finding = finding


class _Name(str):
    """A name that stands for nothing: what it was meant to name, and what there is instead (None: whatever the page was given)."""

    kind: str
    choices: tuple[str, ...] | None

    @classmethod
    def of(cls, name: object, kind: str, choices: tuple[str, ...] | None) -> _Name:
        """The name, with what is known of it."""
        found = cls(name)
        found.kind, found.choices = kind, choices
        return found


class _TooMuch(Exception):
    """A template does, or prints, more than a page may."""


class _Unprintable(Exception):
    """A template prints what is no text."""


class _Missing(Undefined):
    """What a name that stands for nothing gives: an error as soon as it is used, which carries a _Name. A key that a map has not may be
    asked for with `if`, since fields need not be filled; a name that nothing stands for may not. A choice without its `else` is no text."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        if isinstance(self._undefined_obj, Mapping):
            return _Name.of(self._undefined_name, "field", tuple(str(key) for key in self._undefined_obj))
        if self._undefined_obj is missing:
            return _Name.of(self._undefined_name, "value", None)
        return _Name.of(self._undefined_name, "part", ())

    def __bool__(self) -> bool:
        if not isinstance(self._undefined_obj, Mapping) and self._undefined_hint != _NO_CALLER:
            self._fail_with_undefined_error()
        return False

    def __str__(self) -> str:
        if (self._undefined_hint or "").startswith(_NO_ELSE):
            return ""
        return self._fail_with_undefined_error()

    def __len__(self) -> int:
        return self._fail_with_undefined_error()

    def __iter__(self) -> Iterator[Any]:
        return self._fail_with_undefined_error()

    def __eq__(self, other: object) -> bool:
        return self._fail_with_undefined_error()

    def __ne__(self, other: object) -> bool:
        return self._fail_with_undefined_error()

    def __hash__(self) -> int:
        return self._fail_with_undefined_error()


class Renderer:
    """The templates of one theme."""

    def __init__(self, templates: Mapping[str, str], icons: Mapping[str, str], limits: Limits) -> None:
        self._environment = _Box(templates, icons, limits)
        self._limits = limits

    def make_ready(self, name: str) -> None:
        """Compiles a template with all that it leads to; one that is at fault is left."""
        self._environment.steps = 0
        try:
            self._environment.get_template(name)
            for other in list(self._environment.checked):
                self._environment.get_template(other)
        except MemoryError:
            raise
        except Exception:
            return

    def render(self, name: str, context: Mapping[str, Any]) -> str:
        """What the template makes of the context. Raises TemplateFault."""
        environment = self._environment
        environment.steps = 0
        try:
            size = 0
            parts = []
            for part in environment.get_template(name).generate(context):
                size += len(part)
                if size > self._limits.template_output:
                    raise _TooMuch("a template prints more than a page can hold")
                parts.append(part)
            return "".join(parts)
        except MemoryError:
            raise
        except Exception as error:
            raise TemplateFault(self._finding(error, name, context)) from error

    def _finding(self, error: Exception, name: str, context: Mapping[str, Any]) -> Finding:
        file, line = self._place(error.__traceback__, name)
        match error:
            case TemplateFault():
                return error.finding
            case TemplateSyntaxError():
                return Finding("E610", file=error.name or name, line=error.lineno, detail=grammar.said(error.message))
            case UndefinedError(args=[_Name() as unknown]):
                choices = tuple(context) if unknown.choices is None else unknown.choices
                return Finding("E612", text=str(unknown), file=file, line=line, choices=tuple(sorted(choices)), detail=unknown.kind)
            case TemplateNotFound():
                return Finding("E612", text=str(error.name), file=file, line=line, choices=self._environment.names, detail="template")
            case SecurityError():
                return Finding("E611", file=file, line=line, detail="a template calls nothing but its macros, `boxes` and `loop.cycle`")
            case _TooMuch():
                return Finding("E613", file=file, line=line, detail=str(error))
            case RecursionError():
                return Finding("E613", file=file, line=line, detail="a template calls itself without end")
            case _Unprintable():
                return Finding("E610", file=file, line=line, detail=str(error))
        return Finding("E610", file=file, line=line, detail="this line cannot be worked out with the values it is given")

    def _place(self, trace: TracebackType | None, name: str) -> tuple[str, int | None]:
        """The last line of a template that the error came through."""
        file, line = name, None
        while trace is not None:
            if (source := trace.tb_frame.f_code.co_filename) in self._environment.names:
                file, line = source, trace.tb_lineno
            trace = trace.tb_next
        return file, line


class _Loader(BaseLoader):
    """Gives templates of one theme, each checked before it is compiled, with all that it leads to."""

    def __init__(self, templates: Mapping[str, str], depth: int) -> None:
        self._templates = templates
        self._depth = depth
        self.checked: dict[str, nodes.Template] = {}
        self._given: dict[str, frozenset[str]] = {}

    def load(self, environment: Environment, name: str, globals: Any = None) -> Template:
        """Compiles a template; raises TemplateFault where it, or one that it leads to, is not allowed."""
        if name not in self.checked:
            self._check(environment, name, ())
        code = environment.compile(self.checked[name], name, name)
        return environment.template_class.from_code(environment, code, dict(globals or {}))

    def _check(self, environment: Environment, name: str, trail: tuple[str, ...]) -> None:
        if name not in self._templates:
            raise TemplateNotFound(name)
        parser = Parser(environment, self._templates[name], name, name)
        try:
            tree = parser.parse()
            checked = grammar.check(tree)
            for lead in checked.leads:
                self._follow(environment, lead, name, trail)
            if checked.unknown is not None:
                raise checked.unknown
        except RecursionError:
            detail = "blocks or brackets nested too deeply"
            raise TemplateFault(Finding("E611", file=name, line=parser.stream.current.lineno, detail=detail)) from None
        except NotAllowed as error:
            raise TemplateFault(_not_allowed(error, name)) from None
        grammar.weave(checked, environment)
        self.checked[name] = tree

    def _follow(self, environment: Environment, lead: Lead, name: str, trail: tuple[str, ...]) -> None:
        """Checks what a template leads to, and that it gives what is taken from it."""
        if lead.template in (*trail, name):
            detail = f"the template `{lead.template}` leads back to itself"
            raise TemplateFault(Finding("E613", text=lead.template, file=name, line=lead.line, detail=detail))
        if len(trail) >= self._depth:
            raise TemplateFault(Finding("E613", file=name, line=lead.line, detail="templates lead to templates without end"))
        if lead.template not in self._templates:
            choices = tuple(sorted(self._templates))
            raise TemplateFault(Finding("E612", text=lead.template, file=name, line=lead.line, choices=choices, detail="template"))
        if lead.template not in self.checked:
            self._check(environment, lead.template, (*trail, name))
        if lead.names and lead.template not in self._given:
            self._given[lead.template] = grammar.given(self.checked[lead.template])
        unknown = next((taken for taken in lead.names if taken not in self._given[lead.template]), None)
        if unknown is not None:
            choices = tuple(sorted(self._given[lead.template]))
            raise TemplateFault(Finding("E612", text=unknown, file=name, line=lead.line, choices=choices, detail="macro"))


def _not_allowed(error: NotAllowed, name: str) -> Finding:
    code = "E612" if error.choices else "E611"
    return Finding(code, text=error.text, file=name, line=error.line, choices=error.choices, detail=error.detail)


class _Box(ImmutableSandboxedEnvironment):
    """The environment: plain data in, text out, and a count of what was done."""

    def __init__(self, templates: Mapping[str, str], icons: Mapping[str, str], limits: Limits) -> None:
        loader = _Loader(templates, limits.template_depth)
        super().__init__(
            autoescape=True,
            optimized=False,  # what a template does is done, and counted, for each page alike; and looking for constants takes its time
            undefined=_Missing,
            loader=loader,
            finalize=_printable,
            auto_reload=False,
            cache_size=-1,
        )
        self.checked = loader.checked
        """The templates that were asked for so far, with those that they lead to."""
        self.names = tuple(sorted(templates))
        self.steps = 0
        self._limits = limits
        self._icons = icons
        self.globals = {"boxes": self._boxes}
        own: dict[str, Callable[..., Any]] = {
            "icon": self._icon,
            "sign": sign,
            "pad": pad,
            "halves": halves,
            "dice": dice,
            "join": _join,
            grammar.EACH: self._each,
            grammar.SAID: _printable,
        }
        self.filters = {**{name: FILTERS[name] for name in sorted(grammar.FILTERS)}, **own}
        self.tests = {name: TESTS[name] for name in sorted(grammar.TESTS)}

    def charge(self, steps: int) -> None:
        """Counts work; raises _TooMuch beyond what a page may do."""
        self.steps += steps
        if self.steps > self._limits.template_steps:
            raise _TooMuch("a template does more than a page may need")

    def get_template(self, name: Any, parent: str | None = None, globals: Any = None) -> Template:
        """As Jinja's; each use is a step."""
        self.charge(1)
        return super().get_template(name, parent, globals)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """The value of a key of a map; of other things only what a template is meant to see."""
        match obj:
            case dict():
                return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
            case Undefined():
                return str(obj)
            case LoopContext() if attribute in grammar.LOOP:
                return getattr(obj, attribute)
            case TemplateModule() if not attribute.startswith("_"):
                return getattr(obj, attribute, None) or self.undefined(obj=vars(obj), name=attribute)
            case tuple() if attribute in getattr(obj, "_fields", ()):
                return getattr(obj, attribute)
        return self.undefined(obj=obj, name=attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """The value of a key of a map, or the item of a list."""
        match obj, argument:
            case (dict(), _) if argument in obj:
                return obj[argument]
            case (list() | tuple(), int()) if -len(obj) <= argument < len(obj):
                return obj[argument]
            case (Undefined(), _):
                return str(obj)
            case (_, str()):
                return self.getattr(obj, argument)
        return self.undefined(obj=obj, name=str(argument))

    def is_safe_callable(self, obj: Any) -> bool:
        """Macros, `boxes`, and what belongs to a block or a loop."""
        if isinstance(obj, Macro | BlockReference) or obj == self._boxes:
            return True
        return isinstance(getattr(obj, "__self__", None), LoopContext) and obj.__name__ in ("cycle", "changed")

    def call(self, context: Context, obj: Any, *args: Any, **kwargs: Any) -> Any:
        """As the sandbox has it; each call is a step."""
        self.charge(1)
        return super().call(context, obj, *args, **kwargs)

    def _each(self, value: Any) -> Any:
        if isinstance(value, Undefined):
            str(value)
        if not isinstance(value, Iterable):
            raise _Unprintable("a loop needs a list or a map")
        items = list(value)
        self.charge(len(items))
        return items

    def _boxes(self, count: Any) -> list[int]:
        if isinstance(count, Undefined):
            str(count)
        if type(count) is not int or not 0 <= count <= self._limits.boxes:
            raise _TooMuch(f"expected a whole number from 0 to {self._limits.boxes} in `boxes`, found `{count}`")
        self.charge(count)
        return list(range(1, count + 1))

    def _icon(self, name: Any) -> Markup:
        if str(name) not in self._icons:
            raise UndefinedError(_Name.of(name, "icon", tuple(self._icons)))
        return Markup('<span class="i">{}</span>').format(self._icons[str(name)])


def sign(value: Any) -> str:
    """A number with its sign, minus as U+2212: `+3`, `−1`, `+0`, `−1/2`."""
    text = str(value)
    if isinstance(value, bool) or not _NUMBER.match(text):
        raise _Unprintable(f"`sign` needs a number, found `{text}`")
    digits = text.lstrip("+-\u2212")
    return f"\u2212{digits}" if text[0] in "-\u2212" else f"+{digits}"


def pad(value: Any, digits: int = 2) -> str:
    """A number with zeros before it, to so many digits: `05`."""
    text = str(value)
    if isinstance(value, bool) or not _NUMBER.match(text) or type(digits) is not int or not 0 <= digits <= _PAD_DIGITS:
        raise _Unprintable(f"`pad` needs a number, found `{text}`")
    return text.zfill(digits)


def halves(value: Any, longer: int, most: int) -> str:
    """A name of more than `longer` letters so that it breaks, if it must, where its two lines are most alike, of at most `most` letters."""
    text = str(value)
    spaces = [place for place, letter in enumerate(text) if letter == " "]
    middle = min(spaces, key=lambda place: abs(len(text) - 1 - 2 * place), default=0)
    if len(text) <= longer or len(spaces) < 2 or max(middle, len(text) - 1 - middle) > most:
        return text
    return " ".join(part.replace(" ", "\u00a0") for part in (text[:middle], text[middle + 1 :]))


def dice(value: Any) -> Markup:
    """Dice as they are set: unbroken, in the face for numbers."""
    return Markup('<span class="dice nw">{}</span>').format(_printable(value))


def _join(value: Any, separator: Any = "") -> Markup:
    """The items one after the other, each escaped unless it is markup."""
    if isinstance(value, Undefined):
        str(value)
    return escape(_printable(separator)).join(_printable(item) for item in value)


def _printable(value: Any) -> Any:
    """The value, if a reader can make sense of it printed."""
    if isinstance(value, str | Undefined | Macro) or type(value) is int:
        return value
    if value is None:
        raise _Unprintable("a template prints a value that is nothing: ask for it with `if` first")
    kind = "true or false" if isinstance(value, bool) else "a list" if isinstance(value, list | tuple) else "a map"
    raise _Unprintable(f"a template prints {kind} where text was expected")

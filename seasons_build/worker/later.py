"""Modules that are imported when they are first used: those that few jobs need took a third of a worker's start.

What imports one of them gets a stand-in, which asks for the module itself at the first question. Once the module is there, it stands
wherever its stand-in stood: in a module that took it, or a name of it, under whatever name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

from seasons_build.worker import nowhere


def _called(*things: Any) -> dict[str, Any]:
    return {thing.__name__: thing for thing in things}


_LATER: tuple[dict[str, tuple[str, ...]], ...] = (
    {"ctypes.util": ("find_library",)},
    {"argparse": ()},
    {"ast": ("literal_eval",)},
    {"datetime": ("datetime",)},
    {"email.message": ("EmailMessage",)},
    {"gzip": ()},
    {"importlib.resources": ()},
    {"inspect": ("getattr_static",)},
    {"ipaddress": ()},
    {"locale": ()},
    {"platform": ()},
    {"random": ("choice", "randrange")},
    {"tempfile": ("NamedTemporaryFile", "TemporaryDirectory")},
    {"secrets": ()},
    {"shutil": ("rmtree", "copyfileobj", "copystat")},
    {"ssl": ()},
    {"subprocess": ("run",)},
    {"textwrap": ()},
    {"traceback": ()},
    {"urllib.request": ()},
    {"uuid": ("uuid4",)},
    {"zipfile": ("BadZipFile",)},
    {"fontTools": ()},
    {"fontTools.ttLib": ("TTFont", "TTLibError", "ttFont"), "fontTools.ttLib.woff2": ()},
    {"fontTools.subset": ()},
    {"fontTools.varLib.instancer": ("instantiateVariableFont",)},
    {"PIL.Image": (), "PIL.ImageCms": ("ImageCmsProfile",), "PIL.ImageFile": (), "PIL.ImageOps": (), "PIL.EpsImagePlugin": ()},
    {"jinja2.bccache": ("BytecodeCache", "FileSystemBytecodeCache", "MemcachedBytecodeCache")},
    {
        "pikepdf.models.image": (
            *("HifiPrintImageNotTranscodableError", "ImageDecompressionError", "InvalidPdfImageError", "NotExtractableError"),
            *("UnsupportedImageTypeError", "PdfImage", "PdfInlineImage"),
        )
    },
    {"pikepdf.models.metadata": ("PdfMetadata", "XmpDocument", "decode_pdf_date", "encode_pdf_date")},
    {
        "pikepdf.models.outlines": (
            *("Destination", "Outline", "OutlineItem", "OutlineItemFlag", "OutlineStructureError", "PageLocation"),
            "make_page_destination",
        ),
        "pikepdf.models.actions": (
            *("Action", "GoToAction", "GoToDpAction", "GoToEAction", "GoToRAction", "JavaScriptAction", "LaunchAction", "NamedAction"),
            *("SetOCGStateAction", "URIAction"),
        ),
        "pikepdf._page_copy": ("PageCopyResult",),
    },
    {"pikepdf.models.encryption": ("Encryption", "EncryptionInfo", "Permissions"), "pikepdf.jobs": ("JobBuilder",)},
    {"pikepdf._content_scopes": ("ContentScope", "ContentScopeKind", "kinds_mask", "page_scopes", "pdf_scopes")},
    {"pikepdf.sanitize": ()},
    {"weasyprint.svg": ("SVG",)},
    {"seasons_build.worker.svg": ()},
    {
        "seasons_build.worker.fields": ("field_faults", "take_fields", "ticked"),
        "seasons_build.worker.finish": ("finished",),
        "seasons_build.worker.heard": ("mark",),
        "seasons_build.worker.numbers": ("asked", "led_to", "lost", "numbered", "pages_of"),
        "seasons_build.worker.part": ("lead_on", "part_of"),
    },
)
"""The modules, and what is taken from them by name. Those in one line come together, and after the lines of their package before it."""
_HANDLERS = (
    *("ProxyHandler", "UnknownHandler", "HTTPHandler", "HTTPDefaultErrorHandler", "FTPHandler", "FileHandler", "HTTPErrorProcessor"),
    *("DataHandler", "HTTPSHandler", "HTTPRedirectHandler"),
)
_INSTEAD: dict[str, dict[str, Any]] = {
    "argparse": _called(nowhere.ArgumentParser, nowhere.BooleanOptionalAction),
    "gzip": _called(nowhere.GzipFile),
    "importlib.resources": _called(nowhere.files),
    "inspect": _called(nowhere.getmembers, nowhere.isfunction, nowhere.isdatadescriptor),
    "locale": _called(nowhere.getpreferredencoding),
    "platform": _called(nowhere.system, nowhere.python_implementation),
    "tempfile": _called(nowhere.mkdtemp),
    "urllib.request": {**_called(nowhere.OpenerDirector), **dict.fromkeys(_HANDLERS, nowhere.handler)},
}
"""What is used of some of them while others are imported, and what does as much of it as they need."""


def put_off() -> None:
    """Puts stand-ins where those of the modules would be that are not imported yet."""
    for names in _LATER:
        if not names.keys() & sys.modules.keys():
            package = next(iter(names)).partition(".")[0]
            before = _lines.setdefault(package, [])
            before.append(_Line(names, tuple(before)))
            if package in sys.stdlib_module_names:
                import_module(package)
            before[-1].stand()


@contextmanager
def import_later() -> Iterator[None]:
    """Around the import of the typesetter: what few jobs need is not imported."""
    put_off()
    yield
    for line in (line for found in _lines.values() for line in found):
        line.stand()


class _Line:
    """Modules that come together."""

    def __init__(self, names: Mapping[str, Iterable[str]], before: Iterable[_Line]) -> None:
        self._before = before
        self._waiting = {name: _StandIn(name, self, taken) for name, taken in names.items()}
        sys.modules.update(self._waiting)
        for name, stand_in in self._waiting.items():
            above, _, last = name.rpartition(".")
            if above in self._waiting:
                vars(self._waiting[above])[last] = stand_in

    def stand(self) -> None:
        """Lets the packages that they belong to have them, as an import does."""
        for name, stand_in in self._waiting.items():
            above, _, last = name.rpartition(".")
            if above in sys.modules:
                vars(sys.modules[above]).setdefault(last, stand_in)

    def module(self, name: str) -> ModuleType:
        """One of them itself. From now on, each stands wherever its stand-in did."""
        for line in (*self._before, self):
            line.come()
        for line in _lines[name.partition(".")[0]]:
            line.stand()
        return import_module(name)

    def come(self) -> None:
        """Imports them, where that was not yet done."""
        waiting, self._waiting = self._waiting, {}
        for name in waiting:
            del sys.modules[name]
        instead = {id(thing): itself for stand_in in waiting.values() for thing, itself in stand_in.given_back()}
        for other in [module for module in sys.modules.values() if instead and isinstance(module, ModuleType)]:
            names = vars(other)
            names.update({called: instead[id(value)] for called, value in list(names.items()) if id(value) in instead})


class _StandIn(ModuleType):
    """What stands for a module until it is asked for something. What it is given is the module's."""

    def __init__(self, name: str, line: _Line, taken: Iterable[str]) -> None:
        super().__init__(name)
        self._line = line
        self._taken = {called: _Taken(line, name, called) for called in taken} | _INSTEAD.get(name, {})
        vars(self).update(self._taken)
        self._own: Set[str] = {"_own", *vars(self)}

    def __getattr__(self, called: str) -> Any:
        if called.startswith("__"):
            raise AttributeError(called)
        return getattr(self._line.module(self.__name__), called)

    def given_back(self) -> Iterator[tuple[object, object]]:
        """What stood in for something, and that itself, once it is imported."""
        module = import_module(self.__name__)
        for given in vars(self).keys() - self._own:
            if not isinstance(vars(self)[given], _StandIn):
                setattr(module, given, vars(self)[given])
        yield self, module
        yield from ((thing, getattr(module, called)) for called, thing in self._taken.items())


class _Taken:
    """What stands for a name that was taken from a module, until it is called or asked for something."""

    __slots__ = ("_called", "_line", "_module")

    def __init__(self, line: _Line, module: str, called: str) -> None:
        self._line = line
        self._module = module
        self._called = called

    def __call__(self, *given: Any, **named: Any) -> Any:
        return getattr(self._line.module(self._module), self._called)(*given, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(getattr(self._line.module(self._module), self._called), name)


_lines: dict[str, list[_Line]] = {}

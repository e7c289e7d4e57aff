"""What a worker does: it reads themes and jobs from one pipe, writes answers to another, and ends with the pipe.

What a library prints goes nowhere. Its first message says whether it can typeset at all.
"""

from __future__ import annotations

import ctypes
import gc
import mimetypes
import os
import traceback
import warnings
from contextlib import nullcontext
from importlib import import_module
from math import ceil
from time import process_time
from typing import TYPE_CHECKING, Any, BinaryIO

from seasons_build.core.expected import expected_of
from seasons_build.core.finding import Finding, to_data
from seasons_build.core.job import job_of, seconds_for, theme_of
from seasons_build.core.limits import Limits
from seasons_build.core.part import measured_to
from seasons_build.core.regex import compiled_later
from seasons_build.core.tools import Tools
from seasons_build.core.walls import leave_network, set_limit
from seasons_build.core.wire import Message, read_message, write_message
from seasons_build.worker.later import import_later
from seasons_build.worker.tools import installed, tools

if TYPE_CHECKING:
    from seasons_build.worker.theme import LoadedTheme

_LARGEST_REQUEST = 1 << 30
_PACKAGES = ("cssselect2", "fonttools", "jinja2", "pikepdf", "pillow", "pydyf", "pypdfium2", "tinycss2", "tinyhtml5", "weasyprint")
"""Packages whose version may change what a page looks like."""
_OUT_OF_MEMORY = Finding("E620", detail="it needs more memory than the worker may have")


def main() -> None:
    """Serves until the parent closes the pipe."""
    gc.disable()
    requests, answers = _private_pipes()
    first = read_message(requests, _LARGEST_REQUEST)
    if first is None:
        return
    limits = Limits(**first.header)
    set_limit("RLIMIT_AS", limits.worker_memory)
    set_limit("RLIMIT_FSIZE", limits.worker_file)
    set_limit("RLIMIT_CORE", 0)
    set_limit("RLIMIT_NOFILE", 128)
    alone = leave_network()
    try:
        versions, tools = _import_typesetter()
    except (ImportError, OSError) as error:
        write_message(answers, {"started": False, "reason": str(error)})
        return
    about = {"versions": versions, "digest": tools.digest, "paths": list(tools.files)}
    write_message(answers, {"started": True, "alone": alone, **about})
    _serve(requests, answers, limits)


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The two pipes, moved to where no library writes; standard input and output lead nowhere from now on."""
    requests, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    os.close(nowhere)
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")


def _import_typesetter() -> tuple[dict[str, str], Tools]:
    """Imports what typesets; gives the versions that decide about its bytes. Raises ImportError or OSError where something is missing."""
    at_hand = _libraries_at_hand()
    if at_hand:  # else the import starts a linker and a compiler, dozens of times, to find nothing better
        vars(import_module("ctypes.util"))["find_library"] = _nothing
    mimetypes.knownfiles.clear()  # what this machine calls media is nothing to a page
    warnings.simplefilter("ignore")
    from seasons_build.worker.beforehand import beforehand
    from seasons_build.worker.declared import declared

    known = declared() if at_hand else nullcontext()  # cffi itself looks further than the loader does
    with import_later(), compiled_later(), beforehand(), known:
        from weasyprint.text.ffi import harfbuzz_subset, pango

        import_module("seasons_build.worker.typeset")
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)
    gc.enable()
    cutter = "missing" if harfbuzz_subset is None else "present"
    packages = installed(_PACKAGES)
    versions = {name: version for name, (version, _) in packages.items()}
    versions = {"pango": str(pango.pango_version()), "harfbuzz-subset": cutter, **versions}
    return versions, tools(versions, (folder for _, folder in packages.values()))


def _nothing(name: object) -> None:
    del name


def _libraries_at_hand() -> bool:
    """Whether the loader finds Pango by the name that the typesetter tries last, without any search."""
    try:
        ctypes.CDLL("libpango-1.0.so.0")
    except OSError:
        return False
    return True


def _serve(requests: BinaryIO, answers: BinaryIO, limits: Limits) -> None:
    from seasons_build.worker.render import markup_hook

    themes: dict[str, LoadedTheme] = {}
    healthy = True
    while healthy and (message := read_message(requests, _LARGEST_REQUEST, markup_hook)) is not None:
        blobs: list[bytes] = []
        try:
            if message.header["do"] == "theme":
                header = _load(message, themes, limits)
            else:
                header, blobs = _typeset(message, themes, limits)
        except MemoryError:
            told = [to_data(_OUT_OF_MEMORY)]
            header, healthy = {"fit": 0, "classes": "", "pages": 0, "findings": told, "measured": None, "last": True}, False
        except Exception:
            header = {"fault": traceback.format_exc(limit=-8)}
        write_message(answers, header, blobs)


def _load(message: Message, themes: dict[str, LoadedTheme], limits: Limits) -> dict[str, Any]:
    from seasons_build.worker.theme import LoadedTheme

    _spend(limits.face_seconds)
    theme = theme_of(message)
    themes.pop(theme.id, None)
    themes[theme.id] = LoadedTheme(theme, limits)
    if (expected := expected_of(message)) is not None:
        themes[theme.id].make_ready(expected)
    return {"loaded": theme.id}


def _typeset(message: Message, themes: dict[str, LoadedTheme], limits: Limits) -> tuple[dict[str, Any], list[bytes]]:
    from seasons_build.worker.render import markup_hook
    from seasons_build.worker.typeset import typeset

    job = job_of(message, markup_hook)
    _spend(seconds_for(job, limits))
    answer = typeset(job, themes[job.theme], limits)
    findings = [to_data(finding) for finding in answer.findings]
    measured = None if answer.measured is None else measured_to(answer.measured)
    header = {"fit": answer.fit, "classes": answer.classes, "pages": answer.pages, "findings": findings, "measured": measured}
    return header, [answer.data] if answer.data else []


def _spend(seconds: int) -> None:
    """Allows so much processor time from here on; beyond it the system ends the process."""
    set_limit("RLIMIT_CPU", ceil(process_time()) + seconds)

"""Writes seasons_build/worker/pango.py: what WeasyPrint declares of Pango and the like, as cffi makes it ready. `make declared` runs it
when the pin of WeasyPrint was raised; where it was not run, a worker reads the declarations anew at each start."""

from __future__ import annotations

import tempfile
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from pprint import pformat
from types import SimpleNamespace
from typing import Any

import cffi

TARGET = Path(__file__).resolve().parent.parent / "seasons_build" / "worker" / "pango.py"
HEAD = '''"""What the typesetter declares of Pango and the like, as cffi makes it ready: `declared` gives it. Written by `make declared`."""

from __future__ import annotations

from typing import Any

'''


def text() -> str:
    """The module."""
    declarations = _declarations()
    made = pformat(_made_ready(declarations), width=139, compact=True)
    digest = sha256(declarations.encode()).hexdigest()
    about = '"""The digest of the declarations that this was made of."""'
    return f'{HEAD}OF = "{digest}"\n{about}\nDECLARED: dict[str, Any] = {made}\n'


def _declarations() -> str:
    """What WeasyPrint tells cffi."""
    found: list[str] = []
    real = cffi.FFI.cdef

    def cdef(ffi: cffi.FFI, declarations: str) -> None:
        found.append(declarations)
        real(ffi, declarations)

    cffi.FFI.cdef = cdef
    try:
        import_module("weasyprint.text.ffi")
    finally:
        cffi.FFI.cdef = real
    (declarations,) = found
    return declarations


def _made_ready(declarations: str) -> dict[str, Any]:
    """What cffi's own module of them gives to its backend."""
    ffi = cffi.FFI()
    ffi.cdef(declarations)
    ffi.set_source("pango", None)
    with tempfile.TemporaryDirectory() as place:
        written = Path(place) / "pango.py"
        ffi.emit_python_code(str(written))
        code = written.read_text(encoding="ascii").replace("import _cffi_backend\n", "")
    given: dict[str, Any] = {}
    exec(code, {"_cffi_backend": SimpleNamespace(FFI=lambda name, **parts: given.update(parts))})
    return given


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")

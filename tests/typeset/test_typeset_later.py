"""What few jobs need is imported when one does, and not before; what was read beforehand is what would have been read."""

from __future__ import annotations

import inspect
import platform
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from importlib.resources import files
from pathlib import Path

import pikepdf
import pytest

from seasons_build.worker import nowhere
from seasons_build.worker.tools import installed

ROOT = Path(__file__).parents[2]
START = """
import sys
from seasons_build.worker.later import put_off
put_off()
from seasons_build.worker.program import _import_typesetter
_import_typesetter()
import weasyprint.pdf.fonts
"""
FONTS = """
from seasons_build.worker.subset import subset_font
fonts = weasyprint.pdf.fonts
assert "fontTools.varLib" not in sys.modules
assert not hasattr(fonts.subset, "__path__")
data = open(sys.argv[1], "rb").read()
assert len(subset_font(data, [1, 2, 3])) < len(data) / 2
assert fonts.subset is sys.modules["fontTools.subset"]
assert fonts.TTLibError is sys.modules["fontTools.ttLib"].TTLibError
assert issubclass(fonts.TTLibError, Exception)
try:
    fonts.instantiateVariableFont(None, {})
except (AttributeError, TypeError):
    pass
assert sys.modules["fontTools.varLib.instancer"].__file__
assert weasyprint.text.fonts.woff2.decompress.__module__ == "fontTools.ttLib.woff2"
"""
PICTURES = """
from io import BytesIO
from seasons_build.core.limits import DEFAULT
from seasons_build.worker.theme import picture_type
assert "PIL._imaging" not in sys.modules
assert picture_type("a.png", b"no picture", DEFAULT).code == "E619"
assert weasyprint.images.Image is sys.modules["PIL.Image"]
from PIL import ImageFile
assert ImageFile.LOAD_TRUNCATED_IMAGES is True
assert weasyprint.images.ImageFile is ImageFile
assert weasyprint.images.ImageOps.exif_transpose(weasyprint.images.Image.new("L", (1, 1))).size == (1, 1)
"""
METADATA = """
import pikepdf
assert "pikepdf.models.metadata._constants" not in sys.modules
document = pikepdf.new()
with document.open_metadata() as metadata:
    metadata["dc:title"] = "A title"
assert str(document.open_metadata()["dc:title"]) == "A title"
"""
DECLARED = """
assert "pycparser" not in sys.modules
from weasyprint.text.ffi import ffi, pango
assert pango.pango_version() > 10000
assert ffi.new("PangoRectangle *", {"width": 3}).width == 3
import cffi
assert cffi.FFI.cdef.__module__ == "cffi.api"
"""
FONTCONFIG = """
import os, sys
os.environ["FONTCONFIG_FILE"] = sys.argv[1]
""" + START + """
from weasyprint.text.ffi import ffi, fontconfig
config = fontconfig.FcInitLoadConfigAndFonts()
files, told = [], fontconfig.FcConfigGetConfigFiles(config)
while (file := fontconfig.FcStrListNext(told)) != ffi.NULL:
    files.append(ffi.string(ffi.cast("char *", file)).decode())
assert files == [sys.argv[1]]
assert fontconfig.FcConfigGetFonts(config, fontconfig.FcSetSystem).nfont == 1
"""
OF_NO_USE = """
assert not {"_ssl", "pickle", "pikepdf.models.image._classes", "socket", "dis"} & sys.modules.keys()
assert not {"seasons_build.worker.form", "seasons_build.worker.structure"} & sys.modules.keys()
import jinja2, pikepdf
weasyprint.urls.URLFetcher()
assert not {"_ssl", "socket"} & sys.modules.keys()
from urllib import request
assert request is weasyprint.urls.request and request.Request("theme:a").type == "theme" and "socket" in sys.modules
import inspect, http.client
assert inspect is sys.modules["pikepdf._augments"].inspect and inspect.signature(len) and inspect.__file__
assert "_ssl" not in sys.modules
assert http.client.ssl.OP_ALL and sys.modules["_ssl"]
import PIL
assert jinja2.bccache.Bucket and PIL.Image.open and "pickle" in sys.modules
assert issubclass(jinja2.FileSystemBytecodeCache, jinja2.BytecodeCache)
assert pikepdf.Permissions._fields and pikepdf.Outline.__module__ == "pikepdf.models.outlines"
document = pikepdf.new()
with document.open_outline() as outline:
    outline.root.append(pikepdf.OutlineItem("a", pikepdf.Array()))
assert document.allow.extract is True
from seasons_build.worker import typeset, theme
assert theme.svg.fault(b"<svg/>") is None and typeset.numbered("a", {}) == "a"
assert typeset.finished.__module__ == "seasons_build.worker.finish" and typeset.part_of.__code__
"""
SHEETS = """
import cssselect2, tinycss2
from seasons_build.worker.beforehand import beforehand
read = tinycss2.parse_stylesheet
with beforehand():
    import weasyprint
assert tinycss2.parse_stylesheet is read
from weasyprint.html import PH, PH_STYLESHEET, UA, UA_COUNTER_STYLE, UA_FORM, UA_FORM_STYLESHEET, UA_STYLESHEET

def said(sheet):
    rules, seen = [], {}
    for name, table in vars(sheet.matcher).items():
        for key, entries in table.items() if isinstance(table, dict) else [(None, table)] if isinstance(table, list) else ():
            for test, specificity, order, pseudo, (declarations, layer) in entries:
                source = test if isinstance(test, str) else vars(test)["source"]
                group = seen.setdefault(id(declarations), len(seen))
                rules.append((name, key, source, specificity, order, pseudo, group, plain(declarations), layer))
    return sheet.base_url, sheet.layers, sheet.matcher.order, rules, [plain(page[1:]) for page in sheet.page_rules]

def plain(value):
    if isinstance(value, tinycss2.ast.IdentToken):
        return {name: getattr(value, name) for name in value.__slots__}
    return (type(value), *map(plain, value)) if isinstance(value, (list, tuple)) else repr(value)

vars(cssselect2.compiler)["eval"] = lambda source, *_: source
counters = weasyprint.html.CounterStyle()
fresh = weasyprint.CSS(string=UA, counter_style=counters)
assert said(fresh) == said(UA_STYLESHEET)
assert fresh.matcher.order > 100 and len(fresh.page_rules) > 10
assert repr(UA_COUNTER_STYLE) == repr(counters) and len(counters) > 40
assert said(weasyprint.CSS(string=UA_FORM)) == said(UA_FORM_STYLESHEET)
assert vars(PH_STYLESHEET.matcher) == vars(weasyprint.CSS(string="").matcher)
assert vars(weasyprint.CSS(string=PH).matcher) != vars(PH_STYLESHEET.matcher)
assert weasyprint.DEFAULT_OPTIONS["presentational_hints"] is False
"""
OTHER_SHEETS = """
import tinycss2
tinycss2.VERSION = "another"
from seasons_build.worker.beforehand import beforehand
with beforehand():
    import weasyprint
from weasyprint.html import UA, UA_STYLESHEET, UA_COUNTER_STYLE
assert UA_STYLESHEET.matcher.order == weasyprint.CSS(string=UA).matcher.order > 100
assert len(UA_COUNTER_STYLE) > 40
"""
OTHERS = """
import sys
from importlib.metadata import distributions
from seasons_build.worker.declared import declared
with declared():
    import cffi
    ffi = cffi.FFI()
    ffi.cdef("typedef struct { int one; } other;")
assert ffi.new("other *", [3]).one == 3
assert ffi.errno == 0
import cffi
assert cffi.FFI.cdef.__module__ == "cffi.api"
"""


def run(program: str, *given: str) -> None:
    subprocess.run([sys.executable, "-c", program, *given], check=True, cwd=ROOT)


def test_what_cuts_fonts_comes_when_a_font_is_cut() -> None:
    run(START + FONTS, str(ROOT / "templates" / "fonts" / "Besley-500.ttf"))


def test_what_reads_pictures_comes_with_a_picture_and_is_set_as_the_typesetter_set_it() -> None:
    run(START + PICTURES)


def test_what_writes_metadata_comes_when_it_is_written() -> None:
    run(START + METADATA)


def test_declarations_that_are_known_are_not_read_and_others_are() -> None:
    run(START + DECLARED)
    run(OTHERS)


def test_a_configuration_of_fonts_is_what_its_file_says(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    shutil.copy(ROOT / "templates" / "fonts" / "Besley-500.ttf", tmp_path / "fonts")
    config = tmp_path / "fonts.conf"
    config.write_text(f"<fontconfig><dir>{tmp_path / 'fonts'}</dir><cachedir>{tmp_path}</cachedir></fontconfig>", encoding="utf-8")
    run(FONTCONFIG, str(config))


def test_what_no_page_asks_for_does_not_come() -> None:
    run(START + OF_NO_USE)


def test_sheets_that_are_known_are_what_they_would_be_read_as_and_others_are_read() -> None:
    run(SHEETS)
    run(OTHER_SHEETS)


def test_hints_of_html_are_not_read_for_we_ask_for_none() -> None:
    ours = (ROOT / "seasons_build" / "worker").glob("*.py")
    assert not [path.name for path in ours if "presentational_hints=" in path.read_text(encoding="utf-8")]


def test_the_declarations_are_fresh() -> None:
    """If this fails: `make declared`."""
    for script in ("declare", "agent"):
        run(f"from bench.{script} import TARGET, text; assert text() == TARGET.read_text(encoding='utf-8')")


def test_a_package_is_found_where_it_is_and_its_version_is_what_it_says() -> None:
    told = {found.name: (found.version, str(found.locate_file(""))) for found in reversed([*distributions()])}
    assert installed(told) == told
    with pytest.raises(ImportError):
        installed(["no-such-package"])


def test_what_stands_in_for_parts_of_python_does_what_they_do() -> None:
    for kind in (pikepdf.Pdf, pikepdf.Page, Path):
        for ours, theirs in ((nowhere.isfunction, inspect.isfunction), (nowhere.isdatadescriptor, inspect.isdatadescriptor)):
            assert nowhere.getmembers(kind, ours) == inspect.getmembers(kind, theirs)
    assert nowhere.files(pikepdf) == files(pikepdf)
    assert sorted(nowhere.files("pyphen.dictionaries").iterdir()) == sorted(files("pyphen.dictionaries").iterdir())
    assert nowhere.python_implementation() == platform.python_implementation()
    assert nowhere.system() == platform.system()

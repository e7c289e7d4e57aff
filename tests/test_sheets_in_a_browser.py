"""A sheet filled in by hand in a browser: pdf.js shows its fields in Chromium, each is filled in, and what is saved and printed has it all.

pdf.js comes from the registry of npm, in the version below. Where Chromium, npm or the registry is not there, the test says so and is
skipped. `make test-all` runs it.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
import yaml
from PIL import Image, ImageChops

from seasons_build.pipeline.author import Desk
from seasons_build.pipeline.build import Asked, Options, build
from seasons_build.pipeline.imports import import_sheet
from seasons_build.pipeline.read import read
from seasons_build.pipeline.start import Typesetter

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
PDF_JS = "4.10.38"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SITE = "http://sheets.test/"
SHEETS = (("frontiers", "character-sheets", "kestrel-anand"), ("seasons-pass", "sheets", "quill"))
TYPED = "8"
"""What is typed into each field: it finds room in the least of them."""
NAME = "Ann of the Eighth"
"""What one character is called on a sheet that is read back."""
PIXELS_A_POINT = 2
VIEWER = """<!doctype html><html lang="en"><meta charset="utf-8"><link rel="stylesheet" href="pdf_viewer.css">
<style>html,body{margin:0}#container{position:absolute;inset:0;overflow:auto}</style><div id="container"><div class="pdfViewer"></div></div>
<script type="module">
import * as lib from "./pdf.mjs";
globalThis.pdfjsLib = lib;
const { EventBus, PDFLinkService, PDFViewer } = await import("./pdf_viewer.mjs");
lib.GlobalWorkerOptions.workerSrc = "./pdf.worker.mjs";
const eventBus = new EventBus(), linkService = new PDFLinkService({ eventBus });
const container = document.getElementById("container");
const viewer = new PDFViewer({ container, eventBus, linkService, annotationMode: lib.AnnotationMode.ENABLE_FORMS });
linkService.setViewer(viewer);
const file = await lib.getDocument({ url: "sheet.pdf", isEvalSupported: false }).promise;
eventBus.on("pagesinit", async () => {
  viewer.currentScale = 0.6;
  for (let n = 0; n < file.numPages; n++) {
    viewer.scrollPageIntoView({ pageNumber: n + 1 });
    await new Promise(done => eventBus.on("annotationlayerrendered", e => e.pageNumber === n + 1 && done()));
  }
  globalThis.ready = true;
});
viewer.setDocument(file);
linkService.setDocument(file);
const based = bytes => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
};
globalThis.fill = typed => {
  let filled = 0;
  for (const one of document.querySelectorAll(".annotationLayer input, .annotationLayer textarea")) {
    if (one.disabled || one.readOnly) continue;
    if (one.type === "checkbox") one.click();
    else {
      one.focus();
      one.value = typed;
      one.dispatchEvent(new Event("input", { bubbles: true }));
      one.blur();
    }
    filled++;
  }
  return filled;
};
globalThis.put = (name, typed) => {
  const one = document.querySelector(`.annotationLayer [name="${name}"]`);
  one.focus();
  one.value = typed;
  one.dispatchEvent(new Event("input", { bubbles: true }));
  one.blur();
};
globalThis.saved = async () => based(await file.saveDocument());
globalThis.printed = async (number, scale) => {
  const page = await file.getPage(number), viewport = page.getViewport({ scale });
  const canvas = Object.assign(document.createElement("canvas"), { width: viewport.width, height: viewport.height });
  const printAnnotationStorage = file.annotationStorage.print;
  const annotationMode = lib.AnnotationMode.ENABLE_STORAGE;
  await page.render({ canvasContext: canvas.getContext("2d"), viewport, intent: "print", annotationMode, printAnnotationStorage }).promise;
  return canvas.toDataURL("image/png").split(",")[1];
};
</script></html>"""


@dataclass(frozen=True)
class Filled:
    """A sheet before and after: the file as it was saved with one field filled in, how many fields somebody could fill in, the file as it
    was saved with all of them, its pages as they were printed."""

    character: str
    before: bytes
    renamed: bytes
    fields: int
    saved: bytes
    printed: tuple[bytes, ...]


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """The files of pdf.js."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm here")
    folder = tmp_path_factory.mktemp("pdfjs")
    done = subprocess.run([npm, "pack", "--silent", f"pdfjs-dist@{PDF_JS}"], cwd=folder, capture_output=True, timeout=300, check=False)
    if done.returncode:
        pytest.skip("no registry of npm here")
    (archive,) = folder.glob("*.tgz")
    names = ("legacy/build/pdf.mjs", "legacy/build/pdf.worker.mjs", "legacy/web/pdf_viewer.mjs", "legacy/web/pdf_viewer.css")
    with tarfile.open(archive) as packed:
        found = {name.rpartition("/")[2]: packed.extractfile(f"package/{name}") for name in names}
        return {name: file.read() for name, file in found.items() if file is not None}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="no Playwright here: the extra `browser`")
    if CHROMIUM is None:
        pytest.skip("no Chromium here")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module", params=SHEETS, ids=lambda sheet: sheet[0])
def filled(request: pytest.FixtureRequest, viewer: Mapping[str, bytes], browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Filled:
    pack, product, name = request.param
    out = tmp_path_factory.mktemp(pack)
    asked = Asked((pack,), (f"{pack}:{product}",), only=((f"character/{name}", None),))
    with Typesetter(workers=1) as typesetter:
        assert build(read(ROOT, named=(pack,)), Options(asked, out, whole=False), typesetter).stale == ()
    sheet = (out / pack / product / f"{name}.pdf").read_bytes()
    files = {**viewer, "": VIEWER.encode(), "sheet.pdf": sheet}
    kinds = {"": "text/html", "pdf": "application/pdf", "css": "text/css", "mjs": "text/javascript"}

    def answer(route: Any) -> None:
        asked = route.request.url.removeprefix(SITE)
        if asked in files:
            route.fulfill(body=files[asked], content_type=kinds.get(asked.rpartition(".")[2], "text/html"))
        else:
            route.fulfill(status=404)

    page = browser.new_page(viewport={"width": 900, "height": 1200})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.route("**/*", answer)
    page.goto(SITE)
    page.wait_for_function("() => globalThis.ready", timeout=240_000)
    page.evaluate("([name, typed]) => put(name, typed)", ["entry/name", NAME])
    renamed = b64decode(page.evaluate("saved()"))
    count = page.evaluate("typed => fill(typed)", TYPED)
    saved = b64decode(page.evaluate("saved()"))
    pages = len(pypdfium2.PdfDocument(sheet))
    printed = tuple(b64decode(page.evaluate("([n, scale]) => printed(n, scale)", [n, PIXELS_A_POINT])) for n in range(1, pages + 1))
    page.close()
    assert faults == []
    return Filled(name, sheet, renamed, count, saved, printed)


def values(pdf: bytes) -> dict[str, tuple[str, bool]]:
    """The value of each field, and whether it can be changed."""
    with pikepdf.open(BytesIO(pdf)) as document:
        return {str(each.T): (str(each.get("/V", "")), not int(each.get("/Ff", 0)) & 1) for each in document.Root.AcroForm.Fields}


def test_every_field_is_filled_in_and_keeps_its_value(filled: Filled) -> None:
    before, after = values(filled.before), values(filled.saved)
    assert before.keys() == after.keys()
    assert filled.fields >= sum(open_ for _, open_ in before.values()) > 50, "fields that are nowhere"
    for name, (value, open_) in before.items():
        tick = value in ("/On", "/Off")
        wanted = value if not open_ else {"/On": "/Off", "/Off": "/On"}[value] if tick else TYPED
        assert after[name] == (wanted, open_), name


def test_what_was_saved_is_read_back(filled: Filled) -> None:
    before, after = (import_sheet(Desk(ROOT), sheet, "character") for sheet in (filled.before, filled.renamed))
    assert [d for d in after.diagnostics if d.severity != "note"] == []
    wanted, found = (yaml.safe_load(imported.text)["character"][filled.character] for imported in (before, after))
    assert found == {**wanted, "name": NAME}


def test_what_is_wrong_with_what_was_saved_is_told_by_its_field(filled: Filled) -> None:
    names = {name for name, (_, open_) in values(filled.before).items() if open_}
    told = [d for d in import_sheet(Desk(ROOT), filled.saved, "character").diagnostics if d.severity == "error"]
    assert told
    assert [d.message for d in told if not any(f"`{name}`" in d.message for name in names)] == []


def test_what_is_printed_is_what_another_viewer_shows(filled: Filled) -> None:
    document = pypdfium2.PdfDocument(filled.saved)
    document.init_forms()
    for number, picture in enumerate(filled.printed):
        other = document[number].render(scale=PIXELS_A_POINT, may_draw_forms=True).to_pil().convert("L")
        with Image.open(BytesIO(picture)) as image:
            ours = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA")).convert("L").resize(other.size)
        far = ImageChops.difference(ours, other).histogram()[128:]
        assert sum(far) < ours.width * ours.height / 100, f"page {number + 1}"


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="no poppler here")
def test_poppler_reads_what_was_filled_in(filled: Filled, tmp_path: Path) -> None:
    (tmp_path / "sheet.pdf").write_bytes(filled.saved)
    done = subprocess.run(["pdftotext", "-layout", "sheet.pdf", "-"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    texts = sum(open_ and value not in ("/On", "/Off") for value, open_ in values(filled.before).values())
    assert done.stdout.count(TYPED) >= texts > 20

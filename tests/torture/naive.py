"""A builder as one writes it in an afternoon, with the usual packages used the usual way. It is here to fail: a judge that lets it pass is
no judge. It must never be let loose on anything but the throw-away projects of these tests.
"""

from __future__ import annotations

import json
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import yaml


def packs(words: list[str]) -> list[str]:
    """Unpacks what was named with `--pack`; gives the other words."""
    while "--pack" in words:
        at = words.index("--pack")
        archive = Path(words[at + 1])
        target = Path("packs") / archive.stem
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as unpacked:
                unpacked.extractall(target)
        else:
            with tarfile.open(archive) as unpacked_tar:
                unpacked_tar.extractall(target, filter="fully_trusted")
        del words[at : at + 2]
    return words


def check() -> dict[str, Any]:
    """Reads the content, validates it, works out the formulas."""
    import jsonschema

    found: dict[str, Any] = {}
    schema = json.loads(Path("schemas/charms/charm.json").read_text(encoding="utf-8"))
    for file in sorted(Path("content").rglob("*.yaml")):
        data = yaml.load(file.read_text(encoding="utf-8"), yaml.UnsafeLoader)
        for name, entry in (data.get("charm") or {}).items():
            entry.pop("rules", None)
            jsonschema.validate(entry, {key: value for key, value in schema.items() if key != "allOf"})
            if "price" in entry:
                entry["price"] = eval(entry["price"]) if isinstance(entry["price"], str) else entry["price"]
            found[name] = entry
        for name, stat in ((data.get("rules") or {}).get("stats") or {}).items():
            found[name] = stat
        print(file, json.dumps(data, default=str)[:200])
    return found


def build(entries: dict[str, Any]) -> None:
    """Prints the cards."""
    import jinja2
    import weasyprint

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(["templates/charms", "templates"]))
    template = Path("templates/charms/cards/charm.html.j2")
    style = Path("templates/charms/adv.css")
    for name, entry in entries.items():
        given = {"entry": entry, "monster": entry, "project": {"root": Path.cwd()}, "colour": "red", "url": "file:///etc/passwd"}
        page = f"<h1>{name}</h1><p>text"
        if template.exists():
            page = environment.from_string(template.read_text(encoding="utf-8")).render(given)
        sheets = [weasyprint.CSS(filename=str(style))] if style.exists() else []
        weasyprint.HTML(string=page, base_url="templates/charms/").write_pdf(f"dist/{name}.pdf", stylesheets=sheets)


def main() -> None:
    """Runs a command."""
    words = packs(sys.argv[1:])
    entries = check()
    if "build" in words:
        build(entries)


main()

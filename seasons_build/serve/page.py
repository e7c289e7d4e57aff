"""The files of the page itself: markup, style and script, by the path that a browser asks for."""

from __future__ import annotations

from pathlib import Path

from seasons_build.serve.http import Answer

_TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}

PAGE = {
    path: Answer((Path(__file__).parent / "site" / name).read_bytes(), _TYPES[Path(name).suffix])
    for path, name in (("/", "index.html"), ("/page.css", "page.css"), ("/page.js", "page.js"))
}

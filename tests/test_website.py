"""The site of a library: complete, escaped, linked, and at work in a browser without a server."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from game import game_files, project_of

from seasons_build.core.diagnostic import errors
from seasons_build.pipeline.read import Project
from seasons_build.pipeline.website import write_site

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def project() -> Project:
    text = 'coat:\n  cape: {name: "<script>alert(1)</script> & co", flavor: "Worn with [[blade/knife]] & <b>pride</b>."}\n'
    text += 'blade:\n  knife: {name: Knife, family: steel, flavor: "**Sharp** <img src=x onerror=alert(1)>."}\n'
    read = project_of({**game_files(), "content/suite/things.yaml": text})
    assert not errors(read.diagnostics)
    return read


@pytest.fixture(scope="module")
def folder(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "site"
    write_site(project, ("suite",), out)
    return out


class Reading(HTMLParser):
    """The tags of a page, where its links lead, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


def pages(folder: Path) -> dict[str, Reading]:
    return {path.relative_to(folder).as_posix(): Reading(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html"))}


def test_every_entry_has_a_page_and_stands_in_the_list(folder: Path) -> None:
    found = pages(folder)
    assert {"index.html", "suite/coat/cape.html", "suite/blade/knife.html"} <= set(found)
    assert {name for name in found if "/" in name} == {link for link in found["index.html"].links if "/" in link}


def test_packs_stand_one_after_the_other(tmp_path: Path) -> None:
    text = 'blade:\n  a: {name: "> awl", family: steel}\n  b: {name: Axe, family: steel}\n  c: {name: Zax, family: steel}\n'
    more = 'id: more\ntitle: More\nversion: "1"\nrequires: {suite: ""}\n'
    blade = "blade:\n  adze: {name: Adze, family: steel}\n"
    read = project_of({**game_files(), "content/suite/t.yaml": text, "content/more/pack.yaml": more, "content/more/a.yaml": blade})
    write_site(read, ("suite", "more"), tmp_path / "site")
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    rows = re.findall(r'<a href="\w+/blade/\w+.html">(.*?)</a> <span>(.*?)</span>', page)
    assert rows == [("&gt; awl", "Blade · Suite"), ("Axe", "Blade · Suite"), ("Zax", "Blade · Suite"), ("Adze", "Blade · More")]


def test_every_link_leads_to_a_file_of_the_site(folder: Path) -> None:
    for name, page in pages(folder).items():
        for link in page.links:
            assert ((folder / name).parent / link).resolve().is_file(), (name, link)


def test_what_was_typed_is_text(folder: Path) -> None:
    cape, knife = (Reading((folder / "suite" / name).read_text("utf-8")) for name in ("coat/cape.html", "blade/knife.html"))
    assert "<script>alert(1)</script> & co" in cape.text
    assert "script" not in cape.tags
    assert "img" not in knife.tags
    assert "strong" in knife.tags


def test_links_go_both_ways(folder: Path) -> None:
    cape, knife = (Reading((folder / "suite" / name).read_text("utf-8")) for name in ("coat/cape.html", "blade/knife.html"))
    assert "../../suite/blade/knife.html" in cape.links
    assert "../../suite/coat/cape.html" in knife.links


def test_the_odds_are_those_of_the_cases(folder: Path, project: Project) -> None:
    rolls = project.library.rules["suite"].get("rolls", {})
    assert ("odds.html" in pages(folder)) == bool(rolls)


def test_the_same_library_gives_the_same_files(project: Project, folder: Path, tmp_path: Path) -> None:
    again = write_site(project, ("suite",), tmp_path / "again")
    for name in again.written:
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()
    assert write_site(project, ("suite",), tmp_path / "again").written == ()


def browser(*arguments: str, folder: Path) -> str:
    assert CHROMIUM is not None
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_search_and_filter_in_a_browser(folder: Path, tmp_path: Path) -> None:
    def shown(asked: str) -> list[str]:
        tree = browser("--dump-dom", f"{(folder / 'index.html').as_uri()}#{asked}", folder=tmp_path)
        rows = re.findall(r"<li ([^>]*)><a href=\"([^\"]*)\"", tree)
        return [link for attributes, link in rows if "hidden" not in attributes]

    assert "suite/blade/knife.html" in shown("words=sharp")
    assert "suite/coat/cape.html" not in shown("words=sharp")
    assert all("/coat/" in link for link in shown("kind=Coat"))
    assert len(shown("")) > len(shown("kind=Coat"))


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_the_screen(folder: Path, tmp_path: Path, width: int) -> None:
    for name in ("index.html", "suite/coat/cape.html"):
        frame = tmp_path / "frame.html"
        style = f"width:{width}px;height:900px;border:0"
        note = "f.onload=()=>document.title=f.contentDocument.documentElement.scrollWidth"
        script = f"<script>const f=document.querySelector('iframe');{note}</script>"
        frame.write_text(f'<iframe style="{style}" src="{(folder / name).as_uri()}"></iframe>{script}', encoding="utf-8")
        tree = browser("--allow-file-access-from-files", "--dump-dom", frame.as_uri(), folder=tmp_path / "browser")
        found = re.search(r"<title>(\d+)</title>", tree)
        assert found is not None
        assert int(found[1]) <= width

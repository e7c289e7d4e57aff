"""What editors get: a schema that takes all shipped content and marks what `check` marks, and settings that say which files it is for."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from game import project_of
from jsonschema import Draft202012Validator
from language_server import Server
from running import Run

from seasons_build.editor import content_schema
from seasons_build.sources import shipped_root

BLOCKS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (shipped_root() / "schemas/core").glob("*.json")}
FILE = "content/mine/weapon/first-weapon.yaml"


@pytest.mark.parametrize("game", ["frontiers", "seasons-pass"])
def test_shipped_content_is_not_marked(game: str) -> None:
    library = project_of({}, (game,)).library
    schema = content_schema(library, game, BLOCKS)
    Draft202012Validator.check_schema(schema)
    documents = {entry.document.file: entry.document for entry in library.entries.values() if entry.pack == game}
    assert documents
    judge = Draft202012Validator(schema)
    for document in documents.values():
        data = json.loads(json.dumps(document.data, default=float))
        found = [f"{document.file}: {'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in judge.iter_errors(data)]
        assert not found


def test_settings_keep_what_is_there(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "pack", "mine", "--for", "frontiers")
    (tmp_path / ".vscode").mkdir()
    settings = tmp_path / ".vscode/settings.json"
    schemas = {"./mine.json": "x/*.yaml", "./.vscode/seasons/old.json": "y"}
    settings.write_text(json.dumps({"editor.rulers": [80], "yaml.schemas": schemas}), encoding="utf-8")
    assert run("schema").code == 0
    found = json.loads(settings.read_text(encoding="utf-8"))
    assert found["editor.rulers"] == [80]
    assert list(found["yaml.schemas"]) == ["./mine.json", "./.vscode/seasons/pack.json", "./.vscode/seasons/mine.json"]
    before = {path: path.read_bytes() for path in (tmp_path / ".vscode").rglob("*.json")}
    assert run("schema").code == 0
    assert {path: path.read_bytes() for path in (tmp_path / ".vscode").rglob("*.json")} == before
    settings.write_text("{ // mine\n}", encoding="utf-8")
    found_again = run("schema")
    assert found_again.code == 0
    assert "note[N760]" in found_again.err
    assert settings.read_text(encoding="utf-8") == "{ // mine\n}"


def test_nothing_to_write_schemas_for(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("schema").code == 2


@pytest.fixture
def server(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not here")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    command = [npm, "install", "--no-audit", "--no-fund", "--prefix", "tools", "yaml-language-server@1.25.0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip(f"yaml-language-server cannot be installed: {done.stderr[-200:]}")
    run("new", "pack", "mine", "--for", "frontiers")
    run("schema")
    started = Server(tmp_path / "tools/node_modules/.bin/yaml-language-server", tmp_path)
    yield started
    started.close()


@pytest.mark.slow
def test_the_language_server(server: Server, tmp_path: Path) -> None:
    text = (tmp_path / FILE).read_text(encoding="utf-8")
    assert server.marks(FILE, text) == []
    assert server.marks("content/mine/pack.yaml", (tmp_path / "content/mine/pack.yaml").read_text(encoding="utf-8")) == []
    for was, now, said in (
        ("family: emitters", "family: emiters", "Value is not accepted"),
        ("demand: 2", "demand: heavy", "Incorrect type"),
        ("demand: 2", "demand: 99", "above the maximum"),
        ("slots: 1", "slot: 1", "Property slot is not allowed"),
        ("    demand: 2\n", "", 'Missing property "demand"'),
        ("use: action", "use: acton", "Value is not accepted"),
        ("weapon:", "weapn:", "Property weapn is not allowed"),
    ):
        (mark,) = server.marks(FILE, text.replace(was, now))
        assert said in mark[1]
    (mark,) = server.marks("content/mine/pack.yaml", "id: mine\ntitel: Mine\nversion: '1'\n")
    assert "titel" in mark[1]
    line = text.split("\n").index("    family: emitters")
    server.marks(FILE, text.replace("family: emitters", "family: ").replace("    slots: 1", "    "))
    assert "ballistics" in server.completed(FILE, line, 12)
    fields = server.completed(FILE, text.split("\n").index("    slots: 1"), 4)
    assert {"slots", "copies", "art", "like"} <= set(fields)
    assert "name" not in fields
    assert "The Calibration that governs it" in server.shown(FILE, line, 6)

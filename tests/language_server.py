"""`yaml-language-server` as an editor drives it: files opened one after the other, what it marks, completes and shows."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any


class Server:
    """The server at work on a folder, with the settings that lie in it."""

    def __init__(self, program: Path, root: Path) -> None:
        self._root = root
        self._next = 0
        self._marks: dict[str, list[dict[str, Any]]] = {}
        self._settings = json.loads((root / ".vscode/settings.json").read_text(encoding="utf-8"))
        self._process = subprocess.Popen(
            [str(program), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        capabilities = {
            "workspace": {"configuration": True, "workspaceFolders": True},
            "textDocument": {"publishDiagnostics": {}, "hover": {"contentFormat": ["plaintext"]}, "completion": {}},
        }
        folder = {"uri": root.as_uri(), "name": root.name}
        self._ask("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": capabilities, "workspaceFolders": [folder]})
        self._say("initialized", {})
        self._say("workspace/didChangeConfiguration", {"settings": {"yaml": self._yaml()}})

    def close(self) -> None:
        """Ends the server."""
        self._process.kill()
        self._process.communicate()

    def marks(self, name: str, text: str) -> list[tuple[int, str]]:
        """What the server marks in a file: line, from 1, and message."""
        uri = (self._root / name).as_uri()
        self._marks.pop(uri, None)
        self._next += 1
        document = {"uri": uri, "languageId": "yaml", "version": self._next, "text": text}
        self._say("textDocument/didOpen", {"textDocument": document})
        while uri not in self._marks:
            self._read()
        return [(mark["range"]["start"]["line"] + 1, mark["message"]) for mark in self._marks[uri]]

    def completed(self, name: str, line: int, column: int) -> list[str]:
        """What may be typed at a place of a file that is open, counted from 0."""
        found = self._at("completion", name, line, column)
        return [item["label"] for item in (found["items"] if isinstance(found, dict) else found)]

    def shown(self, name: str, line: int, column: int) -> str:
        """What is shown over a place."""
        found = self._at("hover", name, line, column)
        return json.dumps(found["contents"]) if found else ""

    def _at(self, what: str, name: str, line: int, column: int) -> Any:
        place = {"textDocument": {"uri": (self._root / name).as_uri()}, "position": {"line": line, "character": column}}
        return self._ask(f"textDocument/{what}", place)

    def _yaml(self) -> dict[str, Any]:
        wanted = {"validate": True, "completion": True, "hover": True, "schemaStore": {"enable": False}}
        return {"schemas": self._settings["yaml.schemas"], **wanted}

    def _ask(self, method: str, params: Any) -> Any:
        self._next += 1
        wanted = self._next
        self._send({"id": wanted, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == wanted and "method" not in message:
                return message.get("result")

    def _say(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        raw = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(raw), raw))
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        """The next message, after what the server asked on the way is answered."""
        assert self._process.stdout
        size = 0
        while line := self._process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        assert size, "the server ended"
        message: dict[str, Any] = json.loads(self._process.stdout.read(size))
        if message.get("method") == "textDocument/publishDiagnostics":
            self._marks[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "id" in message and "method" in message:
            known = {"yaml": self._yaml()}
            items = message["params"].get("items", []) if message["method"] == "workspace/configuration" else []
            answer: Any = [known.get(item.get("section", ""), {}) for item in items] or None
            self._send({"id": message["id"], "result": answer})
        return message

"""`seasons serve`: whom the server answers, and what a browser sees of a project while it is edited."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.request import urlopen

import pytest
from small_project import environment, make

from seasons_build.serve import PAGE, Answer, Server

PICTURE = Answer(b"\x89PNG", "image/png", lasting=True)


def answer(path: str, query: Mapping[str, str]) -> Answer | None:
    if path == "/fault":
        raise ValueError("a secret")
    if path == "/echo":
        return Answer(json.dumps(dict(query)).encode(), "application/json")
    return {**PAGE, "/picture/1": PICTURE}.get(path)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server(answer)
    made.start(0)
    yield made
    made.stop()


def raw(server: Server, request: bytes, *, seconds: float = 15) -> bytes:
    """What comes back for these bytes until the connection ends."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as connection:
        connection.sendall(request)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def ask(server: Server, target: str = "/", *fields: str, method: str = "GET", host: str | None = None) -> tuple[int, bytes]:
    """The status and the whole answer to a request."""
    lines = (f"{method} {target} HTTP/1.1", f"Host: {host or f'127.0.0.1:{server.port}'}", *fields)
    found = raw(server, "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n")
    return int(found.split()[1]), found


def test_the_page_and_its_headers(server: Server) -> None:
    status, found = ask(server)
    head, _, body = found.decode().partition("\r\n\r\n")
    assert (status, body) == (200, PAGE["/"].body.decode())
    assert "default-src 'none'" in head
    assert "script-src 'self';" in head
    assert "unsafe" not in head
    assert "Access-Control-Allow-Origin" not in head
    assert "X-Content-Type-Options: nosniff" in head
    assert "Cross-Origin-Resource-Policy: same-origin" in head
    assert "Cache-Control: no-store" in head
    assert "immutable" in ask(server, "/picture/1")[1].decode("latin-1")
    assert ask(server, host=f"localhost:{server.port}")[0] == 200
    assert ask(server, method="HEAD")[1].endswith(b"\r\n\r\n")


def test_the_page_has_no_markup_of_others() -> None:
    script = PAGE["/page.js"].body.decode()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|setTimeout\(\s*[\"']", script)
    page = PAGE["/"].body.decode()
    assert not re.search(r"<script(?! src=\"/page\.js\" defer>)|\son\w+=|style=", page)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example:{port}", 421),
        ("evil.example", 421),
        ("127.0.0.1.evil.example:{port}", 421),
        ("localhost", 400),
        ("127.0.0.1:1", 400),
        ("127.0.0.1:{port}@evil.example", 400),
        ("[::1]:{port}", 421),
    ],
)
def test_only_this_machine_by_name(server: Server, host: str, status: int) -> None:
    assert ask(server, host=host.format(port=server.port))[0] == status


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        (("Origin: http://evil.example",), 403),
        (("Origin: null",), 403),
        (("Origin: http://127.0.0.1:1",), 403),
        (("Origin: http://127.0.0.1:{port}",), 200),
        (("Sec-Fetch-Site: cross-site",), 403),
        (("Sec-Fetch-Site: same-site",), 403),
        (("Sec-Fetch-Site: same-origin",), 200),
        (("Sec-Fetch-Site: none",), 200),
        (("Host: 127.0.0.1:{port}",), 400),
        (("Content-Length: 5",), 400),
        (("Transfer-Encoding: chunked",), 400),
        (("X: a\x1b]0;pwned\x07",), 400),
        (("no colon",), 400),
        ((" folded: line",), 400),
    ],
)
@pytest.mark.parametrize("target", ["/", "/news"])
def test_only_our_own_page(server: Server, fields: tuple[str, ...], status: int, target: str) -> None:
    if status == 200 and target == "/news":
        return  # a stream has no end
    assert ask(server, target, *(field.format(port=server.port) for field in fields))[0] == status


@pytest.mark.parametrize(
    "target",
    [
        "/../pyproject.toml",
        "/..%5c..%5cproject.yaml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/a%00.html",
        "/%3Cscript%3Ealert(1)%3C/script%3E",
        "/page.js/",
        "/PAGE.JS",
        "/%2fpage.js",
        "/%25",
        "/\xff",
        "http://evil.example/",
        "*",
    ],
)
def test_nothing_but_what_there_is(server: Server, target: str) -> None:
    status, found = ask(server, target)
    assert status in (400, 404)
    body = found.partition(b"\r\n\r\n")[2]
    assert body in (b"404 Not Found\n", b"400 Bad Request\n")


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.0\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 400),
        (b"\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 40_000 + b"\r\n\r\n", 431),
        (b"GET /" + b"a" * 5_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost", 400),
    ],
)
def test_what_is_no_request(server: Server, request_: bytes, status: int) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as connection:
        connection.sendall(request_)
        connection.shutdown(socket.SHUT_WR)
        found = connection.recv(65536)
    assert int(found.split()[1]) == status


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT"])
def test_nothing_can_be_ordered(server: Server, method: str) -> None:
    assert ask(server, method=method)[0] == 405


def test_a_slow_one_holds_nobody_up_and_is_ended(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seasons_build.serve.http._HEAD_SECONDS", 0.3)
    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as slow:
        slow.sendall(b"GET / HT")
        assert ask(server)[0] == 200
        assert b"408" in slow.recv(65536)
        assert slow.recv(10) == b""


def test_a_fault_of_ours_tells_no_secret(server: Server) -> None:
    status, found = ask(server, "/fault")
    assert status == 500
    assert b"secret" not in found
    assert ask(server)[0] == 200


def test_queries_are_read(server: Server) -> None:
    assert ask(server, "/echo?a=1%20%26&b=%C3%A4")[1].endswith(b'{"a": "1 &", "b": "\\u00e4"}')


def test_news(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as listener:
        listener.sendall(f"GET /news HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        found = b""
        while b"event: new" not in found:
            found += listener.recv(4096)
        assert b"text/event-stream" in found
        server.tell()
        assert b"event: new" in listener.recv(4096)


def test_a_port_that_is_taken(server: Server) -> None:
    with pytest.raises(OSError):
        Server(answer).start(server.port)


# A project in a browser


class Served:
    """A `seasons serve` at work."""

    def __init__(self, root: Path, scratch: Path) -> None:
        self.root = root
        words = [sys.executable, "-c", "from seasons_build.__main__ import run; run()", "serve", "--port", "0"]
        self.process = subprocess.Popen(
            words, cwd=root, env=environment(scratch), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().decode().strip()

    def state(self, version: int = 0) -> dict[str, object]:
        """What there is to see, once it is newer than a version."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with urlopen(f"{self.address}state") as answered:
                found = json.load(answered)
            if found.get("version", 0) > version:
                assert isinstance(found, dict)
                return found
            time.sleep(0.05)
        raise AssertionError("nothing new")

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    root = make(tmp_path / "p")
    charms = root / "content/charms/all.yaml"
    charms.write_text(charms.read_text("utf-8").replace("Say one aloud.", "Deal 2d6 at 14 paces."), encoding="utf-8")
    found = Served(root, tmp_path / "s")
    yield found
    if found.process.poll() is None:
        found.stop()
    shutil.rmtree(root, ignore_errors=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_cards_in_a_browser(served: Served, tmp_path: Path) -> None:
    api = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium")
    charms = served.root / "content/charms/all.yaml"
    served.state()
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1300, "height": 800})
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(served.address)
        page.wait_for_function("() => document.querySelectorAll('.card:not(.waiting) img').length === 3")
        page.wait_for_function("() => [...document.images].every(i => i.complete)")
        pictures = "Object.fromEntries([...document.querySelectorAll('.card')].map(c => [c.dataset.id, c.image.src]))"
        before = page.evaluate(pictures)

        page.fill("#words", "owl")
        assert page.locator(".card").count() == 1
        page.fill("#words", "")
        page.select_option("#kind", "charm")
        assert page.locator(".card").count() == 3

        page.click('.card[data-id$="/fox"]')
        page.wait_for_selector(".figure")
        page.locator('.figure[data-text="2d6"]').hover()
        page.wait_for_selector("#tip:not([hidden])")
        assert "7.0 on average" in page.inner_text("#tip")
        page.screenshot(path=str(tmp_path / "card.png"))

        page.evaluate("window.marked = true")
        version = page.evaluate("document.body.dataset.version")
        saved = time.monotonic()
        charms.write_text(charms.read_text("utf-8").replace("name: Fox, luck: 0, rules: Deal 2d6", "name: Fox, luck: 0, rules: Deal 3d6"))
        page.wait_for_function("v => document.body.dataset.version !== v", arg=version)
        page.wait_for_selector('.figure[data-text="3d6"]')
        print(f"\na card is there {time.monotonic() - saved:.2f} s after it was saved")
        page.wait_for_function(f"before => JSON.stringify({pictures}) !== before", arg=json.dumps(before, separators=(",", ":")))
        after = page.evaluate(pictures)
        changed = [name for name in before if before[name] != after[name]]
        assert changed == [name for name in before if name.endswith("/fox")]
        assert page.evaluate("window.marked") is True, "the page was not loaded anew"
        assert page.locator("#detail").is_visible(), "the place is kept"

        version = page.evaluate("document.body.dataset.version")
        charms.write_text(charms.read_text("utf-8") + "  bad: [\n")
        page.wait_for_function("v => document.body.dataset.version !== v", arg=version)
        page.wait_for_selector(".fault.error")
        assert "all.yaml:5:8" in page.inner_text("#faults")
        assert page.evaluate(pictures) == after, "the last good pages stay"
        assert page.locator(".card.old").count() == 3
        page.click(".fault .place")
        page.wait_for_selector(".line.here")
        assert "bad: [" in page.inner_text(".line.here")
        page.screenshot(path=str(tmp_path / "fault.png"))

        other = browser.new_page()
        other.goto("about:blank")
        with pytest.raises(api.Error):
            other.evaluate(f"fetch({json.dumps(served.address)} + 'state')")
        browser.close()
    assert faults == []
    assert served.stop() == 130

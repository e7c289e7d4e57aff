"""`seasons serve` under attack: the hostile requests of `tests/adversarial/server`, crowds, people who never read; and in a real browser a
page of another origin, which learns nothing."""

from __future__ import annotations

import csv
import re
import shutil
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from seasons_build.serve import PAGE, Answer, Server, http

CASES = Path(__file__).parent / "adversarial"
with (CASES / "manifest.csv").open(encoding="utf-8", newline="") as listed:
    ROWS = {row["file"]: row["required_outcome"] for row in csv.DictReader(listed) if row["category"] == "server"}
LARGE = Answer(bytes(24 << 20), "image/png")
SECRET = "the name of an owl"


def answer(path: str, query: Mapping[str, str]) -> Answer | None:
    del query
    made = {"/large": LARGE, "/state": Answer(f'{{"secret": "{SECRET}"}}'.encode(), "application/json")}
    return {**PAGE, **made}.get(path)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server(answer)
    made.start(0)
    yield made
    made.stop()


def connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=15)


def ask(server: Server, request: bytes) -> bytes:
    """All that comes back for these bytes."""
    with connect(server) as connection:
        connection.sendall(request)
        found = bytearray()
        try:
            while part := connection.recv(65536):
                found += part
        except ConnectionResetError:
            pass  # it had more to say than is listened to
    return bytes(found)


def good(server: Server, path: str = "/page.css") -> bytes:
    return ask(server, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())


@pytest.mark.parametrize("file", ROWS)
def test_a_row(server: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], file: str) -> None:
    monkeypatch.setattr(http, "_HEAD_SECONDS", 0.5)
    data = (CASES / file).read_bytes()
    found = ask(server, data.replace(b":8000", f":{server.port}".encode()))
    status = int(found.split()[1])
    wanted = {int(number) for number in re.findall(r"\b4\d\d\b", ROWS[file])} or {408}
    assert status in wanted | {400}
    head, _, body = found.partition(b"\r\n\r\n")
    assert b"Location" not in head and b"script" not in body and len(body) < 100
    assert good(server).startswith(b"HTTP/1.1 200")
    said = capfd.readouterr()
    assert said.out + said.err == ""


def test_every_file_has_its_row() -> None:
    assert {f"server/{path.name}" for path in (CASES / "server").iterdir()} == set(ROWS)


def test_a_crowd_leaves_files_to_open(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "_HEAD_SECONDS", 1)
    crowd = [connect(server) for _ in range(600)]
    time.sleep(0.2)
    assert len(server._connections) <= http._CONNECTIONS
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            if good(server).startswith(b"HTTP/1.1 200"):
                break
        except OSError:
            time.sleep(0.1)
    else:
        raise AssertionError("nobody else is served any more")
    for connection in crowd:
        connection.close()


def test_who_does_not_read_is_left(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "_ANSWER_SECONDS", 0.5)
    with connect(server) as slow:
        slow.sendall(f"GET /large HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        until = time.monotonic() + 15
        while not server._connections and time.monotonic() < until:
            time.sleep(0.01)
        while server._connections and time.monotonic() < until:
            time.sleep(0.05)
        assert not server._connections
    monkeypatch.undo()
    assert len(good(server, "/large")) > len(LARGE.body)


def test_who_hangs_up_makes_room_for_others(server: Server) -> None:
    asking = f"GET /news HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    for _ in range(3 * http._STREAMS):
        with connect(server) as listening:
            listening.sendall(asking)
            assert listening.recv(64).startswith(b"HTTP/1.1 200")
        until = time.monotonic() + 5
        while server._streams and time.monotonic() < until:
            time.sleep(0.01)
        assert not server._streams
    listeners = [connect(server) for _ in range(http._STREAMS + 4)]
    answers = []
    for listening in listeners:
        listening.sendall(asking)
        answers.append(listening.recv(64)[9:12])
    assert answers == [b"200"] * http._STREAMS + [b"503"] * 4
    assert good(server).startswith(b"HTTP/1.1 200")
    for listening in listeners:
        listening.close()


HOST = b"\r\nHost: 127.0.0.1:PORT\r\n"
ODD = {
    b"GET /page.css?" + b"&".join(b"a=1" for _ in range(40)) + b" HTTP/1.1" + HOST + b"\r\n": 400,
    b"GET /page.css?a=%zz&b=%ff&c=%00 HTTP/1.1" + HOST + b"\r\n": 200,
    b"GET /%zz HTTP/1.1" + HOST + b"\r\n": 404,
    b"GET /%ff%fe HTTP/1.1" + HOST + b"\r\n": 404,
    b"GET /%252e%252e/page.css HTTP/1.1" + HOST + b"\r\n": 404,
    b"GET /./page.css HTTP/1.1" + HOST + b"\r\n": 404,
    b"GET /page.css/ HTTP/1.1" + HOST + b"\r\n": 404,
    b"GET http://127.0.0.1:PORT/page.css HTTP/1.1" + HOST + b"\r\n": 404,
    b"GET * HTTP/1.1" + HOST + b"\r\n": 404,
    b"GET /page.css HTTP/1.0" + HOST + b"\r\n": 200,
    b"GET /page.css HTTP/1.0\r\n\r\n": 400,
    b"GET /page.css HTTP/0.9" + HOST + b"\r\n": 400,
    b"GET /page.css HTTP/1.1" + HOST + b"Host: 127.0.0.1:PORT\r\n\r\n": 400,
    b"GET /page.css HTTP/1.1" + HOST + b" folded: line\r\n\r\n": 400,
    b"GET /page.css HTTP/1.1" + HOST + b"Content-Length: 5\r\n\r\nhello": 400,
    b"POST /page.css HTTP/1.1" + HOST + b"\r\n": 405,
    b"get /page.css HTTP/1.1" + HOST + b"\r\n": 400,
    b"GET /page.css HTTP/1.1" + HOST + b"Range: bytes=0-3\r\n\r\n": 200,
    b"GET /page.css HTTP/1.1" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n": 200,
    b"GET /page.css HTTP/1.1" + HOST + b"Origin: null\r\n\r\n": 403,
    b"GET /page.css HTTP/1.1" + HOST + b"Origin: http://127.0.0.1\r\n\r\n": 403,
    b"GET /page.css HTTP/1.1" + HOST + b"Sec-Fetch-Site: same-site\r\n\r\n": 403,
    b"GET /page.css HTTP/1.1\r\nHost: 127.0.0.1:PORT@evil.example\r\n\r\n": 400,
    b"GET /page.css HTTP/1.1\r\nHost: evil.example:PORT\r\n\r\n": 421,
    b"GET /page.css HTTP/1.1\r\nHost: 127.0.0.1.:PORT\r\n\r\n": 421,
    b"GET /page.css HTTP/1.1\r\nHost: 127.0.0.1:0PORT\r\n\r\n": 400,
    b"HEAD /news HTTP/1.1" + HOST + b"\r\n": 200,
    b"GET /page.css HTTP/1.1" + HOST + b"".join(b"X-%d: y\r\n" % n for n in range(3000)) + b"\r\n": 431,
}


@pytest.mark.parametrize("request_", ODD, ids=range(len(ODD)))
def test_odd_requests(server: Server, request_: bytes) -> None:
    found = ask(server, request_.replace(b"PORT", str(server.port).encode()))
    assert int(found.split()[1]) == ODD[request_], found[:200]
    assert found.count(b"HTTP/1.1 ") == 1
    assert b"no-store" in found


def test_one_request_a_connection(server: Server) -> None:
    one = f"GET /page.css HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    assert ask(server, one * 20).count(b"HTTP/1.1 200") == 1


def test_who_says_half_and_stays(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "_HEAD_SECONDS", 1)
    with connect(server) as half:
        half.sendall(b"GET /page.css HTTP/1.1\r\nHo")
        half.shutdown(socket.SHUT_WR)
        assert half.recv(64).startswith(b"HTTP/1.1 400")
    with connect(server) as half:
        half.sendall(f"GET /page.css HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        half.shutdown(socket.SHUT_WR)
        assert half.recv(64).startswith(b"HTTP/1.1 200")


ATTACK = """<!doctype html><title>waiting</title><body><script>
const target = "http://127.0.0.1:PORT", got = [];
const tried = promise =>
  Promise.race([promise, new Promise((_, no) => setTimeout(no, 3000))]).then(text => got.push(String(text)), () => 0);
const text = options => fetch(target + "/state", options).then(answer => answer.text());
const made = (tag, name, where) => new Promise((yes, no) => {
  const one = document.createElement(tag);
  one.onload = () => yes(tag + " loaded"); one.onerror = no; one[name] = target + where; document.body.append(one);
});
const framed = new Promise((yes, no) => {
  const frame = document.createElement("iframe");
  frame.src = target + "/"; document.body.append(frame);
  setTimeout(() => { try { yes(frame.contentDocument.body.innerText) } catch { no() } }, 1500);
});
const news = new Promise((yes, no) => {
  const stream = new EventSource(target + "/news");
  stream.onmessage = stream.onopen = () => yes("news");
  stream.addEventListener("new", () => yes("news"));
  stream.onerror = no;
});
const socket = new Promise((yes, no) => {
  const one = new WebSocket(target.replace("http", "ws") + "/news");
  one.onopen = () => yes("socket");
  one.onerror = no;
});
Promise.all([
  tried(text({})), tried(text({mode: "no-cors"})), tried(text({credentials: "include"})), tried(text({method: "POST", body: "x"})),
  tried(made("img", "src", "/large")), tried(made("script", "src", "/page.js")), tried(made("link", "href", "/page.css")),
  tried(framed), tried(news), tried(socket),
]).then(() => { document.title = "done " + JSON.stringify(got.filter(Boolean)) });
</script>"""



@pytest.fixture
def elsewhere(server: Server) -> Iterator[str]:
    """A page of another origin that tries what a page can try; its address."""
    page = ATTACK.replace("PORT", str(server.port)).encode()

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    evil = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=evil.serve_forever, daemon=True)
    thread.start()
    yield f"http://evil.example:{evil.server_address[1]}/"
    evil.shutdown()
    evil.server_close()
    thread.join()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a browser of Linux or macOS")
def test_a_page_of_another_origin_learns_nothing(server: Server, elsewhere: str) -> None:
    api = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium")
    with api.sync_playwright() as playwright:
        names = "--host-resolver-rules=MAP evil.example 127.0.0.1"
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", names], timeout=120_000)
        page = browser.new_page()
        page.goto(elsewhere)
        page.wait_for_function("() => document.title.startsWith('done')", timeout=120_000)
        assert page.title() == "done []"

        # A name of somebody else's that leads here: the trick with names.
        rebound = page.goto(f"http://evil.example:{server.port}/state")
        assert rebound.status == 421
        assert SECRET not in page.content()

        # What is not tried in vain: the page of this machine reads what it is meant to.
        own = browser.new_page()
        own.goto(f"http://127.0.0.1:{server.port}/")
        assert SECRET in own.evaluate("fetch('/state').then(answer => answer.text())")
        with pytest.raises(api.Error):
            own.evaluate(f"fetch({elsewhere!r}).then(answer => answer.text())")
        browser.close()

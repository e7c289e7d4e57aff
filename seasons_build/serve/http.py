"""The server: HTTP/1.1 on 127.0.0.1, GET and HEAD alone, one request a connection, and one stream of news (standard library).

In: a function from a path and its query to an `Answer`, or None. Out: bytes on a socket. No request is trusted: the host must be this
machine by name and port, so that no page of another name reaches it by a trick with names; what comes from another page is refused; the
head of a request is small and comes in time, or the connection ends.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import TypeAlias
from urllib.parse import parse_qsl, unquote

from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex

HOST = "127.0.0.1"
NEWS = "/news"
"""Where the stream of news is: an event each time that there is something new to see."""

_HEAD_BYTES = 16 * 1024
_HEAD_SECONDS = 5
_ANSWER_SECONDS = 30
"""Seconds that somebody may take to read what he asked for."""
_STREAMS = 16
_CONNECTIONS = 128
"""So many at once; whoever comes on top is sent away, so that there are files left to open for the work itself."""
_BEAT_SECONDS = 20
_MOST_VALUES = 32
"""The most values of a query."""
_REQUEST = regex(rb"([A-Z]{1,16}) (\S{1,4096}) HTTP/1\.[01]\Z")
_FIELD = regex(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*?)[ \t]*\Z")
_SAFE = regex(r"/[A-Za-z0-9._~:@!$&'()*+,;=/-]*\Z")
_WORDS = {
    200: "OK",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    421: "Misdirected Request",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable",
}
_HEADERS = (
    "Content-Security-Policy: default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options: nosniff",
    "Referrer-Policy: no-referrer",
    "Cross-Origin-Resource-Policy: same-origin",
    "Cross-Origin-Opener-Policy: same-origin",
    "Connection: close",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is served: bytes and their type. What is `lasting` is the same for ever under its path, and may be kept by the browser."""

    body: bytes
    type: str
    lasting: bool = False


Answering: TypeAlias = Callable[[str, Mapping[str, str]], Answer | None]


class Refused(Exception):
    """A request that is not answered, with the number of why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Server:
    """The server, at work in a thread of its own from `start` to `stop`."""

    def __init__(self, answer: Answering) -> None:
        self._answer = answer
        self._loop = asyncio.new_event_loop()
        self._streams: set[asyncio.Event] = set()
        self._connections: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None
        self.port = 0

    def start(self, port: int) -> None:
        """Listens on a port, 0 for any that is free. Raises OSError where it is taken."""
        self._thread.start()
        try:
            self._server = asyncio.run_coroutine_threadsafe(self._listen(port), self._loop).result()
        except OSError:
            self.stop()
            raise
        self.port = self._server.sockets[0].getsockname()[1]

    def tell(self) -> None:
        """Sends everybody who listens the news that there is something new."""
        self._loop.call_soon_threadsafe(self._spread)

    def stop(self) -> None:
        """Ends all connections and the thread."""
        if not self._thread.is_alive():
            return
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _spread(self) -> None:
        for event in self._streams:
            event.set()

    async def _listen(self, port: int) -> asyncio.Server:
        return await asyncio.start_server(self._connected, HOST, port, limit=_HEAD_BYTES)

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._loop.shutdown_default_executor()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._connections) >= _CONNECTIONS:
            writer.transport.abort()
            return
        self._connections.add(task)
        try:
            await self._serve(reader, writer)
            async with asyncio.timeout(_ANSWER_SECONDS):
                writer.close()
                await writer.wait_closed()
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        body = True
        try:
            head = await _head(reader)
            method, path, query = self._judged(head)
            body = method != "HEAD"
            if path == NEWS:
                await self._stream(reader, writer, body)
                return
            answer = await self._loop.run_in_executor(None, self._answer, path, query)
            if answer is None:
                raise Refused(404)
            data = _message(200, answer.type, answer.body, "max-age=31536000, immutable" if answer.lasting else "no-store")
        except Refused as refused:
            said = f"{refused.status} {_WORDS[refused.status]}\n".encode()
            data = _message(refused.status, "text/plain; charset=utf-8", said, "no-store")
        except (OSError, asyncio.CancelledError):
            raise
        except Exception:
            data = _message(500, "text/plain; charset=utf-8", b"500 a fault of ours\n", "no-store")
        writer.write(data if body else data[: data.index(b"\r\n\r\n") + 4])

    def _judged(self, head: bytes) -> tuple[str, str, dict[str, str]]:
        """The method, the path and the query of a request. Raises Refused."""
        first, *rest = head.split(b"\r\n")
        request = _REQUEST.match(first)
        fields: dict[str, str] = {}
        for line in rest:
            field = _FIELD.match(line)
            name = field[1].decode("ascii").lower() if field else ""
            if field is None or (name in fields and name in ("host", "origin")):
                raise Refused(400)
            fields[name] = field[2].decode("ascii")
        if request is None:
            raise Refused(400)
        self._from_here(fields)
        method, target = request[1].decode("ascii"), request[2].decode("latin-1")
        if method not in ("GET", "HEAD"):
            raise Refused(405)
        if "content-length" in fields or "transfer-encoding" in fields:
            raise Refused(400)
        raw, _, query = target.partition("?")
        path = unquote(raw)
        if not _SAFE.match(path) or not _SAFE.match(raw.replace("%", "")) or path.startswith("//"):
            raise Refused(404)
        if query.count("&") >= _MOST_VALUES:
            raise Refused(400)
        return method, path, dict(parse_qsl(query))

    def _from_here(self, fields: Mapping[str, str]) -> None:
        """Whether a request comes from a page of ours, or from nobody's. Raises Refused."""
        host = fields.get("host", "").lower()
        name, _, port = host.rpartition(":") if ":" in host else (host, "", "")
        if not host:
            raise Refused(400)
        if name not in (HOST, "localhost"):
            raise Refused(421)
        if port != str(self.port):
            raise Refused(400)
        if fields.get("origin", f"http://{host}").lower() != f"http://{host}":
            raise Refused(403)
        if fields.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Refused(403)

    async def _stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bool) -> None:
        """News for as long as somebody listens: until he hangs up or says more than he asked, or a beat does not reach him."""
        if len(self._streams) >= _STREAMS:
            raise Refused(503)
        writer.write(_head_of(200, "text/event-stream", "no-store") + b"\r\n")
        if not body:
            return
        event = asyncio.Event()
        self._streams.add(event)
        gone = asyncio.ensure_future(reader.read(1))
        try:
            writer.write(b"retry: 500\n\nevent: new\ndata: \n\n")
            while not gone.done():
                await writer.drain()
                told = asyncio.ensure_future(event.wait())
                await asyncio.wait((gone, told), timeout=_BEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                told.cancel()
                writer.write(b"event: new\ndata: \n\n" if event.is_set() else b": still here\n\n")
                event.clear()
        finally:
            gone.cancel()
            self._streams.discard(event)


async def _head(reader: asyncio.StreamReader) -> bytes:
    """The head of a request, without its end. Raises Refused, and OSError where nothing came."""
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _HEAD_SECONDS)
    except TimeoutError:
        raise Refused(408) from None
    except asyncio.LimitOverrunError:
        raise Refused(431) from None
    except asyncio.IncompleteReadError as error:
        if not error.partial:
            raise ConnectionResetError from None
        raise Refused(400) from None
    return head[:-4]


def _head_of(status: int, type_: str, keep: str) -> bytes:
    lines = (f"HTTP/1.1 {status} {_WORDS[status]}", f"Content-Type: {type_}", f"Cache-Control: {keep}", *_HEADERS)
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def _message(status: int, type_: str, body: bytes, keep: str) -> bytes:
    return _head_of(status, type_, keep) + f"Content-Length: {len(body)}\r\n\r\n".encode("ascii") + body

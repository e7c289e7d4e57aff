"""Messages between the compiler and its worker: four bytes of length, a header in JSON, then raw bytes. Plain data in, plain data out.

The parent trusts nothing that comes back: it reads no more than it was told to expect, and anything out of form is a `WireError`, never a
traceback of some decoder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from seasons_build.core.named import NamedTuple

_LENGTH_BYTES = 4
_HEADER_BYTES = 64 * 1024 * 1024


class WireError(ValueError):
    """What came through the pipe is no message of ours, or larger than allowed."""


class Readable(Protocol):
    """The half of a stream that messages come from: `read` may give less than was asked for, and nothing at the end."""

    def read(self, size: int, /) -> bytes | None: ...


class Writable(Protocol):
    """The half of a stream that messages go to."""

    def write(self, data: bytes, /) -> int | None: ...

    def flush(self) -> None: ...


class Message(NamedTuple):
    """One message: a header that JSON can hold, and the raw bytes that travel behind it."""

    header: Mapping[str, Any]
    blobs: tuple[bytes, ...] = ()


def write_message(stream: Writable, header: Mapping[str, Any], blobs: Sequence[bytes] = ()) -> None:
    """Sends one message. Raises OSError (a broken pipe) where nobody reads any more."""
    for part in message_parts(header, blobs):
        _write_all(stream, part)
    stream.flush()


def message_parts(header: Mapping[str, Any], blobs: Sequence[bytes] = ()) -> tuple[bytes, ...]:
    """One message as what stands in it, one after the other."""
    # Names of files may hold what is no letter: it comes back as it was.
    envelope = json.dumps({"header": header, "blobs": [len(blob) for blob in blobs]}, ensure_ascii=False, separators=(",", ":"))
    text = envelope.encode("utf-8", "surrogatepass")
    return len(text).to_bytes(_LENGTH_BYTES, "big"), text, *blobs


def read_message(stream: Readable, largest: int, hook: Callable[[dict[str, Any]], Any] | None = None) -> Message | None:
    """The next message, or None where the stream has ended between two of them. `largest` bounds the raw bytes of one message; `hook` is
    what `json.loads` calls an object hook. Raises WireError."""
    start = stream.read(_LENGTH_BYTES)
    if not start:
        return None
    if len(start) < _LENGTH_BYTES:
        start += _read_all(stream, _LENGTH_BYTES - len(start))
    size = int.from_bytes(start, "big")
    if size > min(_HEADER_BYTES, largest):
        raise WireError(f"a header of {size} bytes")
    header, sizes = _parts(_read_all(stream, size), hook)
    if sum(sizes) > largest:
        raise WireError(f"a message of {sum(sizes)} bytes, with room for {largest}")
    return Message(header, tuple(_read_all(stream, size) for size in sizes))


def message_in(data: bytes, start: int) -> Message:
    """The message that `data` holds from a place on to its end. Raises WireError."""
    at = start + _LENGTH_BYTES + int.from_bytes(data[start : start + _LENGTH_BYTES], "big")
    header, sizes = _parts(data[start + _LENGTH_BYTES : at], None)
    blobs = []
    for size in sizes:
        blobs.append(data[at : at + size])
        at += size
    if at != len(data):
        raise WireError("a message of another length than it says")
    return Message(header, tuple(blobs))


def _parts(text: bytes, hook: Callable[[dict[str, Any]], Any] | None) -> tuple[dict[str, Any], list[int]]:
    try:
        envelope = json.loads(text, object_hook=hook)
    except (ValueError, RecursionError) as error:
        raise WireError("a header that is no JSON") from error
    if not isinstance(envelope, dict):
        raise WireError("a header that is no map")
    header, sizes = envelope.get("header"), envelope.get("blobs")
    if not isinstance(header, dict) or not isinstance(sizes, list):
        raise WireError("a header without its parts")
    if any(type(size) is not int or size < 0 for size in sizes):
        raise WireError("a blob of no size")
    return header, sizes


def _read_all(stream: Readable, size: int) -> bytes:
    parts: list[bytes] = []
    missing = size
    while missing:
        part = stream.read(missing)
        if not part:
            raise WireError("the stream ended inside a message")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _write_all(stream: Writable, data: bytes) -> None:
    view = memoryview(data)
    while view:
        written = stream.write(bytes(view) if len(view) < len(data) else data)
        view = view[written or 0 :]

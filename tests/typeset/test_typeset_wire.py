"""Messages on a pipe, jobs and findings in them."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_theme import document_job, face_job, small_theme

from seasons_build.core.finding import Finding, decimal, from_data, millimetres_over, to_data
from seasons_build.core.job import Step, job_message, job_of, theme_message, theme_of
from seasons_build.core.wire import Message, WireError, message_in, read_message, write_message

ROOM = 1 << 20


class Trickle:
    """A stream that gives little at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = BytesIO(data)

    def read(self, size: int, /) -> bytes:
        return self._data.read(min(size, 3))


def sent(header: dict[str, object], *blobs: bytes) -> bytes:
    out = BytesIO()
    write_message(out, header, blobs)
    return out.getvalue()


PLAIN = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers()) | st.dictionaries(st.text(), st.text())


@given(st.dictionaries(st.text(), PLAIN, max_size=4), st.lists(st.binary(max_size=50), max_size=3))
def test_what_is_sent_is_read(header: dict[str, object], blobs: list[bytes]) -> None:
    data = sent(header, *blobs) * 2
    stream = Trickle(data)
    assert read_message(stream, ROOM) == read_message(stream, ROOM) == Message(header, tuple(blobs))
    assert read_message(stream, ROOM) is None
    assert message_in(b"xx" + sent(header, *blobs), 2) == Message(header, tuple(blobs))


@given(st.binary(max_size=200))
def test_anything_else_is_an_error(data: bytes) -> None:
    try:
        read_message(BytesIO(data), ROOM)
    except WireError:
        return
    assert data == b""


@pytest.mark.parametrize(
    "data",
    [
        sent({"a": 1}, b"abc")[:-1],
        sent({"a": 1})[:3],
        (1 << 30).to_bytes(4, "big") + b"{}",
        b"\0\0\0\x02{}",
        b'\0\0\0\x1b{"header":{},"blobs":[-1]} ',
        b'\0\0\0\x24{"header":{},"blobs":[999999999999]}',
        b"\0\x01\x86\xa0" + b"[" * 100_000,
    ],
)
def test_messages_out_of_form(data: bytes) -> None:
    with pytest.raises(WireError):
        read_message(BytesIO(data), ROOM)
    with pytest.raises(WireError):
        message_in(data, 0)


@pytest.mark.parametrize("data", [b"", b"x", sent({}) + b"x", sent({}, b"x") + b"x"])
def test_what_is_no_one_message(data: bytes) -> None:
    with pytest.raises(WireError):
        message_in(data, 0)


def test_jobs_and_themes_cross_unchanged() -> None:
    size = (Fraction("63.5"), Fraction("88.9"))
    job = face_job("a", "b", fit=(Step("l", ("x",), Fraction("9.2"), 30), Step("m")), steps=(("name", ("", "two")),), size_mm=size)
    document = document_job({"a": 1}, {"b": [2]}, frame="f", frame_context={"c": 3}, forms=True, tagged=False, authors="x")
    for each in (job, document):
        header, blobs = job_message(each)
        message = read_message(BytesIO(sent(header, *blobs)), ROOM)
        assert message is not None
        assert job_of(message) == each
    theme = small_theme(images={"b": b"1", "a": b"2"}, floor_pt=Fraction("6.5"))
    header, blobs = theme_message(theme)
    assert theme_of(Message(header, tuple(blobs))) == theme
    with pytest.raises(ValueError, match="ladder"):
        face_job(fit=())


FINDING = Finding("E601", "text", "words", Fraction(13, 10), "a.css", 1, 2, ("x", "y"), "detail")


def test_findings_cross_unchanged() -> None:
    assert from_data(to_data(FINDING)) == FINDING
    assert from_data(to_data(Finding("E606"))) == Finding("E606")
    lengths: list[dict[str, object]] = [{"millimetres": "x"}, {"millimetres": "1e999999999"}, {"millimetres": "1/0"}]
    parts: list[dict[str, object]] = [*lengths, {"line": "1"}, {"line": True}, {"code": "X1"}, {"code": 5}]
    for wrong in [{}, *({"code": "E601", **part} for part in parts)]:
        with pytest.raises((ValueError, TypeError, KeyError, ZeroDivisionError)):
            from_data(wrong)


def test_numbers_as_they_are_told() -> None:
    told = {"63": "63", "63.5": "63.5", "127/2": "63.5", "-1/4": "-0.25", "1/3": "0.3333", "0": "0"}
    assert {text: decimal(Fraction(text)) for text in told} == told
    assert millimetres_over(Fraction("1.21")) == Fraction("1.3")
    assert millimetres_over(Fraction("1.2")) == Fraction("1.2")

"""What single words mean: YAML 1.2 for unquoted ones, exact numbers, text for the rest."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seasons_build.core.limits import DEFAULT
from seasons_build.load import load
from seasons_build.load.scalars import Refused, number

MEANINGS: dict[str, Any] = {
    "true": True,
    "False": False,
    "TRUE": True,
    "tRUE": "tRUE",
    "yes": "yes",
    "no": "no",
    "on": "on",
    "off": "off",
    "y": "y",
    "~": None,
    "null": None,
    "Null": None,
    "": None,
    "none": "none",
    "0": 0,
    "-0": 0,
    "+12": 12,
    "1000000000000000": 10**15,
    "0x1F": 31,
    "0o17": 15,
    "-0x1F": "-0x1F",
    "1_000": "1_000",
    "1,000": "1,000",
    "1.5": Fraction(3, 2),
    "1.0": Fraction(1),
    ".5": Fraction(1, 2),
    "-2.50": Fraction(-5, 2),
    "5.": Fraction(5),
    "1e3": Fraction(1000),
    "25e-2": Fraction(1, 4),
    "0.1": Fraction(1, 10),
    "0e99999": Fraction(0),
    "1:30": "1:30",
    "2024-01-01": "2024-01-01",
    "1/2": "1/2",
    "1d6": "1d6",
    "1.2.3": "1.2.3",
    ".": ".",
    "-": None,
    "+": "+",
    "-.5x": "-.5x",
    "²": "²",
    "٣": "٣",
    "=": "=",
}


@pytest.mark.parametrize("word", [word for word in MEANINGS if word != "-"])
def test_unquoted_words(word: str) -> None:
    result = load("a.yaml", f"a: {word}\n".encode())
    assert result.value is not None
    value = result.value.data["a"]
    assert value == MEANINGS[word] and type(value) is type(MEANINGS[word])
    assert not result.diagnostics


@pytest.mark.parametrize("word", [word for word in MEANINGS if word])
def test_quoted_words_are_text(word: str) -> None:
    for text in (f'a: "{word}"', f"a: '{word}'"):
        result = load("a.yaml", text.encode())
        assert result.value is not None and result.value.data == {"a": word}


@pytest.mark.parametrize("key", ["on", "no", "1", "1.5", "~", "true", "2024-01-01", "a b", "キー", "ключ", "naïve"])
def test_keys_are_text(key: str) -> None:
    result = load("a.yaml", f"{key}: 1\n".encode())
    assert result.value is not None and result.value.data == {key: 1}
    assert not result.diagnostics


UNUSABLE = (
    *("1000000000000001", "-99999999999999999999", "1" * 300_000, "0x" + "f" * 300_000, "0xffffffffffffff"),
    *("1e16", "1e999999999", "1e-16", "1e-999999999", "0.1234567890123456", "1234567890123456.5"),
    *(".inf", "-.INF", ".nan", ".NaN"),
)


@pytest.mark.parametrize("word", UNUSABLE, ids=lambda word: word[:20])
def test_numbers_that_cannot_be_used(word: str) -> None:
    result = load("a.yaml", f"a: {word}\nb: 1\n".encode())
    assert [d.code for d in result.diagnostics] == ["E116"] or result.diagnostics[-1].code == "E112"
    assert result.value is not None and isinstance(result.value.data["a"], int | Fraction)
    assert result.value.data["b"] == 1


def test_keys_that_look_equal_are_equal() -> None:
    result = load("a.yaml", "e\u0301tat: 1\n\u00e9tat: 2\n".encode())
    assert [d.code for d in result.diagnostics] == ["E101"]
    assert result.value is not None and result.value.data == {"\u00e9tat": 1}


@pytest.mark.parametrize("text", ["β-blocker", "Δv", "10 µm", "Привет мир", "смешанный mixed text", "火球 fireball"])
def test_other_alphabets_are_fine_in_text(text: str) -> None:
    assert not load("a.yaml", f"a: {text}\n".encode()).diagnostics


digits = st.text("0123456789", max_size=12)


@given(st.sampled_from(("", "-", "+")), digits, st.none() | digits)
@settings(derandomize=True, max_examples=200, deadline=None)
def test_decimals_are_exact(sign: str, whole: str, part: str | None) -> None:
    word = sign + whole + ("" if part is None else f".{part}")
    found = number(word, DEFAULT)
    if not whole and not part:
        assert found is None
    elif isinstance(found, Refused):
        assert len((whole + (part or "")).strip("0")) > DEFAULT.decimal_digits
    else:
        assert found == Fraction(f"{sign}{whole or 0}.{part or 0}")
        assert isinstance(found, int) == (part is None)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"{\\rtf1\\ansi\\ansicpg1252 name: Fire}", "formatted text (RTF)"),
        (b"PK\x03\x04\x14\x00\x06\x00", "a document of a word processor"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an older word processor"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "a PDF"),
        (b"\xef\xbb\xbf\r\n<!DOCTYPE html><html>", "a web page"),
    ],
)
def test_what_is_no_plain_text_is_told_as_what_it_is(raw: bytes, said: str) -> None:
    found = load("gear.yaml", raw).diagnostics
    assert [d.code for d in found] == ["E103"]
    assert said in found[0].message
